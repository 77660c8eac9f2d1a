import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import recheck from 'recheck/package.json' with { type: 'json' }
import { expect, test } from 'vitest'
import { commentProblems } from './tools/checks/comment-rules.ts'
import { importProblems } from './tools/checks/import-rules.ts'
import { regexProblems, withKeptVerdicts, nameProblems, logProblems } from './tools/checks/source-rules.ts'
import { isProduct, readSources, root, sourcePaths, type Source } from './tools/checks/source-tree.ts'
import { sqlProblems } from './tools/checks/sql-rules.ts'

const paths = sourcePaths()
const sources = readSources(paths)
const product = sources.filter(isProduct)

/** Expects that a rule refuses, in programs of these paths, the lines that are marked, and no others. */
function expectRefused(rule: (sources: Source[]) => string[], programs: Record<string, string>) {
  const written = Object.entries(programs).map(([path, text]) => ({ path, text }))
  const marked = written.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, i) => (line.endsWith('// refused') ? [`${path}:${i + 1}`] : [])),
  )
  expect(rule(written).map((problem) => problem.split(' ')[0])).toEqual(marked)
}

test('folders import only what they may, and every relative import is a file', () => {
  expect(importProblems(sources)).toEqual([])
  expectRefused(importProblems, {
    'server/renewal/renewal.ts': `import { stepUp } from '../platform/authentication/step-up.ts'
import type { Documents } from '../documents/documents.ts' // refused
export * from '../../web/calls/api.ts' // refused
await import('../platform/pages/pages') // refused
await import(name) // refused`,
    'server/renewal/renewal.test.ts': `import '../adapters/mail-smtp.ts'`,
    'server/platform/database/database.ts': `import '../pages/pages.ts' // refused`,
    'server/platform/renewal/renewal.ts': `import '../pages/pages.ts' // refused`,
    'contract/renewal.ts': `import { z } from 'zod' // refused`,
    'contract/renewal.test.ts': `import '../server/testing/portal-nodes.ts' // refused`,
    'web/ui/dialog.tsx': `import '../renewal/renewal-screen.tsx' // refused`,
    'web/calls/api.ts': `import '../../pki/totp.ts'`,
    'pki/totp.ts': `import { createHmac } from 'node:crypto' // refused`,
  })
})

test('files have meaningful kebab-case names, unique in their top folder', () => {
  expect(nameProblems(paths)).toEqual([])
  expect(nameProblems(['web/ui/utils.ts', 'web/ui/Dialog.tsx', 'web/a/list.ts', 'web/b/list.ts'])).toHaveLength(3)
})

/** Classes that only tests, or the loader of a page, use. */
const withoutRules = ['wizard__form', 'sign-documents', 'link-request', 'link-wait']

test('every class of a stylesheet is used, and every literal class has a rule', () => {
  const sheets = globSync('web/**/*.css', { cwd: root }).map((path) => readFileSync(join(root, path), 'utf8'))
  const rules = sheets.join('\n').replaceAll(/\/\*[^*]*\*\/|url\([^)]*\)|@import.*/g, '')
  const styled = new Set([...rules.matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => name!))
  const code = product.flatMap(({ path, text }) => (path.startsWith('web/') ? text : [])).join('\n')
  const words = new Set(code.match(/[a-z][\w-]*(?:\$\{)?/g))
  const isUsed = (name: string) => words.has(name) || words.has(`${name.replace(/[^-]*(?:-strong)?$/, '')}\${`)
  expect([...styled].filter((name) => !isUsed(name))).toEqual([])
  const literal = [...code.matchAll(/className="([^"]+)"/g)].flatMap(([, names]) => names!.split(' '))
  expect([...new Set(literal)].filter((name) => !styled.has(name) && !withoutRules.includes(name))).toEqual([])
})

test('R70 every regular expression runs in linear time', () => {
  const kept = join(root, 'tools/checks/regex-verdicts.json')
  expect(withKeptVerdicts(kept, recheck.version, (known, used) => regexProblems(product, known, used))).toEqual([])
  expectRefused(regexProblems, {
    'server/renewal/renewal.ts': `const a = /^[a-z]+$/
const b = /^(a+)+$/ // refused
const c = new RegExp(a.source + value) // refused`,
  })
})

test('R73 no statement is built from strings, and each is in the folder of its feature', () => {
  expect(sqlProblems(product)).toEqual([])
  expectRefused(sqlProblems, {
    'server/renewal/renewal.ts': `import { sql } from 'kysely'
const a = sql\`select * from accounts where login = \${login}\`
client.query(\`select * from accounts where login = \${login}\`) // refused
const b = 'select * from accounts where login = ' + login // refused
const c = sql\`select 1 order by \${sql.raw(order)}\` // refused
await sql\`select 1\`.execute(db) // refused`,
    'server/platform/files/byte-streams.ts': `import { sql } from 'kysely'
const a = sql\`select f.id from discarded_files d join document_files f on f.id = d.file\` // refused`,
    'server/checks/checks.ts': `import { sql } from 'kysely' // refused
import { column } from '../platform/database/described-rows.ts' // refused`,
  })
})

test('R86 what is logged has known fields and a known text, and nothing is written past the log', () => {
  expect(logProblems(product)).toEqual([])
  expectRefused(logProblems, {
    'server/renewal/renewal.ts': `log.error({ err: error }, 'unexpected')
log.info({ phone: account.phone }, 'unexpected') // refused
log.info({ err }, 'hello ' + name) // refused
process.stdout.write(name) // refused`,
  })
})

test('comments name what exists', () => {
  const styles = paths.filter((path) => path.endsWith('.css')).map((path) => readFileSync(join(root, path), 'utf8'))
  expect(commentProblems(sources, styles)).toEqual([])
  const rule = (written: Source[]) => commentProblems(written, ['.row__end {}'])
  expectRefused(rule, {
    'web/renewal/renewal.ts': `// Calls \`useMove()\` as \`const a = await useCall(() => …)\` says, in \`row__end\`.
const useMove = useCall
/* \`useMoves\` */ // refused
/* \`const a = useMoves()\` */ // refused
/* \`row__start\` */ // refused`,
  })
})
