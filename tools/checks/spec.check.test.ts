import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readMutants } from '../mutants.ts'
import { makeProject } from '../testing/projects.ts'
import { readProofs, spec } from './spec.ts'

const root = join(import.meta.dirname, '../..')

test.each([
  ['every id of a title counts, once', `test('AUT-1 (AUT-2), R10: AUT-1', () => {})`, ['AUT-1', 'AUT-2', 'R10']],
  ['whatever the form of the test', 'test.skipIf(!a).each([1])(`AUT-1 ${name}`, () => {})', ['AUT-1']],
  ['with those around it', `describe.each([1])('R1', () => { test('AUT-1 works', () => {}) })`, ['AUT-1', 'R1']],
  ['but not those of a describe before it', `describe('AUT-1', () => {}); test('works', () => {})`, []],
  ['no part of a range, of a word or of another number', `test('R1–R10 XR1 AUT-10', () => {})`, ['R1', 'R10']],
  ['no value, comment or text', "test(`R${1}`, () => {}) // test('R1', () => {})\nconst a = 'AUT-1'", []],
  ['no test that never runs', `test.todo('AUT-1'); describe.skip('R1', () => { test('a', () => {}) })`, []],
])('ids of titles: %s', (_what, text, ids) => {
  const proofs = readProofs(
    makeProject({
      'docs/requirements/requirements.md': '## AUT\n- AUT-1 Login.\n- AUT-2 After the password, a code.\n',
      'docs/requirements/security.md': '|---|---|\n| R1 | Only one | a |\n| R10 | Token | b |\n',
      'server/login.test.ts': text,
    }),
  )
  expect(proofs.filter(({ tests }) => tests > 0).map(({ id }) => id)).toEqual(ids)
})

/** What takes minutes, or a network, and guards neither access, money, signatures nor personal data. */
const provenByAllOnly = ['API-5', 'OPS-8', 'R89']

test('this project lists every requirement once, and the gate proves each but a few', () => {
  const proofs = readProofs(root)
  expect(spec(root, ['--only', 'R,API-5']).exitCode).toBe(1)
  expect(spec(root, ['--only', 'AUT,R56']).exitCode).toBe(0)
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
