import type { ReactNode } from 'react'
import type { Text } from '../../contract/enums.ts'
import { maskNumber } from '../../contract/rules/masks.ts'
import { downloadSealCertificate, readSealCertificate } from '../../contract/seals.ts'
import type { CertificateDetails } from '../../contract/signatures-and-seals.ts'
import { downloadSignatureCertificate, readSignatureCertificate } from '../../contract/signatures.ts'
import { useText } from '../app/locale.tsx'
import { callFile } from '../calls/api.ts'
import { useRequest } from '../calls/reads.ts'
import { DateText, DateTimeText } from '../text/date-text.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { CodeRow, DescriptionList, Row, VerbatimRow } from '../ui/description-list.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { HiddenNumber } from '../ui/hidden-number.tsx'
import { Region } from '../ui/region.tsx'
import { SaveButton } from '../ui/save-button.tsx'
import { Verbatim } from '../ui/verbatim.tsx'

const calls = {
  signature: { read: readSignatureCertificate, download: downloadSignatureCertificate },
  seal: { read: readSealCertificate, download: downloadSealCertificate },
}

/** Fields of a certificate that the list knows. */
export type ListedCertificate = { id: string; name: string; validFrom: string; validTo: string }

export type CertificateDialogProps = {
  family: keyof typeof calls
  certificate: ListedCertificate
  /** The product and its owner. */
  description: ReactNode
  onClose: () => void
}

/** Shows the contents of the certificate, and offers the certificate as a file (SIG-5, SEA-14). */
export function CertificateDialog({ family, certificate, description, onClose }: CertificateDialogProps) {
  const t = useText()
  const { id } = certificate
  const { read, download } = calls[family]
  const details = useRequest<CertificateDetails>(read, { params: { id } })
  const load = (format: 'pem' | 'der') => () => callFile(download, { params: { id, format } })

  return (
    <Dialog
      title={t({ pl: 'Szczegóły certyfikatu', en: 'Certificate details' })}
      description={description}
      width="l"
      initialFocus="title"
      onClose={onClose}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            {t({ pl: 'Zamknij', en: 'Close' })}
          </Button>
          <div className="certificate-files">
            <SaveButton look="button" name="certificate.pem" load={load('pem')}>
              {t({ pl: 'Pobierz PEM', en: 'Download PEM' })}
            </SaveButton>
            <SaveButton look="button" name="certificate.cer" load={load('der')}>
              {t({ pl: 'Pobierz DER', en: 'Download DER' })}
            </SaveButton>
          </div>
        </>
      }
    >
      <Region query={details} lines={8} label={t({ pl: 'Wczytujemy certyfikat', en: 'Loading the certificate' })}>
        {(contents) => <Details certificate={certificate} contents={contents} />}
      </Region>
    </Dialog>
  )
}

