import type { FastifyInstance } from 'fastify'
import { changeReminders, readReminders } from '../../contract/reminders.ts'
import { record } from '../audit.ts'
import { serve } from '../http.ts'
import type { Portal } from '../portal.ts'
import { switchEarlyReminders, wantsEarlyReminders } from '../signature-reminders.ts'

/** SIG-5: all reminders but the last two are the customer's to switch off. */
export function serveReminders(app: FastifyInstance, portal: Portal): void {
  const { db } = portal

  serve(app, portal, readReminders, async ({ session }) => ({
    early: await wantsEarlyReminders(db, session.accountId),
  }))

  serve(app, portal, changeReminders, async ({ body: { early }, session: { accountId }, address }) => {
    await db.transaction().execute(async (tx) => {
      if (!(await switchEarlyReminders(tx, accountId, early))) return
      await record(tx, { act: 'reminders-switched', accountId, actor: 'customer', address, details: { early } })
    })
  })
}
