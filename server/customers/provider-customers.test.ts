import { sql } from 'kysely'
import { describe, expect, test, beforeEach } from 'vitest'
import { readSession, signIn } from '../../contract/account.ts'
import type { Identification } from '../../contract/identification.ts'
import { limits } from '../../contract/limits.ts'
import { checkPasswordLink } from '../../contract/password-link.ts'
import * as providerApi from '../../contract/provider/provider-customers.ts'
import { putCustomer, searchCustomers } from '../../contract/provider/provider-customers.ts'
import { register } from '../../contract/registration.ts'
import { findPersonalData } from '../personal-data/personal-data-store.ts'
import { readAuditedActions, auditEntries } from '../testing/audit-entries.ts'
import { exhaustive } from '../testing/breadth.ts'
import * as testBrowsers from '../testing/browser.ts'
import { openBrowser } from '../testing/browser.ts'
import { findAccountId } from '../testing/database-state.ts'
import { manySends, openPortalWithProvider } from '../testing/open-portal.ts'
import { now, samplePerson, sampleIdentification } from '../testing/portal-nodes.ts'
import { addCustomer } from '../testing/samples/ready-customers.ts'
import { registrationForm } from '../testing/samples/registration-forms.ts'
import * as sentMessages from '../testing/sent-messages.ts'
import { linkToken } from '../testing/sent-messages.ts'
import * as testCustomers from '../testing/test-customers.ts'
import { makeCustomer, passPassword, signInAs, type Person } from '../testing/test-customers.ts'

const { portal, provider } = await openPortalWithProvider({ nodes: 2, settings: manySends })

const { call } = testBrowsers.openBrowser(portal)
const newId = () => `c-${crypto.randomUUID()}`
const put = (customer: string, body: ReturnType<typeof samplePerson>, node = 0) =>
  call(providerApi.putCustomer, { params: { customer }, body }, node)
const get = (customer: string) => call(providerApi.getCustomer, { params: { customer } })
const mailsTo = (to: string) => sentMessages.readDeliveredTo(portal, to)
const actionsOf = (login: string) => readAuditedActions(portal, { login })

beforeEach(() => portal.owner.query('delete from rate_limits'))
type Search = Parameters<typeof search>[0]
const search = (body: { email?: string; login?: string; phone?: string; identifier?: string; cursor?: string }) =>
  call(searchCustomers, { body })
const foundBy = async (by: Search) => (await search(by)).body.items.map(({ customer }) => customer)

test('PRV-4 a customer is found by e-mail, login, phone and identifier in any spelling, and by nothing else', async () => {
  const { id: customer, password: _, ...person } = await addCustomer(portal)
  const identification = { ...sampleIdentification, identificationNumber: '44051401458' }
  await call(putCustomer, { params: { customer }, body: { ...person, identification } })
  const [local = '', domain = ''] = person.email.split('@')
  for (const by of [
    { email: person.email },
    { email: `${local.toUpperCase()}@${domain}` },
    { login: person.login.toUpperCase() },
    { phone: person.phone },
    { identifier: 'PNOPL-44051401458' },
  ])
    expect([by, await foundBy(by)]).toEqual([by, [customer]])
  for (const by of [
    { email: `x${person.email}` },
    { login: person.login.slice(1) },
    { phone: `${person.phone.slice(0, -1)}${(Number(person.phone.at(-1)) + 1) % 10}` },
    { identifier: 'PNODE-44051401458' },
    { identifier: 'TINPL-44051401458' },
    { identifier: 'ECN-44051401458' },
  ])
    expect([by, await foundBy(by)]).toEqual([by, []])
  const [item] = (await search({ phone: person.phone })).body.items
  const { acceptances: __, ...found } = person
  const account = await findAccountId(portal, person)
  expect(item).toMatchObject({ customer, ...found, state: 'active', account })
  expect(item).not.toHaveProperty('identification')
})

