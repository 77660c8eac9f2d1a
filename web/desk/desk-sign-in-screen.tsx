import type { ReactNode } from 'react'
import { startDeskSignIn } from '../../contract/desk/desk-session.ts'
import { useText } from '../app/locale.tsx'
import { PageHead } from '../app/page-head.tsx'
import { BrandMark } from '../art/brand-mark.tsx'
import { call } from '../calls/api.ts'
import { useAction } from '../ui/action.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { DeskLanguage } from './desk-locale.tsx'

/** Shows the sign-in page, and why an earlier attempt failed. */
export function DeskSignIn({ children }: { children?: ReactNode }) {
  const t = useText()
  const { run, isBusy, failureText } = useAction(async () => {
    const { url } = await call(startDeskSignIn)
    location.assign(url)
    // The button stays busy until the browser has left.
    await new Promise(() => {})
  })
  return (
    <div className="desk-entry">
      <header className="desk-entry__bar">
        <span className="brand">
          <BrandMark />
        </span>
        <DeskLanguage />
      </header>
      <main className="desk-entry__box">
        <PageHead
          title={{ pl: 'Konsola obsługi', en: 'Support desk' }}
          lede={{
            pl: 'Zaloguj się kontem służbowym. Hasło podajesz tylko u\u00a0dostawcy tożsamości, nigdy tutaj.',
            en: 'Sign in with your work account. You enter your password at your identity provider only, never here.',
          }}
        />
        {children}
        {failureText && (
          <Notice kind="error" role="alert">
            {failureText}
          </Notice>
        )}
        <Button
          variant="primary"
          isBusy={isBusy}
          busyText={t({ pl: 'Przechodzimy do logowania…', en: 'Taking you to sign-in…' })}
          onClick={() => void run()}
        >
          {t({ pl: 'Zaloguj się', en: 'Sign in' })}
        </Button>
      </main>
    </div>
  )
}
