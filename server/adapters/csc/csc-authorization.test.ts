import { hash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openSigningAlone, signingReturn, visitAuthorisation } from '../../testing/signing.ts'

/** The page of the embedded signing service at which a customer authorises a signature, and what its code can be used for. */
const { signing, close } = await openSigningAlone()
beforeAll(async () => {
  await signing.giveKey('key-page', 'anna', { settings: { mode: 'oauth2code' } })
  await signing.giveKey('key-codes', 'anna', { settings: { otp: 'sent' } })
})
afterAll(close)
// The service sends a customer at most one code in half a minute, and locks a key for a quarter of an hour.
beforeEach(() => signing.advance(16 * 60_000))

const verifier = randomBytes(32).toString('base64url')
const documentHash = hash('sha256', 'document', 'buffer')
const standard = {
  response_type: 'code',
  client_id: 'portal',
  redirect_uri: signingReturn.href,
  scope: 'credential',
  state: 'state-of-the-portal',
  code_challenge: hash('sha256', verifier, 'base64url'),
  code_challenge_method: 'S256',
  credentialID: 'key-page',
  numSignatures: '1',
  hashes: documentHash.toString('base64url'),
  hashAlgorithmOID: '2.16.840.1.101.3.4.2.1',
  description: 'W/2026/1 <b>U-1</b>',
  lang: 'en',
}

function pageWith(changes: Partial<Record<keyof typeof standard, string | undefined>> = {}) {
  const url = new URL(`${signing.url}/oauth2/authorize`)
  for (const [name, value] of Object.entries({ ...standard, ...changes }))
    if (value !== undefined) url.searchParams.set(name, value)
  return url
}
const visit = (changes?: Parameters<typeof pageWith>[0]) => visitAuthorisation(pageWith(changes))
type Visit = Awaited<ReturnType<typeof visit>>

/** Signs in with the code that was sent. */
async function confirm({ send }: Visit) {
  await send({ action: 'login', login: 'anna' })
  const answer = await send({ action: 'confirm', code: signing.otps.at(-1)! })
  return new URL(answer.headers.get('location')!)
}
const codeOf = async (opened: Visit) => (await confirm(opened)).searchParams.get('code')!

async function token(form: Record<string, string>) {
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: signing.client.id,
    client_secret: signing.client.secret,
    redirect_uri: signingReturn.href,
    code_verifier: verifier,
    ...form,
  })
  const answer = await fetch(`${signing.url}/oauth2/token`, { method: 'POST', body })
  return { status: answer.status, body: (await answer.json()) as Record<string, string> }
}
/** Calls a method with a token, and returns the status. */
async function call(method: string, bearer: string, body: object) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${bearer}` }
  const answer = await fetch(`${signing.url}/${method}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return answer.status
}
const order = {
  credentialID: 'key-page',
  hashes: [documentHash.toString('base64')],
  signAlgo: '1.2.840.113549.1.1.11',
}
const signHash = (bearer = '', over: object = {}) => call('signatures/signHash', bearer, { ...order, ...over })

test('SGN-5 the page names what is signed in the requested language, and its form contains nothing else', async () => {
  const { html, answer } = await visit()
  expect(html).toContain('<html lang="en">')
  expect(html).toContain('Confirm your signature')
  expect(html).toContain('W/2026/1 &lt;b&gt;U-1&lt;/b&gt;')
  expect((await visit({ lang: 'pl' })).html).toContain('Potwierdź podpis')
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'content-security-policy': expect.stringMatching(
      /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; form-action 'self' https:\/\/portal\.example; base-uri 'none'; frame-ancestors 'none'$/,
    ),
    'set-cookie': expect.stringMatching(/^csc-authorization=[\w-]{43}; Path=\/csc\/v2; HttpOnly; SameSite=Strict$/),
  })
})

test('SGN-5 a wrong code is reported next to its field and can be corrected; a wrong name gets the same answers and no code', async () => {
  const opened = await visit()
  await opened.send({ action: 'login', login: 'ANNA ' })
  const right = signing.otps.at(-1)!
  const refused = await opened.send({ action: 'confirm', code: right === '000000' ? '000001' : '000000' })
  const sentence = expect.stringContaining('This code is wrong or has expired')
  expect([refused.status, await refused.text()]).toEqual([400, sentence])
  const done = await opened.send({ action: 'confirm', code: right })
  expect([done.status, new URL(done.headers.get('location')!).searchParams.get('state')]).toEqual([303, standard.state])

  const sent = signing.otps.length
  const stranger = await visit()
  const asked = await stranger.send({ action: 'login', login: 'nobody' })
  expect([asked.status, await asked.text()]).toEqual([200, expect.stringContaining('If the username is right')])
  expect((await stranger.send({ action: 'confirm', code: '000000' })).status).toBe(400)
  expect(signing.otps).toHaveLength(sent)
})

