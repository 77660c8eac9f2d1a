import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { readSession } from '../../contract/account.ts'
import { checkPasswordLink, setPassword } from '../../contract/password-link.ts'
import { putCustomer } from '../../contract/provider/provider-customers.ts'
import { putSealUser } from '../../contract/provider/provider-seals.ts'
import {
  finishSealActivation,
  removeSealUser,
  resendSealActivation,
  startSealActivation,
} from '../../contract/seal-users.ts'
import { listSeals } from '../../contract/seals.ts'
import { resendStepUpCode, startStepUp } from '../../contract/step-up.ts'
import { openBrowser } from '../testing/browser.ts'
import { manySends, openPortalWithProvider } from '../testing/open-portal.ts'
import { samplePerson } from '../testing/portal-nodes.ts'
import { wordingHashes } from '../testing/samples/registration-forms.ts'
import {
  invite,
  inviteTo,
  makeSeal,
  member,
  mobile,
  sealUserForm,
  sealUserOf,
  signInToManage,
} from '../testing/samples/sample-seals.ts'
import { linkToken, smsCode } from '../testing/sent-messages.ts'
import { goodPassword, makeCustomer, signInAs, type Person } from '../testing/test-customers.ts'

const { portal, provider } = await openPortalWithProvider({ settings: manySends })
const newCustomer = () => makeCustomer(portal, { phone: mobile() })
const admin = await newCustomer()
let seal: Awaited<ReturnType<typeof makeSeal>>
beforeEach(async () => {
  seal = await makeSeal(portal, provider, [member(admin)])
})

async function statusOf(id: string) {
  const { rows } = await sql<{ status: string; accountId: string | null; acquiredAt: Date | null }>`
    select status, account_id, acquired_at from seal_users where id = ${id}`.execute(portal.db)
  return rows[0]!
}

/** Signs in an Administrator of the seal, ready to change its users. */
const manage = () => signInToManage(portal, admin, seal.id)

/** Invites a customer, by default with another number than their own. */
async function inviteCustomer({ byOwnPhone = false } = {}) {
  const person = await newCustomer()
  const invitedPhone = byOwnPhone ? person.phone : mobile()
  const form = sealUserForm({ email: person.email, phone: invitedPhone })
  const added = await invite(portal, await manage(), seal.id, form)
  return { person, invitedPhone, added, params: { id: added.body.id } }
}

test('SEA-3 SEA-4 R41 a customer is invited by e-mail, presses activate, and the code that went to the invited number makes the access active', async () => {
  const { person, invitedPhone, added, params } = await inviteCustomer()
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
  const sent = await browser.call(startSealActivation, { params })
  await portal.deliver()
  expect([sent.status, sent.body.to]).toEqual([200, waiting!.phone])
  const [text] = portal.texts
  expect([text!.to, text!.text.length <= 160]).toEqual([invitedPhone, true])
  expect(text!.text).toContain('do aktywacji dostepu do pieczeci')
  const right = smsCode(portal, invitedPhone)
  const enter = (code: string) => browser.call(finishSealActivation, { params, body: { code } })
  expect((await enter(right === '123456' ? '654321' : '123456')).problem.code).toBe('code-wrong')
  const done = await enter(right)
  expect([done.status, done.body]).toEqual([200, { seal: seal.id }])
  const { body: after } = await browser.call(listSeals)
  expect([after.items.map(({ id, role }) => [id, role]), after.invitations]).toEqual([[[seal.id, 'user']], []])
  expect((await statusOf(added.body.id)).acquiredAt).not.toBeNull()
  // Only an identical request gets the answer of the first (R112).
  expect((await enter('000000')).problem.code).toBe('not-found')
})

