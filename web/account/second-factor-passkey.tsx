import { sendSignInCode } from '../../contract/account.ts'
import type { CodeSent } from '../../contract/one-time-code.ts'
import { enterSignInPasskey, startSignInPasskey } from '../../contract/passkeys.ts'
import type { Session } from '../../contract/session.ts'
import { useText } from '../app/locale.tsx'
import { call } from '../calls/api.ts'
import { signWithKey } from '../step-up/passkey-device.ts'
import { PasskeyDialogView } from '../step-up/passkey-dialog-view.tsx'
import { LostPhoneLine } from './lost-phone-line.tsx'

type Props = {
  onDone: (session: Session) => unknown
  onSms: (sent: CodeSent) => void
  /** Runs a call, and ends the attempt when it can no longer succeed. */
  untilOver: <T>(request: () => Promise<T>) => Promise<T>
  onClose: () => void
}

/** Finishes the sign-in with a passkey (AUT-8). */
export function SignInPasskey({ onDone, onSms, untilOver, onClose }: Props) {
  const t = useText()
  const use = () =>
    untilOver(async () => {
      const assertion = await signWithKey(await call(startSignInPasskey))
      onDone(await call(enterSignInPasskey, { body: assertion }))
    })
  return (
    <PasskeyDialogView
      title={t({ pl: 'Potwierdź logowanie', en: 'Confirm your sign-in' })}
      onUse={use}
      onSms={() => untilOver(async () => onSms(await call(sendSignInCode)))}
      onClose={onClose}
      help={<LostPhoneLine />}
    />
  )
}
