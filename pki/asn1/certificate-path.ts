import * as x509 from '@peculiar/asn1-x509'
import { hexOf, includesBytes, sameBytes } from '../bytes.ts'
import { DerError, readDer } from './der.ts'
import { isSameHolder, isValidAt, allowsKeyUsage, certificatePool, type PathCertificate } from './path-certificate.ts'
import { checkSignature, isStrongKey, type SignatureVerdict } from './signature-check.ts'

export type TrustPurpose = 'signatures' | 'seals' | 'timestamps'

/**
 * Statements that a trust list may deny: that a key is in a qualified device, or that a certificate that names no type of its own is for
 * signatures or seals.
 */
export type TrustDoubt = 'device' | 'signatures' | 'seals'

/** A service of a trust list or of the configuration; the certificates that it has issued are trusted (ETSI TS 119 615 §4). */
export type TrustAnchor = {
  /** DER. */
  certificate: Uint8Array
  /** The purposes it is trusted for; all if not given. */
  purposes?: TrustPurpose[]
  /** A period in which its status was granted; a service with several has an anchor for each. */
  from?: Date
  to?: Date
  /** The doubts about the trust; none if not given. */
  doubts?: TrustDoubt[]
}

export type PathProblem =
  /** No path leads to a trusted certificate. */
  | 'path-untrusted'
  /** A certificate of the path was not valid at the validation time. */
  | 'path-expired'
  /** The anchor was not granted at the validation time, or when the certificate was issued. */
  | 'path-not-granted'
  /** An issuer is not an authority, or its path length constraint is exceeded. */
  | 'path-not-authority'
  /** A certificate has an unsupported constraint. */
  | 'path-constrained'
  /** A certificate of the path is signed by a weak algorithm or key. */
  | 'path-weak'

/** `doubts`: those of the anchor at the times at which it had to be granted. */
export type PathResult =
  | { path: PathCertificate[]; doubts: TrustDoubt[]; problem?: undefined }
  | { path?: undefined; doubts?: undefined; problem: PathProblem }

type PathFound = Pick<PathResult & { problem?: undefined }, 'path' | 'doubts'>

const maxPathLength = 8

/** State that searches share: the number of signatures that may still be verified, and the verdicts so far, by certificate and issuer. */
export type PathSearch = { left: number; verdicts: Map<PathCertificate, Map<PathCertificate, SignatureVerdict>> }

/** Creates the state of a search. `most` limits the cost of a hostile set of certificates; a path has two or three signatures. */
export const openSearch = (most: number): PathSearch => ({ left: most, verdicts: new Map() })

/**
 * Finds a path from a certificate to an anchor, in that order, with every certificate valid at the time `at` (RFC 5280 §6). The path is
 * built by names and signatures; name constraints are not supported and refused. Nothing is fetched.
 */
export function findPath(
  target: PathCertificate,
  {
    pool,
    anchors,
    purpose,
    at,
    search = openSearch(60),
  }: { pool: PathCertificate[]; anchors: TrustAnchor[]; purpose: TrustPurpose; at: Date; search?: PathSearch },
): PathResult {
  const problems: PathProblem[] = []
  const usable = anchors.filter(({ purposes }) => purposes?.includes(purpose) ?? true)
  /** Returns the anchors of a name. There may be thousands, so only certificates that contain the name are read. */
  const trustedAs = (name: Uint8Array) =>
    usable
      .filter(({ certificate }) => includesBytes(certificate, name))
      .flatMap((anchor) => {
        const certificate = anchorCertificate(anchor.certificate)
        return certificate && sameBytes(certificate.subject, name) ? [{ ...anchor, certificate }] : []
      })

  const walk = (below: PathCertificate[], last: PathCertificate): PathFound | undefined => {
    const path = [...below, last]
    const periods = trustedAs(last.subject).filter(({ certificate }) => isSameHolder(certificate, last))
    if (periods.length) {
      const inForce = requiredTimes(path, purpose, at).map((time) => periods.filter((period) => covers(period, time)))
      const isGranted = inForce.every(({ length }) => length)
      if (isGranted && keepsPolicies(path))
        return { path, doubts: [...new Set(inForce.flat().flatMap(({ doubts = [] }) => doubts))] }
      problems.push(isGranted ? 'path-constrained' : 'path-not-granted')
      return undefined
    }
    const own = ownProblem(last, at)
    if (own) {
      problems.push(own)
      return undefined
    }
    if (path.length === maxPathLength) return undefined
    // An anchor for each period has the same certificate.
    const trusted = new Map(trustedAs(last.issuer).map(({ certificate }) => [hexOf(certificate.der), certificate]))
    const named = authorityKeyOf(last)
    // One that the certificate names by its key is tried first (RFC 4158 §3.5.12).
    const isNamed = ({ keyIdentifier }: PathCertificate) =>
      Number(keyIdentifier !== undefined && named !== undefined && sameBytes(keyIdentifier, named))
    for (const issuer of [...trusted.values(), ...pool].toSorted((a, b) => isNamed(b) - isNamed(a))) {
      if (!sameBytes(issuer.subject, last.issuer) || path.some((certificate) => isSameHolder(certificate, issuer)))
        continue
      const isAnchor = [...trusted.values()].includes(issuer)
      // A weak key proves nothing, so nothing is verified with it.
      const verdict = isAnchor || isStrongKey(issuer.key) ? verdictOf(last, issuer, search) : 'unknown-algorithm'
      if (!verdict) return undefined
      if (verdict === 'unknown-algorithm') problems.push('path-weak')
      if (verdict !== 'valid') continue
      const problem = isAnchor ? undefined : authorityProblem(issuer, path)
      if (problem) problems.push(problem)
      const found = problem ? undefined : walk(path, issuer)
      if (found) return found
    }
    return undefined
  }
  const found = walk([], target)
  if (found) return found
  // A problem of a partial path is more helpful than the absence of a path.
  return { problem: problems.at(-1) ?? 'path-untrusted' }
}