test('PRV-4 a changed number finds its customer and the former one nobody; a certificate’s number finds its owner', async () => {
  const { id: customer, password: _, ...person } = await addCustomer(portal)
  const phone = samplePerson().phone
  await call(putCustomer, { params: { customer }, body: { ...person, phone } })
  expect([await foundBy({ phone }), await foundBy({ phone: person.phone })]).toEqual([[customer], []])
  await provider.give({ id: customer }, { subject: { serialNumber: 'PASDE-C01X00T47' } })
  expect(await foundBy({ identifier: 'PASDE-C01X00T47' })).toEqual([customer])
})

test('PRV-4 several customers with one number are found page by page, each once', async () => {
  const phone = samplePerson().phone
  const howMany = limits.list.sizes[0] + 3
  const customers = await Promise.all(Array.from({ length: howMany }, () => addCustomer(portal, { phone })))
  const first = (await search({ phone })).body
  expect(first.items).toHaveLength(limits.list.sizes[0])
  const rest = (await search({ phone, cursor: first.next! })).body
  expect(rest.next).toBeNull()
  const found = [...first.items, ...rest.items].map(({ customer }) => customer)
  expect(new Set(found)).toEqual(new Set(customers.map(({ id }) => id)))
  expect(found).toHaveLength(howMany)
  // A position belongs to its search.
  expect((await search({ phone: samplePerson().phone, cursor: first.next! })).problem.code).toBe('cursor-refused')
})

test('PRV-4 R142 a search names exactly one of them, every search is in the audit trail without the value, and a key has six hundred an hour', async () => {
  const person = await addCustomer(portal)
  for (const by of [{}, { email: person.email, phone: person.phone }, { phone: '123' }, { identifier: '44051401458' }])
    expect((await search(by)).problem.code).toBe('invalid-input')
  await search({ phone: person.phone })
  const entry = (await auditEntries(portal, { login: person.login, action: 'customers-searched' })).at(-1)
  expect(entry).toMatchObject({ actor: 'provider', details: { by: 'phone', found: 1 } })
  expect(JSON.stringify(entry)).not.toContain(person.phone)
  await portal.clock.advance(limits.provider.searches.window)
  let judged = 0
  while ((await search({ login: 'nobody-at-all' })).status === 200) judged++
  expect(judged).toBe(limits.provider.searches.limit)
  expect((await search({ login: 'nobody-at-all' })).problem).toMatchObject({ status: 429, code: 'too-many-requests' })
})

