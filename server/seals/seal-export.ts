import { sql } from 'kysely'
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
export const exportedSeals: ExportedList = {
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
    [{ pl: 'Rodzaj', en: 'Type' }, ['product', productText]],
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
export const exportedRecipients: ExportedList = {
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
