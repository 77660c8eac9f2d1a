import type { ReactNode } from 'react'
import type { Locale, Text } from '../../contract/enums.ts'
import type { CertificateContent } from '../../pki/asn1/certificate.ts'
import type { RevocationStatus } from '../../pki/asn1/revocation-status.ts'
import { isSuspended } from '../../pki/asn1/suspended-status.ts'
import type { ChangeKind } from '../../pki/pdf/pdf-revision-comparison.ts'
import { useText } from '../app/locale.tsx'
import { formatBytes } from '../text/bytes-text.ts'
import { formatDate, formatDateTime } from '../text/format.ts'
import { problemText } from '../text/signature-problem-text.ts'
import { DescriptionList, Row, VerbatimRow } from '../ui/description-list.tsx'
import { Fold } from '../ui/fold.tsx'
import { Code, Verbatim } from '../ui/verbatim.tsx'
import { nameIn, type ReportedSignature } from './file-report.ts'
import { indicationOf } from './validation-report.ts'

type Props = {
  signature: ReportedSignature
  revisions: number
  /** Addition to the name of the control that opens the details. */
  which: ReactNode
}

/** Shows the details that an expert looks for, in the terms of the standards (CHK-7). */
export function ExpertDetails({ signature, revisions, which }: Props) {
  const t = useText()
  const { certificates, revocations, claimedSigner } = signature
  return (
    <Fold
      className="file-report__wide"
      summary={
        <>
          {t({ pl: 'Szczegóły dla eksperta', en: 'Expert details' })}
          {which}
        </>
      }
    >
      <TechnicalFacts signature={signature} revisions={revisions} />
      {certificates.length > 0 && (
        <>
          <h4>{t({ pl: 'Ścieżka certyfikatów', en: 'Certificate path' })}</h4>
          <ol className="file-report__path">
            {certificates.map((certificate, index) => (
              <li key={certificate.fingerprint}>
                <Certificate certificate={certificate}>
                  {index < revocations.length ? (
                    <Status status={revocations[index]!} />
                  ) : signature.trusted && index === certificates.length - 1 ? (
                    t({ pl: 'Zaufany bezpośrednio', en: 'Trusted directly' })
                  ) : (
                    t(none)
                  )}
                </Certificate>
              </li>
            ))}
          </ol>
        </>
      )}
      {claimedSigner && (
        <>
          <h4>{t({ pl: 'Certyfikat w\u00a0pliku, niepotwierdzony', en: 'Certificate in the file, not verified' })}</h4>
          <ul className="file-report__path">
            <li>
              <Certificate certificate={claimedSigner}>{t({ pl: 'Nie sprawdzono', en: 'Not checked' })}</Certificate>
            </li>
          </ul>
        </>
      )}
    </Fold>
  )
}

const none = { pl: 'brak', en: 'none' }

