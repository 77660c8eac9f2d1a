import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { resendStepUpCode, startStepUp } from '../../contract/account.ts'
import { checkPasswordLink, setPassword } from '../../contract/password-link.ts'
import {
  finishSealActivation,
  removeSealUser,
  resendSealActivation,
  startSealActivation,
} from '../../contract/seal-users.ts'
import { putCustomer } from '../../contract/provider-api.ts'
import { putSealUser } from '../../contract/provider-seals.ts'
import { listSeals } from '../../contract/seals.ts'
import { openPortal } from '../testing/open-portal.ts'
import { somebody } from '../testing/portal-nodes.ts'
import {
  goodPassword,
  linkToken,
  makeCustomer,
  openBrowser,
  signInAs,
  smsCode,
  type Person,
} from '../testing/browser.ts'
import { openTestProvider, type TestProvider } from '../testing/provider.ts'
import { invite, inviteTo, makeSeal, mobile, sealUserForm, signInToManage } from '../testing/sample-seals.ts'

let provider: TestProvider
let admin: Person
let seal: Awaited<ReturnType<typeof makeSeal>>
const portal = await openPortal({ settings: { sends: { perNumber: 1000, perAddress: 1000 } } })
beforeAll(async () => {
  provider = await openTestProvider(portal)
  admin = await makeCustomer(portal, { phone: mobile() })
})
beforeEach(async () => {
  seal = await makeSeal(portal, provider, [{ person: admin, role: 'administrator', status: 'active' }])
})
afterAll(async () => {
  provider.close()
})

