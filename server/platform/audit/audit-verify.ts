import { sql } from 'kysely'
import { limits } from '../../../contract/limits.ts'
import { dayMs } from '../../../contract/rules/warsaw-time.ts'
import { type Tx, query } from '../database/database.ts'
import { entryContent, entryMac, type ChainLink } from '../encryption/audit-chain.ts'
import { sameBytes } from '../encryption/keys.ts'
import { readDetachedEnds, computeDetachedDigest } from './audit-detach.ts'
import type { Head } from './audit-head.ts'

/** A fault in the entries `from` to `to` of a chain. */
export type Finding = {
  chain: string
  from: number
  to: number
  what: 'changed' | 'missing' | 'out of order' | 'cut off' | 'unlike the head' | 'head replaced' | 'detached'
}

type Row = {
  id: string | null
  chain: string | null
  seq: string | null
  previous: Buffer | null
  mac: Buffer | null
  text: string
  /** Whether the entry is next to the days that are read: it is only compared with its neighbour there. */
  isOutside: boolean
  signed: { folder?: unknown; ordinal?: unknown; digest?: unknown } | null
}

/** A part of the trail by time. */
export type AuditPeriod = {
  /** The first instant, which belongs to the period. */
  from: Date
  /** The end, which does not belong to the period any more. */
  to: Date
}

/** Returns the UTC day that begins at an instant. */
export const periodOfDay = (from: Date): AuditPeriod => ({ from, to: new Date(from.getTime() + dayMs) })

