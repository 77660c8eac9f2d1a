import { useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import type { Text } from '../../contract/enums.ts'
import { readRenewability } from '../../contract/renewal.ts'
import type { RenewalReason } from '../../contract/renewal-rules.ts'
import type { Signature } from '../../contract/signatures.ts'
import { call, CallFailed } from '../api.ts'
import { isOff } from '../config.ts'
import { useText } from '../locale.tsx'
import { partOnDemand } from '../on-demand.tsx'
import { renewalPath } from '../renewal-opening.ts'
import { Button, type ButtonVariant } from './button.tsx'

const RenewalCodeDialog = partOnDemand(() => import('./renewal-code-dialog.tsx').then((file) => file.RenewalCodeDialog))

const labels: Record<'none' | NonNullable<Signature['renewal']>, Text> = {
  none: { pl: 'Odnów podpis', en: 'Renew signature' },
  begun: { pl: 'Dokończ odnowienie', en: 'Finish the renewal' },
  signed: { pl: 'Zobacz odnowienie', en: 'See the renewal' },
}

type Props = {
  signature: string
  description: string
  /** Whether its renewal waits to be finished, or only to be looked at. */
  renewal?: Signature['renewal']
  variant?: ButtonVariant
  size?: 's' | undefined
  children?: ReactNode
}

/** SIG-4: leads to the renewal of a signature that is open already, or else asks for the code of a new one. */
export function RenewButton({ signature, description, renewal = null, variant, size, children }: Props) {
  const t = useText()
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const [reasons, setReasons] = useState<readonly RenewalReason[]>()

  async function begin() {
    setBusy(true)
    try {
      const found = await call(readRenewability, { params: { id: signature } })
      if (found.uid) await navigate(renewalPath(found.uid))
      else setReasons(found.reasons)
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      // The code can be entered all the same: the server decides then.
      setReasons([])
    } finally {
      setBusy(false)
    }
  }

  if (isOff('renewal')) return null
  return (
    <>
      <Button
        variant={variant}
        size={size}
        busy={busy}
        busyText={t({ pl: 'Sprawdzamy…', en: 'Checking…' })}
        {...(!renewal && { 'aria-haspopup': 'dialog' as const })}
        onClick={() => void begin()}
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
