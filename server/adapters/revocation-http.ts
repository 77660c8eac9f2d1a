import { createHash } from 'node:crypto'
import type { LookupAddress } from 'node:dns'
import { limits } from '../../contract/limits.ts'
import { CertificateError, readCertificate } from '../../pki/asn1/certificate.ts'
import { findPath, type TrustAnchor } from '../../pki/asn1/certificate-path.ts'
import { writeOcspRequest } from '../../pki/asn1/ocsp-request.ts'
import type { CertificateChain } from '../../pki/pades/pades-report.ts'
import { certificatePool, type PathCertificate } from '../../pki/asn1/path-certificate.ts'
import { isOpen, revocationStatus } from '../../pki/asn1/revocation-status.ts'
import type { Trust } from '../platform/pdf/pdf-work.ts'
import { openCircuit } from './circuit.ts'
import { callOutRaw } from './outgoing.ts'
import type { RevocationEvidence, RevocationPort } from '../platform/ports.ts'

type Options = {
  /** The operator's trust anchors. Addresses in other certificates are not called. */
  trust: () => Promise<Trust>
  /** Hosts in the operator's own network that certificates may name, as `host` or `host:port`. */
  hosts: readonly string[]
  timeoutMs?: number
  resolve?: (host: string) => Promise<LookupAddress[]>
}

/** A certificate and its issuer, on a path to an anchor. `at`: the latest time for which its status is asked. */
type Link = { certificate: PathCertificate; issuer: PathCertificate; at: Date }
type Kind = 'ocsps' | 'crls'
type Evidence = { kind: Kind; der: Uint8Array }

/** So long an answer is not fetched again, in milliseconds: many files are signed and checked at the same time. */
const recent = 60_000

/** The most addresses of each kind in one certificate. */
const maxAddresses = 2

const { revocation: bounds } = limits

/** OCSP (RFC 6960, RFC 5019) and revocation lists (RFC 5280) over HTTP, from the addresses in the certificates (R104). */
export function revocationByHttp({ trust, hosts, timeoutMs = bounds.call * 1000, resolve }: Options): RevocationPort {
  const kept = boundedCache(bounds.kept)
  const guarded = circuitsByHost()

  /** The answer; undefined also if the allowance is used up. */
  async function call(url: URL, options: CallOptions, allowance: Allowance) {
    const left = allowance.until - performance.now()
    if (allowance.calls-- <= 0 || left <= 0) return undefined
    // Timers need whole milliseconds.
    const limited = { url, ...options, timeoutMs: Math.min(timeoutMs, Math.ceil(left)), signedObject: { hosts } }
    const answer = await guarded(url.host, () => callOutRaw(limited, resolve).catch(() => 'unreachable' as const))
    return answer === 'unreachable' ? undefined : answer
  }

  const bodyOf = (answer: { status: number; body: Uint8Array } | undefined) =>
    answer?.status === 200 ? new Uint8Array(answer.body) : undefined

  const fetchList = async (url: URL, allowance: Allowance) =>
    bodyOf(await call(url, { method: 'GET', maxBytes: bounds.list }, allowance))

  /** Uses POST only if the responder does not support GET. */
  async function queryResponder(url: URL, request: Uint8Array, allowance: Allowance) {
    const got = getUrl(url, request)
    if (got) {
      const answer = await call(got, { method: 'GET', maxBytes: bounds.ocsp }, allowance)
      if (!answer || answer.status === 200) return bodyOf(answer)
    }
    const headers = { 'content-type': 'application/ocsp-request' }
    return bodyOf(await call(url, { method: 'POST', maxBytes: bounds.ocsp, headers, body: request }, allowance))
  }

  function sourcesOf({ certificate, issuer }: Link, allowance: Allowance): Source[] {
    const request = writeOcspRequest(certificate, issuer)
    const { ocspUrls, crlUrls } = addressesOf(certificate)
    return [
      ...ocspUrls.map((url) => ({
        kind: 'ocsps' as const,
        key: keyOf(url, request),
        fetch: () => queryResponder(url, request, allowance),
      })),
      ...crlUrls.map((url) => ({
        kind: 'crls' as const,
        key: keyOf(url),
        fetch: () => fetchList(url, allowance),
      })),
    ]
  }

  /** Invalid answers are not cached, because anybody on the network may have written them, or sent an older one again. */
  async function answerOf({ kind, key, fetch }: Source, judge: Judge, now: Date): Promise<Evidence | undefined> {
    const before = kept.get(key)
    const known = before && judge.newest([{ kind, der: before.der }])
    if (before && known && (judge.isEnough(known) || now.getTime() - before.at.getTime() < recent)) return known
    const der = await fetch()
    const fetched = der && judge.newest([{ kind, der }])
    if (!fetched) return known
    const answer = judge.newest([fetched, ...(known ? [known] : [])])!
    kept.set(key, { der: answer.der, at: now })
    return answer
  }

  /**
   * The first valid evidence since the time that is asked about. The newest from before it counts only where no other can be had:
   * the certificate may have been stopped since (R256).
   */
  async function evidenceFor(link: Link, believed: Trust, allowance: Allowance): Promise<Evidence | undefined> {
    const { now } = allowance
    // It is too short-lived to be revoked.
    if (!isOpen(revocationStatus(link.certificate, link.issuer, link.at, { ocsps: [], crls: [] }))) return undefined
    const judge = judgeOf(link, believed, now)
    const found = [...evidencesOf('ocsps', believed.ocsps), ...evidencesOf('crls', believed.crls)]
    const current = found.find(judge.isSince)
    if (current) return current
    // Authorities drop expired certificates from their lists, so nothing is fetched for them (RFC 5280 §3.3).
    const sources = link.certificate.notAfter < now ? [] : sourcesOf(link, allowance)
    for (const source of sources) {
      const answer = await answerOf(source, judge, now)
      if (answer && judge.isEnough(answer)) return answer
      if (answer) found.push(answer)
    }
    return judge.newest(found)
  }

  return {
    async evidenceOf(chains, now) {
      const believed = await trust()
      const allowance = { now, until: performance.now() + bounds.together * 1000, calls: bounds.calls }
      const paths = chains.map((chain) => pathOf(chain, believed))
      const links = linksOf(paths, chains)
      const found: (Evidence | undefined)[] = []
      // One after another, so that they share fetched answers and the allowance.
      for (const link of links.slice(0, bounds.certificates)) found.push(await evidenceFor(link, believed, allowance))
      return evidenceIn(paths, links, found)
    },
  }
}

