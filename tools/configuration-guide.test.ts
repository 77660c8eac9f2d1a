import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { keyNames, keyOf } from '../server/configuration-keys.ts'
import { readConfiguration } from '../server/configuration.ts'
import { guideAsRead, guidePath } from './configuration-guide.ts'

const guide = readFileSync(guidePath, 'utf8')
const examples = join(dirname(guidePath), '../examples')

test('OPS-3 the guide tells of every key, feature and colour as the program reads it; node tools/configuration-guide.ts writes it anew', () => {
  expect(guideAsRead(guide)).toBe(guide)
})

test('OPS-3 every default and every example of a key is what its key takes', () => {
  for (const name of keyNames) {
    const { schema, standard, example, secret } = keyOf(name)
    if (standard !== undefined) expect([name, schema.safeParse(standard).success]).toEqual([name, true])
    if (!secret) expect([name, schema.safeParse(example).success]).toEqual([name, true])
  }
})

test('OPS-3 R82 the example file is read but for the secrets that it names, and stands in the guide word for word', () => {
  expect(guide).toContain(readFileSync(join(examples, 'sygnet.json'), 'utf8').trim())
  expect(() => readConfiguration({ SYGNET_CONFIG: join(examples, 'sygnet.json') })).toThrow(
    ['DATABASE_URL', 'SMTP_URL', 'SMS_TOKEN'].map((name) => `${name}_FILE cannot be read (ENOENT).`).join('\n'),
  )
})

test('every link of the guide leads somewhere', () => {
  const targets = [...guide.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, target]) => target!)
  expect(targets.filter((target) => !existsSync(join(dirname(guidePath), target)))).toEqual([])
})
