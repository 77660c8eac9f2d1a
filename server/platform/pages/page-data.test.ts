import { expect, onTestFinished, test, vi } from 'vitest'
import { readConsents } from '../../../contract/consents.ts'
import { listDocuments } from '../../../contract/documents.ts'
import { firstReads } from '../../../contract/first-reads.ts'
import { limits } from '../../../contract/limits.ts'
import type { PageData } from '../../../contract/page-data.ts'
import { readMyData } from '../../../contract/personal-data.ts'
import { dataIn } from '../../../contract/testing/page-parts.ts'
import { openBrowser, type TestBrowser } from '../../testing/browser.ts'
import { openPortalForTest, openPortalWithPages } from '../../testing/open-portal.ts'
import type { TestPortal } from '../../testing/portal-nodes.ts'
import { addCustomer, signInDirectly } from '../../testing/samples/ready-customers.ts'
import { giveDocument } from '../../testing/samples/sample-documents.ts'
import { markOf } from '../../testing/web-part.ts'
import { demonstrationBrand } from '../brand/brand.ts'

const claim = { title: { pl: 'Polskie hasło', en: 'English claim' }, text: { pl: 'a', en: 'b' } }
const { web, portal } = await openPortalWithPages({ brand: { ...demonstrationBrand, claim } })

const signInTo = async (on: TestPortal, address?: string) => {
  const person = await addCustomer(on)
  return { person, browser: await signInDirectly(on, person, openBrowser(on, address ? { address } : {})) }
}
const customer = await signInTo(portal)

async function open(path: string, browser: TestBrowser) {
  const response = await browser.raw('GET', path)
  const html = await response.text()
  return { status: response.status, html, data: dataIn(html, 'page-data') }
}
const pathsOf = (data: PageData | undefined) => data?.reads.map(({ path }) => path)

/** Answers the read of personal data otherwise until the test ends. */
function answerMyData(answer: () => Promise<unknown>) {
  const { readsInPages } = portal.app
  const read = readsInPages.get(readMyData)!
  onTestFinished(() => void readsInPages.set(readMyData, read))
  readsInPages.set(readMyData, answer)
}

test('HTT-7 R148 a page has its data and the texts of its language, and no text can end the data', async () => {
  const name = '</script><script>alert(1)</script> $& <!--'
  const { person, browser } = await signInTo(portal)
  for (const [path, title] of [
    ['/home', 'Polskie hasło'],
    ['/en/home', 'English claim'],
  ] as const)
    expect((await open(path, browser)).html).toContain(`<p>${person.login}, ${title}</p>`)
  answerMyData(async () => ({ name }))
  const { html, data } = await open('/my-data', browser)
  expect(html).not.toContain('<script>alert')
  expect(data!.reads.find(({ path }) => path === readMyData.path)?.reply).toEqual({ name })
})

test('R148 HTT-7 a first read that is refused is left out of the page, which comes with the others', async () => {
  const { status, html, data } = await open(`/renewal/${crypto.randomUUID()}`, customer.browser)
  expect([status, data?.session.customer.login, data?.reads]).toEqual([200, customer.person.login, []])
  expect(html).toContain('<title>renewal, Sygnet</title>')
})

test.each<[string, () => Promise<never>]>([
  ['fails', () => Promise.reject(new Error('the database is gone'))],
  // It is waited for for a second.
  ['does not answer', () => new Promise<never>(() => {})],
])('R148 HTT-7 a first read that %s is left out of the page, which comes with the others', async (_, answer) => {
  answerMyData(answer)
  const { status, data } = await open('/my-data', customer.browser)
  expect(status).toBe(200)
  expect(pathsOf(data)).toContain(readConsents.path)
  expect(pathsOf(data)).toEqual(firstReads.myData!.map(({ path }) => path).filter((path) => path !== readMyData.path))
})