type Source = Pick<Evidence, 'kind'> & { key: string; fetch: () => Promise<Uint8Array | undefined> }
type Judge = ReturnType<typeof judgeOf>

/** What evidence says of a certificate, now and at the time that is asked about. */
function judgeOf({ certificate, issuer, at }: Link, { responders = [] }: Trust, now: Date) {
  const statusBy = ({ kind, der }: Evidence, when: Date) =>
    revocationStatus(certificate, issuer, when, { ocsps: [], crls: [], responders, [kind]: [der] })
  const issuedAt = (evidence: Evidence) => {
    const status = statusBy(evidence, now)
    return status.status === 'unknown' ? undefined : status.source?.issuedAt.getTime()
  }
  const isSince = (evidence: Evidence) => issuedAt(evidence) !== undefined && !isOpen(statusBy(evidence, at))
  return {
    isSince,
    /** Also a “good” that was issued just now. */
    isEnough: (evidence: Evidence) =>
      isSince(evidence) ||
      (statusBy(evidence, now).status === 'good' && now.getTime() - (issuedAt(evidence) ?? 0) < recent),
    /** Of those that are valid. */
    newest: (all: Evidence[]) =>
      all.filter((evidence) => issuedAt(evidence) !== undefined).toSorted((a, b) => issuedAt(b)! - issuedAt(a)!)[0],
  }
}

/** What is left for one file. */
type Allowance = { now: Date; until: number; calls: number }
type CallOptions = { method: 'GET' | 'POST'; maxBytes: number; headers?: Record<string, string>; body?: Uint8Array }

/** The path from the certificate to an anchor, at the given time; undefined if there is no path or no readable certificate. */
function pathOf({ path: given, at }: CertificateChain, { anchors, intermediates = [] }: Trust) {
  const [target, ...above] = certificatePool(given.slice(0, bounds.pathLength))
  if (!target) return undefined
  // The check of the file has already considered the anchors' purposes, and when they were granted to issue.
  const everywhere = anchors.map(({ purposes: _, ...anchor }) => anchor)
  const pool = [...above, ...certificatePool(intermediates)]
  // The operator's own anchors first: a listed authority may be below them, and whoever trusts only these needs evidence about it too.
  const own = anchors.filter(({ purposes }) => !purposes)
  const pathBy = (some: TrustAnchor[]) => findPath(target, { pool, anchors: some, purpose: 'timestamps', at }).path
  return pathBy(own) ?? pathBy(everywhere)
}

