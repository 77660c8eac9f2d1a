import { hash, X509Certificate } from 'node:crypto'
import { expect, test, beforeAll, describe } from 'vitest'
import type { AuditAction } from '../../contract/audit-actions.ts'
import {
  listSignatures,
  summariseSignatures,
  type Signature,
  type SignatureSort,
  downloadSignatureAgreement,
  downloadSignatureCertificate,
  readSignatureCertificate,
} from '../../contract/signatures.ts'
import { decryptCertificates } from '../platform/encrypted-data/encrypted-fields.ts'
import { auditEntries } from '../testing/audit-entries.ts'
import { openPortalWithProvider } from '../testing/open-portal.ts'
import { pdfWith } from '../testing/provider.ts'
import { signInDirectly, addCustomer } from '../testing/samples/ready-customers.ts'
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
        canPair: false,
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
    const { status, reason, canPair } = (await browser.call(listSignatures)).body.items.find((item) => item.id === id)!
    return [status, reason, canPair]
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
    expect(listed).toMatchObject({ status: 'inactive', reason: status, canPair: false })
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

/** Reads every page of a list, over both nodes alternately. */
async function walk(
  { browser }: Owner,
  query: { size?: '20' | '50' | '100'; sort?: SignatureSort; status?: 'active' | 'inactive'; search?: string } = {},
) {
  const pages: Signature[][] = []
  let cursor: string | undefined
  do {
    const { status, body } = await browser.call(
      listSignatures,
      { query: { ...query, ...(cursor ? { cursor } : {}) } },
      pages.length % 2,
    )
    expect(status).toBe(200)
    pages.push(body.items)
    cursor = body.next ?? undefined
  } while (cursor)
  return pages
}

