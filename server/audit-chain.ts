import { createHmac, hash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { mac } from './keys.ts'

/** A record's place in the trail and its MAC: what the next record of the chain follows. */
export type Link = { chain: string; seq: number; mac: Buffer }

export type Chains = ReturnType<typeof openChains>

/**
 * The chains that this process writes. Each is in the hands of one transaction at a time, and comes back only when the
 * database has said how that ended: no act waits for another's commit, and no chain has a gap or a fork (R85). One whose
 * end is not known is written no further.
 */
export function openChains(key: Buffer) {
  const free: Link[] = []
  return {
    key,
    take: (): Link => free.pop() ?? { chain: randomUUID(), seq: 0, mac: Buffer.alloc(0) },
    giveBack: (link: Link) => void free.push(link),
  }
}

/** The chain of the records that were there before there were chains (migration 0003). */
export const adoptedChain = '00000000-0000-0000-0000-000000000000'

/** All that a record says, of the columns by their names, as one text that only they can give. */
export const content = sql<string>`jsonb_build_array(chain, seq, id, at at time zone 'UTC', act, account_id, actor, address, details)::text`

/** A key that makes one record's MAC and no other's. */
const keyOf = (key: Buffer, { chain, seq }: Pick<Link, 'chain' | 'seq'>) => mac(key, chain, String(seq))

/**
 * What the database needs to compute a record's HMAC itself (RFC 2104 §2), since it sets the time: the padded key of
 * this one record, so that whoever reads along can make no other.
 */
export function hmacPads(key: Buffer, place: Pick<Link, 'chain' | 'seq'>): { inner: Buffer; outer: Buffer } {
  const own = keyOf(key, place)
  const pad = (byte: number) => Buffer.alloc(64, byte).map((one, index) => one ^ (own[index] ?? 0)) as Buffer
  return { inner: pad(0x36), outer: pad(0x5c) }
}

/** The MAC of the record of a place, with this content, after the record with that MAC. */
export const macOf = (key: Buffer, place: Pick<Link, 'chain' | 'seq'>, previous: Buffer, text: string): Buffer =>
  place.chain === adoptedChain
    ? hash('sha256', Buffer.concat([previous, Buffer.from(text)]), 'buffer')
    : createHmac('sha256', keyOf(key, place)).update(previous).update(text).digest()
