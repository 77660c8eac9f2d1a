import { sql } from 'kysely'
import type { Locale } from '../../contract/enums.ts'
import { joined, languageText, reasons, type ExportedList } from '../platform/exported-data.ts'
import type { Account } from './account-store.ts'

/** The account itself in the copy of all data. */
export const exportedAccount: ExportedList<ExportedAccount> = {
  key: 'account',
  isSingle: true,
  table: 'accounts',
  columns: `id provider_id login email phone first_name second_name surname locale=language created_at blocked_at
    blocked_for_strangers=blockedForUnknownDevices early_reminders phone_confirmed resets_from`,
  omitted: {
    'login_key email_key phone_index unconfirmed_key': reasons.canonical,
    'password_hash earlier_hashes': reasons.secret,
    held_at: 'a legal hold, whose reason may be a secret investigation',
  },
  where: (id) => sql`id = ${id}`,
  order: 'id',
  title: { pl: 'Konto i\u00a0kontakt', en: 'Account and contact' },
  describe: (account) => ({
    rows: [
      [{ pl: 'Imię i\u00a0nazwisko', en: 'Name' }, joined(account.firstName, account.secondName, account.surname)],
      [{ pl: 'Login', en: 'Username' }, account.login],
      [{ pl: 'E-mail', en: 'E-mail' }, account.email],
      [{ pl: 'Telefon', en: 'Phone' }, account.phone],
      [{ pl: 'Język', en: 'Language' }, languageText[account.language]],
      [{ pl: 'Numer u\u00a0dostawcy', en: 'Provider’s number' }, account.providerId],
      [{ pl: 'Konto założone', en: 'Account created' }, account.createdAt],
      [{ pl: 'Zablokowane od', en: 'Blocked since' }, account.blockedAt],
      [{ pl: 'Telefon potwierdzony', en: 'Phone confirmed' }, account.phoneConfirmed ? yes : no],
      [{ pl: 'Nowe hasło przez e-mail możliwe od', en: 'New password by e-mail possible from' }, account.resetsFrom],
      [{ pl: 'Wczesne przypomnienia', en: 'Early reminders' }, account.earlyReminders ? on : off],
    ],
  }),
}

type ExportedAccount = Pick<Account, 'login' | 'email' | 'firstName' | 'secondName' | 'surname' | 'phoneConfirmed'> & {
  phone: string
  providerId: string | null
  language: Locale
  createdAt: Date
  blockedAt: Date | null
  earlyReminders: boolean
  resetsFrom: Date | null
}

const yes = { pl: 'tak', en: 'yes' }
const no = { pl: 'nie', en: 'no' }
const on = { pl: 'włączone', en: 'on' }
const off = { pl: 'wyłączone', en: 'off' }
