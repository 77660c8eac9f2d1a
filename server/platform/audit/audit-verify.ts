import { sql } from 'kysely'
import { limits } from '../../../contract/limits.ts'
import { dayMs } from '../../../contract/rules/warsaw-time.ts'
import { type Tx, query } from '../database/database.ts'
import { entryContent, entryMac, type Link } from '../encryption/audit-chain.ts'
import { sameBytes } from '../encryption/keys.ts'
import { detachedEnds, digestOfDetached } from './audit-detach.ts'
import type { Head } from './audit-head.ts'

/** Fault in the entries `from` to `to` of a chain. */
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
  /** Next to the days that are read: only compared with its neighbour there. */
  isOutside: boolean
  signed: { folder?: unknown; ordinal?: unknown; digest?: unknown } | null
}

/** Time from one instant, which it includes, to another, which it excludes. */
export type Period = { from: Date; to: Date }

/** Returns the UTC day that begins at an instant. */
export const periodOfDay = (from: Date): Period => ({ from, to: new Date(from.getTime() + dayMs) })

/** Takes the lock of a verification at the desk, which reads much, so one runs at a time; false while another one does. */
export async function isOnlyVerification(tx: Tx): Promise<boolean> {
  const { isOnly } = await query(tx).one(sql<{ isOnly: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('sygnet-audit-verification')) as is_only`)
  return isOnly
}

const isWithin = ({ from, to }: Period) => sql<boolean>`at >= ${from} and at < ${to}`

/**
 * Raises the statement timeout for the rest of the transaction: a long day takes more than a page's statement may, but less than its
 * connection allows.
 */
export const allowLongStatements = (tx: Tx) =>
  query(tx).run(sql`select set_config('statement_timeout', ${String(limits.http.awaitedMs - 30_000)}, true)`)

export async function isLongerThan(tx: Tx, period: Period, most: number): Promise<boolean> {
  const { isLonger } = await query(tx).one(sql<{ isLonger: boolean }>`
    select count(*) > ${most} as is_longer from (select from audit where ${isWithin(period)} limit ${most + 1}) entry`)
  return isLonger
}

/** Selects the entries of a period and, of each chain, the entry before its first and the one after its last. */
const selectEntries = (period: Period) => sql`
  with own as materialized (select * from audit where ${isWithin(period)}),
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
  period?: Period,
): Promise<{ records: number; chains: number }> {
  const entries = period ? selectEntries(period) : sql`select *, false as is_outside from audit`
  await query(tx).run(sql`
    declare trail no scroll cursor for
    select id, chain, seq, previous, mac, is_outside, ${entryContent} as text, case when act in ('audit-head-signed', 'audit-months-detached') then details end as signed
    from (${entries}) entry order by chain, seq`)
  // The cursor keeps months from being detached, so these ends belong to the entries that it reads.
  const detached = { ends: await detachedEnds(tx), digest: await digestOfDetached(tx) }
  const walk = createVerifier(key, heads.known, report, { isPart: period !== undefined, detached })
  for (;;) {
    const rows = await query(tx).all(sql<Row>`fetch 5000 from trail`)
    for (const row of rows) walk.take(row)
    if (rows.length === 0) break
  }
  await query(tx).run(sql`close trail`)
  return walk.finish(heads.now())
}

/** Takes entries in the order of their positions. */
function createVerifier(
  key: Buffer,
  heads: Head[],
  report: (finding: Finding) => void,
  { isPart, detached }: { isPart: boolean; detached: { ends: Map<string, Link>; digest: string } },
) {
  const ends = endsOf(heads)
  /** The newest head of each data folder by the trail, and its audit entry. */
  const signedHeads: SignedHeads = new Map()
  const start = (chain: string): Link => detached.ends.get(chain) ?? { chain, seq: 0, mac: Buffer.alloc(0) }
  /** Id and digest of the newest entry about detached months. */
  let detachedBy = { id: 0, digest: undefined as unknown }
  let last: Link | undefined
  /** The last entry is outside of the part, so the chain goes on. */
  let goesOn = false
  let records = 0
  let chains = 0

  function take({ id, previous, text, signed, isOutside, ...row }: Row) {
    // These columns are never null, unless somebody has changed the table.
    const link: Link = { chain: row.chain ?? '', seq: Number(row.seq ?? 0), mac: row.mac ?? Buffer.alloc(0) }
    const { chain, seq } = link
    if (chain !== last?.chain) {
      endChain()
      // What is before the first entry of a part is not judged.
      last = isOutside ? { chain, seq: seq - 1, mac: previous ?? Buffer.alloc(0) } : start(chain)
      chains++
    }
    const before = last
    const reportWrong = (what: Finding['what'], from = seq, to = seq) => report({ chain, from, to, what })
    if (!isOutside) records++
    if (seq > before.seq + 1) reportWrong('missing', before.seq + 1, seq - 1)
    const genuine = sameBytes(link.mac, entryMac(key, link, previous ?? Buffer.alloc(0), text))
    if (!genuine) reportWrong('changed')
    else if (seq <= before.seq || (seq === before.seq + 1 && !previous?.equals(before.mac))) reportWrong('out of order')
    for (const end of ends.get(chain) ?? [])
      if (end.seq === seq && !end.mac.equals(link.mac)) reportWrong('unlike the head')
    if (genuine && signed?.folder) noteHead(signedHeads, signed, link)
    if (genuine && signed?.digest && Number(id) > detachedBy.id) detachedBy = { id: Number(id), digest: signed.digest }
    last = { ...link, seq: Math.max(seq, before.seq) }
    goesOn = isOutside
  }

  /** Ends a chain that has no more entries: it must be as long as the heads say. */
  function endChain() {
    if (last && !goesOn) cutAfter(last)
  }

  function cutAfter({ chain, seq }: Pick<Link, 'chain' | 'seq'>) {
    const longest = Math.max(0, ...(ends.get(chain) ?? []).map((end) => end.seq))
    if (longest > seq) report({ chain, from: seq + 1, to: longest, what: 'cut off' })
    ends.delete(chain)
  }

  /** Checks the chains without an entry, and the months that were detached. */
  function checkUnseenChains() {
    for (const [chain, ofHeads] of ends) {
      const { seq, mac } = start(chain)
      if (ofHeads.some((end) => end.seq === seq && !end.mac.equals(mac)))
        report({ chain, from: seq, to: seq, what: 'unlike the head' })
      cutAfter({ chain, seq })
    }
    const [first] = detached.ends.values()
    if (first && detachedBy.digest !== detached.digest)
      report({ chain: first.chain, from: 1, to: first.seq, what: 'detached' })
  }

  function finish(head: Head | undefined) {
    endChain()
    // For the other chains a part proves nothing.
    if (!isPart) checkUnseenChains()
    const newer = head && signedHeads.get(head.folder)
    if (newer && newer.ordinal > head.ordinal)
      report({ chain: newer.by.chain, from: newer.by.seq, to: newer.by.seq, what: 'head replaced' })
    return { records, chains }
  }

  return { take, finish }
}

type SignedHeads = Map<string, { ordinal: number; by: Link }>

function noteHead(signedHeads: SignedHeads, { folder, ordinal }: NonNullable<Row['signed']>, by: Link) {
  if (Number(ordinal) > (signedHeads.get(String(folder))?.ordinal ?? 0))
    signedHeads.set(String(folder), { ordinal: Number(ordinal), by })
}

function endsOf(heads: Head[]) {
  const ends = new Map<string, Pick<Link, 'seq' | 'mac'>[]>()
  for (const [chain, seq, mac] of heads.flatMap((head) => head.ends))
    ends.set(chain, [...(ends.get(chain) ?? []), { seq, mac: Buffer.from(mac, 'hex') }])
  return ends
}
