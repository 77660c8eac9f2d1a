import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import '../styles/page.css'
import '../styles/mono-font.css'
import '../styles/shell.css'
import '../styles/blocks.css'
import './desk.css'
import { deskLimits } from '../../contract/desk/desk-limits.ts'
import { followTranslator } from '../app/translated-text.ts'
import { openTrustedTypes } from '../app/trusted-types.ts'
import { reads } from '../calls/reads.ts'
import { replaceFailureTexts } from '../text/failure-text.ts'
import { addFieldTexts } from '../text/field-text.ts'
import { signedInFieldTexts } from '../text/signed-in-field-text.ts'
import { DeskApp } from './desk-app.tsx'
import { deskFailureText } from './desk-failure-text.ts'
import { DeskLocale } from './desk-locale.tsx'

const { days } = deskLimits.trail
addFieldTexts({
  ...signedInFieldTexts,
  // Days to verify, the only range at the desk.
  'date-range': { pl: `Wybierz najwyżej ${days} dni`, en: `Choose at most ${days} days` },
})
replaceFailureTexts(deskFailureText)
openTrustedTypes()
followTranslator()
// Each reading of a customer is counted and audited, so only a person makes one (R235).
reads.setDefaultOptions({ queries: { ...reads.getDefaultOptions().queries, refetchOnWindowFocus: false } })

createRoot(document.getElementById('desk')!).render(
  <QueryClientProvider client={reads}>
    <DeskLocale>
      <BrowserRouter basename="/desk">
        <DeskApp />
      </BrowserRouter>
    </DeskLocale>
  </QueryClientProvider>,
)
