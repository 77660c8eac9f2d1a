import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import recheck from 'recheck/package.json' with { type: 'json' }
import { describe, expect, onTestFinished, test } from 'vitest'
import { exhaustive } from './server/testing/breadth.ts'
import { importProblems, mayImport } from './tools/checks/import-rules.ts'
import { nameProblems } from './tools/checks/name-rules.ts'
import { regexProblems, withKeptVerdicts } from './tools/checks/regex-rules.ts'
import { isTest, isTestSupport, readSources, sourcePaths, type Source } from './tools/checks/source-tree.ts'
import { logProblems } from './tools/checks/log-rules.ts'
import { sqlProblems } from './tools/checks/sql-rules.ts'
import { transactionProblems } from './tools/checks/transaction-rules.ts'

const root = import.meta.dirname
const sources = readSources(root)
const paths = sourcePaths(root)
const product = sources.filter(
  ({ path }) => /^(contract|server|web|pki|provider|paper|cli)\//.test(path) && !isTest(path) && !isTestSupport(path),
)

describe('this source tree', () => {
  test('folders import only what they may, and every relative import is a file', () => {
    expect(importProblems(sources, (path) => existsSync(join(root, path)))).toEqual([])
  })

  test('files have meaningful kebab-case names, unique in their top folder', () => {
    expect(nameProblems(paths)).toEqual([])
  })

  test('R70 every regular expression runs in linear time', () => {
    const kept = join(root, 'tools/checks/regex-verdicts.json')
    expect(withKeptVerdicts(kept, recheck.version, (verdicts) => regexProblems(product, verdicts))).toEqual([])
  })

  test.runIf(exhaustive)('R70 the stored verdicts are those of the present expressions, judged again', () => {
    const verdicts = {}
    expect(regexProblems(product, verdicts)).toEqual([])
    expect(JSON.parse(readFileSync(join(root, 'tools/checks/regex-verdicts.json'), 'utf8'))).toEqual({
      checker: recheck.version,
      verdicts,
    })
  })

  test('R73 no statement is built from strings, and features keep their SQL in …-store.ts, …-export.ts and …-feature.ts', () => {
    expect(sqlProblems(product)).toEqual([])
  })

  test('R114 a function that is given a transaction does not use the pool', () => {
    expect(transactionProblems(product)).toEqual([])
  })

  test('R86 what is logged has known fields and a known text, and nothing is written past the log', () => {
    expect(logProblems(product)).toEqual([])
  })
})

