import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readConfiguration } from './configuration.ts'
import { masterKeys } from './data-directory.ts'
import { Unstartable } from './unstartable.ts'

const folder = mkdtempSync(join(tmpdir(), 'sygnet-masters-'))
afterAll(() => rmSync(folder, { recursive: true }))

const [one, other] = [randomBytes(32), randomBytes(48)]
const text = (...keys: Buffer[]) => keys.map((key) => key.toString('base64')).join('\n')
const inFile = (content: string) => {
  const masterKeyFile = join(folder, crypto.randomUUID())
  writeFileSync(masterKeyFile, content)
  return { masterKey: undefined, masterKeyFile }
}
const inEnvironment = (masterKey: string) => ({ masterKey, masterKeyFile: undefined })
const nowhere = { masterKey: undefined, masterKeyFile: undefined }

test('R82 master keys come from a file or the environment, the current one first, or one is made for its owner alone', () => {
  for (const from of [inFile, inEnvironment]) {
    expect(masterKeys(from(text(one)), folder)).toEqual([one])
    expect(masterKeys(from(`${text(other, one)}\n`), folder)).toEqual([other, one])
  }
  const made = masterKeys(nowhere, folder)
  expect(made[0]).toHaveLength(32)
  expect(masterKeys(nowhere, folder)).toEqual(made)
  const file = join(folder, 'master.key')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  writeFileSync(file, `${text(one)}\n${readFileSync(file, 'utf8')}`)
  expect(masterKeys(nowhere, folder)).toEqual([one, ...made])
})

test('R82 a key that is short, no base64, nobody’s draw, missing or there twice keeps the portal from starting', () => {
  for (const bad of ['', text(randomBytes(31)), 'not base64 at all!', text(Buffer.alloc(32)), text(one, one)])
    for (const from of [inFile, inEnvironment].slice(bad ? 0 : 1, bad ? 2 : 1))
      expect(() => masterKeys(from(bad), folder)).toThrow(Unstartable)
  expect(() => masterKeys(inFile(''), folder)).toThrow(/is no master key/)
  expect(() => masterKeys(inFile(`${text(one)}\n${'A'.repeat(20)}`), folder)).toThrow(/^Key 2 in /)
  expect(() => masterKeys({ ...nowhere, masterKeyFile: join(folder, 'none') }, folder)).toThrow(/ENOENT/)
  // The sentence never quotes the key.
  const short = text(randomBytes(20))
  expect(() => masterKeys(inEnvironment(short), folder)).toThrow(
    expect.not.objectContaining({ message: expect.stringContaining(short) }),
  )
  expect(() => readConfiguration({ MASTER_KEY: text(one), MASTER_KEY_FILE: '/x' })).toThrow(
    /MASTER_KEY and MASTER_KEY_FILE are both set/,
  )
})
