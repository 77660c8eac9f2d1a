import { useState, type ReactNode } from 'react'
import type { Text } from '../../contract/enums.ts'
import {
  downloadCertificate,
  readCertificate,
  type CertificateDetails,
  type Signature,
} from '../../contract/signatures.ts'
import { call } from '../api.ts'
import { useLocale, useText } from '../locale.tsx'
import { useRead } from '../reads.ts'
import { formatDate } from '../text/format.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Region } from '../ui/region.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { attributeText, keyUsageText } from './certificate-text.ts'
import { SaveButton } from '../ui/save-button.tsx'
import { productText } from '../text/product-text.ts'

/** SIG-5: what stands in the certificate, and the certificate as a file. */
export function CertificateDialog({ signature, onClose }: { signature: Signature; onClose: () => void }) {
  const t = useText()
  const { id, product, name } = signature
  const details = useRead(readCertificate, { params: { id } })
  const load = (format: 'pem' | 'der') => () =>
    // A download is answered with the file, which the contract's type of a reply does not tell.
    call(downloadCertificate, { params: { id, format } }) as unknown as Promise<Blob>

  return (
    <Dialog
      title={t({ pl: 'Szczegóły certyfikatu', en: 'Certificate details' })}
      description={`${t(productText[product])}, ${name}`}
      width="l"
      initialFocus="title"
      onClose={onClose}
      footer={
        <div className="btns">
          <SaveButton name="certificate.pem" load={load('pem')}>
            {t({ pl: 'Pobierz PEM (z\u00a0łańcuchem)', en: 'Download PEM (with its chain)' })}
          </SaveButton>
          <SaveButton name="certificate.cer" load={load('der')}>
            {t({ pl: 'Pobierz DER', en: 'Download DER' })}
          </SaveButton>
        </div>
      }
    >
      <Region
        query={details}
        skeleton={<Skeleton lines={8} />}
        label={t({ pl: 'Wczytujemy certyfikat', en: 'Loading the certificate' })}
      >
        {(certificate) => <Details certificate={certificate} />}
      </Region>
    </Dialog>
  )
}

function Details({ certificate }: { certificate: CertificateDetails }) {
  const t = useText()
  const locale = useLocale()
  const { subject, issuer, serialNumber, keyUsage, publicKey, sha256, policies, qualified, chain } = certificate
  return (
    <div className="stack">
      {qualified && (
        <div>
          <Badge kind="ok" icon="shieldok">
            {t({ pl: 'Certyfikat kwalifikowany', en: 'Qualified certificate' })}
          </Badge>
        </div>
      )}
      <Names title={{ pl: 'Podmiot', en: 'Subject' }} attributes={subject} />
      <Names title={{ pl: 'Wystawca', en: 'Issuer' }} attributes={issuer} />
      <Group title={{ pl: 'Certyfikat', en: 'Certificate' }}>
        <Row name={t({ pl: 'Numer seryjny', en: 'Serial number' })}>
          <span className="mono wrap">{serialNumber}</span>
        </Row>
        <Row name={t({ pl: 'Zastosowanie klucza', en: 'Key usage' })}>
          {keyUsage.map((usage) => (keyUsageText[usage] ? t(keyUsageText[usage]) : usage)).join(', ')}
        </Row>
        <Row name={t({ pl: 'Klucz publiczny', en: 'Public key' })}>{publicKey}</Row>
        {policies.length > 0 && (
          <Row name={t({ pl: 'Polityki', en: 'Policies' })}>
            <span className="mono wrap">{policies.join(', ')}</span>
          </Row>
        )}
        <Row name={t({ pl: 'Odcisk SHA-256', en: 'SHA-256 fingerprint' })}>
          <span className="mono wrap">{sha256}</span>
          <span className="btns">
            <CopyButton text={sha256} label={t({ pl: 'Skopiuj odcisk', en: 'Copy the fingerprint' })} />
          </span>
        </Row>
      </Group>
      <section>
        <h3>{t({ pl: 'Łańcuch zaufania', en: 'Chain of trust' })}</h3>
        <ol className="olist certchain">
          {chain.map(({ subject: above, validTo }) => (
            <li key={above + validTo}>
              {above}
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
        <Row key={name + value} name={attributeText[name] ? t(attributeText[name]) : name}>
          {name === 'serialNumber' ? <Concealed value={value} /> : value}
        </Row>
      ))}
    </Group>
  )
}

/** The personal number is covered until it is asked for, and again on the next visit (ux.md §3.6). */
function Concealed({ value }: { value: string }) {
  const t = useText()
  const [shown, setShown] = useState(false)
  const kept = value.indexOf('-') + 1
  return (
    <span className="btns">
      <span className="mono">{shown ? value : value.slice(0, kept) + '•'.repeat(value.length - kept)}</span>
      <Button
        variant="quiet"
        size="s"
        icon={shown ? 'eyeoff' : 'eye'}
        aria-pressed={shown}
        onClick={() => setShown(!shown)}
      >
        {t({ pl: 'Pokaż numer', en: 'Show the number' })}
      </Button>
    </span>
  )
}

function Group({ title, children }: { title: Text; children: ReactNode }) {
  const t = useText()
  return (
    <section>
      <h3>{t(title)}</h3>
      <dl className="rows rows--cert">{children}</dl>
    </section>
  )
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
