import { describe, expect, test } from 'vitest'
import { botCheckBySiteverify, type SiteverifyOptions } from './bot-check-siteverify.ts'
import { listenOnLoopback } from './loopback/loopback-server.ts'

const now = new Date('2026-11-21T10:00:00Z')
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000).toISOString()
const context = { action: 'password-reset', address: '198.51.100.7' }

const checkAt = (verifyUrl: string, more: Partial<SiteverifyOptions> = {}) =>
  botCheckBySiteverify({
    kind: 'turnstile',
    siteKey: 'site',
    secret: 'secret',
    hostname: 'portal.example',
    now: async () => now,
    verifyUrl,
    timeoutMs: 60_000,
    ...more,
  })

/** Returns the verdict of our check on one answer of the checker. */
async function verdictOn(
  answer: unknown,
  { status = 200, ...more }: Partial<SiteverifyOptions> & { status?: number } = {},
) {
  await using checker = await listenOnLoopback((_, response) =>
    response.writeHead(status).end(typeof answer === 'string' ? answer : JSON.stringify(answer)),
  )
  return (await checkAt(checker.url, more).verify('proof', context)).verdict
}

const pass = {
  success: true,
  challenge_ts: ago(20),
  hostname: 'portal.example',
  action: 'password-reset',
  'error-codes': [],
}

test('R77 the service is called by POST with secret, proof and address, and a proof counts once', async () => {
  await using checker = await listenOnLoopback((_, response) => response.end(JSON.stringify(pass)))
  const check = checkAt(`${checker.url}/siteverify`)
  const first = await check.verify('proof', context)
  expect(first).toEqual({ verdict: 'human', nonce: expect.stringMatching(/^[\w-]{43}$/), expiresInSeconds: 280 })
  expect((await check.verify('proof', context)).nonce).toBe(first.nonce)
  expect((await check.verify('other', context)).nonce).not.toBe(first.nonce)
  const [request] = checker.received
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  expect(request).toMatchObject({ method: 'POST', path: '/siteverify', headers })
  expect(Object.fromEntries(new URLSearchParams(request!.body))).toEqual({
    secret: 'secret',
    response: 'proof',
    remoteip: '198.51.100.7',
  })
})

test.each<[string, object]>([
  ['a refusal', { success: false, 'error-codes': ['invalid-input-response'] }],
  ['a proof used before', { success: false, 'error-codes': ['timeout-or-duplicate'] }],
  ['a refusal without a reason', { success: false }],
  ['another host', { ...pass, hostname: 'evil.example' }],
  ['a host that ends like ours', { ...pass, hostname: 'evil-portal.example' }],
  ['no host', { ...pass, hostname: undefined }],
  ['another action', { ...pass, action: 'sign-in' }],
  ['an old challenge', { ...pass, challenge_ts: ago(301) }],
  ['a challenge of the far future', { ...pass, challenge_ts: ago(-400) }],
])('R77 %s is refused', async (_, answer) => {
  expect(await verdictOn(answer)).toBe('refused')
})

test('R77 a refusal may come with 400; a challenge of 300 seconds, or by a fast clock, passes', async () => {
  const refusal = { success: false, 'error-codes': ['invalid-input-response'] }
  expect(await verdictOn(refusal, { status: 400 })).toBe('refused')
  expect(await verdictOn({ ...pass, challenge_ts: ago(300) })).toBe('human')
  expect(await verdictOn({ ...pass, challenge_ts: ago(-60) })).toBe('human')
})

test.each<[string, unknown, number?]>([
  ['an empty answer', ''],
  ['a page', '<html>maintenance</html>'],
  ['null', 'null'],
  ['a list', '[]'],
  ['an object without a verdict', {}],
  ['a verdict in words', { ...pass, success: 'true' }],
  ['a verdict in numbers', { ...pass, success: 1 }],
  ['a pass without a time', { ...pass, challenge_ts: undefined }],
  ['a pass at no time', { ...pass, challenge_ts: 'yesterday' }],
  ['a pass with 500', pass, 500],
  ['a pass with 403', pass, 403],
  ['its own fault', { success: false, 'error-codes': ['internal-error'] }],
  ['a secret of ours that it does not know', { success: false, 'error-codes': ['invalid-input-secret'] }, 400],
])('R77 a checker that answers %s counts as unreachable, never as a pass', async (_, answer, status) => {
  expect(await verdictOn(answer, status === undefined ? {} : { status })).toBe('unreachable')
})

test('R77 no proof is refused without asking', async () => {
  await using checker = await listenOnLoopback((_, response) => response.end(JSON.stringify(pass)))
  expect((await checkAt(checker.url).verify('', context)).verdict).toBe('refused')
  expect(checker.connections()).toBe(0)
})

describe('R77 the services differ', () => {
  test('hCaptcha names no action and gets our site key', async () => {
    const { action: _, ...answer } = pass
    await using checker = await listenOnLoopback((__, response) => response.end(JSON.stringify(answer)))
    expect((await checkAt(checker.url, { kind: 'hcaptcha' }).verify('proof', context)).verdict).toBe('human')
    expect(new URLSearchParams(checker.received[0]!.body).get('sitekey')).toBe('site')
  })

  test('reCAPTCHA writes an action with underscores and a low score is refused', async () => {
    const answer = { ...pass, action: 'password_reset', score: 0.9 }
    expect(await verdictOn(answer, { kind: 'recaptcha' })).toBe('human')
    expect(await verdictOn({ ...answer, score: 0.3 }, { kind: 'recaptcha' })).toBe('refused')
    expect(await verdictOn({ ...answer, action: 'sign_in' }, { kind: 'recaptcha' })).toBe('refused')
  })

  test('R64 each adds its own external origin to the policy', () => {
    const origins = (['turnstile', 'hcaptcha', 'recaptcha'] as const).map(
      (kind) => checkAt('https://x.example', { kind }).origin,
    )
    expect(new Set(origins).size).toBe(3)
    for (const source of origins.join(' ').split(' ')) expect(source).toMatch(/^https:\/\/[\w.*-]+(?:\/recaptcha\/)?$/)
  })
})
