import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { verifySync } from '@node-rs/argon2'
import * as fc from 'fast-check'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { signIn } from '../../../contract/account.ts'
import { openBrowser } from '../../testing/browser.ts'
import { countRows } from '../../testing/database-state.ts'
import { openPortalForTest } from '../../testing/open-portal.ts'
import { makeCustomer } from '../../testing/test-customers.ts'
import { HashingBusy, openPasswordHasher, standardCost, type HashCost } from './password-hash.ts'

const lightCost: HashCost = { memory: 64, passes: 1, lanes: 1 }
/** Number of requests that cannot all be in progress or in the queue at once: 66 for each thread, with one thread fewer than cores. */
const tooMany = 66 * Math.max(1, availableParallelism() - 1)
const pepper = randomBytes(32)
const hasher = await openPasswordHasher(pepper, lightCost)
afterAll(() => hasher.close())

const characters = fc.constantFrom(...'aZ9!ąŻß€', '😀', '𝟙', '漢', 'ﬁ', 'e\u0301', '\u0000')
const text = (minLength: number, maxLength: number) =>
  fc.array(characters, { minLength, maxLength }).map((parts) => parts.join(''))

const fits = async (kept: string, typed: string) => hasher.verify(await hasher.hash(kept), typed)

test('R13 passwords that differ only after byte 72 never match', async () => {
  await fc.assert(
    fc.asyncProperty(text(72, 200), characters, characters, async (start, left, right) => {
      fc.pre(left !== right)
      expect(await fits(start + left, start + right)).toBe(false)
      expect(await fits(start + left, start)).toBe(false)
      expect(await fits(start, start + left)).toBe(false)
      expect(await fits(start + left, start + left)).toBe(true)
    }),
    { numRuns: 40 },
  )
})

test('R13 the same password in another form of Unicode matches, and another password does not', async () => {
  const forms = fc.constantFrom('NFC', 'NFD', 'NFKC', 'NFKD')
  await fc.assert(
    fc.asyncProperty(text(1, 40), text(1, 40), forms, async (left, right, form) => {
      expect(await fits(left, left.normalize(form))).toBe(true)
      expect(await fits(left.normalize(form), left)).toBe(true)
      expect(await fits(left, right)).toBe(left.normalize('NFKC') === right.normalize('NFKC'))
    }),
    { numRuns: 60 },
  )
})

test('R13 characters of four bytes are distinguished, and NUL does not end the text', async () => {
  expect(await fits('😀'.repeat(13), '😀'.repeat(12) + '😁')).toBe(false)
  expect(await fits('secret\u0000one', 'secret\u0000two')).toBe(false)
  expect(await fits('secret\u0000one', 'secret')).toBe(false)
})

test('AUT-3 R15 without a hash, nothing fits, and no password matches the decoy of the hasher', async () => {
  for (const password of ['', 'x', 'Dobre-Haslo-2026!']) expect(await hasher.verify(null, password)).toBe(false)
})

test('a hash is argon2id at the setting, each with its own salt; a weaker one is outdated', async () => {
  const standard = await openPasswordHasher(pepper)
  onTestFinished(() => standard.close())
  const [first, second] = [await standard.hash('x'), await standard.hash('x')]
  expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1,keyid=/)
  expect(first).not.toBe(second)
  expect(standardCost.memory).toBeGreaterThanOrEqual(19_456)
  expect(standard.isOutdated(first)).toBe(false)
  expect(standard.isOutdated(await hasher.hash('x'))).toBe(true)
  // A hash with another setting is still verified with that setting.
  expect(await standard.verify(await hasher.hash('x'), 'x')).toBe(true)
})

test('R124 without the pepper a stored hash matches no password, with another one it is not even tried', async () => {
  const own = await openPasswordHasher(randomBytes(32), lightCost)
  const foreign = await openPasswordHasher(randomBytes(32), lightCost)
  onTestFinished(async () => void (await Promise.all([own.close(), foreign.close()])))
  const stored = await own.hash('Dobre-Haslo-2026!')
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=64,t=1,p=1,keyid=\w{8}\$/)
  expect(await own.verify(stored, 'Dobre-Haslo-2026!')).toBe(true)
  expect(await own.verify(stored, 'Dobre-Haslo-2026?')).toBe(false)
  // An attack on a copy of the database, with the library itself.
  expect(verifySync(stored.replace(/,keyid=\w+/, ''), 'Dobre-Haslo-2026!')).toBe(false)
  await expect(foreign.verify(stored, 'Dobre-Haslo-2026!')).rejects.toThrow('another pepper')
})

test('R18 the queue is bounded: what does not fit is refused at once, and everything accepted is hashed', async () => {
  const results = await Promise.allSettled(Array.from({ length: tooMany + 500 }, () => hasher.hash('x')))
  const refused = results.filter((result) => result.status === 'rejected')
  expect(refused.length).toBeGreaterThanOrEqual(500)
  expect(refused.every(({ reason }) => reason instanceof HashingBusy)).toBe(true)
  const done = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  expect(done.length).toBeGreaterThan(30)
  expect(done.every((hash) => hash.startsWith('$argon2id$'))).toBe(true)
  expect(await fits('x', 'x')).toBe(true)
})

test('R18 a full queue is answered by 503 with Retry-After, and uses up no attempts', async () => {
  const portal = await openPortalForTest()
  const { login, password } = await makeCustomer(portal)
  const full = () => {
    throw new HashingBusy()
  }
  portal.portal.hasher = { ...portal.portal.hasher, requireCapacity: full, verify: async () => full() }
  for (let i = 0; i < 10; i++) {
    const { status, problem, headers } = await openBrowser(portal).call(signIn, { body: { login, password } })
    expect([status, problem.code, Number(headers.get('retry-after')) > 0]).toEqual([503, 'busy', true])
  }
  expect(await countRows(portal, `rate_limits where name = 'sign-in-login' and cardinality(spent) > 0`)).toBe(0)
})
