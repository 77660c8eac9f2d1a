import { randomBytes } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderOfFile } from '../../testing/open-portal.ts'
import { masterKeys } from './data-directory.ts'
import { StartupError } from './startup-error.ts'

const folder = folderOfFile()
const [older, newer] = [randomBytes(32), randomBytes(48)]
const text = (...keys: Buffer[]) => keys.map((key) => key.toString('base64')).join('\n')
const nowhere = { masterKey: undefined, masterKeyFile: undefined }
const inEnvironment = (masterKey: string) => ({ ...nowhere, masterKey })
const inFile = (content: string) => {
  const masterKeyFile = join(folder, crypto.randomUUID())
  writeFileSync(masterKeyFile, content)
  return { ...nowhere, masterKeyFile }
}

test('R82 master keys come from a file or the environment, the current one first, or one is created that only its owner can read', () => {
  for (const from of [inFile, inEnvironment]) {
    expect(masterKeys(from(text(older)), folder)).toEqual([older])
    expect(masterKeys(from(`${text(newer, older)}\n`), folder)).toEqual([newer, older])
  }
  const made = masterKeys(nowhere, folder)
  expect(made[0]).toHaveLength(32)
  expect(masterKeys(nowhere, folder)).toEqual(made)
  const file = join(folder, 'master.key')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  writeFileSync(file, `${text(older)}\n${readFileSync(file, 'utf8')}`)
  expect(masterKeys(nowhere, folder)).toEqual([older, ...made])
})

test('R82 a key that is short, not base64, not random, missing or listed twice keeps the portal from starting', () => {
  for (const bad of ['', text(randomBytes(31)), 'not base64 at all!', text(Buffer.alloc(32)), text(older, older)])
    for (const from of [inFile, inEnvironment].slice(bad ? 0 : 1, bad ? 2 : 1))
      expect(() => masterKeys(from(bad), folder)).toThrow(StartupError)
  expect(() => masterKeys(inFile(''), folder)).toThrow(/is not a master key/)
  expect(() => masterKeys(inFile(`${text(older)}\n${'A'.repeat(20)}`), folder)).toThrow(/^Key 2 in /)
  expect(() => masterKeys({ ...nowhere, masterKeyFile: join(folder, 'none') }, folder)).toThrow(/ENOENT/)
  // The error never contains the key.
  const short = text(randomBytes(20))
  expect(() => masterKeys(inEnvironment(short), folder)).toThrow(
    expect.not.objectContaining({ message: expect.stringContaining(short) }),
  )
})