type Path = ReturnType<typeof pathOf>

function linksOf(paths: Path[], chains: readonly CertificateChain[]): Link[] {
  const links = new Map<string, Link>()
  for (const [chain, path] of paths.entries())
    for (const [index, certificate] of (path ?? []).entries()) {
      const issuer = path?.[index + 1]
      const { at } = chains[chain]!
      const key = sha256(certificate.der)
      const before = links.get(key)
      if (issuer && (!before || before.at < at)) links.set(key, { certificate, issuer, at })
    }
  return [...links.values()]
}

function evidenceIn(paths: Path[], links: Link[], found: (Evidence | undefined)[]): RevocationEvidence {
  const dersOf = (kind: Kind) => [
    ...new Set(found.flatMap((evidence) => (evidence?.kind === kind ? [evidence.der] : []))),
  ]
  const certificates = new Map(paths.flatMap((path) => path ?? []).map(({ der }) => [sha256(der), der]))
  const data = { certificates: [...certificates.values()], ocsps: dersOf('ocsps'), crls: dersOf('crls') }
  // Whoever revokes a certificate after signing does not make the evidence about the signature less complete.
  const isGood = ({ certificate, issuer, at }: Link) =>
    revocationStatus(certificate, issuer, at, data).status === 'good'
  return { data, isComplete: paths.every((path) => path !== undefined) && links.every(isGood) }
}

const evidencesOf = (kind: Kind, ders: Uint8Array[] = []): Evidence[] => ders.map((der) => ({ kind, der }))

function addressesOf({ der }: PathCertificate) {
  try {
    const { ocspUrls, crlUrls } = readCertificate(der)
    return { ocspUrls: usable(ocspUrls), crlUrls: usable(crlUrls) }
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error
    return { ocspUrls: [], crlUrls: [] }
  }
}

const usable = (urls: string[]) =>
  urls
    .filter((url) => url.length <= limits.http.urlBytes && URL.canParse(url))
    .map((url) => new URL(url))
    .filter(({ protocol, username, password }) => /^https?:$/.test(protocol) && !username && !password)
    .slice(0, maxAddresses)

/** RFC 5019 §5: small requests use GET, so that proxies can cache the answers; RFC 6960 appendix A. */
function getUrl(url: URL, request: Uint8Array): URL | undefined {
  if (url.search) return undefined
  const address = `${url.href.replace(/\/$/, '')}/${encodeURIComponent(Buffer.from(request).toString('base64'))}`
  return address.length <= 255 ? new URL(address) : undefined
}

const sha256 = (...parts: (Uint8Array | string)[]) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('base64')
}
const keyOf = ({ href }: URL, request = new Uint8Array()) => sha256(href, '\n', request)

/** `at`: when it was fetched. */
type Kept = { der: Uint8Array; at: Date }

/** A cache of the newest valid answers, limited by bytes. */
function boundedCache(most: number) {
  const entries = new Map<string, Kept>()
  let bytes = 0
  const drop = (key: string) => {
    bytes -= entries.get(key)?.der.length ?? 0
    entries.delete(key)
  }
  return {
    get: (key: string) => entries.get(key),
    set(key: string, value: Kept) {
      drop(key)
      entries.set(key, value)
      bytes += value.der.length
      for (const oldest of entries.keys()) {
        if (bytes <= most) break
        drop(oldest)
      }
    },
  }
}

/** The most hosts with a circuit breaker; only trusted authorities name any. */
const maxHosts = 200

function circuitsByHost() {
  const circuits = new Map<string, ReturnType<typeof openCircuit>>()
  return <R>(host: string, call: () => Promise<R>): Promise<R | 'unreachable'> => {
    const circuit = circuits.get(host) ?? openCircuit()
    circuits.delete(host)
    circuits.set(host, circuit)
    for (const oldest of circuits.keys()) {
      if (circuits.size <= maxHosts) break
      circuits.delete(oldest)
    }
    return circuit(call)()
  }
}
