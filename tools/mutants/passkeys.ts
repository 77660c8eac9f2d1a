import type { Mutant } from '../mutants.ts'

const passkeys = (row: string, title: string, find: string, replace: string, file = 'server/passkey-challenges.ts') =>
  ({ row, file, find, replace, test: 'server/passkeys/passkeys.test.ts', title }) satisfies Mutant

const wrongs = 'AUT-8 R1 R2 a signature of a wrong place'

export const mutants: Mutant[] = [
  passkeys(
    'R22',
    wrongs,
    'delete from passkey_challenges where',
    'update passkey_challenges set purpose = purpose where',
  ),
  passkeys(
    'R2',
    'AUT-8 AUT-7 R2 a passkey confirms',
    'session_id = ${sessionId} and purpose = ${purpose} and object = ${object}\n',
    'session_id = ${sessionId}\n',
  ),
  passkeys(
    'R118',
    'AUT-8 R18 R118 wrong answers',
    '  const challenge = await takeChallenge(db, operation)\n',
    `  const early = await spend(db, keys, ...triesOf(accountId))
  if (!early.ok) throw new Failed('too-many-attempts', { retryAfter: early.retryAfter })
  const challenge = await takeChallenge(db, operation)\n`,
  ),
  passkeys('AUT-8', 'AUT-8 a challenge holds', 'return rows[0]?.alive ?', 'return rows[0] ?'),
  passkeys(
    'R34',
    'AUT-8 R34 a passkey opens its own account only',
    "    .where('account_id', '=', accountId)\n    .executeTakeFirst()",
    '    .executeTakeFirst()',
  ),
  passkeys('AUT-8', wrongs, '      requireUserVerification: true,', '      requireUserVerification: false,'),
  passkeys(
    'AUT-8',
    wrongs,
    '      expectedOrigin,',
    "      expectedOrigin: JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString()).origin,",
  ),
  passkeys(
    'AUT-8',
    'AUT-8 two uses of one count at once',
    ' and (counter < ${counter} or (counter = 0 and ${counter} = 0))',
    '',
  ),
  passkeys(
    'AUT-8',
    'AUT-8 one account has ten passkeys',
    'for no key update',
    'for key share',
    'server/passkeys/passkey-queries.ts',
  ),
  {
    row: 'AUT-9',
    file: 'server/session.ts',
    find: 'delete from sessions where account_id = ${accountId} and ${id ?',
    replace: 'delete from sessions where ${id ?',
    test: 'server/activity/active-sessions.test.ts',
    title: 'AUT-9 R40 a session that is ended',
  },
  {
    row: 'R76',
    file: 'server/csv.ts',
    find: "(/^[=+\\-@\\t\\r\\n]/.test(text) ? `'${text}` : text)",
    replace: 'text',
    test: 'server/activity/activity.test.ts',
    title: 'AUT-9 DAT-6 R76',
  },
]
