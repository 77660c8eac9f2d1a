import { useState, type ReactNode } from 'react'
import {
  confirmSealPairing,
  listSeals,
  readSealPairing,
  startSealPairing,
  summariseSeals,
} from '../../contract/seals.ts'
import type { PairingStart } from '../../contract/signatures-and-seals.ts'
import {
  confirmSignaturePairing,
  listSignatures,
  readSignaturePairing,
  startSignaturePairing,
  summariseSignatures,
} from '../../contract/signatures.ts'
import { config } from '../app/config.ts'
import { useText } from '../app/locale.tsx'
import { partOnDemand } from '../app/on-demand.tsx'
import { call, newIdempotencyKey } from '../calls/api.ts'
import { invalidate } from '../calls/reads.ts'
import { useAction } from '../ui/action.ts'
import { Button, type ButtonVariant } from '../ui/button.tsx'
import { FailureLine } from '../ui/failure.tsx'
import type { Paired } from './pairing-qr.tsx'
import '../ui/save-button.css'

const ActivationDialog = partOnDemand(() => import('./activation-dialog.tsx').then((file) => file.ActivationDialog))
const PairingDialog = partOnDemand(() => import('./pairing-dialog.tsx').then((file) => file.PairingDialog))

/** The calls of pairing for each product, and the lists that show whether it is paired. */
const pairings = {
  signature: {
    start: startSignaturePairing,
    read: readSignaturePairing,
    confirm: confirmSignaturePairing,
    lists: [listSignatures, summariseSignatures],
  },
  seal: {
    start: startSealPairing,
    read: readSealPairing,
    confirm: confirmSealPairing,
    lists: [listSeals, summariseSeals],
  },
}

type Props = {
  product: Paired
  id: string
  /** Distinguishes actions of the same name for screen readers. */
  nameSuffix: ReactNode
  description: ReactNode
  isPaired: boolean
  /** `primary` where it is the main action of the page. */
  variant?: ButtonVariant
  size?: 's' | undefined
  onPaired?: () => Promise<unknown>
}

/** Starts the pairing (SIG-3, SEA-1, APP-1). The step-up comes before the dialog, and the page has nothing of the secret before both. */
export function PairButton({ product, id, nameSuffix, description, isPaired, variant, size, onPaired }: Props) {
  const t = useText()
  const { start, read, confirm, lists } = pairings[product]
  const [started, setStarted] = useState<PairingStart>()
  const { run, isBusy, failureText } = useAction(async () => {
    // A dialog that waits stays open while it requests again.
    if (started?.kind !== 'requested') setStarted(undefined)
    setStarted(await call(start, { params: { id }, idempotencyKey: newIdempotencyKey() }))
  })

  async function prove(code: string) {
    await call(confirm, { params: { id }, body: { code } })
    await showPaired()
  }

  async function showPaired() {
    await invalidate(...lists)
    await onPaired?.()
  }

  const dialog = { product, description, onAgain: () => void run(), onClose: () => setStarted(undefined) }

  return (
    <div className="save-button">
      <Button
        variant={variant}
        size={size}
        icon={isPaired ? 'mobile' : 'qr'}
        isWide
        isBusy={isBusy}
        busyText={t({ pl: 'Przygotowujemy…', en: 'Preparing…' })}
        aria-haspopup="dialog"
        onClick={run}
      >
        <span>
          {t({ pl: 'Połącz z\u00a0aplikacją', en: 'Connect to the app' })}
          <span className="unseen">{nameSuffix}</span>
        </span>
      </Button>
      {isPaired && config.activation === 'portal' && (
        <p className="small soft">
          {t({
            pl: 'Nowy kod QR unieważnia klucz w\u00a0obecnym telefonie.',
            en: 'A new QR code makes the key on your current phone invalid.',
          })}
        </p>
      )}
      <FailureLine text={failureText} />
      {started?.kind === 'secret' && <PairingDialog {...dialog} secret={started} prove={prove} />}
      {started && started.kind !== 'secret' && (
        <ActivationDialog
          {...dialog}
          shown={started.kind === 'content' ? started : undefined}
          read={() => call(read, { params: { id }, optional: true })}
          onPaired={showPaired}
        />
      )}
    </div>
  )
}
