import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isListed } from '../../server/account/password-list.ts'
import { listFile, makePasswordList } from './password-list.ts'

test('PWD-6 the bundled list is generated from the package, has one byte per character and at most a megabyte', () => {
  const list = readFileSync(listFile)
  expect(list.toString('utf8')).toBe(makePasswordList())
  expect(list.every((byte) => byte < 128)).toBe(true)
  expect(list.length).toBeGreaterThan(100_000)
  expect(list.length).toBeLessThan(1_000_000)
})

test('PWD-6 every line of the list is found', () => {
  const lines = readFileSync(listFile, 'utf8').trimEnd().split('\n')
  expect(lines.filter((line) => !isListed(line))).toEqual([])
})
