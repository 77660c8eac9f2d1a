import { solveChallenge, type Challenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { botCheckByAltcha } from './bot-check-altcha.ts'

const secret = Buffer.alloc(32, 7)
const start = new Date('2026-11-21T10:00:00Z')

/** Creates a check whose clock a test sets. */
const checkAt = (time: { now: Date }, key = secret) => botCheckByAltcha({ secret: key, now: async () => time.now })

type Proof = { challenge: Challenge; solution: object }

/** Solves a challenge as the browser does. */
async function solve(challenge: Record<string, unknown>, change: (proof: Proof) => unknown = (proof) => proof) {
  const given = challenge as unknown as Challenge
  const solution = (await solveChallenge({ challenge: given, deriveKey }))!
  return Buffer.from(JSON.stringify(change({ challenge: given, solution }))).toString('base64')
}

const context = { action: 'sign-in', address: '198.51.100.7' }
const verdictOf = async (check: ReturnType<typeof checkAt>, proof: string) =>
  (await check.verify(proof, context)).verdict

test('R77 a browser’s solution passes, named by the challenge’s own nonce and to be remembered until it expires', async () => {
  const time = { now: start }
  const check = checkAt(time)
  const challenge = await check.createChallenge()
  const proof = await solve(challenge)
  time.now = new Date(start.getTime() + 100_000)
  const { nonce } = (challenge as unknown as Challenge).parameters
  expect(await check.verify(proof, context)).toEqual({ verdict: 'human', nonce, expiresInSeconds: 200 })
  // Another spelling of the same proof is the same proof.
  const respelled = await solve(challenge, ({ solution, ...given }) => ({
    ...given,
    solution: { ...solution, time: 1 },
    extra: 'x',
  }))
  expect(await check.verify(respelled, context)).toMatchObject({ verdict: 'human', nonce })
})

test('R77 a proof older than 300 seconds is refused, by the time of the database', async () => {
  const time = { now: start }
  const check = checkAt(time)
  const proof = await solve(await check.createChallenge())
  const verdicts = []
  for (const seconds of [299, 300, -3600]) {
    time.now = new Date(start.getTime() + seconds * 1000)
    verdicts.push(await verdictOf(check, proof))
  }
  expect(verdicts).toEqual(['human', 'refused', 'refused'])
})

test('R77 a challenge for an action is valid only for that action', async () => {
  const check = checkAt({ now: start })
  expect(await verdictOf(check, await solve(await check.createChallenge('sign-in')))).toBe('human')
  expect(await verdictOf(check, await solve(await check.createChallenge('password-reset')))).toBe('refused')
})

test('R77 a challenge of another node passes and one of a stranger does not', async () => {
  const time = { now: start }
  const proof = await solve(await checkAt(time).createChallenge())
  expect(await verdictOf(checkAt(time, Buffer.from(secret)), proof)).toBe('human')
  expect(await verdictOf(checkAt(time, Buffer.alloc(32, 8)), proof)).toBe('refused')
})

const withParameters =
  (over: object) =>
  ({ challenge, solution }: Proof) => ({
    challenge: { ...challenge, parameters: { ...challenge.parameters, ...over } },
    solution,
  })

const withKey = (challenge: Challenge, derivedKey: string) => ({ challenge, solution: { counter: 1, derivedKey } })

test.each<[string, (proof: Proof) => unknown]>([
  ['a later end', withParameters({ data: { action: null, expires: 9_999_999_999 } })],
  ['another nonce', withParameters({ nonce: 'ab'.repeat(16) })],
  ['less work', withParameters({ cost: 1, keyPrefix: '00' })],
  ['an algorithm of their choice', withParameters({ algorithm: 'SHA-256' })],
  ['no signature', ({ challenge: { parameters }, solution }) => ({ challenge: { parameters }, solution })],
  ['an empty signature', ({ challenge, solution }) => ({ challenge: { ...challenge, signature: '' }, solution })],
  ['no solution', ({ challenge }) => ({ challenge })],
  ['a guessed key', ({ challenge }) => withKey(challenge, challenge.parameters.keyPrefix.padEnd(64, '0'))],
  ['the bare prefix', ({ challenge }) => withKey(challenge, challenge.parameters.keyPrefix)],
])('R77 a proof with %s is refused', async (_, change) => {
  const check = checkAt({ now: start })
  const challenge = await check.createChallenge()
  expect(await verdictOf(check, await solve(challenge, change))).toBe('refused')
})

test('R77 junk is refused and never throws', async () => {
  const check = checkAt({ now: start })
  const json = fc.json().map((value) => Buffer.from(value).toString('base64'))
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.string({ unit: 'binary' }), fc.base64String(), json),
      async (proof) => (await verdictOf(check, proof)) === 'refused',
    ),
  )
})

test('the work is bounded and never the same', async () => {
  const check = checkAt({ now: start })
  const challenges = (await Promise.all(
    Array.from({ length: 20 }, () => check.createChallenge()),
  )) as unknown as Challenge[]
  expect(new Set(challenges.map(({ parameters }) => parameters.nonce)).size).toBe(20)
  const solutions = await Promise.all(
    challenges.slice(0, 5).map((challenge) => solveChallenge({ challenge, deriveKey })),
  )
  for (const solution of solutions) expect(solution!.counter).toBeLessThanOrEqual(600)
})
