import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeProject } from '../testing/projects.ts'
import { readProofs, spec } from './spec.ts'

const requirements = `# What the portal must do

A title carries its id, e.g. \`test("PHN-4 blocks …")\`.

## AUT · sign-in
- AUT-1 Login: login or e-mail and password.
- AUT-2 After the password, a dialog asks for the SMS code; ${'resend with cool-down; '.repeat(8)}end.
- AUT-8 **+** Passkeys.

## REN · renewal
- REN-1 Starts from a renewal code.
- REN-10 Double submit.
`

const security = `### A1. Authentication
| # | Requirement | Attack / fault |
|---|---|---|
| R1 | Only a *pending* login exists | skipping |
| R2 | A code works only for its purpose | moving |
| R10 | Set-up token | scanners |
`

const project = (tests: Record<string, string>) =>
  makeProject({
    'docs/requirements/requirements.md': requirements,
    'docs/requirements/security.md': security,
    ...tests,
  })

/** The ids that a test file proves, with their counts. */
const proved = (text: string) =>
  Object.fromEntries(
    readProofs(project({ 'server/login.test.ts': text }))
      .filter(({ tests }) => tests > 0)
      .map(({ id, tests }) => [id, tests]),
  )

describe('which titles carry an id', () => {
  test.each([
    [`test('AUT-1 a customer signs in', () => {})`, { 'AUT-1': 1 }],
    [`it("AUT-1 a customer signs in", () => {})`, { 'AUT-1': 1 }],
    [`test('AUT-1 AUT-2 R10 one test for three lines', () => {})`, { 'AUT-1': 1, 'AUT-2': 1, R10: 1 }],
    [`test('AUT-1 said twice, AUT-1', () => {})`, { 'AUT-1': 1 }],
    [`test('(AUT-1), R1: in brackets and before a colon', () => {})`, { 'AUT-1': 1, R1: 1 }],
    ['test(`AUT-1 ${name} signs in`, () => {})', { 'AUT-1': 1 }],
    [`test('AUT-1 a title that ' + 'goes on', () => {})`, { 'AUT-1': 1 }],
    [`test.each([1, 2])('AUT-1 row %i', () => {})`, { 'AUT-1': 1 }],
    ["test.each`a\n${1}`('AUT-1 row $a', () => {})", { 'AUT-1': 1 }],
    [`test.for([1, 2])('AUT-1 row %i', () => {})`, { 'AUT-1': 1 }],
    [`test.only('AUT-1 alone', () => {})`, { 'AUT-1': 1 }],
    [`test.concurrent('AUT-1 next to others', () => {})`, { 'AUT-1': 1 }],
    [`test.skipIf(!openssl)('AUT-1 where openssl is', () => {})`, { 'AUT-1': 1 }],
    [`test.runIf(openssl).each([1])('AUT-1 where openssl is', () => {})`, { 'AUT-1': 1 }],
    [
      `describe('AUT-1 R1 sign-in', () => { test('works', () => {}); test('R2 works twice', () => {}) })`,
      { 'AUT-1': 2, R1: 2, R2: 1 },
    ],
    [`describe.each([1])('AUT-1', () => { describe('inner', () => { test('works', () => {}) }) })`, { 'AUT-1': 1 }],
  ])('%s', (text, expected) => {
    expect(proved(text)).toEqual(expected)
  })
})

