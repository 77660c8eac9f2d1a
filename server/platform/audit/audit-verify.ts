import { sql } from 'kysely'
import { adoptedChain, content, macOf, type Link } from './audit-chain.ts'
import type { Head } from './audit-head.ts'
import type { Tx } from './db.ts'
import { sameBytes } from './keys.ts'

/** What is wrong with the records `from` to `to` of a chain. */
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
 * Reads the whole trail, as it is at one moment, and reports everything that differs from what was recorded (R84). It
 * takes no lock that a writer would wait for (R85). `heads` are those that were there before it began; `headNow` is asked
 * for at the end, because a portal may sign on meanwhile.
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
    select chain, seq, previous, mac, ${content} as text, case act when 'audit-head-signed' then details end as signed
    from audit order by chain, seq`.execute(tx)
  for (;;) {
    const { rows } = await sql<Row>`fetch 5000 from trail`.execute(tx)
    for (const row of rows) walk.take(row)
    if (rows.length === 0) break
  }
  await sql`close trail`.execute(tx)
  return walk.finish(heads.now())
}

/** Takes records in the order of their places. */
function openWalk(key: Buffer, heads: Head[], report: (finding: Finding) => void) {
  const ends = endsOf(heads)
  /** The newest head of each data folder that the trail tells of, and which record does. */
  const told = new Map<string, { ordinal: number; by: Link }>()
  const start = (chain: string): Link => ({ chain, seq: 0, mac: Buffer.alloc(0) })
  let last: Link | undefined
  let records = 0
  let chains = 0

  function take({ chain: name, seq: place, previous, mac, text, signed }: Row) {
    // Columns that are never empty, unless somebody has changed the table.
    const link: Link = { chain: name ?? '', seq: Number(place ?? 0), mac: mac ?? Buffer.alloc(0) }
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
    const genuine = sameBytes(link.mac, macOf(key, link, previous ?? Buffer.alloc(0), text))
    if (!genuine) wrong('changed')
    else if (seq <= before.seq || (seq === before.seq + 1 && !previous!.equals(before.mac))) wrong('out of order')
    for (const end of ends.get(chain) ?? []) if (end.seq === seq && !end.mac.equals(link.mac)) wrong('unlike the head')
    // Nobody adds to the chain of plain hashes, and anybody could.
    if (chain === adoptedChain && heads.length && !ends.get(chain)?.some((end) => seq <= end.seq)) wrong('added')
    if (genuine && signed) tell(signed, link)
    last = { ...link, seq: Math.max(seq, before.seq) }
  }

  function tell({ folder, ordinal }: NonNullable<Row['signed']>, by: Link) {
    if (Number(ordinal) > (told.get(String(folder))?.ordinal ?? 0))
      told.set(String(folder), { ordinal: Number(ordinal), by })
  }

  /** The chain has no more records: it must be as long as it was. */
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
    const newer = head && told.get(head.folder)
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
