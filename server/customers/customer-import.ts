import { safeParse } from 'zod/v4/core'
import { ProviderId } from '../../contract/fields.ts'
import { limits } from '../../contract/limits.ts'
import * as calls from '../../contract/provider/customer-import.ts'
import { ImportedCustomer, type RefusedLine } from '../../contract/provider/customer-import.ts'
import { listKeptByHold } from '../personal-data/personal-data-store.ts'
import type { ProviderClient } from '../platform/authentication/authenticate.ts'
import { canonicalLogin } from '../platform/authentication/canonical-login.ts'
import { readDatabaseTime, type Tx } from '../platform/database/database.ts'
import { compiled } from '../platform/http/compiled-schema.ts'
import { fieldsOf, handler } from '../platform/http/http.ts'
import { isBlankLine, readLines, type Line } from '../platform/http/ndjson.ts'
import { enqueueBulk } from '../platform/messages/outbox.ts'
import type { Portal } from '../platform/portal.ts'
import { acceptedInFuture, putCustomers, type PutCustomer } from './put-customers.ts'

const { bytes: maxBytes, lines: maxLines, lineBytes, perTransaction } = limits.customerImport
const schema = compiled(ImportedCustomer)

type ImportedLine = { line: number; imported: ImportedCustomer }

/**
 * Imports many customers in one call (OPS-4). Valid lines count even if other lines are refused, so an interrupted call can be repeated
 * unchanged.
 */
export const importCustomers = handler(
  calls.importCustomers,
  async ({ upload, client, address, fail, transaction }, portal) => {
    const pieces = await readUpload(upload)
    if (!pieces) throw fail('body-too-large')
    const refused: RefusedLine[] = []
    const report = { created: 0, updated: 0, unchanged: 0, refused }
    for await (const batch of readBatches(pieces, refused, await readDatabaseTime(portal.db))) {
      const results = await transaction((tx) => importBatch(tx, portal, batch, { client, address }))
      for (const result of results)
        if (typeof result === 'string') report[result]++
        else refused.push(result)
    }
    refused.sort((a, b) => a.line - b.line)
    return report
  },
)

/** Imports the customers of some lines and invites the new ones. Returns what has become of each line. */
async function importBatch(
  tx: Tx,
  portal: Portal,
  batch: ImportedLine[],
  by: { client: ProviderClient; address: string },
): Promise<(PutCustomer['outcome'] | RefusedLine)[]> {
  const unidentified = batch.flatMap(({ imported }) => (imported.identification ? [] : imported.customer))
  const kept = await listKeptByHold(tx, unidentified)
  const free = batch.filter(({ imported }) => !kept.has(imported.customer))
  const puts = await putInTurn(tx, portal, free, by)
  const invitations = puts.flatMap((put) =>
    put?.outcome === 'created' ? { channel: 'customer-invitation' as const, account: put.row.id } : [],
  )
  if (invitations.length) await enqueueBulk(tx, portal.keys, invitations)
  const outcomes = new Map(free.map(({ line }, i) => [line, puts[i]?.outcome]))
  return batch.map(({ line, imported: { customer } }) => {
    if (kept.has(customer)) return { line, customer, code: 'object-in-use' }
    return outcomes.get(line) ?? { line, customer, code: 'login-taken' }
  })
}

/** Reads the whole upload first, so that one that is too large or has too many lines changes nothing; then the result is undefined. */
async function readUpload(upload: AsyncIterable<Buffer>): Promise<Buffer[] | undefined> {
  const pieces: Buffer[] = []
  let [bytes, breaks] = [0, 0]
  for await (const piece of upload) {
    bytes += piece.length
    for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) breaks++
    const lines = piece.at(-1) === 10 ? breaks : breaks + 1
    if (bytes > maxBytes || lines > maxLines) return undefined
    pieces.push(piece)
  }
  return pieces
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function readLine({ number: line, bytes }: Line, now: Date): ImportedLine | RefusedLine {
  if (!bytes) return { line, customer: null, code: 'body-too-large' }
  let json: unknown
  try {
    json = JSON.parse(utf8.decode(bytes))
  } catch {
    return { line, customer: null, code: 'malformed-request' }
  }
  const result = safeParse(schema, json)
  if (result.success) {
    const imported = result.data as ImportedCustomer
    const fields = acceptedInFuture(imported, now)
    return fields.length ? { line, customer: imported.customer, code: 'invalid-input', fields } : { line, imported }
  }
  const id = ProviderId.safeParse((json as { customer?: unknown } | null)?.customer)
  return { line, customer: id.data ?? null, code: 'invalid-input', fields: fieldsOf(result.error.issues) }
}

/**
 * Yields batches of lines in their order, each read only when it is needed: short-lived objects are collected cheaply. Lines with a name in
 * common go into different batches: the later line counts.
 */
async function* readBatches(
  pieces: readonly Buffer[],
  refused: RefusedLine[],
  now: Date,
): AsyncGenerator<ImportedLine[]> {
  let batch: ImportedLine[] = []
  let names = new Set<string>()
  for await (const line of readLines(pieces, lineBytes)) {
    if (line.bytes && isBlankLine(line.bytes)) continue
    const each = readLine(line, now)
    if (!('imported' in each)) {
      refused.push(each)
      continue
    }
    const { customer, login, email } = each.imported
    // No e-mail is spelled like an id or a login, which have no @; an id may be spelled like a login.
    const own = [`id ${customer}`, canonicalLogin(login), canonicalLogin(email)]
    if (batch.length === perTransaction || own.some((name) => names.has(name))) {
      yield batch
      batch = []
      names = new Set()
    }
    batch.push(each)
    for (const name of own) names.add(name)
  }
  if (batch.length) yield batch
}

/** Puts the customers of a batch. One line may free a name that another one needs, so refused lines are repeated as long as that helps. */
async function putInTurn(
  tx: Tx,
  portal: Portal,
  batch: readonly ImportedLine[],
  by: { client: ProviderClient; address: string },
): Promise<(PutCustomer | undefined)[]> {
  const customers = batch.map(({ imported }) => imported)
  const puts = await putCustomers(tx, portal, customers, by)
  const waiting = batch.filter((_, i) => !puts[i])
  if (!waiting.length || waiting.length === batch.length) return puts
  const again = (await putInTurn(tx, portal, waiting, by)).values()
  return puts.map((put) => put ?? again.next().value)
}
