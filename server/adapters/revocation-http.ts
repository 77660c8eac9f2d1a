import { createHash } from 'node:crypto'
import type { LookupAddress } from 'node:dns'
import { availableParallelism } from 'node:os'
import { Piscina } from 'piscina'
import { limits } from '../../contract/limits.ts'
import type { TrustAnchor } from '../../pki/asn1/certificate-path.ts'
import { wholeSeconds } from '../../pki/asn1/der.ts'
import { namesIn } from '../../pki/asn1/path-certificate.ts'
import { hexOf } from '../../pki/bytes.ts'
import type { CertificateChain } from '../../pki/pades/pades-report.ts'
import type { Trust } from '../platform/pdf/pdf-work.ts'
import type { RevocationPort } from '../platform/ports.ts'
import { AnswerTooLarge, callOutRaw, openCircuit } from './outgoing.ts'
import type { Evidence, JudgedLink, RevocationTasks, Verdict } from './revocation-judging.ts'

type Options = {
  /** Returns the operator's trust anchors. Addresses in other certificates are not called. */
  trust: () => Promise<Trust>
  /** Hosts in the operator's own network that certificates may name, as `host` or `host:port`. */
  hosts: readonly string[]
  timeoutMs?: number
  resolve?: (host: string) => Promise<LookupAddress[]>
}

/**
 * Time for which an answer that was fetched after the time in question is not fetched again, in milliseconds: many files are checked at the
 * same time.
 */
const refetchAfterMs = 1000

/** Additional time in which the last fetched evidence may still be judged, in milliseconds. */
const judgingGraceMs = 5000

/** The most addresses of each kind in one certificate. */
const maxAddresses = 2

const { revocation: bounds } = limits

/**
 * Creates the adapter for OCSP (RFC 6960, RFC 5019) and revocation lists (RFC 5280) over HTTP, from the addresses in the certificates
 * (R104).
 */
export function revocationByHttp({ trust, ...options }: Options): RevocationPort {
  const cache = boundedCache(bounds.cachedBytes)
  const sourcesOf = openSources(options)

  /**
   * Returns a source's valid answer, cached or fetched. Invalid answers are not cached, because anybody on the network may have written
   * them, or sent an older one again. An answer from before the second of `at` is fetched again at once: it cannot prove a signature made
   * then (R105). Answers have whole seconds.
   */
  async function fetchNewest(
    { kind, key, fetch }: Source,
    judge: Judge,
    { at, now }: { at: Date; now: Date },
  ): Promise<JudgedEvidence | undefined> {
    const before = cache.get(key)
    const [known] = before ? await judge([{ kind, der: before.der }]) : []
    const isRecent = before && before.at >= wholeSeconds(at) && now.getTime() - before.at.getTime() < refetchAfterMs
    if (known && (known.isSince || isRecent)) return known
    const der = await fetch()
    const [fetched] = der ? await judge([{ kind, der }]) : []
    if (!fetched) return known
    const answer = newestOf([fetched, ...(known ? [known] : [])])!
    cache.set(key, { der: answer.der, at: now })
    return answer
  }

  /**
   * Finds the first valid evidence since the time in question. The newest evidence from before it counts only if no other can be obtained:
   * the certificate may have been revoked or suspended since (R256).
   */
  async function findEvidence(
    link: JudgedLink,
    believed: Trust,
    allowance: Allowance,
  ): Promise<JudgedEvidence | undefined> {
    if (!link.needsEvidence) return undefined
    const { now } = allowance
    const { responders = [], ocsps = [], crls = [] } = believed
    const judge: Judge = async (evidence) => {
      const verdicts = evidence.length
        ? await runInThread('judge', { link, evidence, responders, now }, allowance.until + judgingGraceMs)
        : undefined
      return evidence.flatMap((each, i) => (verdicts?.[i] ? { ...each, ...verdicts[i] } : []))
    }
    const found = await judge([
      ...ocsps.map((der) => ({ kind: 'ocsps' as const, der })),
      ...crls.map((der) => ({ kind: 'crls' as const, der })),
    ])
    const current = found.find(({ isSince }) => isSince)
    if (current) return current
    // Authorities drop expired certificates from their lists, so nothing is fetched for them (RFC 5280 §3.3).
    const sources = link.notAfter < now ? [] : sourcesOf(link, allowance)
    for (const source of sources) {
      const answer = await fetchNewest(source, judge, { at: link.at, now })
      if (answer && isEnough(answer, now)) return answer
      if (answer) found.push(answer)
    }
    return newestOf(found)
  }

  return {
    async collectEvidence(chains, now) {
      const believed = await trust()
      const allowance = { now, until: performance.now() + bounds.totalTime * 1000, calls: bounds.calls }
      const given = chains.map(({ path, at }) => ({ path: path.slice(0, bounds.pathLength), at }))
      const found = await runInThread('findLinks', { chains: given, ...listedFor(given, believed) }, allowance.until)
      const { links, certificates, isTrusted } = found ?? { links: [], certificates: [], isTrusted: false }
      const evidence: (JudgedEvidence | undefined)[] = []
      // One after another, so that they share fetched answers and the allowance.
      for (const link of links.slice(0, bounds.certificates))
        evidence.push(await findEvidence(link, believed, allowance))
      const dersOf = (kind: Evidence['kind']) => [
        ...new Set(evidence.flatMap((each) => (each?.kind === kind ? [each.der] : []))),
      ]
      const data = { certificates, ocsps: dersOf('ocsps'), crls: dersOf('crls') }
      const isProven = isTrusted && (await runInThread('isProven', { links, data }, performance.now() + judgingGraceMs))
      return { data, isComplete: isProven === true }
    },
  }
}