function TechnicalFacts({ signature, revisions }: Omit<Props, 'which'>) {
  const t = useText()
  const { kind, level, digest, signer, fields, revision, end, claimedAt, provenAt, timestamps, changes } = signature
  const moment = (at: Date | undefined) => (at ? formatDateTime(t.locale, at) : t(none))
  const remarks = signature.problems.filter(({ severity }) => severity === 'remark')
  const format = kind === 'document-timestamp' ? 'RFC 3161' : `PAdES${level ? ` ${level}` : ''}`
  return (
    <DescriptionList>
      <Row name={t({ pl: 'Wynik według ETSI EN 319 102-1', en: 'Result under ETSI EN 319 102-1' })}>
        <Code className="wrap">{indicationOf(signature)}</Code>
      </Row>
      <Row name={t({ pl: 'Format i\u00a0poziom', en: 'Format and level' })}>{format}</Row>
      <Row name={t({ pl: 'Algorytmy', en: 'Algorithms' })}>{algorithmsOf(signer, digest) || t(none)}</Row>
      {kind === 'signature' && (
        <Row name={t({ pl: 'Czas podany w\u00a0podpisie', en: 'Claimed signing time' })}>{moment(claimedAt)}</Row>
      )}
      <Row
        name={t({
          pl: 'Najwcześniejszy czas potwierdzony znacznikiem',
          en: 'Earliest time confirmed by a timestamp',
        })}
      >
        {moment(provenAt)}
      </Row>
      {timestamps.map(({ at, authority, trusted }) => (
        <Row
          key={at.toISOString()}
          name={t({ pl: 'Znacznik czasu w\u00a0podpisie', en: 'Timestamp in the signature' })}
        >
          {formatDateTime(t.locale, at)}, <Verbatim>{nameIn(authority?.subject) ?? t(none)}</Verbatim>
          {!trusted && t({ pl: ' (wystawca niepotwierdzony)', en: ' (issuer not confirmed)' })}
        </Row>
      ))}
      <Row name={t({ pl: 'Pole podpisu', en: 'Signature field' })}>
        <Verbatim>{fields.join(', ') || t(none)}</Verbatim>
      </Row>
      {revision !== undefined && end !== undefined && (
        <Row name={t({ pl: 'Podpisana wersja pliku', en: 'Signed revision of the file' })}>
          {t({
            pl: `${revision + 1} z\u00a0${revisions} (pierwsze ${formatBytes(t.locale, end)})`,
            en: `${revision + 1} of ${revisions} (first ${formatBytes(t.locale, end)})`,
          })}
        </Row>
      )}
      {changes.length > 0 && (
        <Row name={t({ pl: 'Późniejsze zmiany', en: 'Later changes' })}>
          {[
            ...new Set(
              changes.map(
                ({ kind: changed, isAllowed }) =>
                  t(changeText[changed]) + (isAllowed ? '' : t({ pl: ' (niedozwolone)', en: ' (not permitted)' })),
              ),
            ),
          ].join(', ')}
        </Row>
      )}
      {remarks.length > 0 && (
        <Row name={t({ pl: 'Uwagi bez wpływu na wynik', en: 'Notes that don’t affect the result' })}>
          {[...new Set(remarks.map(({ code }) => t(problemText[code])))].join(' ')}
        </Row>
      )}
    </DescriptionList>
  )
}

/** Returns the algorithms of a signature, such as `RSA 3072, SHA-256`. */
function algorithmsOf(signer: CertificateContent | undefined, digest: string | undefined) {
  const { kind, bits } = signer?.publicKey ?? {}
  const key = kind && (bits ? `${kind} ${bits}` : kind)
  return [key, digest?.toUpperCase().replace(/^SHA(?=\d)/, 'SHA-')].filter(Boolean).join(', ')
}

function Certificate({ certificate, children }: { certificate: CertificateContent; children: ReactNode }) {
  const t = useText()
  const { subject, issuer, serialNumber, fingerprint } = certificate
  const distinguished = (attributes: CertificateContent['subject']) =>
    attributes.map(({ name, value }) => `${name}=${value}`).join(', ')
  return (
    <DescriptionList>
      <VerbatimRow name={t({ pl: 'Podmiot', en: 'Subject' })}>{distinguished(subject)}</VerbatimRow>
      <VerbatimRow name={t({ pl: 'Wystawca', en: 'Issuer' })}>{distinguished(issuer)}</VerbatimRow>
      <Row name={t({ pl: 'Numer seryjny', en: 'Serial number' })}>
        <Code className="wrap">{serialNumber}</Code>
      </Row>
      <Row name={t({ pl: 'Ważność', en: 'Validity' })}>{t(validityText(t.locale, certificate))}</Row>
      <Row name={t({ pl: 'Odcisk SHA-256', en: 'SHA-256 fingerprint' })}>
        <Code className="wrap fingerprint">{fingerprint}</Code>
      </Row>
      <Row name={t({ pl: 'Status', en: 'Status' })}>{children}</Row>
    </DescriptionList>
  )
}