test('R21 SGN-5 five wrong codes lock the key, also at the page', async () => {
  const opened = await visit()
  await opened.send({ action: 'login', login: 'anna' })
  const right = signing.otps.at(-1)!
  const wrong = right === '000000' ? '000001' : '000000'
  for (let i = 0; i < 5; i++) await opened.send({ action: 'confirm', code: wrong })
  expect(await (await opened.send({ action: 'confirm', code: right })).text()).toContain('locked for 15 minutes')
})

test.each([
  ['another client', { client_id: 'stranger' }],
  ['no return address', { redirect_uri: undefined }],
  ['another return address', { redirect_uri: 'https://evil.example/signed' }],
  ['a return address below the registered one', { redirect_uri: `${signingReturn.href}/more` }],
  ['a return address with a query', { redirect_uri: `${signingReturn.href}?a=1` }],
])('R131 a request with %s leads nowhere', async (_, changes) => {
  const { answer, html } = await visit(changes)
  expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
  expect(html).not.toContain('<form')
})

test.each([
  ['no challenge', { code_challenge: undefined }, 'code_challenge'],
  ['a plain challenge', { code_challenge_method: 'plain' }, 'code_challenge_method'],
  ['no method of the challenge', { code_challenge_method: undefined }, 'code_challenge_method'],
  ['a token as the answer', { response_type: 'token' }, 'response_type'],
  ['the scope of the service', { scope: 'service' }, 'scope'],
  ['a credential that does not exist', { credentialID: 'key-9' }, 'credentialID'],
  ['a credential that signs by codes', { credentialID: 'key-codes' }, 'credentialID'],
  ['no hash', { hashes: undefined }, 'hashes'],
  ['more signatures than hashes', { numSignatures: '2' }, 'hashes'],
  ['too many signatures', { numSignatures: '21' }, 'numSignatures'],
  ['a weak digest', { hashAlgorithmOID: '1.3.14.3.2.26' }, 'hashAlgorithmOID'],
])('R131 a request with %s goes back with an error, and asks the customer nothing', async (_, changes, name) => {
  const { answer } = await visit(changes)
  const back = new URL(answer.headers.get('location')!)
  expect([answer.status, back.origin + back.pathname]).toEqual([303, signingReturn.href])
  expect(Object.fromEntries(back.searchParams)).toEqual({
    error: 'invalid_request',
    error_description: `Invalid parameter ${name}`,
    state: standard.state,
  })
})

test('R134 the page belongs to the browser that opened it: another one, or a form from elsewhere, does nothing', async () => {
  const opened = await visit()
  const sent = signing.otps.length
  const foreign = await visit()
  for (const headers of [{}, { cookie: foreign.cookie }, { cookie: opened.cookie, 'sec-fetch-site': 'cross-site' }]) {
    const answer = await opened.send({ action: 'login', login: 'anna' }, headers)
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
  }
  expect(signing.otps).toHaveLength(sent)
  const guessed = await opened.send({ page: randomBytes(32).toString('base64url'), action: 'login', login: 'anna' })
  expect(guessed.status).toBe(400)
  expect(await codeOf(opened)).toMatch(/^[\w-]{43}$/)
  // The page is used up.
  expect((await opened.send({ action: 'confirm', code: signing.otps.at(-1)! })).status).toBe(400)
})

test('R133 a code is for one redemption within a minute; a second one also revokes the token of the first', async () => {
  const code = await codeOf(await visit())
  const first = await token({ code })
  expect(first).toMatchObject({ status: 200, body: { token_type: 'Bearer', credentialID: 'key-page' } })
  expect(await token({ code })).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  expect(await signHash(first.body['access_token'])).toBe(401)

  signing.advance(31_000)
  const late = await codeOf(await visit())
  signing.advance(60_000)
  expect(await token({ code: late })).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
})

test.each([
  ['another verifier', { code_verifier: 'v'.repeat(43) }],
  ['the challenge as the verifier', { code_verifier: standard.code_challenge }],
  ['no verifier', { code_verifier: '' }],
  ['another return address', { redirect_uri: 'https://portal.example/elsewhere' }],
])('R131 a code with %s is refused and used up', async (_, form) => {
  const code = await codeOf(await visit())
  expect(await token({ code, ...form })).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  expect(await token({ code })).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
})

test('R132 R133 the token signs the hash of the page with the key of the page, once, and opens nothing else', async () => {
  const granted = async () => {
    signing.advance(31_000)
    return (await token({ code: await codeOf(await visit()) })).body['access_token'] ?? ''
  }
  const right = await granted()
  expect([await signHash(right), await signHash(right)]).toEqual([200, 401])
  const other = hash('sha256', 'else', 'base64')
  expect(await signHash(await granted(), { hashes: [other] })).toBe(400)
  expect(await signHash(await granted(), { hashes: [documentHash.toString('base64'), other] })).toBe(400)
  expect(await signHash(await granted(), { credentialID: 'key-codes' })).toBe(400)
  expect(await call('credentials/list', await granted(), { userID: 'anna' })).toBe(401)
})
