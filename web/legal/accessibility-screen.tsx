import { accessibilitySections } from './accessibility-text.ts'
import { LegalPage } from './legal-page.tsx'

export function AccessibilityScreen() {
  return (
    <LegalPage
      title={{ pl: 'Deklaracja dostępności', en: 'Accessibility statement' }}
      lede={{
        pl: 'Co robimy, aby każdy mógł korzystać z\u00a0portalu, i\u00a0gdzie zgłosić trudność.',
        en: 'What we do so that everyone can use the portal, and where to report a difficulty.',
      }}
      sections={accessibilitySections}
    />
  )
}
