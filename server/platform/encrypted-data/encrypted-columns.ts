import { sql, type RawBuilder } from 'kysely'
import { addAuditEntry } from '../audit/audit.ts'
import { type Db, query } from '../database/database.ts'
import { currentMaster, decrypt, encrypt, type Keys } from '../encryption/keys.ts'

/** A column of encrypted texts or JSON. */
type EncryptedColumn = {
  table: string
  /** The columns whose values follow `context` in the context of a value. */
  ids: readonly string[]
  column: string
  context: string
  isJson?: true
}

/** The encrypted columns. A new table joins the rotation by a line here. The root key comes last, because a start needs only it. */
const encryptedColumns: readonly EncryptedColumn[] = [
  { table: 'accounts', ids: ['id'], column: 'phone', context: 'accounts.phone' },
  { table: 'signatures', ids: ['id'], column: 'identifier_value', context: 'signatures.identifier_value' },
  { table: 'signatures', ids: ['id'], column: 'certificates', context: 'signatures.certificates', isJson: true },
  { table: 'personal_data', ids: ['account_id'], column: 'encrypted', context: 'personal-data', isJson: true },
  { table: 'pairings', ids: ['signature_id'], column: 'secret', context: 'pairing' },
  { table: 'pairings', ids: ['signature_id'], column: 'content', context: 'activation signature' },
  { table: 'seal_users', ids: ['id'], column: 'phone', context: 'seal_users.phone' },
  { table: 'seal_pairings', ids: ['seal_user_id'], column: 'secret', context: 'seal-pairing' },
  { table: 'seal_pairings', ids: ['seal_user_id'], column: 'content', context: 'activation seal-user' },
  { table: 'document_cases', ids: ['id'], column: 'signer', context: 'document_cases.signer' },
  { table: 'document_cases', ids: ['id'], column: 'access_code', context: 'document_cases.access_code' },
  { table: 'document_files', ids: ['id'], column: 'report', context: 'document_files.report', isJson: true },
  { table: 'phone_changes', ids: ['id'], column: 'phone', context: 'phone_changes.phone' },
  { table: 'voucher_codes', ids: ['id'], column: 'code', context: 'voucher_codes.code' },
  { table: 'passkeys', ids: ['id'], column: 'name', context: 'passkeys.name' },
  { table: 'renewals', ids: ['id'], column: 'parameters', context: 'renewals.parameters', isJson: true },
  { table: 'renewals', ids: ['id'], column: 'identity', context: 'renewals.identity', isJson: true },
  { table: 'renewals', ids: ['id'], column: 'terms', context: 'renewals.terms', isJson: true },
  { table: 'webhook_secrets', ids: ['id'], column: 'secret', context: 'webhook_secrets.secret' },
  { table: 'desk_proposals', ids: ['id'], column: 'content', context: 'desk_proposals.content' },
  { table: 'outbox', ids: ['id'], column: 'message', context: 'outbox' },
  { table: 'idempotency', ids: ['caller', 'key'], column: 'reply', context: 'idempotency' },
  { table: 'document_keys', ids: ['document'], column: 'encrypted', context: 'document' },
  { table: 'secrets', ids: ['name'], column: 'encrypted', context: 'secrets' },
]

export const encryptedColumn = (table: string, column: string): EncryptedColumn | undefined =>
  encryptedColumns.find((each) => each.table === table && each.column === column)

/** Encrypts and decrypts the texts of a column for the id of their row (R83): in another row they cannot be decrypted. */
export function encryptionOf(table: string, column: string) {
  const { context } = encryptedColumn(table, column)!
  const contextOf = (id: string) => `${context} ${id}`
  return {
    contextOf,
    encrypt: (keys: Keys, id: string, text: string): Buffer => encrypt(keys, contextOf(id), text),
    decrypt: (keys: Keys, id: string, encrypted: Buffer): string => decrypt(keys, contextOf(id), encrypted),
  }
}

export function decryptValue(keys: Keys, { context, isJson }: EncryptedColumn, ids: readonly unknown[], value: Buffer) {
  const text = decrypt(keys, [context, ...ids].join(' '), value)
  return isJson ? JSON.parse(text) : text
}

type Row = { ids: string[]; encrypted: Buffer }
export type ReencryptionResult = { values: number; unreadable: string[] }

const batchSize = 200

/**
 * Re-encrypts everything that is not encrypted with the current master key. It works in batches, each a short transaction, so it can
 * run while requests are served and can be interrupted and repeated. A concurrent change by a request wins.
 */
export async function reencryptAll(db: Db, keys: Keys): Promise<ReencryptionResult> {
  const done: ReencryptionResult = { values: 0, unreadable: [] }
  for (const column of encryptedColumns) {
    // If values are left, the root key keeps its old master key, so that the operator cannot remove that one.
    if (column.table === 'secrets' && done.unreadable.length) break
    let rows: Row[] = []
    do {
      rows = await listNextRows(db, keys, column, rows.at(-1)?.ids)
      await reencryptRows(db, keys, column, rows, done)
    } while (rows.length)
  }
  return done
}

const columnRefs = (ids: readonly string[]) => sql.join(ids.map((id) => sql.ref(id)))

/** Lists the next rows that are not encrypted with the current master key, in the order of their ids. */
async function listNextRows(db: Db, keys: Keys, { table, ids, column }: EncryptedColumn, after: string[] | undefined) {
  return query(db).all(sql<Row>`
    select array[${sql.join(ids.map((id) => sql`${sql.ref(id)}::text`))}] as ids, ${sql.ref(column)} as encrypted from ${sql.table(table)}
    where ${after ? sql`(${columnRefs(ids)}) > (${sql.join(after)})` : sql`true`}
      and octet_length(${sql.ref(column)}) > 0 and substring(${sql.ref(column)} from 1 for 8) <> ${currentMaster(keys).id}
    order by ${columnRefs(ids)} limit ${batchSize}`)
}

async function reencryptRows(
  db: Db,
  keys: Keys,
  { table, ids, column, context }: EncryptedColumn,
  rows: Row[],
  done: ReencryptionResult,
): Promise<void> {
  const updates: RawBuilder<unknown>[] = []
  for (const row of rows) {
    const value = [context, ...row.ids].join(' ')
    try {
      const encrypted = encrypt(keys, value, decrypt(keys, value, row.encrypted))
      updates.push(sql`
        update ${sql.table(table)} set ${sql.ref(column)} = ${encrypted}
        where (${columnRefs(ids)}) = (${sql.join(row.ids)}) and ${sql.ref(column)} = ${row.encrypted}`)
    } catch {
      done.unreadable.push(value)
    }
  }
  if (!updates.length) return
  await db.transaction().execute((tx) => Promise.all(updates.map((update) => query(tx).run(update))))
  done.values += updates.length
}

/** Re-encrypts everything with the current master key, until nothing is left under another, and adds an audit entry. */
export async function rotateKeys(db: Db, keys: Keys): Promise<ReencryptionResult> {
  let done = await reencryptAll(db, keys)
  // A node that was not restarted yet may have encrypted with its own current key meanwhile.
  for (let more = done; more.values && !more.unreadable.length;) {
    more = await reencryptAll(db, keys)
    done = { values: done.values + more.values, unreadable: more.unreadable }
  }
  const key = currentMaster(keys).id.toString('hex')
  await db.transaction().execute((tx) =>
    addAuditEntry(tx, {
      action: 'keys-rotated',
      accountId: null,
      actor: 'operator',
      details: { key, values: done.values, unreadable: done.unreadable.length },
    }),
  )
  return done
}
