import { createHash } from 'node:crypto'
import type { LookupAddress } from 'node:dns'
import { limits } from '../../contract/limits.ts'
import { CertificateError, readCertificate } from '../../pki/certificate.ts'
import { findPath } from '../../pki/certificate-path.ts'
import { writeOcspRequest } from '../../pki/ocsp-request.ts'
import type { CertificateChain } from '../../pki/pades-report.ts'
import { certificatePool, type PathCertificate } from '../../pki/path-certificate.ts'
import { revocationStatus } from '../../pki/revocation-status.ts'
import type { Trust } from '../pdf-work.ts'
import { openCircuit } from './circuit.ts'
import { callOutRaw } from './outgoing.ts'
import type { RevocationEvidence, RevocationPort } from './ports.ts'

type Options = {
  /** Whom the operator believes. No address is called that a certificate of somebody else names. */
  trust: () => Promise<Trust>
  /** Hosts in the operator's own network that certificates may name, as `host` or `host:port`. */
  hosts: readonly string[]
  timeoutMs?: number
  resolve?: (host: string) => Promise<LookupAddress[]>
}

/** A certificate and who has issued it; both belong to a path that leads to an anchor. */
type Link = { certificate: PathCertificate; issuer: PathCertificate }
type Kind = 'ocsps' | 'crls'
type Evidence = { kind: Kind; der: Uint8Array }

/** Of each kind, in one certificate. */
const mostAddresses = 2

const { revocation: bounds } = limits

/** OCSP (RFC 6960, RFC 5019) and revocation lists (RFC 5280) over HTTP, from the addresses in the certificates (R104). */
export function revocationByHttp({ trust, hosts, timeoutMs = bounds.call * 1000, resolve }: Options): RevocationPort {
  const kept = boundedCache(bounds.kept)
  const guarded = circuitsByHost()

  /** The answer, or nothing: also for what is not worth waiting for any more. */
  async function call(url: URL, asked: Asked, errand: Errand) {
    const left = errand.until - performance.now()
    if (errand.calls-- <= 0 || left <= 0) return undefined
    // A timer takes whole milliseconds only.
    const limited = { url, ...asked, timeoutMs: Math.min(timeoutMs, Math.ceil(left)), signedObject: { hosts } }
    const answer = await guarded(url.host, () => callOutRaw(limited, resolve).catch(() => 'unreachable' as const))
    return answer === 'unreachable' ? undefined : answer
  }

  const bodyOf = (answer: { status: number; body: Uint8Array } | undefined) =>
    answer?.status === 200 ? new Uint8Array(answer.body) : undefined

  const fetchList = async (url: URL, errand: Errand) =>
    bodyOf(await call(url, { method: 'GET', maxBytes: bounds.list }, errand))

  /** By POST only if the responder has answered that it knows no GET. */
  async function askResponder(url: URL, request: Uint8Array, errand: Errand) {
    const got = getUrl(url, request)
    if (got) {
      const answer = await call(got, { method: 'GET', maxBytes: bounds.ocsp }, errand)
      if (!answer || answer.status === 200) return bodyOf(answer)
    }
    const headers = { 'content-type': 'application/ocsp-request' }
    return bodyOf(await call(url, { method: 'POST', maxBytes: bounds.ocsp, headers, body: request }, errand))
  }

  /** The first evidence that counts now; what does not is forgotten at once, for anybody on the way may have written it. */
  async function evidenceFor(link: Link, believed: Trust, errand: Errand): Promise<Evidence | undefined> {
    const counts = ({ kind, der }: Evidence) => {
      const all = { ocsps: [], crls: [], responders: believed.responders ?? [], [kind]: [der] }
      return revocationStatus(link.certificate, link.issuer, errand.now, all).status !== 'unknown'
    }
    const given = [...evidencesOf('ocsps', believed.ocsps), ...evidencesOf('crls', believed.crls)].find(counts)
    // What is said of a certificate after its end says nothing: authorities forget it then (RFC 5280 §3.3).
    if (given || link.certificate.notAfter < errand.now) return given
    const request = writeOcspRequest(link.certificate, link.issuer)
    const { ocspUrls, crlUrls } = addressesOf(link.certificate)
    const sources = [
      ...ocspUrls.map((url) => ({
        kind: 'ocsps' as const,
        key: keyOf(url, request),
        fetch: () => askResponder(url, request, errand),
      })),
      ...crlUrls.map((url) => ({
        kind: 'crls' as const,
        key: keyOf(url),
        fetch: () => fetchList(url, errand),
      })),
    ]
    for (const { kind, key, fetch } of sources) {
      const before = kept.get(key)
      if (before && counts({ kind, der: before })) return { kind, der: before }
      const der = await fetch()
      if (!der || !counts({ kind, der })) continue
      kept.set(key, der)
      return { kind, der }
    }
    return undefined
  }

  return {
    async evidenceOf(chains, now) {
      const believed = await trust()
      const errand = { now, until: performance.now() + bounds.together * 1000, calls: bounds.calls }
      const paths = chains.map((chain) => pathOf(chain, believed))
      const links = linksOf(paths)
      const found: (Evidence | undefined)[] = []
      // One after another, so that what one has fetched serves the next, and calls are counted.
      for (const link of links.slice(0, bounds.certificates)) found.push(await evidenceFor(link, believed, errand))
      return evidenceIn(paths, links, found, errand.now)
    },
  }
}