const statusOf = (id: string) =>
  portal.db
    .selectFrom('seal_users')
    .select(['status', 'account_id', 'acquired_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

/** An Administrator of the seal, ready to change its users. */
const manage = () => signInToManage(portal, admin, seal.id)

test('SEA-3 SEA-4 R41 a customer is invited by e-mail, presses activate, and the code that went to the invited number makes the access active', async () => {
  const person = await makeCustomer(portal, { phone: mobile() })
  const invitedPhone = mobile()
  const added = await invite(
    portal,
    await manage(),
    seal.id,
    sealUserForm({ email: person.email, phone: invitedPhone }),
  )
  expect([added.status, added.body.status, added.body.acquiredAt]).toEqual([200, 'pending', null])
  const mail = portal.mails.find(({ to }) => to === person.email)!
  expect(mail.text).toContain('https://portal.example/certificates/seals')
  expect(mail.text).toContain('Stowarzyszenie Łączność')
  // Neither the number nor a name that somebody typed goes into the mail (R74).
  for (const typed of [invitedPhone, 'Dąbrowski', 'Łukasz']) expect(mail.text).not.toContain(typed)

  const browser = await signInAs(portal, person)
  const { body: before } = await browser.call(listSeals)
  expect(before.items).toEqual([])
  const [waiting] = before.invitations
  expect(waiting).toMatchObject({ id: added.body.id, organisation: 'Stowarzyszenie Łączność', role: 'user' })
  expect(JSON.stringify(before)).not.toContain(invitedPhone.slice(3))

  // Nothing is sent before it is asked for.
  expect(portal.texts.filter(({ to }) => to === invitedPhone)).toEqual([])
  const sent = await browser.call(startSealActivation, { params: { id: waiting!.id } })
  await portal.deliver()
  expect([sent.status, sent.body.to]).toEqual([200, waiting!.phone])
  const [text] = portal.texts
  expect([text!.to, text!.text.includes('do aktywacji dostepu do pieczeci'), text!.text.length <= 160]).toEqual([
    invitedPhone,
    true,
    true,
  ])
  const right = smsCode(portal, invitedPhone)
  const wrong = await browser.call(finishSealActivation, {
    params: { id: waiting!.id },
    body: { code: right === '123456' ? '654321' : '123456' },
  })
  expect(wrong.problem.code).toBe('code-wrong')
  const done = await browser.call(finishSealActivation, { params: { id: waiting!.id }, body: { code: right } })
  expect([done.status, done.body]).toEqual([200, { seal: seal.id }])
  const { body: after } = await browser.call(listSeals)
  expect([after.items.map(({ id, role }) => [id, role]), after.invitations]).toEqual([[[seal.id, 'user']], []])
  expect((await statusOf(added.body.id)).acquired_at).not.toBeNull()
  // Only the very same request gets the first one's answer (R112).
  const again = await browser.call(finishSealActivation, { params: { id: waiting!.id }, body: { code: '000000' } })
  expect(again.problem.code).toBe('not-found')
})

test('SEA-3 SEA-4 SEA-6 an invited person without an account sets a password of their own through the mail, and finds the access waiting', async () => {
  const added = await invite(portal, await manage(), seal.id)
  const { form } = added
  const token = linkToken(portal, form.email)
  const stranger = openBrowser(portal)
  const link = await stranger.call(checkPasswordLink, { body: { token } })
  expect(link.body).toMatchObject({
    purpose: 'set-up',
    login: form.email,
    invited: { firstName: 'Łukasz', surname: 'Dąbrowski', seals: ['Stowarzyszenie Łączność'] },
  })
  await stranger.call(setPassword, {
    body: { token, password: { newPassword: goodPassword, repeatPassword: goodPassword } },
  })
  const person: Person = { ...somebody(form), login: form.email, id: '', password: goodPassword }
  const browser = await signInAs(portal, person)
  const [waiting] = (await browser.call(listSeals)).body.invitations
  expect(waiting!.id).toBe(added.body.id)
  await browser.call(startSealActivation, { params: { id: waiting!.id } })
  await portal.deliver()
  const done = await browser.call(finishSealActivation, {
    params: { id: waiting!.id },
    body: { code: smsCode(portal, form.phone) },
  })
  expect(done.status).toBe(200)
  expect((await statusOf(added.body.id)).status).toBe('active')
})

test('R41 R34 another signed-in customer finds no invitation of somebody else’s, whatever they press', async () => {
  const invited = await makeCustomer(portal, { phone: mobile() })
  const added = await invite(
    portal,
    await manage(),
    seal.id,
    sealUserForm({ email: invited.email, phone: invited.phone }),
  )
  const owner = await signInAs(portal, invited)
  await owner.call(startSealActivation, { params: { id: added.body.id } })
  await portal.deliver()
  const code = smsCode(portal, invited.phone)
  const other = await signInAs(portal, await makeCustomer(portal, { phone: mobile() }))
  const params = { id: added.body.id }
  expect((await other.call(listSeals)).body.invitations).toEqual([])
  for (const answer of [
    await other.call(startSealActivation, { params }),
    await other.call(resendSealActivation, { params }),
    await other.call(finishSealActivation, { params, body: { code } }),
  ])
    expect([answer.status, answer.problem.code]).toEqual([404, 'not-found'])
  expect((await statusOf(added.body.id)).status).toBe('pending')
})

test('R41 R2 a code of an activation goes to the invited number alone, also when it is asked for by the way of other codes', async () => {
  const person = await makeCustomer(portal, { phone: mobile() })
  const invitedPhone = mobile()
  const added = await invite(
    portal,
    await manage(),
    seal.id,
    sealUserForm({ email: person.email, phone: invitedPhone }),
  )
  const browser = await signInAs(portal, person)
  const { body: sent } = await browser.call(startSealActivation, { params: { id: added.body.id } })
  await portal.deliver()
  await portal.clock.advance(61)
  const texts = portal.texts.length
  const bent = await browser.call(resendStepUpCode, { params: { id: sent.id } })
  await portal.deliver()
  expect([bent.status, portal.texts.length]).toEqual([404, texts])
  // A code for another act does not activate anything.
  const { id: object } = await provider.give(person)
  await browser.call(startStepUp, { body: { purpose: 'pair-app', object } })
  await portal.deliver()
  const borrowed = await browser.call(finishSealActivation, {
    params: { id: added.body.id },
    body: { code: smsCode(portal, person.phone) },
  })
  expect(borrowed.problem.code).toBe('code-wrong')
  expect((await statusOf(added.body.id)).status).toBe('pending')
})

test('R115 SEA-4 a number that an Administrator typed gets two codes in all until somebody enters one', async () => {
  const person = await makeCustomer(portal, { phone: mobile() })
  const invitedPhone = mobile()
  const form = sealUserForm({ email: person.email, phone: invitedPhone })
  const params = { id: (await invite(portal, await manage(), seal.id, form)).body.id }
  const browser = await signInAs(portal, person)
  expect((await browser.call(startSealActivation, { params })).status).toBe(200)
  await portal.deliver()
  await portal.clock.advance(61)
  expect((await browser.call(resendSealActivation, { params })).status).toBe(200)
  await portal.clock.advance(61)
  expect((await browser.call(resendSealActivation, { params })).problem.code).toBe('phone-sends-spent')
  await portal.deliver()
  expect(portal.texts.filter(({ to }) => to === invitedPhone)).toHaveLength(2)
  const code = smsCode(portal, invitedPhone)
  expect((await browser.call(finishSealActivation, { params, body: { code } })).status).toBe(200)
})

test('SEA-4 an invitation lives seven days, and its codes are sent three times a day', async () => {
  const person = await makeCustomer(portal, { phone: mobile() })
  const form = sealUserForm({ email: person.email, phone: person.phone })
  const added = await invite(portal, await manage(), seal.id, form)
  const params = { id: added.body.id }
  let browser = await signInAs(portal, person)
  expect((await browser.call(startSealActivation, { params })).status).toBe(200)
  expect((await browser.call(resendSealActivation, { params })).problem.code).toBe('resend-too-early')
  for (let i = 0; i < 2; i++) {
    await portal.clock.advance(61)
    expect((await browser.call(resendSealActivation, { params })).status).toBe(200)
  }
  // Neither another session nor the end of the pause gives more.
  await portal.clock.advance(16 * 60)
  browser = await signInAs(portal, person)
  expect((await browser.call(startSealActivation, { params })).problem.code).toBe('sends-spent')
  await portal.clock.advance(24 * 3600)
  browser = await signInAs(portal, person)
  expect((await browser.call(startSealActivation, { params })).status).toBe(200)
  await portal.clock.advance(6 * 24 * 3600)
  browser = await signInAs(portal, person)
  expect((await browser.call(listSeals)).body.invitations).toEqual([])
  expect((await browser.call(startSealActivation, { params })).problem.code).toBe('invitation-expired')
})

test('R40 R41 with the removal the open code and the link of the invitation die', async () => {
  const known = await makeCustomer(portal, { phone: mobile() })
  const manager = await manage()
  const one = await invite(portal, manager, seal.id, sealUserForm({ email: known.email, phone: known.phone }))
  const two = await invite(portal, manager, seal.id)
  const browser = await signInAs(portal, known)
  await browser.call(startSealActivation, { params: { id: one.body.id } })
  await portal.deliver()
  const code = smsCode(portal, known.phone)
  const token = linkToken(portal, two.form.email)
  for (const { body } of [one, two])
    expect((await manager.call(removeSealUser, { params: { id: seal.id, user: body.id } })).status).toBe(200)
  const entered = await browser.call(finishSealActivation, { params: { id: one.body.id }, body: { code } })
  expect(entered.problem.code).toBe('not-found')
  const { rows } = await portal.owner.query(`select from codes where object = $1 and used_at is null`, [one.body.id])
  expect(rows).toEqual([])
  const opened = await openBrowser(portal).call(checkPasswordLink, { body: { token } })
  expect(opened.problem.code).toBe('link-unknown')
})

test('SEA-4 R40 whoever changes their e-mail gets no second place in a seal, so that one removal ends the access', async () => {
  const person = await makeCustomer(portal, { phone: mobile() })
  const { email: before, phone, firstName, surname, locale } = person
  const stated = { phone, firstName, surname, locale, role: 'user' as const, status: 'active' as const }
  const held = await inviteTo(portal, seal.providerId, { ...stated, email: before })
  const { id: customer, password: _, ...known } = person
  const { email } = somebody()
  const { call } = openBrowser(portal)
  await call(putCustomer, { params: { customer }, body: { ...known, email } })
  const another = await call(putSealUser, {
    params: { seal: seal.providerId, user: 'another' },
    body: { ...stated, email },
  })
  expect([another.status, another.problem.code]).toEqual([422, 'seal-user-exists'])
  const manager = await manage()
  const { body: again } = await invite(portal, manager, seal.id, sealUserForm({ email, phone }))

  const browser = await signInAs(portal, person)
  const { body: list } = await browser.call(listSeals)
  expect([list.items.map(({ id }) => id), list.invitations]).toEqual([[seal.id], []])
  expect((await browser.call(startSealActivation, { params: { id: again.id } })).status).toBe(404)
  await manager.call(removeSealUser, { params: { id: seal.id, user: held.id } })
  expect((await browser.call(listSeals)).body.items).toEqual([])
})
