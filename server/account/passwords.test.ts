import { expect, onTestFinished, test } from 'vitest'
import * as account from '../../contract/account.ts'
import type { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { checkPasswordLink, sendLinkAgain, setPassword } from '../../contract/password-link.ts'
import { changePassword, requestPasswordReset } from '../../contract/passwords.ts'
import { blockCustomer, type ProviderCustomer } from '../../contract/provider/provider-customers.ts'
import { listSignatures } from '../../contract/signatures.ts'
import { enterStepUpCode, startStepUp } from '../../contract/step-up.ts'
import { findLink, passwordPurposes } from '../platform/authentication/links.ts'
import { auditEntries, countEntries } from '../testing/audit-entries.ts'
import { openBrowser, type TestBrowser } from '../testing/browser.ts'
import { fireTimes, sendTogether, outcomesOf, preparedCall } from '../testing/burst.ts'
import { runBehindLock, untilWaiting } from '../testing/concurrency.ts'
import { openPortalWithProvider } from '../testing/open-portal.ts'
import { now, sampleIdentification, samplePerson } from '../testing/portal-nodes.ts'
import { wordingHashes } from '../testing/samples/registration-forms.ts'
import { linkMails, linkToken, smsCode } from '../testing/sent-messages.ts'
import {
  askForReset,
  bothFields,
  goodPassword,
  makeCustomer,
  passPassword,
  putPerson,
  replacePassword,
  signInAs,
  spendLink,
  type Person,
} from '../testing/test-customers.ts'

const { portal, provider } = await openPortalWithProvider({ nodes: 2 })

const newPassword = 'Nowe-Haslo-2027?'
let addresses = 0
const fresh = (node = 0) => openBrowser(portal, { address: `192.0.2.${++addresses % 250}`, node })

/** Asks for a reset link and takes it out of the mail. */
async function resetLink({ email }: Pick<Person, 'email'>) {
  await askForReset(portal, email, fresh())
  return linkToken(portal, email)
}
const spend = (token: string, password = newPassword) => spendLink(fresh(), token, password)
const canSignIn = async ({ login }: Person, password: string) =>
  (await fresh().call(account.signIn, { body: { login, password, botProof: crypto.randomUUID() } })).status === 200

/** Adds a customer as the provider does, and returns it with the link of the invitation. */
async function invite(over: Partial<ProviderCustomer> = {}) {
  const particulars = samplePerson(over)
  const id = `c-${crypto.randomUUID()}`
  expect((await putPerson(portal, particulars, id)).status).toBe(200)
  await portal.deliver()
  const token = linkToken(portal, particulars.email)
  const accept = (accepted: Record<string, string> | undefined) =>
    fresh().raw('POST', setPassword.path, { token, password: bothFields(newPassword), accepted })
  return { person: { ...particulars, id }, particulars, token, accept }
}
const check = (token: string) => fresh().call(checkPasswordLink, { body: { token } })
const again = (token: string, browser = fresh()) => browser.call(sendLinkAgain, { body: { token } })

const problemsOf = async (answer: Response) => {
  const { fields = [] } = (await answer.json()) as Problem
  return fields.map(({ name, problem }) => `${name} ${problem}`)
}

test('PWD-1 R11 a customer who forgot the password gets a link by mail, sets a new one once, and signs in with it', async () => {
  const person = await makeCustomer(portal)
  const token = await resetLink(person)
  expect(portal.mails.find(({ to }) => to === person.email)!.text).toContain(
    `https://portal.example/setup-password/${token}`,
  )
  expect(await check(token)).toMatchObject({ status: 200, body: { purpose: 'reset', login: person.login } })
  expect((await spend(token)).status).toBe(204)
  expect(await canSignIn(person, newPassword)).toBe(true)
  expect(await canSignIn(person, person.password)).toBe(false)
  await portal.deliver()
  expect(portal.mails.find(({ to }) => to === person.email)!.subject).toContain('hasło zostało zmienione')
  expect(await countEntries(portal, person, 'password-set')).toBe(2)
})

test('PWD-1 VAL-3 a reset needs an e-mail and a proof of the bot check, which counts once', async () => {
  const good = { email: 'a@mail.example', locale: 'pl', botProof: crypto.randomUUID() }
  for (const [over, ...expected] of [
    [{}, 204],
    [{}, 422, 'bot-check-refused'],
    [{ botProof: 'robot' }, 422, 'bot-check-refused'],
    [{ botProof: undefined }, 400, 'invalid-input', 'botProof', 'format'],
    [{ email: '' }, 400, 'invalid-input', 'email', 'required'],
    [{ email: 'a@mail.example, b@mail.example' }, 400, 'invalid-input', 'email', 'email-format'],
  ] as const) {
    const answer = await fresh().raw('POST', requestPasswordReset.path, { ...good, ...over })
    const { code, fields } = (answer.status === 204 ? {} : await answer.json()) as Partial<Problem>
    const seen = [answer.status, code, ...(fields ?? []).flatMap(({ name, problem }) => [name, problem])]
    expect([over, ...seen.filter((part) => part !== undefined)]).toEqual([over, ...expected])
  }
})

test('R11 R119 a reset link dies with a whole sign-in, a new password or a new e-mail', async () => {
  const ends: Record<string, (person: Person, insider: TestBrowser) => Promise<unknown>> = {
    'sign-in': (person) => signInAs(portal, person, fresh()),
    'new password': ({ password }, insider) => replacePassword(insider, password, newPassword),
    'new e-mail': ({ id, password: _, ...body }) => putPerson(portal, { ...body, email: `moved.${body.email}` }, id),
  }
  for (const [what, end] of Object.entries(ends)) {
    const person = await makeCustomer(portal)
    const insider = await signInAs(portal, person, fresh())
    const token = await resetLink(person)
    await passPassword(portal, person, fresh())
    expect([what, (await check(token)).status]).toEqual([what, 200])
    await end(person, insider)
    expect([what, (await spend(token)).problem?.code]).toEqual([what, 'link-expired'])
  }
})

test('R10 a scanner that looks at a link, by any method, leaves it as it is', async () => {
  const person = await makeCustomer(portal)
  const token = await resetLink(person)
  const scanner = fresh()
  for (const path of [`/setup-password/${token}`, `/en/setup-password/${token}`]) {
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'PROPFIND']) {
      const answer = await scanner.raw(method, path)
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
      for (const [, value] of answer.headers) expect(value).not.toContain(token)
    }
  }
  for (let i = 0; i < 5; i++) expect((await scanner.call(checkPasswordLink, { body: { token } })).status).toBe(200)
  const uses = `select used_at, voided_at from links where token_hash = sha256($1::text::bytea)`
  expect(await portal.rows(uses, [token])).toEqual([{ used_at: null, voided_at: null }])
  expect((await spend(token)).status).toBe(204)
})

