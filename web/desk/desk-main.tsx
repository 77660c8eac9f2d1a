import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import '../styles/page.css'
import '../styles/mono-font.css'
import '../styles/shell.css'
import '../styles/blocks.css'
import './desk.css'
import { reads } from '../reads.ts'
import { followTranslator } from '../translated-text.ts'
import { openTrustedTypes } from '../trusted-types.ts'
import { DeskLocale } from './desk-locale.tsx'
import { DeskApp } from './desk-app.tsx'

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
