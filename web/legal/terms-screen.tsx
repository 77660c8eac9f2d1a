import { statements } from '../../contract/consent-statements.ts'
import { termsSections } from '../../contract/terms-text.ts'
import { config } from '../config.ts'
import { LegalPage } from './legal-page.tsx'

export function TermsScreen() {
  return (
    <LegalPage
      title={{ pl: 'Regulamin', en: 'Terms' }}
      lede={{ pl: 'Zasady korzystania z\u00a0portalu.', en: 'The rules of using the portal.' }}
      version={statements(config.brand).terms.version}
      sections={termsSections}
    />
  )
}