describe('who may import whom', () => {
  test.each([
    ['contract/renewal.ts', 'contract/limits.ts'],
    ['server/renewal/renewal.ts', 'contract/renewal.ts'],
    ['server/renewal/renewal.ts', 'pki/totp.ts'],
    ['server/renewal/renewal.ts', 'server/renewal/renewal-store.ts'],
    ['server/renewal/renewal.ts', 'server/platform/authentication/step-up.ts'],
    ['server/renewal/renewal.ts', 'server/platform/ports.ts'],
    ['server/renewal/renewal.test.ts', 'server/testing/portal-nodes.ts'],
    ['server/renewal/renewal.test.ts', 'server/adapters/mail-smtp.ts'],
    ['pki/cms.test.ts', 'pki/testing/pdf-draft.ts'],
    ['server/testing/portal-nodes.ts', 'server/app.ts'],
    ['pki/cms.test.ts', 'server/testing/breadth.ts'],
    ['server/app.ts', 'server/renewal/renewal.ts'],
    ['server/main.ts', 'server/adapters/mail-smtp.ts'],
    ['server/main.ts', 'server/adapters/choose-adapters.ts'],
    ['server/adapters/choose-adapters.ts', 'server/adapters/mail-smtp.ts'],
    ['server/main.ts', 'server/demonstration/demonstration.ts'],
    ['server/adapters/mail-smtp.ts', 'server/platform/ports.ts'],
    ['web/renewal/renewal-screen.tsx', 'web/renewal/renewal-text.ts'],
    ['web/renewal/renewal-screen.tsx', 'web/ui/button.tsx'],
    ['web/renewal/renewal-screen.tsx', 'web/api.ts'],
    ['web/screens.tsx', 'web/renewal/renewal-screen.tsx'],
    ['web/renewal/renewal.test.tsx', 'server/testing/portal-nodes.ts'],
    ['provider/authority/authority.ts', 'pki/asn1/certificate.ts'],
    ['provider/portal-client.ts', 'contract/provider/provider-api.ts'],
    ['cli/sygnet.ts', 'contract/provider/provider-api.ts'],
    ['cli/sygnet.ts', 'server/platform/database/database.ts'],
    ['cli/check-command.ts', 'server/checks/checks.ts'],
    ['cli/check-command.test.ts', 'server/adapters/loopback/loopback-mail-server.ts'],
    ['server/checks/message-checks.ts', 'server/adapters/choose-adapters.ts'],
    ['server/demonstration/demonstration.ts', 'server/adapters/mail-smtp.ts'],
    ['server/demonstration/demonstration.ts', 'provider/authority/authority.ts'],
    ['e2e/renewal.test.ts', 'contract/pages.ts'],
    ['bench/sign-in.ts', 'server/platform/authentication/password-hash.ts'],
    ['drills/crashes.ts', 'bench/figures.ts'],
    ['tools/screens/shots.ts', 'e2e/testing/portal-process.ts'],
    ['build/build.ts', 'build/prerender.tsx'],
    ['vite.config.ts', 'contract/pages.ts'],
  ])('%s may import %s', (from, target) => {
    expect(mayImport(from, target)).toBe(true)
  })

  test.each([
    ['contract/renewal.ts', 'pki/totp.ts', 'contract imports nothing else of ours'],
    ['contract/renewal.test.ts', 'server/testing/portal-nodes.ts', 'nor do its tests'],
    ['pki/asn1/cms.ts', 'contract/limits.ts', 'pki imports nothing else of ours'],
    [
      'provider/authority/authority.ts',
      'server/platform/database/database.ts',
      'the provider uses the provider API only',
    ],
    ['provider/demonstration/demonstration.ts', 'server/platform/ports.ts', 'nor in the demonstration'],
    ['server/renewal/renewal.ts', 'server/documents/documents.ts', 'a feature does not import a feature'],
    ['server/platform/authentication/step-up.ts', 'server/renewal/renewal.ts', 'the platform does not import features'],
    ['server/renewal/renewal.ts', 'server/app.ts', 'nor do features import what registers them'],
    ['server/renewal/renewal.ts', 'server/main.ts', 'no product code imports the entry point'],
    ['server/renewal/renewal.ts', 'server/adapters/mail-smtp.ts', 'adapters are chosen in run-portal.ts'],
    ['server/app.ts', 'server/adapters/mail-smtp.ts', 'adapters are chosen in run-portal.ts'],
    ['server/app.ts', 'server/adapters/choose-adapters.ts', 'adapters are chosen in run-portal.ts'],
    ['server/renewal/renewal.ts', 'server/testing/portal-nodes.ts', 'product code does not import test support'],
    [
      'server/renewal/renewal.ts',
      'provider/authority/authority.ts',
      'the portal reaches the provider through ports only',
    ],
    ['server/main.ts', 'provider/authority/authority.ts', 'the demonstration starts the embedded provider'],
    ['server/renewal/renewal.ts', 'web/api.ts', 'server and web do not import each other'],
    ['web/renewal/renewal-screen.tsx', 'server/renewal/renewal.ts', 'server and web do not import each other'],
    ['web/renewal/renewal.test.tsx', 'server/renewal/renewal.ts', 'nor do tests, except for the whole app'],
    ['web/renewal/renewal-screen.tsx', 'web/documents/documents-screen.tsx', 'a feature does not import a feature'],
    ['web/ui/dialog.tsx', 'web/renewal/renewal-screen.tsx', 'shared UI does not import features'],
    ['web/renewal/renewal-screen.tsx', 'web/renewal/renewal.test.tsx', 'no file imports a test'],
    ['cli/sygnet.ts', 'server/app.ts', 'the command is not a second server'],
    ['cli/sygnet.ts', 'server/renewal/renewal.ts', 'nor does it import features'],
    ['cli/check-command.ts', 'server/adapters/mail-smtp.ts', 'nor adapters, except by the checks'],
    ['server/checks/message-checks.ts', 'server/renewal/renewal.ts', 'checks are not about features'],
    ['server/platform/database/database.ts', 'tools/checks/source-tree.ts', 'product code does not import tools'],
    ['bench/sign-in.ts', 'drills/crashes.ts', 'benchmarks do not import drills'],
    ['build/build.ts', 'bench/sign-in.ts', 'these folders do not import each other, except for tools'],
  ])('%s may not import %s: %s', (from, target) => {
    expect(mayImport(from, target)).toBe(false)
  })
})