test('R11 PWD-1 a reset link lives for half an hour, R10 an invitation for seven days, to the second', async () => {
  const person = await makeCustomer(portal)
  const stop = new Date(Date.UTC(2027, 8, 9))
  const at = (seconds: number) => portal.clock.stopAt(new Date(stop.getTime() + seconds * 1000))
  onTestFinished(() => portal.clock.advance(0))
  await at(0)
  const reset = await resetLink(person)
  const { token: invitation } = await invite()
  for (const [token, life] of [
    [reset, limits.link.reset],
    [invitation, limits.link.invitation],
  ] as const) {
    await at(life - 1)
    expect((await check(token)).status).toBe(200)
    await at(life)
    expect((await check(token)).problem.code).toBe('link-expired')
    expect((await spend(token)).problem.code).toBe('link-expired')
  }
  expect([limits.link.reset, limits.link.invitation]).toEqual([1800, 7 * 86_400])
})

test('R9 a new password ends five sessions, a pending sign-in, its code and every link, on both nodes at once', async () => {
  for (const by of ['reset', 'change'] as const) {
    const person = await makeCustomer(portal)
    const insiders: TestBrowser[] = []
    for (let i = 0; i < 5; i++) insiders.push(await signInAs(portal, person, openBrowser(portal, { node: i % 2 })))
    const step = await insiders[0]!.call(startStepUp, { body: { purpose: 'pair-app', object: crypto.randomUUID() } })
    await portal.deliver()
    const stepCode = smsCode(portal, person.phone)
    const stale = await resetLink(person)
    const { browser: pending } = await passPassword(portal, person, fresh())
    const code = smsCode(portal, person.phone)
    const token = await resetLink(person)

    const change = () => replacePassword(insiders[4]!, person.password, newPassword)
    expect((await (by === 'reset' ? spend(token) : change())).status).toBe(204)
    // The very next call of each fails.
    for (const insider of insiders)
      for (const node of [0, 1])
        if (insider.cookie) expect((await insider.call(listSignatures, {}, node)).status).toBe(401)
    expect(
      (await insiders[0]!.call(enterStepUpCode, { params: { id: step.body.id }, body: { code: stepCode } })).status,
    ).toBe(401)
    expect((await pending.call(account.enterSignInCode, { body: { code } })).status).toBe(401)
    expect((await pending.call(account.resendSignInCode)).status).toBe(401)
    for (const link of [stale, token])
      expect((await spend(link, 'Jeszcze-Inne-2028!')).problem.code).toMatch(/^link-(?:used|expired)$/)
    const rows = await portal.rows(
      `select (select count(*) from sessions where account_id = a.id)::int as sessions, (select count(*) from codes where account_id = a.id)::int as codes,
        (select count(*) from links where account_id = a.id and used_at is null and voided_at is null)::int as links from accounts a where login = $1`,
      [person.login],
    )
    expect(rows).toEqual([{ sessions: 0, codes: 0, links: 0 }])
    expect(await canSignIn(person, person.password)).toBe(false)
    expect(await canSignIn(person, newPassword)).toBe(true)
  }
})

