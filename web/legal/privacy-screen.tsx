import { privacySections, privacyVersion } from '../../contract/privacy-text.ts'
import { LegalPage } from './legal-page.tsx'

export function PrivacyScreen() {
  return (
    <LegalPage
      title={{ pl: 'Prywatność', en: 'Privacy' }}
      lede={{
        pl: 'Klauzula informacyjna: jakie dane przetwarzamy, po co i\u00a0jakie masz prawa.',
        en: 'Privacy notice: which data we process, what for, and what your rights are.',
      }}
      version={privacyVersion}
      sections={privacySections}
    />
  )
}
