import { afterAll, beforeAll, expect, test } from 'vitest'
import { listSignatures, summariseSignatures } from '../../contract/signatures.ts'
import { openPortal } from '../testing/open-portal.ts'
import { type Person, type TestBrowser } from '../testing/browser.ts'
import { addCustomer, letIn } from '../testing/ready-customers.ts'
import { openTestProvider, type TestProvider } from '../testing/provider.ts'

let provider: TestProvider
const portal = await openPortal({ nodes: 2 })
beforeAll(async () => {
  provider = await openTestProvider(portal)
})
afterAll(async () => {
  provider.close()
})

const dayMs = 86_400_000
const today = Math.floor(Date.now() / dayMs) * dayMs
const inDays = (days: number) => new Date(today + days * dayMs)

type Owner = { person: Person; browser: TestBrowser }

async function makeOwner(): Promise<Owner> {
  const person = await addCustomer(portal)
  return { person, browser: await letIn(portal, person) }
}

test('SIG-1 a signature is listed with product, name, masked identifier, period, status and agreement', async () => {
  const owner = await makeOwner()
  const subject = {
    givenName: 'Małgorzata Anna',
    surname: 'Wiśniewska',
    serialNumber: 'PNOPL-44051401458',
    organisation: { name: 'Żuraw & Syn', identifier: 'VATPL-1234563218' },
  }
  const { id, providerId } = await provider.give(owner.person, {
    product: 'card',
    years: 2,
    from: inDays(-10),
    to: inDays(720),
    subject,
  })
  const expected = {
    id,
    product: 'card',
    name: 'Małgorzata Anna Wiśniewska',
    organisation: 'Żuraw & Syn',
    identifier: { type: 'PNO', country: 'PL', shown: '440514', hidden: 5 },
    years: 2,
    validFrom: inDays(-10).toISOString(),
    validTo: inDays(720).toISOString(),
    status: 'active',
    reason: null,
    agreement: 'generating',
    pairable: false,
    pairedAt: null,
    renewal: null,
  }
  expect((await owner.browser.call(listSignatures)).body).toEqual({ items: [expected], next: null })
  await provider.putAgreement(providerId)
  expect((await owner.browser.call(listSignatures)).body.items[0]!.agreement).toBe('ready')
})

test('SIG-1 R86 of an identifier the first half is shown, and no more than six characters, whatever its kind', async () => {
  const owner = await makeOwner()
  const cases = [
    ['PNOPL-44051401458', 'PNO', 'PL', '440514', 5],
    ['TINPL-1234563218', 'TIN', 'PL', '12345', 5],
    ['PASPL-ZS0000177', 'PAS', 'PL', 'ZS000', 4],
    ['IDCDE-ABA300000', 'IDC', 'DE', 'ABA30', 4],
    ['12345678901234567890', 'ECN', null, '123456', 14],
    ['71', 'ECN', null, '7', 1],
  ] as const
  for (const [serialNumber, identifierType, country, shown, hidden] of cases) {
    const { id } = await provider.give(owner.person, { identifierType, subject: { serialNumber } })
    const listed = (await owner.browser.call(listSignatures)).body.items.find((one) => one.id === id)
    expect(listed?.identifier).toEqual({ type: identifierType, country, shown, hidden })
  }
  const { body: list } = await owner.browser.call(listSignatures)
  const { body: sum } = await owner.browser.call(summariseSignatures)
  for (const [serialNumber] of cases.slice(0, 5))
    expect(JSON.stringify([list, sum])).not.toContain(serialNumber.replace(/^[A-Z]+-/, ''))
})

test('SIG-1 the status says in which way a signature is not active, to the second', async () => {
  const owner = await makeOwner()
  const [from, to] = [inDays(1), inDays(31)]
  const { id } = await provider.give(owner.person, { from, to })
  const stateAt = async (at: number) => {
    await portal.clock.stopAt(new Date(at))
    const browser = await letIn(portal, owner.person)
    const { status, reason, pairable } = (await browser.call(listSignatures)).body.items.find((one) => one.id === id)!
    return [status, reason, pairable]
  }
  expect(await stateAt(from.getTime() - 1000)).toEqual(['inactive', 'not-yet-valid', false])
  expect(await stateAt(from.getTime())).toEqual(['active', null, true])
  expect(await stateAt(to.getTime() - 1000)).toEqual(['active', null, true])
  expect(await stateAt(to.getTime())).toEqual(['inactive', 'expired', false])
  await portal.clock.advance(0)
  for (const status of ['suspended', 'revoked'] as const) {
    const bad = await provider.give(owner.person, { status })
    const listed = (await (await letIn(portal, owner.person)).call(listSignatures)).body.items.find(
      (one) => one.id === bad.id,
    )
    expect(listed).toMatchObject({ status: 'inactive', reason: status, pairable: false })
  }
})

