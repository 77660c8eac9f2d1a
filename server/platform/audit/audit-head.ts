import { createPrivateKey, createPublicKey, randomBytes, sign, verify } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { record } from './audit.ts'
import type { Db, Tx } from './db.ts'
import type { Keys } from './keys.ts'

/**
 * Where every chain of the trail ended at a moment, signed and kept outside of the database, so that a tail that is cut
 * off is missed (R84).
 */
const Statement = z.object({
  /** The data folder that the head lies in, by a name of its own. */
  folder: z.string(),
  /** Counts the heads of that folder. */
  ordinal: z.int(),
  at: z.string(),
  /** Chain, place of its newest record, that record's MAC (hex). */
  ends: z.array(z.tuple([z.string(), z.int(), z.string()])),
})
const SignedHead = z.object({ head: Statement, publicKey: z.string(), signature: z.string() })
export type Head = z.infer<typeof Statement>

/** The trail no longer has what the last head says, or that head is not ours: nothing newer may take its place. */
export class HeadContradicted extends Error {
  override name = 'HeadContradicted'
}

export const headFile = (directory: string) => join(directory, 'audit-head.json')

/** The Ed25519 key (RFC 8410 §7) of the derived seed: no file more to guard, and who has a head needs no secret to check it. */
const signingKey = (keys: Keys) =>
  createPrivateKey({
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), keys.auditHead]),
    format: 'der',
    type: 'pkcs8',
  })

const bytesOf = (head: Head) => Buffer.from(`Sygnet audit head\n${JSON.stringify(head)}`)

/** Reads a signed head; throws when it is none, or not signed by this portal. */
export function openHead(keys: Keys, text: string): Head {
  const { head, signature } = SignedHead.parse(JSON.parse(text))
  if (!verify(null, bytesOf(head), createPublicKey(signingKey(keys)), Buffer.from(signature, 'base64')))
    throw new HeadContradicted('The head is not signed by this portal.')
  return head
}

/** The head that lies in a data folder; undefined where there is none yet. */
export function readHead(keys: Keys, directory: string): Head | undefined {
  const file = headFile(directory)
  return existsSync(file) ? openHead(keys, readFileSync(file, 'utf8')) : undefined
}

/**
 * Signs where the chains end now, puts it into the data folder, and records that, so that an older head put back is told
 * by the trail. Returns the head's text.
 */
export const signHead = (db: Db, keys: Keys, directory: string): Promise<string> =>
  db.transaction().execute(async (tx) => {
    const before = await continuedHead(tx, keys, directory)
    return replaceHead(tx, keys, directory, before, await endsNow(tx))
  })

/** The same, but only when something other than heads was recorded since: a quiet trail does not grow by its own signing (R125). */
export const signNewRecords = (db: Db, keys: Keys, directory: string): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const before = await continuedHead(tx, keys, directory)
    const now = await endsNow(tx)
    if (!before || (await hasNewRecords(tx, before, now.ends))) await replaceHead(tx, keys, directory, before, now)
  })

/** The last head, found to be what the trail still says; nobody else signs until the transaction ends. */
async function continuedHead(tx: Tx, keys: Keys, directory: string) {
  await sql`select pg_advisory_xact_lock(hashtext('sygnet-audit-head'))`.execute(tx)
  const before = readHead(keys, directory)
  if (before) await demandContinued(tx, before)
  return before
}

async function replaceHead(
  tx: Tx,
  keys: Keys,
  directory: string,
  before: Head | undefined,
  now: Pick<Head, 'at' | 'ends'>,
): Promise<string> {
  const head: Head = {
    folder: before?.folder ?? randomBytes(8).toString('hex'),
    ordinal: (before?.ordinal ?? 0) + 1,
    ...now,
  }
  const key = signingKey(keys)
  const signed: z.infer<typeof SignedHead> = {
    head,
    publicKey: createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64'),
    signature: sign(null, bytesOf(head), key).toString('base64'),
  }
  const text = `${JSON.stringify(signed)}\n`
  writeFileSync(`${headFile(directory)}.new`, text, { mode: 0o644, flush: true })
  // Before the record is committed: a head may be newer than the trail says, never older.
  renameSync(`${headFile(directory)}.new`, headFile(directory))
  await record(tx, {
    act: 'audit-head-signed',
    accountId: null,
    actor: 'system',
    details: { folder: head.folder, ordinal: head.ordinal },
  })
  return text
}

async function hasNewRecords(tx: Tx, before: Head, ends: Head['ends']): Promise<boolean> {
  const signed = new Map(before.ends.map(([chain, seq]) => [chain, seq]))
  const grown = ends.flatMap(([chain, seq]) => {
    const from = signed.get(chain) ?? 0
    return seq > from ? [[chain, from]] : []
  })
  const { rows } = await sql`
    select from jsonb_array_elements(${JSON.stringify(grown)}::jsonb) one
    where exists (
      select from audit
      where chain = (one->>0)::uuid and seq > (one->>1)::bigint and act <> 'audit-head-signed'
    ) limit 1`.execute(tx)
  return rows.length > 0
}

/** The newest record of each chain, found by the index alone, one step a chain. */
async function endsNow(tx: Tx): Promise<Pick<Head, 'at' | 'ends'>> {
  const { rows } = await sql<{ chain: string; seq: string; mac: string }>`
    with recursive ends as (
      (select chain, seq, mac from audit order by chain desc, seq desc limit 1)
      union all
      select next.* from ends, lateral (
        select chain, seq, mac from audit where chain < ends.chain order by chain desc, seq desc limit 1
      ) next
    )
    select chain, seq, encode(mac, 'hex') as mac from ends order by chain`.execute(tx)
  const { rows: moments } = await sql<{ at: Date }>`select portal_now() as at`.execute(tx)
  return { at: moments[0]!.at.toISOString(), ends: rows.map(({ chain, seq, mac }) => [chain, Number(seq), mac]) }
}

/** A new head in the place of one that the trail contradicts would hide what that one proves. */
async function demandContinued(tx: Tx, { ordinal, at, ends }: Head) {
  const { rows } = await sql<{ chain: string; seq: string }>`
    select one->>0 as chain, one->>1 as seq from jsonb_array_elements(${JSON.stringify(ends)}::jsonb) one
    where not exists (
      select from audit
      where chain = (one->>0)::uuid and seq = (one->>1)::bigint and mac = decode(one->>2, 'hex')
    )`.execute(tx)
  if (rows[0])
    throw new HeadContradicted(
      `The audit trail no longer has ${rows[0].chain} ${rows[0].seq} as head ${ordinal} of ${at} says. That head is kept; run: sygnet audit verify`,
    )
}
