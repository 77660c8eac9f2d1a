import { fileDigests } from './pades-digest.ts'
import type { CertificateChain } from './pades-report.ts'
import { checkSignatureField, coveredEnd, type CheckedSignature } from './pades-signature.ts'
import { prepareDocumentTimestamp, type PreparedPdf } from './pades-sign.ts'
import { appendValidationData, readValidationData, type ValidationData } from './pades-validation-data.ts'
import { certificatePool, type PathCertificate } from './path-certificate.ts'
import { nodeInflate } from './pdf-cipher-node.ts'
import { sameBytes } from './pdf-bytes.ts'
import { PdfError } from './pdf-parser.ts'
import { openPdf, type Pdf } from './pdf-read.ts'
import { signaturesOf } from './pdf-signature-fields.ts'
import { revocationStatus } from './revocation-status.ts'
import { checkSignature } from './signature-check.ts'

/**
 * Certificates that have to be known to be good, and of which the file itself does not prove it: `newest` of the newest signature
 * and of all document timestamps, `earlier` of the signatures before it. Each with those above it, as far as the file carries
 * them; nobody is believed here.
 */
export type SignerChains = { newest: CertificateChain[]; earlier: CertificateChain[] }

const longest = 8

/** Throws PdfError for a file that cannot be read, or that holds no timestamp: when its signatures were made is not known. */
export function signerChains(file: Uint8Array | Pdf): SignerChains {
  const pdf = file instanceof Uint8Array ? openPdf(file, { inflate: nodeInflate }) : file
  const digests = fileDigests(pdf)
  const checked = signaturesOf(pdf)
    .toSorted((a, b) => coveredEnd(a) - coveredEnd(b))
    .map((one) => checkSignatureField(pdf, one, digests, () => []))
  const stored = readValidationData(pdf)
  const pool = certificatePool(stored.certificates)
  const newest = checked.findLast(({ signature }) => signature)
  const lastTime = checked.flatMap(({ tokens }) => tokens.map(({ at }) => at)).at(-1)
  if (!lastTime) throw new PdfError('The file holds no timestamp')
  const chainsOf = ({ signature, tokens }: CheckedSignature): CertificateChain[] => [
    ...tokens.flatMap(({ certificate, certificates, at }) =>
      unproven(upwards(certificate, [...certificates, ...pool]), at, stored),
    ),
    ...(signature
      ? unproven(
          upwards(signature.certificate, [...signature.certificates, ...pool]),
          tokens[0]?.at ?? lastTime,
          stored,
        )
      : []),
  ]
  const isNewest = (one: CheckedSignature) => one === newest || !one.signature
  return {
    newest: checked.filter(isNewest).flatMap(chainsOf),
    earlier: checked.filter((one) => !isNewest(one)).flatMap(chainsOf),
  }
}

/** From a certificate to the highest of those who signed it. */
function upwards(certificate: PathCertificate, pool: PathCertificate[]): PathCertificate[] {
  const path = [certificate]
  while (path.length < longest) {
    const last = path.at(-1)!
    if (isRoot(last)) break
    const issuer = pool.find(
      (one) =>
        !path.includes(one) &&
        sameBytes(one.subject, last.issuer) &&
        checkSignature(last.algorithm, one.key, last.tbs, last.signature) === 'valid',
    )
    if (!issuer) break
    path.push(issuer)
  }
  return path
}

const isRoot = ({ subject, issuer }: PathCertificate) => sameBytes(subject, issuer)

/** What was proven once stays so, also when its authority has forgotten it. */
function unproven(path: PathCertificate[], at: Date, stored: ValidationData): CertificateChain[] {
  return path.flatMap((one, index) => {
    const issuer = path[index + 1]
    if (isRoot(one) || (issuer && revocationStatus(one, issuer, at, stored).status === 'good')) return []
    return [{ path: path.slice(index).map(({ der }) => der), at }]
  })
}

/** With the validation data (B-LT) and an archive timestamp, still open, over all of it (B-LTA). */
export function prepareArchiveTimestamp(file: Uint8Array, data: ValidationData): PreparedPdf {
  const extended = appendValidationData(file, data)
  const earlier = signaturesOf(openPdf(extended, { inflate: nodeInflate })).length
  return prepareDocumentTimestamp(extended, `Archive ${earlier}`)
}
