import { termsSections, termsVersion } from '../../contract/legal/terms-text.ts'
import { LegalPage } from './legal-page.tsx'

export const TermsScreen = () => <LegalPage page="terms" version={termsVersion} sections={termsSections} />
