import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { limits } from '../../contract/limits.ts'
import { dayMs } from '../../contract/rules/warsaw-time.ts'
import { removeSealUser, exportSealUsers } from '../../contract/seal-users.ts'
import * as contract from '../../contract/seals.ts'
import { fromBase32, hotp, totpStep } from '../../pki/totp.ts'
import { auditEntries, readAuditedActions } from '../testing/audit-entries.ts'
import type { TestBrowser } from '../testing/browser.ts'
import { manySends, openPortalWithProvider } from '../testing/open-portal.ts'
import { shownSecret } from '../testing/samples/activation-samples.ts'
import { addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import { makeSeal, member, signInToManage, inviteTo } from '../testing/samples/sample-seals.ts'
import { stepUp } from '../testing/test-customers.ts'

const { portal, provider } = await openPortalWithProvider({ settings: manySends })

const inDays = (days: number) => new Date(Date.now() + days * dayMs)

test('SEA-1 HOM-3 the list shows the data of certificate and agreement, active seals by nearest end, then inactive ones; home counts them', async () => {
  const person = await addCustomer(portal)
  const far = await makeSeal(portal, provider, [member(person, 'user')], { to: inDays(300), period: '2_year' })
  const near = await makeSeal(portal, provider, [member(person)], { from: inDays(-300), to: inDays(40) })
  const over = await makeSeal(portal, provider, [member(person)], {
    from: inDays(-90),
    to: inDays(-3),
    product: 'card',
  })
  const held = await makeSeal(portal, provider, [member(person)], { to: inDays(100), status: 'suspended' })
  const browser = await signInDirectly(portal, person)
  const { body } = await browser.call(contract.listSeals)
  expect(body.items.map(({ id, status, reason }) => [id, status, reason])).toEqual([
    [near.id, 'active', null],
    [far.id, 'active', null],
    [held.id, 'inactive', 'suspended'],
    [over.id, 'inactive', 'expired'],
  ])
  expect(body.items[1]).toMatchObject({
    product: 'app',
    name: 'Stowarzyszenie Łączność – pieczęć',
    organisation: { name: 'Stowarzyszenie Łączność', identifier: 'VATPL-5250001090' },
    period: '2_year',
    psd2: null,
    agreement: 'generating',
    canPair: true,
    role: 'user',
    administrators: [],
  })
  expect(body.items[0]!.administrators).toEqual([
    { name: `${person.firstName} ${person.surname}`, email: person.email },
  ])
  const { body: sum } = await browser.call(contract.summariseSeals)
  expect([sum.active, sum.inactive, sum.attention.map(({ id }) => id), sum.nearestEnd?.id, sum.begins]).toEqual([
    2,
    2,
    // The expired one is on a card, so the others do not replace it.
    [over.id, near.id, held.id],
    near.id,
    null,
  ])
})

test('HOM-3 an expired seal is shown for fourteen days, unless the customer can use another seal of the organisation, of the same kind', async () => {
  const person = await addCustomer(portal)
  const named = async () =>
    (await (await signInDirectly(portal, person)).call(contract.summariseSeals)).body.attention.map(({ id }) => id)
  const identifier = 'VATPL-1234563218'
  const from = inDays(-90)
  const over = await makeSeal(portal, provider, [member(person)], { from, to: inDays(-3), identifier })
  await makeSeal(portal, provider, [member(person)], { from, to: inDays(-15), identifier })
  await makeSeal(portal, provider, [member(person)], { to: inDays(300) })
  // Of the same organisation, but not theirs.
  await makeSeal(portal, provider, [member(await addCustomer(portal))], { to: inDays(300), identifier })
  // Of the same organisation, but with the key in another place: one cannot do what the other did.
  await makeSeal(portal, provider, [member(person)], { to: inDays(300), identifier, product: 'card' })
  expect(await named()).toEqual([over.id])
  await makeSeal(portal, provider, [member(person)], { to: inDays(300), identifier })
  expect(await named()).toEqual([])
})

test('SEA-12 R36 the filters keep order, pages and cursors, and invitations are shown with each', async () => {
  const person = await addCustomer(portal)
  const give = (days: number, period: '30_days' | '1_year', over = {}) =>
    makeSeal(portal, provider, [member(person)], { from: inDays(-30), to: inDays(days), period, ...over })
  const made = await Promise.all(Array.from({ length: 22 }, (_, i) => give(40 + i, '1_year')))
  await give(-1, '1_year')
  await give(-2, '30_days')
  await makeSeal(portal, provider, [member(person, 'user', 'pending')])
  const browser = await signInDirectly(portal, person)
  const query = { status: 'active', period: '1_year' } as const
  const { body: first } = await browser.call(contract.listSeals, { query })
  const { body: second } = await browser.call(contract.listSeals, { query: { ...query, cursor: first.next! } })
  expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(made.map(({ id }) => id))
  expect([first.items.length, second.next, first.invitations.length]).toEqual([20, null, 1])
  const stranger = await signInDirectly(portal, await addCustomer(portal))
  const foreign = await stranger.call(contract.listSeals, { query: { ...query, cursor: first.next! } })
  expect(foreign.problem.code).toBe('cursor-refused')
  const none = (await browser.call(contract.listSeals, { query: { product: 'file' } })).body
  expect([none.items, none.invitations.length]).toEqual([[], 1])
  const past = (await browser.call(contract.listSeals, { query: { status: 'inactive', period: '30_days' } })).body
  expect(past.items.map(({ reason }) => reason)).toEqual(['expired'])
})

test('SEA-13 seals are found by organisation, identifier and name, without diacritics and in any case, and the list names their organisations', async () => {
  const person = await addCustomer(portal)
  const give = (organisation: string, identifier: string) =>
    makeSeal(portal, provider, [member(person)], { organisation, identifier })
  const lodz = await give('Łódzka Sp. z o.o.', 'VATPL-1234563218')
  const bank = await give('Żółty Bank S.A.', 'NTRPL-0000123456')
  const again = await give('Żółty Bank S.A.', 'NTRPL-0000123456')
  // Of the same organisation, but not theirs; and one to which they are only invited.
  await makeSeal(portal, provider, [member(await addCustomer(portal))], { organisation: 'Łódzka Sp. z o.o.' })
  await makeSeal(portal, provider, [member(person, 'user', 'pending')], { organisation: 'Łódź i Syn' })
  const browser = await signInDirectly(portal, person)
  const found = async (query: { search?: string; organisation?: string; status?: 'inactive' }) =>
    (await browser.call(contract.listSeals, { query })).body.items.map(({ id }) => id).toSorted()
  const banks = [bank.id, again.id].toSorted()
  expect(await found({ search: ' lodzka SP. ' })).toEqual([lodz.id])
  expect(await found({ search: 'vatpl-12345' })).toEqual([lodz.id])
  expect(await found({ search: 'zolty bank s.a. – pieczec' })).toEqual(banks)
  expect(await found({ organisation: 'Żółty Bank S.A.' })).toEqual(banks)
  expect(await found({ search: 'bank', status: 'inactive' })).toEqual([])
  // What is special in a pattern is a character like any other.
  expect(await found({ search: '%' })).toEqual([])
  const { organisations } = (await browser.call(contract.listSeals, { query: { search: 'bank' } })).body
  expect(organisations).toEqual(['Łódzka Sp. z o.o.', 'Żółty Bank S.A.'])
})

test('SEA-1 SEA-6 SIG-3 each user of a seal pairs an app of their own, behind a fresh code; it ends with their access', async () => {
  const [anna, bob] = [await addCustomer(portal), await addCustomer(portal)]
  const seal = await makeSeal(portal, provider, [member(anna), member(bob)])
  const params = { id: seal.id }
  const keys: string[] = []
  for (const person of [anna, bob]) {
    const browser = await signInDirectly(portal, person)
    expect((await browser.call(contract.startSealPairing, { params })).problem.code).toBe('step-up-required')
    await stepUp(portal, browser, person, 'pair-seal', seal.id)
    const body = shownSecret((await browser.call(contract.startSealPairing, { params })).body)
    keys.push(body.key)
    const code = hotp(fromBase32(body.key)!, totpStep(new Date()))
    const proven = await browser.call(contract.confirmSealPairing, { params, body: { code } })
    expect([proven.status, proven.body.pairedAt !== null]).toEqual([200, true])
    // Each code counts once (RFC 6238 §5.2); an identical request would get the first answer (R112).
    const again = await browser.call(contract.confirmSealPairing, { params, body: { code: `${code} ` } })
    expect(again.problem.code).toBe('pairing-code-wrong')
  }
  expect(keys[0]).not.toBe(keys[1])
  const manager = await signInToManage(portal, anna, seal.id)
  await manager.call(removeSealUser, { params: { ...params, user: seal.users[1]!.id } })
  const { rows } = await portal.owner.query(`select seal_user_id from seal_pairings where seal_user_id = any($1)`, [
    seal.users.map(({ id }) => id),
  ])
  expect(rows).toEqual([{ seal_user_id: seal.users[0]!.id }])
})

test('SEA-1 a seal on a card has no QR code, and neither has an inactive seal', async () => {
  const person = await addCustomer(portal)
  const seals = [
    await makeSeal(portal, provider, [member(person)], { product: 'card' }),
    await makeSeal(portal, provider, [member(person)], { status: 'revoked' }),
    await makeSeal(portal, provider, [member(person)], { from: inDays(2) }),
  ]
  const browser = await signInDirectly(portal, person)
  const { body } = await browser.call(contract.listSeals)
  expect(body.items.map(({ canPair }) => canPair)).toEqual([false, false, false])
  for (const { id } of seals) {
    await stepUp(portal, browser, person, 'pair-seal', id)
    expect((await browser.call(contract.startSealPairing, { params: { id } })).problem.code).toBe(
      'pairing-not-possible',
    )
  }
})

const filePath = (id: string, format: string) =>
  contract.downloadSealCertificate.path.replace(':id', id).replace(':format', format)

async function certificatesOf(id: string) {
  const rows = await portal.rows('select certificate, chain from seals where id = $1', [id])
  return [rows[0]!.certificate, ...rows[0]!.chain]
}

test('SEA-14 a seal’s certificate is shown to its users, and each download is in their history', async () => {
  const [administrator, user] = [await addCustomer(portal), await addCustomer(portal)]
  const options = { organisation: 'Zażółć Gęślą S.A.', identifier: 'VATPL-1234563218' }
  const { id } = await makeSeal(portal, provider, [member(administrator), member(user, 'user')], options)
  const certificates = await certificatesOf(id)
  for (const person of [administrator, user]) {
    const { body } = await (await signInDirectly(portal, person)).call(contract.readSealCertificate, { params: { id } })
    expect(body).toMatchObject({ serialNumber: new X509Certificate(certificates[0]).serialNumber, qualified: true })
    expect(body.subject).toContainEqual(expect.objectContaining({ name: 'O', value: 'Zażółć Gęślą S.A.' }))
    expect(body.chain.map(({ subject }) => subject)).toEqual(['Sygnet TEST Qualified CA', 'Sygnet TEST Root CA'])
  }
  const browser = await signInDirectly(portal, user)
  const download = async (format: string) =>
    Buffer.from(await (await browser.raw('GET', filePath(id, format))).arrayBuffer())
  expect(await download('der')).toEqual(certificates[0])
  const blocks = (await download('pem')).toString().match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)!
  expect(blocks.map((block) => new X509Certificate(block).raw)).toEqual(certificates)
  const entries = (login: string) =>
    auditEntries(portal, { login, action: 'certificate-downloaded', details: { seal: id } })
  expect((await entries(user.login)).map(({ details }) => details['format'])).toEqual(['der', 'pem'])
  expect(await entries(administrator.login)).toEqual([])
})

