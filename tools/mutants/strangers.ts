import type { Mutant } from '../mutants.ts'

const of =
  (row: string, test: string) =>
  (title: string, file: string, find: string, replace: string): Mutant => ({ row, file, find, replace, test, title })
const strangers = of('R118', 'server/account/strangers.test.ts')
const resets = of('R119', 'server/account/reset-requests.test.ts')
const office = of('R120', 'server/account/office.test.ts')
const passkey = of('R121', 'server/account/passkey-sign-in.test.ts')
const visitors = 'server/passkey-visitors.ts'

export const mutants: Mutant[] = [
  strangers(
    'R118 AUT-4 strangers block strangers',
    'server/account/account.ts',
    "account.blockedFor === 'everyone' || (account.blockedFor && !known)",
    'account.blockedFor',
  ),
  strangers('R118 R14 a name under attack', 'server/account/sign-in-tries.ts', ' || forName?.ok === false', ''),
  strangers(
    'R118 the provider’s block refuses known devices',
    'server/provider-api/customer-queries.ts',
    ', blocked_for_strangers = false where id = (select id from before)',
    ' where id = (select id from before)',
  ),
  of('R118', 'server/account/office.test.ts')(
    'R118 R20 a hundred wrong codes',
    'server/codes.ts',
    'rowOfWrongCodes(whose.accountId, ...ownCounts(whose))',
    'rowOfWrongCodes(whose.accountId)',
  ),
  of('R118', 'server/account/office.test.ts')(
    'R118 R20 a hundred wrong codes',
    'server/account/sign-in-tries.ts',
    '    ...rowsOfWrongCodes(account.id),\n',
    '',
  ),
  of('R118', 'server/account/office.test.ts')(
    'R118 R25 strangers who have the password',
    'server/codes.ts',
    '  operation.accountId,\n  ...ownCounts(operation),\n',
    '  operation.accountId,\n',
  ),
  resets(
    'R119 strangers’ requests do not use up',
    'server/password-link.ts',
    'accountId === knownTo || (await',
    '(await',
  ),
  resets(
    'R119 R17 strangers cannot flood',
    'server/password-link.ts',
    '(await spend(tx, keys, spaced, accountId)).ok',
    'true',
  ),
  resets(
    'R119 who asks from the owner’s own network',
    'server/password-link.ts',
    'const sent = account && (await',
    'const sent = account && request.wanted && (await',
  ),
  resets('R119 R11 a stranger who asks', 'server/password-link.ts', '{ keepsOlder: true }', '{}'),
  office('R120 R20 typing errors', 'server/codes.ts', 'isShared ? 1 : entries', '1'),
  office(
    'R120 R20 the owner’s right codes',
    'server/codes.ts',
    'clear: [rowClaim(entry), ...alsoClear]',
    'clear: [wrongClaim(entry), rowClaim(entry), ...alsoClear]',
  ),
  office(
    'R120 R28 one person’s refused passkeys',
    'server/account/sign-in-tries.ts',
    'spendEach(db, keys, apart)',
    'spendEach(db, keys, networkClaims(address))',
  ),
  office(
    'R120 R28 one person’s refused passkeys',
    'server/codes.ts',
    "confirmed ? 'sms-address' : ",
    "confirmed || true ? 'sms-address' : ",
  ),
  office('R120 two hundred people', 'server/codes.ts', 'vouchedFor ? ordinal : 0', '0'),
  passkey('R121 a signature of a wrong place', visitors, ' && userHandle === userHandleOf(key.account_id)', ''),
  passkey(
    'R121 R22 of a hundred answers',
    visitors,
    "return (await spend(db, keys, answers, head.toString('hex'))).ok",
    "return (await spend(db, keys, { ...answers, limit: 1000 }, head.toString('hex'))).ok",
  ),
  passkey(
    'R121 R22 a challenge is ours',
    visitors,
    'if (!sameBytes(bytes.subarray(head.length), macOf(keys, visitor, head))) return false',
    'if (bytes.length < 54) return false',
  ),
  passkey('R121 R24 a challenge holds', visitors, '<= (await timeOf(db))', '<= Date.now() - 3_600_000'),
  passkey(
    'R121 R118 strangers who block',
    'server/session.ts',
    'sql`(blocked_at is null or blocked_for_strangers)`',
    'sql`true`',
  ),
]
