import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { readSession } from '../../contract/account.ts'
import { resendStepUpCode, startStepUp } from '../../contract/step-up.ts'
import { checkPasswordLink, setPassword } from '../../contract/password-link.ts'
import {
  finishSealActivation,
  removeSealUser,
  resendSealActivation,
  startSealActivation,
} from '../../contract/seal-users.ts'
import { putCustomer } from '../../contract/provider/provider-api.ts'
import { putSealUser } from '../../contract/provider/provider-seals.ts'
import { listSeals } from '../../contract/seals.ts'
import { manySends } from '../testing/open-portal.ts'
import { openPortalWithProvider } from '../testing/open-provider.ts'
import { samplePerson } from '../testing/portal-nodes.ts'
import {
  goodPassword,
  linkToken,
  makeCustomer,
  openBrowser,
  signInAs,
  smsCode,
  type Person,
} from '../testing/browser.ts'
import { shown } from '../testing/samples/registration-forms.ts'
import { invite, inviteTo, makeSeal, mobile, sealUserForm, signInToManage } from '../testing/samples/sample-seals.ts'

let admin: Person
let seal: Awaited<ReturnType<typeof makeSeal>>
const { portal, provider } = await openPortalWithProvider({
  settings: manySends,
})
beforeAll(async () => {
  admin = await makeCustomer(portal, { phone: mobile() })
})
beforeEach(async () => {
  seal = await makeSeal(portal, provider, [{ person: admin, role: 'admin', status: 'active' }])
})

async function statusOf(id: string) {
  const { rows } = await sql<{ status: string; accountId: string | null; acquiredAt: Date | null }>`
    select status, account_id, acquired_at from seal_users where id = ${id}`.execute(portal.db)
  return rows[0]!
}

/** An Administrator of the seal, ready to change its users. */
const manage = () => signInToManage(portal, admin, seal.id)

/** A customer who is invited with another number than their own. */
async function inviteCustomer() {
  const person = await makeCustomer(portal, { phone: mobile() })
  const invitedPhone = mobile()
  const form = sealUserForm({ email: person.email, phone: invitedPhone })
  return { person, invitedPhone, added: await invite(portal, await manage(), seal.id, form) }
}

test('SEA-3 SEA-4 R41 a customer is invited by e-mail, presses activate, and the code that went to the invited number makes the access active', async () => {
  const { person, invitedPhone, added } = await inviteCustomer()
  expect([added.status, added.body.status, added.body.acquiredAt]).toEqual([200, 'pending', null])
  const mail = portal.mails.find(({ to }) => to === person.email)!
  expect(mail.text).toContain('https://portal.example/certificates/seals')
  expect(mail.text).toContain('Stowarzyszenie Łączność')
  // The mail names the kind of seal, because an organisation may have several.
  expect(mail.text).toContain('Rodzaj: pieczęć w\u00a0aplikacji mobilnej.')
  // The mail contains neither the number nor the name that the Administrator typed (R74).
  for (const typed of [invitedPhone, 'Dąbrowski', 'Łukasz']) expect(mail.text).not.toContain(typed)

  const browser = await signInAs(portal, person)
  const { body: before } = await browser.call(listSeals)
  expect(before.items).toEqual([])
  const [waiting] = before.invitations
  expect(waiting).toMatchObject({ id: added.body.id, organisation: 'Stowarzyszenie Łączność', role: 'user' })
  expect(JSON.stringify(before)).not.toContain(invitedPhone.slice(3))

  // No code is sent before it is requested.
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
  expect((await statusOf(added.body.id)).acquiredAt).not.toBeNull()
  // Only an identical request gets the answer of the first (R112).
  const again = await browser.call(finishSealActivation, { params: { id: waiting!.id }, body: { code: '000000' } })
  expect(again.problem.code).toBe('not-found')
})

