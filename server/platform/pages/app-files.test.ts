import { expect, test } from 'vitest'
import { framedPages, framePath } from '../../../contract/pages.ts'
import { openBrowser } from '../../testing/browser.ts'
import { openPortalForTest, openPortalWithPages } from '../../testing/open-portal.ts'
import { addCustomer, signInDirectly } from '../../testing/samples/ready-customers.ts'
import { markOf } from '../../testing/web-part.ts'
import { workerPolicy } from './app-files.ts'

const { web, portal } = await openPortalWithPages()
const customer = await signInDirectly(portal, await addCustomer(portal))

const get = async (path: string, browser = openBrowser(portal)) => {
  const response = await browser.raw('GET', path)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

test('R161 OFF-1 the frame of a page is the same for a customer and for a stranger, with the policy of a page', async () => {
  expect(framedPages).toContain('renewal')
  for (const locale of ['pl', 'en'] as const)
    for (const name of framedPages) {
      const path = framePath(locale, name)
      const [own, strange] = [await get(path, customer), await get(path)]
      expect([path, own.status, own.text]).toEqual([path, 200, strange.text])
      expect(own.text).toContain(markOf(locale, name))
      expect(own.headers.get('content-security-policy')).toBe(strange.headers.get('content-security-policy'))
      expect(own.headers.get('content-security-policy')).toContain("script-src 'self'")
      expect(own.headers.get('set-cookie')).toBeNull()
    }
  expect((await get('/frames/setup-password')).status).toBe(404)
})

test('R162 the service worker is checked at every use, and may only make requests to the portal', async () => {
  const { status, headers, text } = await get('/service-worker.js')
  expect([status, headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
  expect(headers.get('cache-control')).toBe('no-cache')
  expect(headers.get('content-security-policy')).toBe(workerPolicy)
  expect(workerPolicy).toBe("default-src 'none'; connect-src 'self'; frame-ancestors 'none'")
  expect(text).toBe('addEventListener("fetch",()=>{})')
})

test('R162 where it is switched off, its address has the one that removes it, and pages know', async () => {
  const off = await openPortalForTest({ settings: { webDirectory: web.directory, featuresOff: ['offline'] } })
  const { text } = await get('/service-worker.js', openBrowser(off))
  expect(text).toContain('registration.unregister()')
  expect((await get('/', openBrowser(off))).text).toContain('"off":["offline"]')
})

test('OFF-4 the manifest in each language and its icons are there for everyone', async () => {
  for (const [path, start] of [
    ['/app.webmanifest', '/home'],
    ['/en/app.webmanifest', '/en/home'],
  ] as const) {
    const { headers, text } = await get(path)
    expect(headers.get('content-type')).toBe('application/manifest+json; charset=utf-8')
    const manifest = JSON.parse(text) as { start_url: string; icons: { src: string; purpose: string }[] }
    expect(manifest.start_url).toBe(start)
    const maskable = await get(manifest.icons.find(({ purpose }) => purpose === 'maskable')!.src)
    expect([maskable.status, maskable.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
  }
})

test('PWD-7 a password manager is led to the page on which the password is changed', async () => {
  const ask = async (cookie: string) => {
    const options = { redirect: 'manual', headers: { cookie } } as const
    const { status, headers } = await fetch(`${portal.origin}/.well-known/change-password`, options)
    return [status, headers.get('location')]
  }
  expect(await ask('')).toEqual([302, '/change-password'])
  expect(await ask('locale=en')).toEqual([302, '/en/change-password'])
})

test('R126 security.txt is there with a contact, valid by RFC 9116 for less than a year, and not without one', async () => {
  const file = (origin: string) => fetch(`${origin}/.well-known/security.txt`)
  expect((await file(portal.origin)).status).toBe(404)
  const contacts = ['mailto:security@provider.example', 'https://provider.example/report']
  const security = { contacts, policy: 'https://provider.example/policy' }
  const named = await openPortalForTest({ settings: { security } })
  const answer = await file(named.origin)
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  const lines = (await answer.text()).split('\r\n')
  expect(lines.pop()).toBe('')
  const [expires] = lines.filter((line) => line.startsWith('Expires: '))
  expect(lines.filter((line) => line !== expires)).toEqual([
    'Contact: mailto:security@provider.example',
    'Contact: https://provider.example/report',
    'Preferred-Languages: pl, en',
    'Canonical: https://portal.example/.well-known/security.txt',
    'Policy: https://provider.example/policy',
  ])
  const left = Date.parse(expires!.slice(9)) - Date.now()
  expect(expires).toMatch(/^Expires: \d{4}-\d\d-\d\dT00:00:00\.000Z$/)
  expect(left).toBeGreaterThan(150 * 86_400_000)
  expect(left).toBeLessThan(365 * 86_400_000)
})