describe('SIG-1 lists are paged', () => {
  let owner: Owner
  /** The ids in the order that defaults.md requires. */
  let expected: string[]
  beforeAll(async () => {
    owner = await makeOwner(portal)
    const ends = Array.from({ length: 26 }, (_, i) => ((i * 7) % 26) + 5)
    const give = async (days: number, over: Parameters<typeof provider.give>[1] = {}) => {
      const { id } = await provider.give(owner.person, { to: inDays(days), ...over })
      return { days, id }
    }
    // Three of them end on the same day.
    const active = await Promise.all([...ends, 15, 15, 15].map((days) => give(days)))
    const expired = await Promise.all(ends.map((days) => give(-days, { from: inDays(-900) })))
    const revoked = await give(200, { status: 'revoked' })
    const order = (sign: 1 | -1) => (a: { days: number; id: string }, b: { days: number; id: string }) =>
      sign * (a.days - b.days) || (a.id < b.id ? -1 : 1)
    expected = [...active.toSorted(order(1)), ...[...expired, revoked].toSorted(order(-1))].map(({ id }) => id)
  })

  test('SIG-1 active by nearest end, then inactive newest first, each once, in pages of 20, 50 and 100', async () => {
    for (const [size, lengths] of [
      [undefined, [20, 20, 16]],
      ['20', [20, 20, 16]],
      ['50', [50, 6]],
      ['100', [56]],
    ] as const) {
      const pages = await walk(owner, size ? { size } : {})
      expect(pages.map((page) => page.length)).toEqual(lengths)
      expect(pages.flat().map(({ id }) => id)).toEqual(expected)
    }
    for (const size of ['1', '21', '0', '-1', '1000', '20.0', 'all'])
      expect((await owner.browser.raw('GET', `/api/signatures?size=${size}`)).status).toBe(400)
  })

  test('SIG-1 each order is kept over all pages', async () => {
    const all = (await walk(owner, { size: '100' })).flat()
    const at = (name: 'validTo' | 'validFrom', sign: 1 | -1) => (a: Signature, b: Signature) =>
      sign * (Date.parse(a[name]) - Date.parse(b[name])) || (a.id < b.id ? -1 : 1)
    const isOver = ({ reason }: Signature) => reason === 'expired' || reason === 'revoked'
    // Those that can still end come first; those that have ended are last, newest first.
    const endsFirst = (a: Signature, b: Signature) =>
      Number(isOver(a)) - Number(isOver(b)) || at('validTo', isOver(a) ? -1 : 1)(a, b)
    const orders = { 'ends-first': endsFirst, 'ends-last': at('validTo', -1), newest: at('validFrom', -1) }
    for (const [sort, order] of Object.entries(orders))
      expect([sort, (await walk(owner, { sort: sort as SignatureSort })).flat().map(({ id }) => id)]).toEqual([
        sort,
        all.toSorted(order).map(({ id }) => id),
      ])
    expect((await walk(owner, { sort: 'urgency' })).flat()).toEqual(all)
    for (const sort of ['', 'id', 'name desc', 'name; drop table signatures', '1', 'URGENCY'])
      expect((await owner.browser.raw('GET', `/api/signatures?sort=${encodeURIComponent(sort)}`)).status).toBe(400)
  })

  test('SIG-1 R36 a cursor counts for its own order and customer', async () => {
    const { body } = await owner.browser.call(listSignatures, { query: { sort: 'ends-first' } })
    const stranger = await makeOwner(portal)
    for (const sort of ['urgency', 'ends-last', 'newest', 'name', 'ends-first'] as const) {
      const { browser } = sort === 'ends-first' ? stranger : owner
      const { problem } = await browser.call(listSignatures, { query: { sort, cursor: body.next! } })
      expect([sort, problem.code]).toEqual([sort, 'cursor-refused'])
    }
  })

  test('SIG-1 the filters of status keep the order and the pages', async () => {
    const [active, inactive] = [await walk(owner, { status: 'active' }), await walk(owner, { status: 'inactive' })]
    expect([...active.flat(), ...inactive.flat()].map(({ id }) => id)).toEqual(expected)
    expect(new Set(active.flat().map(({ status }) => status))).toEqual(new Set(['active']))
    expect(active.map((page) => page.length)).toEqual([20, 9])
  })

  test('SIG-1 UIX-27 a signature that ends between two pages is repeated among the inactive ones, and one that becomes active is on the first page; all others are shown once', async () => {
    const set = (status: string, id: string) =>
      portal.owner.query('update signatures set status = $1 where id = $2', [status, id])
    const [ending, risen] = [expected[3]!, expected[8]!]
    await set('suspended', risen)
    const { body: first } = await owner.browser.call(listSignatures)
    const shown = first.items.map(({ id }) => id)
    expect([shown.includes(ending), shown.includes(risen)]).toEqual([true, false])
    await set('suspended', ending)
    await set('good', risen)
    const later: Signature[] = []
    for (let cursor = first.next; cursor;) {
      const { body } = await owner.browser.call(listSignatures, { query: { cursor } })
      later.push(...body.items)
      cursor = body.next
    }
    const all = [...shown, ...later.map(({ id }) => id)].filter((id) => id !== ending)
    expect(all.toSorted()).toEqual(expected.filter((id) => id !== ending && id !== risen).toSorted())
    expect(later.filter(({ id }) => id === ending)).toMatchObject([{ status: 'inactive', reason: 'suspended' }])
    const again = (await owner.browser.call(listSignatures)).body.items.map(({ id }) => id)
    expect([again.includes(ending), again.includes(risen)]).toEqual([false, true])
    await set('good', ending)
  })
})

test('SIG-1 names are in Polish order', async () => {
  const owner = await makeOwner(portal)
  const sorted = 'Abacki Ąbecka Cygan Ćwik lipa Lis Łoś Nowak Ńowak Osa Ósmy Zając Źdźbło Żak'.split(' ')
  for (const surname of sorted.toReversed()) await provider.give(owner.person, { subject: { givenName: 'A', surname } })
  const listed = (await walk(owner, { sort: 'name' })).flat().map(({ name }) => name)
  expect(listed).toEqual(sorted.map((surname) => `A ${surname}`))
})

