import { coverageDigests } from './pades-digest.ts'
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
import { checkSignature } from './signature-check.ts'

/**
 * Whose certificates have to be known to be good: `newest` of the newest signature and of all timestamps, `earlier` of the
 * signatures before it. Each as far as the file carries it; nobody is believed here.
 */
export type SignerChains = { newest: CertificateChain[]; earlier: CertificateChain[] }

const longest = 8

/** Throws PdfError for a file that cannot be read, or that holds no timestamp: when its signatures were made is not known. */
export function signerChains(file: Uint8Array | Pdf): SignerChains {
  const pdf = file instanceof Uint8Array ? openPdf(file, { inflate: nodeInflate }) : file
  const digests = coverageDigests(pdf.bytes)
  const checked = signaturesOf(pdf)
    .toSorted((a, b) => coveredEnd(a) - coveredEnd(b))
    .map((one) => checkSignatureField(pdf, one, digests, () => []))
  const stored = certificatePool(readValidationData(pdf).certificates)
  const newest = checked.findLast(({ signature }) => signature)
  const lastTime = checked.flatMap(({ tokens }) => tokens.map(({ at }) => at)).at(-1)
  if (!lastTime) throw new PdfError('The file holds no timestamp')
  const chainsOf = ({ signature, tokens }: CheckedSignature): CertificateChain[] => [
    ...tokens.map((token) => ({ path: upwards(token.certificate, [...token.certificates, ...stored]), at: token.at })),
    ...(signature
      ? [
          {
            path: upwards(signature.certificate, [...signature.certificates, ...stored]),
            at: tokens[0]?.at ?? lastTime,
          },
        ]
      : []),
  ]
  const isNewest = (one: CheckedSignature) => one === newest || !one.signature
  return {
    newest: checked.filter(isNewest).flatMap(chainsOf),
    earlier: checked.filter((one) => !isNewest(one)).flatMap(chainsOf),
  }
}

/** From a certificate to the highest of those who signed it. */
function upwards(certificate: PathCertificate, pool: PathCertificate[]): Uint8Array[] {
  const path = [certificate]
  while (path.length < longest) {
    const last = path.at(-1)!
    if (sameBytes(last.subject, last.issuer)) break
    const issuer = pool.find(
      (one) =>
        !path.includes(one) &&
        sameBytes(one.subject, last.issuer) &&
        checkSignature(last.algorithm, one.key, last.tbs, last.signature) === 'valid',
    )
    if (!issuer) break
    path.push(issuer)
  }
  return path.map(({ der }) => der)
}

/** With the validation data (B-LT) and an archive timestamp, still open, over all of it (B-LTA). */
export function prepareArchiveTimestamp(file: Uint8Array, data: ValidationData): PreparedPdf {
  const extended = appendValidationData(file, data)
  const earlier = signaturesOf(openPdf(extended, { inflate: nodeInflate })).length
  return prepareDocumentTimestamp(extended, `Archive ${earlier}`)
}