describe('OPS-4 customers', () => {
  test('OPS-4 REG-4 a new customer is created, invited once, and read back as put', async () => {
    const [id, person] = [newId(), samplePerson({ locale: 'en', secondName: 'Ewa' })]
    const created = await put(id, person)
    expect(created).toMatchObject({ status: 200, body: { ...person, state: 'invited' } })
    expect((await get(id)).body).toEqual(created.body)
    const mails = await mailsTo(person.email)
    expect(mails).toHaveLength(1)
    expect(mails[0]!.text).toContain('https://portal.example/en/setup-password/')
    expect(mails[0]!.text).toContain(person.login)
    expect(await actionsOf(person.login)).toEqual(['customer-created', 'data-read'])
  })

  test('OPS-4 R60 equal PUTs, at once and later, make one customer and one invitation', async () => {
    const [id, person] = [newId(), samplePerson()]
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => put(id, person, i % 2)))
    answers.push(await put(id, person, 0), await put(id, person, 1))
    expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1)
    expect(await mailsTo(person.email)).toHaveLength(1)
    expect(await actionsOf(person.login)).toEqual(['customer-created'])
  })

  test('OPS-4 new data replace the old, but the language that the customer chose stays', async () => {
    const person = await testCustomers.makeCustomer(portal)
    const changed = { ...samplePerson({ locale: 'en' }), login: person.login }
    expect((await put(person.id, changed)).body).toMatchObject({ ...changed, locale: 'pl', state: 'active' })
    expect(await actionsOf(person.login)).toContain('customer-updated')
    const byNewMail = await call(signIn, { body: { login: changed.email, password: testCustomers.goodPassword } })
    expect(byNewMail.status).toBe(200)
    const byOldMail = await call(signIn, { body: { login: person.email, password: testCustomers.goodPassword } })
    expect(byOldMail.problem.code).toBe('login-refused')
  })

  test('OPS-4 R19 a login or e-mail of another account, in any spelling, as login or as e-mail, is refused and changes nothing', async () => {
    const owner = samplePerson({ login: 'Owner.Of-Name', email: 'Owner@Żółw.example' })
    await put(newId(), owner)
    const rivals = [
      { login: 'owner.of-name' },
      { login: 'OWNER.OF-NAME' },
      { email: 'OWNER@żółw.EXAMPLE' },
      { email: 'owner@xn--w-uga1v8h.example' },
      { email: owner.email },
    ]
    for (const over of rivals) {
      const id = newId()
      expect([over, (await put(id, samplePerson(over))).problem.code]).toEqual([over, 'login-taken'])
      expect((await get(id)).status).toBe(404)
    }
    const otherCustomer = samplePerson()
    const id = newId()
    await put(id, otherCustomer)
    const taken = { status: 422, code: 'login-taken' }
    expect((await put(id, { ...otherCustomer, login: owner.login })).problem).toMatchObject(taken)
    expect((await get(id)).body).toMatchObject(otherCustomer)
  })

  test('OPS-4 of two concurrent PUTs of one name for two customers, exactly one succeeds', async () => {
    for (let round = 0; round < (exhaustive ? 5 : 2); round++) {
      const { login } = samplePerson()
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, i) => put(newId(), samplePerson({ login }), i % 2)),
      )
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422, 422, 422, 422, 422])
    }
  })

  test('OPS-4 a customer without a password can be invited again, which voids the earlier link; one with a password cannot', async () => {
    const [id, person] = [newId(), samplePerson()]
    await put(id, person)
    await portal.deliver()
    const first = sentMessages.linkToken(portal, person.email)
    expect((await call(providerApi.inviteCustomer, { params: { customer: id } })).status).toBe(200)
    expect(await mailsTo(person.email)).toHaveLength(2)
    const second = sentMessages.linkToken(portal, person.email)
    expect((await call(checkPasswordLink, { body: { token: first } })).problem.code).toBe('link-expired')
    expect((await call(checkPasswordLink, { body: { token: second } })).status).toBe(200)
    const active = await testCustomers.makeCustomer(portal)
    const again = await call(providerApi.inviteCustomer, { params: { customer: active.id } })
    expect(again.problem).toMatchObject({ status: 422, code: 'already-active' })
  })

  test('PRV-11 reported acceptances are read back, replaced, and kept by a PUT without them', async () => {
    const [id, { acceptances: _, ...person }] = [newId(), samplePerson()]
    const terms = { version: '2025-10-01', at: '2025-11-02T10:30:00.000Z' }
    const privacy = { version: '2025-09-01', at: '2025-11-02T10:30:00.001Z' }
    expect((await put(id, person)).body).not.toHaveProperty('acceptances')
    expect((await put(id, { ...person, acceptances: { terms } })).body.acceptances).toEqual({ terms })
    const corrected = { version: '2025-10-02', at: '2025-10-30T23:00:00.000Z' }
    for (const [acceptances, expected] of [
      [{ privacy }, { terms, privacy }],
      [{ privacy }, { terms, privacy }],
      [{}, { terms, privacy }],
      [undefined, { terms, privacy }],
      [{ terms: corrected }, { terms: corrected, privacy }],
    ] as const) {
      const body = acceptances ? { ...person, acceptances } : person
      expect([acceptances, (await put(id, body, 1)).body.acceptances]).toEqual([acceptances, expected])
    }
    expect((await get(id)).body.acceptances).toEqual({ terms: corrected, privacy })
    const masked = await call(providerApi.getMaskedCustomer, { params: { customer: id } })
    expect(masked.body.acceptances).toEqual({ terms: corrected, privacy })
    // A repetition is no change.
    const entries = await auditEntries(portal, { login: person.login })
    expect(entries.filter(({ action }) => action === 'customer-updated').map(({ details }) => details)).toMatchObject([
      { 'terms-accepted': '2025-10-01 at 2025-11-02T10:30:00.000Z' },
      { 'privacy-accepted': '2025-09-01 at 2025-11-02T10:30:00.001Z' },
      { 'terms-accepted': '2025-10-02 at 2025-10-30T23:00:00.000Z' },
    ])
  })

  test('PRV-11 equal PUTs at once record one report', async () => {
    const [id, { acceptances, ...person }] = [newId(), samplePerson()]
    await put(id, person)
    const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => put(id, { ...person, acceptances }, i % 2)))
    expect(new Set(answers.map(({ body }) => JSON.stringify(body.acceptances))).size).toBe(1)
    expect(await actionsOf(person.login)).toEqual(['customer-created', 'customer-updated'])
  })

  test('PRV-11 an acceptance in the future, or in another form, is refused at its field', async () => {
    const [id, person] = [newId(), samplePerson()]
    const good = { version: '2025-10-01', at: '2025-11-02T10:30:00.000Z' }
    const later = (ms: number) => new Date(at.getTime() + ms).toISOString()
    const at = await now(portal.db)
    await portal.clock.stopAt(at)
    for (const [acceptances, name, problem] of [
      [{ terms: good, privacy: { ...good, at: later(300_001) } }, 'acceptances.privacy.at', 'date-range'],
      [{ terms: { ...good, at: '2025-11-02' } }, 'acceptances.terms.at', 'format'],
      [{ terms: { ...good, version: '3' } }, 'acceptances.terms.version', 'date-format'],
      [{ terms: { at: good.at } }, 'acceptances.terms.version', 'required'],
      [{ marketing: good }, 'acceptances.marketing', 'unknown-field'],
    ] as const) {
      const answer = await put(id, { ...person, acceptances } as typeof person)
      expect([acceptances, answer.status, answer.problem.fields]).toEqual([acceptances, 400, [{ name, problem }]])
      expect((await get(id)).status).toBe(404)
    }
    expect((await put(id, { ...person, acceptances: { terms: { ...good, at: later(300_000) } } })).status).toBe(200)
    await portal.clock.advance(0)
  })

  test('OPS-4 malformed input is refused by field, and nothing is created', async () => {
    const wrong: [Partial<Record<keyof ReturnType<typeof samplePerson>, unknown>>, string, string][] = [
      [{ login: 'ab' }, 'login', 'format'],
      [{ email: 'nobody' }, 'email', 'email-format'],
      [{ phone: '600700800' }, 'phone', 'phone-format'],
      [{ firstName: ' ' }, 'firstName', 'required'],
      [{ surname: 'x'.repeat(101) }, 'surname', 'too-long'],
      [{ surname: 'A\nB' }, 'surname', 'format'],
      [{ locale: 'de' }, 'locale', 'format'],
      [{ secondName: undefined }, 'secondName', 'required'],
    ]
    for (const [over, name, problem] of wrong) {
      const id = newId()
      const answer = await put(id, { ...samplePerson(), ...over } as ReturnType<typeof samplePerson>)
      expect([over, answer.status, answer.problem.fields]).toEqual([over, 400, [{ name, problem }]])
      expect((await get(id)).status).toBe(404)
    }
    for (const id of ['', '-a', '.a', 'a b', 'ą', 'x'.repeat(65), '..', 'a/b', '%00'])
      expect([id, [400, 404].includes((await put(id, samplePerson())).status)]).toEqual([id, true])
  })
})