function authorityKeyOf({ extensions }: PathCertificate): Uint8Array | undefined {
  const value = extensions.get(x509.id_ce_authorityKeyIdentifier)
  try {
    const { keyIdentifier } = value ? readDer(value, x509.AuthorityKeyIdentifier) : {}
    return keyIdentifier && new Uint8Array(keyIdentifier.buffer)
  } catch (error) {
    if (error instanceof DerError) return undefined
    throw error
  }
}

/** Verifies the signature of a certificate, once per search; undefined if no more signatures may be verified. */
function verdictOf(issued: PathCertificate, issuer: PathCertificate, search: PathSearch): SignatureVerdict | undefined {
  const known = search.verdicts.get(issued) ?? new Map<PathCertificate, SignatureVerdict>()
  search.verdicts.set(issued, known)
  if (!known.has(issuer) && search.left-- > 0)
    known.set(issuer, checkSignature(issued.algorithm, issuer.key, issued.tbs, issued.signature))
  return known.get(issuer)
}

/**
 * Returns the times at which the anchor must have been granted: the validation time and the time at which the certificate was issued, in
 * the same period or in another one (ETSI TS 119 615 §4.4). For a timestamp only the time at which it was made counts.
 */
const requiredTimes = ([target, ...issuers]: PathCertificate[], purpose: TrustPurpose, at: Date) =>
  target && issuers.length && purpose !== 'timestamps' ? [at, target.notBefore] : [at]

const covers = ({ from, to }: Pick<TrustAnchor, 'from' | 'to'>, time: Date) =>
  (!from || from <= time) && (!to || time < to)

export type ChainFault = 'name' | 'signature' | 'not-authority' | 'weak'

/**
 * Finds the first fault in certificates that are each issued by the next one: `index` is that of the issuer. Neither trust nor the time is
 * judged, so an expired chain has no fault.
 */
export function faultInChain(
  certificates: readonly PathCertificate[],
): { index: number; fault: ChainFault } | undefined {
  for (const [i, issuer] of certificates.slice(1).entries()) {
    const fault = faultOf(issuer, certificates.slice(0, i + 1))
    if (fault) return { index: i + 1, fault }
  }
  return undefined
}

/** Finds the fault of an issuer; `below`: the certificates of the chain below it, the issued one last. */
function faultOf(issuer: PathCertificate, below: PathCertificate[]): ChainFault | undefined {
  const issued = below.at(-1)!
  if (!sameBytes(issuer.subject, issued.issuer)) return 'name'
  const verdict = checkSignature(issued.algorithm, issuer.key, issued.tbs, issued.signature)
  if (verdict === 'unknown-algorithm' || !isStrongKey(issuer.key)) return 'weak'
  if (verdict !== 'valid') return 'signature'
  return authorityProblem(issuer, below) ? 'not-authority' : undefined
}

/** Anchors, which come from the configuration and lists, by their bytes; undefined for one whose key is not usable. */
const readAnchors = new WeakMap<Uint8Array, PathCertificate | undefined>()