const sessionsOf = ({ login }: Person) =>
  portal.rows('select from sessions s join accounts a on a.id = s.account_id where a.login = $1', [login])
const sessionsLocked = 'lock table sessions in share row exclusive mode'

test('R9 a sign-in with the old password that overlaps the reset does not outlive it', async () => {
  const person = await makeCustomer(portal)
  const token = await resetLink(person)
  const late = fresh(1)
  // The reset has changed the password and waits to end the sessions; now the old password is checked and found right.
  const overlap = async () => {
    const reset = spend(token)
    await untilWaiting(portal)
    const body = { login: person.login, password: person.password }
    return Promise.all([reset, late.call(account.signIn, { body })])
  }
  const [reset, entering] = await runBehindLock(portal, sessionsLocked, overlap, { count: 2 })
  expect([reset.status, entering.problem.code, late.cookie]).toEqual([204, 'login-refused', undefined])
  expect(await sessionsOf(person)).toEqual([])
})

test('R9 a sign-in that began before the reset is ended by it, and a block by the provider is overtaken by none', async () => {
  for (const end of ['reset', 'block'] as const) {
    const person = await makeCustomer(portal)
    const token = await resetLink(person)
    const early = fresh(1)
    const overlap = async () => {
      const entering = early.call(account.signIn, { body: { login: person.login, password: person.password } })
      await untilWaiting(portal)
      const params = { customer: person.id }
      return Promise.all([end === 'reset' ? spend(token) : fresh().call(blockCustomer, { params }), entering])
    }
    const [ending] = await runBehindLock(portal, sessionsLocked, overlap, { count: 2 })
    expect(ending.status).toBeLessThan(300)
    await portal.deliver()
    expect((await early.call(account.resendSignInCode)).status).toBe(401)
    expect(await sessionsOf(person)).toEqual([])
  }
})

test('R9 entering the code and setting a new password at the same moment end in one of two ways, and never in a fault', async () => {
  for (let round = 0; round < 3; round++) {
    const person = await makeCustomer(portal)
    const token = await resetLink(person)
    const { browser } = await passPassword(portal, person, fresh())
    const code = smsCode(portal, person.phone)
    const [set, entered] = await sendTogether(portal, [
      preparedCall(setPassword, { body: { token, password: bothFields(newPassword) } }, { node: 0 }),
      preparedCall(account.enterSignInCode, { body: { code } }, { node: 1, cookie: browser.cookie }),
    ])
    // Signing in makes the link void; a new password ends the sign-in. No session is left where a password was set.
    expect([204, 422]).toContain(set!.status)
    expect([200, 401, 422]).toContain(entered!.status)
    expect(await sessionsOf(person)).toHaveLength(set!.status === 204 ? 0 : 1)
  }
})

