import { mutant } from '../mutant.ts'

export const mutants = [
  mutant('R210', 'server/calendar/calendar.ts')
    .change(
      "import { newToken, hashToken } from '../platform/authentication/session.ts'\n",
      "import { newToken } from '../platform/authentication/session.ts'\nconst hashToken = (token: string) => Buffer.from(token)\n",
    )
    .failsTest('server/calendar/calendar.test.ts', 'R210 the token of an address'),
  mutant('R211', 'server/calendar/calendar.ts')
    .change(' and (a.blocked_at is null or a.blocked_for_strangers)`', '`')
    .failsTest('server/calendar/calendar.test.ts', 'R211 the calendar of a blocked account'),
  mutant('R212', 'server/timestamps/timestamps-feature.ts')
    .change('select p.id, p.kind,', "select t.login || '-' || p.id as id, p.kind,")
    .failsTest('server/calendar/calendar.test.ts', 'R212 it names nobody'),
  mutant('R213', 'server/calendar/calendar.ts')
    .change("['calendar-read', known.accountId]", "['calendar-read', crypto.randomUUID()]")
    .failsTest('server/calendar/calendar.test.ts', 'R213 reads of one calendar'),
  mutant('R214', 'server/seals/seal-users.ts')
    .change('    orNotFound(await findAdministered(portal.db, id, accountId))\n', '')
    .failsTest('server/seals/seal-users.test.ts', 'R38 R34 who may do what in a seal'),
  mutant('R215', 'web/seals/users-file.ts')
    .change('  if (bytes.length > mostBytes) return { problem: usersFileProblems.large }\n', '')
    .failsTest('web/seals/users-file.test.ts', 'R215 a file that is too large'),
  mutant('R216', 'server/seals/seal-recipients.ts')
    .change('and confirmed_at is null and expires_at > portal_now()', 'and confirmed_at is null')
    .failsTest('server/seals/seal-recipients.test.ts', 'R216 unknown, expired and replaced'),
  mutant('R217', 'server/seals/seal-recipients.ts')
    .change('    orNotFound(await findAdministered(db, id, accountId))\n    return', '    return')
    .failsTest('server/seals/seal-users.test.ts', 'R38 R34 who may do what in a seal'),
  mutant('R30', 'server/vouchers/voucher-store.ts')
    .change(' and used_at is null and expires_at > portal_now()`', '`')
    .failsTest('server/vouchers/vouchers.test.ts', 'VCH-1 R30 unknown, used, expired and foreign codes'),
  mutant('R31', 'server/renewal/renewal-store.ts')
    .change('sql`r.id = ${id} and r.account_id = ${accountId}`', 'sql`r.id = ${id} and ${accountId}::uuid is not null`')
    .failsTest('server/renewal/renewal.test.ts', 'R31 a code opens a renewal'),
  mutant('R38', 'server/seals/seal-membership-store.ts')
    .change("me.status = 'active' and me.role = 'admin')`", "me.status = 'active')`")
    .failsTest('server/seals/seal-users.test.ts', 'R38 R34 who may do what in a seal'),
  mutant('R143', 'server/seals/seal-users.ts')
    .change(
      '      orNotFound(await findAdministered(tx, params.id, accountId))\n      const user = orNotFound(await findSealUser(tx, params.id, params.user))\n      // Nothing',
      '      const user = orNotFound(await findSealUser(tx, params.id, params.user))\n      // Nothing',
    )
    .failsTest('server/seals/seal-users.test.ts', 'R38 R34 who may do what in a seal'),
  mutant('R144', 'server/renewal/renewal-view.ts')
    .change('commonName: commonName(name)', 'commonName: `${person.firstName} ${person.surname}`')
    .failsTest('server/renewal/renewal.test.ts', 'REN-3 REN-13 R144'),
  mutant('R39', 'server/seals/seal-membership-store.ts')
    .change('  await query(tx).run(sql`select from seals where id = ${sealId} for no key update`)\n', '')
    .failsTest('server/seals/seal-users.test.ts', 'SEA-5 R39 of two Administrators who remove each other'),
  mutant('R40', 'server/seals/seal-store.ts')
    .change("where m.account_id = ${accountId} and m.status = 'active'`", 'where m.account_id = ${accountId}`')
    .failsTest('server/seals/seal-users.test.ts', 'R40 a removal acts on the very next request'),
  mutant('R41', 'server/seals/seal-invitations.ts')
    .change('a join seal_users u on u.email_key = a.email_key join seals s', 'a join seal_users u on true join seals s')
    .failsTest('server/seals/seal-activation.test.ts', 'R41 R34 another signed-in customer'),
  mutant('R147', 'server/seals/provider-seals.ts')
    .change("if (body.product === 'psd2-card' && !content.qualified.psd2?.roles.length)", 'if (false)')
    .failsTest('server/seals/provider-seals.test.ts', 'SEA-8 R147 the roles'),
  mutant('R56', 'server/renewal/renewal-signing-calls.ts')
    .change('row.version !== expected.version || row.agreement.sha256 !== sha256', 'false')
    .failsTest('server/renewal/renewal-model.test.ts', 'R56 R58 REN-10 random calls'),
  mutant('R57', 'server/renewal/provider-renewals.ts')
    .change(' || !fitsTerms(row, issued)) throw', ' || (fitsTerms(row, issued), false)) throw')
    .failsTest('server/renewal/renewal-issuance.test.ts', 'R57 a certificate that is not what was signed'),
  mutant('R58', 'server/renewal/renewal-moves.ts')
    .change('or r.version = ${version ?? null}::int)', 'or ${version ?? null}::int is not null)')
    .failsTest('server/renewal/renewal.test.ts', 'R58 of two tabs'),
  mutant('R59', 'server/renewal/renewal-moves.ts')
    .change(
      'and r.state = ${expected} and (${version ?? null}::int is null or r.version = ${version ?? null}::int)',
      'and (${version ?? null}::int is null or ${expected}::text is not null)',
    )
    .failsTest('server/renewal/renewal.test.ts', 'REN-8 R59 declining ends'),
  mutant('R60', 'provider/back-office/renewal-back-office.ts')
    .change('(await authority.findIssuedFor(publicKey)) ?? ', '')
    .failsTest('server/renewal/renewal-issuance.test.ts', 'REN-10 R60 however often'),
  mutant('R61', 'server/renewal/renewal-view.ts')
    .change('&& issued.validFrom <= now && now < issued.validTo', '&& now < issued.validTo')
    .failsTest('server/renewal/renewal-issuance.test.ts', 'REN-9 R61 the QR code is there from the second'),
  mutant('REN-10', 'server/renewal/agreement-delivery.ts')
    .change('  if (!isTaken) await ports.documents.remove(key)\n', '')
    .failsTest('server/renewal/renewal-issuance.test.ts', 'REN-10 an agreement that cannot be signed for a day'),
  mutant('R139', 'server/signatures/provider-signature-store.ts')
    .change("and (s.status <> 'revoked' or", "and (true or s.status <> 'revoked' or")
    .failsTest('server/signatures/filed-certificates.test.ts', 'PRV-1 another certificate does not bring'),
  mutant('R140', 'server/platform/encrypted-data/encrypted-fields.ts')
    .change('certificate.serialNumber).subarray', 'certificate.fingerprint).subarray')
    .failsTest('server/signatures/filed-certificates.test.ts', 'PRV-2 R140 the other valid form'),
  mutant('R141', 'server/platform/http/object-removal.ts')
    .change("    await audit('filed-object-removed', { object, filed, reason }, removal.owner)\n", '')
    .failsTest('server/webhooks/provider-events.test.ts', 'PRV-3 OPS-4 a removed object'),
  mutant('R142', 'server/customers/customers.ts')
    .change("  await limit('too-many-requests', ['customer-searches', client.id])\n", '')
    .failsTest('server/customers/provider-customers.test.ts', 'PRV-4 R142 a search names'),
  mutant('SEA-3', 'server/seals/seal-membership-store.ts')
    .change('standing < 2) < ${settings.sealUsers}', 'standing < 2) < 1000')
    .failsTest('server/seals/seal-users.test.ts', 'SEA-3 one e-mail has one membership of a seal'),
  mutant('SEA-4', 'server/platform/authentication/code-limits.ts')
    .change('  if (toUnproven) sends.push(toUnproven(operation))\n', '')
    .failsTest('server/seals/seal-activation.test.ts', 'SEA-4 an invitation is valid for seven days'),
  mutant('SIG-3', 'server/pairing/pairing-store.ts')
    .change(' and last_step < ${step}', '')
    .failsTest('server/pairing/pairing.test.ts', 'each code counts once'),
  mutant('R127', 'server/pairing/pairing-store.ts')
    .change('p.shown_mac is distinct from ${mac}::bytea', 'true')
    .failsTest('server/pairing/provider-activations.test.ts', 'R127 APP-2 of twenty requests at once'),
  mutant('R128', 'server/pairing/pairing-store.ts')
    .change("secret = '' where ${key} = ${id} and secret_id = ${secretId} and", "secret = '' where ${key} = ${id} and")
    .failsTest('server/pairing/pairing.test.ts', 'R128 a late acknowledgement'),
  mutant('R129', 'server/platform/encrypted-data/encrypted-columns.ts')
    .change('`${context} ${id}`', "`${context} ${id && ''}`")
    .failsTest('server/pairing/provider-activations.test.ts', 'R129 R34 another customer'),
  mutant('R130', 'server/pairing/pairing-store.ts')
    .change('content is not null and content_expires_at > portal_now() for update', 'content is not null for update')
    .failsTest('server/pairing/provider-activations.test.ts', 'R130 APP-2 expired content'),
  mutant('TSP-3', 'provider/timestamp-service/timestamp-password.ts')
    .change('    if (refused.has(mac)) return false\n', '')
    .failsTest('provider/timestamp-service/timestamp-http.test.ts', 'TSP-3 a program that keeps its old password'),
  mutant('TSP-4', 'provider/timestamp-service/timestamp-store.ts')
    .change('      purse.held = purse.held.map((held) => (held.id === spent.id ? spent : held))\n', '')
    .failsTest('provider/timestamp-service/timestamp-http.test.ts', 'TSP-4 a thousand requests at once'),
  mutant('R131', 'provider/signing-service/csc-authorization.ts')
    .change("hash('sha256', code_verifier, 'base64url') === order.challenge", 'order.challenge')
    .failsTest('server/adapters/csc/csc-authorization.test.ts', 'R131 a code with another verifier'),
  mutant('R132', 'provider/signing-service/csc-activation.ts')
    .change(' || (allowed && allowed.join() !== hashes.join()))', ' || !allowed?.length)')
    .failsTest('server/adapters/csc/csc-modes.test.ts', 'R132 with SCAL2 the service refuses another hash'),
  mutant('R132', 'server/platform/pdf/remote-signing.ts')
    .change("signed, signature) === 'valid')", "signed, signature) !== 'unknown-algorithm')")
    .failsTest('server/adapters/csc/csc-modes.test.ts', 'R132 a signature by another algorithm'),
  mutant('R133', 'provider/signing-service/csc-activation.ts')
    .change("entries.delete(keyOf(secret))\n      if (!entry) return 'unknown'", "if (!entry) return 'unknown'")
    .failsTest('server/adapters/csc/csc-authorization.test.ts', 'R133 a code is for one redemption'),
  mutant('R134', 'provider/signing-service/csc-authorization.ts')
    .change('!page || page.browser !== browser ||', '!page || !browser ||')
    .failsTest('server/adapters/csc/csc-authorization.test.ts', 'R134 the page belongs to the browser'),
  mutant('R135', 'server/service-authorisation/authorisation-store.ts')
    .change(' and not state_used`', '`')
    .failsTest('server/service-authorisation/authorisation-calls.test.ts', 'R135 SGN-13 a cancelled return'),
  mutant('R136', 'server/service-authorisation/authorisation-calls.ts')
    .change('...subjectDetails(row), why }', '...subjectDetails(row), why: JSON.stringify(proof) }')
    .failsTest('server/service-authorisation/authorisation-calls.test.ts', 'R136 neither PIN nor code'),
  mutant('R137', 'server/service-authorisation/authorisation-calls.ts')
    .change('if (ready.binding === row.binding && found === row.hash) return', 'if (found) return')
    .failsTest('server/service-authorisation/authorisation-calls.test.ts', 'R137 nothing but what'),
  mutant('R138', 'server/service-authorisation/authorisation-store.ts')
    .change('tries = tries - ${isCounted ? 0 : 1},', 'tries = tries - 1,')
    .failsTest('server/service-authorisation/authorisation-calls.test.ts', 'R138 a signing waits ten minutes'),
  mutant('R174', 'server/status-requests/status-request-store.ts')
    .change('where s.id = ${id} and ${isAllowed(id, accountId)}`)', 'where s.id = ${id}`)')
    .failsTest('server/status-requests/status-requests.test.ts', 'STP-3 R174 the owner'),
  mutant('R175', 'contract/status-requests.ts')
    .change("stepUp: 'revoke'", "stepUp: 'suspend'")
    .failsTest('server/status-requests/status-requests.test.ts', 'STP-1 R175 each change'),
  mutant('R176', 'server/status-requests/status-request-store.ts')
    .change('return isImpossible ? undefined : inserted', 'return inserted')
    .failsTest('server/status-requests/status-requests.test.ts', 'R176 requests that wait'),
  mutant('R177', 'provider/authority/authority.ts')
    .change('if (this.#record.requests.get(serialNumber) === request) return', '')
    .failsTest('provider/authority/authority.test.ts', 'STP-5 R177 a request'),
  mutant('R178', 'server/status-requests/status-request-store.ts')
    .change("where id = ${id} and state = 'requested' returning", 'where id = ${id} returning')
    .failsTest('server/status-requests/status-requests.test.ts', 'STP-4 R178 the provider'),
  mutant('R179', 'server/status-requests/status-requests.ts')
    .change("change === 'revoke' ? 'revocations' : 'status-changes'", "'status-changes'")
    .failsTest('server/status-requests/status-requests.test.ts', 'R179 requests for one'),
  mutant('R220', 'server/platform/authentication/links.ts')
    .change('and purpose = any(${purposes}::text[])`\n\n', 'and ${purposes}::text[] is not null`\n\n')
    .failsTest('server/status-requests/lost-phone.test.ts', 'R220 a link for a lost phone'),
  mutant('R220', 'server/account/passwords.ts')
    .change(
      'await findLink(db, token, passwordPurposes)',
      "await findLink(db, token, [...passwordPurposes, 'lost-phone'])",
    )
    .failsTest('server/status-requests/lost-phone.test.ts', 'R220 a link for a lost phone'),
  mutant('R221', 'server/status-requests/lost-phone.ts')
    .change("['lost-phone-document', accountId]", "['lost-phone-document', body.token]")
    .failsTest('server/status-requests/lost-phone.test.ts', 'R221 of sixty guesses'),
  mutant('R222', 'server/status-requests/lost-phone.ts')
    .change("(await chargeLinkMail(tx, keys, 'lost-phone', account.id, request))", 'request.wanted')
    .failsTest('server/status-requests/lost-phone.test.ts', 'R222 requests are limited'),
  mutant('R223', 'server/status-requests/lost-phone.ts')
    .change('if (!(await spendLink(tx, body.token, purposes)))', 'if (false)')
    .failsTest('server/status-requests/lost-phone.test.ts', 'R223 the right number'),
  mutant('R224', 'server/status-requests/status-request-store.ts')
    .change(" && request.reason !== 'phone-lost'}", '}')
    .failsTest('server/status-requests/lost-phone.test.ts', 'R224 STP-2 ends no suspension'),
  mutant('R224', 'server/certificates/certificate-conditions.ts')
    .change('${inCloudCondition} and not ${stopRequestedCondition}', '${inCloudCondition}')
    .failsTest('server/status-requests/being-stopped.test.ts', 'signs no document and no files'),
  mutant('R230', 'server/platform/authentication/staff-session.ts')
    .change(
      'where token_hash = ${tokenHash} and ends_at > portal_now()`)\n  if (!session',
      'where token_hash = ${tokenHash}`)\n  if (!session',
    )
    .failsTest('server/desk/desk-sign-in.test.ts', 'DSK-4 R230 a session ends'),
  mutant('R231', 'server/platform/authentication/authenticate.ts')
    .change('if (!mayCall(endpoint, staff.roles))', 'if (false)')
    .failsTest('server/desk/desk-origin.test.ts', 'DSK-3 R231 each role'),
  mutant('R232', 'server/adapters/staff-sign-in-oidc.ts')
    .change("createHmac('sha256', secret)", "createHmac('sha256', purpose)")
    .failsTest('server/desk/desk-sign-in.test.ts', 'R232 the answer of another'),
  mutant('R233', 'server/desk/desk-sign-in.ts')
    .change('  if (!isFirst) return undefined\n', '')
    .failsTest('server/desk/desk-sign-in.test.ts', 'R233 each claim'),
  mutant('R233', 'server/adapters/staff-sign-in-oidc.ts')
    .change('nonce !== undefined || ', '')
    .failsTest('server/desk/desk-sign-in.test.ts', 'R233 each claim'),
  mutant('R234', 'server/platform/http/guards.ts')
    .change("endpoint.access !== 'provider' && !isSafe", "!['provider', 'staff'].includes(endpoint.access) && !isSafe")
    .failsTest('server/desk/desk-sign-in.test.ts', 'R234 a call from another site'),
  mutant('R234', 'server/platform/http/guards.ts')
    .change("    if (endpoint?.access === 'staff') requireOwnPage(request)\n", '')
    .failsTest('server/desk/desk-sign-in.test.ts', 'R234 no other origin reads'),
  mutant('R235', 'server/desk/masked-identity.ts')
    .change('email: maskEmail(row.email)', 'email: row.email')
    .failsTest('server/desk/desk-customers.test.ts', 'R235 no full data leave'),
  mutant('R235', 'server/desk/desk-cases.ts')
    .change('signature.trusted ? signature.issuer : null', 'signature.issuer')
    .failsTest('server/desk/desk-cases.test.ts', 'DSK-19 R235 the check of an upload'),
  mutant('R236', 'server/desk/desk-app.ts')
    .change(
      '  serveCspReports(app)\n',
      '  for (const feature of portal.features) for (const call of feature.calls) call(app, portal)\n  serveCspReports(app)\n',
    )
    .failsTest('server/desk/desk-origin.test.ts', 'DSK-1 R236 the customers'),
  mutant('R237', 'server/desk/staff-limits.ts')
    .change("  if (!charged.ok) throw new ApiError('too-many-requests', { retryAfter: charged.retryAfter })\n", '')
    .failsTest('server/desk/desk-customers.test.ts', 'R237 look-ups of one person'),
  mutant('R238', 'server/desk/desk-customer-store.ts')
    .change(' and not exists (select from erasures where account_id = accounts.id)', '')
    .failsTest('server/desk/desk-customers.test.ts', 'R238 an erased customer'),
  mutant('R239', 'server/desk/desk-audit.ts')
    .change('...(name && found && { name })', '...(name && { name })')
    .failsTest('server/desk/desk-audit.test.ts', 'DSK-17 R239 each question'),
  mutant('R239', 'server/desk/desk-audit.ts')
    .change(
      "await transaction((_, audit) => audit('desk-trail-verified', { day, entries, findings: found }, null))",
      '',
    )
    .failsTest('server/desk/desk-audit.test.ts', 'R239 nothing is read'),
  mutant('R240', 'server/platform/audit/audit-newest.ts')
    .change('order by id desc limit ${most}`\n}', 'order by id desc`\n}')
    .failsTest('server/platform/audit/audit-newest.test.ts', 'DSK-13 R240 a page'),
  mutant('R240', 'server/desk/desk-audit.ts')
    .change('if (!(await tryLockVerification(tx)))', 'if (false)')
    .failsTest('server/desk/desk-audit.test.ts', 'R240 one verification'),
  mutant('R241', 'server/desk/desk-audit.ts')
    .change('    if (found > exported) return undefined\n', '')
    .failsTest('server/desk/desk-audit.test.ts', 'DSK-15 R241 more entries'),
  mutant('R241', 'server/desk/desk-audit.ts')
    .change("    if (!isComplete) throw fail('unavailable', { retryAfter: 2 })\n", '')
    .failsTest('server/desk/desk-audit.test.ts', 'DSK-15 R241 more entries'),
  mutant('R242', 'server/desk/desk-sign-in.ts')
    .change('    await recordRefusal(', '    if (claims) await recordRefusal(')
    .failsTest('server/desk/desk-sign-in.test.ts', 'DSK-6 R242 an answer'),
  mutant('R242', 'server/desk/desk-sign-in.ts')
    .change('if (!claims && !(await takeToken(tx, keys, anonymousRefusals, networkOf(address)))) return', '')
    .failsTest('server/desk/desk-sign-in.test.ts', 'DSK-6 R242 an answer'),
  mutant('R243', 'server/renewal/renewal-store.ts')
    .change('for key share of s for share of v', 'for share of v')
    .failsTest('server/desk/desk-moves.test.ts', 'R243 a renewal that begins'),
  mutant('R243', 'server/desk/desk-moves.ts')
    .change('if (!holder || !identification) return false', 'if (!holder || !identification) return true')
    .failsTest('server/desk/desk-moves.test.ts', 'R243 R258 a certificate goes to nobody'),
  mutant('R260', 'server/desk/desk-vouchers.ts')
    .change('code: maskNumber(code)', 'code')
    .failsTest('server/desk/desk-vouchers.test.ts', 'R260 a code is in its one answer'),
  mutant('R260', 'server/vouchers/provider-voucher-store.ts')
    .change('(v.used_at is null and v.expires_at', '(v.expires_at')
    .failsTest('server/desk/desk-vouchers.test.ts', 'R260 a used code is not withdrawn'),
  mutant('R261', 'server/desk/desk-vouchers.ts')
    .change("    await chargeStaff(portal, 'desk-codes', staff)\n", '')
    .failsTest('server/desk/desk-vouchers.test.ts', 'R261 one person'),
  mutant('R244', 'server/desk/desk-cases.ts')
    .change('where c.id = ${id} and c.account_id = ${accountId}`', 'where c.id = ${id}`')
    .failsTest('server/desk/desk-cases.test.ts', 'R244 a case is found'),
  mutant('R244', 'server/desk/staff-limits.ts')
    .change('    await chargeStaff(', "    if (!endpoint.path.includes('/cases/')) await chargeStaff(")
    .failsTest('server/desk/desk-cases.test.ts', 'R237 R244 every call'),
  mutant('R245', 'server/platform/messages/failed-messages.ts')
    .change(
      '      and (drop_at is null or drop_at > portal_now())`)\n}\n\nexport async function removeFailed',
      '`)\n}\n\nexport async function removeFailed',
    )
    .failsTest('server/desk/desk-cases.test.ts', 'DSK-22 R245 undelivered'),
  mutant('R245', 'server/desk/desk-cases.ts')
    .change("['desk-notices', params.case]", "['desk-notices', crypto.randomUUID()]")
    .failsTest('server/desk/desk-cases.test.ts', 'DSK-19 R245 a refused'),
  mutant('R247', 'server/desk/desk-proposal-store.ts')
    .change(
      'where id = ${id} and ${openCondition} and proposed_by <> ${subject}`)',
      'where id = ${id} and ${openCondition}`)',
    )
    .failsTest('server/desk/desk-proposals.test.ts', 'R247 R258 nobody approves'),
  mutant('R248', 'server/desk/desk-proposal-store.ts')
    .change('sql`outcome is null and expires_at > portal_now()`', 'sql`outcome is null`')
    .failsTest('server/desk/desk-proposals.test.ts', 'R248 a proposal is decided within'),
  mutant('R249', 'server/desk/desk-proposals.ts')
    .change('(isOwn ? maskedValue(kind, value) : value)', 'value')
    .failsTest('server/desk/desk-proposals.test.ts', 'R249 it is encrypted'),
  mutant('R250', 'server/desk/desk-proposals.ts')
    .change('content !== null && isDeepStrictEqual(content.seen, seenOf(row))', 'content !== null')
    .failsTest('server/desk/desk-proposals.test.ts', 'R250 a proposal is void'),
  mutant('R251', 'server/customers/erasure.ts')
    .change("  if (account?.isHeld) return { refused: 'customer-in-use', data: { reason: 'legal-hold' } }\n", '')
    .failsTest('server/desk/desk-proposals.test.ts', 'DSK-26 R251 a held customer'),
  mutant('R252', 'server/desk/desk-client-keys.ts')
    .change('    requireRecentSignIn(staff)\n    try {', '    try {')
    .failsTest('server/desk/desk-operations.test.ts', 'R252 a key, a webhook, a secret and a published program need'),
  mutant('R252', 'server/desk/desk-sign-in.ts')
    .change('cookies.staff && (await endSessionOfToken(tx, cookies.staff))', 'undefined')
    .failsTest('server/desk/desk-operations.test.ts', 'R252 another sign-in makes'),
  mutant('R253', 'server/client-keys/client-keys.ts')
    .change('name: replaced.name, before: replaced.id }', 'name: replaced.name, before: replaced.id, key: issued.key }')
    .failsTest('server/desk/desk-operations.test.ts', 'R253 a key or a secret'),
  mutant('R254', 'server/desk/desk-operations.ts')
    .change('maskPhone(recipient) : maskEmail(recipient)', 'recipient : recipient')
    .failsTest('server/desk/desk-operations.test.ts', 'DSK-32 R254 undelivered messages'),
  mutant('R254', 'server/platform/messages/failed-messages.ts')
    .change('order by created_at, id limit ${most}))`', 'order by created_at, id))`')
    .failsTest('server/desk/desk-operations.test.ts', 'DSK-32 R254 one message'),
  mutant('R255', 'server/desk/desk-operations.ts')
    .change("  await limit('too-many-requests', ['desk-checks', 'all'])\n", '')
    .failsTest('server/desk/desk-operations.test.ts', 'R255 checks are requested'),
  mutant('R257', 'server/desk/desk-client-keys.ts')
    .change("    if (!isMadeAtDesk(key.scopes)) throw fail('scope-missing')\n", '')
    .failsTest('server/desk/desk-operations.test.ts', 'R257 no key that could change'),
  mutant('R258', 'server/desk/staff-limits.ts')
    .change("error instanceof ApiError && error.code !== 'not-found'", 'false as boolean && error instanceof ApiError')
    .failsTest('server/desk/desk-moves.test.ts', 'R243 R258 a certificate goes to nobody'),
]
