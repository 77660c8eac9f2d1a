import { mutant } from '../mutant.ts'

export const mutants = [
  mutant('R73', 'server/platform/database/database.ts')
    .change('(asOwner ? {} : { role: appRole })', '{}')
    .failsTest('server/platform/database/database.test.ts', 'it can neither drop, change, empty nor bend a table'),
  mutant('R74', 'server/platform/messages/mail-template.ts')
    .change('text.replace(/[&<>"\']/g, (character) => `&#${character.charCodeAt(0)};`)', 'text')
    .failsTest('server/platform/messages/message-texts.test.ts', 'R74'),
  mutant('R75', 'server/platform/messages/sms-text.ts')
    .change('Wazny 10 min.', 'Ważny 10 min.')
    .failsTest('server/platform/authentication/codes.test.ts', 'R75 an SMS has the same text'),
  mutant('R76', 'server/platform/http/csv.ts')
    .change(`text.replaceAll(formulaStart, "'")`, 'text')
    .failsTest('server/activity/activity.test.ts', 'AUT-9 DAT-6 R76'),
  mutant('R80', 'server/platform/authentication/authenticate.ts')
    .change('revoked_at is null and ', '')
    .failsTest('server/tests/access-matrix.test.ts', 'an endpoint refuses every actor'),
  mutant('R80', 'server/platform/authentication/authenticate.ts')
    .change('isLive && ', '')
    .failsTest('server/audit-trail/provider-audit.test.ts', 'OPS-20 R80 each further page'),
  mutant('R170', 'server/client-keys/client-keys.ts')
    .change('first, created_at desc limit 1', 'first, created_at desc')
    .failsTest('server/client-keys/client-keys.test.ts', 'R170 a revocation by name'),
  mutant('R170', 'server/client-keys/client-keys.ts')
    .change(
      'or name = ${which}\n  and not exists (select from provider_keys identified where identified.id::text = ${which}))',
      'or name = ${which})',
    )
    .failsTest('server/client-keys/client-keys.test.ts', 'R170 a key that is called by the id of a revoked one'),
  mutant('R171', 'server/customers/customers.ts')
    .change('maskNumber(identificationNumber)', 'identificationNumber')
    .failsTest('server/client-keys/client-keys.test.ts', 'PRV-8 R171 a key for masked customers'),
  mutant('R172', 'server/audit-trail/audit-trail.ts')
    .change('        await record(page)\n', '')
    .failsTest('server/audit-trail/provider-audit.test.ts', 'OPS-20 R172 a stream that broke off'),
  mutant('R172', 'server/platform/http/http.ts')
    .change('takeToken(tx, portal.keys, entriesOfReading', 'takeToken(portal.db, portal.keys, entriesOfReading')
    .failsTest('server/audit-trail/provider-audit.test.ts', 'R172 R114 a reading whose entry could not be written'),
  mutant('R173', 'server/platform/audit/audit-list.ts')
    .change('isComplete: !writers.length', 'isComplete: true')
    .failsTest('server/audit-trail/provider-audit.test.ts', 'OPS-20 R173 no entry appears before'),
  mutant('R173', 'server/platform/audit/audit-list.ts')
    .change('row?.position === position ? number : undefined', 'number')
    .failsTest('server/audit-trail/provider-audit.test.ts', 'OPS-20 R173 a position whose entry the trail has lost'),
  mutant('R81', 'server/webhooks/webhooks.ts')
    .change('!settings.webhookHosts.includes(url.host)', '!settings')
    .failsTest('server/webhooks/webhooks.test.ts', 'R81 a webhook leads to a configured host only'),
  mutant('R82', 'server/platform/configuration/keys/key-schemas.ts')
    .change('if (new Set(left).size < 5) return', "if (secret === 'changeme') return")
    .failsTest('server/platform/configuration/configuration.test.ts', 'a secret that is short, a default or'),
  mutant('R83', 'server/platform/files/encrypted-documents.ts')
    .change('const key = randomBytes(32)', 'const key = randomBytes(32).fill(7)')
    .failsTest('server/platform/files/encrypted-documents.test.ts', 'R83 each document has a key of its own'),
  mutant('R84', 'server/platform/encryption/audit-chain.ts')
    .change("at at time zone 'UTC', act, account_id, actor, address, details)", 'act, account_id, actor, details)')
    .failsTest('server/platform/audit/audit.test.ts', 'a change of one entry is found and named alone'),
  mutant('R85', 'server/platform/database/database.ts')
    .change('release(progress.links.before)', 'release(progress.links.last)')
    .failsTest('server/platform/audit/audit.test.ts', 'failing actions and killed connections leave no gap'),
  mutant('R86', 'server/platform/operations/metrics.ts')
    .change('const { url: route } = request.routeOptions', 'const { url: route } = request')
    .failsTest('server/platform/operations/metrics.test.ts', 'OPS-6 R86 for any requests'),
  mutant('R87', 'server/customers/erasure.ts')
    .change(
      'where id = ${id} and held_at is null and not ${anyOf(evidenceConditions)}',
      'where id = ${id} and held_at is null',
    )
    .failsTest('server/customers/erasure.test.ts', 'R87 erasure removes names'),
  mutant('R87', 'server/personal-data/personal-data.ts')
    .change('[sql`delete from personal_data where account_id = ${id}`]', '[]')
    .failsTest('server/customers/erasure.test.ts', 'R87 erasure removes names'),
  mutant('R88', 'tools/setup.mjs')
    .change("'--ignore-scripts', ", '')
    .failsTest('tools/setup.all.test.ts', 'R88 no package runs its install script'),
  mutant('R88', 'tools/checks/source-rules.ts')
    .change("locked.integrity ?? ''", "locked.integrity ?? `sha512-${'A'.repeat(86)}==`")
    .failsTest('release/packages.check.test.ts', 'R88 no hash in the lock'),
  mutant('R89', 'package.json')
    .change('npm audit signatures &&', 'npm audit signatures || true &&')
    .failsTest('tools/setup.all.test.ts', 'R89 without a network'),
  mutant('R91', 'server/platform/database/database.ts')
    .change('query_timeout: statementTimeoutMs + 2000', 'query_timeout: 0')
    .failsTest('server/platform/database/faulty-database.test.ts', 'R91 silently broken connections'),
  mutant('R91', 'server/platform/database/database.ts')
    .change('|25006|', '|')
    .failsTest('server/platform/operations/operations.test.ts', 'OPS-6 R91 a node whose'),
  mutant('R92', 'server/platform/messages/outbox.ts')
    .change('  noticeAtCommit(tx, messageQueue.notice)\n', '')
    .failsTest('server/platform/messages/outbox.test.ts', 'R92 the sender is woken'),
  mutant('R93', 'server/platform/messages/outbox.ts')
    .change('(error instanceof DeliveryFailed && error.isPermanent)', 'false')
    .failsTest('server/platform/messages/outbox.test.ts', 'R93 a message that is refused permanently'),
  mutant('R94', 'server/platform/authentication/session.ts')
    .change('= ${tokenHash} and s.ends_at > portal_now()', '= ${tokenHash} and s.ends_at > ${new Date()}')
    .failsTest('server/platform/authentication/clock-skew.test.ts', 'R94 R6 R7 a session begun on any node'),
  mutant('R95', 'server/platform/operations/readiness.ts')
    .change("return isStopping ? 'stopping' : seen", 'return seen')
    .failsTest('server/platform/operations/operations.test.ts', 'OPS-6 R95 a node that stops'),
  mutant('R96', 'server/adapters/incoming-files.ts')
    .change("code === 'ENOSPC' || code === 'EDQUOT' ? new StorageFull() :", 'code === undefined ? new StorageFull() :')
    .failsTest('server/documents/document-storage.test.ts', 'a disk that fills up during an upload'),
  mutant('R97', 'server/platform/database/migrate.ts')
    .change('  if (unknown)\n', '  if (unknown && files.length === 0)\n')
    .failsTest('server/platform/database/migrate.test.ts', 'a database of a newer version is refused'),
  mutant('R114', 'server/platform/database/database.ts')
    .change('if (scope.getStore()?.isOver === false)', 'if (false)')
    .failsTest('server/platform/database/database.test.ts', 'R114 inside a transaction nothing uses'),
  mutant('R122', 'server/platform/http/open-app.ts')
    .change('  if (options.refuseForwarded) refuseForwarded(app)\n', '')
    .failsTest('server/platform/http/forwarded-for.test.ts', 'R122 a demonstration for one machine'),
  mutant('R123', 'server/checks/database-checks.ts')
    .change('if (hasMoreRights)', 'if (false)')
    .failsTest('server/platform/database/database-rights.test.ts', 'OPS-3 R73 R263 a login that may create roles'),
  mutant('R180', 'server/platform/database/requests-login.ts')
    .change('select pg_try_advisory_xact_lock($1) as free', 'select $1::bigint is null as free')
    .failsTest('server/platform/database/pooler.test.ts', 'R180 two addresses of one database'),
  mutant('R124', 'server/platform/authentication/password-hash.ts')
    .change("createHmac('sha256', pepper).update(plain).digest('base64')", 'phcFormat.exec(plain)![7]!')
    .failsTest('server/platform/authentication/password-hash.test.ts', 'R124 without the pepper'),
  mutant('R125', 'server/platform/audit/audit-head.ts')
    .change('const signEverySeconds = 60', 'const signEverySeconds = 3600')
    .failsTest('server/platform/audit/audit-head.test.ts', 'OPS-5 R125 the removal of the newest entries'),
  mutant('R34', 'server/documents/document-case-store.ts')
    .change(
      'where c.id = ${id} and c.account_id = ${accountId}',
      'where c.id = ${id} and ${accountId}::uuid is not null',
    )
    .failsTest('server/tests/access-matrix.test.ts', "R34 another customer's object"),
  mutant('R35', 'server/platform/authentication/authenticate.ts')
    .change("if (endpoint.access === 'open'", "if (endpoint.access === 'open' || request.url.includes('/openapi.json')")
    .failsTest('server/platform/http/http.test.ts', 'no other spelling of a path'),
  mutant('R36', 'server/platform/http/cursor.ts')
    .change(' || !sameBytes(given, signatureOf(keys, list, owner, body))', '')
    .failsTest('server/platform/http/wire-formats.test.ts', 'a cursor with any one byte changed'),
  mutant('R37', 'server/platform/http/http.ts')
    .change('const nothing = z.strictObject({})', 'const nothing = z.object({})')
    .failsTest('server/platform/http/http.test.ts', 'an additional field is refused'),
  mutant('R62', 'server/platform/http/guards.ts')
    .change('if (!origin || !URL.canParse(origin)', 'if (!origin) return\n  if (!URL.canParse(origin)')
    .failsTest('server/platform/http/guards.test.ts', 'no write, sign-in and sign-out included'),
  mutant('R63', 'server/platform/http/security-headers.ts')
    .change(" 'cache-control': 'no-store',\n", " 'cache-control': 'no-store',\n  'access-control-allow-origin': '*',\n")
    .failsTest('server/platform/http/guards.test.ts', 'no origin may read across origins'),
  mutant('R64', 'server/platform/pages/page-documents.ts')
    .change('styles: hashesOf(style, look)', 'styles: [...hashesOf(style), ...(look ? ["unsafe-inline"] : [])]')
    .failsTest('server/platform/pages/pages.test.ts', 'own look is one more sheet'),
  mutant('R65', 'server/platform/http/error-answers.ts')
    .change('    reply.headers(headersForAll)\n', '')
    .failsTest('server/platform/http/error-answers.test.ts', 'R72 R65 thirty failures'),
  mutant('R66', 'server/platform/http/guards.ts')
    .change('if (!settings.hosts.includes(host) ||', 'if (!settings.hosts.length ||')
    .failsTest('server/platform/http/guards.test.ts', 'an unknown, missing or doubled Host'),
  mutant('R67', 'server/platform/http/open-app.ts')
    .change('  return isIP(address) ? address : undefined\n', '  return address\n')
    .failsTest('server/platform/http/forwarded-for.test.ts', 'R67 R72 a proxy that sends no address'),
  mutant('R68', 'server/platform/http/open-app.ts')
    .change('      requireHostHeader: false,\n', '      requireHostHeader: false,\n      insecureHTTPParser: true,\n')
    .failsTest('server/platform/http/error-answers.test.ts', 'is refused, the connection closed'),
  mutant('R69', 'server/platform/http/error-answers.ts')
    .change('  if (!socket.bytesRead) return void socket.destroy()\n', '')
    .failsTest('server/platform/rate-limits/request-limits.test.ts', 'headers that do not end are cut'),
  mutant('R70', 'server/platform/http/open-app.ts')
    .change('    bodyLimit: limits.http.jsonBytes,\n', '')
    .failsTest('server/platform/rate-limits/request-limits.test.ts', 'a body of 64 kB is read'),
  mutant('R71', 'server/platform/http/guards.ts')
    .change('/^application\\/json(?:; charset="utf-8")?$/i', '/application\\/json/i')
    .failsTest('server/platform/http/http.test.ts', 'JSON is accepted under its own media type alone'),
  mutant('R72', 'server/platform/http/error-answers.ts')
    .change(
      ".send(problemOf(failed, failed.code === 'unexpected' ? request.id : undefined))",
      '.send({ ...problemOf(failed, request.id), detail: failed.stack })',
    )
    .failsTest('server/platform/http/error-answers.test.ts', 'thirty failures have one shape'),
  mutant('R109', 'contract/fields.ts')
    .change('z.maxLength(longest, { error: tooLong, abort: true })', 'z.maxLength(longest, { error: tooLong })')
    .failsTest('contract/endpoint.check.test.ts', 'R109 every text that an endpoint takes'),
  mutant('R110', 'server/platform/rate-limits/request-rate.ts')
    .change('reports || counted || request.is404', 'reports || counted')
    .failsTest('server/platform/rate-limits/request-rate.test.ts', 'even if the requests are invalid: no such call'),
  mutant('R111', 'contract/fields.ts')
    .change(' && !invisible.test(given)', '')
    .failsTest('server/customers/provider-texts.test.ts', 'R111 R74 R76 no text of the provider'),
  mutant('R112', 'server/platform/http/http.ts')
    .change("endpoint.idempotent === 'code'\n", "endpoint.idempotent === 'code' && request.ip === undefined\n")
    .failsTest('server/platform/http/idempotency.test.ts', 'R112 R22 a hundred correct codes'),
  mutant('R113', 'server/platform/http/error-answers.ts')
    .change('    endUnreadBody(request, reply)\n', '')
    .failsTest('server/platform/rate-limits/request-limits.test.ts', 'R113 a refused upload that goes on'),
  mutant('R126', 'server/platform/http/security-headers.ts')
    .change("[`require-trusted-types-for 'script'`, 'trusted-types default']", '[]')
    .failsTest('e2e/injection.test.ts', 'R126 in every page'),
  mutant('R145', 'server/platform/pages/pages.ts')
    .change('canonical = page && inLocale(locale, page)', 'canonical = typed.replace(/\\/$/, "").toLowerCase()')
    .failsTest('server/platform/pages/pages.test.ts', 'R145 no spelling of an address'),
  mutant('R146', 'server/platform/pages/pages.ts')
    .change("reply.header('vary', varyingWith).redirect(path, status)", 'reply.redirect(path, status)')
    .failsTest('server/platform/pages/pages.test.ts', 'R146 no cache may give'),
  mutant('R148', 'server/platform/pages/page-documents.ts')
    .change(".replaceAll('<', String.raw`\\u003c`)", '')
    .failsTest('server/platform/pages/page-data.test.ts', 'HTT-7 R148'),
  mutant('R148', 'server/platform/pages/pages.ts')
    .change(
      'await readPageData(app, request, reply, name,',
      'await readPageData(app, (globalThis.first ??= request), reply, name,',
    )
    .failsTest('server/platform/pages/page-data.test.ts', 'R148 pages of two customers'),
  mutant('R160', 'web/offline/offline-record.ts')
    .change('record?.session.customer.login === login ?', 'record ?')
    .failsTest('web/offline/offline-record.test.ts', 'R160 the replies of another customer'),
  mutant('R8', 'server/platform/pages/pages.ts')
    .change('const isSignedOut = await finishSignOut(portal, request, reply)', 'const isSignedOut = false')
    .failsTest('server/platform/pages/pages.test.ts', 'R8 AUT-6 the next page'),
  mutant('R160', 'web/app/session.tsx')
    .change('  setCurrent(undefined)\n  setFlag(note)\n', '')
    .failsTest('web/offline/offline-replies.test.ts', 'R160 when another customer'),
  mutant('R161', 'web/offline/service-worker.ts')
    .change(
      'const network = fetch(request)\n',
      'const network = fetch(request).then(async (answer) => {\n    await (await caches.open(ownCache)).put(request.url, answer.clone())\n    return answer\n  })\n',
    )
    .failsTest('web/offline/service-worker.test.ts', 'R161 whatever is requested'),
  mutant('R162', 'server/platform/pages/app-files.ts')
    .change("      .header('content-security-policy', workerPolicy)\n", '')
    .failsTest('server/platform/pages/app-files.test.ts', 'R162 the service worker is checked'),
]
