import { certificatePool, isSameHolder, type PathCertificate } from '../asn1/path-certificate.ts'
import {
  needsNewerEvidence,
  satisfiesLongTerm,
  revocationStatus,
  type RevocationStatus,
} from '../asn1/revocation-status.ts'
import { checkSignature } from '../asn1/signature-check.ts'
import { sameBytes } from '../bytes.ts'
import { PdfError } from '../pdf/pdf-parser.ts'
import { openPdf, type Pdf } from '../pdf/pdf-read.ts'
import { findSignatures } from '../pdf/pdf-signature-fields.ts'
import { fileDigests } from './pades-coverage.ts'
import type { CertificateChain } from './pades-report.ts'
import { prepareDocumentTimestamp, type PreparedPdf } from './pades-sign.ts'
import { checkSignatureField, coveredEnd, type CheckedSignature } from './pades-signature.ts'
import { appendValidationData, readValidationData, type ValidationData } from './pades-validation-data.ts'

/**
 * The certificates without proof in the file that they were good: `newest` of the newest signature and the document
 * timestamps since, `earlier` of what is before it, and those whose proof is from before the signature, for which something newer may be
 * had. Each with its issuers, as far as the file contains them; trust is not checked here.
 */
export type SignerChains = { newest: CertificateChain[]; earlier: CertificateChain[] }

const longest = 8

/** Throws PdfError for a file that cannot be read or has no timestamp, so that its signing time is unknown. */
export function signerChains(file: Uint8Array | Pdf): SignerChains {
  const pdf = file instanceof Uint8Array ? openPdf(file) : file
  const digests = fileDigests(pdf)
  const checked = findSignatures(pdf)
    .toSorted((a, b) => coveredEnd(a) - coveredEnd(b))
    .map((signature) => checkSignatureField(pdf, signature, digests, () => []))
  const stored = readValidationData(pdf)
  const pool = certificatePool(stored.certificates)
  const lastTime = checked.flatMap(({ tokens }) => tokens.map(({ at }) => at)).at(-1)
  if (!lastTime) throw new PdfError('The file has no timestamp')
  const pathsOf = ({ signature, tokens }: CheckedSignature) => [
    ...tokens.map(({ certificate, certificates, at }) => ({
      path: issuerChain(certificate, [...certificates, ...pool]),
      at,
    })),
    ...(signature
      ? [
          {
            path: issuerChain(signature.certificate, [...signature.certificates, ...pool]),
            at: tokens[0]?.at ?? lastTime,
          },
        ]
      : []),
  ]
  const chainsOf = (some: CheckedSignature[], lacks: Lacks) =>
    some.flatMap(pathsOf).flatMap(({ path, at }) => unproven(path, at, stored, lacks))
  const newest = Math.max(
    checked.findLastIndex(({ signature }) => signature),
    0,
  )
  const last = checked.slice(newest)
  return {
    newest: chainsOf(last, isUnproven),
    earlier: [
      ...chainsOf(last, (status, certificate) => satisfiesLongTerm(status, certificate) && needsNewerEvidence(status)),
      ...chainsOf(checked.slice(0, newest), needsNewerEvidence),
    ],
  }
}

/** Returns a certificate and its issuers, up to the root if known. */
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

type Lacks = (status: RevocationStatus, certificate: PathCertificate) => boolean

const isUnproven: Lacks = (status, certificate) => !satisfiesLongTerm(status, certificate)

/** Returns the certificates, each with its issuers, about which the stored data lack something; a stored proof remains valid. */
function unproven(path: PathCertificate[], at: Date, stored: ValidationData, lacks: Lacks): CertificateChain[] {
  return path.flatMap((certificate, index) => {
    const issuer = path[index + 1]
    const status = issuer ? revocationStatus(certificate, issuer, at, stored) : ({ status: 'unknown' } as const)
    return isRoot(certificate) || !lacks(status, certificate)
      ? []
      : [{ path: path.slice(index).map(({ der }) => der), at }]
  })
}

/**
 * Returns the chains that remain unproven with further evidence, only up to the trusted authorities, about which nothing needs to be known.
 * The file is not needed.
 */
export function stillUnproven(
  chains: readonly CertificateChain[],
  data: ValidationData,
  anchors: readonly Uint8Array[],
): CertificateChain[] {
  const trusted = certificatePool([...anchors])
  const isTrusted = (certificate: PathCertificate) => trusted.some((anchor) => isSameHolder(anchor, certificate))
  return chains.flatMap(({ path, at }) => {
    const [certificate, ...above] = certificatePool(path)
    if (!certificate) return [{ path, at }]
    const whole = issuerChain(certificate, [...above, ...certificatePool(data.certificates)])
    const end = whole.findIndex(isTrusted)
    if (end < 0) return unproven(whole, at, data, isUnproven)
    const open = unproven(whole.slice(0, end + 1), at, data, isUnproven)
    return open.filter(({ path: [first] }) => !sameBytes(first!, whole[end]!.der))
  })
}

/** Adds the validation data (B-LT) and prepares an archive timestamp over everything (B-LTA). */
export function prepareArchiveTimestamp(file: Uint8Array, data: ValidationData): PreparedPdf {
  const extended = appendValidationData(file, data)
  const earlier = findSignatures(openPdf(extended)).length
  return prepareDocumentTimestamp(extended, `Archive ${earlier}`)
}