/** A made-up source tree: path to text. */
const tree = (files: Record<string, string>): Source[] => Object.entries(files).map(([path, text]) => ({ path, text }))
const importProblemsOf = (files: Record<string, string>) => importProblems(tree(files), (path) => path in files)

describe('imports are read from the syntax, in every form', () => {
  const target = { 'web/api.ts': '' }
  test.each([
    `import { call } from '../../../web/api.ts'`,
    `import type { Call } from '../../../web/api.ts'`,
    `import '../../../web/api.ts'`,
    `export { call } from '../../../web/api.ts'`,
    `export * from '../../../web/api.ts'`,
    `const { call } = await import('../../../web/api.ts')`,
  ])('%s', (text) => {
    expect(importProblemsOf({ ...target, 'server/platform/database/database.ts': text })).toEqual([
      'server/platform/database/database.ts:1 may not import web/api.ts',
    ])
  })

  test('text and comments are not imports', () => {
    expect(
      importProblemsOf({
        ...target,
        'server/platform/database/database.ts': `// import '../web/api.ts'\nconst a = "import '../web/api.ts'"`,
      }),
    ).toEqual([])
  })

  test('a path without its suffix, one to nothing and a computed one are refused', () => {
    const text = `import './db'\nimport './absent.ts'\nawait import(name)`
    expect(
      importProblemsOf({ 'server/platform/database/database.ts': '', 'server/platform/encryption/keys.ts': text }),
    ).toEqual([
      'server/platform/encryption/keys.ts:3 imports a computed path, which no rule can check',
      'server/platform/encryption/keys.ts:1 imports ./db, which is not a file (with its suffix)',
      'server/platform/encryption/keys.ts:2 imports ./absent.ts, which is not a file (with its suffix)',
    ])
  })

  test('the contract imports no package but zod/mini, and in one file the library of phone numbers', () => {
    const text = `import * as z from 'zod/mini'\nimport { z as classic } from 'zod'\nimport 'node:crypto'`
    const phones = `import { getCountries } from 'libphonenumber-js/core'`
    expect(importProblemsOf({ 'contract/rules/phone.ts': phones })).toEqual([])
    expect(importProblemsOf({ 'contract/renewal.ts': phones })).toHaveLength(1)
    expect(importProblemsOf({ 'contract/renewal.ts': text })).toEqual([
      'contract/renewal.ts:2 imports zod; contract imports only zod/mini',
      'contract/renewal.ts:3 imports node:crypto; contract imports only zod/mini',
    ])
  })

  test('browser code reaches no file that needs Node, directly or indirectly; types are allowed', () => {
    const files = {
      'pki/totp.ts': `import { createHmac } from 'node:crypto'`,
      'pki/pairing.ts': `import { code } from './totp.ts'`,
      'pki/base32.ts': `import type { KeyObject } from 'node:crypto'`,
      'web/signatures/pairing.tsx': `import '../../pki/base32.ts'\nimport '../../pki/pairing.ts'`,
      'web/signatures/pairing-text.ts': `import type { Code } from '../../pki/pairing.ts'`,
      'web/clock.ts': `import 'node:timers'`,
    }
    expect(importProblemsOf(files)).toEqual([
      'web/signatures/pairing.tsx → pki/pairing.ts → pki/totp.ts runs in the browser and imports node:crypto',
      'web/clock.ts runs in the browser and imports node:timers',
    ])
  })
})

