import { hasRequiredPolicies } from './certificate-policies.ts'
import { DerError } from './der.ts'
import { sameBytes } from './pdf-bytes.ts'
import { isSameHolder, isValidAt, mayUse, readPathCertificate, type PathCertificate } from './path-certificate.ts'
import { checkSignature, isStrongKey } from './signature-check.ts'

export type TrustPurpose = 'signatures' | 'seals' | 'timestamps'

/** A service of a trust list, or of the configuration: whoever it has certified is believed (ETSI TS 119 615 §4). */
export type TrustAnchor = {
  /** DER. */
  certificate: Uint8Array
  /** What it is believed for; everything if not given. */
  purposes?: TrustPurpose[]
  /** Between which times its status was granted. */
  from?: Date
  to?: Date
}

export type PathProblem =
  /** No way leads to a trusted certificate. */
  | 'path-untrusted'
  /** A certificate of the path was not valid, or its anchor not granted, at the time that counts. */
  | 'path-expired'
  /** A certificate was issued by one that is no authority, or may have fewer authorities below it. */
  | 'path-not-authority'
  /** A certificate restricts itself in a way that is not known here. */
  | 'path-constrained'
  /** A certificate of the path is signed by a weak algorithm or key. */
  | 'path-weak'

export type PathResult = { path: PathCertificate[]; problem?: undefined } | { path?: undefined; problem: PathProblem }

const longestPath = 8
/** Verifications are what a hostile pool of certificates would make expensive. */
const mostVerifications = 60

/**
 * A path from a certificate to an anchor, in that order, every certificate valid `at` one time (RFC 5280 §6). Names and
 * signatures lead the way; constraints on names are refused and not judged. Nothing is fetched.
 */
export function findPath(
  target: PathCertificate,
  { pool, anchors, purpose, at }: { pool: PathCertificate[]; anchors: TrustAnchor[]; purpose: TrustPurpose; at: Date },
): PathResult {
  const problems: PathProblem[] = []
  let verifications = 0
  const trusted = anchors
    .filter(({ purposes }) => purposes?.includes(purpose) ?? true)
    .map((anchor) => ({ ...anchor, certificate: anchorCertificate(anchor.certificate) }))

  const walk = (path: PathCertificate[]): PathCertificate[] | undefined => {
    const last = path.at(-1)!
    const anchor = trusted.find(({ certificate }) => isSameHolder(certificate, last))
    if (anchor) {
      const isGranted = (!anchor.from || anchor.from <= at) && (!anchor.to || at <= anchor.to)
      if (isGranted && keepsPolicies(path)) return path
      problems.push(isGranted ? 'path-constrained' : 'path-expired')
      return undefined
    }
    const own = ownProblem(last, at)
    if (own) {
      problems.push(own)
      return undefined
    }
    if (path.length === longestPath) return undefined
    for (const issuer of [...trusted.map(({ certificate }) => certificate), ...pool]) {
      if (!sameBytes(issuer.subject, last.issuer) || path.some((one) => isSameHolder(one, issuer))) continue
      if (++verifications > mostVerifications) return undefined
      const verdict = checkSignature(last.algorithm, issuer.key, last.tbs, last.signature)
      if (verdict === 'unknown-algorithm') problems.push('path-weak')
      if (verdict !== 'valid') continue
      const isAnchor = trusted.some(({ certificate }) => certificate === issuer)
      const problem = isAnchor ? undefined : authorityProblem(issuer, path)
      if (problem) problems.push(problem)
      const found = problem ? undefined : walk([...path, issuer])
      if (found) return found
    }
    return undefined
  }
  const path = walk([target])
  if (path) return { path }
  // What stopped a path that led somewhere says more than that there is none.
  return { problem: problems.at(-1) ?? 'path-untrusted' }
}

/** Anchors come from the configuration and are the same at every call. */
const readAnchors = new WeakMap<Uint8Array, PathCertificate>()

function anchorCertificate(der: Uint8Array) {
  const known = readAnchors.get(der) ?? readPathCertificate(der)
  readAnchors.set(der, known)
  return known
}

function ownProblem(certificate: PathCertificate, at: Date): PathProblem | undefined {
  if (certificate.unknownCritical.length > 0) return 'path-constrained'
  if (!isValidAt(certificate, at)) return 'path-expired'
  return isStrongKey(certificate.key) ? undefined : 'path-weak'
}

function keepsPolicies(path: PathCertificate[]): boolean {
  try {
    return hasRequiredPolicies(path)
  } catch (error) {
    if (error instanceof DerError) return false
    throw error
  }
}

/** RFC 5280 §6.1.4 (k) to (n): self-issued certificates do not count into the length. */
function authorityProblem(issuer: PathCertificate, below: PathCertificate[]): PathProblem | undefined {
  const between = below.slice(1).filter((one) => !sameBytes(one.subject, one.issuer)).length
  if (!issuer.authority || !mayUse(issuer, 'keyCertSign') || between > issuer.pathLength) return 'path-not-authority'
  return undefined
}
