import type { FastifyInstance } from 'fastify'
import { safeParse } from 'zod/v4/core'
import { ImportedCustomer, importCustomers, type RefusedLine } from '../../contract/customer-import.ts'
import { limits } from '../../contract/limits.ts'
import { ProviderId } from '../../contract/provider-api.ts'
import { canonicalLogin } from '../canonical.ts'
import { compiled } from '../compiled-schema.ts'
import type { Tx } from '../db.ts'
import { Failed } from '../failure.ts'
import { fieldsOf, serve } from '../http.ts'
import { isBlank, linesOf, type Line } from '../ndjson.ts'
import { enqueueBulk } from '../outbox.ts'
import type { Portal } from '../portal.ts'
import { putCustomers, type PutCustomer } from './put-customers.ts'

const { bytes: bytesAtMost, lines: linesAtMost, lineBytes, together } = limits.customerImport
const schema = compiled(ImportedCustomer)

type Stated = { line: number; one: ImportedCustomer }

/** Many customers in one call (OPS-4). What is good counts, whatever is wrong with the lines around it, so a call that broke off is repeated as it was. */
export function serveCustomerImport(app: FastifyInstance, portal: Portal): void {
  serve(app, portal, importCustomers, async ({ upload, client, address }) => {
    const pieces = await readWhole(upload)
    const refused: RefusedLine[] = []
    const report = { created: 0, updated: 0, unchanged: 0, refused }
    for await (const batch of batchesOf(pieces, refused))
      await portal.db.transaction().execute(async (tx) => {
        const puts = await putInTurn(tx, portal, batch, { client: client.id, address })
        const created = puts.flatMap((put) => (put?.outcome === 'created' ? put.row.id : []))
        if (created.length)
          await enqueueBulk(
            tx,
            portal.keys,
            created.map((account) => ({ channel: 'customer-invitation', account })),
          )
        for (const [i, { line, one }] of batch.entries()) {
          const put = puts[i]
          if (put) report[put.outcome]++
          else refused.push({ line, customer: one.customer, code: 'login-taken' })
        }
      })
    refused.sort((one, other) => one.line - other.line)
    return report
  })
}

/** The whole is read before anything is done, so that one that is too large, or of too many lines, does nothing. */
async function readWhole(upload: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const pieces: Buffer[] = []
  let [bytes, breaks] = [0, 0]
  for await (const piece of upload) {
    bytes += piece.length
    for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) breaks++
    const lines = piece.at(-1) === 10 ? breaks : breaks + 1
    if (bytes > bytesAtMost || lines > linesAtMost) throw new Failed('body-too-large')
    pieces.push(piece)
  }
  return pieces
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function readLine({ number: line, bytes }: Line): Stated | RefusedLine {
  if (!bytes) return { line, customer: null, code: 'body-too-large' }
  let json: unknown
  try {
    json = JSON.parse(utf8.decode(bytes))
  } catch {
    return { line, customer: null, code: 'malformed-request' }
  }
  const result = safeParse(schema, json)
  if (result.success) return { line, one: result.data as ImportedCustomer }
  const id = ProviderId.safeParse((json as { customer?: unknown } | null)?.customer)
  return { line, customer: id.data ?? null, code: 'invalid-input', fields: fieldsOf(result.error.issues) }
}

/**
 * So many at a time, in their order, read when their turn comes: what lives no longer than its batch is cleared away cheaply.
 * Lines with a name in common go one after another: the later one is to count.
 */
async function* batchesOf(pieces: readonly Buffer[], refused: RefusedLine[]): AsyncGenerator<Stated[]> {
  let batch: Stated[] = []
  let names = new Set<string>()
  for await (const line of linesOf(pieces, lineBytes)) {
    if (line.bytes && isBlank(line.bytes)) continue
    const each = readLine(line)
    if (!('one' in each)) {
      refused.push(each)
      continue
    }
    const { customer, login, email } = each.one
    // No e-mail is spelled like an id or a login, which have no @; an id may be spelled like a login.
    const own = [`id ${customer}`, canonicalLogin(login), canonicalLogin(email)]
    if (batch.length === together || own.some((name) => names.has(name))) {
      yield batch
      batch = []
      names = new Set()
    }
    batch.push(each)
    for (const name of own) names.add(name)
  }
  if (batch.length) yield batch
}

/** A name that one line of a batch has given up is free for another one of it: whoever was refused tries again while that helps. */
async function putInTurn(
  tx: Tx,
  portal: Portal,
  batch: readonly Stated[],
  by: { client: string; address: string },
): Promise<(PutCustomer | undefined)[]> {
  const puts = await putCustomers(
    tx,
    portal,
    batch.map(({ one }) => one),
    by,
  )
  const waiting = [...puts.keys()].filter((i) => !puts[i])
  if (!waiting.length || waiting.length === batch.length) return puts
  const again = await putInTurn(
    tx,
    portal,
    waiting.map((i) => batch[i]!),
    by,
  )
  for (const [n, i] of waiting.entries()) puts[i] = again[n]
  return puts
}
