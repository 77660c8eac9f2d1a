import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { finishDeskSignIn, readDeskSession, type DeskSession } from '../../contract/desk/desk-session.ts'
import { ApiError, call, failedWith } from '../api.ts'
import { useText } from '../locale.tsx'
import { setCached } from '../reads.ts'
import { Notice } from '../ui/notice.tsx'
import { takeReturnPath } from './recent-sign-in.tsx'
import { DeskSignIn } from './desk-sign-in-screen.tsx'

/** An answer of the provider works once, and a component may be mounted twice. */
let answering: Promise<DeskSession> | undefined

/** The return from the OpenID provider: passes its answer on, which then is not in the address any more. */
export function DeskCallback() {
  const t = useText()
  const navigate = useNavigate()
  const [failure, setFailure] = useState<ApiError>()
  useEffect(() => {
    answering ??= call(finishDeskSignIn, { body: { answer: location.search.slice(1) } })
    answering.then(
      async (session) => {
        await setCached(readDeskSession, {}, session)
        void navigate(takeReturnPath(), { replace: true })
      },
      (error: unknown) => {
        history.replaceState(history.state, '', location.pathname)
        setFailure(failedWith(error) ? error : new ApiError('unexpected'))
      },
    )
  }, [navigate])

  if (!failure)
    return (
      <p className="desk-entry__wait" role="status">
        {t({ pl: 'Logujemy…', en: 'Signing you in…' })}
      </p>
    )
  const texts =
    failure.problem.reason === 'no-role'
      ? {
          pl: 'Twoje konto nie ma dostępu do konsoli. Poproś o\u00a0niego administratora.',
          en: 'Your account has no access to the desk. Ask an administrator for it.',
        }
      : failure.code === 'login-refused'
        ? { pl: 'Logowanie się nie powiodło. Spróbuj ponownie.', en: 'Signing in didn’t work. Try again.' }
        : {
            pl: 'Dostawca tożsamości teraz nie odpowiada. Spróbuj ponownie za chwilę.',
            en: 'The identity provider isn’t answering. Try again in a moment.',
          }
  return (
    <DeskSignIn>
      <Notice kind="err" role="alert">
        {t(texts)}
      </Notice>
    </DeskSignIn>
  )
}
