import { accessibilitySections } from './accessibility-text.ts'
import { LegalPage } from './legal-page.tsx'

export const AccessibilityScreen = () => <LegalPage page="accessibility" sections={accessibilitySections} />