/** Calls the responders and fetches the lists that a certificate names. */
function openSources({ hosts, timeoutMs = bounds.callTimeout * 1000, resolve }: Omit<Options, 'trust'>) {
  const guarded = circuitsByHost()

  /** Calls an address; undefined if it is unreachable or the allowance is used up. */
  async function call(url: URL, options: CallOptions, allowance: Allowance) {
    const left = allowance.until - performance.now()
    if (allowance.calls-- <= 0 || left <= 0) return undefined
    // Timers need whole milliseconds.
    const limited = { url, ...options, timeoutMs: Math.min(timeoutMs, Math.ceil(left)), signedObject: { hosts } }
    const answer = await guarded(url.host, () => callOutRaw(limited, resolve).catch(unlessTooLarge))
    return answer === 'unreachable' ? undefined : answer
  }

  const bodyOf = (answer: { status: number; body: Uint8Array } | undefined) =>
    answer?.status === 200 ? new Uint8Array(answer.body) : undefined

  const fetchList = async (url: URL, allowance: Allowance) =>
    bodyOf(await call(url, { method: 'GET', maxBytes: bounds.listBytes }, allowance))

  /** Uses POST only if the responder does not support GET. */
  async function queryResponder(url: URL, request: Uint8Array, allowance: Allowance) {
    const got = getUrl(url, request)
    if (got) {
      const answer = await call(got, { method: 'GET', maxBytes: bounds.ocspBytes }, allowance)
      if (!answer || answer.status === 200) return bodyOf(answer)
    }
    const headers = { 'content-type': 'application/ocsp-request' }
    return bodyOf(await call(url, { method: 'POST', maxBytes: bounds.ocspBytes, headers, body: request }, allowance))
  }

  return ({ request, ...link }: JudgedLink, allowance: Allowance): Source[] => [
    ...usable(link.ocspUrls).map((url) => ({
      kind: 'ocsps' as const,
      key: keyOf(url, request),
      fetch: () => queryResponder(url, request, allowance),
    })),
    ...usable(link.crlUrls).map((url) => ({
      kind: 'crls' as const,
      key: keyOf(url),
      fetch: () => fetchList(url, allowance),
    })),
  ]
}

type Source = Pick<Evidence, 'kind'> & { key: string; fetch: () => Promise<Uint8Array | undefined> }
type JudgedEvidence = Evidence & Verdict
/** A function that judges evidence, and leaves out what is invalid. */
type Judge = (evidence: Evidence[]) => Promise<JudgedEvidence[]>

/** Decides whether evidence is enough, which a “good” issued just now is too. */
const isEnough = ({ isSince, isGood, issuedAt }: JudgedEvidence, now: Date) =>
  isSince || (isGood && now.getTime() - issuedAt.getTime() < refetchAfterMs)

