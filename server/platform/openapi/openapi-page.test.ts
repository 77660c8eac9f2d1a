import { expect, test } from 'vitest'
import { eventKinds } from '../../../contract/provider/events.ts'
import { nameOf } from '../../testing/calls.ts'
import { contractEndpoints } from '../../testing/contract-endpoints.ts'
import { openPortal, openPortalForTest } from '../../testing/open-portal.ts'
import { referencePath } from './openapi-page.ts'
import { browserApi, providerApi } from './openapi.ts'

const portal = await openPortal()
const get = (origin: string, path: string) => fetch(`${origin}${path}`)

test('API-3 the page shows every call and event of the provider API, without a script and under its own policy', async () => {
  const answer = await get(portal.origin, referencePath)
  const page = await answer.text()
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  for (const { access, method, path, summary } of portal.app.endpoints) {
    const title = `<code>${method} ${path.replace(/:(\w+)/g, '{$1}').replaceAll('/', '<wbr>/')}</code></a></h3>`
    expect([path, page.includes(title)]).toEqual([path, access === 'provider'])
    if (access === 'provider') expect(page).toContain(summary.replace(/`([^`]*)`/g, '<code>$1</code>'))
  }
  for (const { type } of eventKinds) expect(page).toContain(`<code>${type}</code></a></h3>`)
  // Every call and event is in the contents, and its heading links to itself.
  const titles = [...page.matchAll(/<h3 id="([^"]*)"><a href="#([^"]*)">/g)].map(([, id, target]) => [id, target])
  expect(titles.length).toBeGreaterThan(80)
  expect(titles.filter(([id, target]) => id !== target)).toEqual([])
  const contents = page.slice(page.indexOf('<nav'), page.indexOf('</nav>'))
  expect(titles.filter(([id]) => !contents.includes(`href="#${id}"`))).toEqual([])
  // Fields of schemas with a name, also in others, and what they mean.
  expect(page).toMatch(
    /<code>identification\.document\.validTo<\/code><\/td><td data-name="Required">yes<\/td><td data-name="Value">string, date[^]{0,80}<p>The last day on which it is valid/,
  )
  expect(page).toContain(
    '<td data-name="Name"><code>customer</code></td><td data-name="In">path</td><td data-name="Required">yes</td><td data-name="Value">string, at most 64 characters</td><td data-name="Meaning"><p>Your id of the customer.</p></td>',
  )

  expect(answer.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
  )
  expect(page).not.toMatch(/<script|javascript:| on\w+=| style=|src=/)
  // Links stay on the page, except the one to the document.
  const links = [...page.matchAll(/href="([^"]*)"/g)].map(([, target]) => target!)
  expect(new Set(links.filter((target) => !target.startsWith('#')))).toEqual(new Set(['/api/openapi.json']))
  const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!)
  expect(new Set(ids).size).toBe(ids.length)
  expect(links.filter((target) => target.startsWith('#') && !ids.includes(target.slice(1)))).toEqual([])
})

test('API-3 the page says how to authenticate, as the document does', async () => {
  const page = await (await get(portal.origin, referencePath)).text()
  const { components } = (await (await get(portal.origin, '/api/openapi.json')).json()) as {
    components: { securitySchemes: { clientKey: { type: string; scheme: string; description: string } } }
  }
  const { type, scheme, description } = components.securitySchemes.clientKey
  expect([type, scheme]).toEqual(['http', 'bearer'])
  const section = page.slice(page.indexOf('<h2 id="authentication">'), page.indexOf('<section'))
  expect(section).toContain('Authorization: Bearer &#60;clientKey&#62;')
  for (const part of description.split(/`[^`]*`|\n\n/)) expect(section).toContain(part)
})

test('API-3 names of the operator are text on the page, not markup', async () => {
  const brand = { ...portal.portal.settings.brand, product: '<img src=x onerror=alert(1)>"&' }
  const { origin } = await openPortalForTest({ settings: { brand } })
  const page = await (await get(origin, referencePath)).text()
  expect(page).toContain('<title>&#60;img src=x onerror=alert(1)&#62;&#34;&#38;: provider API</title>')
  expect(page).not.toContain('<img')
})

test('API-3 the operator can switch the page and the documents off', async () => {
  const { origin } = await openPortalForTest({ settings: { hasApiReference: false } })
  for (const path of [referencePath, '/api/openapi.json', '/api/openapi-browser.json'])
    expect([path, (await get(origin, path)).status]).toEqual([path, 404])
})

const read = async (path: string) => (await fetch(`${portal.origin}${path}`)).json()

test('API-1 every endpoint of the contract is served, nothing else, and both documents are of these', async () => {
  const { app } = portal
  expect(app.endpoints.map(nameOf).toSorted()).toEqual(contractEndpoints.map(nameOf).toSorted())
  const printed = (print: typeof providerApi | typeof browserApi) =>
    JSON.parse(JSON.stringify(print(app.endpoints, portal.portal.settings))) as unknown
  expect(await read('/api/openapi.json')).toEqual(printed(providerApi))
  expect(await read('/api/openapi-browser.json')).toEqual(printed(browserApi))
})

test('API-1 the server sends the headers of rate limits that the documents name', async () => {
  for (const path of ['/api/session', '/provider/v1/client-key', '/api/openapi.json']) {
    const { headers } = await fetch(`${portal.origin}${path}`)
    expect(headers.get('ratelimit')).toMatch(/^"address";r=\d+;t=\d+$/)
    expect(headers.get('ratelimit-policy')).toMatch(/^"address";q=\d+;w=\d+$/)
  }
})
