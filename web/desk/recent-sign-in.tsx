import { useLocation } from 'react-router'
import { readDeskSession, renewDeskSignIn, type DeskSession } from '../../contract/desk/desk-session.ts'
import type { Text } from '../../contract/enums.ts'
import { useText } from '../app/locale.tsx'
import { storeForNextPage, takeStored } from '../app/storage.ts'
import { call, hasFailedWith } from '../calls/api.ts'
import { invalidate } from '../calls/reads.ts'
import { useAction } from '../ui/action.ts'
import { Button } from '../ui/button.tsx'
import { FailureNotice } from '../ui/failure.tsx'
import { Notice } from '../ui/notice.tsx'

const key = 'desk-return'

/** Checks whether this person has signed in at the OpenID provider recently enough to create a secret or to approve (R247, R252). */
export const isRecent = ({ recentUntil }: DeskSession) => recentUntil !== null && new Date(recentUntil) > new Date()

/** Returns and removes the stored path that was open before another sign-in; the start if there is none. */
export function takeReturnPath(): string {
  const path = takeStored(key)
  return path && /^\/(?:operations(?:\/[a-z-]+)?|approvals\/[0-9a-f-]{36})$/.test(path) ? path : '/'
}

/** Invalidates the session when a call is refused for lack of a recent sign-in, so that the page then shows what to do. */
export async function refreshAfterOldSignIn<T>(work: Promise<T>): Promise<T> {
  return work.catch(async (error: unknown) => {
    if (hasFailedWith(error, 'step-up-required')) await invalidate(readDeskSession)
    throw error
  })
}

const secretsNeedIt: Text = {
  pl: 'Nowe klucze i\u00a0sekrety wymagają logowania z\u00a0ostatnich 15\u00a0minut.',
  en: 'New keys and secrets need a sign-in within the last 15 minutes.',
}

/** Asks the person to sign in again, in place of anything that needs a recent sign-in. */
export function SignInAgain({ why = secretsNeedIt }: { why?: Text }) {
  const t = useText()
  const { pathname } = useLocation()
  const { run, isBusy, failureText } = useAction(async () => {
    const { url } = await call(renewDeskSignIn)
    storeForNextPage(key, pathname)
    location.assign(url)
    // The button stays busy until the browser has left.
    await new Promise(() => {})
  })
  return (
    <Notice className="desk-recent">
      <p>{t(why)}</p>
      <FailureNotice text={failureText} />
      <p className="buttons">
        <Button
          size="s"
          isBusy={isBusy}
          busyText={t({ pl: 'Przechodzimy do logowania…', en: 'Taking you to sign-in…' })}
          onClick={() => void run()}
        >
          {t({ pl: 'Zaloguj się ponownie', en: 'Sign in again' })}
        </Button>
      </p>
    </Notice>
  )
}