describe('what does not count', () => {
  test.each([
    [
      'a range names its ends only',
      `test('R1–R10 and AUT-1…AUT-8', () => {})`,
      { R1: 1, R10: 1, 'AUT-1': 1, 'AUT-8': 1 },
    ],
    ['a longer number is another line', `test('REN-10 double submit', () => {})`, { 'REN-10': 1 }],
    ['part of a word is not an id', `test('XR1 and R1x and MAUT-1', () => {})`, {}],
    ['a value is not an id', 'test(`AUT-${number} works`, () => {})', {}],
    ['an id that a value splits is not an id', 'test(`R${""}1 works`, () => {})', {}],
    ['a comment is not a title', `// test('AUT-1 works', () => {})`, {}],
    ['nor is a text', `const a = "test('AUT-1 works', () => {})"`, {}],
    ['nor is the body', `test('works', () => { check('AUT-1') })`, {}],
    ['a test to be written proves nothing', `test.todo('AUT-1 works'); test('AUT-1 works')`, {}],
    [
      'nor one that never runs',
      `test.skip('AUT-1 works', () => {}); describe.skip('R1', () => { test('works', () => {}) })`,
      {},
    ],
    ['a describe without tests proves nothing', `describe('AUT-1', () => {})`, {}],
    ['a title after a describe is not within it', `describe('AUT-1', () => {}); test('works', () => {})`, {}],
  ])('%s', (_what, text, expected) => {
    expect(proved(text)).toEqual(expected)
  })

  test('programs that are not tests, and those of dependencies', () => {
    const text = `test('AUT-1 works', () => {})`
    const root = project({ 'server/login.ts': text, 'node_modules/a/login.test.ts': text, 'web/login.test.tsx': text })
    expect(readProofs(root)[0]).toMatchObject({ id: 'AUT-1', tests: 1 })
  })
})

describe('npm run spec', () => {
  const ends = (exitCode: number, output: RegExp) => ({ exitCode, output: expect.stringMatching(output) as string })
  const root = () =>
    project({ 'a.test.ts': `test('AUT-1 R1 works', () => {})`, 'b.test.ts': `test('AUT-1 AUT-2 works', () => {})` })

  test('prints one short line an id, in the order of the documents', () => {
    const { output, exitCode } = spec(root(), [])
    const lines = output.split('\n')
    expect(lines.map((line) => line.slice(0, 11))).toEqual([
      'AUT-1     2',
      'AUT-2     1',
      'AUT-8     0',
      'REN-1     0',
      'REN-10    0',
      'R1        1',
      'R2        0',
      'R10       0',
      '',
      '3 of 8 are ',
    ])
    expect(lines[0]).toBe('AUT-1     2      Login: login or e-mail and password.')
    expect(lines[1]).toHaveLength(117)
    expect(exitCode).toBe(0)
  })

  test('distinguishes what npm test proves from what only npm run test:all runs', () => {
    const text = `test.runIf(exhaustive)('AUT-1 a thousand times', () => {})
test.runIf(exhaustive).each([1])('AUT-1 row %i', () => {})
describe.runIf(exhaustive)('AUT-2', () => { test('ten thousand times', () => {}) })`
    const both = project({ 'a.test.ts': text, 'b.test.ts': `test('AUT-1 once', () => {})` })
    expect(spec(both, ['--only', 'AUT-1'])).toEqual(ends(0, /^AUT-1 {5}1 {2}\+2 /))
    expect(spec(both, ['--only', 'AUT-2'])).toEqual(ends(1, /^AUT-2 {5}0 {2}\+1 [^]*0 of 1 are proven by npm test/))
  })

  test('--only prints a group or an id, and exits with 1 if one of them has no test', () => {
    expect(spec(root(), ['--only', 'AUT-1, R1'])).toEqual(ends(0, /^AUT-1 .+\nR1 .+\n\n2 of 2/))
    expect(spec(root(), ['--only', 'AUT'])).toEqual(ends(1, /^AUT-8 {5}0 /m))
    expect(spec(root(), ['--only=R'])).toEqual(ends(1, /^1 of 3 are proven/m))
  })

  test.each([
    [['--only', 'AUT,XYZ,R99'], 'No requirement has the group or id XYZ, R99.'],
    [['--only', 'REN-100'], 'No requirement has the group or id REN-100.'],
    [['--only', ','], '--only needs groups or ids'],
    [['--all'], "Unknown option '--all'"],
  ])('%j is an error with a message', (args, message) => {
    expect(spec(root(), args)).toEqual({ exitCode: 2, output: expect.stringContaining(message) })
  })
})

test('this project lists every requirement once, and each has a test', () => {
  const proofs = readProofs(join(import.meta.dirname, '../..'))
  const ids = proofs.map(({ id }) => id)
  expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([])
  expect(proofs.filter(({ tests }) => tests === 0)).toEqual([])
})
