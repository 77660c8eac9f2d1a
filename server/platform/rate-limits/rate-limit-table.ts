import { deskLimits } from '../../../contract/desk/desk-limits.ts'
import { limits, type Allowance } from '../../../contract/limits.ts'
import type { CodePurpose } from '../../../contract/step-up-purpose.ts'

type Row = Allowance & {
  /** The owner of each count; a source is a known device, or else a network. */
  per: string
  /** Whether the last try locks the limit for a whole window; otherwise tries become free one by one. */
  locks?: true
}

/** The rate limits of tries and sends, by their names in the database. */
const rows = {
  // Wrong passwords. Five in a row pause a login, whether or not it belongs to an account (AUT-4, R14).
  'sign-in-login': { per: 'name as typed and source', ...limits.signIn.pause, locks: true },
  // An account is counted under its login and its e-mail together (R16). Further attempts are refused like a wrong
  // password: a pause would reveal that two names belong to one account, and so that the account exists (R14).
  'sign-in-account': { per: 'account and source', ...limits.signIn.pause, locks: true },
  // Attempts of unknown devices. Beyond the limit every such device needs the bot check; it refuses nothing. Counted by
  // the name as typed, so that a missing account looks like an existing one (R14, R118).
  'sign-in-attack': { per: 'name as typed', ...limits.signIn.attack },
  // For any logins: guessing one password for many accounts is guessing, too (R28). An address may be that of an
  // office: beyond its limit unknown devices there need the bot check. Beyond the limit of its neighbourhood they are
  // refused (R120).
  'sign-in-address': { per: 'network', ...limits.signIn.wrongPerAddress },
  'sign-in-subnet': { per: 'subnet', ...limits.signIn.wrongPerSubnet },
  // Refused passkeys of visitors. Sending one costs nothing, so they are counted separately: they refuse no password (R28, R120, R121).
  'passkey sign-in-address': { per: 'network', ...limits.signIn.wrongPerAddress },
  'passkey sign-in-subnet': { per: 'subnet', ...limits.signIn.wrongPerSubnet },
  // Ten wrong passwords in a day block an account. The limit refuses nothing itself, so a blocked account looks like an unknown one (R14).
  'sign-in-block': { per: 'account of all unknown devices, or of one known device', ...limits.signIn.block },
  // Without it, blocking would be a way to flood a mailbox (R17).
  'block-notice': { per: 'account and reason', limit: 1, window: limits.signIn.block.window },
  // The password could be guessed inside a session, too (R16).
  'current-password': { per: 'account', ...limits.signIn.pause, locks: true },
  // A challenge is answered once, over all nodes (R121); so is the proof of a bot check, for as long as it is valid (R77).
  'passkey-sign-in': { per: 'challenge', limit: 1, window: limits.passkeys.challengeLife },
  'bot-proof': { per: 'nonce', limit: 1, window: limits.passkeys.challengeLife },
  // Wrong answers. A signature cannot be guessed and each answer needs a challenge, so answers are judged before they
  // are counted: wrong ones from strangers with the password do not block a correct one (R118). Beyond the limit no
  // audit entry is added.
  'passkey-tries': { per: 'account', ...limits.passkeys.tries },
  'client-key-wrong': { per: 'network', ...limits.clientKey.wrong },

  // Wrong codes, for each purpose (R20). Those of a known device are counted apart: strangers who have the password do
  // not lock it out (R118).
  'code-entries': { per: 'account, or account and known device', ...limits.code.wrongPerPurpose, locks: true },
  // Wrong codes of all purposes without a correct one between them (R20).
  'code-entries-unbroken': {
    per: 'account of unknown devices, or of known ones',
    limit: limits.code.wrongWithoutSuccess,
    window: 10 * 365 * 86_400,
    locks: true,
  },
  // All wrong entries of a phone change, including those of the document number: all steps share one count (R32).
  'phone-change': { per: 'account', ...limits.phoneChange.wrong, locks: true },
  'pairing-code': { per: 'signature or seal', ...limits.pairing.wrong, locks: true },
  'lost-phone-document': { per: 'account', ...limits.lostPhone.numbers, locks: true },
  'voucher-account': { per: 'account', ...limits.voucher.wrongPerAccount, locks: true },
  'voucher-address': { per: 'network', ...limits.voucher.wrongPerAddress },

  // SMS to a number whose code nobody has entered yet, counted for the account that has confirmed it: other accounts
  // use up none of them (R115), and strangers none of a known device's (R118). An entered code is refunded, or the
  // tenth sign-in of a day would be the last one.
  'sms-number': { per: 'account and number, of unknown devices or of known ones', ...limits.code.sendsPerRecipient },
  // All SMS, also those whose code was entered: whoever owns a number that costs money cannot order more (R27).
  'sms-number-entered': {
    per: 'account and number, of unknown devices or of known ones',
    ...limits.code.sendsPerRecipient,
  },
  // From all accounts that have not confirmed the number (R115).
  'sms-unconfirmed': { per: 'number', ...limits.phoneConfirmation.sends },
  // Codes that nobody has entered yet. Each entered code is refunded, or an office behind one address would use up the
  // limit (R120). Codes to unconfirmed numbers are counted apart, so they do not use up those of a sign-in.
  'sms-address': { per: 'network', ...limits.code.sendsPerAddress },
  'sms-address-unconfirmed': { per: 'network', ...limits.code.sendsPerAddress },
  // Checked when a code is requested and charged when it is sent (R27). Unconfirmed numbers have their own limit, so
  // that invented ones cannot use up that of the range's customers (R115). So have notices: many changes at once must
  // not lock customers out, nor many codes hide a change from its victim (R269).
  'sms-range': { per: 'range of numbers', limit: limits.code.sendsPerRange, window: 86_400 },
  'sms-range-unconfirmed': { per: 'range of numbers', limit: limits.code.sendsPerRange, window: 86_400 },
  'sms-range-notices': { per: 'range of numbers', limit: limits.code.sendsPerRange, window: 86_400 },
  // Codes by mail: to one mailbox, in any spelling (R26), and for one address.
  'code-mails': { per: 'mailbox', ...limits.code.sendsPerRecipient },
  'code-mails-address': { per: 'network', ...limits.code.sendsPerAddress },
  // The pause after the last send of a code, for each purpose (R25).
  'code-pause': { per: 'account and kind of device', limit: 1, window: limits.code.pauseAfterSends, locks: true },
  // Codes of a day over all sessions, where the number is not yet proven to belong to anybody.
  'code-sends activate-seal': { per: 'invitation', ...limits.seal.codes },
  'code-sends phone-sms': { per: 'account', ...limits.phoneChange.codes },
  'phone-corrections': { per: 'account', ...limits.phoneConfirmation.corrections },

  // Links that anybody can request by the name of an account; no kind uses up those of another (R119, R222).
  'reset-account': { per: 'name and source', ...limits.reset.perAccount },
  'reset-address': { per: 'source', ...limits.reset.perAddress },
  'reset-strangers': { per: 'account', ...limits.reset.byStrangers },
  'reset-spaced': { per: 'account', ...limits.reset.spaced },
  'lost-phone-account': { per: 'name and source', ...limits.reset.perAccount },
  'lost-phone-address': { per: 'source', ...limits.reset.perAddress },
  'lost-phone-strangers': { per: 'account', ...limits.reset.byStrangers },
  'lost-phone-spaced': { per: 'account', ...limits.reset.spaced },
  'registration-hour': { per: 'network', ...limits.registration.perHour },
  'registration-day': { per: 'network', ...limits.registration.perDay },
  'registration-email': { per: 'mailbox', ...limits.registration.perEmail },
  // Mails to one address, for all seals together and across removals (R74, R216).
  'seal-invitation': { per: 'mailbox', ...limits.seal.invitations },
  'seal-recipient': { per: 'mailbox', ...limits.seal.recipients },
  'document-code': { per: 'document', ...limits.documents.codes },

  // Calls that cost much. A look-up of a country calls an outside service.
  'country-lookup': { per: 'network', ...limits.phone.lookups },
  'session-country': { per: 'account', ...limits.phone.lookups },
  // Authorities are called and signatures verified for strangers, so a network gets few look-ups (R182).
  'revocation-look-up': { per: 'network', ...limits.fileCheck.lookUps },
  'revocation-look-up-subnet': { per: 'subnet', ...limits.fileCheck.lookUpsBySubnet },
  // The list may have thousands of certificates, and its answer megabytes (R184).
  'trusted-authorities': { per: 'network', limit: 120, window: 3600 },
  'document-uploads': { per: 'account', ...limits.documents.uploads },
  'document-signings': { per: 'account', ...limits.documents.signings },
  'file-signings': { per: 'account', ...limits.fileSigning.signings },
  'file-signers': { per: 'account', ...limits.fileSigning.lists },
  'activity-exports': { per: 'account', ...limits.activity.exports },
  'data-export': { per: 'account', ...limits.dataExport.requests },
  'seal-user-exports': { per: 'account', ...limits.seal.exports },
  'timestamp-password': { per: 'timestamp account', ...limits.timestamps.password.changes },
  'calendar-read': { per: 'account', ...limits.calendar.reads },
  'calendar-unknown': { per: 'network', ...limits.calendar.unknown },
  // Counted apart, so that suspensions never delay a revocation.
  'status-changes': { per: 'certificate', ...limits.statusRequest.changes },
  revocations: { per: 'certificate', ...limits.statusRequest.revocations },
  // A stolen key must not read all customers by trying their numbers (R142).
  'customer-searches': { per: 'client key', ...limits.provider.searches },
  // A continuing attack raises one alarm an hour, so that alarms do not become a flood themselves.
  alarm: { per: 'alarm and what it is about', limit: 1, window: 3600 },

  // What one person of the staff looks up in an hour; an action counts too, because it returns the customer (R237).
  'desk-look-ups': { per: 'person of the staff', ...deskLimits.lookUps },
  'desk-trail-exports': { per: 'person of the staff', ...deskLimits.trail.exports },
  'desk-trail-verifications': { per: 'person of the staff', ...deskLimits.trail.verifications },
  // Calls that return codes of vouchers (R261).
  'desk-codes': { per: 'person of the staff', ...deskLimits.codes.calls },
  // Each check makes a call of every service, and takes a timestamp (R255).
  'desk-checks': { per: 'all together', ...deskLimits.checks },
  // Counted for all of the staff together.
  'desk-links': { per: 'customer', limit: 1, window: deskLimits.linkAgain },
  'desk-resends': { per: 'customer', limit: 1, window: deskLimits.linkAgain },
  'desk-notices': { per: 'case', limit: 1, window: deskLimits.linkAgain },
} satisfies Record<string, Row>

/** The name of a limit; one that counts each purpose for itself has the purpose after its name. */
export type LimitName = keyof typeof rows | `${'code-entries' | 'code-pause'} ${CodePurpose}`

export type RateLimit = Omit<Row, 'per'> & { name: string }

/** Returns a limit by its name; `set`: other numbers, such as those that the operator sets. */
export const rateLimit = (name: LimitName, set: Partial<Allowance> = {}): RateLimit & { name: LimitName } => {
  const { per: _, ...row }: Row = rows[(name in rows ? name : name.split(' ', 1)[0]) as keyof typeof rows]
  return { name, ...row, ...set }
}
