import { privacySections, privacyVersion } from '../../contract/legal/privacy-text.ts'
import { LegalPage } from './legal-page.tsx'

export const PrivacyScreen = () => <LegalPage page="privacy" version={privacyVersion} sections={privacySections} />