test('HOM-3 SIG-1 the summary counts, and names what ends within sixty days or is suspended, nearest end first', async () => {
  const owner = await makeOwner()
  expect((await owner.browser.call(summariseSignatures)).body).toEqual({
    active: 0,
    inactive: 0,
    attention: [],
    further: 0,
    nearestEnd: null,
  })
  const from = inDays(-100)
  await provider.give(owner.person, { from, to: inDays(70) })
  const soon = await provider.give(owner.person, { from, to: inDays(59) })
  const sooner = await provider.give(owner.person, { from, to: inDays(3) })
  await provider.give(owner.person, { from, to: inDays(-3) })
  const suspended = await provider.give(owner.person, { from, status: 'suspended', to: inDays(2) })
  await provider.give(owner.person, { from, status: 'suspended', to: inDays(-2) })
  await provider.give(owner.person, { from, status: 'revoked', to: inDays(200) })
  const { body } = await owner.browser.call(summariseSignatures)
  expect(body).toMatchObject({ active: 3, inactive: 4, nearestEnd: { id: sooner.id } })
  expect(body.attention.map(({ id }) => id)).toEqual([suspended.id, sooner.id, soon.id])
  expect(body.further).toBe(0)
  // Of many that are due the first are named and all are counted.
  for (let i = 0; i < 25; i++) await provider.give(owner.person, { from, to: inDays(30 + i) })
  const { body: many } = await owner.browser.call(summariseSignatures)
  expect(many.attention.slice(0, 2).map(({ id }) => id)).toEqual([suspended.id, sooner.id])
  expect(many.attention.length).toBeGreaterThanOrEqual(20)
  expect(many.attention.length + many.further).toBe(3 + 25)
})

test('HOM-3 what has expired is named for fourteen days, unless another of its kind has taken its place', async () => {
  const owner = await makeOwner()
  const from = inDays(-400)
  const named = async () =>
    (await (await letIn(portal, owner.person)).call(summariseSignatures)).body.attention.map(({ id }) => id)
  const over = await provider.give(owner.person, { from, to: inDays(-1), product: 'card' })
  await provider.give(owner.person, { from, to: inDays(-15), product: 'card' })
  await provider.give(owner.person, { from, to: inDays(300), product: 'app' })
  expect(await named()).toEqual([over.id])
  // A renewal that begins later takes its place as well; a revoked one does not.
  await provider.give(owner.person, { from: inDays(5), to: inDays(365), product: 'card', status: 'revoked' })
  expect(await named()).toEqual([over.id])
  await provider.give(owner.person, { from: inDays(5), to: inDays(365), product: 'card' })
  expect(await named()).toEqual([])
})

test('HOM-3 a new signature of an app is named until it is paired, and for sixty days', async () => {
  const owner = await makeOwner()
  const named = async () =>
    (await (await letIn(portal, owner.person)).call(summariseSignatures)).body.attention.map(({ id }) => id)
  const to = inDays(700)
  const fresh = await provider.give(owner.person, { from: inDays(-1), to })
  await provider.give(owner.person, { from: inDays(-61), to })
  await provider.give(owner.person, { from: inDays(-1), to, product: 'card' })
  await provider.give(owner.person, { from: inDays(2), to })
  expect(await named()).toEqual([fresh.id])
  await portal.owner.query('insert into pairings (signature_id, secret) values ($1, $2)', [fresh.id, Buffer.from('x')])
  expect(await named()).toEqual([fresh.id])
  await portal.owner.query('update pairings set confirmed_at = now() where signature_id = $1', [fresh.id])
  expect(await named()).toEqual([])
})
