import type { FastifyInstance } from 'fastify'
import { changeReminders, readReminders } from '../../contract/reminders.ts'
import { serve } from '../platform/http/http.ts'
import type { Portal } from '../platform/portal.ts'
import { switchEarlyReminders, wantsEarlyReminders } from './reminder-store.ts'

/** SIG-5: the customer can switch off all reminders except the last two. */
export function serveReminders(app: FastifyInstance, portal: Portal): void {
  const { db } = portal

  serve(app, portal, readReminders, async ({ session }) => ({
    early: await wantsEarlyReminders(db, session.accountId),
  }))

  serve(app, portal, changeReminders, async ({ body: { early }, session: { accountId }, transaction }) => {
    await transaction(async (tx, audit) => {
      if (!(await switchEarlyReminders(tx, accountId, early))) return
      await audit('reminders-switched', { early })
    })
  })
}
