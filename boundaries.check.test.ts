import { existsSync } from 'node:fs'
import { join } from 'node:path'
import recheck from 'recheck/package.json' with { type: 'json' }
import { describe, expect, test } from 'vitest'
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

/** A made-up source tree: path to text. */
const tree = (files: Record<string, string>): Source[] => Object.entries(files).map(([path, text]) => ({ path, text }))
const importProblemsOf = (files: Record<string, string>) => importProblems(tree(files), (path) => path in files)

describe('each rule finds what breaks it', () => {
  test('an import that points upward or to another side is refused, also by tests and in other forms of imports', () => {
    const allowed = [
      ['server/renewal/renewal.ts', 'server/platform/authentication/step-up.ts'],
      ['server/renewal/renewal.test.ts', 'server/adapters/mail-smtp.ts'],
      ['server/demonstration/demonstration.ts', 'provider/authority/authority.ts'],
      ['web/renewal/renewal-screen.tsx', 'web/ui/button.tsx'],
      ['cli/sygnet.ts', 'server/platform/database/database.ts'],
      ['pki/asn1/cms.test.ts', 'server/testing/breadth.ts'],
    ] as const
    const refused = [
      ['contract/renewal.ts', 'pki/totp.ts'],
      ['contract/renewal.test.ts', 'server/testing/portal-nodes.ts'],
      ['provider/demonstration/demonstration.ts', 'server/platform/ports.ts'],
      ['server/renewal/renewal.ts', 'server/documents/documents.ts'],
      ['server/platform/authentication/step-up.ts', 'server/renewal/renewal.ts'],
      ['server/platform/database/database.ts', 'server/platform/http/http.ts'],
      ['server/renewal/renewal.ts', 'server/adapters/mail-smtp.ts'],
      ['server/renewal/renewal.ts', 'server/testing/portal-nodes.ts'],
      ['server/main.ts', 'provider/authority/authority.ts'],
      ['web/renewal/renewal-screen.tsx', 'web/documents/documents-screen.tsx'],
      ['web/ui/dialog.tsx', 'web/renewal/renewal-screen.tsx'],
      ['web/renewal/renewal-screen.tsx', 'web/renewal/renewal.test.tsx'],
      ['cli/sygnet.ts', 'server/app.ts'],
    ] as const
    expect(allowed.filter(([from, target]) => !mayImport(from, target))).toEqual([])
    expect(refused.filter(([from, target]) => mayImport(from, target))).toEqual([])
    for (const text of [
      `import type { Call } from '../../../web/api.ts'`,
      `export * from '../../../web/api.ts'`,
      `const { call } = await import('../../../web/api.ts')`,
    ])
      expect(importProblemsOf({ 'web/api.ts': '', 'server/platform/database/database.ts': text })).toEqual([
        'server/platform/database/database.ts:1 may not import web/api.ts',
      ])
  })

  test('a path without its suffix, one to nothing, a computed one, and another package in the contract are refused', () => {
    const text = `import './db'\nimport './absent.ts'\nawait import(name)`
    const keys = 'server/platform/encryption/keys.ts'
    expect(importProblemsOf({ [keys]: text, 'contract/renewal.ts': `import { z } from 'zod'` })).toEqual([
      `${keys}:3 imports a computed path, which no rule can check`,
      `${keys}:1 imports ./db, which is not a file (with its suffix)`,
      `${keys}:2 imports ./absent.ts, which is not a file (with its suffix)`,
      'contract/renewal.ts:1 imports zod; contract imports only zod/mini',
    ])
  })

  test('browser code reaches no file that needs Node, directly or indirectly; types are allowed', () => {
    const files = {
      'pki/totp.ts': `import { createHmac } from 'node:crypto'`,
      'pki/pairing.ts': `import { code } from './totp.ts'`,
      'web/signatures/pairing.tsx': `import '../../pki/pairing.ts'`,
      'web/signatures/pairing-text.ts': `import type { Code } from '../../pki/pairing.ts'`,
    }
    expect(importProblemsOf(files)).toEqual([
      'web/signatures/pairing.tsx → pki/pairing.ts → pki/totp.ts runs in the browser and imports node:crypto',
    ])
  })

  test('a name that is not kebab-case, is meaningless or repeats another is refused', () => {
    const names = ['server/stepUp.ts', 'web/ui/index.tsx', 'server/renewal/mails.ts', 'server/documents/mails.ts']
    expect(nameProblems([...names, 'web/mails.ts', 'web/renewal.all.test.ts'])).toEqual([
      'server/stepUp.ts is not kebab-case',
      'web/ui/index.tsx has a meaningless name',
      'server/documents/mails.ts has the same name as server/renewal/mails.ts',
    ])
  })

  test('R70 a regular expression that is not linear, or is made from a value, is refused', () => {
    const problemsOf = (text: string) => regexProblems(tree({ 'contract/fields.ts': text }))
    expect(problemsOf(String.raw`const a = /^(a+)+$/`)).toEqual([expect.stringContaining('exponential')])
    expect(problemsOf(String.raw`const a = RegExp('\\s+$')`)).toEqual([expect.stringContaining('polynomial')])
    expect(problemsOf('const a = new RegExp(`^${name}$`)')).toEqual([expect.stringContaining('cannot be judged')])
    expect(problemsOf(String.raw`const a = /^[a-z]+$/; const b = 4 / 2 / 1; const c = '/^(a+)+$/'`)).toEqual([])
  })

  test('R73 a statement made of texts, and SQL in a feature outside its store, are refused', () => {
    const problemsOf = (text: string, path = 'server/renewal/renewal-store.ts') => sqlProblems(tree({ [path]: text }))
    const kysely = `import { sql } from 'kysely'\n`
    for (const text of [
      'client.query(`select * from accounts where login = ${login}`)',
      `const text = 'select * from accounts where login = ' + login`,
      'const text = `INSERT INTO accounts VALUES (${name})`',
      `${kysely}const a = sql\`select 1 order by \${sql.raw(order)}\``,
      `import { CompiledQuery } from 'kysely'\nconst a = CompiledQuery.raw(text)`,
    ])
      expect([text, problemsOf(text).length]).toEqual([text, 1])
    const bound = `${kysely}const a = sql\`select * from accounts where login = \${login}\``
    expect(problemsOf(bound)).toEqual([])
    expect(problemsOf(bound, 'server/renewal/renewal.ts')).toHaveLength(1)
  })

  test('R114 a function that is given a transaction and uses the pool is refused', () => {
    const problemsOf = (text: string) => transactionProblems(tree({ 'server/renewal/renewal.ts': text }))
    expect(problemsOf('db.transaction().execute(async (tx) => void (await count(db)))')).toHaveLength(1)
    expect(problemsOf('db.transaction().execute(async (tx) => void (await count(tx)))')).toEqual([])
  })

  test('R86 a log of an unknown field or text, or past the log, is refused', () => {
    const problemsOf = (text: string) => logProblems(tree({ 'server/renewal/renewal.ts': text }))
    expect(problemsOf(`request.log.error({ err: error }, 'unexpected')`)).toEqual([])
    for (const [bad, problem] of [
      [`app.log.info({ phone: account.phone }, 'unexpected')`, 'logs the unknown field phone'],
      [`app.log.info({ err, ...account }, 'unexpected')`, 'logs the unknown field …'],
      ['app.log.info({ err }, `hello ${name}`)', 'logs an unknown text'],
      [`log.child({ account })`, 'creates its own logger'],
      [`console.log(account)`, 'writes past the log'],
    ] as const)
      expect([bad, problemsOf(bad)]).toEqual([bad, [`server/renewal/renewal.ts:1 ${problem}`]])
  })
})
