import { expect, test } from 'vitest'
import { changeMarketingConsent, readConsents } from '../../contract/consents.ts'
import type { Locale } from '../../contract/enums.ts'
import { wordingOf } from '../../contract/legal/wordings.ts'
import { readMyData } from '../../contract/personal-data.ts'
import { register } from '../../contract/registration.ts'
import { demonstrationBrand } from '../platform/brand/brand.ts'
import { auditEntries } from '../testing/audit-entries.ts'
import { openBrowser } from '../testing/browser.ts'
import { fireTimes, outcomesOf, preparedCall } from '../testing/burst.ts'
import { openPortal } from '../testing/open-portal.ts'
import { sampleIdentification, samplePerson } from '../testing/portal-nodes.ts'
import { addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import { registrationForm, wordingHashes } from '../testing/samples/registration-forms.ts'
import { goodPassword, makeCustomer, putPerson, signInAs, spendMailedLink } from '../testing/test-customers.ts'

const portal = await openPortal({ nodes: 2 })

const said = (email: string) =>
  portal.rows(
    `select given, c.locale from consents c join accounts a on a.id = account_id where email = $1 and kind = 'marketing' order by c.id`,
    [email],
  )
const consentEntries = async (login: string) =>
  (await auditEntries(portal, { login })).filter(({ action }) => action.startsWith('consent-'))

test('REG-5 DAT-1 a registered customer reads what they consented to, word for word', async () => {
  const body = registrationForm({ marketing: true, locale: 'en' })
  await openBrowser(portal).call(register, { body })
  await portal.deliver()
  await spendMailedLink(portal, body.email, openBrowser(portal))
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
  expect((await stranger.call(readConsents)).body.items).toEqual([])
})

test('PRV-11 REG-5 what the provider reports is shown unless the customer accepted later', async () => {
  const report = (at: string) => ({ version: '2025-10-01', at })
  const [early, late] = [report('2025-11-02T10:30:00.000Z'), report('2025-11-04T10:30:00.000Z')]
  const { id, password: _, ...person } = await addCustomer(portal, { acceptances: undefined })
  const browser = await signInDirectly(portal, { id })
  const shownNow = async () => {
    const { items, reported } = (await browser.call(readConsents)).body
    return [items.map(({ kind, at }) => [kind, at]), reported]
  }
  expect(await shownNow()).toEqual([[], []])
  const put = (acceptances: typeof person.acceptances) => putPerson(portal, { ...person, acceptances }, id)
  await put({ terms: early })
  expect(await shownNow()).toEqual([[], [{ kind: 'terms', ...early }]])

  const own = '2025-11-03T10:30:00.000Z'
  await portal.owner.query(
    `with w as (insert into wordings values ('own', $3) on conflict do nothing)
     insert into consents (account_id, kind, given, version, locale, wording_sha256, at)
     select id, 'terms', true, '2025-11-01', 'pl', 'own', $2 from accounts where provider_id = $1`,
    [id, own, JSON.stringify(wordingOf('terms', 'pl', demonstrationBrand))],
  )
  expect(await shownNow()).toEqual([[['terms', own]], []])
  await put({ terms: early, privacy: early })
  expect(await shownNow()).toEqual([[['terms', own]], [{ kind: 'privacy', ...early }]])
  await put({ terms: late })
  expect(await shownNow()).toEqual([
    [['terms', own]],
    [
      { kind: 'privacy', ...early },
      { kind: 'terms', ...late },
    ],
  ])
})

test('REG-5 R84 each change of the marketing consent is stored and audited, no repetition', async () => {
  const person = await makeCustomer(portal)
  const browser = await signInAs(portal, person)
  const change = (given: boolean, locale: Locale = 'pl') =>
    browser.call(changeMarketingConsent, { body: { given, locale, wording: wordingHashes(locale).marketing } })
  const state = async () => (await browser.call(readConsents)).body.items.map(({ kind, given }) => ({ kind, given }))
  // Nothing to withdraw yet.
  expect((await change(false)).status).toBe(204)
  expect(await said(person.email)).toEqual([])
  for (const given of [true, true, false, false, true])
    expect((await change(given, given ? 'en' : 'pl')).status).toBe(204)
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
  const stale = { given: true, locale: 'pl' as const, wording: wordingHashes('en').marketing }
  expect((await browser.call(changeMarketingConsent, { body: stale })).problem.code).toBe('wording-changed')
  expect([await said(person.email), await consentEntries(person.login)]).toEqual([[], []])
})

test('REG-5 R84 twenty changes at once are one change and one audit entry', async () => {
  const person = await makeCustomer(portal)
  const { cookie } = await signInAs(portal, person)
  const body = { given: true, locale: 'pl' as const, wording: wordingHashes('pl').marketing }
  const hits = await fireTimes(portal, 20, () => preparedCall(changeMarketingConsent, { body }, { cookie }))
  expect(outcomesOf(hits)).toEqual({ 204: 20 })
  expect(await said(person.email)).toHaveLength(1)
  expect(await consentEntries(person.login)).toHaveLength(1)
})

test('DAT-1 DAT-7 my data holds everything that is known, with whole numbers and no further code', async () => {
  const person = await addCustomer(portal, { secondName: 'Świętosława', identification: sampleIdentification })
  const browser = await signInDirectly(portal, person)
  const { body } = await browser.call(readMyData)
  expect(body).toEqual({
    id: expect.any(String),
    login: person.login,
    email: person.email,
    phone: person.phone,
    maskedPhone: `+48 ••• ••• ${person.phone.slice(-3)}`,
    firstName: 'Małgorzata',
    secondName: 'Świętosława',
    surname: 'Wiśniewska',
    now: expect.any(String),
    identification: sampleIdentification,
  })
  const unknown = await signInDirectly(portal, await addCustomer(portal))
  expect((await unknown.call(readMyData)).body.identification).toBeNull()
})
