import { useState } from 'react'
import type { Reply } from '../../contract/endpoint.ts'
import { downloadAgreement, startPairing, type Signature } from '../../contract/signatures.ts'
import { Icon } from '../art/icons.tsx'
import { call, CallFailed, newIdempotencyKey } from '../api.ts'
import { config } from '../config.ts'
import { useLocale, useText } from '../locale.tsx'
import { partOnDemand } from '../on-demand.tsx'
import { describeFailure } from '../text/failure-text.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { SaveButton } from './save-button.tsx'
import { whichText } from './signature-text.ts'
import type { validityOf } from './validity.ts'

const PairingDialog = partOnDemand(() => import('./pairing-dialog.tsx').then((file) => file.PairingDialog))
const CertificateDialog = partOnDemand(() => import('./certificate-dialog.tsx').then((file) => file.CertificateDialog))

type Props = { signature: Signature; validity: ReturnType<typeof validityOf>; foremost: boolean }

export function SignatureActions({ signature, validity, foremost }: Props) {
  const t = useText()
  const { id, reason, agreement, validFrom } = signature
  const [details, setDetails] = useState(false)
  const named = <span className="vh">{t(whichText(signature))}</span>
  const { links } = config.brand

  return (
    <div className="cert__act">
      {validity.renewable && !reason && (
        <ButtonLink variant={foremost ? 'primary' : 'secondary'} href={links.renewal}>
          <span>
            {t({ pl: 'Kup odnowienie', en: 'Buy a renewal' })}
            {named}
          </span>
        </ButtonLink>
      )}
      {(reason === 'expired' || reason === 'revoked') && (
        <ButtonLink href={links.newSignature}>
          <span>
            {t({ pl: 'Kup nowy podpis', en: 'Buy a new signature' })}
            {named}
          </span>
        </ButtonLink>
      )}
      {signature.pairable && <Pairing signature={signature} />}
      {agreement === 'ready' ? (
        <SaveButton
          name={t({ pl: `umowa-${validFrom.slice(0, 10)}.pdf`, en: `agreement-${validFrom.slice(0, 10)}.pdf` })}
          // A download is answered with the file, which the contract's type of a reply does not tell.
          load={() => call(downloadAgreement, { params: { id } }) as unknown as Promise<Blob>}
        >
          {t({ pl: 'Pobierz umowę', en: 'Download agreement' })}
          {named}
        </SaveButton>
      ) : (
        <p className="cert__soon small soft">
          <Icon name="hour" size="s" />
          {t({ pl: 'Umowa będzie gotowa za chwilę', en: 'The agreement will be ready in a moment' })}
        </p>
      )}
      <button type="button" className="link" aria-haspopup="dialog" onClick={() => setDetails(true)}>
        <Icon name="doc" />
        <span>
          {t({ pl: 'Szczegóły certyfikatu', en: 'Certificate details' })}
          {named}
        </span>
      </button>
      {details && <CertificateDialog signature={signature} onClose={() => setDetails(false)} />}
    </div>
  )
}

/** SIG-3: the step-up comes before the dialog, and nothing of the secret is on the page before both. */
function Pairing({ signature }: { signature: Signature }) {
  const t = useText()
  const locale = useLocale()
  const { id, pairedAt } = signature
  const [secret, setSecret] = useState<Reply<typeof startPairing>>()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()

  async function start() {
    setSecret(undefined)
    setFailure(undefined)
    setBusy(true)
    try {
      setSecret(await call(startPairing, { params: { id }, idempotencyKey: newIdempotencyKey() }))
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
        icon={pairedAt ? 'mobile' : 'qr'}
        block
        busy={busy}
        busyText={t({ pl: 'Przygotowujemy…', en: 'Preparing…' })}
        aria-haspopup="dialog"
        onClick={() => void start()}
      >
        <span>
          {pairedAt
            ? t({ pl: 'Połącz inny telefon', en: 'Connect another phone' })
            : t({ pl: 'Pokaż kod QR', en: 'Show QR code' })}
          <span className="vh">{t(whichText(signature))}</span>
        </span>
      </Button>
      {pairedAt && (
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
          signature={signature}
          secret={secret}
          onAgain={() => void start()}
          onClose={() => setSecret(undefined)}
        />
      )}
    </div>
  )
}
