import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { isListed } from '../../server/account/password-list.ts'
import { keyNames, keyOf } from '../../server/platform/configuration/configuration-keys.ts'
import { readConfiguration } from '../../server/platform/configuration/configuration.ts'
import { withTables, guidePath } from './configuration-guide.ts'
import { listFile, makePasswordList } from './password-list.ts'

const guide = readFileSync(guidePath, 'utf8')
const examples = join(dirname(guidePath), '../examples')

test('OPS-3 the guide’s tables are those that node tools/checks/configuration-guide.ts generates', () => {
  expect(withTables(guide)).toBe(guide)
})

test('OPS-3 every default and every example of a key is valid', () => {
  for (const name of keyNames) {
    const { schema, standard, example, secret } = keyOf(name)
    if (standard !== undefined) expect([name, schema.safeParse(standard).success]).toEqual([name, true])
    if (!secret && example !== undefined) expect([name, schema.safeParse(example).success]).toEqual([name, true])
  }
})

test('OPS-3 R82 the example file is valid except for its secrets', () => {
  expect(() => readConfiguration({ SYGNET_CONFIG: join(examples, 'sygnet.json') })).toThrow(
    ['DATABASE_URL', 'DATABASE_OWNER_URL', 'SMTP_URL', 'SMS_TOKEN', 'S3_SECRET_ACCESS_KEY', 'CSC_CLIENT_SECRET']
      .map((name) => `${name}_FILE cannot be read (ENOENT).`)
      .join('\n'),
  )
})

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