test.each([
  ['/documents?utm_source=mail', { '/api/documents': {} }],
  ['/documents?status=finished&search=umowa', { '/api/documents': { status: 'finished', search: 'umowa' } }],
  ['/documents?status=unheard-of&size=20', { '/api/documents': {} }],
  ['/documents?size=50', { '/api/documents': { size: '50' } }],
  ['/my-cases?search=x', { '/api/voucher-cases': {}, '/api/documents': {} }],
  [
    '/my-cases?voucher-status=in-progress&received-search=x',
    { '/api/voucher-cases': { status: 'in-progress' }, '/api/documents': { search: 'x' } },
  ],
])('HTT-7 RTE-1 the lists of %s arrive as their screen reads them', async (address, expected) => {
  const { data } = await open(address, customer.browser)
  expect(Object.fromEntries(data!.reads.map(({ path, query }) => [path, query]))).toEqual(expected)
})

test('HTT-7 RTE-1 a later page of a list arrives with its rows, by the last of the cursors in its address', async () => {
  const { person, browser } = await signInTo(portal)
  const numbers = Array.from({ length: limits.list.size + 1 }, (_, i) => `U-${i}`)
  await Promise.all(numbers.map((document) => giveDocument(portal, person.id, { document, pdf: null })))
  const { body } = await browser.call(listDocuments)
  const { data } = await open(`/documents?cursor=earlier&cursor=${body.next}`, browser)
  expect(data!.reads).toMatchObject([{ query: { cursor: body.next }, reply: { items: [{}], next: null } }])
})

test('R148 HTT-7 a page that cannot be rendered comes as its frame, without data', async () => {
  const { status, html, data } = await open('/home?fails', customer.browser)
  expect([status, data]).toEqual([200, undefined])
  expect(html).toContain(markOf('pl', 'home'))
  expect(html).not.toContain(customer.person.login)
})

test('R148 pages of two customers that are read at the same time have only their own data', async () => {
  const people = [customer, await signInTo(portal)]
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, i) => ({ i, page: await open('/my-data', people[i % 2]!.browser) })),
  )
  for (const { i, page } of answers) {
    const [own, other] = i % 2 ? [people[1]!, people[0]!] : [people[0]!, people[1]!]
    expect(page.data?.session.customer.login).toBe(own.person.login)
    expect(page.data?.reads[0]?.reply).toMatchObject({ login: own.person.login })
    expect(page.html).not.toContain(other.person.login)
  }
})

test('R148 a page with text of its address is not compressed for a link of another site', async () => {
  const encodingOf = async (path: string, site?: string) => {
    const headers = { 'accept-encoding': 'br', ...(site && { 'sec-fetch-site': site }) }
    return (await customer.browser.raw('GET', path, undefined, headers)).headers.get('content-encoding')
  }
  for (const path of ['/home?search=guess', '/en/home?search=guess', `/renewal/${crypto.randomUUID()}`]) {
    for (const site of ['cross-site', 'same-site', undefined])
      expect([path, await encodingOf(path, site)]).toEqual([path, null])
    for (const site of ['same-origin', 'none']) expect([path, await encodingOf(path, site)]).toEqual([path, 'br'])
  }
  expect([await encodingOf('/home', 'cross-site'), await encodingOf('/en/home', 'cross-site')]).toEqual(['br', 'br'])
})

test('R110 a signed-in page takes as many requests of its address as the calls that it saves', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const limited = await openPortalForTest({ settings: { webDirectory: web.directory, requestsPerSecond: 1 } })
  const { browser } = await signInTo(limited, '10.98.7.6')
  const home = firstReads.home!.map(({ path }) => path)
  const left = limits.requests.burst - 1 - home.length
  const response = await browser.raw('GET', '/home')
  expect(response.headers.get('ratelimit')).toBe(`"address";r=${left};t=${home.length + 1}`)
  expect(pathsOf((await open('/home', browser)).data)).toEqual(home.slice(0, left - 1))
  expect((await open('/home', browser)).status).toBe(429)
})