describe('SIG-1 search', () => {
  let owner: Owner
  const names = ['Łucja Świątek', 'Żaneta Ćwik', "O'Brien Ann", '100% Pewny', 'A_B Test', String.raw`Back\Slash`]
  beforeAll(async () => {
    owner = await makeOwner(portal)
    for (const name of names) {
      const [givenName = '', surname = 'X'] = name.split(' ')
      const organisation = { name: 'Huta Szkła', identifier: 'VATPL-1234563218' }
      await provider.give(owner.person, { subject: { givenName, surname, organisation } })
    }
    await provider.give(owner.person, { subject: { givenName: 'Bez', surname: 'Firmy' } })
  })
  const find = async (search: string) => (await walk(owner, { search })).flat().map(({ name }) => name)

  test('SIG-1 finds parts of names and organisations in any case, Polish letters too', async () => {
    // A name is found without its diacritics, and decomposed letters equal composed ones.
    for (const search of ['łucja', 'ŚWIĄ', '  świątek ', 'lucja swi', 'świątek'.normalize('NFD')])
      expect([search, await find(search)]).toEqual([search, ['Łucja Świątek']])
    for (const search of ['ćWIK', 'ZANETA cwik'])
      expect([search, await find(search)]).toEqual([search, ['Żaneta Ćwik']])
    expect(await find('huta szkła')).toHaveLength(names.length)
    expect(await find('bez')).toEqual(['Bez Firmy'])
    expect(await find('nobody')).toEqual([])
    expect(await find('')).toHaveLength(names.length + 1)
  })

  test('SIG-1 R73 a search term is text, and never a pattern or a statement', async () => {
    expect(await find('%')).toEqual(['100% Pewny'])
    expect(await find('_')).toEqual(['A_B Test'])
    expect(await find('\\')).toEqual([String.raw`Back\Slash X`])
    expect(await find("'")).toEqual(["O'Brien Ann"])
    for (const attack of ["' or '1'='1", "'; drop table signatures; --", '%%', '.*', '${1}', '$1', "\\' or 1=1 --"])
      expect([attack, await find(attack)]).toEqual([attack, []])
    expect((await owner.browser.raw('GET', `/api/signatures?search=${'x'.repeat(101)}`)).status).toBe(400)
  })
})

const person = await addCustomer(portal)
const customer = await signInDirectly(portal, person)

async function download(path: string) {
  const response = await customer.raw('GET', path)
  return { status: response.status, headers: response.headers, content: Buffer.from(await response.arrayBuffer()) }
}

const agreementPath = (id: string) => downloadSignatureAgreement.path.replace(':id', id)
const entriesOf = (action: AuditAction, signature: string) => auditEntries(portal, { action, details: { signature } })

/** Returns the stored certificates of a signature in DER. */
async function certificatesOf(id: string) {
  const rows = await portal.rows('select certificates from signatures where id = $1', [id])
  const { certificate, chain } = decryptCertificates(portal.portal.keys, id, rows[0]!.certificates)
  return [certificate, ...chain].map((der) => Buffer.from(der, 'base64'))
}

test('SIG-2 the agreement downloads as the PDF that the provider stored, under a name in its language, and is audited', async () => {
  for (const [agreementLanguage, name] of [
    ['pl', 'umowa.pdf'],
    ['en', 'agreement.pdf'],
  ] as const) {
    const { id, providerId } = await provider.give(person, { agreementLanguage })
    const pdf = pdfWith(crypto.randomUUID())
    await provider.putAgreement(providerId, pdf)
    const { status, headers, content } = await download(agreementPath(id))
    expect([status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      200,
      'application/pdf',
      `attachment; filename="${name}"; filename*=UTF-8''${name}`,
    ])
    expect(content).toEqual(pdf)
    expect(await entriesOf('agreement-downloaded', id)).toHaveLength(1)
  }
})

