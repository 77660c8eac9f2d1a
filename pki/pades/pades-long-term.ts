import { fileDigests } from './pades-digest.ts'
import type { CertificateChain } from './pades-report.ts'
import { checkSignatureField, coveredEnd, type CheckedSignature } from './pades-signature.ts'
import { prepareDocumentTimestamp, type PreparedPdf } from './pades-sign.ts'
import { appendValidationData, readValidationData, type ValidationData } from './pades-validation-data.ts'
import { certificatePool, type PathCertificate } from '../asn1/path-certificate.ts'
import { sameBytes } from '../bytes.ts'
import { PdfError } from '../pdf/pdf-parser.ts'
import { openPdf, type Pdf } from '../pdf/pdf-read.ts'
import { signaturesOf } from '../pdf/pdf-signature-fields.ts'
import { revocationStatus } from '../asn1/revocation-status.ts'
import { checkSignature } from '../asn1/signature-check.ts'

/**
 * The certificates without proof in the file that they were good: `newest` of the newest signature and all document
 * timestamps, `earlier` of the signatures before it. Each with its issuers, as far as the file contains them; trust is not
 * checked here.
 */
export type SignerChains = { newest: CertificateChain[]; earlier: CertificateChain[] }

const longest = 8

/** Throws PdfError for a file that cannot be read or has no timestamp, so that its signing time is unknown. */
export function signerChains(file: Uint8Array | Pdf): SignerChains {
  const pdf = file instanceof Uint8Array ? openPdf(file) : file
  const digests = fileDigests(pdf)
  const checked = signaturesOf(pdf)
    .toSorted((a, b) => coveredEnd(a) - coveredEnd(b))
    .map((signature) => checkSignatureField(pdf, signature, digests, () => []))
  const stored = readValidationData(pdf)
  const pool = certificatePool(stored.certificates)
  const newest = checked.findLast(({ signature }) => signature)
  const lastTime = checked.flatMap(({ tokens }) => tokens.map(({ at }) => at)).at(-1)
  if (!lastTime) throw new PdfError('The file has no timestamp')
  const chainsOf = ({ signature, tokens }: CheckedSignature): CertificateChain[] => [
    ...tokens.flatMap(({ certificate, certificates, at }) =>
      unproven(issuerChain(certificate, [...certificates, ...pool]), at, stored),
    ),
    ...(signature
      ? unproven(
          issuerChain(signature.certificate, [...signature.certificates, ...pool]),
          tokens[0]?.at ?? lastTime,
          stored,
        )
      : []),
  ]
  const isNewest = (signature: CheckedSignature) => signature === newest || !signature.signature
  return {
    newest: checked.filter(isNewest).flatMap(chainsOf),
    earlier: checked.filter((signature) => !isNewest(signature)).flatMap(chainsOf),
  }
}

/** A certificate and its issuers, up to the root if known. */
function issuerChain(certificate: PathCertificate, pool: PathCertificate[]): PathCertificate[] {
  const path: PathCertificate[] = []
  for (let next: PathCertificate | undefined = certificate; next && path.length < longest;) {
    const { issuer, algorithm, tbs, signature }: PathCertificate = next
    path.push(next)
    if (isRoot(next)) break
    next = pool.find(
      (candidate) =>
        !path.includes(candidate) &&
        sameBytes(candidate.subject, issuer) &&
        checkSignature(algorithm, candidate.key, tbs, signature) === 'valid',
    )
  }
  return path
}

const isRoot = ({ subject, issuer }: PathCertificate) => sameBytes(subject, issuer)

/** Certificates that the stored data do not prove good; a stored proof remains valid. */
function unproven(path: PathCertificate[], at: Date, stored: ValidationData): CertificateChain[] {
  return path.flatMap((certificate, index) => {
    const issuer = path[index + 1]
    if (isRoot(certificate) || (issuer && revocationStatus(certificate, issuer, at, stored).status === 'good'))
      return []
    return [{ path: path.slice(index).map(({ der }) => der), at }]
  })
}

/** The same chains, without what further evidence proves; the file is not needed for it. */
export const stillUnproven = (chains: readonly CertificateChain[], data: ValidationData): CertificateChain[] =>
  chains.flatMap(({ path, at }) => {
    const [certificate, ...above] = certificatePool(path)
    const pool = [...above, ...certificatePool(data.certificates)]
    return certificate ? unproven(issuerChain(certificate, pool), at, data) : [{ path, at }]
  })

/** Adds the validation data (B-LT) and prepares an archive timestamp over everything (B-LTA). */
export function prepareArchiveTimestamp(file: Uint8Array, data: ValidationData): PreparedPdf {
  const extended = appendValidationData(file, data)
  const earlier = signaturesOf(openPdf(extended)).length
  return prepareDocumentTimestamp(extended, `Archive ${earlier}`)
}
