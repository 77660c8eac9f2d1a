import { isSuspended } from '../../pki/asn1/suspended-status.ts'
import { base64Of, fromHex } from '../../pki/bytes.ts'
import type { SignatureProblem, SignatureReport } from '../../pki/pades/pades-report.ts'
import { element } from '../../pki/xml-elements.ts'
import {
  nameIn,
  type ReportedSignature,
  type FileReport,
  isAuthorityRevoked,
  seriousProblems,
  standingOf,
} from './file-report.ts'
import { problemTexts } from './signature-problems.ts'

/**
 * Returns the report on a checked file for other programs: XML by ETSI TS 119 102-2 v1.4.1, not signed. The digest of a signer's document
 * is that of the file up to the end of the revision that the signature covers. Document timestamps have a report like signatures.
 */
export async function writeValidationReport(
  file: Blob,
  { signatures, revisions }: FileReport,
  at: Date,
): Promise<string> {
  const reports: string[] = []
  for (const [index, signature] of signatures.entries()) {
    const signed = signature.end === undefined ? undefined : await computeSha256(file.slice(0, signature.end))
    reports.push(writeReport(signature, { id: `S-${index + 1}`, at, signed, revisions }))
  }
  return `<?xml version="1.0" encoding="UTF-8"?>
<ValidationReport xmlns="http://uri.etsi.org/19102/v1.4.1#" xmlns:ds="http://www.w3.org/2000/09/xmldsig#">
${[...reports, ...objectsOf(signatures)].join('\n')}
</ValidationReport>
`
}

const computeSha256 = async (content: Blob) =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', await content.arrayBuffer()))

type About = { id: string; at: Date; signed: Uint8Array | undefined; revisions: number }

function writeReport(signature: ReportedSignature, { id, at, signed, revisions }: About): string {
  const { kind, signer, claimedAt, provenAt, timestamps } = signature
  const proof = element('POETime', timeText(provenAt ?? at)) + element('TypeOfProof', `${urn}:poetype:validation`)
  const attributes = [
    claimedAt && `<SigningTime Signed="true">${element('Time', timeText(claimedAt))}</SigningTime>`,
    ...timestamps.map((stamp) => within('SignatureTimeStamp', element('TimeStampValue', timeText(stamp.at)))),
  ].filter(Boolean)
  return within(
    'SignatureValidationReport',
    `<SignatureIdentifier id="${id}"><HashOnly>false</HashOnly><DocHashOnly>false</DocHashOnly></SignatureIdentifier>`,
    within('ValidationTimeInfo', element('ValidationTime', timeText(at)), within('BestSignatureTime', proof)),
    signed && within('SignersDocument', digestOf(signed)),
    attributes.length > 0 && within('SignatureAttributes', ...attributes),
    signer &&
      within(
        'SignerInformation',
        reference('SignerCertificate', signer),
        element('Signer', nameIn(signer.subject) ?? signer.fingerprint),
      ),
    kind === 'signature' &&
      within('SignatureValidationProcess', element('SignatureValidationProcessID', `${urn}:validationprocess:LTA`)),
    statusOf(signature),
    element('OtherInformation', otherInformation(signature, revisions)),
  )
}

/** The indication and sub-indication of ETSI EN 319 102-1 (tables 5 and 6) for each problem that counts. */
const indications: Record<SignatureProblem, string> = {
  'signature-damaged': 'TOTAL-FAILED / FORMAT_FAILURE',
  'signature-format': 'INDETERMINATE / GENERIC',
  'byte-range-malformed': 'TOTAL-FAILED / FORMAT_FAILURE',
  'byte-range-gap': 'TOTAL-FAILED / FORMAT_FAILURE',
  'byte-range-partial': 'TOTAL-FAILED / FORMAT_FAILURE',
  'signature-replaced': 'TOTAL-FAILED / FORMAT_FAILURE',
  'changed-after-signing': 'INDETERMINATE / SIG_CONSTRAINTS_FAILURE',
  'timestamp-invalid': 'INDETERMINATE / SIG_CONSTRAINTS_FAILURE',
  'signing-certificate-missing': 'INDETERMINATE / SIG_CONSTRAINTS_FAILURE',
  'signing-certificate-weak': 'INDETERMINATE / SIG_CONSTRAINTS_FAILURE',
  revoked: 'INDETERMINATE / REVOKED_NO_POE',
  'revocation-unknown': 'INDETERMINATE / TRY_LATER',
  'not-qualified': 'INDETERMINATE / CHAIN_CONSTRAINTS_FAILURE',
  'key-usage': 'INDETERMINATE / CHAIN_CONSTRAINTS_FAILURE',
  'other-signer': 'INDETERMINATE / SIG_CONSTRAINTS_FAILURE',
  padding: 'INDETERMINATE / SIG_CONSTRAINTS_FAILURE',
  'shared-field': 'TOTAL-FAILED / FORMAT_FAILURE',
  'large-field': 'INDETERMINATE / SIG_CONSTRAINTS_FAILURE',
  'path-untrusted': 'INDETERMINATE / NO_CERTIFICATE_CHAIN_FOUND',
  'path-expired': 'INDETERMINATE / OUT_OF_BOUNDS_NO_POE',
  'path-not-granted': 'INDETERMINATE / NO_CERTIFICATE_CHAIN_FOUND_NO_POE',
  'path-not-authority': 'INDETERMINATE / CHAIN_CONSTRAINTS_FAILURE',
  'path-constrained': 'INDETERMINATE / CHAIN_CONSTRAINTS_FAILURE',
  'path-weak': 'INDETERMINATE / CRYPTO_CONSTRAINTS_FAILURE_NO_POE',
  'cms-unreadable': 'TOTAL-FAILED / FORMAT_FAILURE',
  'cms-signers': 'TOTAL-FAILED / FORMAT_FAILURE',
  'cms-content': 'TOTAL-FAILED / FORMAT_FAILURE',
  'cms-no-certificate': 'INDETERMINATE / NO_SIGNING_CERTIFICATE_FOUND',
  'cms-attributes': 'TOTAL-FAILED / FORMAT_FAILURE',
  'cms-bare': 'INDETERMINATE / SIG_CONSTRAINTS_FAILURE',
  'cms-digest': 'TOTAL-FAILED / HASH_FAILURE',
  'cms-algorithm': 'INDETERMINATE / CRYPTO_CONSTRAINTS_FAILURE_NO_POE',
  'cms-signature': 'TOTAL-FAILED / SIG_CRYPTO_FAILURE',
  'cms-signing-certificate': 'INDETERMINATE / SIG_CONSTRAINTS_FAILURE',
}

