import { useState } from 'react'
import { downloadAgreement, type Signature } from '../../contract/signatures.ts'
import { Icon } from '../art/icons.tsx'
import { callFile } from '../api.ts'
import { config } from '../config.ts'
import { useText } from '../locale.tsx'
import { partOnDemand } from '../on-demand.tsx'
import { productText } from '../text/product-text.ts'
import type { validityOf } from '../text/validity.ts'
import { ButtonLink } from '../ui/button.tsx'
import { RenewButton } from '../certificates/renew-button.tsx'
import { PairButton } from '../pairing/pair-button.tsx'
import { whichText } from './signature-text.ts'
import { AgreementButton } from '../certificates/agreement-button.tsx'

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
          product="signature"
          id={id}
          nameSuffix={t(whichText(signature))}
          description={`${t(productText[signature.product])}, ${signature.name}`}
          isPaired={!!signature.pairedAt}
        />
      )}
      <AgreementButton
        isReady={agreement === 'ready'}
        validFrom={validFrom}
        nameSuffix={t(whichText(signature))}
        load={() => callFile(downloadAgreement, { params: { id } })}
      />
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
