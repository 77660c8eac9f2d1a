import { expect, onTestFinished, test } from 'vitest'
import { requestPasswordReset } from '../../contract/passwords.ts'
import { limits } from '../../contract/limits.ts'
import { checkPasswordLink, sendLinkAgain, setPassword } from '../../contract/password-link.ts'
import { putCustomer, type ProviderCustomer } from '../../contract/provider/provider-api.ts'
import { findLink, passwordPurposes } from '../platform/authentication/links.ts'
import { openPortalWithProvider } from '../testing/open-provider.ts'
import { now, sampleIdentification, samplePerson } from '../testing/portal-nodes.ts'
import { goodPassword, linkToken, makeCustomer, openBrowser, type Person } from '../testing/browser.ts'

const { portal, provider } = await openPortalWithProvider({ nodes: 2 })

let addresses = 0
const fresh = (node = 0) => openBrowser(portal, { address: `192.0.2.${++addresses % 250}`, node })
const put = (customer: string, body: ProviderCustomer) => fresh().call(putCustomer, { params: { customer }, body })

/** A customer whom the provider has just invited, and the token of their mail. */
async function invite(over: Partial<ProviderCustomer> = {}) {
  const person = { ...samplePerson(over), id: `c-${crypto.randomUUID()}` }
  const { id, ...particulars } = person
  expect((await put(id, particulars)).status).toBe(200)
  await portal.deliver()
  return { person, token: linkToken(portal, person.email) }
}
const check = (token: string) => fresh().call(checkPasswordLink, { body: { token } })
const again = (token: string, browser = fresh()) => browser.call(sendLinkAgain, { body: { token } })
const use = (token: string, password = goodPassword) =>
  fresh().call(setPassword, { body: { token, password: { newPassword: password, repeatPassword: password } } })
const linkMails = (email: string) =>
  portal.mails.filter(({ to, text }) => to === email && text.includes('/setup-password/'))
async function mailsAfter(email: string, action: () => Promise<unknown>) {
  const before = linkMails(email).length
  await action()
  await portal.deliver()
  return linkMails(email).length - before
}
async function resetLink({ email }: Pick<Person, 'email'>) {
  await fresh().call(requestPasswordReset, { body: { email, locale: 'pl', botProof: crypto.randomUUID() } })
  await portal.deliver()
  return linkToken(portal, email)
}

test('PWD-2 a set-up link shows own data, the signatures that wait and the identification data, and then takes the password', async () => {
  const { person, token } = await invite({ secondName: 'Anna', identification: sampleIdentification })
  const at = (await now(portal.db)).getTime()
  const day = 86_400_000
  await provider.give(person, { product: 'card', from: new Date(at + 3 * day), to: new Date(at + 500 * day) })
  await provider.give(person, { product: 'app', to: new Date(at + 100 * day) })
  const { status, body } = await check(token)
  expect(status).toBe(200)
  expect(body).toMatchObject({ purpose: 'set-up', login: person.login })
  expect(body.invited).toMatchObject({
    firstName: 'Małgorzata',
    secondName: 'Anna',
    surname: 'Wiśniewska',
    email: person.email,
    phone: `+48 ••• ••• ${person.phone.slice(-3)}`,
    signatures: {
      total: 2,
      first: [
        { product: 'app', identifier: { type: 'PNO', country: 'PL', value: '••••••••458' } },
        { product: 'card', identifier: { type: 'PNO', country: 'PL', value: '••••••••458' } },
      ],
    },
    identification: {
      nationality: 'PL',
      identifierType: 'PNO',
      issuingCountry: 'PL',
      identificationNumber: '••••••••458',
      birthYear: 1944,
      documentType: 'DO',
      documentNumber: '••••••000',
      documentValidTo: '2034-05-02',
    },
  })
  expect((await use(token)).status).toBe(204)
})

