import { hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { extendSession, readSession, signOut } from '../../../contract/account.ts'
import { locales, type Locale } from '../../../contract/enums.ts'
import { offParts, type Feature } from '../../../contract/features.ts'
import { limits } from '../../../contract/limits.ts'
import { PageConfig } from '../../../contract/page-config.ts'
import { inLocale, pages, payloadPath, safeReturnPath, type PageName } from '../../../contract/pages.ts'
import { pendingSignOut, pendingSignOutCookie } from '../../../contract/pending-sign-out.ts'
import { openBrowser, type TestBrowser } from '../../testing/browser.ts'
import { openPortalForTest, openPortalWithPages } from '../../testing/open-portal.ts'
import { requestRaw } from '../../testing/raw-http.ts'
import { addCustomer, signInDirectly } from '../../testing/samples/ready-customers.ts'
import { makeCustomer, passPassword, signInAs } from '../../testing/test-customers.ts'
import { markOf } from '../../testing/web-part.ts'
import { words } from '../../testing/words.ts'
import { demonstrationBrand } from '../brand/brand.ts'
import { tidyUp } from '../operations/tidying.ts'

const protectedPages = (Object.keys(pages) as PageName[]).filter((name) => pages[name].needsSignIn)
const placeOf = (locale: Locale, name: PageName) => inLocale(locale, pages[name].path.replace(/:\w+/, 'abc'))

const { web, portal } = await openPortalWithPages()
const customer = await signInDirectly(portal, await addCustomer(portal))

const get = async (path: string, browser = openBrowser(portal), headers: Record<string, string> = {}) => {
  const response = await browser.raw('GET', path, undefined, headers)
  return {
    status: response.status,
    headers: response.headers,
    location: response.headers.get('location'),
    text: await response.text(),
  }
}

/** Asks for a line as it is written, which no HTTP client would send. */
const getRaw = (line: string, headers = '') => {
  const { host } = new URL(portal.origin)
  return requestRaw(portal.origin, `GET ${line} HTTP/1.1\r\nHost: ${host}\r\n${headers}Connection: close\r\n\r\n`)
}

test('HTT-4 RTE-1 every open page is there in both languages, with its payload file', async () => {
  for (const locale of locales)
    for (const name of web.open) {
      const path = placeOf(locale, name)
      const page = await get(path)
      expect([path, page.status, page.headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8'])
      expect(page.text).toContain(markOf(locale, name))
      expect(page.text).toContain(`<html lang="${locale}">`)
      const payload = await get(payloadPath(locale, name))
      expect(JSON.parse(payload.text)).toEqual({ locale, name })
    }
})

test('R122 every page of a demonstration has the banner in its language, errors included', async () => {
  const shown = await openPortalForTest({ settings: { webDirectory: web.directory, isDemonstration: true } })
  const signedIn = await signInAs(shown, await makeCustomer(shown))
  const texts = {
    pl: 'To demonstracja. Nie podawaj prawdziwych danych.',
    en: 'This is a demonstration. Don’t enter real data.',
  }
  for (const locale of locales) {
    const open = web.open.filter((name) => name !== 'accessDenied').map((name) => ({ name, by: openBrowser(shown) }))
    const closed = protectedPages.map((name) => ({ name, by: signedIn }))
    for (const { name, by } of [...open, ...closed]) {
      const text = await (await by.raw('GET', placeOf(locale, name))).text()
      expect([name, text.match(/<aside class="demo"/g)]).toEqual([name, ['<aside class="demo"']])
      expect([name, text]).toEqual([name, expect.stringContaining(texts[locale])])
    }
    const absent = await openBrowser(shown).raw('GET', inLocale(locale, '/absent'))
    expect([absent.status, await absent.text()]).toEqual([404, expect.stringContaining(texts[locale])])
    expect((await get(placeOf(locale, 'login'))).text).not.toContain('class="demo"')
  }
})

test('RTE-4 the login page sends a signed-in visitor home, in their language, and nobody else', async () => {
  expect(await get('/', customer)).toMatchObject({ status: 303, location: '/home' })
  expect(await get('/en?returnTo=%2Fen%2Fmy-data', customer)).toMatchObject({ status: 303, location: '/en/home' })
  const { browser: pending } = await passPassword(portal, await makeCustomer(portal))
  expect((await get('/', pending)).text).toContain(markOf('pl', 'login'))
  expect((await get('/register', customer)).text).toContain(markOf('pl', 'register'))
})

test('RTE-6 RTE-7 a protected page redirects to sign-in with its address, unless one is signed in', async () => {
  const { browser: pending } = await passPassword(portal, await makeCustomer(portal))
  const leaving = await signInAs(portal, await makeCustomer(portal))
  const old = leaving.cookie
  await leaving.call(signOut)
  leaving.cookie = old
  for (const locale of locales)
    for (const name of protectedPages) {
      const path = `${placeOf(locale, name)}?status=active`
      for (const stranger of [openBrowser(portal), pending, leaving]) {
        const answer = await get(path, stranger)
        expect(answer.status).toBe(303)
        const login = new URL(answer.location!, portal.origin)
        expect(login.origin + login.pathname).toBe(portal.origin + inLocale(locale, '/'))
        expect(safeReturnPath(login.searchParams.get('returnTo'))).toBe(path)
        expect(answer.text).toBe('')
      }
      expect((await get(path, customer)).text).toContain(markOf(locale, name))
    }
})

test('RTE-7 R66 no request line leads away from the portal', async () => {
  const lines = words(String.raw`//evil.example/home /%2f%2fevil.example/home /home/..//evil.example /\evil.example/home
    /en//evil.example /home?returnTo=//evil.example /?returnTo=https://evil.example`)
  for (const line of lines) {
    const answer = await getRaw(line)
    const login = new URL(answer.headers.location ?? '/', portal.origin)
    const back = new URL(login.searchParams.get('returnTo') ?? '/', portal.origin)
    expect([line, login.origin, back.origin]).toEqual([line, portal.origin, portal.origin])
  }
})

test('RTE-8 ERR-1 unknown and inexact paths answer 404 with the error screen in their language', async () => {
  const unknown = words(`/nowhere /home// //home /home/x /my-data/x.css /home;x /pl /pages/pl/login.html /secret.txt
    /pages.json /setup-password /setup-password/${'a'.repeat(200)} /setup-password/ /setup-password/cut%20off /renewal/
    /renewal/1.x /%68ome /.env /assets /assets/ /assets/nothing.js /builds/meta /en/nowhere /en/my-data/x.css`)
  for (const path of unknown) {
    const answer = await get(path, customer)
    expect([answer.status, answer.headers.get('cache-control')], path).toEqual([404, 'no-store'])
    expect(answer.text).toContain(markOf(path.startsWith('/en/') ? 'en' : 'pl', 'not-found'))
  }
  const api = await get('/api/nowhere')
  expect([api.status, api.headers.get('content-type')]).toEqual([404, 'application/problem+json; charset=utf-8'])
  expect(JSON.parse(api.text)).toMatchObject({ code: 'not-found' })
})

test('RTE-13 capitals and a slash at the end lead permanently to the canonical address', async () => {
  const token = 'AbC-_'.repeat(8)
  const typed: Record<string, string> = {
    '/home/': '/home',
    '/HOME': '/home',
    '/en/Home/?a=1&b=%2F': '/en/home?a=1&b=%2F',
    '/EN': '/en',
    '/en/': '/en',
    '/En/?reason=signed-out&returnTo=%2Fen%2Fhome': '/en?reason=signed-out&returnTo=%2Fen%2Fhome',
    '/Certificates/Signatures?status=active/': '/certificates/signatures?status=active/',
    [`/Setup-Password/${token}/`]: `/setup-password/${token}`,
    [`/en/SETUP-PASSWORD/${token}`]: `/en/setup-password/${token}`,
  }
  for (const [path, canonical] of Object.entries(typed)) {
    const answer = await get(path)
    expect([path, answer.status, answer.location, answer.text]).toEqual([path, 308, canonical, ''])
    expect([path, [200, 303].includes((await get(canonical)).status)]).toEqual([path, true])
  }
  for (const path of ['/api/Session', '/API/session', '/api/session/', '/api/home/', '/provider/v1/home/'])
    expect([path, (await get(path)).status]).toEqual([path, 404])
  const posted = await openBrowser(portal).raw('POST', '/home/', {})
  expect(posted.status).toBe(404)
})

test('R145 no spelling of an address is redirected anywhere but to a path of the table of pages', async () => {
  const prefixes = words(String.raw`/ // //evil.example/ /\evil.example/ /. /%2f /en// /en/../ /; /@evil.example/`)
  const ends = words(`home/ HOME Setup-Password/x/ Setup-Password//evil.example/ home//evil.example EN/
    home/?//evil.example HOME%0d%0aLocation:%20//evil.example`)
  for (const prefix of prefixes)
    for (const end of ends) {
      const line = prefix + end
      const { headers } = await getRaw(line)
      const [path] = (headers.location ?? '/').split('?')
      expect([line, path]).toEqual([line, expect.stringMatching(/^\/(?:en)?(?:\/?(?:home|setup-password\/x))?$/)])
    }
})

test('R8 AUT-6 the next page after a sign-out without a network ends that session, and no later one', async () => {
  const person = await makeCustomer(portal)
  const browser = await signInAs(portal, person)
  const session = (await browser.call(readSession)).body
  const left = (path: string, { cookie }: TestBrowser) =>
    get(path, openBrowser(portal), {
      cookie: `${cookie}; ${pendingSignOutCookie}=${pendingSignOut(session.endsAt, session)}`,
    })
  const later = await signInAs(portal, person)
  const kept = await left('/home', later)
  expect([kept.status, kept.headers.getSetCookie()]).toEqual([200, [expect.stringMatching(/^__Host-sign-out=;/)]])
  const ended = await left('/en/home', browser)
  expect(ended).toMatchObject({ status: 303, location: '/en?reason=signed-out&returnTo=%2Fen%2Fhome' })
  expect(ended.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Host-sign-out=;/),
    expect.stringMatching(/^__Host-sygnet=;/),
  ])
  expect([(await browser.call(readSession)).status, (await later.call(readSession)).status]).toEqual([401, 200])
  // Any page will do, the second time it does nothing, and neither does what nobody wrote.
  for (const path of ['/terms', '/']) expect((await left(path, browser)).status).toBe(200)
  for (const value of ['', 'x', '~', '%zz']) {
    const cookie = `${later.cookie}; ${pendingSignOutCookie}=${value}`
    expect((await get('/home', openBrowser(portal), { cookie })).status).toBe(200)
  }
})

describe('RTE-12 R146 the login page in the chosen language', () => {
  const at = (path: string, headers: Record<string, string>) => get(path, openBrowser(portal), headers)
  const english = { cookie: 'locale=en' }

  test('RTE-12 the bare address leads to English for a visitor who chose it, with the query', async () => {
    for (const [path, target] of [
      ['/', '/en'],
      ['/?utm=a%2Fb&x', '/en?utm=a%2Fb&x'],
    ] as const) {
      for (const site of ['none', 'cross-site', 'same-site'])
        expect(await at(path, { ...english, 'sec-fetch-site': site })).toMatchObject({ status: 302, location: target })
      expect(await at(path, english)).toMatchObject({ status: 302, location: target, text: '' })
    }
    expect((await at('/en', english)).status).toBe(200)
  })

  test.each([
    ['an address that names English', '/en', { cookie: 'locale=pl' }],
    ['no choice', '/', {}],
    ['the choice of Polish', '/', { cookie: 'locale=pl' }],
    ['a cookie of another value', '/', { cookie: 'locale=//evil.example' }],
    ['a link on a page of the portal', '/', { ...english, 'sec-fetch-site': 'same-origin' }],
    ['the return path of a Polish page', '/?returnTo=%2Fhome', english],
    ['the end of a session on a Polish page', '/?reason=signed-out', english],
    ['a deeper Polish address', '/register', english],
    ['a crawler', '/', { ...english, 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com)' }],
  ])('RTE-12 %s stays', async (_what, path, headers) => {
    expect(await at(path, headers)).toMatchObject({ status: 200 })
  })

  test('RTE-12 a signed-in customer goes from there to Home in the same language', async () => {
    const cookie = `${customer.cookie}; locale=en`
    expect(await at('/', { cookie })).toMatchObject({ status: 303, location: '/en/home' })
    expect(await at('/', { cookie, 'sec-fetch-site': 'same-origin' })).toMatchObject({ status: 303, location: '/home' })
    expect(await at('/en', { cookie: `${customer.cookie}; locale=pl` })).toMatchObject({ location: '/en/home' })
  })

  test('R146 no cache may give the answer of one visitor to another', async () => {
    for (const choice of [english, {}]) {
      const { headers } = await at('/', choice)
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('vary')).toMatch(/\bcookie, sec-fetch-site/)
    }
  })
})

test('PWD-1 RTE-8 a link that was copied with punctuation leads to its page', async () => {
  for (const link of [`/en/setup-password/${'a'.repeat(43)}`, `/renewal/${crypto.randomUUID()}`])
    for (const mark of ['.', ',', ').']) {
      const answer = await get(link + mark)
      expect([mark, answer.status, answer.headers.get('location')]).toEqual([mark, 308, link])
    }
  for (const path of ['/setup-password/a.b', '/home.', '/setup-password/a.?x=1'])
    expect([path, (await get(path)).status]).toEqual([path, 404])
})

test('ERR-2 R72 any other failure of a page shows the error screen, without details', async () => {
  const broken = await getRaw('/en/%zz')
  expect(broken.status).toBe(400)
  expect(broken.body).toContain(`${markOf('en', 'error')}400`)
  const long = await get(`/home?${'x'.repeat(2048)}`)
  expect(long.status).toBe(414)
  expect(long.text).toContain(`${markOf('pl', 'error')}414`)
  expect(broken.body + long.text).not.toMatch(/FST_|node_modules|%zz|Error:/)
})

test('R49 R65 no path leads out of the public folders', async () => {
  const spellings = words(`../secret.txt ..%2fsecret.txt %2e%2e/secret.txt %2e%2e%2fsecret.txt ..%5csecret.txt
    ....//secret.txt /../secret.txt ./../secret.txt x/../../secret.txt ..%00/secret.txt %252e%252e/secret.txt`)
  for (const folder of ['/', '/assets/', '/builds/'])
    for (const spelling of spellings) {
      const answer = await getRaw(folder + spelling)
      expect(answer.body, folder + spelling).not.toContain('nobody may read this')
      expect([400, 404]).toContain(answer.status)
    }
})

test('HTT-3 R65 hashed files may be cached for ever, all others are revalidated', async () => {
  const hashed = await get('/assets/main-A1b2.js', undefined, { 'accept-encoding': 'br' })
  expect(hashed.text).toBe(web.script)
  expect(hashed.headers.get('content-encoding')).toBe('br')
  expect(hashed.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect((await get('/assets/main-A1b2.js', undefined, { 'accept-encoding': 'identity' })).text).toBe(web.script)
  const others =
    '/error_bg.jpg /robots.txt /builds/latest.json /builds/meta/b1.json /_payload.json /en/faq/_payload.json'
  for (const path of words(others)) expect((await get(path)).headers.get('cache-control'), path).toBe('no-cache')
  for (const path of ['/', '/faq']) expect((await get(path)).headers.get('cache-control')).toBe('no-store')
  const known = (await get('/error_bg.jpg')).headers.get('etag')!
  expect(await getRaw('/error_bg.jpg', `If-None-Match: ${known}\r\n`)).toMatchObject({ status: 304, body: '' })
})

describe('HTT-2 one build serves any configuration', () => {
  const configOf = (html: string) =>
    PageConfig.parse(JSON.parse(/<script type="application\/json" id="config">(.*?)<\/script>/.exec(html)![1]!))

  test('HTT-2 base URL, asset directory and the public key of the bot check are on every page as data', async () => {
    const evil = '</script><script>alert(1)</script></title>$&'
    const settings = {
      webDirectory: web.directory,
      assets: '/cdn/files/',
      apiBase: '/api',
      brand: { ...demonstrationBrand, product: evil },
    }
    const botCheck = {
      kind: 'turnstile',
      siteKey: 'public-key',
      origin: 'https://bots.example',
      verify: () => Promise.reject(new Error('never')),
    } as const
    const configured = await openPortalForTest({ settings, botCheck })
    for (const path of ['/', '/en/faq', '/nowhere', '/setup-password/x']) {
      const html = await (await fetch(configured.origin + path)).text()
      expect(configOf(html)).toEqual({
        baseURL: '/api',
        assets: '/cdn/files/',
        botCheck: { kind: 'turnstile', siteKey: 'public-key' },
        brand: settings.brand,
        claim: { title: expect.stringMatching(/^(?:Podpis|As binding)/), text: expect.stringContaining('eIDAS') },
        off: [],
        demonstration: false,
        activation: 'portal',
      })
      if (path !== '/nowhere') expect(html).toContain('href="/cdn/files/main-E5f6.css"')
      if (path === '/en/faq') expect(html).toContain('<link rel="canonical" href="https://portal.example/en/faq">')
      expect(html).not.toMatch(/<script>alert|<\/title>\$&/)
      expect(html).toContain('url(/cdn/files/font-C3d4.woff2)')
      expect(html).not.toContain('/assets/')
    }
    expect(await (await fetch(`${configured.origin}/cdn/files/main-A1b2.js`)).text()).toBe(web.script)
    expect((await fetch(`${configured.origin}/assets/main-A1b2.js`)).status).toBe(404)
  })

  test('R64 a provider’s own look is one more sheet that the policy names, its mark is at a path of ours', async () => {
    const mark = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>'
    const brand = { ...demonstrationBrand, colours: { lak: '#7A1E5B' }, mark }
    const configured = await openPortalForTest({ settings: { webDirectory: web.directory, brand } })
    const page = await fetch(`${configured.origin}/en/faq`)
    const html = await page.text()
    const [, sheet] = /<style>(:root\{[^<]*)<\/style><\/head>/.exec(html)!
    expect(sheet).toContain('--lak:#7A1E5B')
    const policy = page.headers.get('content-security-policy')
    expect(policy).toContain(`'sha256-${hash('sha256', sheet!, 'base64')}'`)
    expect(policy).not.toContain('unsafe')
    const { brand: configuredBrand, mark: path } = configOf(html)
    expect(configuredBrand).toEqual(demonstrationBrand)
    const drawing = await fetch(configured.origin + path!)
    expect(await drawing.text()).toBe(mark)
    expect(Object.fromEntries(drawing.headers)).toMatchObject({
      'content-type': 'image/svg+xml',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    })
    expect((await fetch(`${configured.origin}/brand/mark-0000000000000000.svg`)).status).toBe(404)
    // A home screen has our icon with our mark only (OFF-4).
    const iconsOf = async (origin: string) =>
      (await (await fetch(`${origin}/frames/home`)).text()).match(/<link rel="(?:apple-touch-)?icon" href="[^"]+"/g)
    expect(await iconsOf(configured.origin)).toEqual([`<link rel="icon" href="${path}"`])
    expect(await iconsOf(portal.origin)).toEqual([
      '<link rel="icon" href="/favicon.svg"',
      '<link rel="icon" href="/favicon.ico"',
      '<link rel="apple-touch-icon" href="/icon-180.png"',
    ])
  })

  test('ERR-5 a page that is off says so to visitors, and is shown as off after sign-in', async () => {
    const off: Feature[] = ['registration', 'seals', 'timestamps']
    const configured = await openPortalForTest({ settings: { webDirectory: web.directory, featuresOff: off } })
    for (const locale of locales) {
      const register = await fetch(configured.origin + placeOf(locale, 'register'))
      const html = await register.text()
      expect([register.status, html]).toEqual([503, expect.stringContaining(markOf(locale, 'unavailable'))])
      expect(configOf(html).off).toEqual(offParts(off))
      expect((await fetch(configured.origin + placeOf(locale, 'login'))).status).toBe(200)
      const visitor = await signInAs(configured, await makeCustomer(configured))
      const seals = await visitor.raw('GET', placeOf(locale, 'seals'))
      expect([seals.status, await seals.text()]).toEqual([200, expect.stringContaining(markOf(locale, 'seals'))])
    }
  })

  test('HTT-2 both encodings of a page have the same content', async () => {
    const plain = await get('/faq', undefined, { 'accept-encoding': 'identity' })
    const packed = await get('/faq', undefined, { 'accept-encoding': 'br' })
    expect(packed.headers.get('content-encoding')).toBe('br')
    expect(packed.text).toBe(plain.text)
    expect(plain.headers.get('vary')).toContain('accept-encoding')
  })
})

test('HTT-4 RTE-9 the real build serves every page it lists, with its payload and its files', async (context) => {
  const built = join(import.meta.dirname, '../../../dist/web')
  if (!existsSync(join(built, 'pages.json'))) {
    process.stderr.write('SKIPPED: dist/web is not built, so its pages are not tried (node build/build.ts)\n')
    return context.skip('dist/web is not built')
  }
  const real = await openPortalForTest({ settings: { webDirectory: built, assets: '/other/place/' } })
  const statusOf = async (path: string) => [path, (await fetch(real.origin + path)).status]
  const files = new Set<string>()
  for (const locale of locales)
    for (const name of web.open) {
      const path = placeOf(locale, name)
      const response = await fetch(real.origin + path)
      const html = await response.text()
      expect([path, response.status]).toEqual([path, 200])
      expect(html).toContain(`<html lang="${locale}"`)
      expect(html).not.toContain('/assets/')
      // The line art of the sign-in pages has words too.
      const art =
        pages[name].layout === 'unauthorized' ? { pl: 'podpis · pieczęć', en: 'signature · seal' }[locale] : undefined
      expect([path, /podpis · pieczęć|signature · seal/.exec(html)?.[0]]).toEqual([path, art])
      const policy = response.headers.get('content-security-policy')!
      for (const [, tag, text] of html.matchAll(/<(style|script)>([^]*?)<\/\1>/g))
        expect(policy, `${path} ${tag}`).toContain(hash('sha256', text!, 'base64'))
      for (const [, file] of html.matchAll(/(?:="|url\()(\/other\/place\/[^")]+)/g)) files.add(file!)
      const payload = payloadPath(locale, name)
      expect(await statusOf(payload)).toEqual([payload, 200])
    }
  expect(files.size).toBeGreaterThan(0)
  for (const file of files) expect(await statusOf(file)).toEqual([file, 200])
  const { id } = JSON.parse(readFileSync(join(built, 'builds/latest.json'), 'utf8')) as { id: string }
  const ofStatic = readdirSync(join(built, 'static')).filter((name) => name.includes('.'))
  for (const file of [...ofStatic, 'flags/PL.svg', `builds/meta/${id}.json`])
    expect(await statusOf(`/${file}`)).toEqual([`/${file}`, 200])
})

test('AUT-5 a page requested with an ended session gives the reason of its end', async () => {
  const own = await openPortalForTest({ settings: { webDirectory: web.directory } })
  const reasonOf = async (browser: TestBrowser) =>
    new URL((await get('/home', browser)).location!, own.origin).searchParams.get('reason')
  const person = await makeCustomer(own)
  const [idle, busy] = [await signInAs(own, person), await signInAs(own, person)]
  const gone = await signInAs(own, person)
  for (const browser of [idle, busy, gone]) expect((await get('/home', browser)).status).toBe(200)
  const ended = gone.cookie
  await gone.call(signOut)
  gone.cookie = ended
  expect(await reasonOf(gone)).toBe('session-gone')
  for (let seconds = 0; seconds < limits.session.absolute; seconds += limits.session.idle - 60) {
    await busy.call(extendSession)
    await own.clock.advance(limits.session.idle - 60)
  }
  // Removing expired rows keeps the reason for a day.
  await tidyUp(own.portal)
  expect([await reasonOf(idle), await reasonOf(busy)]).toEqual(['session-ended', 'session-full'])
  await own.clock.advance(86_400)
  await tidyUp(own.portal)
  expect([await reasonOf(idle), await reasonOf(openBrowser(own))]).toEqual(['session-gone', null])
})