test('SIG-2 DOC-7 an agreement that is not there yet is answered with a time to try again', async () => {
  const { id, providerId } = await provider.give(person)
  const early = await customer.call(downloadSignatureAgreement, { params: { id } })
  expect(early).toMatchObject({ status: 422, problem: { code: 'agreement-not-ready', retryAfter: 60 } })
  expect(early.headers.get('retry-after')).toBe('60')
  expect(await entriesOf('agreement-downloaded', id)).toHaveLength(0)
  await provider.putAgreement(providerId)
  expect((await download(agreementPath(id))).status).toBe(200)
})

test('SIG-2 a newer agreement replaces the earlier one, whose file is removed from the store', async () => {
  const { id, providerId } = await provider.give(person)
  await provider.putAgreement(providerId)
  const keyOf = async () => {
    const { rows } = await portal.owner.query('select agreement_key as key from signatures where id = $1', [id])
    return rows[0].key as string
  }
  const first = await keyOf()
  const newer = pdfWith('newer')
  await provider.putAgreement(providerId, newer)
  expect((await download(agreementPath(id))).content).toEqual(newer)
  expect(await portal.portal.ports.documents.read(first)).toBe(undefined)
  // Two at once: the last agreement is kept, and the first leaves no file behind.
  const removed: string[] = [await keyOf()]
  const { documents } = portal.portal.ports
  const remove = documents.remove.bind(documents)
  documents.remove = (key) => {
    removed.push(key)
    return remove(key)
  }
  await Promise.all(Array.from({ length: 6 }, (_, i) => provider.putAgreement(providerId, pdfWith(String(i)))))
  documents.remove = remove
  expect(new Set(removed).size).toBe(6)
  expect(removed).not.toContain(await keyOf())
  expect((await download(agreementPath(id))).status).toBe(200)
})

test('SIG-5 the certificate is shown as it is, and downloads as DER, and with its chain as PEM', async () => {
  const subject = {
    givenName: 'Zażółć',
    surname: 'Gęślą',
    serialNumber: 'PNOPL-44051401458',
    organisation: { name: 'Jaźń', identifier: 'VATPL-1234563218', unit: 'Dział', position: 'Prezes' },
  }
  const { id } = await provider.give(person, { subject })
  const [certificate] = (await certificatesOf(id)) as [Buffer]
  const read = new X509Certificate(certificate)
  const { status, body } = await customer.call(readSignatureCertificate, { params: { id } })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    signature: { id, name: 'Zażółć Gęślą' },
    serialNumber: read.serialNumber,
    sha256: hash('sha256', certificate).toUpperCase(),
    qualified: true,
    publicKey: expect.stringMatching(/256/) as string,
  })
  expect(Object.fromEntries(body.subject.map(({ name, value }) => [name, value]))).toMatchObject({
    CN: 'Zażółć Gęślą',
    O: 'Jaźń',
    OU: 'Dział',
    serialNumber: 'PNOPL-44051401458',
  })
  expect(body.issuer.find(({ name }) => name === 'CN')!.value).toBe('Sygnet TEST Qualified CA')
  expect(body.keyUsage.length).toBeGreaterThan(0)
  expect(body.chain.map((issuing) => issuing.subject)).toEqual(['Sygnet TEST Qualified CA', 'Sygnet TEST Root CA'])

  const path = (format: string) => downloadSignatureCertificate.path.replace(':id', id).replace(':format', format)
  const der = await download(path('der'))
  expect([der.headers.get('content-type'), der.content]).toEqual(['application/pkix-cert', certificate])
  const pem = await download(path('pem'))
  expect([pem.status, pem.headers.get('content-type')]).toEqual([200, 'application/x-pem-file'])
  const blocks = pem.content.toString().match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)!
  expect(blocks.map((block) => new X509Certificate(block).raw)).toEqual(await certificatesOf(id))
  expect(await entriesOf('certificate-downloaded', id)).toHaveLength(2)
  for (const format of ['txt', 'PEM', 'p12', 'pem%00'])
    expect([format, (await download(path(format))).status]).toEqual([format, 400])
})