/** Returns the indication of the decisive problem; a failed check comes before one that could not be decided. */
export function indicationOf(signature: SignatureReport): string {
  const found = seriousProblems(signature).map((code) => {
    if (code !== 'revoked') return indications[code]
    // §5.2.6: the authority may end a suspension.
    if (isSuspended(signature.revocation)) return indications['revocation-unknown']
    return isAuthorityRevoked(signature) ? 'INDETERMINATE / REVOKED_CA_NO_POE' : indications.revoked
  })
  const [first = 'TOTAL-PASSED'] = [...found.filter((each) => each.startsWith('TOTAL')), ...found]
  return first === 'TOTAL-PASSED' && standingOf(signature) === 'unknown'
    ? 'INDETERMINATE / NO_CERTIFICATE_CHAIN_FOUND'
    : first
}

function statusOf(signature: ReportedSignature): string {
  const { certificates, trusted, revocations } = signature
  const [main = '', sub] = indicationOf(signature).split(' / ')
  const [first, ...issuers] = certificates
  const anchor = trusted ? certificates.at(-1) : undefined
  const intermediates = anchor ? issuers.slice(0, -1) : issuers
  const revokedAt = revocations.findIndex(({ status }) => status === 'revoked')
  return within(
    'SignatureValidationStatus',
    element('MainIndication', `${urn}:mainindication:${main.toLowerCase()}`),
    sub && element('SubIndication', `${urn}:subindication:${sub}`),
    first &&
      within(
        'AssociatedValidationReportData',
        anchor && reference('TrustAnchor', anchor),
        within(
          'CertificateChain',
          reference('SigningCertificate', first),
          ...intermediates.map((each) => reference('IntermediateCertificate', each)),
          anchor && reference('TrustAnchor', anchor),
        ),
        revocationOf(certificates[revokedAt], revocations[revokedAt]),
      ),
  )
}

function revocationOf(
  certificate: ReportedSignature['certificates'][number] | undefined,
  revocation: ReportedSignature['revocation'] | undefined,
) {
  if (!certificate || revocation?.status !== 'revoked') return undefined
  return within(
    'RevocationStatusInformation',
    reference('ValidationObjectId', certificate),
    element('RevocationTime', timeText(revocation.at)),
    revocation.reason && element('RevocationReason', `${urn}:revocationReason:${revocation.reason}`),
  )
}

/** Returns the information that has no element of its own, as text. */
function otherInformation(signature: ReportedSignature, revisions: number): string {
  const { kind, level, fields, revision, claimedSigner } = signature
  return [
    kind === 'document-timestamp' ? 'Document timestamp (RFC 3161)' : `PAdES${level ? ` ${level}` : ''}`,
    fields.length ? `signature field ${fields.join(', ')}` : undefined,
    revision === undefined ? undefined : `revision ${revision + 1} of ${revisions}`,
    claimedSigner &&
      `certificate in the file, not verified: ${nameIn(claimedSigner.subject) ?? claimedSigner.fingerprint}`,
    ...problemTexts(signature).map(({ en }) => en),
  ]
    .filter(Boolean)
    .join('; ')
}

/** Returns the certificates of all paths, each once; one without a path by its digest. */
function objectsOf(signatures: readonly ReportedSignature[]): string[] {
  const objects = new Map(
    signatures.flatMap(({ path, certificates }) =>
      certificates.map((certificate, index) => {
        const der = path[index]
        const fingerprint = fromHex(new TextEncoder().encode(certificate.fingerprint))
        const content = der ? element('base64', base64Of(der)) : fingerprint && digestOf(fingerprint)
        return [certificate.fingerprint, content] as const
      }),
    ),
  )
  const listed = [...objects].map(
    ([fingerprint, content]) =>
      `<ValidationObject id="C-${fingerprint}">${element('ObjectType', `${urn}:validationObject:certificate`)}${within(
        'ValidationObjectRepresentation',
        content,
      )}</ValidationObject>`,
  )
  return listed.length ? [within('SignatureValidationObjects', ...listed)] : []
}

const urn = 'urn:etsi:019102'

const reference = (name: string, { fingerprint }: { fingerprint: string }) =>
  `<${name} VOReference="C-${fingerprint}"></${name}>`

const digestOf = (digest: Uint8Array) =>
  within(
    'DigestAlgAndValue',
    '<ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"></ds:DigestMethod>',
    element('ds:DigestValue', base64Of(digest)),
  )

const within = (name: string, ...content: (string | false | undefined)[]) =>
  `<${name}>${content.filter(Boolean).join('')}</${name}>`

const timeText = (time: Date) => `${time.toISOString().slice(0, 19)}Z`
