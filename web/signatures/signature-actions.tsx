import { pages } from '../../contract/pages.ts'
import { isBeingStopped } from '../../contract/signatures-and-seals.ts'
import { downloadSignatureAgreement, type Signature } from '../../contract/signatures.ts'
import { config, isOff } from '../app/config.ts'
import { useText, useLocale } from '../app/locale.tsx'
import { callFile } from '../calls/api.ts'
import { AgreementButton } from '../certificates/agreement-button.tsx'
import { CertificateName } from '../certificates/certificate-badge.tsx'
import { DetailsButton } from '../certificates/details-button.tsx'
import { PairButton } from '../pairing/pair-button.tsx'
import { RenewButton } from '../renewal/renew-button.tsx'
import { StatusButton } from '../status-requests/status-button.tsx'
import { formatDate } from '../text/format.ts'
import { signatureProductText } from '../text/product-text.ts'
import type { validityOf } from '../text/validity.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Verbatim } from '../ui/verbatim.tsx'
import { isRenewed } from './signature-validity.ts'

type MainAction = 'renew' | 'buy-renewal' | 'pair' | undefined

/**
 * Returns the action that the owner of a signature is most likely to want. Only cloud signatures are renewed here (REN-1), unless renewals
 * are off.
 */
export function mainActionOf(
  signature: Signature,
  { renewable }: Pick<ReturnType<typeof validityOf>, 'renewable'>,
  asksToPair: boolean,
): MainAction {
  const { reason, product, canPair, renewal } = signature
  // A renewal that has begun is paid for; while renewals are off, nothing can be done about it here.
  if (isBeingStopped(signature) || (renewal && isOff('renewal'))) return undefined
  if (renewable && !reason && (renewal || !isRenewed(signature)))
    return product === 'app' && !isOff('renewal') ? 'renew' : 'buy-renewal'
  return canPair && asksToPair ? 'pair' : undefined
}

type MainActionProps = { signature: Signature; action: MainAction; isForemost: boolean; isCompact: boolean }

export function SignatureMainAction({ signature, action, isForemost, isCompact }: MainActionProps) {
  const t = useText()
  const { id, product, name, renewal } = signature
  const look = { variant: isForemost ? 'primary' : 'secondary', size: isCompact ? 's' : undefined } as const
  const named = (
    <span className="unseen">
      <WhichSignature signature={signature} />
    </span>
  )
  if (action === 'renew')
    return (
      <RenewButton
        signature={id}
        renewal={renewal}
        description={<CertificateName product={t(signatureProductText[product])} name={name} />}
        {...look}
      >
        {named}
      </RenewButton>
    )
  if (action === 'buy-renewal')
    return (
      <ButtonLink href={config.brand.links.renewal} {...look}>
        <span>
          {t({ pl: 'Kup odnowienie', en: 'Buy a renewal' })}
          {named}
        </span>
      </ButtonLink>
    )
  return action === 'pair' && <Pair signature={signature} isCompact={isCompact} />
}

function Pair({ signature, isCompact = false }: { signature: Signature; isCompact?: boolean }) {
  const t = useText()
  const { id, product, name, pairedAt } = signature
  return (
    <PairButton
      product="signature"
      id={id}
      nameSuffix={<WhichSignature signature={signature} />}
      description={<CertificateName product={t(signatureProductText[product])} name={name} />}
      isPaired={!!pairedAt}
      size={isCompact ? 's' : undefined}
    />
  )
}

/** Shows the buttons of a signature, except for its main action. */
export function SignatureActions({ signature, main }: { signature: Signature; main: MainAction }) {
  const t = useText()
  const { product, status, reason, canPair } = signature
  return (
    <>
      {((reason === 'expired' && !isRenewed(signature)) || reason === 'revoked') && (
        <ButtonLink href={config.brand.links.newSignature}>
          <span>
            {t({ pl: 'Kup nowy podpis', en: 'Buy a new signature' })}
            <span className="unseen">
              <WhichSignature signature={signature} />
            </span>
          </span>
        </ButtonLink>
      )}
      {product === 'app' && status === 'active' && !isBeingStopped(signature) && !isOff('sign') && (
        <ButtonLink to={pages.sign.path} icon="sign">
          <span>
            {t({ pl: 'Podpisz plik', en: 'Sign a file' })}
            <span className="unseen">
              <WhichSignature signature={signature} />
            </span>
          </span>
        </ButtonLink>
      )}
      {canPair && main !== 'pair' && <Pair signature={signature} />}
    </>
  )
}

export function SignatureLinks({ signature }: { signature: Signature }) {
  const t = useText()
  const { id, product, name, agreement, validFrom } = signature
  const nameSuffix = <WhichSignature signature={signature} />
  const description = <CertificateName product={t(signatureProductText[product])} name={name} />
  const shared = { family: 'signature', certificate: signature, description, nameSuffix } as const
  return (
    <>
      <AgreementButton
        isReady={agreement === 'ready'}
        validFrom={validFrom}
        nameSuffix={nameSuffix}
        load={() => callFile(downloadSignatureAgreement, { params: { id } })}
      />
      <DetailsButton {...shared} />
      <StatusButton {...shared} />
    </>
  )
}

/** Names the signature in a button's accessible name, because there may be several. */
function WhichSignature({ signature }: { signature: Signature }) {
  const t = useText()
  const { product, organisation, name, validTo } = signature
  const end = formatDate(useLocale(), validTo, 'short')
  return (
    <>
      {` (${t(signatureProductText[product])}, `}
      <Verbatim>{organisation ?? name}</Verbatim>
      {`, ${t({ pl: 'do\u00a0', en: 'until ' })}${end})`}
    </>
  )
}