/** What one file may cost. */
type Errand = { now: Date; until: number; calls: number }
type Asked = { method: 'GET' | 'POST'; maxBytes: number; headers?: Record<string, string>; body?: Uint8Array }

/** From the certificate to an anchor, at the time that counts; undefined where none leads there, or what is given cannot be read. */
function pathOf({ path: given, at }: CertificateChain, { anchors, intermediates = [] }: Trust) {
  const [target, ...above] = certificatePool(given.slice(0, bounds.pathLength))
  if (!target) return undefined
  // What an anchor is believed for was asked when the file was judged.
  const everywhere = anchors.map(({ purposes: _, ...anchor }) => anchor)
  const pool = [...above, ...certificatePool(intermediates)]
  return findPath(target, { pool, anchors: everywhere, purpose: 'signatures', at }).path
}

type Path = ReturnType<typeof pathOf>

function linksOf(paths: Path[]): Link[] {
  const links = new Map<string, Link>()
  for (const path of paths)
    for (const [index, certificate] of (path ?? []).slice(0, -1).entries())
      links.set(sha256(certificate.der), { certificate, issuer: path![index + 1]! })
  return [...links.values()]
}

function evidenceIn(paths: Path[], links: Link[], found: (Evidence | undefined)[], now: Date): RevocationEvidence {
  const of = (kind: Kind) => [...new Set(found.flatMap((one) => (one?.kind === kind ? [one.der] : [])))]
  const certificates = new Map(paths.flatMap((path) => path ?? []).map(({ der }) => [sha256(der), der]))
  const data = { certificates: [...certificates.values()], ocsps: of('ocsps'), crls: of('crls') }
  const isGood = ({ certificate, issuer }: Link) => revocationStatus(certificate, issuer, now, data).status === 'good'
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
    .slice(0, mostAddresses)

/** RFC 5019 §5: small requests are asked by GET, so that answers on the way can be kept; RFC 6960 appendix A. */
function getUrl(url: URL, request: Uint8Array): URL | undefined {
  if (url.search) return undefined
  const asked = `${url.href.replace(/\/$/, '')}/${encodeURIComponent(Buffer.from(request).toString('base64'))}`
  return asked.length <= 255 ? new URL(asked) : undefined
}

const sha256 = (...parts: (Uint8Array | string)[]) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('base64')
}
const keyOf = ({ href }: URL, request = new Uint8Array()) => sha256(href, '\n', request)

/** Answers that counted when they came, the newest ones up to so many bytes. */
function boundedCache(most: number) {
  const held = new Map<string, Uint8Array>()
  let bytes = 0
  const drop = (key: string) => {
    bytes -= held.get(key)?.length ?? 0
    held.delete(key)
  }
  return {
    get: (key: string) => held.get(key),
    set(key: string, value: Uint8Array) {
      drop(key)
      held.set(key, value)
      bytes += value.length
      for (const oldest of held.keys()) {
        if (bytes <= most) break
        drop(oldest)
      }
    },
  }
}

/** Hosts that are remembered as being away; only authorities that the operator believes name any. */
const mostHosts = 200

function circuitsByHost() {
  const circuits = new Map<string, ReturnType<typeof openCircuit>>()
  return <R>(host: string, ask: () => Promise<R>): Promise<R | 'unreachable'> => {
    const circuit = circuits.get(host) ?? openCircuit()
    circuits.delete(host)
    circuits.set(host, circuit)
    for (const oldest of circuits.keys()) {
      if (circuits.size <= mostHosts) break
      circuits.delete(oldest)
    }
    return circuit(ask)()
  }
}