/** Takes the lock of a verification at the desk, which reads much, so one runs at a time; false while another one does. */
export async function tryLockVerification(tx: Tx): Promise<boolean> {
  const { isOnly } = await query(tx).one(sql<{ isOnly: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('sygnet-audit-verification')) as is_only`)
  return isOnly
}

const withinCondition = ({ from, to }: AuditPeriod) => sql<boolean>`at >= ${from} and at < ${to}`

/**
 * Raises the statement timeout for the rest of the transaction: a long day takes more than a page's statement may, but less than its
 * connection allows.
 */
export const allowLongStatements = (tx: Tx) =>
  query(tx).run(sql`select set_config('statement_timeout', ${String(limits.http.awaitedMs - 30_000)}, true)`)

export async function isLongerThan(tx: Tx, period: AuditPeriod, most: number): Promise<boolean> {
  const { isLonger } = await query(tx).one(sql<{ isLonger: boolean }>`
    select count(*) > ${most} as is_longer from (select from audit where ${withinCondition(period)} limit ${most + 1}) entry`)
  return isLonger
}

/** Selects the entries of a period and, of each chain, the entry before its first and the one after its last. */
const selectEntries = (period: AuditPeriod) => sql`
  with own as materialized (select * from audit where ${withinCondition(period)}),
    reach as materialized (select chain, min(seq) as first, max(seq) as last from own group by chain)
  select *, false as is_outside from own
  union all
  select before.*, true from reach cross join lateral (
    select * from audit where audit.chain = reach.chain and audit.seq < reach.first order by audit.seq desc limit 1) before
  union all
  select after.*, true from reach cross join lateral (
    select * from audit where audit.chain = reach.chain and audit.seq > reach.last order by audit.seq limit 1) after`

/**
 * Reads the whole trail, or a period of it, in one snapshot and reports every manipulation (R84). It takes no lock that
 * a writer would wait for (R85). `heads.known` are those from before it began; `heads.now` is read at the end, because
 * a portal may sign meanwhile.
 */
export async function verifyTrail(
  tx: Tx,
  key: Buffer,
  heads: { known: Head[]; now: () => Head | undefined },
  report: (finding: Finding) => void,
  period?: AuditPeriod,
): Promise<{ records: number; chains: number }> {
  const entries = period ? selectEntries(period) : sql`select *, false as is_outside from audit`
  await query(tx).run(sql`
    declare trail no scroll cursor for
    select id, chain, seq, previous, mac, is_outside, ${entryContent} as text, case when act in ('audit-head-signed', 'audit-months-detached') then details end as signed
    from (${entries}) entry order by chain, seq`)
  // The cursor keeps months from being detached, so these ends belong to the entries that it reads.
  const detached = { ends: await readDetachedEnds(tx), digest: await computeDetachedDigest(tx) }
  const verifier = new TrailVerifier(key, heads.known, report, { isPart: period !== undefined, detached })
  for (;;) {
    const rows = await query(tx).all(sql<Row>`fetch 5000 from trail`)
    for (const row of rows) verifier.take(row)
    if (rows.length === 0) break
  }
  await query(tx).run(sql`close trail`)
  return verifier.finish(heads.now())
}

/** A verification of the trail, which takes the entries in the order of their positions and reports every fault. */
class TrailVerifier {
  readonly #key: Buffer
  readonly #report: (finding: Finding) => void
  readonly #isPart: boolean
  readonly #detached: Detached
  /** The ends of each chain by the known heads, as long as the entries read have not reached them. */
  readonly #ends: ReturnType<typeof endsOf>
  /** The newest head of each data folder by the trail, and its audit entry. */
  readonly #signedHeads: SignedHeads = new Map()
  /** The id and digest of the newest entry about detached months. */
  #detachedBy = { id: 0, digest: undefined as unknown }
  #last: ChainLink | undefined
  /** Whether the last entry is outside of the part, so that the chain goes on. */
  #goesOn = false
  #records = 0
  #chains = 0

  constructor(
    key: Buffer,
    heads: Head[],
    report: (finding: Finding) => void,
    { isPart, detached }: { isPart: boolean; detached: Detached },
  ) {
    this.#key = key
    this.#report = report
    this.#isPart = isPart
    this.#detached = detached
    this.#ends = endsOf(heads)
  }

  take(row: Row) {
    const { previous, isOutside } = row
    // These columns are never null, unless somebody has changed the table.
    const link: ChainLink = { chain: row.chain ?? '', seq: Number(row.seq ?? 0), mac: row.mac ?? Buffer.alloc(0) }
    const { chain, seq } = link
    if (chain !== this.#last?.chain) {
      this.#endChain()
      // What is before the first entry of a part is not judged.
      this.#last = isOutside ? { chain, seq: seq - 1, mac: previous ?? Buffer.alloc(0) } : this.#startOf(chain)
      this.#chains++
    }
    if (!isOutside) this.#records++
    if (this.#judge(row, link, this.#last)) this.#note(row, link)
    this.#last = { ...link, seq: Math.max(seq, this.#last.seq) }
    this.#goesOn = isOutside
  }

  finish(head: Head | undefined) {
    this.#endChain()
    // For the other chains a part proves nothing.
    if (!this.#isPart) this.#checkUnseenChains()
    const newer = head && this.#signedHeads.get(head.folder)
    if (newer && newer.ordinal > head.ordinal)
      this.#report({ chain: newer.by.chain, from: newer.by.seq, to: newer.by.seq, what: 'head replaced' })
    return { records: this.#records, chains: this.#chains }
  }

  #startOf(chain: string): ChainLink {
    return this.#detached.ends.get(chain) ?? { chain, seq: 0, mac: Buffer.alloc(0) }
  }

  /** Compares an entry with the one before it and with the heads. Returns whether its content is genuine. */
  #judge({ previous, text }: Row, link: ChainLink, before: ChainLink): boolean {
    const { chain, seq, mac } = link
    const reportWrong = (what: Finding['what'], from = seq, to = seq) => this.#report({ chain, from, to, what })
    if (seq > before.seq + 1) reportWrong('missing', before.seq + 1, seq - 1)
    const isGenuine = sameBytes(mac, entryMac(this.#key, link, previous ?? Buffer.alloc(0), text))
    if (!isGenuine) reportWrong('changed')
    else if (seq <= before.seq || (seq === before.seq + 1 && !previous?.equals(before.mac))) reportWrong('out of order')
    for (const end of this.#ends.get(chain) ?? [])
      if (end.seq === seq && !end.mac.equals(mac)) reportWrong('unlike the head')
    return isGenuine
  }

  /** Notes what a genuine entry says about heads and detached months. */
  #note({ id, signed }: Row, link: ChainLink) {
    if (signed?.folder) noteHead(this.#signedHeads, signed, link)
    if (signed?.digest && Number(id) > this.#detachedBy.id) this.#detachedBy = { id: Number(id), digest: signed.digest }
  }

  /** Ends a chain that has no more entries: it must be as long as the heads say. */
  #endChain() {
    if (this.#last && !this.#goesOn) this.#cutAfter(this.#last)
  }

  #cutAfter({ chain, seq }: Pick<ChainLink, 'chain' | 'seq'>) {
    const longest = Math.max(0, ...(this.#ends.get(chain) ?? []).map((end) => end.seq))
    if (longest > seq) this.#report({ chain, from: seq + 1, to: longest, what: 'cut off' })
    this.#ends.delete(chain)
  }

  /** Checks the chains without an entry, and the months that were detached. */
  #checkUnseenChains() {
    for (const [chain, ofHeads] of this.#ends) {
      const { seq, mac } = this.#startOf(chain)
      if (ofHeads.some((end) => end.seq === seq && !end.mac.equals(mac)))
        this.#report({ chain, from: seq, to: seq, what: 'unlike the head' })
      this.#cutAfter({ chain, seq })
    }
    const [first] = this.#detached.ends.values()
    if (first && this.#detachedBy.digest !== this.#detached.digest)
      this.#report({ chain: first.chain, from: 1, to: first.seq, what: 'detached' })
  }
}

/** The last links of the detached months of each chain, and the digest of all of them. */
type Detached = { ends: Map<string, ChainLink>; digest: string }

type SignedHeads = Map<string, { ordinal: number; by: ChainLink }>

function noteHead(signedHeads: SignedHeads, { folder, ordinal }: NonNullable<Row['signed']>, by: ChainLink) {
  if (Number(ordinal) > (signedHeads.get(String(folder))?.ordinal ?? 0))
    signedHeads.set(String(folder), { ordinal: Number(ordinal), by })
}

function endsOf(heads: Head[]) {
  const ends = new Map<string, Pick<ChainLink, 'seq' | 'mac'>[]>()
  for (const [chain, seq, mac] of heads.flatMap((head) => head.ends))
    ends.set(chain, [...(ends.get(chain) ?? []), { seq, mac: Buffer.from(mac, 'hex') }])
  return ends
}
