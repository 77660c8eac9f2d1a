import { sql } from 'kysely'
import { limits } from '../../contract/limits.ts'
import { single, type Db, type Tx, query } from '../platform/database/database.ts'
import { column, describeRows, type RowOf } from '../platform/database/described-rows.ts'

const fileSigningRows = describeRows({
  id: column<string>`id`,
  accountId: column<string>`account_id`,
  sessionId: column<string>`session_id`,
  signatureId: column<string | null>`signature_id`,
  sealId: column<string | null>`seal_id`,
  digests: column<Buffer[]>`digests`,
  binding: column<string>`binding`,
  startedAt: column<Date>`started_at`,
  confirmedAt: column<Date | null>`confirmed_at`,
  /** The id of the request that signs, while one waits for the service or for timestamps. */
  claim: column<string | null>`busy_until::text`,
  isTaken: column<boolean>`coalesce(busy_until > portal_now(), false)`,
  /** The signatures of the service, which are stored before their timestamps (SGN-29). */
  signatures: column<Buffer[] | null>`signatures`,
  /** The timestamps of the signatures; null for each that is still missing. */
  timestamps: column<(Buffer | null)[] | null>`timestamps`,
  signedAt: column<Date | null>`signed_at`,
})
export type FileSigningRow = RowOf<typeof fileSigningRows>

export type NewFileSigning = Pick<FileSigningRow, 'accountId' | 'sessionId' | 'signatureId' | 'sealId' | 'binding'> & {
  digests: readonly Uint8Array[]
}

/** Returns the signing that the session has started for the same binding, if its code can still be entered; otherwise a new one. */
export async function findOrAddFileSigning(tx: Tx, signing: NewFileSigning): Promise<FileSigningRow> {
  // One request at a time per session: two at once would not see each other's row.
  await query(tx).run(sql`select from sessions where id = ${signing.sessionId} for no key update`)
  const open = await fileSigningRows(tx).first(sql`
    select ${fileSigningRows.columns} from file_signings
    where session_id = ${signing.sessionId} and account_id = ${signing.accountId} and binding = ${signing.binding} and confirmed_at is null
      and started_at > portal_now() - make_interval(secs => ${limits.code.life})
    order by started_at desc limit 1`)
  if (open) return open
  const digests = signing.digests.map((digest) => Buffer.from(digest))
  const created = await fileSigningRows(tx).all(sql`
    insert into file_signings (id, account_id, session_id, signature_id, seal_id, digests, binding)
    values (${crypto.randomUUID()}, ${signing.accountId}, ${signing.sessionId}, ${signing.signatureId}, ${signing.sealId}, ${digests}::bytea[], ${signing.binding})
    returning ${fileSigningRows.columns}`)
  return single(created)
}

export const findFileSigning = (db: Db, accountId: string, id: string): Promise<FileSigningRow | undefined> =>
  fileSigningRows(db).first(sql`
    select ${fileSigningRows.columns} from file_signings where id = ${id} and account_id = ${accountId}`)

/** Records that the code was entered; false if it was entered before. */
export const confirmSigning = (tx: Tx, id: string): Promise<boolean> =>
  query(tx).changesOne(sql`
    update file_signings set confirmed_at = portal_now() where id = ${id} and confirmed_at is null`)

/**
 * Takes a confirmed signing for one request to the service, or for the timestamps that are missing: undefined if it is signed, was
 * confirmed too long ago to ask the service, or another request has taken it.
 */
export function takeSigning(db: Db, id: string): Promise<FileSigningRow | undefined> {
  const { life, requestTimeout } = limits.signing
  return fileSigningRows(db).first(sql`
    update file_signings set busy_until = portal_now() + make_interval(secs => ${requestTimeout})
    where id = ${id} and signed_at is null
      and (signatures is not null or confirmed_at > portal_now() - make_interval(secs => ${life}))
      and (busy_until is null or busy_until <= portal_now())
    returning ${fileSigningRows.columns}`)
}

/** Lets the next request sign, unless another one has taken it since. */
export async function releaseSigning(db: Db, { id, claim }: Pick<FileSigningRow, 'id' | 'claim'>): Promise<void> {
  await query(db).run(sql`
    update file_signings set busy_until = null where id = ${id} and busy_until = ${claim}::timestamptz`)
}

/** Returns why a signing is not taken: another request has signed meanwhile or has taken it, or it was confirmed too long ago. */
export async function findReasonNotTaken(db: Db, id: string): Promise<'signed' | 'busy' | 'signing-over'> {
  const row = await query(db).first(sql<{ isSigned: boolean; isBusy: boolean }>`
    select signed_at is not null as is_signed, coalesce(busy_until > portal_now(), false) as is_busy
    from file_signings where id = ${id}`)
  const { isSigned = false, isBusy = false } = row ?? {}
  return isSigned ? 'signed' : isBusy ? 'busy' : 'signing-over'
}

/**
 * Keeps what the service has signed, and takes the signing for the timestamps, whoever had taken it: a signature is never given up.
 * Undefined if another request was first.
 */
export function setSignatures(tx: Tx, id: string, signed: readonly Uint8Array[]): Promise<FileSigningRow | undefined> {
  const signatures = signed.map((signature) => Buffer.from(signature))
  return fileSigningRows(tx).first(sql`
    update file_signings set signatures = ${signatures}::bytea[], timestamps = array_fill(null::bytea, array[${signed.length}::int]),
      busy_until = portal_now() + make_interval(secs => ${limits.signing.requestTimeout})
    where id = ${id} and signatures is null and cardinality(digests) = ${signed.length}::int
    returning ${fileSigningRows.columns}`)
}

/** Keeps the timestamp over one of the signatures, unless it has one. */
export async function setTimestamp(db: Db, id: string, index: number, token: Uint8Array): Promise<void> {
  const at = sql`${index + 1}::int`
  await query(db).run(sql`
    update file_signings set timestamps[${at}] = ${Buffer.from(token)}
    where id = ${id} and signed_at is null and timestamps[${at}] is null`)
}

/** Ends a signing when every signature has its timestamp, unless another request has ended it before. */
export async function endFileSigning(tx: Tx, id: string): Promise<void> {
  await query(tx).run(sql`
    update file_signings set signed_at = portal_now(), busy_until = null
    where id = ${id} and signed_at is null and array_position(timestamps, null) is null`)
}

/**
 * Removes old signings, but not those of a customer under a legal hold (R251), who is looked up for each old signing,
 * not the other way round (OPS-7).
 */
export async function removeOldSignings(db: Db): Promise<void> {
  await query(db).run(sql`
    delete from file_signings f where started_at < portal_now() - make_interval(secs => ${limits.fileSigning.kept})
      and (select a.held_at from accounts a where a.id = f.account_id) is null`)
}
