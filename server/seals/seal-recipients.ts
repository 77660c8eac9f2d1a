import * as calls from '../../contract/seal-recipients.ts'
import type { SealRecipient } from '../../contract/seal-recipients.ts'
import { canonicalLogin } from '../platform/authentication/canonical.ts'
import { newToken } from '../platform/authentication/session.ts'
import { handler } from '../platform/http/http.ts'
import { remindOfEnds } from '../platform/messages/end-reminders.ts'
import { enqueue } from '../platform/messages/outbox.ts'
import { recipientMail, recipientReminderMail } from './seal-recipient-mails.ts'
import {
  claimRecipientReminder,
  confirmRecipient,
  findRecipient,
  isConfirmed,
  listDueRecipients,
  putRecipient,
  refuseRecipient,
  removeRecipient,
  type RecipientRow,
} from './seal-recipient-store.ts'
import { findAdministered } from './seal-user-store.ts'

/** SEA-19: mails to the confirmed second recipient of a seal's reminders, like those to its Administrators (SEA-11). */
export const remindRecipients = remindOfEnds({
  feature: 'seals',
  listDue: listDueRecipients,
  claim: claimRecipientReminder,
  mailOf: recipientReminderMail,
  entryOf: ({ seal, step }) => ({ action: 'seal-recipient-reminded', details: { seal, step } }),
})

// SEA-19: a second recipient of the reminders, named by an Administrator and confirmed by its own link.

export const readSealRecipient = handler(
  calls.readSealRecipient,
  async ({ params: { id }, session: { accountId }, found }, { db }) => {
    found(await findAdministered(db, id, accountId))
    return { recipient: recipientOf(await findRecipient(db, id)) }
  },
)

export const nameSealRecipient = handler(
  calls.nameSealRecipient,
  ({ params, body, session: { accountId }, fail, limit, transaction, found }, { settings, keys }) =>
    transaction(async (tx, audit) => {
      const seal = found(await findAdministered(tx, params.id, accountId))
      if (seal.ended) throw fail('seal-ended')
      await limit('sends-spent', ['seal-recipient', canonicalLogin(body.email)], tx)
      const token = newToken()
      const named = found(await putRecipient(tx, { ...body, sealId: params.id, token, by: accountId }))
      const mail = recipientMail(settings, body.locale, { ...named, token })
      await enqueue(tx, keys, { channel: 'mail', to: named.email, ...mail }, named.expiresAt)
      await audit('seal-recipient-named', { seal: params.id })
      return { recipient: recipientOf(named) }
    }),
)

export const removeSealRecipient = handler(
  calls.removeSealRecipient,
  ({ params: { id }, session: { accountId }, transaction, found }) =>
    transaction(async (tx, audit) => {
      found(await findAdministered(tx, id, accountId))
      if (await removeRecipient(tx, id, accountId)) await audit('seal-recipient-removed', { seal: id })
    }),
)

export const answerSealRecipient = handler(
  calls.answerSealRecipient,
  ({ body: { token, answer }, fail, transaction }) =>
    transaction(async (tx, audit) => {
      const isRefused = answer === 'refuse'
      const seal = await (isRefused ? refuseRecipient(tx, token) : confirmRecipient(tx, token))
      if (seal) return audit(isRefused ? 'seal-recipient-refused' : 'seal-recipient-confirmed', { seal })
      const confirmed = isRefused ? undefined : await isConfirmed(tx, token)
      // A repeated confirmation gets the same answer (HTT-1).
      if (!confirmed) throw fail(confirmed === undefined ? 'link-unknown' : 'link-expired')
    }),
)

const recipientOf = (row: RecipientRow | undefined): SealRecipient | null =>
  row
    ? {
        email: row.email,
        confirmedAt: row.confirmedAt?.toISOString() ?? null,
        expiresAt: row.confirmedAt ? null : row.expiresAt.toISOString(),
      }
    : null
