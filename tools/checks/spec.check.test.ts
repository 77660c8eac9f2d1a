import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readMutants } from '../mutants.ts'
import { makeProject } from '../testing/projects.ts'
import { readProofs, spec } from './spec.ts'

const root = join(import.meta.dirname, '../..')

const project = (tests: Record<string, string>) =>
  makeProject({
    'docs/requirements/requirements.md': `# What the portal must do

A title carries its id, e.g. \`test("PHN-4 blocks …")\`.

## AUT · sign-in
- AUT-1 Login: login or e-mail and password.
- AUT-2 After the password, a dialog asks for the SMS code; ${'resend with cool-down; '.repeat(8)}end.
`,
    'docs/requirements/security.md': `### A1. Authentication
| # | Requirement | Attack / fault |
|---|---|---|
| R1 | Only a *pending* login exists | skipping |
| R10 | Set-up token | scanners |
`,
    ...tests,
  })

test.each([
  ['every id of a title counts, once', `test('AUT-1 (AUT-2), R10: AUT-1', () => {})`, ['AUT-1', 'AUT-2', 'R10']],
  ['whatever the form of the test', 'test.skipIf(!a).each([1])(`AUT-1 ${name}`, () => {})', ['AUT-1']],
  ['with those around it', `describe.each([1])('R1', () => { test('AUT-1 works', () => {}) })`, ['AUT-1', 'R1']],
  ['but not those of a describe before it', `describe('AUT-1', () => {}); test('works', () => {})`, []],
  ['no part of a range, of a word or of another number', `test('R1–R10 XR1 AUT-10', () => {})`, ['R1', 'R10']],
  ['no value, comment or text', "test(`R${1}`, () => {}) // test('R1', () => {})\nconst a = 'AUT-1'", []],
  ['no test that never runs', `test.todo('AUT-1'); describe.skip('R1', () => { test('a', () => {}) })`, []],
])('ids of titles: %s', (_what, text, ids) => {
  const proofs = readProofs(project({ 'server/login.test.ts': text }))
  expect(proofs.filter(({ tests }) => tests > 0).map(({ id }) => id)).toEqual(ids)
})

test('the command prints a line for each id, and tells what npm test proves from what only npm run test:all runs', () => {
  const folder = project({
    'a.test.ts': `test('AUT-1 once', () => {}); test.runIf(exhaustive && a)('AUT-1 R1 a thousand times', () => {})`,
    'b.all.test.ts': `test('AUT-2 slowly', () => {})`,
    'node_modules/a/c.test.ts': `test('R10', () => {})`,
  })
  const { output, exitCode } = spec(folder, [])
  expect(exitCode).toBe(0)
  expect(output.split('\n').map((line) => line.slice(0, 18))).toEqual([
    'AUT-1     1  +1  L',
    'AUT-2     0  +1  A',
    'R1        0  +1  O',
    'R10       0      S',
    '',
    '1 of 4 are proven ',
  ])
  expect(spec(folder, ['--only', 'AUT-1']).exitCode).toBe(0)
  expect(spec(folder, ['--only', 'AUT'])).toMatchObject({ exitCode: 1, output: expect.stringContaining('1 of 2') })
  expect(spec(folder, ['--only', 'AUT,R99'])).toEqual({
    exitCode: 2,
    output: 'No requirement has the group or id R99.',
  })
})

/** What takes minutes, or a network, and guards neither access, money, signatures nor personal data. */
const provenByAllOnly = ['API-5', 'OPS-8', 'OPS-14', 'OPS-15', 'R89']

test('this project lists every requirement once, and npm test proves each but a few', () => {
  const proofs = readProofs(root)
  const ids = proofs.map(({ id }) => id)
  expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([])
  expect(proofs.filter(({ tests }) => tests === 0).map(({ id }) => id)).toEqual(provenByAllOnly)
  expect(proofs.filter(({ tests, more }) => tests + more === 0)).toEqual([])
})

test('every security row has one or two mutants, except R90, whose test has a control run instead', async () => {
  const byRow = Object.groupBy(await readMutants(), ({ row }) => row)
  const security = readFileSync(join(root, 'docs/requirements/security.md'), 'utf8')
  const rows = [...security.matchAll(/^\| (R\d+) \|/gm)].map(([, row]) => row!)
  expect(rows.length).toBeGreaterThan(100)
  expect(rows.filter((row) => !byRow[row])).toEqual(['R90'])
  expect(Object.keys(byRow).filter((row) => byRow[row]!.length > 2)).toEqual([])
})
