import type { ReactNode } from 'react'
import { enterSignInCode, resendSignInCode, type CodeSent, type Session } from '../../contract/account.ts'
import { call } from '../calls/api.ts'
import { useText } from '../app/locale.tsx'
import { CodeDialogView } from '../step-up/code-dialog-view.tsx'
import { LostPhoneLine } from './lost-phone-line.tsx'

type Props = {
  sent: CodeSent
  /** Alternative shown when no entries of codes are left. */
  passkey: ReactNode
  onDone: (session: Session) => unknown
  /** Runs a call, and ends the attempt when it can no longer succeed. */
  untilOver: <T>(request: () => Promise<T>) => Promise<T>
  onClose: () => void
}

/** AUT-2: the code of a text message finishes the sign-in. */
export function SignInCode({ sent, passkey, onDone, untilOver, onClose }: Props) {
  const t = useText()
  return (
    <CodeDialogView
      title={t({ pl: 'Potwierdź logowanie', en: 'Confirm your sign-in' })}
      sent={sent}
      autoSubmit
      help={<LostPhoneLine />}
      submitLabel={t({ pl: 'Zaloguj się', en: 'Sign in' })}
      locked={{
        title: t({ pl: 'Logowanie zablokowane', en: 'Sign-in locked' }),
        purpose: t({ pl: 'do logowania', en: 'to sign in' }),
        action: passkey,
      }}
      onSubmit={(code) => untilOver(async () => onDone(await call(enterSignInCode, { body: { code } })))}
      onResend={() => untilOver(() => call(resendSignInCode))}
      onClose={onClose}
    />
  )
}