test('PWD-3 a change needs the current password, ends the session in every tab, and leads to the sign-in', async () => {
  const person = await makeCustomer(portal)
  const browser = await signInAs(portal, person, fresh())
  const otherBrowser = await signInAs(portal, person, fresh())
  const refused = { status: 422, problem: { code: 'current-password-wrong' } }
  expect(await replacePassword(browser, 'Zle-Haslo-2026!', newPassword)).toMatchObject(refused)
  expect((await browser.call(account.readSession)).status).toBe(200)
  const done = await replacePassword(browser, person.password, newPassword)
  expect(done.status).toBe(204)
  expect(done.cookie).toMatch(/^__Host-sygnet=;/)
  expect((await otherBrowser.call(account.readSession)).status).toBe(401)
  expect(await canSignIn(person, newPassword)).toBe(true)
  expect(await countEntries(portal, person, 'password-changed')).toBe(1)
})

test('PWD-3 VAL-3 each form names its fields and their problems like the browser does', async () => {
  const person = await makeCustomer(portal)
  const browser = await signInAs(portal, person, fresh())
  const token = await resetLink(person)
  const passwords = { newPassword: 'Za-krotkie-1', repeatPassword: 'Inne-Haslo-2027!', role: 'admin' }
  const problems = ['newPassword password-rules', 'role unknown-field', 'repeatPassword passwords-differ']
  const change = { currentPassword: '', ...passwords }
  expect(await problemsOf(await browser.raw('POST', changePassword.path, change))).toEqual([
    'currentPassword current-password-required',
    ...problems,
  ])
  expect(await problemsOf(await fresh().raw('POST', setPassword.path, { token, password: passwords }))).toEqual(
    problems.map((problem) => `password.${problem}`),
  )
  // None of this spent the link or the password.
  expect((await spend(token)).status).toBe(204)
})

const whatConsents = ({ login }: Pick<Person, 'login'>) =>
  portal.rows(
    `select kind, given, c.locale, wording_sha256 as sha256 from consents c join accounts a on a.id = account_id where login = $1 order by c.id`,
    [login],
  )
const requiredOf = async (token: string) => (await check(token)).body.required

test('REG-8 REG-5 the first password is set only with the terms and the privacy notice', async () => {
  const { person, token, accept } = await invite({ acceptances: undefined })
  expect(await requiredOf(token)).toEqual(['terms', 'privacy'])
  const { terms, privacy, marketing } = wordingHashes('en')
  const [noTerms, noPrivacy] = ['accepted.terms terms-required', 'accepted.privacy privacy-required']
  for (const [accepted, ...problems] of [
    [undefined, noTerms, noPrivacy],
    [{ locale: 'en' }, noTerms, noPrivacy],
    [{ locale: 'en', terms }, noPrivacy],
    [{ locale: 'en', privacy }, noTerms],
    [{ locale: 'en', terms, privacy, marketing }, 'accepted.marketing unknown-field'],
  ] as const)
    expect([accepted, ...(await problemsOf(await accept(accepted)))]).toEqual([accepted, ...problems])
  // Another text than is shown now: that of the other language, or of the other document.
  for (const accepted of [
    { locale: 'pl', terms, privacy },
    { locale: 'en', terms: privacy, privacy: terms },
  ])
    expect(((await (await accept(accepted)).json()) as Problem).code).toBe('wording-changed')
  expect([await whatConsents(person), await countEntries(portal, person, 'password-set')]).toEqual([[], 0])

  expect((await accept({ locale: 'en', terms, privacy })).status).toBe(204)
  expect(await whatConsents(person)).toEqual([
    { kind: 'terms', given: true, locale: 'en', sha256: terms },
    { kind: 'privacy', given: true, locale: 'en', sha256: privacy },
  ])
  const entries = await auditEntries(portal, { login: person.login, action: 'consent-given' })
  expect(entries).toMatchObject([
    { actor: 'customer', details: { kind: 'terms', wording: terms } },
    { actor: 'customer', details: { kind: 'privacy', wording: privacy } },
  ])
})

