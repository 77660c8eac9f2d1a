import { useEffect, useRef, useState } from 'react'
import type { Text } from '../../contract/enums.ts'
import type { CodeSent, SecondFactor } from '../../contract/one-time-code.ts'
import type { StepUpPurpose } from '../../contract/step-up-purpose.ts'
import { enterStepUpCode, resendStepUpCode, startStepUp, type StepUpAction } from '../../contract/step-up.ts'
import { useText } from '../app/locale.tsx'
import { partOnDemand } from '../app/on-demand.tsx'
import { setSession } from '../app/session.tsx'
import { ApiError, call, hasFailedWith, onFailure, provide } from '../calls/api.ts'
import { CodeDialog } from './code-dialog.tsx'

/** Loaded when needed, by customers with a passkey. */
const StepUpPasskey = partOnDemand(() => import('./step-up-passkey.tsx').then((file) => file.StepUpPasskey))

const titles: Record<StepUpPurpose, Text> = {
  'pair-app': { pl: 'Potwierdź połączenie z\u00a0aplikacją', en: 'Confirm connecting to the app' },
  'pair-seal': { pl: 'Potwierdź połączenie z\u00a0aplikacją', en: 'Confirm connecting to the app' },
  'manage-seal-users': { pl: 'Potwierdź zmianę użytkowników pieczęci', en: 'Confirm the change to seal users' },
  'change-phone': { pl: 'Potwierdź zmianę numeru telefonu', en: 'Confirm the phone number change' },
  'export-data': { pl: 'Potwierdź pobranie swoich danych', en: 'Confirm downloading your data' },
  'timestamp-password': { pl: 'Potwierdź zmianę hasła konta znaczników', en: 'Confirm the password change' },
  'add-passkey': { pl: 'Potwierdź dodanie klucza dostępu', en: 'Confirm adding a passkey' },
  suspend: { pl: 'Potwierdź zawieszenie certyfikatu', en: 'Confirm suspending the certificate' },
  resume: { pl: 'Potwierdź cofnięcie zawieszenia', en: 'Confirm ending the suspension' },
  revoke: { pl: 'Potwierdź unieważnienie certyfikatu', en: 'Confirm revoking the certificate' },
  'remove-passkey': { pl: 'Potwierdź usunięcie klucza dostępu', en: 'Confirm removing the passkey' },
}

type PendingAction = StepUpAction & { sent: SecondFactor; done: () => void; fail: (failure: ApiError) => void }

const isSame = (left: StepUpAction, right: StepUpAction) =>
  left.purpose === right.purpose && left.object === right.object

/** Holds the action that waits for its second factor. */
function usePendingAction() {
  const [action, setAction] = useState<PendingAction>()
  const pending = useRef<{ action: StepUpAction; answer: Promise<void> }>(undefined)

  useEffect(() => {
    async function startAction({ purpose, object }: StepUpAction) {
      const sent = await call(startStepUp, { body: { purpose, object } })
      await new Promise<void>((resolve, reject) => {
        setAction({ purpose, object, sent, done: resolve, fail: reject })
      }).finally(() => setAction(undefined))
    }

    /** Shows one dialog at a time: calls of the same action share its answer, and another action waits for its turn. */
    async function confirm(requested: StepUpAction) {
      while (pending.current && !isSame(pending.current.action, requested)) await pending.current.answer.catch(() => {})
      pending.current ??= {
        action: requested,
        answer: startAction(requested).finally(() => (pending.current = undefined)),
      }
      return pending.current.answer
    }
    return provide({ confirm })
  }, [])

  return [action, setAction] as const
}

/** Asks for a fresh second factor when a call is refused without one; the call is then repeated (AUT-7). */
export function StepUpHost() {
  const t = useText()
  const [action, setAction] = usePendingAction()
  if (!action) return null
  const { purpose, object, sent } = action
  const title = t(titles[purpose])
  const description = t({
    pl: 'To ważna czynność, dlatego sprawdzamy, czy to Ty.',
    en: 'This is an important action, so we’re checking that it’s you.',
  })
  const close = () => action.fail(new ApiError('canceled'))
  const sendCode = async () => {
    const code = (await call(startStepUp, { body: { purpose, object, by: 'sms' } })) as CodeSent
    setAction((now) => now && { ...now, sent: code })
    return code
  }

  if (sent.channel === 'passkey')
    return (
      <StepUpPasskey
        title={title}
        description={description}
        action={{ purpose, object }}
        onDone={action.done}
        onSms={sendCode}
        onClose={close}
      />
    )
  const { id } = sent

  /** Enters the code. Too many wrong codes end the attempt (AUT-2): the call fails, and its caller shows why. */
  async function enter(code: string) {
    const entering = call(enterStepUpCode, { params: { id }, body: { code } })
    setSession(
      await entering.catch((error: unknown) => {
        if (hasFailedWith(error, 'code-void')) action?.fail(error)
        throw error
      }),
    )
    action?.done()
  }

  /** Sends the code again; an expired code cannot be sent again, so the step-up is started again. */
  const resend = () => call(resendStepUpCode, { params: { id } }).catch(onFailure(['code-expired'], sendCode))

  return (
    <CodeDialog
      key={id}
      title={title}
      description={description}
      sent={sent}
      submitLabel={t({ pl: 'Potwierdź', en: 'Confirm' })}
      submitsItself
      onSubmit={enter}
      onResend={resend}
      onClose={close}
    />
  )
}
