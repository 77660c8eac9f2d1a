import { sql, type RawBuilder } from 'kysely'
import { record } from './audit.ts'
import type { Db } from './db.ts'
import { seal, unseal, type Keys } from './keys.ts'

/** A column of sealed values. The place of a row's value is `place`, then the row's `ids`. */
type SealedColumn = { table: string; ids: readonly string[]; column: string; place: string }

/** Everything that rests sealed. A new table joins the rotation by a line; the root comes last, for a start needs it alone. */
const sealedColumns: readonly SealedColumn[] = [
  { table: 'accounts', ids: ['id'], column: 'phone', place: 'accounts.phone' },
  { table: 'signatures', ids: ['id'], column: 'identifier_value', place: 'signatures.identifier_value' },
  { table: 'signatures', ids: ['id'], column: 'certificates', place: 'signatures.certificates' },
  { table: 'personal_data', ids: ['account_id'], column: 'sealed', place: 'personal-data' },
  { table: 'pairings', ids: ['signature_id'], column: 'secret', place: 'pairing' },
  { table: 'seal_users', ids: ['id'], column: 'phone', place: 'seal_users.phone' },
  { table: 'seal_pairings', ids: ['seal_user_id'], column: 'secret', place: 'seal-pairing' },
  { table: 'document_cases', ids: ['id'], column: 'signer', place: 'document_cases.signer' },
  { table: 'document_cases', ids: ['id'], column: 'access_code', place: 'document_cases.access_code' },
  { table: 'document_files', ids: ['id'], column: 'report', place: 'document_files.report' },
  { table: 'phone_changes', ids: ['id'], column: 'phone', place: 'phone_changes.phone' },
  { table: 'voucher_codes', ids: ['id'], column: 'code', place: 'voucher_codes.code' },
  { table: 'passkeys', ids: ['id'], column: 'name', place: 'passkeys.name' },
  { table: 'renewals', ids: ['id'], column: 'parameters', place: 'renewals.parameters' },
  { table: 'renewals', ids: ['id'], column: 'identity', place: 'renewals.identity' },
  { table: 'renewals', ids: ['id'], column: 'terms', place: 'renewals.terms' },
  { table: 'webhook_secrets', ids: ['id'], column: 'secret', place: 'webhook_secrets.secret' },
  { table: 'outbox', ids: ['id'], column: 'message', place: 'outbox' },
  { table: 'idempotency', ids: ['caller', 'key'], column: 'reply', place: 'idempotency' },
  { table: 'document_keys', ids: ['document'], column: 'sealed', place: 'document' },
  { table: 'secrets', ids: ['name'], column: 'sealed', place: 'secrets' },
]

type Row = { ids: string[]; sealed: Buffer }
export type Resealed = { values: number; unreadable: string[] }

const batchSize = 200

/**
 * Seals everything anew that is not sealed under the current master key. By batches, each a short transaction, so that it
 * runs beside requests and can be broken off and begun again; what a request has changed meanwhile stays the request's.
 */
export async function resealAll(db: Db, keys: Keys, open: typeof unseal = unseal): Promise<Resealed> {
  const done: Resealed = { values: 0, unreadable: [] }
  for (const column of sealedColumns) {
    // The root of a rotation that left something behind keeps the old master key from being put away.
    if (column.table === 'secrets' && done.unreadable.length) break
    let rows: Row[] = []
    do {
      rows = await nextRows(db, keys, column, rows.at(-1)?.ids)
      await resealRows(db, keys, column, rows, open, done)
    } while (rows.length)
  }
  return done
}

const refs = (ids: readonly string[]) => sql.join(ids.map((id) => sql.ref(id)))

/** Rows that are not sealed under the current master key, in the order of their ids. */
async function nextRows(db: Db, keys: Keys, { table, ids, column }: SealedColumn, after: string[] | undefined) {
  const { rows } = await sql<Row>`
    select array[${sql.join(ids.map((id) => sql`${sql.ref(id)}::text`))}] as ids, ${sql.ref(column)} as sealed from ${sql.table(table)}
    where ${after ? sql`(${refs(ids)}) > (${sql.join(after)})` : sql`true`}
      and octet_length(${sql.ref(column)}) > 0 and substring(${sql.ref(column)} from 1 for 8) <> ${keys.masters[0]!.id}
    order by ${refs(ids)} limit ${batchSize}`.execute(db)
  return rows
}

async function resealRows(
  db: Db,
  keys: Keys,
  { table, ids, column, place }: SealedColumn,
  rows: Row[],
  open: typeof unseal,
  done: Resealed,
): Promise<void> {
  const updates: RawBuilder<unknown>[] = []
  for (const row of rows) {
    const where = [place, ...row.ids].join(' ')
    try {
      const sealed = seal(keys, where, open(keys, where, row.sealed))
      updates.push(sql`
        update ${sql.table(table)} set ${sql.ref(column)} = ${sealed}
        where (${refs(ids)}) = (${sql.join(row.ids)}) and ${sql.ref(column)} = ${row.sealed}`)
    } catch {
      done.unreadable.push(where)
    }
  }
  if (!updates.length) return
  await db.transaction().execute((tx) => Promise.all(updates.map((update) => update.execute(tx))))
  done.values += updates.length
}

/** Puts everything under the current master key, until nothing is left under another, and records that. */
export async function rotateKeys(db: Db, keys: Keys): Promise<Resealed> {
  let done = await resealAll(db, keys)
  // A node that was not yet restarted may have sealed with its own current key meanwhile.
  for (let more = done; more.values && !more.unreadable.length;) {
    more = await resealAll(db, keys)
    done = { values: done.values + more.values, unreadable: more.unreadable }
  }
  const key = keys.masters[0]!.id.toString('hex')
  await db.transaction().execute((tx) =>
    record(tx, {
      act: 'keys-rotated',
      accountId: null,
      actor: 'operator',
      details: { key, values: done.values, unreadable: done.unreadable.length },
    }),
  )
  return done
}