test('REG-8 PRV-11 only what was not reported is asked for, and a reset asks for nothing', async () => {
  const { acceptances } = samplePerson()
  const partly = await invite({ acceptances: { terms: acceptances!.terms } })
  expect(await requiredOf(partly.token)).toEqual(['privacy'])
  const { privacy } = wordingHashes('pl')
  expect(await problemsOf(await partly.accept(undefined))).toEqual(['accepted.privacy privacy-required'])
  expect((await partly.accept({ locale: 'pl', privacy })).status).toBe(204)
  expect(await whatConsents(partly.person)).toMatchObject([{ kind: 'privacy' }])

  const wholly = await invite()
  expect(await requiredOf(wholly.token)).toEqual([])
  expect((await wholly.accept(undefined)).status).toBe(204)

  // Who set a password long ago, and of whom nothing is recorded, can still replace it.
  const early = await invite()
  expect((await early.accept(undefined)).status).toBe(204)
  await portal.owner.query(
    'delete from reported_acceptances where account_id = (select id from accounts where login = $1)',
    [early.person.login],
  )
  const token = await resetLink(early.person)
  expect(await requiredOf(token)).toEqual([])
  // What nobody asked for is not recorded either.
  const accepted = { locale: 'pl', privacy }
  const body = { token, password: bothFields('Inne-Haslo-2027?'), accepted }
  expect((await fresh().raw('POST', setPassword.path, body)).status).toBe(204)
  expect(await whatConsents(early.person)).toEqual([])
})

test('PWD-6 R13 a password from the list, of the customer’s own data or of the product’s name is refused at its field, and costs neither link nor session', async () => {
  const person = await makeCustomer(portal)
  const token = await resetLink(person)
  const browser = await signInAs(portal, person, fresh())
  const newest = await resetLink(person)
  const refusedAt = (name: string) => ({ status: 400, problem: { fields: [{ name, problem: 'password-guessable' }] } })
  for (const password of ['P@ssw0rd!2026x', 'Wiśniewska-2026', `${person.login}-X1!`, 'Sygnet-2026-Sygnet!']) {
    const changed = await replacePassword(browser, person.password, password)
    expect([password, changed]).toMatchObject([password, refusedAt('newPassword')])
    expect([password, await spend(newest, password)]).toMatchObject([password, refusedAt('password.newPassword')])
  }
  expect((await spend(token)).problem.code).toBe('link-expired')
  expect((await browser.call(account.readSession)).status).toBe(200)
  expect(await countEntries(portal, person, 'password-changed')).toBe(0)
  expect((await spend(newest)).status).toBe(204)
  expect(await canSignIn(person, newPassword)).toBe(true)
  // The first password, too, which an invitation sets.
  const { token: invitation } = await invite()
  expect(await spend(invitation, 'Qwerty123456!Q')).toMatchObject(refusedAt('password.newPassword'))
})

test('PWD-3 R16 five wrong current passwords pause the change for a quarter of an hour, across sessions and nodes', async () => {
  const person = await makeCustomer(portal)
  const browsers = [await signInAs(portal, person, fresh(0)), await signInAs(portal, person, fresh(1))]
  const hits = await fireTimes(portal, 40, (i) => {
    const body = { currentPassword: `Zle-Haslo-${i}-2026!`, ...bothFields(newPassword) }
    return preparedCall(changePassword, { body }, { cookie: browsers[i % 2]!.cookie })
  })
  expect(outcomesOf(hits)).toEqual({ 'current-password-wrong': 5, 'too-many-attempts': 35 })
  const right = () => replacePassword(browsers[1]!, person.password, newPassword)
  expect(await right()).toMatchObject({ status: 429 })
  await portal.clock.advance(limits.signIn.pause.window - 60)
  for (const browser of browsers) await browser.call(account.extendSession)
  expect(await right()).toMatchObject({ status: 429 })
  await portal.clock.advance(61)
  expect((await right()).status).toBe(204)
})