test('SEA-6 SEA-9 an invited person makes an account by the mail, in the chosen language', async () => {
  const added = await invite(portal, await manage(), seal.id, sealUserForm({ locale: 'en' }))
  const { form } = added
  const mail = portal.mails.find(({ to }) => to === form.email)!
  expect(mail.subject).toContain('an invitation to use a seal')
  expect(mail.text).toContain('/en/setup-password/')
  const token = linkToken(portal, form.email)
  const newcomer = openBrowser(portal)
  const link = await newcomer.call(checkPasswordLink, { body: { token } })
  expect(link.body).toMatchObject({
    purpose: 'set-up',
    required: ['terms', 'privacy'],
    login: form.email,
    invited: { firstName: 'Łukasz', surname: 'Dąbrowski', seals: ['Stowarzyszenie Łączność'] },
  })
  const password = { newPassword: goodPassword, repeatPassword: goodPassword }
  const { terms, privacy } = shown('en')
  await newcomer.call(setPassword, { body: { token, password, accepted: { locale: 'en', terms, privacy } } })
  const person: Person = { ...samplePerson(form), login: form.email, id: '', password: goodPassword }
  const browser = await signInAs(portal, person)
  expect((await browser.call(readSession)).body.customer.locale).toBe('en')
  const [waiting] = (await browser.call(listSeals)).body.invitations
  expect(waiting!.id).toBe(added.body.id)
  const params = { id: waiting!.id }
  await browser.call(startSealActivation, { params })
  await portal.deliver()
  expect(portal.texts.find(({ to }) => to === form.phone)!.text).toContain('to activate')
  const done = await browser.call(finishSealActivation, { params, body: { code: smsCode(portal, form.phone) } })
  expect([done.status, (await statusOf(added.body.id)).status]).toEqual([200, 'active'])

  // An existing customer keeps their own language.
  const known = await makeCustomer(portal, { phone: mobile(), locale: 'pl' })
  await invite(portal, await manage(), seal.id, sealUserForm({ email: known.email, locale: 'en' }))
  expect(portal.mails.find(({ to }) => to === known.email)!.subject).toContain('zaproszenie do pieczęci')
})

test('R41 R34 another signed-in customer finds no invitation of anybody else, with any call', async () => {
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
  const stranger = await signInAs(portal, await makeCustomer(portal, { phone: mobile() }))
  const params = { id: added.body.id }
  expect((await stranger.call(listSeals)).body.invitations).toEqual([])
  for (const answer of [
    await stranger.call(startSealActivation, { params }),
    await stranger.call(resendSealActivation, { params }),
    await stranger.call(finishSealActivation, { params, body: { code } }),
  ])
    expect([answer.status, answer.problem.code]).toEqual([404, 'not-found'])
  expect((await statusOf(added.body.id)).status).toBe('pending')
})

test('R41 R2 a code of an activation goes to the invited number only, also when it is requested as another kind of code', async () => {
  const { person, added } = await inviteCustomer()
  const browser = await signInAs(portal, person)
  const { body: sent } = await browser.call(startSealActivation, { params: { id: added.body.id } })
  await portal.deliver()
  await portal.clock.advance(61)
  const texts = portal.texts.length
  const misused = await browser.call(resendStepUpCode, { params: { id: sent.id } })
  await portal.deliver()
  expect([misused.status, portal.texts.length]).toEqual([404, texts])
  // A code for another purpose activates nothing.
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

test('R115 SEA-4 a number that an Administrator typed gets two codes in total until one is entered', async () => {
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

test('SEA-4 an invitation is valid for seven days, and its codes are sent three times a day', async () => {
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
  // Neither another session nor the end of the pause allows more.
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

test('R40 R41 a removal voids the open code and the link of the invitation', async () => {
  const known = await makeCustomer(portal, { phone: mobile() })
  const manager = await manage()
  const first = await invite(portal, manager, seal.id, sealUserForm({ email: known.email, phone: known.phone }))
  const second = await invite(portal, manager, seal.id)
  const browser = await signInAs(portal, known)
  await browser.call(startSealActivation, { params: { id: first.body.id } })
  await portal.deliver()
  const code = smsCode(portal, known.phone)
  const token = linkToken(portal, second.form.email)
  for (const { body } of [first, second])
    expect((await manager.call(removeSealUser, { params: { id: seal.id, user: body.id } })).status).toBe(200)
  const entered = await browser.call(finishSealActivation, { params: { id: first.body.id }, body: { code } })
  expect(entered.problem.code).toBe('not-found')
  const { rows } = await portal.owner.query(`select from codes where object = $1 and used_at is null`, [first.body.id])
  expect(rows).toEqual([])
  const opened = await openBrowser(portal).call(checkPasswordLink, { body: { token } })
  expect(opened.problem.code).toBe('link-unknown')
})

test('SEA-4 R40 a changed e-mail gives no second membership of a seal, so that one removal ends the access', async () => {
  const person = await makeCustomer(portal, { phone: mobile() })
  const { email: before, phone, firstName, surname, locale } = person
  const stated = { phone, firstName, surname, locale, role: 'user' as const, status: 'active' as const }
  const held = await inviteTo(portal, seal.providerId, { ...stated, email: before })
  const { id: customer, password: _, ...known } = person
  const { email } = samplePerson()
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
