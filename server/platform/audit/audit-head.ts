import { createPrivateKey, createPublicKey, randomBytes, sign, verify } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { readDatabaseTime, type Db, type Tx, query } from '../database/database.ts'
import type { Keys } from '../encryption/keys.ts'
import { startJobs } from '../jobs/jobs.ts'
import { jobs } from '../observability/events.ts'
import { addAuditEntry } from './audit.ts'

/**
 * The ends of all chains of the trail at one time, signed and kept outside of the database, so that the removal of the newest
 * entries is detected (R84).
 */
const Statement = z.object({
  /** A random name of the data folder that has the head. */
  folder: z.string(),
  /** The number of the head in that folder. */
  ordinal: z.int(),
  at: z.string(),
  /** The name of each chain, the position of its newest entry, and that entry's MAC (hex). */
  ends: z.array(z.tuple([z.string(), z.int(), z.string()])),
})
const SignedHead = z.object({ head: Statement, publicKey: z.string(), signature: z.string() })
export type Head = z.infer<typeof Statement>

/** The error of a head that the trail contradicts, or that this portal did not sign: no newer head may replace it. */
export class HeadContradicted extends Error {
  override name = 'HeadContradicted'
}

export const headFile = (directory: string) => join(directory, 'audit-head.json')

/**
 * Returns the Ed25519 key (RFC 8410 §7) of the derived seed: no further file has to be protected, and a head can be checked without a
 * secret.
 */
const signingKey = (keys: Keys) =>
  createPrivateKey({
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), keys.auditHead]),
    format: 'der',
    type: 'pkcs8',
  })

const bytesOf = (head: Head) => Buffer.from(`Sygnet audit head\n${JSON.stringify(head)}`)

/** Reads a signed head; throws if it is invalid or not signed by this portal. */
export function openHead(keys: Keys, text: string): Head {
  const { head, signature } = SignedHead.parse(JSON.parse(text))
  if (!verify(null, bytesOf(head), createPublicKey(signingKey(keys)), Buffer.from(signature, 'base64')))
    throw new HeadContradicted('The head is not signed by this portal.')
  return head
}

/** Reads the head in a data folder; undefined before the first one. */
export function readHead(keys: Keys, directory: string): Head | undefined {
  const file = headFile(directory)
  return existsSync(file) ? openHead(keys, readFileSync(file, 'utf8')) : undefined
}

/**
 * Signs the present ends of the chains, writes the head into the data folder and adds an audit entry, by which an older head
 * that is put back is detected. Returns the head's text.
 */
export const signHead = (db: Db, keys: Keys, directory: string): Promise<string> =>
  db.transaction().execute(async (tx) => {
    const { before, now } = await readContinuedHead(tx, keys, directory)
    return replaceHead(tx, keys, directory, before, now)
  })

/**
 * Signs a head as `signHead` does, but only if the trail has new entries other than those of heads, so that signing alone does not make it
 * grow (R125).
 */
export const signNewEntries = (db: Db, keys: Keys, directory: string): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const { before, now } = await readContinuedHead(tx, keys, directory)
    if (!before || (await hasNewEntries(tx, before, now.ends))) await replaceHead(tx, keys, directory, before, now)
  })

/**
 * Returns the last head, which the trail still matches, and the present ends; a lock keeps others from signing until the transaction ends.
 */
async function readContinuedHead(tx: Tx, keys: Keys, directory: string) {
  await query(tx).run(sql`select pg_advisory_xact_lock(hashtext('sygnet-audit-head'))`)
  const before = readHead(keys, directory)
  const now = await readEnds(tx)
  if (before) await requireContinued(tx, before, now.ends)
  return { before, now }
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
  // Before the audit entry is committed, since a head may be newer than the trail says, but never older.
  renameSync(`${headFile(directory)}.new`, headFile(directory))
  await addAuditEntry(tx, {
    action: 'audit-head-signed',
    accountId: null,
    actor: 'system',
    details: { folder: head.folder, ordinal: head.ordinal },
  })
  return text
}

async function hasNewEntries(tx: Tx, before: Head, ends: Head['ends']): Promise<boolean> {
  const signed = new Map(before.ends.map(([chain, seq]) => [chain, seq]))
  const grown = ends.flatMap(([chain, seq]) => {
    const from = signed.get(chain) ?? 0
    return seq > from ? [[chain, from]] : []
  })
  return query(tx).finds(sql`
    select from jsonb_array_elements(${JSON.stringify(grown)}::jsonb) grown
    where exists (
      select from audit
      where chain = (grown->>0)::uuid and seq > (grown->>1)::bigint and act <> 'audit-head-signed'
    ) limit 1`)
}

/** Finds the newest entry of each chain. */
async function readEnds(tx: Tx): Promise<Pick<Head, 'at' | 'ends'>> {
  const ends = await query(tx).all(sql<{ chain: string; seq: string; mac: string }>`
    select distinct on (chain) chain, seq, encode(mac, 'hex') as mac from audit_ends() order by chain, seq desc`)
  const at = await readDatabaseTime(tx)
  return { at: at.toISOString(), ends: ends.map(({ chain, seq, mac }) => [chain, Number(seq), mac]) }
}

/** Requires that the trail does not contradict the last head: a new head would hide the evidence. */
async function requireContinued(tx: Tx, { ordinal, at, ends }: Head, present: Head['ends']) {
  const unchanged = new Set(present.map((end) => end.join()))
  const others = ends.filter((end) => !unchanged.has(end.join()))
  const row = await query(tx).first(sql<{ chain: string; seq: string }>`
    select chain_end->>0 as chain, chain_end->>1 as seq from jsonb_array_elements(${JSON.stringify(others)}::jsonb) chain_end
    where not exists (
      select from audit
      where chain = (chain_end->>0)::uuid and seq = (chain_end->>1)::bigint and mac = decode(chain_end->>2, 'hex')
    ) and not exists (
      select from detached_chains
      where chain = (chain_end->>0)::uuid and (seq > (chain_end->>1)::bigint
        or seq = (chain_end->>1)::bigint and mac = decode(chain_end->>2, 'hex'))
    )`)
  if (row)
    throw new HeadContradicted(
      `The audit trail no longer has ${row.chain} ${row.seq} as head ${ordinal} of ${at} says. That head is kept; run: sygnet audit verify`,
    )
}

/** The interval of the heads: the removal of older entries from the end of the trail is detected (R125). */
const signEverySeconds = 60

export const signingJob = 'sign-audit-heads'

/**
 * Signs the ends of the audit trail at the start, every minute in which it grew, and at the stop (R84). A failure is
 * reported, and the next run tries again.
 */
export async function startSigningHeads(db: Db, keys: Keys, directory: string, report: (error: unknown) => void) {
  const signNow = () => jobs.do({ job: signingJob }, () => signHead(db, keys, directory)).then(() => {}, report)
  await signNow()
  const run = () => signNewEntries(db, keys, directory)
  const { stop } = startJobs([{ name: signingJob, everySeconds: signEverySeconds, run }], () => report)
  return {
    stop: () => {
      stop()
      return signNow()
    },
  }
}