test('PWD-5 R13 the current password and the five before it are refused, in any form of Unicode; the seventh is free again', async () => {
  const person = await makeCustomer(portal)
  const passwords = [person.password, ...Array.from({ length: 6 }, (_, i) => `Zażółć-Gęślą-${i}`)]
  for (const password of passwords.slice(1)) {
    // Three resets an hour are allowed.
    await portal.clock.advance(1200)
    expect((await spend(await resetLink(person), password)).status).toBe(204)
  }
  await portal.clock.advance(1200)
  const token = await resetLink(person)
  for (const [i, password] of passwords.toReversed().slice(0, 6).entries())
    for (const form of ['NFC', 'NFD'] as const)
      expect([i, (await spend(token, password.normalize(form))).problem.code]).toEqual([i, 'password-used-before'])
  const password = passwords.at(-1)!
  const insider = await signInAs(portal, { ...person, password })
  expect((await replacePassword(insider, password, passwords[3]!)).problem.code).toBe('password-used-before')
  expect((await replacePassword(insider, password, passwords[0]!)).status).toBe(204)
})

test('R9 R16 two changes of the password at once end with one of them, and the other one is refused', async () => {
  const person = await makeCustomer(portal)
  const browsers = [await signInAs(portal, person, fresh()), await signInAs(portal, person, fresh())]
  const passwords = ['Haslo-Pierwsze-1!', 'Haslo-Drugie-22!']
  const hits = await fireTimes(portal, 2, (node) => {
    const body = { currentPassword: person.password, ...bothFields(passwords[node]!) }
    return preparedCall(changePassword, { body }, { cookie: browsers[node]!.cookie, node })
  })
  const won = hits.flatMap(({ status }, i) => (status === 204 ? [passwords[i]!] : []))
  expect(won).toHaveLength(1)
  expect(
    hits.every(({ status, problem }) => status === 204 || status === 401 || problem.code === 'current-password-wrong'),
  ).toBe(true)
  expect(await canSignIn(person, won[0]!)).toBe(true)
})

async function mailsAfter(email: string, action: () => Promise<unknown>) {
  const before = linkMails(portal, email).length
  await action()
  // No answer waits for a mail (R29).
  expect(linkMails(portal, email)).toHaveLength(before)
  await portal.deliver()
  return linkMails(portal, email).length - before
}

test('PWD-2 R86 a set-up link shows own data and what waits, masked, and then takes the password', async () => {
  // Without digits that could be found where a number is searched for.
  const known = { login: 'helena.kanarek', email: 'helena.kanarek@mail.example', phone: '+48512345678' }
  const { person, token } = await invite({ ...known, secondName: 'Anna', identification: sampleIdentification })
  const at = (await now(portal.db)).getTime()
  const day = 86_400_000
  await provider.give(person, { product: 'card', from: new Date(at + 3 * day), to: new Date(at + 500 * day) })
  await provider.give(person, { product: 'app', to: new Date(at + 100 * day) })
  const answer = await fresh().raw('POST', checkPasswordLink.path, { token })
  expect(answer.headers.get('cache-control')).toContain('no-store')
  const text = await answer.text()
  expect(JSON.parse(text)).toMatchObject({
    purpose: 'set-up',
    login: person.login,
    invited: {
      firstName: 'Małgorzata',
      secondName: 'Anna',
      surname: 'Wiśniewska',
      email: person.email,
      phone: '+48 ••• ••• 678',
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
    },
  })
  const { identificationNumber, birthDate, birthPlace, document } = sampleIdentification
  // A PESEL but for one digit is a PESEL: neither it nor the whole date may be there, nor more than the last three of anything.
  const tails = [identificationNumber, document.number, person.phone].map((number) => number.slice(-4))
  const ofDocument = [document.number, document.issuedBy]
  const hidden = [identificationNumber, birthDate, '440514', birthPlace, ...ofDocument, person.phone, ...tails, token]
  for (const secret of hidden) expect([secret, text.includes(secret)]).toEqual([secret, false])
  expect((await spend(token, goodPassword)).status).toBe(204)
})