test('SEA-14 R34 R40 whoever is only invited, was removed, or never had access gets neither', async () => {
  const [administrator, removed, invited, stranger] = await Promise.all(
    Array.from({ length: 4 }, () => addCustomer(portal)),
  )
  const { id, users } = await makeSeal(portal, provider, [
    member(administrator!),
    member(removed!, 'user'),
    member(invited!, 'user', 'pending'),
  ])
  const before = await signInDirectly(portal, removed!)
  expect((await before.call(contract.readSealCertificate, { params: { id } })).status).toBe(200)
  const manager = await signInToManage(portal, administrator!, id)
  expect((await manager.call(removeSealUser, { params: { id, user: users[1]!.id } })).status).toBe(200)
  for (const browser of [before, await signInDirectly(portal, invited!), await signInDirectly(portal, stranger!)]) {
    const { status, problem } = await browser.call(contract.readSealCertificate, { params: { id } })
    expect([status, problem.code]).toEqual([404, 'not-found'])
    expect((await browser.raw('GET', filePath(id, 'pem'))).status).toBe(404)
  }
  expect(await auditEntries(portal, { action: 'certificate-downloaded', details: { seal: id } })).toEqual([])
})

async function makeAdministered() {
  const person = await addCustomer(portal, { firstName: 'Anna', surname: 'Nowak' })
  return { person, seal: await makeSeal(portal, provider, [member(person)]) }
}

