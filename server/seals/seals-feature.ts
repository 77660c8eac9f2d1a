import { sql } from 'kysely'
import { limits } from '../../contract/limits.ts'
import { productPhrase } from '../../contract/product-text.ts'
import { omittedActivation } from '../pairing/activation-target-store.ts'
import { type Db, query } from '../platform/database/database.ts'
import { encryptInvitedPhone } from '../platform/encrypted-data/encrypted-fields.ts'
import {
  exportedReminders,
  labels,
  languageText,
  ofTable,
  reasons,
  type ExportedList,
} from '../platform/exported-data.ts'
import { inCalendarCondition } from '../platform/messages/calendar-file.ts'
import type { ServerFeature } from '../platform/portal.ts'
import {
  putSeal,
  getSeal,
  removeSeal,
  listProviderSeals,
  putSealAgreement,
  putSealUser,
  getSealUser,
  listProviderSealUsers,
} from './provider-seals.ts'
import { startSealActivation, resendSealActivation, finishSealActivation } from './seal-activation.ts'
import { sealEnd, type EndingSeal, remindOfSeals } from './seal-end.ts'
import { deliverInvitation, resendInvitation } from './seal-invitations.ts'
import { administratorCondition } from './seal-membership-store.ts'
import {
  remindRecipients,
  readSealRecipient,
  nameSealRecipient,
  removeSealRecipient,
  answerSealRecipient,
} from './seal-recipients.ts'
import { accessText, roleText } from './seal-store.ts'
import {
  listSealUsers,
  exportSealUsers,
  addSealUser,
  removeSealUser,
  inviteSealUserAgain,
  showSealUserPhone,
} from './seal-users.ts'
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

/** Lists the ends of the seals that an account may use, earliest first. */
const listSealEnds = (db: Db, accountId: string): Promise<(EndingSeal & { validFrom: Date })[]> =>
  query(db).all(sql<EndingSeal & { validFrom: Date }>`
    select s.id as seal_id, s.organisation, s.valid_from, s.valid_to, m.role
    from seal_users m join seals s on s.id = m.seal_id
    where m.account_id = ${accountId} and m.status = 'active' and s.status <> 'revoked'
      and ${inCalendarCondition(sql`s.valid_from`, sql`s.valid_to`)}
    order by s.valid_to, s.id limit ${limits.calendar.entries}`)

const ofSeal = ofTable('seals')

/** The memberships of the customer in seals and the invitations to their e-mail, with the data of the seal that its users see. */
const exportedSeals: ExportedList = {
  key: 'seals',
  table: 'seal_users',
  join: sql`join seals on seals.id = seal_id left join seal_pairings on seal_user_id = seal_users.id`,
  columns: `id provider_id seal_id=seal ${ofSeal('product name organisation organisation_identifier valid_from valid_to')}
    number role status=access first_name surname email phone locale=language invited_at expires_at acquired_at deleted_at
    seal_pairings.confirmed_at=pairedAt`,
  omitted: {
    email_key: reasons.canonical,
    standing: 'follows from the access',
    [ofSeal('id')]: reasons.joined,
    [ofSeal(`provider_id period psd2 status certificate certificate_index serial_index chain last_number own_suspension created_at
      agreement_language agreement_key agreement_bytes agreement_sha256`)]: 'the organisation’s',
    ...omittedActivation('seal_pairings', 'seal_user_id'),
  },
  where: (id) => sql`seal_users.account_id = ${id}
    or (seal_users.status = 'pending' and email_key = (select email_key from accounts where id = ${id}))`,
  order: 'invited_at id',
  lists: { reminders: exportedReminders('seal_reminders', 'seal_user_id') },
  title: { pl: 'Dostęp do pieczęci', en: 'Access to seals' },
  name: 'name',
  rows: [
    [{ pl: 'Rodzaj', en: 'Type' }, ['product', productPhrase]],
    [labels.organisation, 'organisation, organisationIdentifier'],
    [labels.validFrom, 'validFrom'],
    [labels.validTo, 'validTo'],
    [{ pl: 'Rola', en: 'Role' }, ['role', roleText]],
    [{ pl: 'Dostęp', en: 'Access' }, ['access', accessText]],
    [{ pl: 'Zapisane dane', en: 'Data kept' }, 'firstName surname, email, phone'],
    [{ pl: 'Zaproszono', en: 'Invited' }, 'invitedAt'],
    [{ pl: 'Aktywowano', en: 'Activated' }, 'acquiredAt'],
    [{ pl: 'Usunięto', en: 'Removed' }, 'deletedAt'],
    [labels.paired, 'pairedAt'],
  ],
}

