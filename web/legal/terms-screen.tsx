import { LegalPage } from './legal-page.tsx'
import { termsSections } from './terms-text.ts'

export function TermsScreen() {
  return (
    <LegalPage
      title={{ pl: 'Regulamin', en: 'Terms' }}
      lede={{ pl: 'Zasady korzystania z\u00a0portalu.', en: 'The rules of using the portal.' }}
      sections={termsSections}
    />
  )
}
