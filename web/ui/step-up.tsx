import { useEffect, useState } from 'react'
import { enterStepUpCode, resendStepUpCode, startStepUp, type CodeSent } from '../../contract/account.ts'
import type { StepUpPurpose, Text } from '../../contract/enums.ts'
import { call, CallFailed, offer } from '../api.ts'
import { useText } from '../locale.tsx'
import { setSession } from '../session.tsx'
import { CodeDialog } from './code-dialog.tsx'

const titles: Record<StepUpPurpose, Text> = {
  'pair-app': { pl: 'Potwierdź połączenie z\u00a0aplikacją', en: 'Confirm the connection with the app' },
}

type Act = { purpose: StepUpPurpose; sent: CodeSent; done: () => void; cancel: () => void }

/** Asks for a fresh SMS code when a call is refused for want of one, and lets that call carry on (AUT-7). */
export function StepUpHost() {
  const t = useText()
  const [act, setAct] = useState<Act>()

  useEffect(
    () =>
      offer({
        confirm: async ({ purpose, object }) => {
          const sent = await call(startStepUp, { body: { purpose, object } })
          await new Promise<void>((resolve, reject) => {
            setAct({ purpose, sent, done: resolve, cancel: () => reject(new CallFailed('cancelled')) })
          }).finally(() => setAct(undefined))
        },
      }),
    [],
  )

  if (!act) return null
  const { id } = act.sent
  return (
    <CodeDialog
      key={id}
      title={t(titles[act.purpose])}
      description={t({
        pl: 'To ważna czynność, więc prosimy o\u00a0świeży kod.',
        en: 'This is an important action, so we ask for a fresh code.',
      })}
      sent={act.sent}
      submitLabel={t({ pl: 'Potwierdź', en: 'Confirm' })}
      autoSubmit
      onSubmit={async (code) => {
        setSession(await call(enterStepUpCode, { params: { id }, body: { code } }))
        act.done()
      }}
      onResend={() => call(resendStepUpCode, { params: { id } })}
      onClose={act.cancel}
    />
  )
}