/** Seals whose reminders go to the customer’s e-mail address as a second one. */
const exportedRecipients: ExportedList = {
  table: 'seal_recipients',
  columns: 'seal_id email locale=language added_at expires_at confirmed_at reminded_of reminded_step',
  omitted: { email_key: reasons.canonical, token_hash: reasons.secret },
  where: (id) => sql`email_key = (select email_key from accounts where id = ${id})`,
  order: 'added_at',
  title: { pl: 'Przypomnienia o\u00a0pieczęciach na Twój adres', en: 'Seal reminders to your address' },
  name: 'email',
  rows: [
    [{ pl: 'Język', en: 'Language' }, ['language', languageText]],
    [{ pl: 'Podano', en: 'Entered' }, 'addedAt'],
    [{ pl: 'Link działa do', en: 'Link works until' }, 'expiresAt'],
    [{ pl: 'Potwierdzono', en: 'Confirmed' }, 'confirmedAt'],
    [{ pl: 'Przypomniano o\u00a0końcu', en: 'Reminded of the end' }, 'remindedOf'],
    [{ pl: 'Ile dni przed końcem', en: 'Days before the end' }, 'remindedStep'],
  ],
}

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
    { name: 'remind-of-seal-ends', everySeconds: 600, runsAtStart: true, run: remindOfSeals },
    { name: 'remind-recipients-of-seal-ends', everySeconds: 600, runsAtStart: true, run: remindRecipients },
  ],
  stepUpObjects: {
    'pair-seal': (accountId, id) =>
      sql`select from seal_users where seal_id = ${id} and account_id = ${accountId} and status = 'active'`,
    'manage-seal-users': (accountId, id) => sql`select where ${administratorCondition(id, accountId)}`,
  },
  ends: {
    feature: 'seals',
    list: async ({ db, settings }, { accountId, locale }) =>
      (await listSealEnds(db, accountId)).map((row) => ({
        ...sealEnd(settings, locale, row),
        validFrom: row.validFrom,
      })),
  },
  historyObjects: {
    seal: {
      details: ['seal'],
      find: (accountId, idIn) => sql`
        select jsonb_build_object('id', s.id, 'name', s.name, 'product', s.product, 'person', nullif(trim(u.first_name || ' ' || u.surname), ''),
          'isListed', own.status = 'active' and u.status is distinct from 'deleted')
        from seal_users own join seals s on s.id = own.seal_id
          left join seal_users u on own.status = 'active' and own.role = 'admin' and u.id = ${idIn('user')} and u.seal_id = own.seal_id
            and u.account_id is distinct from ${accountId}
        where own.seal_id = ${idIn('seal')} and own.account_id = ${accountId} order by own.standing limit 1`,
    },
  },
  exportData: [exportedSeals, exportedRecipients],
  erasure: {
    inUse: (id) => [
      sql`exists (select from seal_users u join seals s on s.id = u.seal_id
        where u.account_id = ${id} and u.status = 'active' and s.status <> 'revoked' and s.valid_to > portal_now())`,
    ],
    evidenceConditions: (id) => [sql`exists (select from seal_users where account_id = ${id})`],
    remove: (id) => [
      sql`delete from seal_reminders where seal_user_id in (select id from seal_users where account_id = ${id})`,
      sql`delete from seal_recipients where email_key = (select email_key from accounts where id = ${id})`,
      sql`delete from seal_pairings where seal_user_id in (select id from seal_users where account_id = ${id})`,
      sql`delete from seal_users where status = 'pending' and email_key = (select email_key from accounts where id = ${id})`,
      sql`update seal_users set status = 'deleted', deleted_at = portal_now() where account_id = ${id} and status = 'active'`,
    ],
    // The record of who had access stays, without the contact data.
    async anonymise(tx, keys, id) {
      const rows = await query(tx).all(sql<{ id: string }>`select id from seal_users where account_id = ${id}`)
      for (const user of rows)
        await query(tx).run(sql`
          update seal_users set email = '', email_key = '', phone = ${encryptInvitedPhone(keys, user.id, '')}
          where id = ${user.id}`)
    },
    removeEvidence: (id) => [sql`delete from seal_users where account_id = ${id}`],
  },
}
