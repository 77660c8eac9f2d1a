import type { Mutant } from '../mutants.ts'

const test = 'server/phone-change/phone-change.test.ts'
const order = 'DAT-2 R32 every entry at every step'
const block = 'DAT-3 DAT-4 R32 R94 wrong entries of all steps'
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
    row: 'R32',
    file: 'server/codes.ts',
    find: "  purpose === 'phone-email' || purpose === 'phone-sms'\n",
    replace: "  purpose === 'phone-email'\n",
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
    row: 'DAT-5',
    file: 'server/phone-change/phone-change.ts',
    find: "{ channel: 'sms', to: numbers.before, text }",
    replace: "{ channel: 'sms', to: numbers.phone, text }",
    test,
    title: whole,
  },
  {
    row: 'R22',
    file: 'server/phone-change/phone-change-queries.ts',
    find: '    where session_id = ${session.id} and step = ${from} returning',
    replace: '    where session_id = ${session.id} returning',
    test,
    title: 'R32 R22 the right document number a hundred times',
  },
]