const download = (browser: TestBrowser, seal: string, locale = 'pl') =>
  browser.raw('GET', `${exportSealUsers.path.replace(':id', seal)}?locale=${locale}`)

/** Returns the cells of each line, without the byte order mark. */
const cellsOf = (text: string, separator: string) =>
  text
    .trimEnd()
    .split('\r\n')
    .map((line) => line.slice(1, -1).split(`"${separator}"`))

test('SEA-17 R214 R76 the list of users is a table with all of them, whose cells no spreadsheet takes for formulas', async () => {
  const { person, seal } = await makeAdministered()
  await portal.clock.stopAt(new Date('2030-06-01T10:00:00Z'))
  await inviteTo(portal, seal.providerId, {
    firstName: '=HYPERLINK("https://evil.example")',
    surname: '@SUM(A1)',
    email: 'a@mail.example',
    phone: '+48600100417',
  })
  const gone = await inviteTo(portal, seal.providerId, { firstName: 'Jan', surname: 'Kos', email: 'b@mail.example' })
  const browser = await signInToManage(portal, person, seal.id)
  await browser.call(removeSealUser, { params: { id: seal.id, user: gone.id } })
  const answer = await download(browser, seal.id)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
  expect(answer.headers.get('content-disposition')).toContain('filename="uzytkownicy-pieczeci.csv"')
  const text = await answer.text()
  const [heads, first, second, third] = cellsOf(text, ';')
  expect(heads).toContain('Dostęp od')
  expect(first!.slice(0, 3)).toEqual(['1', 'Anna', 'Nowak'])
  expect(first!.slice(5, 7)).toEqual(['admin', 'aktywny'])
  expect(second).toEqual([
    '2',
    `'=HYPERLINK(""https://evil.example"")`,
    `'@SUM(A1)`,
    'a@mail.example',
    `'+48 ••• ••• 417`,
    'user',
    'oczekuje na aktywację',
    '2030-06-01 12:00:00',
    '2030-06-08 12:00:00',
    '',
    '',
  ])
  expect([third!.slice(1, 3), third!.slice(6)]).toEqual([
    ['Jan', 'Kos'],
    ['usunięty', '2030-06-01 12:00:00', '', '', '2030-06-01 12:00:00'],
  ])
  expect(text).not.toContain('600100417')
  expect(cellsOf(await (await download(browser, seal.id, 'en')).text(), ',')[0]).toContain('Access since')
  expect(await readAuditedActions(portal, { login: person.login })).toContain('seal-users-exported')
  await portal.clock.advance(0)
})

test('SEA-17 R214 one Administrator gets so many lists in an hour', async () => {
  const { person, seal } = await makeAdministered()
  const browser = await signInDirectly(portal, person)
  const { limit } = limits.seal.exports
  const answers = await Promise.all(
    Array.from({ length: limit + 3 }, () => download(browser, seal.id).then(({ status }) => status)),
  )
  expect(answers.filter((status) => status === 200)).toHaveLength(limit)
  const refused = await download(browser, seal.id)
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
})
