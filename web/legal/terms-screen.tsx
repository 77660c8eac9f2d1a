import { termsSections, termsVersion } from '../../contract/terms-text.ts'
import { LegalPage } from './legal-page.tsx'

export function TermsScreen() {
  return (
    <LegalPage
      title={{ pl: 'Regulamin', en: 'Terms' }}
      lede={{ pl: 'Zasady korzystania z\u00a0portalu.', en: 'The rules of using the portal.' }}
      version={termsVersion}
      sections={termsSections}
    />
  )
}
