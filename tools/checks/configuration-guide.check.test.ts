import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { keyNames, keyOf } from '../../server/platform/configuration/configuration-keys.ts'
import { readConfiguration } from '../../server/platform/configuration/configuration.ts'
import { withTables, guidePath } from './configuration-guide.ts'

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
