import type { ReactNode } from 'react'
import type { Text } from '../../contract/enums.ts'
import { maskNumber } from '../../contract/rules/masks.ts'
import {
  downloadCertificate,
  readCertificate,
  type CertificateDetails,
  type Signature,
} from '../../contract/signatures.ts'
import { callFile } from '../api.ts'
import { useLocale, useText } from '../locale.tsx'
import { useRead } from '../reads.ts'
import { formatDate, formatDateTime } from '../text/format.ts'
import { Badge } from '../ui/badge.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Region } from '../ui/region.tsx'
import { attributeText, keyUsageText } from './certificate-text.ts'
import { SaveButton } from '../ui/save-button.tsx'
import { productText } from '../text/product-text.ts'
import { CodeRow, DescriptionList, Row } from '../ui/description-list.tsx'
import { HiddenNumber } from '../ui/hidden-number.tsx'
import { Verbatim } from '../ui/verbatim.tsx'

/** SIG-5: the contents of the certificate, and the certificate as a file. */
export function CertificateDialog({ signature, onClose }: { signature: Signature; onClose: () => void }) {
  const t = useText()
  const { id, product, name } = signature
  const details = useRead(readCertificate, { params: { id } })
  const load = (format: 'pem' | 'der') => () => callFile(downloadCertificate, { params: { id, format } })

  return (
    <Dialog
      title={t({ pl: 'Szczegóły certyfikatu', en: 'Certificate details' })}
      description={`${t(productText[product])}, ${name}`}
      width="l"
      initialFocus="title"
      onClose={onClose}
      footer={
        <>
          <SaveButton name="certificate.pem" load={load('pem')}>
            {t({ pl: 'Pobierz PEM (z\u00a0łańcuchem)', en: 'Download PEM (with its chain)' })}
          </SaveButton>
          <SaveButton name="certificate.cer" load={load('der')}>
            {t({ pl: 'Pobierz DER', en: 'Download DER' })}
          </SaveButton>
        </>
      }
    >
      <Region query={details} lines={8} label={t({ pl: 'Wczytujemy certyfikat', en: 'Loading the certificate' })}>
        {(certificate) => <Details certificate={certificate} />}
      </Region>
    </Dialog>
  )
}

function Details({ certificate }: { certificate: CertificateDetails }) {
  const t = useText()
  const locale = useLocale()
  const { signature, subject, issuer, serialNumber, keyUsage, publicKey, sha256, policies, qualified, chain } =
    certificate
  return (
    <div className="stack">
      {qualified && (
        <div>
          <Badge kind="ok" icon="shieldok">
            {t({ pl: 'Certyfikat kwalifikowany', en: 'Qualified certificate' })}
          </Badge>
        </div>
      )}
      <Group title={{ pl: 'Najważniejsze', en: 'In short' }}>
        <Row name={t({ pl: 'Wystawiony dla', en: 'Issued to' })}>{signature.name}</Row>
        <CodeRow name={t({ pl: 'Numer seryjny', en: 'Serial number' })}>{serialNumber}</CodeRow>
        <Row name={t({ pl: 'Ważność', en: 'Validity' })}>
          <time dateTime={signature.validFrom}>{formatDateTime(locale, signature.validFrom)}</time> –{' '}
          <time dateTime={signature.validTo}>{formatDateTime(locale, signature.validTo)}</time>
        </Row>
      </Group>
      <Names title={{ pl: 'Podmiot', en: 'Subject' }} attributes={subject} />
      <Names title={{ pl: 'Wystawca', en: 'Issuer' }} attributes={issuer} />
      <Group title={{ pl: 'Certyfikat', en: 'Certificate' }}>
        <Row name={t({ pl: 'Zastosowanie klucza', en: 'Key usage' })}>
          {keyUsage.map((usage) => (keyUsageText[usage] ? t(keyUsageText[usage]) : usage)).join(', ')}
        </Row>
        <Row name={t({ pl: 'Klucz publiczny', en: 'Public key' })} translate="no">
          {publicKey}
        </Row>
        {policies.length > 0 && <CodeRow name={t({ pl: 'Polityki', en: 'Policies' })}>{policies.join(', ')}</CodeRow>}
        <CodeRow
          name={t({ pl: 'Odcisk SHA-256', en: 'SHA-256 fingerprint' })}
          copyLabel={t({ pl: 'Skopiuj odcisk', en: 'Copy fingerprint' })}
        >
          {sha256}
        </CodeRow>
      </Group>
      <section>
        <h3>{t({ pl: 'Łańcuch zaufania', en: 'Chain of trust' })}</h3>
        <ol className="olist certchain">
          {chain.map(({ subject: above, validTo }) => (
            <li key={above + validTo}>
              <Verbatim>{above}</Verbatim>
              <span className="soft">
                {t({ pl: ', ważny do ', en: ', valid until ' })}
                <time dateTime={validTo}>{formatDate(locale, validTo)}</time>
              </span>
            </li>
          ))}
        </ol>
      </section>
    </div>
  )
}

function Names({ title, attributes }: { title: Text; attributes: CertificateDetails['subject'] }) {
  const t = useText()
  return (
    <Group title={title}>
      {attributes.map(({ name, value }) => (
        <Row key={name + value} name={attributeText[name] ? t(attributeText[name]) : name} translate="no">
          {name === 'serialNumber' ? <Identifier value={value} /> : value}
        </Row>
      ))}
    </Group>
  )
}

/** `PNOPL-••••••••343` */
function Identifier({ value }: { value: string }) {
  const t = useText()
  const start = value.indexOf('-') + 1
  return (
    <HiddenNumber
      what={t({ pl: 'identyfikator', en: 'identifier' })}
      value={value}
      masked={value.slice(0, start) + maskNumber(value.slice(start))}
    />
  )
}

function Group({ title, children }: { title: Text; children: ReactNode }) {
  const t = useText()
  return (
    <section>
      <h3>{t(title)}</h3>
      <DescriptionList className="rows--cert">{children}</DescriptionList>
    </section>
  )
}
