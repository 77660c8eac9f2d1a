import { sql } from 'kysely'
import { encryptInvitedPhone } from '../platform/encrypted-data/encrypted-fields.ts'
import type { ServerFeature } from '../platform/portal.ts'
import { putSealUser, getSealUser, listProviderSealUsers } from './provider-seal-users.ts'
import { putSeal, getSeal, removeSeal, listProviderSeals, putSealAgreement } from './provider-seals.ts'
import { startSealActivation, resendSealActivation, finishSealActivation } from './seal-activation.ts'
import {
  remindRecipients,
  readSealRecipient,
  nameSealRecipient,
  removeSealRecipient,
  answerSealRecipient,
} from './seal-recipients.ts'
import { sealEnd, type EndingSeal } from './seal-end.ts'
import { exportedSeals, exportedRecipients } from './seal-export.ts'
import { deliverInvitation, resendInvitation } from './seal-invitations.ts'
import { isAdministrator } from './seal-membership-store.ts'
import { remindOfSeals } from './seal-reminders.ts'
import {
  listSeals,
  summariseSeals,
  readSealCertificate,
  downloadSealCertificate,
  downloadSealAgreement,
  startSealPairing,
  readSealPairing,
  confirmSealPairing,
} from './seals.ts'
import {
  listSealUsers,
  exportSealUsers,
  addSealUser,
  removeSealUser,
  inviteSealUserAgain,
  showSealUserPhone,
} from './seal-users.ts'
import { limits } from '../../contract/limits.ts'
import type { Db } from '../platform/database/database.ts'
import { query } from '../platform/database/query.ts'
import { isInCalendar } from '../platform/messages/calendar-ends.ts'

/** The ends of the seals that an account may use, earliest first. */
const listSealEnds = (db: Db, accountId: string): Promise<(EndingSeal & { validFrom: Date })[]> =>
  query(db).all(sql<EndingSeal & { validFrom: Date }>`
    select s.id as seal, s.organisation, s.valid_from, s.valid_to, m.role
    from seal_users m join seals s on s.id = m.seal_id
    where m.account_id = ${accountId} and m.status = 'active' and s.status <> 'revoked'
      and ${isInCalendar(sql`s.valid_from`, sql`s.valid_to`)}
    order by s.valid_to, s.id limit ${limits.calendar.entries}`)

export const sealsFeature: ServerFeature = {
  calls: [
    listSeals,
    summariseSeals,
    readSealCertificate,
    downloadSealCertificate,
    downloadSealAgreement,
    startSealPairing,
    readSealPairing,
    confirmSealPairing,
    listSealUsers,
    exportSealUsers,
    addSealUser,
    removeSealUser,
    inviteSealUserAgain,
    showSealUserPhone,
    startSealActivation,
    resendSealActivation,
    finishSealActivation,
    readSealRecipient,
    nameSealRecipient,
    removeSealRecipient,
    answerSealRecipient,
    putSeal,
    getSeal,
    removeSeal,
    listProviderSeals,
    putSealAgreement,
    putSealUser,
    getSealUser,
    listProviderSealUsers,
  ],
  deliver: { 'seal-invitation': deliverInvitation },
  resendInvitation,
  jobs: [
    { name: 'remind-of-seal-ends', everySeconds: 600, atStart: true, run: remindOfSeals },
    { name: 'remind-recipients-of-seal-ends', everySeconds: 600, atStart: true, run: remindRecipients },
  ],
  stepUpObjects: {
    'pair-seal': (accountId, id) =>
      sql`select from seal_users where seal_id = ${id} and account_id = ${accountId} and status = 'active'`,
    'manage-seal-users': (accountId, id) => sql`select where ${isAdministrator(id, accountId)}`,
  },
  ends: {
    of: 'seals',
    list: async ({ db, settings }, { accountId, locale }) =>
      (await listSealEnds(db, accountId)).map((row) => ({
        ...sealEnd(settings, locale, row),
        validFrom: row.validFrom,
      })),
  },
  exportData: [exportedSeals, exportedRecipients],
  erasure: {
    inUse: (id) => [
      sql`exists (select from seal_users u join seals s on s.id = u.seal_id
        where u.account_id = ${id} and u.status = 'active' and s.status <> 'revoked' and s.valid_to > portal_now())`,
    ],
    isEvidence: (id) => [sql`exists (select from seal_users where account_id = ${id})`],
    remove: (id) => [
      sql`delete from seal_reminders where seal_user_id in (select id from seal_users where account_id = ${id})`,
      sql`delete from seal_recipients where email_key = (select email_key from accounts where id = ${id})`,
      sql`delete from seal_pairings where seal_user_id in (select id from seal_users where account_id = ${id})`,
      sql`delete from seal_users where status = 'pending' and email_key = (select email_key from accounts where id = ${id})`,
      sql`update seal_users set status = 'deleted', deleted_at = portal_now() where account_id = ${id} and status = 'active'`,
    ],
    // The record of who had access stays, without the contact data.
    async anonymise(tx, keys, id) {
      const { rows } = await sql<{ id: string }>`select id from seal_users where account_id = ${id}`.execute(tx)
      for (const user of rows)
        await sql`
          update seal_users set email = '', email_key = '', phone = ${encryptInvitedPhone(keys, user.id, '')}
          where id = ${user.id}`.execute(tx)
    },
    removeEvidence: (id) => [sql`delete from seal_users where account_id = ${id}`],
  },
}