const newestOf = (all: JudgedEvidence[]) => all.toSorted((a, b) => b.issuedAt.getTime() - a.issuedAt.getTime())[0]

/**
 * The threads that verify what anybody may send: one core stays free for requests (R264). They are started when they are needed, and
 * are those of the process, whatever number of ports it has.
 */
let threads: Piscina | undefined
const maxWaiting = 64
const openThreads = () =>
  (threads ??= new Piscina({
    filename: new URL('./revocation-thread.ts', import.meta.url).href,
    maxThreads: Math.max(1, availableParallelism() - 1),
    // With none, a thread that has ended is not replaced, and waiting tasks stay in the queue.
    minThreads: 1,
    idleTimeout: 60_000,
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  }))

/** Runs a task in a thread. Undefined if it is not done in time, which ends the thread, or if too many tasks wait. */
async function runInThread<Name extends keyof RevocationTasks>(
  name: Name,
  task: Parameters<RevocationTasks[Name]>[0],
  until: number,
): Promise<ReturnType<RevocationTasks[Name]> | undefined> {
  const pool = openThreads()
  const left = Math.ceil(until - performance.now())
  if (left <= 0 || pool.queueSize >= maxWaiting) return undefined
  try {
    return (await pool.run(task, { name, signal: AbortSignal.timeout(left) })) as ReturnType<RevocationTasks[Name]>
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') return undefined
    throw error
  }
}

/** The subject of each certificate of the lists, which are the same objects while a list is. */
const subjects = new WeakMap<Uint8Array, string>()

function subjectOf(der: Uint8Array): string {
  const known = subjects.get(der) ?? hexOf(namesIn(der)?.subject ?? new Uint8Array())
  subjects.set(der, known)
  return known
}

/** The most certificates of lists for one request. */
const maxListed = 500

/**
 * Returns the certificates of the lists for these chains: those whose subject is a name in the chains, and those of their issuers in turn.
 */
function listedFor(chains: readonly CertificateChain[], believed: Trust) {
  const anchorsBySubject = Map.groupBy(believed.anchors, ({ certificate }) => subjectOf(certificate))
  const poolBySubject = Map.groupBy(believed.intermediates ?? [], subjectOf)
  const anchors: TrustAnchor[] = []
  const pool: Uint8Array[] = []
  const given = chains.flatMap(({ path }) => path.flatMap((der) => namesIn(der) ?? []))
  const names = new Set(given.flatMap(({ issuer, subject }) => [hexOf(issuer), hexOf(subject)]))
  for (const name of names) {
    if (anchors.length + pool.length > maxListed) break
    anchors.push(...(anchorsBySubject.get(name) ?? []))
    for (const der of poolBySubject.get(name) ?? []) {
      pool.push(der)
      names.add(hexOf(namesIn(der)!.issuer))
    }
  }
  return { anchors, pool }
}

/** Time and calls that are left for one file. */
type Allowance = { now: Date; until: number; calls: number }
type CallOptions = { method: 'GET' | 'POST'; maxBytes: number; headers?: Record<string, string>; body?: Uint8Array }

/** Treats a list that is too large as an answer: its host can be reached, and may answer by OCSP. */
const unlessTooLarge = (error: unknown) =>
  error instanceof AnswerTooLarge ? { status: 413, body: new Uint8Array() } : ('unreachable' as const)

const usable = (urls: string[]) =>
  urls
    .filter((url) => url.length <= limits.http.urlBytes && URL.canParse(url))
    .map((url) => new URL(url))
    .filter(({ protocol, username, password }) => /^https?:$/.test(protocol) && !username && !password)
    .slice(0, maxAddresses)

/**
 * Returns the address of a GET request, which small requests use, so that proxies can cache the answers (RFC 5019 §5; RFC 6960 appendix A).
 */
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

type CachedAnswer = {
  der: Uint8Array
  /** The time at which the answer was fetched. */
  at: Date
}

/** Creates a cache of the newest valid answers, limited by bytes. */
function boundedCache(most: number) {
  const entries = new Map<string, CachedAnswer>()
  let bytes = 0
  const drop = (key: string) => {
    bytes -= entries.get(key)?.der.length ?? 0
    entries.delete(key)
  }
  return {
    get: (key: string) => entries.get(key),
    set(key: string, value: CachedAnswer) {
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
