import { findPath, openSearch, type PathSearch, type TrustAnchor } from '../../pki/asn1/certificate-path.ts'
import { CertificateError, readCertificate } from '../../pki/asn1/certificate.ts'
import { certificatePool, readPathCertificate, type PathCertificate } from '../../pki/asn1/path-certificate.ts'
import { needsNewerEvidence, revocationStatus, writeOcspRequest } from '../../pki/asn1/revocation-status.ts'
import { hexOf } from '../../pki/bytes.ts'
import type { CertificateChain } from '../../pki/pades/pades-report.ts'
import type { ValidationData } from '../../pki/pades/pades-validation-data.ts'

// The work of revocation-http.ts that takes processor time: it verifies what anybody may send. It runs in a thread of its own.

/** A certificate and its issuer, on a path to an anchor. */
type LinkParts = {
  certificate: Uint8Array
  issuer: Uint8Array
  /** The latest time for which the certificate's status is asked. */
  at: Date
}
export type JudgedLink = LinkParts & {
  /** Whether the certificate can be revoked: it cannot if it is too short-lived. */
  needsEvidence: boolean
  notAfter: Date
  /** The addresses of OCSP responders, as the certificate has them. */
  ocspUrls: string[]
  /** The addresses of revocation lists, as the certificate has them. */
  crlUrls: string[]
  /** The request to the OCSP responders. */
  request: Uint8Array<ArrayBuffer>
}

export type Links = {
  links: JudgedLink[]
  /** The certificates of all paths. */
  certificates: Uint8Array[]
  /** Whether each chain leads to an anchor. */
  isTrusted: boolean
}

export type Evidence = { kind: 'ocsps' | 'crls'; der: Uint8Array }

/** The verdict on evidence that is valid now. */
export type Verdict = {
  issuedAt: Date
  /** Whether the evidence decides the status at the time in question. */
  isSince: boolean
  /** Whether the status is good now. */
  isGood: boolean
}

export type RevocationTasks = {
  findLinks: (task: { chains: readonly CertificateChain[]; anchors: TrustAnchor[]; pool: Uint8Array[] }) => Links
  judge: (task: {
    link: LinkParts
    evidence: Evidence[]
    responders: Uint8Array[]
    now: Date
  }) => (Verdict | undefined)[]
  isProven: (task: { links: readonly LinkParts[]; data: ValidationData }) => boolean
}

/**
 * Returns the number of verifications for all chains together, which have a few signatures each; a stranger may send eight
 * (limits.revocation).
 */
const verificationsOf = (chains: readonly CertificateChain[]) => 3 * Math.max(8, chains.length)

/**
 * Finds the links of all chains in one search, so that its cost does not grow with their number. `pool`: certificates that belong to no
 * chain.
 */
export const findLinks: RevocationTasks['findLinks'] = ({ chains, anchors, pool }) => {
  const read = certificateReader()
  const search = openSearch(verificationsOf(chains))
  const listed = pool.flatMap((der) => read(der) ?? [])
  const paths = chains.map(({ path, at }) => {
    const [target, ...above] = path.map(read)
    return (
      target && pathOf(target, { pool: [...above.flatMap((issuer) => issuer ?? []), ...listed], anchors, at, search })
    )
  })
  const links = new Map<PathCertificate, JudgedLink>()
  for (const [chain, path = []] of paths.entries())
    for (const [index, certificate] of path.entries()) {
      const issuer = path[index + 1]
      const { at } = chains[chain]!
      const before = links.get(certificate)
      if (issuer && (!before || before.at < at)) links.set(certificate, linkOf(certificate, issuer, at))
    }
  return {
    links: [...links.values()],
    certificates: [...new Map(paths.flatMap((path = []) => path).map(({ der }) => [hexOf(der), der])).values()],
    isTrusted: !paths.includes(undefined),
  }
}

/**
 * Creates a reader that returns the same object for the same bytes, so that a search knows what it has verified; undefined for unreadable
 * ones, which prove nothing.
 */
function certificateReader() {
  const known = new Map<string, PathCertificate | undefined>()
  return (der: Uint8Array) => {
    const key = hexOf(der)
    if (!known.has(key)) known.set(key, certificatePool([der])[0])
    return known.get(key)
  }
}

/**
 * Finds the path to an anchor at the given time. The check of the file has already considered the anchors' purposes, and when they were
 * granted to issue.
 */
function pathOf(
  target: PathCertificate,
  { anchors, ...where }: { pool: PathCertificate[]; anchors: TrustAnchor[]; at: Date; search: PathSearch },
) {
  // The operator's own anchors first: a listed authority may be below them, and whoever trusts only these needs evidence about it too.
  const own = anchors.filter(({ purposes }) => !purposes)
  const everywhere = anchors.map(({ purposes: _, ...anchor }) => anchor)
  const pathBy = (some: TrustAnchor[]) => findPath(target, { ...where, anchors: some, purpose: 'timestamps' }).path
  return pathBy(own) ?? pathBy(everywhere)
}

function linkOf(certificate: PathCertificate, issuer: PathCertificate, at: Date): JudgedLink {
  return {
    certificate: certificate.der,
    issuer: issuer.der,
    at,
    needsEvidence: needsNewerEvidence(revocationStatus(certificate, issuer, at, { ocsps: [], crls: [] })),
    notAfter: certificate.notAfter,
    ...addressesIn(certificate.der),
    request: writeOcspRequest(certificate, issuer),
  }
}

function addressesIn(der: Uint8Array) {
  try {
    const { ocspUrls, crlUrls } = readCertificate(der)
    return { ocspUrls, crlUrls }
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error
    return { ocspUrls: [], crlUrls: [] }
  }
}

/** Returns the verdict of each piece of evidence on a certificate, now and at the time in question; undefined for invalid evidence. */
export const judge: RevocationTasks['judge'] = ({ link, evidence, responders, now }) => {
  const [certificate, issuer] = [readPathCertificate(link.certificate), readPathCertificate(link.issuer)]
  return evidence.map(({ kind, der }) => {
    const statusAt = (when: Date) =>
      revocationStatus(certificate, issuer, when, { ocsps: [], crls: [], responders, now, [kind]: [der] })
    const current = statusAt(now)
    if (current.status === 'unknown' || !current.source) return undefined
    const decidesStatus = !needsNewerEvidence(statusAt(link.at))
    return { issuedAt: current.source.issuedAt, isSince: decidesStatus, isGood: current.status === 'good' }
  })
}

/**
 * Checks whether the data prove that every certificate was good at its time. A revocation after signing does not make the evidence about
 * the signature less complete.
 */
export const isProven: RevocationTasks['isProven'] = ({ links, data }) =>
  links.every(({ certificate, issuer, at }) => {
    const status = revocationStatus(readPathCertificate(certificate), readPathCertificate(issuer), at, data)
    return status.status === 'good'
  })
