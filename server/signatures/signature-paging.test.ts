import { beforeAll, describe, expect, test } from 'vitest'
import { listSignatures, type Signature, type SignatureSort } from '../../contract/signatures.ts'
import { openPortalWithProvider } from '../testing/open-portal.ts'
import { inDays, makeOwner, type Owner } from '../testing/samples/sample-seals.ts'

const { portal, provider } = await openPortalWithProvider({ nodes: 2 })

/** Every page of a list, over both nodes alternately. */
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
