import { expect, test } from 'vitest'
import { listSignatures, summariseSignatures } from '../../contract/signatures.ts'
import { signInDirectly } from '../testing/samples/ready-customers.ts'
import { openPortalWithProvider } from '../testing/open-portal.ts'
import { inDays, makeOwner, type Owner } from '../testing/samples/sample-seals.ts'

const { portal, provider } = await openPortalWithProvider({ nodes: 2 })

test('SIG-1 a signature is listed with product, name, masked identifier, period, status and agreement', async () => {
  const owner = await makeOwner(portal)
  const [from, to] = [inDays(-10), inDays(720)]
  const subject = {
    givenName: 'Małgorzata Anna',
    surname: 'Wiśniewska',
    serialNumber: 'PNOPL-44051401458',
    organisation: { name: 'Żuraw & Syn', identifier: 'VATPL-1234563218' },
  }
  const given = { product: 'card', period: '2_year', from, to, subject } as const
  const { id, providerId } = await provider.give(owner.person, given)
  expect((await owner.browser.call(listSignatures)).body).toEqual({
    organisations: ['Żuraw & Syn'],
    items: [
      {
        id,
        product: 'card',
        name: 'Małgorzata Anna Wiśniewska',
        organisation: 'Żuraw & Syn',
        identifier: { type: 'PNO', country: 'PL', value: '44051401458' },
        period: '2_year',
        validFrom: from.toISOString(),
        validTo: to.toISOString(),
        status: 'active',
        reason: null,
        agreement: 'generating',
        changes: ['suspend', 'revoke'],
        request: null,
        pairable: false,
        pairedAt: null,
        renewal: null,
        renewedFrom: null,
      },
    ],
    next: null,
  })
  await provider.putAgreement(providerId)
  expect((await owner.browser.call(listSignatures)).body.items[0]!.agreement).toBe('ready')
})

test('SIG-1 DAT-7 the identifier is listed with its type, country and whole number, for every type', async () => {
  const owner = await makeOwner(portal)
  const cases = [
    ['PNOPL-44051401458', 'PNO', 'PL', '44051401458'],
    ['TINPL-1234563218', 'TIN', 'PL', '1234563218'],
    ['PASPL-ZS0000177', 'PAS', 'PL', 'ZS0000177'],
    ['IDCDE-ABA300000', 'IDC', 'DE', 'ABA300000'],
    ['12345678901234567890', 'ECN', null, '12345678901234567890'],
  ] as const
  for (const [serialNumber, identifierType, country, value] of cases) {
    const { id } = await provider.give(owner.person, { identifierType, subject: { serialNumber } })
    const listed = (await owner.browser.call(listSignatures)).body.items.find((item) => item.id === id)
    expect(listed?.identifier).toEqual({ type: identifierType, country, value })
  }
})

test('HOM-4 the summary says when the next signature begins, unless it is revoked or suspended', async () => {
  const owner = await makeOwner(portal)
  const begins = async () => (await owner.browser.call(summariseSignatures)).body.begins
  await provider.give(owner.person, { from: inDays(1), to: inDays(31), status: 'revoked' })
  expect(await begins()).toBeNull()
  await provider.give(owner.person, { from: inDays(3), to: inDays(31) })
  await provider.give(owner.person, { from: inDays(2), to: inDays(60) })
  expect(await begins()).toBe(inDays(2).toISOString())
})

test('SIG-1 the status says why a signature is not active, to the second', async () => {
  const owner = await makeOwner(portal)
  const [from, to] = [inDays(1), inDays(31)]
  const { id } = await provider.give(owner.person, { from, to })
  const stateAt = async (at: number) => {
    await portal.clock.stopAt(new Date(at))
    const browser = await signInDirectly(portal, owner.person)
    const { status, reason, pairable } = (await browser.call(listSignatures)).body.items.find((item) => item.id === id)!
    return [status, reason, pairable]
  }
  expect(await stateAt(from.getTime() - 1000)).toEqual(['inactive', 'not-yet-valid', false])
  expect(await stateAt(from.getTime())).toEqual(['active', null, true])
  expect(await stateAt(to.getTime() - 1000)).toEqual(['active', null, true])
  expect(await stateAt(to.getTime())).toEqual(['inactive', 'expired', false])
  await portal.clock.advance(0)
  for (const status of ['suspended', 'revoked'] as const) {
    const bad = await provider.give(owner.person, { status })
    const listed = (await (await signInDirectly(portal, owner.person)).call(listSignatures)).body.items.find(
      (item) => item.id === bad.id,
    )
    expect(listed).toMatchObject({ status: 'inactive', reason: status, pairable: false })
  }
})

