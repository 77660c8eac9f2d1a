import type { Mutant } from '../mutants.ts'

const test = 'server/registration/registration.test.ts'
const handler = 'server/registration/registration.ts'
const outbox = 'server/registrations.ts'
const codes = 'server/codes.ts'
const confirmationTest = 'server/account/phone-confirmation.test.ts'
const contactTest = 'server/provider-api/contact-change.test.ts'

export const mutants: Mutant[] = [
  {
    row: 'R116',
    file: 'server/contact-changes.ts',
    find: '  await endAllSessions(tx, ...ids)\n',
    replace: '',
    test: contactTest,
    title: 'R116 a key that changes e-mail and phone',
  },
  {
    row: 'R116',
    file: 'server/password-link.ts',
    find: '    if (account?.waits) {',
    replace: '    if (account?.waits && false) {',
    test: contactTest,
    title: 'R116 a key that changes e-mail and phone',
  },
  {
    row: 'R115',
    file: codes,
    find: ': sendsToUnconfirmed(to.phone),',
    replace: ': [sendsToNumber(settings, operation.purpose), to.phone],',
    test: confirmationTest,
    title: 'R115 ten registrations',
  },
  {
    row: 'R115',
    file: codes,
    find: '? [sendsToNumber(settings, operation.purpose), operation.accountId, to.phone, ...ownCounts(operation)]',
    replace: '? [sendsToNumber(settings, operation.purpose), to.phone]',
    test: 'server/codes.test.ts',
    title: 'R25 R26 R115 one number gets ten',
  },
  {
    row: 'R117',
    file: 'server/links.ts',
    find: 'where own.id = ${accountId} and links.account_id = other.id and',
    replace: 'where own.id = ${accountId} and false and links.account_id = other.id and',
    test,
    title: 'R117 R19 REG-4 gains nothing by being second',
  },
  {
    row: 'R79',
    file: handler,
    find: 'const network = networkOf(address)',
    replace: 'const network = address',
    test,
    title: 'R79 R78 an IPv6 network',
  },
  {
    row: 'R79',
    file: handler,
    find: '    if (day.ok) return undefined\n',
    replace: '    if (day) return undefined\n',
    test,
    title: 'REG-3 R79 what was refused',
  },
  {
    row: 'R77',
    file: handler,
    find: "await checkBot(portal, botProof, 'registration', address)",
    replace: "await Promise.resolve([botProof, 'registration', address])",
    test,
    title: 'REG-3 R77 a robot',
  },
  {
    row: 'R29',
    file: outbox,
    find: 'const begun = wanted && !known &&',
    replace: 'const begun = !known &&',
    test,
    title: 'REG-4 R26 R29 one mailbox',
  },
  {
    row: 'R14',
    file: handler,
    find: '    const registration = randomUUID()\n',
    replace:
      "    const registration = randomUUID()\n    if (await db.selectFrom('accounts').select('id').where('email_key', '=', body.email).executeTakeFirst()) return { registration }\n",
    test: 'server/registration/registration-silence.test.ts',
    title: 'REG-4 R14 R15 R29 a registration is answered the same',
  },
  {
    row: 'R27',
    file: handler,
    find: "=== 'sms-country-refused') throw",
    replace: "=== 'sms-stopped') throw",
    test,
    title: 'REG-1 R27 a number in a country',
  },
  {
    row: 'REG-5',
    file: handler,
    find: 'wordings[kind] !== sha256',
    replace: 'wordings[kind].length !== sha256.length',
    test,
    title: 'REG-5 a page that showed other words',
  },
  {
    row: 'R19',
    file: outbox,
    find: 'if (wanted && request.replaces) await dropRegistration(tx, request.replaces)',
    replace: 'await sql`delete from accounts where unconfirmed_key = ${key}`.execute(tx)',
    test,
    title: 'R19 REG-4 gains nothing by being second',
  },
  {
    row: 'REG-4',
    file: 'server/password-link.ts',
    find: 'else if (!account && registration && wanted &&',
    replace: 'else if (!account && registration === null && wanted &&',
    test,
    title: 'REG-4 PWD-2 when its time is over',
  },
  {
    row: 'R87',
    file: 'server/housekeeping.ts',
    find: 'limits.registration.kept})',
    replace: 'limits.registration.kept} * 5)',
    test,
    title: 'REG-4 R87 leaves nothing behind',
  },
  {
    row: 'R87',
    file: 'server/housekeeping.ts',
    find: ' and not exists (select from links where account_id = accounts.id and voided_at is null and expires_at > portal_now())',
    replace: '',
    test: 'server/registration/registration.test.ts',
    title: 'REG-4 R87 a link that is sent again late',
  },
]
