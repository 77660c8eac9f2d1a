import { useEffect, useRef, useState } from 'react'
import {
  enterStepUpCode,
  resendStepUpCode,
  startStepUp,
  type CodeSent,
  type SecondFactor,
  type StepUpAct,
} from '../../contract/account.ts'
import type { StepUpPurpose, Text } from '../../contract/enums.ts'
import { call, CallFailed, offer } from '../api.ts'
import { useText } from '../locale.tsx'
import { setSession } from '../session.tsx'
import { partOnDemand } from '../on-demand.tsx'
import { CodeDialog } from './code-dialog.tsx'

/** Only who has a passkey needs it. */
const StepUpPasskey = partOnDemand(() => import('./step-up-passkey.tsx').then((file) => file.StepUpPasskey))

const titles: Record<StepUpPurpose, Text> = {
  'pair-app': { pl: 'Potwierdź połączenie z\u00a0aplikacją', en: 'Confirm the connection with the app' },
  'pair-seal': { pl: 'Potwierdź połączenie z\u00a0aplikacją', en: 'Confirm the connection with the app' },
  'manage-seal-users': { pl: 'Potwierdź zmianę użytkowników pieczęci', en: 'Confirm the change of seal users' },
  'reveal-data': { pl: 'Potwierdź pokazanie numeru', en: 'Confirm showing the number' },
  'change-phone': { pl: 'Potwierdź zmianę numeru telefonu', en: 'Confirm the change of the phone number' },
  'export-data': { pl: 'Potwierdź pobranie swoich danych', en: 'Confirm the download of your data' },
  'timestamp-password': { pl: 'Potwierdź zmianę hasła konta', en: 'Confirm the change of the account password' },
  'add-passkey': { pl: 'Potwierdź dodanie klucza dostępu', en: 'Confirm the new passkey' },
  'remove-passkey': { pl: 'Potwierdź usunięcie klucza dostępu', en: 'Confirm the removal of the passkey' },
}

type Act = StepUpAct & {
  sent: SecondFactor
  done: () => void
  fail: (failure: CallFailed) => void
}

const isSame = (one: StepUpAct, other: StepUpAct) => one.purpose === other.purpose && one.object === other.object

/** Asks for a fresh second factor when a call is refused for want of one, and lets that call carry on (AUT-7). */
export function StepUpHost() {
  const t = useText()
  const [act, setAct] = useState<Act>()
  const asking = useRef<{ act: StepUpAct; answer: Promise<void> }>(undefined)

  useEffect(() => {
    async function ask({ purpose, object }: StepUpAct) {
      const sent = await call(startStepUp, { body: { purpose, object } })
      await new Promise<void>((resolve, reject) => {
        setAct({ purpose, object, sent, done: resolve, fail: reject })
      }).finally(() => setAct(undefined))
    }

    /** One dialog at a time (ux 5.6): calls of one act share its answer, and another act waits for its turn. */
    async function confirm(wanted: StepUpAct) {
      while (asking.current && !isSame(asking.current.act, wanted)) await asking.current.answer.catch(() => {})
      asking.current ??= { act: wanted, answer: ask(wanted).finally(() => (asking.current = undefined)) }
      return asking.current.answer
    }
    return offer({ confirm })
  }, [])

  if (!act) return null
  const { purpose, object, sent } = act
  const title = t(titles[purpose])
  const description = t({
    pl: 'To ważna czynność, więc prosimy o\u00a0świeże potwierdzenie.',
    en: 'This is an important action, so we ask you to confirm it afresh.',
  })
  const close = () => act.fail(new CallFailed('cancelled'))
  const sendCode = async () => {
    const code = (await call(startStepUp, { body: { purpose, object, by: 'sms' } })) as CodeSent
    setAct((now) => now && { ...now, sent: code })
    return code
  }

  if (sent.channel === 'passkey')
    return (
      <StepUpPasskey
        title={title}
        description={description}
        act={{ purpose, object }}
        onDone={act.done}
        onSms={sendCode}
        onClose={close}
      />
    )
  const { id } = sent

  /** Too many wrong codes end the attempt (AUT-2): the call fails, and says so where it was made. */
  async function enter(code: string) {
    try {
      setSession(await call(enterStepUpCode, { params: { id }, body: { code } }))
    } catch (error) {
      if (error instanceof CallFailed && error.code === 'code-void') act?.fail(error)
      throw error
    }
    act?.done()
  }

  /** A code whose time is over cannot be sent again, so the act is asked for anew. */
  async function resend() {
    try {
      return await call(resendStepUpCode, { params: { id } })
    } catch (error) {
      if (!(error instanceof CallFailed && error.code === 'code-expired')) throw error
      return sendCode()
    }
  }

  return (
    <CodeDialog
      key={id}
      title={title}
      description={description}
      sent={sent}
      submitLabel={t({ pl: 'Potwierdź', en: 'Confirm' })}
      autoSubmit
      onSubmit={enter}
      onResend={resend}
      onClose={close}
    />
  )
}
