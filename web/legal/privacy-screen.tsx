import { statements } from '../../contract/consent-statements.ts'
import { privacySections } from '../../contract/privacy-text.ts'
import { config } from '../config.ts'
import { LegalPage } from './legal-page.tsx'

export function PrivacyScreen() {
  return (
    <LegalPage
      title={{ pl: 'Prywatność', en: 'Privacy' }}
      lede={{
        pl: 'Klauzula informacyjna: jakie dane przetwarzamy, po co i\u00a0jakie masz prawa.',
        en: 'Privacy notice: which data we process, what for, and what your rights are.',
      }}
      version={statements(config.brand).privacy.version}
      sections={privacySections}
    />
  )
}