describe('OPS-4 blocking', () => {
  test('OPS-4 AUT-4 R40 a blocked customer is signed out everywhere at once, half-way sign-ins too', async () => {
    const person = await testCustomers.makeCustomer(portal)
    const sessions = await Promise.all([testCustomers.signInAs(portal, person), testCustomers.signInAs(portal, person)])
    const { browser: pending } = await testCustomers.passPassword(portal, person)
    expect((await call(providerApi.blockCustomer, { params: { customer: person.id } }, 1)).body.state).toBe('blocked')
    for (const node of [0, 1])
      for (const browser of sessions) expect((await browser.call(readSession, {}, node)).status).toBe(401)
    expect((await pending.raw('POST', '/api/sign-in/code', { code: '000000' })).status).toBe(401)
    const signedIn = await call(signIn, { body: { login: person.login, password: person.password } })
    expect(signedIn.problem.code).toBe('account-blocked')
    expect(await actionsOf(person.login)).toContain('account-blocked')
    const nobody = await call(providerApi.blockCustomer, { params: { customer: newId() } })
    expect(nobody.problem).toMatchObject({ status: 404, code: 'not-found' })
  })

  test('OPS-4 AUT-4 the customer is notified of the provider’s block, once, with its true reason', async () => {
    for (const [locale, subject, reason, link] of [
      [
        'pl',
        'Sygnet: konto zostało zablokowane',
        'Powodem nie były błędne hasła.',
        'https://portal.example/password-reset',
      ],
      [
        'en',
        'Sygnet: your account was blocked',
        'This has nothing to do with wrong passwords.',
        'https://portal.example/en/password-reset',
      ],
    ] as const) {
      const person = await testCustomers.makeCustomer(portal, { locale })
      const notices = () => portal.mails.filter(({ to, subject: about }) => to === person.email && about === subject)
      const at = () => portal.owner.query('select blocked_at from accounts where login = $1', [person.login])
      const params = { customer: person.id }
      const first = await call(providerApi.blockCustomer, { params })
      const before = (await at()).rows
      // Repeating the call, for example every night, changes nothing and causes no further mail.
      for (const node of [0, 1])
        expect((await call(providerApi.blockCustomer, { params }, node)).body).toEqual(first.body)
      await portal.clock.advance(limits.signIn.block.window + 1)
      await call(providerApi.blockCustomer, { params })
      expect((await at()).rows).toEqual(before)
      await portal.deliver()
      expect(notices()).toHaveLength(1)
      const { text, html } = notices()[0]!
      expect(text).toContain('Sygnet TEST')
      for (const part of [text, html]) for (const detail of [reason, link]) expect(part).toContain(detail)
      // The link in the mail unblocks the account: only a new password is required.
      const newPassword = 'Nowe-Haslo-2027?'
      const reset = testBrowsers.openBrowser(portal)
      await testCustomers.askForReset(portal, person.email, reset)
      expect((await testCustomers.spendMailedLink(portal, person.email, reset, newPassword)).status).toBe(204)
      const browser = await testCustomers.signInAs(portal, { ...person, password: newPassword })
      expect((await browser.call(readSession)).status).toBe(200)
    }
  })

  test('AUT-4 R17 an owner who was notified of wrong passwords is also notified of the provider’s block, and of neither twice a day', async () => {
    const person = await testCustomers.makeCustomer(portal)
    const notices = () =>
      portal.mails
        .filter(({ to, subject }) => to === person.email && subject === 'Sygnet: konto zostało zablokowane')
        .map(({ text }) => (text.includes('Powodem nie były błędne hasła.') ? 'provider' : 'wrong passwords'))
    const storm = async () => {
      for (let i = 0; i < 10; i++)
        await testBrowsers.openBrowser(portal, { address: `198.18.3.${i}` }).call(signIn, {
          body: { login: person.login, password: 'Wrong-Password-1!', botProof: crypto.randomUUID() },
        })
    }
    const block = () => call(providerApi.blockCustomer, { params: { customer: person.id } })
    const reopen = () => portal.owner.query('update accounts set blocked_at = null where login = $1', [person.login])
    await storm()
    await portal.deliver()
    expect(notices()).toEqual(['wrong passwords'])
    for (let i = 0; i < 3; i++) {
      await reopen()
      await block()
    }
    await portal.deliver()
    expect(notices()).toEqual(['provider', 'wrong passwords'])
  })
})

