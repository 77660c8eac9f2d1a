import { sql } from 'kysely'
import { languageText, reasons, type ExportedList } from '../platform/exported-data.ts'
import type { ServerFeature } from '../platform/portal.ts'
import { startSignInPasskey, enterSignInPasskey, startStepUpPasskey, enterStepUpPasskey } from './passkey-factor.ts'
import { startPasskeySignIn, enterPasskeySignIn } from './passkey-sign-in.ts'
import { requestPasswordReset, sendLinkAgain, checkPasswordLink, setPassword, changePassword } from './passwords.ts'
import {
  readPhoneConfirmation,
  sendPhoneConfirmation,
  resendPhoneConfirmation,
  correctUnconfirmedPhone,
  confirmPhone,
} from './phone-confirmation.ts'
import { changeLocale, extendSession, readSession, signOut } from './sessions.ts'
import { signIn, enterSignInCode, sendSignInCode, resendSignInCode } from './sign-in.ts'
import { startStepUp, enterStepUpCode, resendStepUpCode } from './step-up-calls.ts'

const yesOrNo = { true: { pl: 'tak', en: 'yes' }, false: { pl: 'nie', en: 'no' } }
const onOrOff = { true: { pl: 'włączone', en: 'on' }, false: { pl: 'wyłączone', en: 'off' } }

const exportedAccount: ExportedList = {
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
  rows: [
    [{ pl: 'Imię i\u00a0nazwisko', en: 'Name' }, 'firstName secondName surname'],
    [{ pl: 'Login', en: 'Username' }, 'login'],
    [{ pl: 'E-mail', en: 'E-mail' }, 'email'],
    [{ pl: 'Telefon', en: 'Phone' }, 'phone'],
    [{ pl: 'Język', en: 'Language' }, ['language', languageText]],
    [{ pl: 'Numer u\u00a0dostawcy', en: 'Provider’s number' }, 'providerId'],
    [{ pl: 'Konto założone', en: 'Account created' }, 'createdAt'],
    [{ pl: 'Zablokowane od', en: 'Blocked since' }, 'blockedAt'],
    [{ pl: 'Telefon potwierdzony', en: 'Phone confirmed' }, ['phoneConfirmed', yesOrNo]],
    [{ pl: 'Nowe hasło przez e-mail możliwe od', en: 'New password by e-mail possible from' }, 'resetsFrom'],
    [{ pl: 'Wczesne przypomnienia', en: 'Early reminders' }, ['earlyReminders', onOrOff]],
  ],
}

export const accountFeature: ServerFeature = {
  calls: [
    signIn,
    enterSignInCode,
    sendSignInCode,
    resendSignInCode,
    readSession,
    extendSession,
    signOut,
    changeLocale,
    startStepUp,
    enterStepUpCode,
    resendStepUpCode,
    requestPasswordReset,
    sendLinkAgain,
    checkPasswordLink,
    setPassword,
    changePassword,
    readPhoneConfirmation,
    sendPhoneConfirmation,
    resendPhoneConfirmation,
    correctUnconfirmedPhone,
    confirmPhone,
    startSignInPasskey,
    enterSignInPasskey,
    startStepUpPasskey,
    enterStepUpPasskey,
    startPasskeySignIn,
    enterPasskeySignIn,
  ],
  exportData: [exportedAccount],
  erasure: {
    remove: (id) => [
      sql`delete from sessions where account_id = ${id}`,
      sql`delete from codes where account_id = ${id}`,
      sql`delete from links where account_id = ${id}`,
      sql`delete from devices where account_id = ${id}`,
      sql`delete from idempotency where caller = ${id}`,
    ],
  },
}