test('HOM-3 SIG-1 the summary counts, and lists what ends soon or is suspended, nearest first', async () => {
  const owner = await makeOwner(portal)
  const summary = async () => (await owner.browser.call(summariseSignatures)).body
  const nothing = { active: 0, inactive: 0, attention: [], further: 0, nearestEnd: null, begins: null }
  expect(await summary()).toEqual(nothing)
  const give = (days: number, status: 'good' | 'suspended' | 'revoked' = 'good') =>
    provider.give(owner.person, { from: inDays(-100), to: inDays(days), status })
  const [, soon, sooner, , suspended] = [
    await give(70),
    await give(59),
    await give(3),
    await give(-3),
    await give(2, 'suspended'),
    await give(-2, 'suspended'),
    await give(200, 'revoked'),
  ]
  const { attention, ...counts } = await summary()
  expect(counts).toMatchObject({ active: 3, inactive: 4, further: 0, nearestEnd: { id: sooner.id } })
  expect(attention.map(({ id }) => id)).toEqual([suspended.id, sooner.id, soon.id])
  // The first of many are listed, and all are counted.
  for (let i = 0; i < 25; i++) await give(30 + i)
  const many = await summary()
  expect(many.attention.length + many.further).toBe(3 + 25)
  expect(many.further).toBeGreaterThan(0)
})

test('SIG-7 HOM-3 a signature of a day or of 30 days is announced in the second half of its validity, and for as long as half of it afterwards', async () => {
  const hours = (count: number) => new Date(inDays(0).getTime() + count * 3_600_000)
  const named = async (person: Owner['person'], at: Date) => {
    await portal.clock.stopAt(at)
    return (await (await signInDirectly(portal, person)).call(summariseSignatures)).body.attention.length
  }
  for (const [period, length] of [
    ['1_day', 24],
    ['30_days', 720],
  ] as const) {
    const { person } = await makeOwner(portal)
    await provider.give(person, { product: 'file', period, from: hours(0), to: hours(length) })
    const half = length / 2
    const counts: number[] = []
    for (const at of [0, half - 0.1, half, length - 0.1, length, length + Math.min(half, 336) - 0.1, length + half])
      counts.push(await named(person, hours(at)))
    expect([period, counts]).toEqual([period, [0, 0, 1, 1, 1, 1, 0]])
  }
  await portal.clock.advance(0)
})

test('HOM-3 an expired signature is listed for fourteen days, unless another of its kind has replaced it', async () => {
  const owner = await makeOwner(portal)
  const from = inDays(-400)
  const named = async () =>
    (await (await signInDirectly(portal, owner.person)).call(summariseSignatures)).body.attention.map(({ id }) => id)
  const over = await provider.give(owner.person, { from, to: inDays(-1), product: 'card' })
  await provider.give(owner.person, { from, to: inDays(-15), product: 'card' })
  await provider.give(owner.person, { from, to: inDays(300), product: 'app' })
  expect(await named()).toEqual([over.id])
  // A signature that becomes valid later replaces it as well; a revoked one does not.
  await provider.give(owner.person, { from: inDays(5), to: inDays(365), product: 'card', status: 'revoked' })
  expect(await named()).toEqual([over.id])
  await provider.give(owner.person, { from: inDays(5), to: inDays(365), product: 'card' })
  expect(await named()).toEqual([])
})

test('SIG-10 a signature is renewed once another continues it: of its product, organisation and identifier, without a gap, good and ending later', async () => {
  const owner = await makeOwner(portal)
  const from = inDays(-700)
  const ending = await provider.give(owner.person, { from, to: inDays(20), product: 'card' })
  const renewedFrom = async () => {
    const browser = await signInDirectly(portal, owner.person)
    const { items } = (await browser.call(listSignatures)).body
    const { attention } = (await browser.call(summariseSignatures)).body
    const found = items.find(({ id }) => id === ending.id)!
    // Home asks for a renewal as long as the list does.
    expect(attention.some(({ id }) => id === ending.id)).toBe(found.renewedFrom === null)
    expect(found.renewal).toBeNull()
    return found.renewedFrom
  }
  expect(await renewedFrom()).toBeNull()
  const to = inDays(400)
  const next = { from: inDays(20), to, product: 'card' } as const
  const organisation = { name: 'Żuraw', identifier: 'VATPL-1234563218' }
  for (const other of [
    { ...next, product: 'app' },
    { ...next, status: 'revoked' },
    { ...next, subject: { organisation } },
    { ...next, subject: { serialNumber: 'PNOPL-85031212343' } },
    // A gap; begun long before; ends before.
    { ...next, from: inDays(22) },
    { ...next, from: inDays(-71) },
    { ...next, from: inDays(-1), to: inDays(19) },
  ] as const) {
    await provider.give(owner.person, other)
    expect(await renewedFrom()).toBeNull()
  }
  await provider.give(owner.person, next)
  expect(await renewedFrom()).toBe(inDays(20).toISOString())
  // One that is valid already continues it too, and the earlier one is named.
  await provider.give(owner.person, { ...next, from: inDays(-5) })
  expect(await renewedFrom()).toBe(inDays(-5).toISOString())
})

test('HOM-3 a new signature of an app is listed until it is paired, and for sixty days', async () => {
  const owner = await makeOwner(portal)
  const named = async () =>
    (await (await signInDirectly(portal, owner.person)).call(summariseSignatures)).body.attention.map(({ id }) => id)
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
