import { useState } from 'react'
import {
  confirmPairing,
  downloadAgreement,
  listSignatures,
  startPairing,
  summariseSignatures,
  type Signature,
} from '../../contract/signatures.ts'
import { Icon } from '../art/icons.tsx'
import { call, newIdempotencyKey } from '../api.ts'
import { config } from '../config.ts'
import { useText } from '../locale.tsx'
import { partOnDemand } from '../on-demand.tsx'
import { forget } from '../reads.ts'
import { productText } from '../text/product-text.ts'
import type { validityOf } from '../text/validity.ts'
import { ButtonLink } from '../ui/button.tsx'
import { RenewButton } from '../ui/renew-button.tsx'
import { PairButton } from '../ui/pair-button.tsx'
import { SaveButton } from '../ui/save-button.tsx'
import { whichText } from './signature-text.ts'

const CertificateDialog = partOnDemand(() => import('./certificate-dialog.tsx').then((file) => file.CertificateDialog))

type Props = { signature: Signature; validity: ReturnType<typeof validityOf>; foremost: boolean }

export function SignatureActions({ signature, validity, foremost }: Props) {
  const t = useText()
  const { id, product, reason, agreement, validFrom } = signature
  const [details, setDetails] = useState(false)
  const named = <span className="vh">{t(whichText(signature))}</span>
  const { links } = config.brand

  return (
    <div className="cert__act">
      {validity.renewable && !reason && product === 'app' && (
        <RenewButton
          signature={id}
          renewal={signature.renewal}
          description={`${t(productText[product])}, ${signature.name}`}
          variant={foremost ? 'primary' : 'secondary'}
        >
          {named}
        </RenewButton>
      )}
      {/* Only cloud signatures are renewed here (REN-1). */}
      {validity.renewable && !reason && product !== 'app' && (
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
      {signature.pairable && (
        <PairButton
          thing="signature"
          which={t(whichText(signature))}
          description={`${t(productText[signature.product])}, ${signature.name}`}
          isPaired={!!signature.pairedAt}
          start={() => call(startPairing, { params: { id }, idempotencyKey: newIdempotencyKey() })}
          prove={async (code) => {
            await call(confirmPairing, { params: { id }, body: { code } })
            await forget(listSignatures, summariseSignatures)
          }}
        />
      )}
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