test('PWD-2 R86 R3 of phone, identifiers, documents, birth and login nothing more leaves than what is meant to be seen', async () => {
  // Without digits that could be found where a number is searched for.
  const known = { login: 'helena.kanarek', email: 'helena.kanarek@mail.example', phone: '+48512345678' }
  const { person, token } = await invite({ ...known, identification: sampleIdentification })
  await provider.give(person)
  const answer = await fresh().raw('POST', checkPasswordLink.path, { token })
  const text = await answer.text()
  expect(answer.headers.get('cache-control')).toContain('no-store')
  const { identificationNumber, birthDate, birthPlace, document } = sampleIdentification
  // A PESEL but for one digit is a PESEL: neither it nor the whole date may be there, nor more than the last three of anything.
  const tails = [identificationNumber, document.number, person.phone].map((number) => number.slice(-4))
  const hidden = [
    identificationNumber,
    birthDate,
    '440514',
    birthPlace,
    document.number,
    document.issuedBy,
    person.phone,
  ]
  for (const secret of [...hidden, ...tails, token]) expect([secret, text.includes(secret)]).toEqual([secret, false])
  expect(text).toContain('1944')
})

test('PWD-2 signatures that are over, suspended or revoked do not wait for anybody, and of many the first are shown and all counted', async () => {
  const { person, token } = await invite()
  const at = Date.now()
  const day = 86_400_000
  await provider.give(person, { from: new Date(at - 400 * day), to: new Date(at - day) })
  await provider.give(person, { status: 'revoked' })
  await provider.give(person, { status: 'suspended' })
  expect((await check(token)).body.invited?.signatures).toEqual({ total: 0, first: [] })
  for (const ends of [400, 100, 300, 200, 500]) await provider.give(person, { to: new Date(at + ends * day) })
  const { total, first } = (await check(token)).body.invited!.signatures
  expect(total).toBe(5)
  const days = first.map(({ validTo }) => Math.round((Date.parse(validTo) - at) / day))
  expect(days).toEqual([100, 200, 300])
})

test('PWD-2 a customer without data from the provider finds their own data only', async () => {
  const { token } = await invite()
  expect((await check(token)).body.invited).toMatchObject({
    firstName: 'Małgorzata',
    signatures: { total: 0, first: [] },
    identification: null,
  })
})

test('PWD-1 PWD-2 R86 a reset link, and a link that is used, replaced or expired, shows nothing of its customer', async () => {
  const { person, token } = await invite({ identification: sampleIdentification })
  const newer = await resetLink(person)
  // No password was set yet, so the newer one is an invitation too.
  expect((await check(newer)).body).toMatchObject({ purpose: 'set-up', invited: { email: person.email } })
  await use(newer)
  const reset = await resetLink(person)
  expect((await check(reset)).body).toMatchObject({ purpose: 'reset', login: person.login, invited: null })
  const expiring = await invite({ identification: sampleIdentification })
  onTestFinished(() => portal.clock.advance(-limits.link.invitation))
  await portal.clock.advance(limits.link.invitation)
  const dead = await Promise.all([token, newer, reset, expiring.token].map(check))
  expect(dead.map(({ problem }) => problem.code)).toEqual(['link-expired', 'link-used', 'link-expired', 'link-expired'])
  for (const { problem } of dead) expect(JSON.stringify(problem)).not.toMatch(/Wiśniewska|mail\.example|•/)
})

test('PWD-2 R10 R11 an expired, replaced or used link requests a new one, and the one that is used ends the others', async () => {
  const { person, token } = await invite()
  onTestFinished(() => portal.clock.advance(-limits.link.invitation))
  await portal.clock.advance(limits.link.invitation)
  expect(await again(token)).toMatchObject({ status: 200, body: { to: expect.stringMatching(/^p•••@m•••\.example$/) } })
  await portal.deliver()
  const second = linkToken(portal, person.email)
  expect((await check(second)).body).toMatchObject({ purpose: 'set-up' })
  // Another request with the dead link does not end the second one: anyone could send it (R119). The link that is used ends it.
  await again(token)
  await portal.deliver()
  const third = linkToken(portal, person.email)
  expect((await check(second)).status).toBe(200)
  expect((await use(third)).status).toBe(204)
  expect((await check(second)).problem.code).toBe('link-expired')
  // A used one sends a reset link, because the account has a password now.
  expect((await again(third)).status).toBe(200)
  await portal.deliver()
  const fourth = linkToken(portal, person.email)
  expect((await check(fourth)).body).toMatchObject({ purpose: 'reset', invited: null })
  // No dead link has set anything.
  for (const dead of [token, second, third])
    expect((await use(dead, 'Inne-Haslo-2026!')).problem.code).toMatch(/^link-/)
  expect((await use(fourth, 'Inne-Haslo-2026!')).status).toBe(204)
})