const changesOf = async (login: string) =>
  (await readAuditedActions(portal, { login })).filter((action) => action !== 'data-read')

test('OPS-4 DAT-1 identification data is stored as put, returned to the provider, and its change is audited once', async () => {
  const [id, person] = [newId(), samplePerson({ identification: sampleIdentification })]
  expect((await put(id, person)).body).toMatchObject({ ...person, state: 'invited' })
  expect((await get(id)).body.identification).toEqual(sampleIdentification)
  for (const node of [0, 1]) await put(id, person, node)
  expect(await changesOf(person.login)).toEqual(['customer-created'])
  const { document } = sampleIdentification
  const renewed: Identification = { ...sampleIdentification, document: { ...document, validTo: null } }
  expect((await put(id, { ...person, identification: renewed })).body.identification).toEqual(renewed)
  expect(await changesOf(person.login)).toEqual(['customer-created', 'customer-updated'])
  const blocked = await openBrowser(portal).call(providerApi.blockCustomer, { params: { customer: id } })
  expect(blocked.body.identification).toEqual(renewed)
})

test('OPS-4 R87 DSK-26 R251 data that a PUT omits are removed, but not during a legal hold, while a name can change', async () => {
  const [id, person] = [newId(), samplePerson({ identification: sampleIdentification })]
  await put(id, person)
  const hold = (at: string) => portal.owner.query(`update accounts set held_at = ${at} where provider_id = $1`, [id])
  await hold('portal_now()')
  const { identification: _, ...without } = person
  const held = { code: 'object-in-use', reason: 'legal-hold' }
  expect(await put(id, without)).toMatchObject({ status: 422, problem: held })
  expect((await put(id, { ...person, surname: 'Inna' })).body).toMatchObject({ surname: 'Inna' })
  expect((await get(id)).body.identification).toEqual(sampleIdentification)
  await hold('null')
  for (const { body } of [await put(id, without), await get(id)]) expect(body).not.toHaveProperty('identification')
  expect(await changesOf(person.login)).toEqual(['customer-created', 'customer-updated', 'customer-updated'])
  const account = await findAccountId(portal, person)
  expect((await portal.owner.query('select from personal_data where account_id = $1', [account])).rows).toEqual([])
})