describe('names', () => {
  test('a name that is not kebab-case, is meaningless or repeats another is refused', () => {
    expect(
      nameProblems([
        'server/stepUp.ts',
        'server/utils.ts',
        'web/ui/index.tsx',
        'server/renewal/mails.ts',
        'server/documents/mails.ts',
        'web/mails.ts',
      ]),
    ).toEqual([
      'server/stepUp.ts is not kebab-case',
      'server/utils.ts has a meaningless name',
      'web/ui/index.tsx has a meaningless name',
      'server/documents/mails.ts has the same name as server/renewal/mails.ts',
    ])
  })
})

describe('regular expressions', () => {
  const problemsOf = (text: string) => regexProblems(tree({ 'contract/fields.ts': text }))

  test.each([
    ['exponential', String.raw`const a = /^(a+)+$/`],
    ['polynomial', String.raw`const a = text.replace(/\s+$/, '')`],
    ['exponential', String.raw`const a = new RegExp('^(a|a)*$', 'u')`],
    ['polynomial', String.raw`const a = RegExp('\\s+$')`],
    ['polynomial', String.raw`const a = /^\d+\d+$/`],
  ])('R70 %s: %s is refused', (kind, text) => {
    expect(problemsOf(text)).toEqual([expect.stringContaining(kind)])
  })

  test('R70 one made from a value is refused, since it cannot be judged', () => {
    expect(problemsOf('const a = new RegExp(`^${name}$`)')).toEqual([
      'contract/fields.ts:1 makes a regular expression from a value, which cannot be judged',
    ])
  })

  test('R70 a linear one passes, and division and text are not regular expressions', () => {
    expect(problemsOf(String.raw`const a = /^[a-z]+(-[a-z]+)*$/; const b = 4 / 2 / 1; const c = '/^(a+)+$/'`)).toEqual(
      [],
    )
  })

  test('R70 a verdict is stored until the checker changes', () => {
    const directory = mkdtempSync(join(tmpdir(), 'verdicts-'))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    const file = join(directory, 'verdicts.json')
    const known = (version: string) => withKeptVerdicts(file, version, (verdicts) => Object.keys(verdicts))
    withKeptVerdicts(file, '1', (verdicts) => regexProblems(tree({ 'contract/a.ts': 'const a = /^b$/' }), verdicts))
    expect(known('1')).toEqual(['/^b$/'])
    expect(known('2')).toEqual([])
  })
})

