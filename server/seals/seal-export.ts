import { sql } from 'kysely'
import type { Locale } from '../../contract/enums.ts'
import type { SealProduct } from '../../contract/seals.ts'
import { productText } from '../../contract/product-text.ts'
import { accessText, roleText } from './seal-text.ts'
import { omittedActivation } from '../pairing/activation-export.ts'
import {
  exportedReminders,
  labels,
  languageText,
  ofTable,
  reasons,
  type ExportedList,
} from '../platform/exported-data.ts'

const ofSeal = ofTable('seals')

/** Each membership of the customer in a seal, and each invitation to their e-mail; of the seal the data that its users see. */
export const exportedSeals: ExportedList<{
  product: SealProduct
  name: string
  organisation: string
  organisationIdentifier: string
  validFrom: Date
  validTo: Date
  role: 'admin' | 'user'
  access: 'pending' | 'active' | 'deleted'
  firstName: string
  surname: string
  email: string
  phone: string
  invitedAt: Date
  acquiredAt: Date | null
  deletedAt: Date | null
  pairedAt: Date | null
}> = {
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
  describe: (seal) => ({
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
}

/** Seals whose reminders go to the customer’s e-mail address as a second one. */
export const exportedRecipients: ExportedList<{
  email: string
  language: Locale
  addedAt: Date
  expiresAt: Date
  confirmedAt: Date | null
  remindedOf: Date | null
  remindedStep: number | null
}> = {
  key: 'sealRecipients',
  table: 'seal_recipients',
  columns: 'seal_id email locale=language added_at expires_at confirmed_at reminded_of reminded_step',
  omitted: { email_key: reasons.canonical, token_hash: reasons.secret },
  where: (id) => sql`email_key = (select email_key from accounts where id = ${id})`,
  order: 'added_at',
  title: { pl: 'Przypomnienia o\u00a0pieczęciach na Twój adres', en: 'Seal reminders to your address' },
  describe: (recipient) => ({
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
}
