import { sql } from 'kysely'
import type { Locale } from '../../contract/enums.ts'
import type { SealProduct } from '../../contract/seals.ts'
import { decryptInvitedPhone } from '../platform/encrypted-data/encrypted-fields.ts'
import { productText } from '../../contract/product-text.ts'
import { accessText, roleText } from './seal-text.ts'
import { exportedList, labels, languageText, type ExportData, type ExportSource } from '../platform/exported-data.ts'

/** The seals in the copy of all data, and those whose reminders go to the customer’s e-mail address as a second one. */
export const exportSeals: ExportData = async (source) => {
  const seals = exportedList(
    'seals',
    { pl: 'Dostęp do pieczęci', en: 'Access to seals' },
    await readSeals(source),
    (seal) => ({
      name: seal.name,
      rows: [
        [{ pl: 'Rodzaj', en: 'Type' }, productText[seal.product]],
        [labels.organisation, `${seal.organisation}, ${seal.organisationIdentifier}`],
        [labels.validFrom, seal.validFrom],
        [labels.validTo, seal.validTo],
        [{ pl: 'Rola', en: 'Role' }, roleText[seal.role]],
        [{ pl: 'Dostęp', en: 'Access' }, accessText[seal.access]],
        [{ pl: 'Zapisane dane', en: 'Data kept' }, `${seal.firstName} ${seal.surname}, ${seal.email}, ${seal.phone}`],
        [{ pl: 'Zaproszono', en: 'Invited' }, seal.invitedAt],
        [{ pl: 'Aktywowano', en: 'Activated' }, seal.acquiredAt],
        [{ pl: 'Usunięto', en: 'Removed' }, seal.deletedAt],
        [labels.paired, seal.pairedAt],
      ],
    }),
  )
  const recipients = exportedList(
    'sealRecipients',
    { pl: 'Przypomnienia o\u00a0pieczęciach na Twój adres', en: 'Seal reminders to your address' },
    await readRecipients(source),
    (recipient) => ({
      name: recipient.email,
      rows: [
        [{ pl: 'Język', en: 'Language' }, languageText[recipient.language]],
        [{ pl: 'Podano', en: 'Entered' }, recipient.addedAt],
        [{ pl: 'Link działa do', en: 'Link works until' }, recipient.expiresAt],
        [{ pl: 'Potwierdzono', en: 'Confirmed' }, recipient.confirmedAt],
        [{ pl: 'Przypomniano o\u00a0końcu', en: 'Reminded of the end' }, recipient.remindedOf],
        [{ pl: 'Ile dni przed końcem', en: 'Days before the end' }, recipient.remindedStep],
      ],
    }),
  )
  return { json: { ...seals.json, ...recipients.json }, sections: [...seals.sections, ...recipients.sections] }
}

type ExportedRecipient = {
  sealId: string
  email: string
  language: Locale
  addedAt: Date
  expiresAt: Date
  confirmedAt: Date | null
  remindedOf: Date | null
  remindedStep: number | null
}

async function readRecipients({ db, accountId }: ExportSource): Promise<ExportedRecipient[]> {
  const { rows } = await sql<ExportedRecipient>`
    select seal_id, email, locale as language, added_at, expires_at, confirmed_at, reminded_of, reminded_step
    from seal_recipients where email_key = (select email_key from accounts where id = ${accountId})
    order by added_at`.execute(db)
  return rows
}

/** Each membership of the customer in a seal, and each invitation to their e-mail; of the seal the data that its users see. */
async function readSeals({ db, keys, accountId }: ExportSource) {
  const { rows } = await sql<{
    id: string
    providerId: string
    seal: string
    product: SealProduct
    name: string
    organisation: string
    organisationIdentifier: string
    validFrom: Date
    validTo: Date
    number: number
    role: 'admin' | 'user'
    access: 'pending' | 'active' | 'deleted'
    firstName: string
    surname: string
    email: string
    phone: Buffer
    language: 'pl' | 'en'
    invitedAt: Date
    expiresAt: Date
    acquiredAt: Date | null
    deletedAt: Date | null
    pairedAt: Date | null
  }>`
    select u.id, u.provider_id, s.id as seal, s.product, s.name, s.organisation, s.organisation_identifier,
      s.valid_from, s.valid_to, u.number, u.role, u.status as access, u.first_name, u.surname,
      u.email, u.phone, u.locale as language, u.invited_at, u.expires_at, u.acquired_at, u.deleted_at, p.confirmed_at as paired_at
    from seal_users u join seals s on s.id = u.seal_id left join seal_pairings p on p.seal_user_id = u.id
    where u.account_id = ${accountId}
      or (u.status = 'pending' and u.email_key = (select email_key from accounts where id = ${accountId}))
    order by u.invited_at, u.id`.execute(db)
  const reminders = await sql<{ user: string; step: number; validTo: Date; at: Date }>`
    select seal_user_id as "user", step, valid_to, at from seal_reminders
    where seal_user_id = any(${rows.map(({ id }) => id)}::uuid[]) order by at`.execute(db)
  return rows.map((row) => ({
    ...row,
    phone: decryptInvitedPhone(keys, row.id, row.phone),
    reminders: reminders.rows
      .filter(({ user }) => user === row.id)
      .map(({ step, validTo, at }) => ({ step, validTo, at })),
  }))
}