test('VAL-3 VAL-4 OPS-4 an impossible number is refused at its field, and nothing is stored', async () => {
  const [id, person] = [newId(), samplePerson()]
  const { document } = sampleIdentification
  const wrong: [Partial<Identification>, string][] = [
    [{ identificationNumber: '44051401358' }, 'identification.identificationNumber'],
    [{ identifierType: 'TIN', identificationNumber: '1234563217' }, 'identification.identificationNumber'],
    [{ birthDate: '1944-05-15' }, 'identification.birthDate'],
    [{ document: { ...document, number: 'ABA300001' } }, 'identification.document.number'],
    [{ document: { ...document, type: 'PA', number: 'ZS0000178' } }, 'identification.document.number'],
    [{ issuingCountry: null }, 'identification.issuingCountry'],
  ]
  for (const [change, name] of wrong) {
    const refused = await put(id, { ...person, identification: { ...sampleIdentification, ...change } })
    expect([name, refused.status, refused.problem.fields]).toEqual([name, 400, [{ name, problem: 'format' }]])
  }
  const surplus = { ...sampleIdentification, religion: 'none' } as Identification
  const fields = [{ name: 'identification.religion', problem: 'unknown-field' }]
  expect((await put(id, { ...person, identification: surplus })).problem.fields).toEqual(fields)
  expect((await get(id)).status).toBe(404)
})