function Details({ certificate, contents }: { certificate: ListedCertificate; contents: CertificateDetails }) {
  const t = useText()
  const { name, validFrom, validTo } = certificate
  const { subject, issuer, serialNumber, keyUsage, publicKey, sha256, policies, qualified, chain } = contents
  return (
    <div className="stack">
      {qualified && (
        <div>
          <Badge kind="ok" icon="shield-check">
            {t({ pl: 'Certyfikat kwalifikowany', en: 'Qualified certificate' })}
          </Badge>
        </div>
      )}
      <Group title={{ pl: 'Najważniejsze', en: 'Summary' }}>
        <VerbatimRow name={t({ pl: 'Wystawiony dla', en: 'Issued to' })}>{name}</VerbatimRow>
        <CodeRow name={t({ pl: 'Numer seryjny', en: 'Serial number' })}>{serialNumber}</CodeRow>
        <Row name={t({ pl: 'Ważność', en: 'Validity' })}>
          <DateTimeText at={validFrom} /> – <DateTimeText at={validTo} />
        </Row>
      </Group>
      <Names title={{ pl: 'Podmiot', en: 'Subject' }} attributes={subject} />
      <Names title={{ pl: 'Wystawca', en: 'Issuer' }} attributes={issuer} />
      <Group title={{ pl: 'Certyfikat', en: 'Certificate' }}>
        <Row name={t({ pl: 'Zastosowanie klucza', en: 'Key usage' })}>
          {keyUsage.map((usage) => (keyUsageText[usage] ? t(keyUsageText[usage]) : usage)).join(', ')}
        </Row>
        <VerbatimRow name={t({ pl: 'Klucz publiczny', en: 'Public key' })}>{publicKey}</VerbatimRow>
        {policies.length > 0 && (
          <CodeRow name={t({ pl: 'Polityki certyfikacji', en: 'Certificate policies' })}>{policies.join(', ')}</CodeRow>
        )}
        <CodeRow
          name={t({ pl: 'Odcisk SHA-256', en: 'SHA-256 fingerprint' })}
          copyLabel={t({ pl: 'Skopiuj odcisk', en: 'Copy fingerprint' })}
        >
          {sha256}
        </CodeRow>
      </Group>
      <section>
        <h3>{t({ pl: 'Łańcuch zaufania', en: 'Chain of trust' })}</h3>
        <ol className="ordered-list certificate-chain">
          {chain.map(({ subject: above, validTo: end }) => (
            <li key={above + end}>
              <Verbatim>{above}</Verbatim>
              <span className="soft">
                {t({ pl: ', ważny do ', en: ', valid until ' })}
                <DateText at={end} />
              </span>
            </li>
          ))}
        </ol>
        <p className="soft small">
          {t({
            pl: 'Plik PEM zawiera cały łańcuch, plik DER sam certyfikat.',
            en: 'The PEM file contains the whole chain; the DER file contains only the certificate.',
          })}
        </p>
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

/** Shows an identifier, masked as in `PNOPL-••••••••343`. */
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
      <DescriptionList className="rows--certificate">{children}</DescriptionList>
    </section>
  )
}

/** Texts for attributes of a distinguished name; others are shown by their own name. */
const attributeText: Partial<Record<string, Text>> = {
  CN: { pl: 'Nazwa powszechna', en: 'Common name' },
  GN: { pl: 'Imię (imiona)', en: 'Given name(s)' },
  SN: { pl: 'Nazwisko', en: 'Surname' },
  serialNumber: { pl: 'Numer identyfikacyjny', en: 'Identification number' },
  pseudonym: { pl: 'Pseudonim', en: 'Pseudonym' },
  title: { pl: 'Stanowisko', en: 'Position' },
  O: { pl: 'Organizacja', en: 'Organisation' },
  OU: { pl: 'Jednostka organizacyjna', en: 'Organisational unit' },
  organizationIdentifier: { pl: 'Identyfikator organizacji', en: 'Organisation identifier' },
  C: { pl: 'Kraj', en: 'Country' },
  ST: { pl: 'Województwo', en: 'Province' },
  L: { pl: 'Miejscowość', en: 'Town' },
  street: { pl: 'Ulica', en: 'Street' },
  postalCode: { pl: 'Kod pocztowy', en: 'Postal code' },
  E: { pl: 'E-mail', en: 'E-mail' },
}

/** RFC 5280 §4.2.1.3. */
const keyUsageText: Partial<Record<string, Text>> = {
  digitalSignature: { pl: 'podpis cyfrowy', en: 'digital signature' },
  nonRepudiation: { pl: 'niezaprzeczalność', en: 'non-repudiation' },
  keyEncipherment: { pl: 'szyfrowanie kluczy', en: 'key encipherment' },
  dataEncipherment: { pl: 'szyfrowanie danych', en: 'data encipherment' },
  keyAgreement: { pl: 'uzgadnianie kluczy', en: 'key agreement' },
  keyCertSign: { pl: 'podpisywanie certyfikatów', en: 'certificate signing' },
  cRLSign: { pl: 'podpisywanie list unieważnionych', en: 'revocation list signing' },
}
