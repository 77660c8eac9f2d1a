import { remindOfEnds } from '../platform/messages/end-reminders.ts'
import { reminderMail } from './reminder-mails.ts'
import { claimReminder, listDueReminders } from './reminder-store.ts'

/** SIG-5: mails to the holder before the end of a certificate. */
export const remindOfSignatures = remindOfEnds({
  feature: 'signatures',
  listDue: listDueReminders,
  claim: claimReminder,
  mailOf: reminderMail,
  entryOf: ({ id, step }) => ({ action: 'signature-reminder-sent', details: { signature: id, step } }),
})