test('R83 identification data is encrypted for its row alone: a dump reveals none of it, and another row’s data cannot be decrypted', async () => {
  const people = [1, 2].map(() => samplePerson({ identification: sampleIdentification }))
  for (const person of people) await put(newId(), person)
  const [first, second] = await Promise.all(people.map((person) => findAccountId(portal, person)))
  const { rows } = await sql<{ row: string; encrypted: Buffer }>`select p::text as row, encrypted from personal_data p
    where account_id in (${first}, ${second})`.execute(portal.ownerDb)
  expect(rows).toHaveLength(2)
  const { identificationNumber, birthPlace, document } = sampleIdentification
  for (const { row, encrypted } of rows)
    for (const canary of [identificationNumber, birthPlace, document.number, 'identificationNumber'])
      expect(encrypted.includes(canary) || row.includes(Buffer.from(canary).toString('hex'))).toBe(false)
  expect(rows[0]!.encrypted.equals(rows[1]!.encrypted)).toBe(false)
  await sql`update personal_data p set encrypted = (select encrypted from personal_data q where q.account_id = ${second})
    where account_id = ${first}`.execute(portal.ownerDb)
  await expect(findPersonalData(portal.db, portal.portal.keys, first!)).rejects.toThrow()
  expect(await findPersonalData(portal.db, portal.portal.keys, second!)).toEqual(sampleIdentification)
})

const askForReset = (email: string) => testCustomers.askForReset(portal, email, openBrowser(portal))
const putChanged = ({ id, password: _, ...person }: Person, over: Partial<Person> = {}) =>
  openBrowser(portal).call(providerApi.putCustomer, { params: { customer: id }, body: { ...person, ...over } })
const resetLinks = async (email: string) =>
  (await sentMessages.readDeliveredTo(portal, email)).filter(({ text }) => text.includes('/setup-password/'))

test('R116 a key that changes e-mail and phone takes no account over: the owner is notified, sessions end, and no reset leaves in time', async () => {
  const victim = await makeCustomer(portal)
  const browser = await signInAs(portal, victim)
  const { browser: halfway } = await passPassword(portal, victim)
  const attacker = samplePerson()
  const before = [portal.mails.length, portal.texts.length]
  expect((await putChanged(victim, { email: attacker.email, phone: attacker.phone })).status).toBe(200)
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
    await putChanged(person, over)
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
  await putChanged(victim, { email: next.email })
  const checked = await openBrowser(portal).call(checkPasswordLink, { body: { token: early } })
  expect(checked.problem.code).toBe('link-expired')
  await askForReset(victim.email)
  expect(await resetLinks(victim.email)).toHaveLength(2)
  await askForReset(next.email)
  expect((await sentMessages.readDeliveredTo(portal, next.email)).map(({ subject }) => subject)[0]).toMatch(
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
  await putChanged(moved)
  const browser = await signInAs(portal, moved)
  expect((await browser.call(readSession)).status).toBe(200)
  const mails = portal.mails.length
  await putChanged(moved, { surname: 'Nowe-Nazwisko' })
  await portal.deliver()
  expect((await browser.call(readSession)).status).toBe(200)
  expect(portal.mails).toHaveLength(mails)
})

test('R11 R116 R115 an invited customer keeps the invitation until the e-mail changes, and a number that nobody confirmed gets no notice', async () => {
  const person = { ...samplePerson(), id: `c-${crypto.randomUUID()}`, password: '' }
  await putChanged(person)
  await portal.deliver()
  const invitation = linkToken(portal, person.email)
  await putChanged(person, { phone: samplePerson().phone })
  const check = () => openBrowser(portal).call(checkPasswordLink, { body: { token: invitation } })
  expect((await check()).status).toBe(200)
  await putChanged(person, { email: samplePerson().email })
  expect((await check()).problem.code).toBe('link-expired')

  const registered = registrationForm()
  await openBrowser(portal).call(register, { body: registered })
  await portal.deliver()
  await testCustomers.spendMailedLink(portal, registered.email, openBrowser(portal))
  await portal.deliver()
  await putChanged({ ...samplePerson({ email: registered.email }), id: `c-${crypto.randomUUID()}`, password: '' })
  await portal.deliver()
  expect(portal.texts.filter(({ to }) => to === registered.phone)).toEqual([])
  const subject = 'Sygnet: dane kontaktowe konta zostały zmienione'
  expect(portal.mails[0]).toMatchObject({ to: registered.email, subject })
})
