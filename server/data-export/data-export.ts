import { sql } from 'kysely'
import * as calls from '../../contract/data-export.ts'
import type { DataExport } from '../../contract/data-export.ts'
import type { Given } from '../../contract/endpoint.ts'
import type { Db } from '../platform/database/database.ts'
import { handler } from '../platform/http/http.ts'
import { enqueue } from '../platform/messages/outbox.ts'
import type { ServerFeature, Portal } from '../platform/portal.ts'
import { endDataExports, makeDataExport } from './data-export-files.ts'
import { findLiveExport, orderExport } from './data-export-store.ts'

// A copy of all of the customer's data, made in the background. Both the request and the download need the step-up (DAT-6).

async function readState({ db }: Portal, accountId: string, on: Db = db): Promise<Given<typeof DataExport>> {
  const live = await findLiveExport(on, accountId)
  if (!live) return { state: 'none' }
  if (!live.madeAt) return { state: 'making', requestedAt: live.requestedAt }
  return {
    state: 'ready',
    madeAt: live.madeAt,
    expiresAt: live.expiresAt,
    sizes: { json: live.files.json.bytes, pdf: live.files.pdf.bytes },
  }
}

const readDataExport = handler(calls.readDataExport, ({ session }, portal) => readState(portal, session.accountId))

const requestDataExport = handler(
  calls.requestDataExport,
  async ({ body, session: { accountId }, fail, limit, transaction }, portal) => {
    await transaction(async (tx, audit) => {
      const order = await orderExport(tx, accountId, body.locale)
      if (!order) throw fail('state-passed', { current: (await readState(portal, accountId, tx)).state })
      await enqueue(tx, portal.keys, { channel: 'data-export', export: order.id }, order.dropAt)
      await limit('too-many-attempts', ['data-export', accountId], tx)
      await audit('data-export-requested')
    })
    return readState(portal, accountId)
  },
)

const downloadDataExport = handler(
  calls.downloadDataExport,
  async ({ params: { format }, session: { accountId }, fail, transaction }, { db, ports }) => {
    const live = await findLiveExport(db, accountId)
    if (!live?.madeAt) throw fail('state-passed', { current: live ? 'making' : 'none' })
    const file = await ports.documents.read(live.files[format].key)
    if (!file) throw new Error(`A file of the export ${live.id} is not in the store.`)
    await transaction((tx, audit) => audit('data-export-downloaded', { export: live.id, format }))
    const type = { json: 'application/json', pdf: 'application/pdf' }[format]
    return { name: `${live.locale === 'pl' ? 'moje-dane' : 'my-data'}.${format}`, type, ...file }
  },
)

export const dataExportFeature: ServerFeature = {
  calls: [readDataExport, requestDataExport, downloadDataExport],
  deliver: { 'data-export': makeDataExport },
  stepUpObjects: { 'export-data': (accountId, id) => sql`select where ${id}::uuid = ${accountId}` },
  tidy: endDataExports,
  erasure: {
    files: (id) => ({ removed: sql`select unnest(files) from data_exports where account_id = ${id}` }),
    remove: (id) => [sql`delete from data_exports where account_id = ${id}`],
  },
}