function anchorCertificate(der: Uint8Array): PathCertificate | undefined {
  if (!readAnchors.has(der)) readAnchors.set(der, certificatePool([der])[0])
  return readAnchors.get(der)
}

function ownProblem(certificate: PathCertificate, at: Date): PathProblem | undefined {
  if (certificate.unknownCritical.length > 0) return 'path-constrained'
  if (!isValidAt(certificate, at)) return 'path-expired'
  return isStrongKey(certificate.key) ? undefined : 'path-weak'
}

/**
 * Checks whether a path, from the signer to the anchor, has the certificate policies that its authorities require (RFC 5280 §6.1 with
 * any-policy as the initial set). Policy mappings are not supported, so a path that needs one fails. Throws DerError for an extension that
 * cannot be read.
 */
function hasRequiredPolicies(path: PathCertificate[]): boolean {
  const descending = path.slice(0, -1).toReversed()
  let valid: Policies = 'any'
  let [untilExplicit, untilNoAny] = [Infinity, Infinity]
  for (const [index, certificate] of descending.entries()) {
    const isLast = index === descending.length - 1
    const isSelfIssued = sameBytes(certificate.subject, certificate.issuer)
    const mayBeAny = untilNoAny > 0 || (!isLast && isSelfIssued)
    valid = intersection(valid, policiesOf(certificate), mayBeAny)
    if (untilExplicit === 0 && isEmpty(valid)) return false
    if (!isSelfIssued || isLast) {
      untilExplicit = Math.max(0, untilExplicit - 1)
      untilNoAny = Math.max(0, untilNoAny - 1)
    }
    const { requireExplicit, inhibitAny } = constraintsOf(certificate)
    // §6.1.5 (b): in the last certificate only a requirement of 0 counts.
    if (!isLast || requireExplicit === 0) untilExplicit = Math.min(untilExplicit, requireExplicit)
    untilNoAny = Math.min(untilNoAny, inhibitAny)
  }
  return untilExplicit > 0 || !isEmpty(valid)
}

type Policies = 'any' | ReadonlySet<string>

const isEmpty = (policies: Policies) => policies !== 'any' && policies.size === 0

function intersection(valid: Policies, stated: ReadonlySet<string>, mayBeAny: boolean): Policies {
  if (mayBeAny && stated.has(x509.id_ce_certificatePolicies_anyPolicy)) return valid
  const named = [...stated].filter((policy) => policy !== x509.id_ce_certificatePolicies_anyPolicy)
  return new Set(valid === 'any' ? named : named.filter((policy) => valid.has(policy)))
}

function policiesOf({ extensions }: PathCertificate): ReadonlySet<string> {
  const value = extensions.get(x509.id_ce_certificatePolicies)
  return new Set(value && [...readDer(value, x509.CertificatePolicies)].map(({ policyIdentifier }) => policyIdentifier))
}

function constraintsOf({ extensions }: PathCertificate) {
  const constraints = extensions.get(x509.id_ce_policyConstraints)
  const inhibition = extensions.get(x509.id_ce_inhibitAnyPolicy)
  return {
    requireExplicit: countOf(constraints && readDer(constraints, x509.PolicyConstraints).requireExplicitPolicy),
    inhibitAny: countOf(inhibition && readDer(inhibition, x509.InhibitAnyPolicy).value),
  }
}

/** Reads a number of certificates; infinite if it is absent or does not fit into a byte, because paths are shorter. */
function countOf(integer: ArrayBuffer | undefined): number {
  const [byte, second] = integer ? new Uint8Array(integer) : []
  return byte !== undefined && second === undefined ? byte : Infinity
}

function keepsPolicies(path: PathCertificate[]): boolean {
  try {
    return hasRequiredPolicies(path)
  } catch (error) {
    if (error instanceof DerError) return false
    throw error
  }
}

/**
 * Checks whether an issuer may issue the certificates below it (RFC 5280 §6.1.4 (k) to (n)); self-issued certificates do not count towards
 * the length.
 */
function authorityProblem(issuer: PathCertificate, below: PathCertificate[]): PathProblem | undefined {
  const between = below.slice(1).filter(({ subject, issuer: by }) => !sameBytes(subject, by)).length
  if (!issuer.isAuthority || !allowsKeyUsage(issuer, 'keyCertSign') || between > issuer.pathLength)
    return 'path-not-authority'
  return undefined
}
