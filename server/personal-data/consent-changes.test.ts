import { expect, test } from 'vitest'
import { setPassword } from '../../contract/password-link.ts'
import { changeMarketingConsent, readConsents } from '../../contract/consents.ts'
import { register } from '../../contract/registration.ts'
import { wordingOf } from '../../contract/legal/wordings.ts'
import { demonstrationBrand } from '../platform/brand/brand.ts'
import { openPortal } from '../testing/open-portal.ts'
import { samplePerson } from '../testing/portal-nodes.ts'
import { goodPassword, linkToken, makeCustomer, openBrowser, signInAs } from '../testing/browser.ts'
import { fireTogether, shotOf } from '../testing/burst.ts'
import { registrationForm, shown } from '../testing/samples/registration-forms.ts'
import { auditEntries } from '../testing/audit-entries.ts'

const portal = await openPortal({ nodes: 2 })

const said = async (email: string) =>
  (
    await portal.owner.query(
      `select given, c.locale from consents c join accounts a on a.id = account_id where email = $1 and kind = 'marketing' order by c.id`,
      [email],
    )
  ).rows
const consentEntries = async (login: string) =>
  (await auditEntries(portal, { login })).filter(({ action }) => action.startsWith('consent-'))

test('REG-5 DAT-1 a registered customer reads what they consented to, word for word, and others read nothing of it', async () => {
  const body = registrationForm({ marketing: true, locale: 'en' })
  await openBrowser(portal).call(register, { body })
  await portal.deliver()
  const password = { newPassword: goodPassword, repeatPassword: goodPassword }
  await openBrowser(portal).call(setPassword, { body: { token: linkToken(portal, body.email), password } })
  const person = { ...samplePerson(), ...body, secondName: null, login: body.email, id: '', password: goodPassword }
  const browser = await signInAs(portal, person)
  const { items } = (await browser.call(readConsents)).body
  expect(items.toSorted((a, b) => a.kind.localeCompare(b.kind))).toMatchObject(
    (['marketing', 'privacy', 'terms'] as const).map((kind) => ({
      kind,
      given: true,
      wording: wordingOf(kind, 'en', demonstrationBrand),
    })),
  )
  const stranger = await signInAs(portal, await makeCustomer(portal))
  expect((await stranger.call(readConsents)).body).toEqual({ items: [] })
})

test('REG-5 R84 marketing is given, withdrawn and given again; each change is stored and audited, and a repetition is not a change', async () => {
  const person = await makeCustomer(portal)
  const browser = await signInAs(portal, person)
  const say = (given: boolean, locale: 'pl' | 'en' = 'pl') =>
    browser.call(changeMarketingConsent, { body: { given, locale, wording: shown(locale).marketing } })
  const state = async () => (await browser.call(readConsents)).body.items.map(({ kind, given }) => ({ kind, given }))
  // Nothing to withdraw yet.
  expect((await say(false)).status).toBe(204)
  expect(await said(person.email)).toEqual([])
  for (const given of [true, true, false, false, true]) expect((await say(given, given ? 'en' : 'pl')).status).toBe(204)
  expect(await said(person.email)).toEqual([
    { given: true, locale: 'en' },
    { given: false, locale: 'pl' },
    { given: true, locale: 'en' },
  ])
  expect(await state()).toEqual([{ kind: 'marketing', given: true }])
  expect(await consentEntries(person.login)).toMatchObject(
    ['consent-given', 'consent-withdrawn', 'consent-given'].map((action) => ({
      action,
      actor: 'customer',
      address: '198.51.100.7',
      details: { kind: 'marketing' },
    })),
  )
})

test('REG-5 a change under a wording that is no longer shown is refused and changes nothing', async () => {
  const person = await makeCustomer(portal)
  const browser = await signInAs(portal, person)
  const stale = { given: true, locale: 'pl' as const, wording: shown('en').marketing }
  expect((await browser.call(changeMarketingConsent, { body: stale })).problem.code).toBe('wording-changed')
  expect([await said(person.email), await consentEntries(person.login)]).toEqual([[], []])
})

test('REG-5 R84 twenty changes at once are one change and one audit entry', async () => {
  const person = await makeCustomer(portal)
  const { cookie } = await signInAs(portal, person)
  const body = { given: true, locale: 'pl' as const, wording: shown('pl').marketing }
  const shots = Array.from({ length: 20 }, () => shotOf(changeMarketingConsent, { body }, { cookie }))
  const hits = await fireTogether(portal, shots)
  expect(new Set(hits.map(({ status }) => status))).toEqual(new Set([204]))
  expect(await said(person.email)).toHaveLength(1)
  expect(await consentEntries(person.login)).toHaveLength(1)
})

test('REG-5 R84 a change that cannot be audited does not happen', async () => {
  const person = await makeCustomer(portal)
  const browser = await signInAs(portal, person)
  await portal.owner.query(`alter table audit add constraint no_consents check (act not like 'consent-%') not valid`)
  const body = { given: true, locale: 'pl' as const, wording: shown('pl').marketing }
  const { status } = await browser.call(changeMarketingConsent, { body })
  await portal.owner.query('alter table audit drop constraint no_consents')
  expect(status).toBe(500)
  expect(await said(person.email)).toEqual([])
})