test('SEA-6 SEA-9 an invited person makes an account by the mail, in the chosen language', async () => {
  const { body: added, form } = await invite(portal, await manage(), seal.id, sealUserForm({ locale: 'en' }))
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
  const { terms, privacy } = wordingHashes('en')
  await newcomer.call(setPassword, { body: { token, password, accepted: { locale: 'en', terms, privacy } } })
  const person: Person = { ...samplePerson(form), login: form.email, id: '', password: goodPassword }
  const browser = await signInAs(portal, person)
  expect((await browser.call(readSession)).body.customer.locale).toBe('en')
  expect((await browser.call(listSeals)).body.invitations).toMatchObject([{ id: added.id }])
  const params = { id: added.id }
  await browser.call(startSealActivation, { params })
  await portal.deliver()
  expect(portal.texts.find(({ to }) => to === form.phone)!.text).toContain('to activate')
  const done = await browser.call(finishSealActivation, { params, body: { code: smsCode(portal, form.phone) } })
  expect([done.status, (await statusOf(added.id)).status]).toEqual([200, 'active'])

  // An existing customer keeps their own language.
  const known = await newCustomer()
  await invite(portal, await manage(), seal.id, sealUserForm({ email: known.email, locale: 'en' }))
  expect(portal.mails.find(({ to }) => to === known.email)!.subject).toContain('zaproszenie do pieczęci')
})

test('R41 R34 another signed-in customer finds no invitation of anybody else, with any call', async () => {
  const { person, params } = await inviteCustomer({ byOwnPhone: true })
  const owner = await signInAs(portal, person)
  await owner.call(startSealActivation, { params })
  await portal.deliver()
  const code = smsCode(portal, person.phone)
  const stranger = await signInAs(portal, await newCustomer())
  expect((await stranger.call(listSeals)).body.invitations).toEqual([])
  for (const answer of [
    await stranger.call(startSealActivation, { params }),
    await stranger.call(resendSealActivation, { params }),
    await stranger.call(finishSealActivation, { params, body: { code } }),
  ])
    expect([answer.status, answer.problem.code]).toEqual([404, 'not-found'])
  expect((await statusOf(params.id)).status).toBe('pending')
})

test('R41 R2 a code of an activation goes to the invited number only, also when it is requested as another kind of code', async () => {
  const { person, params } = await inviteCustomer()
  const browser = await signInAs(portal, person)
  const { body: sent } = await browser.call(startSealActivation, { params })
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
  const borrowed = await browser.call(finishSealActivation, { params, body: { code: smsCode(portal, person.phone) } })
  expect(borrowed.problem.code).toBe('code-wrong')
  expect((await statusOf(params.id)).status).toBe('pending')
})

test('R115 SEA-4 a number that an Administrator typed gets two codes in total until one is entered', async () => {
  const { person, invitedPhone, params } = await inviteCustomer()
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
  const { person, params } = await inviteCustomer({ byOwnPhone: true })
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
  const { person, added: first, params } = await inviteCustomer({ byOwnPhone: true })
  const manager = await manage()
  const second = await invite(portal, manager, seal.id)
  const browser = await signInAs(portal, person)
  await browser.call(startSealActivation, { params })
  await portal.deliver()
  const code = smsCode(portal, person.phone)
  const token = linkToken(portal, second.form.email)
  for (const { body } of [first, second])
    expect((await manager.call(removeSealUser, { params: { id: seal.id, user: body.id } })).status).toBe(200)
  const entered = await browser.call(finishSealActivation, { params, body: { code } })
  expect(entered.problem.code).toBe('not-found')
  const { rows } = await portal.owner.query(`select from codes where object = $1 and used_at is null`, [params.id])
  expect(rows).toEqual([])
  const opened = await openBrowser(portal).call(checkPasswordLink, { body: { token } })
  expect(opened.problem.code).toBe('link-unknown')
})

test('SEA-4 R40 a changed e-mail gives no second membership of a seal, so that one removal ends the access', async () => {
  const person = await newCustomer()
  const stated = { ...sealUserOf(person), role: 'user', status: 'active' } as const
  const held = await inviteTo(portal, seal.providerId, stated)
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
  const { body: again } = await invite(portal, manager, seal.id, sealUserForm({ email, phone: person.phone }))

  const browser = await signInAs(portal, person)
  const { body: list } = await browser.call(listSeals)
  expect([list.items.map(({ id }) => id), list.invitations]).toEqual([[seal.id], []])
  expect((await browser.call(startSealActivation, { params: { id: again.id } })).status).toBe(404)
  await manager.call(removeSealUser, { params: { id: seal.id, user: held.id } })
  expect((await browser.call(listSeals)).body.items).toEqual([])
})
