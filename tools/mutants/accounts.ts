import { mutant } from '../mutant.ts'

export const mutants = [
  mutant('R1', 'server/platform/authentication/authenticate.ts')
    .change("session?.stage !== (endpoint.access === 'pending' ? 'pending' : 'signed-in')", '!session')
    .failsTest('server/account/sessions.test.ts', 'R1 after the password alone no data route opens'),
  mutant('R2', 'server/platform/authentication/codes.ts')
    .change(
      'select id from codes where ${matchingCondition(operation)}',
      'select id from codes where account_id = ${accountId}',
    )
    .failsTest('server/platform/authentication/codes.test.ts', 'R2 the correct code of one operation'),
  mutant('R3', 'server/platform/authentication/codes.ts')
    .change(
      '  ])\n  return codeSentReply(row, operation, to)',
      '  ])\n  return { ...codeSentReply(row, operation, to), to: code }',
    )
    .failsTest('server/account/secrets.test.ts', 'R3 no code'),
  mutant('R4', 'server/platform/authentication/session.ts')
    .change('update sessions set token_hash = ${tokenHash}, stage', 'update sessions set stage')
    .failsTest('server/account/sessions.test.ts', 'R4 R5 a planted cookie'),
  mutant('R5', 'server/platform/authentication/session.ts')
    .change("hash('sha256', token, 'buffer')", 'Buffer.from(token)')
    .failsTest('server/account/sessions.test.ts', 'R5 nothing that the table'),
  mutant('R6', 'server/platform/authentication/session.ts')
    .change('where s.token_hash = ${tokenHash} and s.ends_at > portal_now()', 'where s.token_hash = ${tokenHash}')
    .failsTest('server/account/sessions.test.ts', 'R6 a session ends after a quarter'),
  mutant('R7', 'server/platform/authentication/session.ts')
    .change('least(${absolute}, portal_now() +', 'least(portal_now() +')
    .failsTest('server/account/sessions.test.ts', 'R6 R7 after eight hours'),
  mutant('R8', 'server/account/sessions.ts')
    .change('accountId = await endSession(tx, token', 'accountId = await Promise.resolve<string | undefined>(undefined')
    .failsTest('server/account/sessions.test.ts', 'AUT-6 R8 after a sign-out'),
  mutant('R9', 'server/platform/authentication/session.ts')
    .change('any(${accountIds}::uuid[]) returning', "any(${accountIds}::uuid[]) and stage = 'signed-in' returning")
    .failsTest('server/account/passwords.test.ts', 'R9 a new password ends five sessions'),
  mutant('R10', 'server/platform/authentication/links.ts')
    .change('${linkCondition(token, purposes)} and used_at is null and', '${linkCondition(token, purposes)} and')
    .failsTest('server/platform/authentication/codes.test.ts', 'R10 of twenty uses'),
  mutant('R11', 'server/account/sign-in-finish.ts')
    .change(' voided as (${voidLinksStatement([accountId])}),', '')
    .failsTest('server/account/passwords.test.ts', 'R11 R119 a reset link dies'),
  mutant('R12', 'server/account/sign-in-attempts.ts')
    .change(
      '=>\n  settle(tx, keys, {\n    clear: [',
      "=>\n  tx.deleteFrom('rate_limits').execute().then(() => {}) ?? settle(tx, keys, {\n    clear: [",
    )
    .failsTest('server/account/sign-in-limits.test.ts', 'R12 a reset does not clear'),
  mutant('R13', 'server/platform/authentication/password-hash.ts')
    .change('pool.run(task)', 'pool.run({ ...task, password: Buffer.from(task.password).subarray(0, 72).toString() })')
    .failsTest('server/platform/authentication/password-hash.test.ts', 'R13 passwords that differ only after byte 72'),
  mutant('R14', 'server/account/sign-in-attempts.ts')
    .change('canonicalLogin(attempt.login), sourceKey(attempt)],', 'accountKey(attempt), sourceKey(attempt)],')
    .failsTest('server/account/enumeration.test.ts', 'R14 two names of one account'),
  mutant('R15', 'server/account/sign-in.ts')
    .change('const hash =', "if (!account) throw fail('login-refused')\n    const hash =")
    .failsTest('server/account/enumeration.test.ts', 'AUT-3 R14 R15 wrong passwords'),
  mutant('R16', 'server/account/sign-in.ts')
    .change(
      'const charged =',
      'await portal.hasher.verify(account?.passwordHash ?? null, body.password)\n    const charged =',
    )
    .failsTest('server/account/sign-in.test.ts', 'R16 of hundreds of passwords'),
  mutant('R17', 'server/account/sign-in-attempts.ts')
    .change('device ?? networkOf(address)', 'networkOf(address)')
    .failsTest('server/account/sign-in-limits.test.ts', 'R17 attempts of an address'),
  mutant('R18', 'server/platform/authentication/password-hash.ts')
    .change('      requireCapacity()\n      return compute(', '      return compute(')
    .failsTest('server/platform/authentication/password-hash.test.ts', 'R18 the queue is bounded'),
  mutant('R19', 'server/registration/registrations.ts')
    .change(
      'if (wanted && request.replaces) await removeRegistration(tx, request.replaces)',
      "await (await import('kysely')).sql`delete from accounts where unconfirmed_key = ${key}`.execute(tx)",
    )
    .failsTest('server/registration/registration.test.ts', 'R19 REG-4 gains nothing by being second'),
  mutant('R20', 'server/platform/authentication/codes.ts')
    .change(
      'limitKeys = entryKeys(operation)',
      'limitKeys = entryKeys({ ...operation, accountId: operation.sessionId })',
    )
    .failsTest('server/platform/authentication/codes.test.ts', 'R20 ten wrong entries'),
  mutant('R21', 'server/platform/authentication/codes.ts')
    .change(
      'and used_at is null and entries < ${limits.code.entries} and expires_at > portal_now()\n      returning id, object',
      'and used_at is null and expires_at > portal_now()\n      returning id, object',
    )
    .failsTest('server/platform/authentication/codes.test.ts', 'R21 five entries'),
  mutant('R22', 'server/platform/authentication/codes.ts')
    .change('where id = ${entry.codeId} and used_at is null\n', 'where id = ${entry.codeId}\n')
    .failsTest('server/platform/authentication/codes.test.ts', 'R22 a code is used up'),
  mutant('R23', 'server/platform/authentication/codes.ts')
    .change('String(randomInt(10 ** limits.code.digits)', 'String(Math.floor(Math.random() * 10 ** limits.code.digits)')
    .failsTest('server/platform/authentication/codes.test.ts', 'R23 codes do not come'),
  mutant('R24', 'server/platform/authentication/codes.ts')
    .change('and expires_at > portal_now()\n      returning id,', 'and expires_at > ${new Date()}\n      returning id,')
    .failsTest('server/platform/authentication/codes.test.ts', 'R24 a code dies'),
  mutant('R25', 'server/platform/authentication/codes.ts')
    .change(
      '      and ordinal < ${limits.code.sends} and sent_at + make_interval(secs => ${limits.code.resendAfter}) <= portal_now()\n',
      '',
    )
    .failsTest('server/platform/authentication/codes.test.ts', 'R25 a burst of resends'),
  mutant('R26', 'server/platform/authentication/canonical-login.ts')
    .change(".replace(invisible, '')", '')
    .failsTest('server/platform/authentication/canonical-login.test.ts', 'R26 R19 two hundred spellings'),
  mutant('R27', 'server/platform/messages/sms-policy.ts')
    .change('sms.countries.includes(countryOf(phone))', 'sms.countries.length > 0 || countryOf(phone)')
    .failsTest('server/platform/messages/sms-policy.test.ts', 'R27 numbers in twenty foreign ranges'),
  mutant('R28', 'server/account/sign-in-attempts.ts')
    .change("        ['sign-in-address', networkOf(address)],\n", '')
    .failsTest('server/account/sign-in-limits.test.ts', 'R28 one guess at each'),
  mutant('R29', 'server/platform/authentication/links.ts')
    .change('(wanted && (accountId', '(true && (accountId')
    .failsTest('server/account/enumeration.test.ts', 'PWD-1 R15 R29 a reset only queues'),
  mutant('R32', 'server/phone-change/phone-change.ts')
    .change('change && phoneChangeMoves[change.step][entry]', 'change')
    .failsTest('server/phone-change/phone-change.test.ts', 'DAT-2 R32 every entry at every step'),
  mutant('R77', 'server/platform/http/bot-check.ts')
    .change('[once, nonce])).ok)', '[once, nonce, action])).ok)')
    .failsTest('server/platform/http/visitor-checks.test.ts', 'R77 one proof sent a hundred times'),
  mutant('R78', 'server/platform/observability/network.ts')
    .change('prefixOf(address, { v4: 32, v6: 64 })', 'address')
    .failsTest('server/account/sign-in-limits.test.ts', 'R28 R78 addresses of one /64'),
  mutant('R79', 'server/registration/registration.ts')
    .change("await limit('too-many-attempts', day)", 'await Promise.resolve()')
    .failsTest('server/registration/registration.test.ts', 'REG-3 R79 what was refused'),
  mutant('R115', 'server/platform/authentication/code-limits.ts')
    .change(': [sendsToUnconfirmed(to.phone)]),', ': [[sendsToNumber(settings, operation.purpose), to.phone]]),')
    .failsTest('server/registration/registration.test.ts', 'R115 ten registrations'),
  mutant('R116', 'server/customers/contact-changes.ts')
    .change('  await endAllSessions(tx, ...ids)\n', '')
    .failsTest('server/customers/provider-customers.test.ts', 'R116 a key that changes e-mail and phone'),
  mutant('R117', 'server/platform/authentication/links.ts')
    .change('own.id = ${accountId} and links.account_id =', 'own.id = ${accountId} and false and links.account_id =')
    .failsTest('server/registration/registration.test.ts', 'R117 R19 REG-4 gains nothing by being second'),
  mutant('R118', 'server/account/sign-in.ts')
    .change("account.blockedFor === 'everyone' || (account.blockedFor && !knownDevice)", 'account.blockedFor')
    .failsTest('server/account/sign-in-limits.test.ts', 'R118 AUT-4 strangers block strangers'),
  mutant('R118', 'server/account/sign-in-attempts.ts')
    .change(' || isNameSpent', '')
    .failsTest('server/account/sign-in-limits.test.ts', 'R118 R14 a name under attack'),
  mutant('R119', 'server/registration/password-link.ts')
    .change('{ keepsOlder: true }', '{}')
    .failsTest('server/account/sign-in-limits.test.ts', 'R119 R11 a stranger who asks'),
  mutant('R120', 'server/platform/authentication/codes.ts')
    .change('[streakKey(entry), ...alsoReset]', '[...entryKeys(entry), ...alsoReset]')
    .failsTest('server/account/sign-in-limits.test.ts', 'R120 R20 the owner’s right codes'),
  mutant('R269', 'server/customers/contact-changes.ts')
    .change("kind: 'notice',", '')
    .failsTest('server/platform/messages/sms-policy.test.ts', 'R269 notices of changed numbers'),
  mutant('R265', 'server/platform/authentication/authenticate.ts')
    .change('pageOf !== undefined && pageOf !== session.accountId', 'false')
    .failsTest('server/account/sessions.test.ts', 'R265 a call of another'),
  mutant('R263', 'server/passkeys/passkeys.ts')
    .change(`attestation.get('fmt') !== 'none' || attestation.get('attStmt').size !== 0`, 'false')
    .failsTest('server/passkeys/attestations.test.ts', 'R263 an attestation of the format “android-key”'),
  mutant('R263', 'server/main.ts')
    .change('if (!configuration.demonstration) closeHttpClients()', '')
    .failsTest('server/platform/database/database-rights.test.ts', 'OPS-3 R73 R263 a login that may create roles'),
  mutant('R121', 'server/platform/authentication/passkey-challenges.ts')
    .change(' && userHandle === userHandleOf(key.accountId)', '')
    .failsTest('server/passkeys/passkeys.test.ts', 'R121 AUT-8 R1 R2 a signature for a wrong origin'),
  mutant('R121', 'server/platform/authentication/passkey-challenges.ts')
    .change(
      "['passkey-sign-in', head.toString('hex')]",
      "[{ name: 'passkey-sign-in', limit: 1000, window: 300 }, head.toString('hex')]",
    )
    .failsTest('server/passkeys/passkeys.test.ts', 'R121 AUT-8 R22 of twenty answers'),
  mutant('AUT-4', 'server/account/sign-in.ts')
    .change("=== undefined) throw fail('bot-check-required')\n      await", '!== undefined) await')
    .failsTest('server/account/sign-in.test.ts', 'AUT-1 AUT-4 from the third'),
  mutant('AUT-7', 'server/platform/authentication/step-up.ts')
    .change(' and object = ${object}\n', '\n')
    .failsTest('server/platform/authentication/step-up.test.ts', 'AUT-7 R2 a code for one object'),
  mutant('AUT-8', 'server/platform/authentication/passkey-challenges.ts')
    .change('requireUserVerification: true', 'requireUserVerification: false')
    .failsTest('server/passkeys/passkeys.test.ts', 'AUT-8 R1 R2 a signature for a wrong origin'),
  mutant('AUT-9', 'server/platform/authentication/session.ts')
    .change('delete from sessions where account_id = ${accountId} and ${id ?', 'delete from sessions where ${id ?')
    .failsTest('server/activity/active-sessions.test.ts', 'AUT-9 R40 a session that is ended'),
  mutant('DAT-6', 'server/data-export/data-export.ts')
    .change("      await limit('too-many-attempts', ['data-export', accountId], tx)\n", '')
    .failsTest('server/data-export/data-export.test.ts', 'DAT-6 one is made at a time'),
  mutant('PWD-2', 'server/account/invited-customer.ts')
    .change("and status = 'good' and valid_to > portal_now()", '')
    .failsTest('server/account/passwords.test.ts', 'PWD-2 signatures that are over'),
  mutant('PWD-3', 'server/account/passwords.ts')
    .change("    if (!isRight) throw fail('current-password-wrong')\n", '')
    .failsTest('server/account/passwords.test.ts', 'PWD-3 a change needs'),
  mutant('PWD-5', 'server/account/passwords.ts')
    .change('[account.passwordHash, ...account.earlierHashes]', '[account.passwordHash]')
    .failsTest('server/account/passwords.test.ts', 'PWD-5 R13 the current password'),
  mutant('PWD-6', 'server/account/passwords.ts')
    .change(
      'isGuessable(newPassword, account,',
      "isGuessable(newPassword, { login: '', email: '', firstName: '', surname: '' },",
    )
    .failsTest('server/account/passwords.test.ts', 'PWD-6 R13 a password from the list'),
  mutant('REG-5', 'server/registration/registration.ts')
    .change('wordings[kind] !== sha256', 'wordings[kind].length !== sha256.length')
    .failsTest('server/registration/registration.test.ts', 'REG-5 a page that showed another wording'),
  mutant('VAL-4', 'contract/rules/identifier-numbers.ts')
    .change('date.getUTCMonth() === month - 1 && date.getUTCDate() === day ?', 'date ?')
    .failsTest('contract/rules/identifier-numbers.test.ts', 'VAL-4 a PESEL of a day'),
]
