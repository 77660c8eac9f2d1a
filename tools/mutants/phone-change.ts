import type { Mutant } from '../mutants.ts'

const test = 'server/phone-change/phone-change.test.ts'
const order = 'DAT-2 R32 every entry at every step'
const block = 'DAT-3 DAT-4 R32 wrong entries of all steps'
const thousand = 'R32 of a thousand document numbers'
const codes = 'R2 R32 the right code of one step'
const whole = 'DAT-2 DAT-5 AUT-7 R32 R75 the number changes'

export const mutants: Mutant[] = [
  {
    row: 'R32',
    file: 'server/phone-change/phone-change.ts',
    find: 'if (!change || !phoneChangeMoves[change.step][entry]) throw passed(change)',
    replace: 'if (!change) throw passed(change)',
    test,
    title: order,
  },
  {
    // Looked at first and paid for afterwards.
    row: 'R32',
    file: 'server/phone-change/phone-change.ts',
    find: '    const paid = await spend(db, keys, ...claimOf(session))\n',
    replace:
      '    const paid = { ok: true as const, left: 4, retryAfter: 1 }\n    setImmediate(() => void spend(db, keys, ...claimOf(session)))\n',
    test,
    title: thousand,
  },
  {
    row: 'R32',
    file: 'server/codes.ts',
    find: "  purpose === 'phone-email' || purpose === 'phone-sms'\n",
    replace: "  purpose === 'phone-email'\n",
    test,
    title: block,
  },
  {
    // A count for each session starts anew with the next one.
    row: 'R32',
    file: 'server/phone-change/phone-change-pause.ts',
    find: '({ accountId }: LiveSession): Claim => [wrongInPhoneChange, accountId]',
    replace: '({ id }: LiveSession): Claim => [wrongInPhoneChange, id]',
    test,
    title: block,
  },
  {
    // Tries come back one by one.
    row: 'R32',
    file: 'server/codes.ts',
    find: "name: 'phone-change', ...limits.phoneChange.wrong, locks: true",
    replace: "name: 'phone-change', ...limits.phoneChange.wrong",
    test,
    title: block,
  },
  {
    // By the clock of the node.
    row: 'R94',
    file: 'server/phone-change/phone-change.ts',
    find: 'blockedUntil: pause?.at.toISOString() ?? null',
    replace: 'blockedUntil: pause ? new Date(Date.now() + pause.seconds * 1000).toISOString() : null',
    test,
    title: block,
  },
  {
    row: 'R2',
    file: 'server/phone-change/phone-change.ts',
    find: "      if (change.isOther) await voidCodes(tx, 'phone-sms', change.id)\n",
    replace: '',
    test,
    title: codes,
  },
  {
    row: 'R2',
    file: 'server/phone-change/phone-change-queries.ts',
    find: "    .where('session_id', '=', sessionId)\n    .executeTakeFirst()\n  return row && opened",
    replace: "    .where('session_id', 'is not', null)\n    .executeTakeFirst()\n  return row && opened",
    test,
    title: codes,
  },
  {
    row: 'R32',
    file: 'server/phone-change/phone-change.ts',
    find: '      const sessions = await revokeSessions(tx, session, address)\n',
    replace: '      const sessions = 2\n',
    test,
    title: whole,
  },
  {
    // The number is the account's as soon as it is typed.
    row: 'R32',
    file: 'server/phone-change/phone-change-queries.ts',
    find: '  return rows[0] && { ...opened(keys, rows[0]), isOther: before.newPhone !== phone }\n',
    replace:
      '  await sql`update accounts set phone = ${sealPhone(keys, session.accountId, phone)} where id = ${session.accountId}`.execute(tx)\n  return rows[0] && { ...opened(keys, rows[0]), isOther: before.newPhone !== phone }\n',
    test,
    title: whole,
  },
  {
    row: 'DAT-5',
    file: 'server/phone-change/phone-change.ts',
    find: "{ channel: 'sms', to: numbers.before, text }",
    replace: "{ channel: 'sms', to: numbers.phone, text }",
    test,
    title: whole,
  },
  {
    row: 'R25',
    file: 'server/codes.ts',
    find: "  'phone-sms': ({ accountId }) => [{ name: 'code-sends phone-sms', ...limits.phoneChange.codes }, accountId],\n",
    replace: '',
    test,
    title: 'R25 R27 an SMS goes to a new number',
  },
  {
    row: 'R22',
    file: 'server/phone-change/phone-change-queries.ts',
    find: '    where session_id = ${session.id} and step = ${from} returning',
    replace: '    where session_id = ${session.id} returning',
    test,
    title: 'R32 R22 the right document number a hundred times',
  },
  {
    row: 'R86',
    file: 'server/personal-data/my-data.ts',
    find: 'document: { ...known.document, number: maskNumber(known.document.number) },',
    replace: '',
    test: 'server/personal-data/my-data.test.ts',
    title: 'DAT-1 R86 my data holds',
  },
  {
    row: 'R34',
    file: 'server/step-up.ts',
    find: "  'reveal-data': (accountId, id) => sql`select where ${id}::uuid = ${accountId}`,",
    replace: "  'reveal-data': () => sql`select 1`,",
    test: 'server/personal-data/my-data.test.ts',
    title: 'DAT-1 R34 where nothing is known',
  },
]
