import { sql } from 'kysely'
import { adoptedChain, entryContent, entryMac, type Link } from '../encryption/audit-chain.ts'
import type { Head } from './audit-head.ts'
import type { Tx } from '../database/database.ts'
import { sameBytes } from '../encryption/keys.ts'

/** What is wrong with the entries `from` to `to` of a chain. */
export type Finding = {
  chain: string
  from: number
  to: number
  what: 'changed' | 'missing' | 'out of order' | 'cut off' | 'unlike the head' | 'added' | 'head replaced'
}

type Row = {
  chain: string | null
  seq: string | null
  previous: Buffer | null
  mac: Buffer | null
  text: string
  signed: { folder?: unknown; ordinal?: unknown } | null
}

/**
 * Reads the whole trail in one snapshot and reports every manipulation (R84). It takes no lock that a writer would wait for
 * (R85). `heads.known` are those from before it began; `heads.now` is read at the end, because a portal may sign meanwhile.
 */
export async function verifyTrail(
  tx: Tx,
  key: Buffer,
  heads: { known: Head[]; now: () => Head | undefined },
  report: (finding: Finding) => void,
): Promise<{ records: number; chains: number }> {
  const walk = openWalk(key, heads.known, report)
  await sql`
    declare trail no scroll cursor for
    select chain, seq, previous, mac, ${entryContent} as text, case act when 'audit-head-signed' then details end as signed
    from audit order by chain, seq`.execute(tx)
  for (;;) {
    const { rows } = await sql<Row>`fetch 5000 from trail`.execute(tx)
    for (const row of rows) walk.take(row)
    if (rows.length === 0) break
  }
  await sql`close trail`.execute(tx)
  return walk.finish(heads.now())
}

/** Takes entries in the order of their positions. */
function openWalk(key: Buffer, heads: Head[], report: (finding: Finding) => void) {
  const ends = endsOf(heads)
  /** The newest head of each data folder by the trail, and its audit entry. */
  const signedHeads = new Map<string, { ordinal: number; by: Link }>()
  const start = (chain: string): Link => ({ chain, seq: 0, mac: Buffer.alloc(0) })
  let last: Link | undefined
  let records = 0
  let chains = 0

  function take({ previous, text, signed, ...row }: Row) {
    // These columns are never null, unless somebody has changed the table.
    const link: Link = { chain: row.chain ?? '', seq: Number(row.seq ?? 0), mac: row.mac ?? Buffer.alloc(0) }
    const { chain, seq } = link
    if (chain !== last?.chain) {
      leave()
      last = start(chain)
      chains++
    }
    const before = last
    const wrong = (what: Finding['what'], from = seq, to = seq) => report({ chain, from, to, what })
    records++
    if (seq > before.seq + 1) wrong('missing', before.seq + 1, seq - 1)
    const genuine = sameBytes(link.mac, entryMac(key, link, previous ?? Buffer.alloc(0), text))
    if (!genuine) wrong('changed')
    else if (seq <= before.seq || (seq === before.seq + 1 && !previous?.equals(before.mac))) wrong('out of order')
    for (const end of ends.get(chain) ?? []) if (end.seq === seq && !end.mac.equals(link.mac)) wrong('unlike the head')
    // The portal never adds to the chain of plain hashes, but anybody could.
    if (chain === adoptedChain && heads.length && !ends.get(chain)?.some((end) => seq <= end.seq)) wrong('added')
    if (genuine && signed) noteHead(signed, link)
    last = { ...link, seq: Math.max(seq, before.seq) }
  }

  function noteHead({ folder, ordinal }: NonNullable<Row['signed']>, by: Link) {
    if (Number(ordinal) > (signedHeads.get(String(folder))?.ordinal ?? 0))
      signedHeads.set(String(folder), { ordinal: Number(ordinal), by })
  }

  /** The chain has no more entries: it must be as long as the heads say. */
  function leave() {
    if (last) cutAfter(last)
  }

  function cutAfter({ chain, seq }: Pick<Link, 'chain' | 'seq'>) {
    const longest = Math.max(0, ...(ends.get(chain) ?? []).map((end) => end.seq))
    if (longest > seq) report({ chain, from: seq + 1, to: longest, what: 'cut off' })
    ends.delete(chain)
  }

  function finish(head: Head | undefined) {
    leave()
    for (const chain of ends.keys()) cutAfter({ chain, seq: 0 })
    const newer = head && signedHeads.get(head.folder)
    if (newer && newer.ordinal > head.ordinal)
      report({ chain: newer.by.chain, from: newer.by.seq, to: newer.by.seq, what: 'head replaced' })
    return { records, chains }
  }

  return { take, finish }
}

function endsOf(heads: Head[]) {
  const ends = new Map<string, Pick<Link, 'seq' | 'mac'>[]>()
  for (const [chain, seq, mac] of heads.flatMap((head) => head.ends))
    ends.set(chain, [...(ends.get(chain) ?? []), { seq, mac: Buffer.from(mac, 'hex') }])
  return ends
}