test('PWD-2 signatures that are over do not wait for anybody; of many the first are shown', async () => {
  const { person, token } = await invite()
  const at = Date.now()
  const day = 86_400_000
  await provider.give(person, { from: new Date(at - 400 * day), to: new Date(at - day) })
  await provider.give(person, { status: 'revoked' })
  await provider.give(person, { status: 'suspended' })
  expect((await check(token)).body.invited?.signatures).toEqual({ total: 0, first: [] })
  for (const ends of [400, 100, 300, 200, 500]) await provider.give(person, { to: new Date(at + ends * day) })
  const { signatures, identification } = (await check(token)).body.invited!
  const days = signatures.first.map(({ validTo }) => Math.round((Date.parse(validTo) - at) / day))
  expect([identification, signatures.total, days]).toEqual([null, 5, [100, 200, 300]])
})

test('PWD-1 R86 a reset link, or one that is used or expired, shows nothing of its customer', async () => {
  const { person, token } = await invite({ identification: sampleIdentification })
  const newer = await resetLink(person)
  // No password was set yet, so the newer one is an invitation too.
  expect((await check(newer)).body).toMatchObject({ purpose: 'set-up', invited: { email: person.email } })
  // Anyone could ask for it, so the older one is still good (R119).
  expect((await check(token)).status).toBe(200)
  await spend(newer, goodPassword)
  const reset = await resetLink(person)
  expect((await check(reset)).body).toMatchObject({ purpose: 'reset', login: person.login, invited: null })
  const expiring = await invite({ identification: sampleIdentification })
  onTestFinished(() => portal.clock.advance(-limits.link.invitation))
  await portal.clock.advance(limits.link.invitation)
  const dead = await Promise.all([token, newer, reset, expiring.token, 'x'.repeat(43), 'x'].map(check))
  const [expired, used, unknown] = ['link-expired', 'link-used', 'link-unknown']
  const codes = dead.map(({ problem }) => problem.code)
  expect(codes).toEqual([expired, used, expired, expired, unknown, 'invalid-input'])
  for (const { problem } of dead) expect(JSON.stringify(problem)).not.toMatch(/Wiśniewska|mail\.example|•/)
})

test('PWD-2 R11 an expired or used link requests a new one; the one that is used ends others', async () => {
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
  expect((await spend(third, goodPassword)).status).toBe(204)
  expect((await check(second)).problem.code).toBe('link-expired')
  // A used one sends a reset link, because the account has a password now.
  expect((await again(third)).status).toBe(200)
  await portal.deliver()
  const fourth = linkToken(portal, person.email)
  expect((await check(fourth)).body).toMatchObject({ purpose: 'reset', invited: null })
  // No dead link has set anything.
  for (const dead of [token, second, third])
    expect((await spend(dead, 'Inne-Haslo-2026!')).problem.code).toMatch(/^link-/)
  expect((await spend(fourth, 'Inne-Haslo-2026!')).status).toBe(204)
})

test('R11 R3 a link from a former mailbox sends the new one to the new address, shown masked', async () => {
  const { person, particulars, token } = await invite()
  const email = `zaba-${crypto.randomUUID().slice(0, 8)}@nowa-poczta.example`
  await putPerson(portal, { ...particulars, email }, person.id)
  const answer = await fresh().raw('POST', sendLinkAgain.path, { token })
  const text = await answer.text()
  expect(JSON.parse(text)).toEqual({ to: 'z•••@n•••.example' })
  const before = linkMails(portal, person.email).length
  await portal.deliver()
  expect([linkMails(portal, person.email).length, linkMails(portal, email).length]).toEqual([before, 1])
  expect(text).not.toContain(linkToken(portal, email))
  expect(await findLink(portal.db, linkToken(portal, email), passwordPurposes)).toMatchObject({ state: 'good' })
})

test('PWD-2 R29 three new links an hour leave for one account, and no answer reveals it', async () => {
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

test('PWD-2 R78 one network asks ten times an hour, and made-up tokens count too', async () => {
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