test('R11 R3 a link from a former mailbox sends the new one to the new address, shows it masked, and holds no token', async () => {
  const { person, token } = await invite()
  const { id, ...particulars } = person
  const email = `zaba-${crypto.randomUUID().slice(0, 8)}@nowa-poczta.example`
  await put(id, { ...particulars, email })
  const answer = await fresh().raw('POST', sendLinkAgain.path, { token })
  const text = await answer.text()
  expect(JSON.parse(text)).toEqual({ to: 'z•••@n•••.example' })
  const before = linkMails(person.email).length
  await portal.deliver()
  expect(linkMails(person.email)).toHaveLength(before)
  const sent = linkMails(email)
  expect(sent).toHaveLength(1)
  expect(text).not.toContain(linkToken(portal, email))
  expect(await findLink(portal.db, linkToken(portal, email), passwordPurposes)).toMatchObject({ state: 'good' })
})

test('PWD-2 R14 R29 three new links an hour leave for one account and network, and one in twenty minutes beyond, by either form, and no answer reveals it', async () => {
  const { person, token } = await invite()
  onTestFinished(() => portal.clock.advance(-limits.link.invitation))
  await portal.clock.advance(limits.link.invitation)
  const answers: string[] = []
  const sent = await mailsAfter(person.email, async () => {
    const here = (node = 0) => openBrowser(portal, { address: '203.0.113.77', node })
    await here().call(requestPasswordReset, {
      body: { email: person.email, locale: 'pl', botProof: crypto.randomUUID() },
    })
    for (let i = 0; i < 5; i++) {
      const answer = await here(i % 2).raw('POST', sendLinkAgain.path, { token })
      const headers = [...answer.headers].filter(([name]) => name !== 'date' && name !== 'x-request-id')
      answers.push(`${answer.status} ${JSON.stringify(headers)} ${await answer.text()}`)
    }
  })
  expect(sent).toBe(limits.reset.perAccount.limit + limits.reset.spaced.limit)
  expect(new Set(answers).size).toBe(1)
  expect(answers[0]).toMatch(/^200 .*p•••@m•••\.example/)
})

test('PWD-2 R14 R78 one network asks ten times an hour, made-up tokens count too and are refused as unknown', async () => {
  const { token } = await invite()
  // The addresses of a /64 are one subscriber's, and requests for a reset count with them.
  let host = 0
  const neighbour = () => openBrowser(portal, { address: `2001:db8:0:7::${(++host).toString(16)}` })
  for (let i = 0; i < limits.reset.perAddress.limit - 1; i++)
    await neighbour().call(requestPasswordReset, {
      body: { email: 'nobody@mail.example', locale: 'pl', botProof: crypto.randomUUID() },
    })
  expect([(await again(token, neighbour())).status, (await again(token, neighbour())).status]).toEqual([200, 429])
  const browser = openBrowser(portal, { address: '203.0.113.9' })
  for (let i = 0; i < 9; i++)
    expect((await again('y'.repeat(42) + 'aeimquy04'[i]!, browser)).problem.code).toBe('link-unknown')
  expect((await again(token, browser)).status).toBe(200)
  const refused = await again(token, browser)
  expect(refused).toMatchObject({ status: 429, problem: { code: 'too-many-attempts' } })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000)
  expect((await browser.call(sendLinkAgain, { body: { token } }, 1)).status).toBe(429)
  expect((await again(token)).status).toBe(200)
})

test('R10 R14 asking for a new link does the same work for an account of any state, and mails only afterwards', async () => {
  const { token } = await invite()
  const customer = await makeCustomer(portal)
  const used = await resetLink(customer)
  await use(used, 'Inne-Haslo-2026!')
  const before = portal.mails.length
  const seen = []
  for (const dead of [token, used]) seen.push((await again(dead)).status)
  expect(seen).toEqual([200, 200])
  expect(portal.mails).toHaveLength(before)
  const { rows } = await portal.owner.query(
    `select channel, count(*)::int as n from outbox where outcome is null group by channel`,
  )
  expect(rows).toContainEqual({ channel: 'password-link', n: 2 })
  await portal.deliver()
})