describe('SQL', () => {
  const problemsOf = (text: string, path = 'server/renewal/renewal-store.ts') =>
    sqlProblems(
      tree({
        'server/platform/database/database.ts': `export const appRole = 'sygnet_app'\nexport const made = name()`,
        [path]: text,
      }),
    )
  const kysely = `import { sql } from 'kysely'\n`

  test.each([
    ['a template with a value', 'client.query(`select * from accounts where login = ${login}`)'],
    ['a template that is run later', 'const text = `update accounts set name = ${name}`'],
    ['a table by name', 'const text = `delete from ${table}`'],
    ['a sum of texts', `const text = 'select * from accounts where login = ' + login`],
    ['a sum of three', `const text = 'select * from accounts ' + 'where login = ' + login`],
    ['upper case', 'const text = `INSERT INTO accounts VALUES (${name})`'],
    ['raw SQL', `${kysely}const a = sql.raw(order)`],
    ['raw SQL within bound SQL', `${kysely}const a = sql\`select 1 order by \${sql.raw(order)}\``],
    ['sql.lit with a value', `${kysely}const a = sql.lit(name)`],
    ['raw SQL under another name', `import { sql as q } from 'kysely'\nconst a = q.raw(order)`],
    ['a compiled text', `import { CompiledQuery } from 'kysely'\nconst a = CompiledQuery.raw(text)`],
    [
      'an imported name that is not a constant string',
      `import { made } from '../platform/database/database.ts'\nconst text = \`set role \${made}\``,
    ],
  ])('R73 %s is refused', (_what, text) => {
    expect(problemsOf(text)).toHaveLength(1)
  })

  test.each([
    ['bound values', `${kysely}const a = sql\`select * from accounts where login = \${login}\``],
    ['a whole text', `client.query('select * from accounts where login = $1', [login])`],
    [
      'a constant of another file',
      `import { appRole } from '../platform/database/database.ts'\nconst text = \`set role \${appRole}\``,
    ],
    ['an escaped identifier', 'const text = `grant select on accounts to ${client.escapeIdentifier(name)}`'],
    ['prose', 'const text = `Update of ${name}: selected ${count}`'],
    ['raw SQL that is fixed', `${kysely}const a = sql.raw('select 1')`],
  ])('R73 %s passes', (_what, text) => {
    expect(problemsOf(text)).toEqual([])
  })

  test.each([
    ['a typed query', `const rows = db.selectFrom('accounts').execute()`],
    ['a plain one', `const rows = client.query('select 1')`],
    ['a bound one', `import { sql } from 'kysely'`],
  ])('R73 %s in a feature outside its store is refused', (_what, text) => {
    expect(problemsOf(text, 'server/renewal/renewal.ts')).toHaveLength(1)
    expect(problemsOf(text, 'server/platform/authentication/session.ts')).toEqual([])
  })
})

test.each([
  ['db.transaction().execute(async (tx) => void (await count(db)))', 1],
  ['async function pay(tx: Tx, portal: Portal) { await portal.db.selectFrom("accounts").execute() }', 1],
  ['db.transaction().execute(async (tx) => { const { db } = portal })', 1],
  ['db.transaction().execute(async (tx) => void (await count(tx)))', 0],
  ['await count(db)', 0],
])('R114 %s has %i faults', (text, count) => {
  expect(transactionProblems(tree({ 'server/renewal/renewal.ts': text }))).toHaveLength(count)
})

test('R86 a log of an unknown field or text, or past the log, is found', () => {
  const problemsOf = (text: string) => logProblems(tree({ 'server/renewal/renewal.ts': text }))
  for (const good of [
    `request.log.error({ err: error }, 'unexpected')`,
    `app.log.warn('unavailable')`,
    `request.log.error({ err }, failed.code)`,
    `Math.log(2); query.write(text)`,
  ])
    expect([good, problemsOf(good)]).toEqual([good, []])
  for (const [bad, problem] of [
    [`app.log.info({ phone: account.phone }, 'unexpected')`, 'logs the unknown field phone'],
    [`app.log.info({ err, ...account }, 'unexpected')`, 'logs the unknown field …'],
    [`app.log.info({ [name]: 1 }, 'unexpected')`, 'logs the unknown field …'],
    [`app.log.info(account, 'unexpected')`, 'logs what is not a list of fields'],
    ['app.log.info({ err }, `hello ${name}`)', 'logs an unknown text'],
    [`app.log.info('Anna signs in')`, 'logs an unknown text'],
    [`app.log.info({ err }, 'unexpected', account.phone)`, 'logs an unknown text'],
    [`log.child({ account })`, 'creates its own logger'],
    [`console.log(account)`, 'writes past the log'],
    [`process.stderr.write(account.phone)`, 'writes past the log'],
  ] as const)
    expect([bad, problemsOf(bad)]).toEqual([bad, [`server/renewal/renewal.ts:1 ${problem}`]])
})
