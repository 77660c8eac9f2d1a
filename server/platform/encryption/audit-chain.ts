import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { mac } from './keys.ts'

/** An entry as a link of its chain. */
export type ChainLink = {
  chain: string
  /** The position in the chain. */
  seq: number
  /** The MAC of the entry, which the next entry continues. */
  mac: Buffer
}

export type Chains = ReturnType<typeof openAuditChains>

/**
 * Opens the chains that this process writes. One transaction at a time uses a chain, and releases it only when the database has reported
 * the transaction's end: no transaction waits for another's commit, and no chain has a gap or a fork (R85). A chain whose last transaction
 * has an unknown end is not continued. `operator` is the login of the person who runs this process.
 */
export function openAuditChains(key: Buffer, operator?: string) {
  const free: ChainLink[] = []
  return {
    key,
    operator,
    take: (): ChainLink => free.pop() ?? { chain: crypto.randomUUID(), seq: 0, mac: Buffer.alloc(0) },
    release: (link: ChainLink) => void free.push(link),
  }
}

/** The columns of an entry as one unambiguous text. */
export const entryContent = sql<string>`jsonb_build_array(chain, seq, id, at at time zone 'UTC', act, account_id, actor, address, details)::text`

/** Derives the key for the MAC of a single entry. */
const entryKey = (key: Buffer, { chain, seq }: Pick<ChainLink, 'chain' | 'seq'>) => mac(key, chain, String(seq))

/**
 * Returns the padded key with which the database computes an entry's HMAC itself (RFC 2104 §2), because it sets the time. The key belongs
 * to this entry only, so a reader of the statement cannot forge another one.
 */
export function hmacPads(key: Buffer, position: Pick<ChainLink, 'chain' | 'seq'>): { inner: Buffer; outer: Buffer } {
  const own = entryKey(key, position)
  const pad = (byte: number) => Buffer.from(Array.from({ length: 64 }, (_, index) => byte ^ (own[index] ?? 0)))
  return { inner: pad(0x36), outer: pad(0x5c) }
}

/** Computes the MAC of an entry at a position, with this text, after the entry with the MAC `previous`. */
export const entryMac = (
  key: Buffer,
  position: Pick<ChainLink, 'chain' | 'seq'>,
  previous: Buffer,
  text: string,
): Buffer => createHmac('sha256', entryKey(key, position)).update(previous).update(text).digest()
