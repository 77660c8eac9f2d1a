import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readMutants } from '../mutants.ts'
import { root } from './source-tree.ts'
import { readProofs, spec, testTitles } from './spec.ts'

test('a test counts for each id that its title, or that of a describe around it, writes out', () => {
  const text = `
    describe.each([1])('R1', () => { test('AUT-1 (AUT-2), R10: AUT-1', () => {}) })
    test.skipIf(!a).each([1])(\`AUT-1–AUT-4 XR2 \${R3} \${name}\`, () => {}) // test('R4', () => {})
    test.runIf(exhaustive)('R5', () => {})
    test.todo('R6')`
  expect(testTitles({ path: 'server/login.test.ts', text })).toEqual([
    { ids: new Set(['R1', 'AUT-1', 'AUT-2', 'R10']), leftToAll: false },
    { ids: new Set(['AUT-1', 'AUT-4']), leftToAll: false },
    { ids: new Set(['R5']), leftToAll: true },
  ])
})

/** Requirements whose tests take minutes, or need a network, and guard neither access, money, signatures nor personal data. */
const provenByAllOnly = ['API-5', 'OPS-8', 'R89']

test('this project lists every requirement once, and the gate proves each but a few', () => {
  const proofs = readProofs()
  expect(spec(['--only', 'R,API-5']).exitCode).toBe(1)
  expect(spec(['--only', 'AUT,R56']).exitCode).toBe(0)
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
