import { sql } from 'kysely'
import type { Locale } from '../../contract/enums.ts'
import { decryptPhone } from '../platform/encrypted-data/encrypted-fields.ts'
import { joined, languageText, type ExportData } from '../platform/exported-data.ts'
import type { Account } from './account-store.ts'

/** The account itself in the copy of all data. */
export const exportAccount: ExportData = async ({ db, keys, accountId }) => {
  const { rows } = await sql<EncryptedAccount>`
    select id, provider_id, login, email, phone, first_name, second_name, surname, locale as language, created_at, blocked_at,
      blocked_for_strangers as blocked_for_unknown_devices, early_reminders, phone_confirmed, resets_from
    from accounts where id = ${accountId}`.execute(db)
  const accounts = rows.map((row) => ({ ...row, phone: decryptPhone(keys, row.id, row.phone) }))
  return {
    json: { account: accounts[0] },
    sections: [
      {
        title: { pl: 'Konto i\u00a0kontakt', en: 'Account and contact' },
        things: accounts.map((account) => ({
          rows: [
            [
              { pl: 'Imię i\u00a0nazwisko', en: 'Name' },
              joined(account.firstName, account.secondName, account.surname),
            ],
            [{ pl: 'Login', en: 'Username' }, account.login],
            [{ pl: 'E-mail', en: 'E-mail' }, account.email],
            [{ pl: 'Telefon', en: 'Phone' }, account.phone],
            [{ pl: 'Język', en: 'Language' }, languageText[account.language]],
            [{ pl: 'Numer u\u00a0dostawcy', en: 'Provider’s number' }, account.providerId],
            [{ pl: 'Konto założone', en: 'Account created' }, account.createdAt],
            [{ pl: 'Zablokowane od', en: 'Blocked since' }, account.blockedAt],
            [{ pl: 'Telefon potwierdzony', en: 'Phone confirmed' }, account.phoneConfirmed ? yes : no],
            [
              { pl: 'Nowe hasło przez e-mail możliwe od', en: 'New password by e-mail possible from' },
              account.resetsFrom,
            ],
            [{ pl: 'Wczesne przypomnienia', en: 'Early reminders' }, account.earlyReminders ? on : off],
          ],
        })),
      },
    ],
  }
}

type EncryptedAccount = Pick<
  Account,
  'id' | 'login' | 'email' | 'phone' | 'firstName' | 'secondName' | 'surname' | 'phoneConfirmed'
> & {
  providerId: string | null
  language: Locale
  createdAt: Date
  blockedAt: Date | null
  blockedForUnknownDevices: boolean
  earlyReminders: boolean
  resetsFrom: Date | null
}

const yes = { pl: 'tak', en: 'yes' }
const no = { pl: 'nie', en: 'no' }
const on = { pl: 'włączone', en: 'on' }
const off = { pl: 'wyłączone', en: 'off' }
