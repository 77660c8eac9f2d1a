import { expect, test } from 'vitest'
import { readSession } from '../../contract/account.ts'
import { checkPasswordLink } from '../../contract/password-link.ts'
import { putCustomer } from '../../contract/provider/provider-api.ts'
import { register } from '../../contract/registration.ts'
import { openPortal } from '../testing/open-portal.ts'
import { samplePerson } from '../testing/portal-nodes.ts'
import * as testing from '../testing/browser.ts'
import { linkToken, makeCustomer, openBrowser, passPassword, signInAs, type Person } from '../testing/browser.ts'
import { registrationForm } from '../testing/samples/registration-forms.ts'
import { auditEntries } from '../testing/audit-entries.ts'

const portal = await openPortal({ nodes: 2 })

const askForReset = (email: string) => testing.askForReset(portal, email, openBrowser(portal))
const put = ({ id, password: _, ...person }: Person, over: Partial<Person> = {}) =>
  openBrowser(portal).call(putCustomer, { params: { customer: id }, body: { ...person, ...over } })
const resetLinks = async (email: string) =>
  (await testing.deliveredTo(portal, email)).filter(({ text }) => text.includes('/setup-password/'))

test('R116 a key that changes e-mail and phone takes no account over: the owner is notified, sessions end, and no reset leaves in time', async () => {
  const victim = await makeCustomer(portal)
  const browser = await signInAs(portal, victim)
  const { browser: halfway } = await passPassword(portal, victim)
  const attacker = samplePerson()
  const before = [portal.mails.length, portal.texts.length]
  expect((await put(victim, { email: attacker.email, phone: attacker.phone })).status).toBe(200)
  await portal.deliver()
  const mails = portal.mails.slice(0, portal.mails.length - before[0]!)
  const texts = portal.texts.slice(0, portal.texts.length - before[1]!)
  expect([mails.map(({ to }) => to), texts.map(({ to }) => to)]).toEqual([[victim.email], [victim.phone]])
  expect((await browser.call(readSession)).status).toBe(401)
  expect((await halfway.raw('POST', '/api/sign-in/code', { code: '000000' })).status).toBe(401)
  await askForReset(attacker.email)
  expect(await resetLinks(attacker.email)).toEqual([])
})

test('R116 the notices say what changed, masked, in the customer’s language, and from when a new password can be set', async () => {
  await portal.clock.stopAt(new Date('2027-06-01T10:00:00Z'))
  const cases = [
    ['pl', { email: true }, /Nowy adres e-mail/, 'Twoje konto ma nowy adres e-mail'],
    ['pl', { phone: true }, /Nowy numer telefonu/, 'kody wysylamy juz na inny numer'],
    [
      'en',
      { email: true, phone: true },
      /new e-mail address[^]*new phone number/i,
      'a new e-mail, and codes now go to a new number',
    ],
  ] as const
  for (const [locale, changed, inMail, inText] of cases) {
    const person = await makeCustomer(portal, { locale })
    const next = samplePerson()
    const over = { ...('email' in changed && { email: next.email }), ...('phone' in changed && { phone: next.phone }) }
    await portal.deliver()
    await put(person, over)
    await portal.deliver()
    const [mail, text] = [portal.mails[0]!, portal.texts[0]!]
    expect([mail.to, text.to]).toEqual([person.email, person.phone])
    expect(mail.text).toMatch(inMail)
    expect(mail.text).toMatch(locale === 'pl' ? /od 2 czerwca 2027, 12:00/ : /until 2 June 2027, 12:00/)
    expect(mail.text).not.toContain(next.email)
    expect(mail.text).not.toContain(next.phone.slice(3, -3))
    expect(text.text).toContain(inText)
    expect(await auditEntries(portal, { login: person.login, action: 'customer-contact-changed' })).toHaveLength(1)
  }
  await portal.clock.advance(0)
})

test('R116 R14 a reset within the delay is answered as any other and says when one is possible; then it works, and a link from before never', async () => {
  const victim = await makeCustomer(portal)
  await askForReset(victim.email)
  const early = linkToken(portal, victim.email)
  const next = samplePerson()
  await put(victim, { email: next.email })
  const checked = await openBrowser(portal).call(checkPasswordLink, { body: { token: early } })
  expect(checked.problem.code).toBe('link-expired')
  await askForReset(victim.email)
  expect(await resetLinks(victim.email)).toHaveLength(2)
  await askForReset(next.email)
  expect((await testing.deliveredTo(portal, next.email)).map(({ subject }) => subject)[0]).toMatch(
    /nowe hasło ustawisz od/,
  )
  await portal.clock.advance(portal.portal.settings.resetDelay - 5)
  await askForReset(next.email)
  expect(await resetLinks(next.email)).toEqual([])
  await portal.clock.advance(3600)
  await askForReset(next.email)
  expect(await resetLinks(next.email)).toHaveLength(1)
})

test('R116 who knows the password signs in at once with the new number, and another change of data ends and sends nothing', async () => {
  const person = await makeCustomer(portal)
  const moved = { ...person, phone: samplePerson().phone }
  await put(moved)
  const browser = await signInAs(portal, moved)
  expect((await browser.call(readSession)).status).toBe(200)
  const mails = portal.mails.length
  await put(moved, { surname: 'Nowe-Nazwisko' })
  await portal.deliver()
  expect((await browser.call(readSession)).status).toBe(200)
  expect(portal.mails).toHaveLength(mails)
})

test('R11 R116 R115 an invited customer keeps the invitation until the e-mail changes, and a number that nobody confirmed gets no notice', async () => {
  const person = { ...samplePerson(), id: `c-${crypto.randomUUID()}`, password: '' }
  await put(person)
  await portal.deliver()
  const invitation = linkToken(portal, person.email)
  await put(person, { phone: samplePerson().phone })
  const check = () => openBrowser(portal).call(checkPasswordLink, { body: { token: invitation } })
  expect((await check()).status).toBe(200)
  await put(person, { email: samplePerson().email })
  expect((await check()).problem.code).toBe('link-expired')

  const registered = registrationForm()
  await openBrowser(portal).call(register, { body: registered })
  await portal.deliver()
  await testing.spendMailedLink(portal, registered.email, openBrowser(portal))
  await portal.deliver()
  await put({ ...samplePerson({ email: registered.email }), id: `c-${crypto.randomUUID()}`, password: '' })
  await portal.deliver()
  expect(portal.texts.filter(({ to }) => to === registered.phone)).toEqual([])
  const subject = 'Sygnet: dane kontaktowe konta zostały zmienione'
  expect(portal.mails[0]).toMatchObject({ to: registered.email, subject })
})
