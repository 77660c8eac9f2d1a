import { enterStepUpPasskey, startStepUpPasskey } from '../../contract/passkeys.ts'
import type { StepUpAction } from '../../contract/step-up.ts'
import { setSession } from '../app/session.tsx'
import { call } from '../calls/api.ts'
import { signWithKey } from './passkey-device.ts'
import { PasskeyDialogView } from './passkey-dialog-view.tsx'

type Props = {
  title: string
  description: string
  action: StepUpAction
  onDone: () => void
  onSms: () => Promise<unknown>
  onClose: () => void
}

/** Confirms a sensitive action with a passkey (AUT-7, AUT-8). */
export function StepUpPasskey({ action, onDone, ...dialog }: Props) {
  async function use() {
    const assertion = await signWithKey(await call(startStepUpPasskey, { body: action }))
    setSession(await call(enterStepUpPasskey, { body: { ...action, assertion } }))
    onDone()
  }
  return <PasskeyDialogView {...dialog} onUse={use} />
}
