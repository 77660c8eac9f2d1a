import examples from 'libphonenumber-js/mobile/examples'
import { expect, onTestFinished, test } from 'vitest'
import { readSession, signIn } from '../../../contract/account.ts'
import { findCountry } from '../../../contract/country.ts'
import { limits } from '../../../contract/limits.ts'
import { requestPasswordReset } from '../../../contract/passwords.ts'
import { putCustomer } from '../../../contract/provider/provider-customers.ts'
import { callingCode, phoneCountries } from '../../../contract/rules/phone.ts'
import { openBrowser } from '../../testing/browser.ts'
import { sendTogether, preparedCall } from '../../testing/burst.ts'
import { countRows } from '../../testing/database-state.ts'
import { openPortal } from '../../testing/open-portal.ts'
import { samplePerson } from '../../testing/portal-nodes.ts'
import { makeCustomer, signInAs } from '../../testing/test-customers.ts'
import type { BotVerdict } from '../ports.ts'

let verdict: BotVerdict = 'human'
let asked: { action: string; address: string }[] = []
let lookedUp: string[] = []
let found: string | undefined
const lookUp = async (address: string) => {
  lookedUp.push(address)
  return found
}
const portal = await openPortal({
  nodes: 2,
  ports: { country: { lookUp } },
  botCheck: {
    kind: 'turnstile',
    siteKey: '',
    origin: undefined,
    verify: async (nonce, context) => {
      asked.push(context)
      return { verdict, nonce, expiresInSeconds: 300 }
    },
  },
})

const reset = (email: string, botProof: string) => ({ body: { email, locale: 'pl' as const, botProof } })
const queued = () => countRows(portal, `outbox where channel = 'password-link'`)

test('R77 one proof sent a hundred times at once through both nodes passes once, for any action', async () => {
  const proof = crypto.randomUUID()
  const before = await queued()
  const shots = Array.from({ length: 100 }, (_, i) =>
    preparedCall(requestPasswordReset, reset(samplePerson().email, proof), { address: `10.1.${i}.1` }),
  )
  const hits = await sendTogether(portal, shots)
  expect(hits.filter(({ status }) => status === 204)).toHaveLength(1)
  expect(hits.filter(({ problem }) => problem?.code === 'bot-check-refused')).toHaveLength(99)
  expect((await queued()) - before).toBe(1)
  // While it is valid, and for another action too.
  await portal.clock.advance(200)
  const body = { login: samplePerson().login, password: 'x' }
  const browser = openBrowser(portal, { address: '10.2.0.1' })
  for (let i = 0; i < 2; i++) await browser.call(signIn, { body })
  const { problem } = await browser.call(signIn, { body: { ...body, botProof: proof } })
  expect(problem.code).toBe('bot-check-refused')
})

test('R77 the checker gets the action and the caller’s address', async () => {
  asked = []
  const request = reset(samplePerson().email, crypto.randomUUID())
  await openBrowser(portal, { address: '10.3.0.1' }).call(requestPasswordReset, request)
  expect(asked).toEqual([{ action: 'password-reset', address: '10.3.0.1' }])
})

test('R77 R16 while the checker is unreachable, calls that need it are refused with a time to retry; sessions and first tries continue, and all limits hold', async () => {
  const person = await makeCustomer(portal)
  const browser = await signInAs(portal, person)
  const address = '10.4.0.1'
  const guess = (password: string, botProof?: string) =>
    openBrowser(portal, { address }).call(signIn, {
      body: { login: person.login, password, ...(botProof && { botProof }) },
    })
  for (let i = 0; i < 2; i++) await guess('Wrong-Password-1!')
  verdict = 'unreachable'
  onTestFinished(() => void (verdict = 'human'))
  const before = await queued()
  const answers = [
    await openBrowser(portal, { address }).call(requestPasswordReset, reset(person.email, crypto.randomUUID())),
    await guess(person.password, crypto.randomUUID()),
  ]
  for (const { status, problem, headers } of answers) {
    expect([status, problem.code]).toEqual([503, 'bot-check-unavailable'])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  }
  expect(await queued()).toBe(before)
  expect((await browser.call(readSession)).status).toBe(200)
  await signInAs(portal, person, openBrowser(portal, { address: '10.5.0.1' }))
  verdict = 'human'
  // A passed check does not extend the five tries.
  for (let i = 0; i < 3; i++) expect((await guess('Wrong-Password-1!', crypto.randomUUID())).status).toBe(422)
  expect((await guess(person.password, crypto.randomUUID())).status).toBe(429)
})

const visitor = (address: string) => openBrowser(portal, { address })

test('PHO-2 anyone gets the country of their own address from the port', async () => {
  found = '1;DE'
  lookedUp = []
  const { status, body } = await visitor('198.51.100.20').call(findCountry)
  expect([status, body, lookedUp]).toEqual([200, { result: '1;DE' }, ['198.51.100.20']])
})

test('PHO-2 a lookup that fails is an answer, not a failure of the call', async () => {
  found = undefined
  const { status, body } = await visitor('198.51.100.21').call(findCountry)
  expect([status, body]).toEqual([200, { result: '0' }])
})

test('PHO-2 R78 the lookups of one address are limited, and the form continues without them', async () => {
  found = '1;PL'
  lookedUp = []
  const { limit } = limits.phone.lookups
  const answers = await Promise.all(Array.from({ length: limit + 5 }, () => visitor('198.51.100.22').call(findCountry)))
  expect(lookedUp).toHaveLength(limit)
  expect(answers.map(({ status, body }) => `${status} ${body.result}`).toSorted()).toEqual([
    ...Array.from({ length: 5 }, () => '200 0'),
    ...Array.from({ length: limit }, () => '200 1;PL'),
  ])
  expect((await visitor('198.51.100.23').call(findCountry)).body.result).toBe('1;PL')
})

test('PHO-1 a provider may register the mobile number of any country', async () => {
  const browser = openBrowser(portal)
  // contract/rules/phone.test.ts reads a number of each country.
  const some = phoneCountries().filter((_, i) => i % 8 === 0)
  for (const country of some) {
    const body = samplePerson({ phone: `+${callingCode(country)}${examples[country]}` })
    const { status } = await browser.call(putCustomer, { params: { customer: `phone-${country}` }, body })
    expect([country, status]).toEqual([country, 200])
  }
})
