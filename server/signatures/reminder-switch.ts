import * as calls from '../../contract/reminders.ts'
import { handler } from '../platform/http/http.ts'
import { switchEarlyReminders, wantsEarlyReminders } from './reminder-store.ts'

// SIG-5: the customer can switch off all reminders except the last two.

export const readReminders = handler(calls.readReminders, async ({ session }, { db }) => ({
  early: await wantsEarlyReminders(db, session.accountId),
}))

export const changeReminders = handler(
  calls.changeReminders,
  async ({ body: { early }, session: { accountId }, transaction }) => {
    await transaction(async (tx, audit) => {
      if (!(await switchEarlyReminders(tx, accountId, early))) return
      await audit('reminders-switched', { early })
    })
  },
)
