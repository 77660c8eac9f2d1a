import { useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import type { Text } from '../../contract/enums.ts'
import { readRenewability } from '../../contract/renewal.ts'
import type { RenewalReason } from '../../contract/rules/renewal-rules.ts'
import type { Signature } from '../../contract/signatures.ts'
import { isOff } from '../app/config.ts'
import { useText } from '../app/locale.tsx'
import { partOnDemand } from '../app/on-demand.tsx'
import { call, onFailure } from '../calls/api.ts'
import { useAction } from '../ui/action.ts'
import { Button, type ButtonVariant } from '../ui/button.tsx'
import { renewalPath } from './renewal-opening.ts'

const RenewalCodeDialog = partOnDemand(() => import('./renewal-code-dialog.tsx').then((file) => file.RenewalCodeDialog))

const labels: Record<'none' | NonNullable<Signature['renewal']>, Text> = {
  none: { pl: 'Odnów podpis', en: 'Renew signature' },
  begun: { pl: 'Dokończ odnowienie', en: 'Finish renewal' },
  signed: { pl: 'Zobacz odnowienie', en: 'View renewal' },
}

type Props = {
  signature: string
  description: ReactNode
  /** Whether its renewal can be finished, or only viewed. */
  renewal?: Signature['renewal']
  variant?: ButtonVariant
  size?: 's' | undefined
  children?: ReactNode
}

/** Shows the button that opens the renewal of a signature, or asks for the code of a new one (SIG-4). */
export function RenewButton({ signature, description, renewal = null, variant, size, children }: Props) {
  const t = useText()
  const navigate = useNavigate()
  const [reasons, setReasons] = useState<readonly RenewalReason[]>()

  const { run, isBusy } = useAction(async () => {
    // Without an answer the code can be entered nevertheless, because the server decides then.
    const found = await call(readRenewability, { params: { id: signature }, optional: true }).catch(
      onFailure([], () => undefined),
    )
    if (found?.uid) await navigate(renewalPath(found.uid))
    else setReasons(found?.reasons ?? [])
  })

  if (isOff('renewal')) return null
  return (
    <>
      <Button
        variant={variant}
        size={size}
        isBusy={isBusy}
        busyText={t({ pl: 'Sprawdzamy…', en: 'Checking…' })}
        {...(!renewal && { 'aria-haspopup': 'dialog' as const })}
        onClick={run}
      >
        <span>
          {t(labels[renewal ?? 'none'])}
          {children}
        </span>
      </Button>
      {reasons && (
        <RenewalCodeDialog description={description} reasons={reasons} onClose={() => setReasons(undefined)} />
      )}
    </>
  )
}