export const validityText = (locale: Locale, { notBefore, notAfter }: CertificateContent): Text => ({
  pl: `od ${formatDate(locale, notBefore)} do ${formatDate(locale, notAfter)}`,
  en: `${formatDate(locale, notBefore)} to ${formatDate(locale, notAfter)}`,
})

/** Texts for changes after a signature, by the kinds of the check. */
const changeText: Record<ChangeKind, Text> = {
  signature: { pl: 'podpis lub pole podpisu', en: 'signature or signature field' },
  covering: { pl: 'wygląd podpisu na treści strony', en: 'look of a signature over page content' },
  'validation-data': { pl: 'dane do weryfikacji', en: 'validation data' },
  metadata: { pl: 'metadane', en: 'metadata' },
  structure: { pl: 'struktura dokumentu', en: 'document structure' },
  filling: { pl: 'treść pól formularza', en: 'form field values' },
  page: { pl: 'strona', en: 'page' },
  annotation: { pl: 'adnotacja', en: 'annotation' },
  form: { pl: 'formularz', en: 'form' },
  catalog: { pl: 'katalog dokumentu', en: 'document catalog' },
  trailer: { pl: 'końcówka pliku (trailer)', en: 'trailer' },
  object: { pl: 'obiekt', en: 'object' },
  removed: { pl: 'usunięty obiekt', en: 'removed object' },
  revealed: { pl: 'obiekt przygotowany przed podpisaniem', en: 'object prepared before signing' },
  unaccounted: { pl: 'bajty spoza obiektów', en: 'bytes outside of objects' },
  purposeless: { pl: 'zapis bez podpisu i\u00a0danych do weryfikacji', en: 'neither a signature nor validation data' },
}

/** Polish reasons for the revocation of a certificate, by their names in RFC 5280 §5.3.1. */
const polishReasons: Partial<Record<string, string>> = {
  unspecified: 'powód nieokreślony',
  keyCompromise: 'ujawnienie klucza',
  cACompromise: 'ujawnienie klucza wystawcy',
  affiliationChanged: 'zmiana danych',
  superseded: 'zastąpienie nowym',
  cessationOfOperation: 'zakończenie użytkowania',
  certificateHold: 'zawieszenie',
  removeFromCRL: 'usunięcie z\u00a0listy',
  privilegeWithdrawn: 'cofnięcie uprawnień',
  aACompromise: 'ujawnienie klucza wystawcy atrybutów',
}

/** Returns the reason for a revocation with its name in the standard, which other programs show: „ujawnienie klucza (keyCompromise)”. */
const reasonText = (locale: Locale, reason: string) =>
  locale === 'pl' && polishReasons[reason] ? `${polishReasons[reason]} (${reason})` : reason

const statusText: Record<RevocationStatus['status'], Text> = {
  good: { pl: 'Nieunieważniony', en: 'Good' },
  revoked: { pl: 'Unieważniony', en: 'Revoked' },
  unknown: { pl: 'Nie wiadomo', en: 'Unknown' },
}

const suspended: Text = { pl: 'Zawieszony', en: 'Suspended' }

/** Shows a revocation status, such as „Nieunieważniony (OCSP, 26 listopada 2026, 14:05)”. */
function Status({ status }: { status: RevocationStatus }) {
  const t = useText()
  const source = status.status === 'unknown' ? undefined : status.source
  const since = status.status === 'revoked' ? formatDateTime(t.locale, status.at) : undefined
  const kind = source && { ocsp: 'OCSP', crl: 'CRL' }[source.kind]
  const found = [
    t(isSuspended(status) ? suspended : statusText[status.status]) +
      (since ? t({ pl: ` od ${since}`, en: ` since ${since}` }) : ''),
    status.status === 'revoked' && status.reason && reasonText(t.locale, status.reason),
  ]
    .filter(Boolean)
    .join(', ')
  return source ? `${found} (${kind}, ${formatDateTime(t.locale, source.issuedAt)})` : found
}
