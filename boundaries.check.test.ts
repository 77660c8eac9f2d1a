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
    expect(withKeptVerdicts(kept, recheck.version, (known, used) => regexProblems(product, known, used))).toEqual([])
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
  test('an import that points upward or to another side is refused, also by tests', () => {
    const allowed = [
      ['server/renewal/renewal.ts', 'server/platform/authentication/step-up.ts'],
      ['server/renewal/renewal.test.ts', 'server/adapters/mail-smtp.ts'],
    ] as const
    const refused = [
      ['contract/renewal.test.ts', 'server/testing/portal-nodes.ts'],
      ['server/renewal/renewal.ts', 'server/documents/documents.ts'],
      ['server/platform/database/database.ts', 'server/platform/http/http.ts'],
      ['server/renewal/renewal.ts', 'server/testing/portal-nodes.ts'],
      ['server/main.ts', 'provider/authority/authority.ts'],
      ['web/ui/dialog.tsx', 'web/renewal/renewal-screen.tsx'],
    ] as const
    expect(allowed.filter(([from, target]) => !mayImport(from, target))).toEqual([])
    expect(refused.filter(([from, target]) => mayImport(from, target))).toEqual([])
  })

  test('each form of an import is seen, also those that no rule can check, and what browser code reaches', () => {
    const files = {
      'server/platform/database/database.ts': `await import('../../../web/api.ts')\nimport './db'\nawait import(name)`,
      'contract/renewal.ts': `import { z } from 'zod'`,
      'pki/totp.ts': `import { createHmac } from 'node:crypto'`,
      'web/api.ts': `export * from '../pki/totp.ts'`,
    }
    expect(importProblemsOf(files)).toEqual([
      'server/platform/database/database.ts:3 imports a computed path, which no rule can check',
      'server/platform/database/database.ts:1 may not import web/api.ts',
      'server/platform/database/database.ts:2 imports ./db, which is not a file (with its suffix)',
      'contract/renewal.ts:1 imports zod; contract imports only zod/mini',
      'web/api.ts → pki/totp.ts runs in the browser and imports node:crypto',
    ])
  })

  const bound = "import { sql } from 'kysely'\nconst a = sql`select * from accounts where login = ${login}`"
  test.each([
    ['R70', regexProblems, 'const a = /^[a-z]+$/', [String.raw`const a = /^(a+)+$/`, 'const a = new RegExp(`^${b}$`)']],
    [
      'R73',
      sqlProblems,
      bound,
      [
        'client.query(`select * from accounts where login = ${login}`)',
        `const text = 'select * from accounts where login = ' + login`,
        `${bound}\nconst b = sql\`select 1 order by \${sql.raw(order)}\``,
      ],
    ],
    [
      'R114',
      transactionProblems,
      'db.transaction().execute(async (tx) => void (await count(tx)))',
      ['db.transaction().execute(async (tx) => void (await count(db)))'],
    ],
    [
      'R86',
      logProblems,
      `request.log.error({ err: error }, 'unexpected')`,
      [
        `app.log.info({ phone: account.phone }, 'unexpected')`,
        'app.log.info({ err }, `hello ${name}`)',
        'console.log(a)',
      ],
    ],
  ] as const)('%s what breaks the rule is refused, and what keeps it is not', (_row, problemsIn, good, bad) => {
    const problemsOf = (text: string) => problemsIn(tree({ 'server/renewal/renewal-store.ts': text }))
    expect(problemsOf(good)).toEqual([])
    for (const text of bad) expect([text, problemsOf(text).length]).toEqual([text, 1])
  })

  test('R73 SQL in a feature outside its store is refused', () => {
    const described = "import { column } from '../platform/database/described-rows.ts'"
    for (const text of [bound, described])
      expect(sqlProblems(tree({ 'server/renewal/renewal.ts': text }))).toHaveLength(1)
  })
})
