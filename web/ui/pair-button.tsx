import { useState } from 'react'
import type { PairingSecret as Secret } from '../../contract/pairing.ts'
import { Icon } from '../art/icons.tsx'
import { CallFailed } from '../api.ts'
import { useLocale, useText } from '../locale.tsx'
import { partOnDemand } from '../on-demand.tsx'
import { describeFailure } from '../text/failure-text.ts'
import { Button, type ButtonVariant } from './button.tsx'
import type { Paired } from './pairing-secret.tsx'
import './save-button.css'

const PairingDialog = partOnDemand(() => import('./pairing-dialog.tsx').then((file) => file.PairingDialog))

type Props = {
  thing: Paired
  /** Tells actions of the same name apart for screen readers. */
  which: string
  description: string
  isPaired: boolean
  /** `primary` where it is what the page is for. */
  variant?: ButtonVariant
  /** Makes a new secret, behind the step-up; throws CallFailed. */
  start: () => Promise<Secret>
  prove: (code: string) => Promise<unknown>
}

/** SIG-3, SEA-1: the step-up comes before the dialog, and nothing of the secret is on the page before both. */
export function PairButton({ thing, which, description, isPaired, variant, start, prove }: Props) {
  const t = useText()
  const locale = useLocale()
  const [secret, setSecret] = useState<Secret>()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()

  async function begin() {
    setSecret(undefined)
    setFailure(undefined)
    setBusy(true)
    try {
      setSecret(await start())
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      if (error.code !== 'cancelled') setFailure(describeFailure(locale, error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <div className="save">
      <Button
        variant={variant}
        icon={isPaired ? 'mobile' : 'qr'}
        block
        busy={busy}
        busyText={t({ pl: 'Przygotowujemy…', en: 'Preparing…' })}
        aria-haspopup="dialog"
        onClick={() => void begin()}
      >
        <span>
          {isPaired
            ? t({ pl: 'Połącz inny telefon', en: 'Connect another phone' })
            : t({ pl: 'Pokaż kod QR', en: 'Show QR code' })}
          <span className="vh">{which}</span>
        </span>
      </Button>
      {isPaired && (
        <p className="small soft">
          {t({
            pl: 'Nowy kod QR od razu odłączy obecny telefon.',
            en: 'A new QR code disconnects the current phone at once.',
          })}
        </p>
      )}
      <p role="alert" className={failure ? 'error' : undefined}>
        {failure && (
          <>
            <Icon name="alert" />
            <span>{failure}</span>
          </>
        )}
      </p>
      {secret && (
        <PairingDialog
          thing={thing}
          description={description}
          secret={secret}
          prove={prove}
          onAgain={() => void begin()}
          onClose={() => setSecret(undefined)}
        />
      )}
    </div>
  )
}
