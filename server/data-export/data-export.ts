import type { FastifyInstance } from 'fastify'
import { downloadDataExport, readDataExport, requestDataExport, type DataExport } from '../../contract/data-export.ts'
import { limits } from '../../contract/limits.ts'
import { record } from '../audit.ts'
import { spend, type Budget } from '../budgets.ts'
import { liveExport, orderExport } from '../data-exports.ts'
import type { Db } from '../db.ts'
import { serve } from '../http.ts'
import type { Portal } from '../portal.ts'

const requests: Budget = { name: 'data-export', ...limits.dataExport.requests }

/** DAT-6: all own data as a file, made in the background, behind the step-up both when asked for and when fetched. */
export function serveDataExport(app: FastifyInstance, portal: Portal): void {
  const { db, keys, ports } = portal

  async function stateOf(accountId: string, on: Db = db): Promise<DataExport> {
    const live = await liveExport(on, accountId)
    if (!live) return { state: 'none' }
    if (!live.madeAt) return { state: 'making', requestedAt: live.requestedAt.toISOString() }
    return {
      state: 'ready',
      madeAt: live.madeAt.toISOString(),
      expiresAt: live.expiresAt.toISOString(),
      sizes: { json: live.files.json.bytes, pdf: live.files.pdf.bytes },
    }
  }

  serve(app, portal, readDataExport, ({ session }) => stateOf(session.accountId))

  serve(app, portal, requestDataExport, async ({ body, session: { accountId }, address, fail }) => {
    await db.transaction().execute(async (tx) => {
      if (!(await orderExport(tx, portal, accountId, body.locale)))
        throw fail('state-passed', { current: (await stateOf(accountId, tx)).state })
      const paid = await spend(tx, keys, requests, accountId)
      if (!paid.ok) throw fail('too-many-attempts', { retryAfter: paid.retryAfter })
      await record(tx, { act: 'data-export-requested', accountId, actor: 'customer', address })
    })
    return stateOf(accountId)
  })

  serve(app, portal, downloadDataExport, async ({ params: { format }, session: { accountId }, address, fail }) => {
    const live = await liveExport(db, accountId)
    if (!live?.madeAt) throw fail('state-passed', { current: live ? 'making' : 'none' })
    const file = await ports.documents.read(live.files[format].key)
    if (!file) throw new Error(`A file of the export ${live.id} is not in the store.`)
    await db.transaction().execute((tx) =>
      record(tx, {
        act: 'data-export-downloaded',
        accountId,
        actor: 'customer',
        address,
        details: { export: live.id, format },
      }),
    )
    const type = { json: 'application/json', pdf: 'application/pdf' }[format]
    return { name: `${live.locale === 'pl' ? 'moje-dane' : 'my-data'}.${format}`, type, ...file }
  })
}
