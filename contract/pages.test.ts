import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findPage, headLinks, inLocale, loginPath, pages, safeReturnPath, splitLocale, type PageName } from './pages.ts'

const names = Object.keys(pages) as PageName[]
const protectedPages = names.filter((name) => pages[name].needsSignIn)
const sample = (path: string) => path.replace(/:\w+/, 'a-B_9')

test('RTE-1 every page has a path in each language, and the path shows the language', () => {
  for (const name of names) {
    const path = sample(pages[name].path)
    for (const locale of ['pl', 'en'] as const) {
      const localised = inLocale(locale, path)
      expect(splitLocale(localised)).toEqual({ locale, path })
      expect(findPage(splitLocale(localised).path)).toBe(name)
    }
  }
  expect(inLocale('en', '/')).toBe('/en')
  expect(inLocale('en', '/?returnTo=%2Fhome')).toBe('/en?returnTo=%2Fhome')
  expect(splitLocale('/english')).toEqual({ locale: 'pl', path: '/english' })
})

test('RTE-2 RTE-3 RTE-5 layouts are those of the specification', () => {
  const layoutOf = (path: string) => pages[findPage(path)!].layout
  expect(layoutOf('/access-denied')).toBe('none')
  for (const path of ['/', '/password-reset', '/register', '/reminder-recipient', '/setup-password/x', '/lost-phone'])
    expect(layoutOf(path)).toBe('unauthorized')
  for (const name of protectedPages) expect(pages[name].layout).toBe(name === 'renewal' ? 'focus' : 'default')
})

test('RTE-6 only the pages of the specification are open to visitors; all others need a session', () => {
  expect(
    names
      .filter((name) => !pages[name].needsSignIn)
      .map((name) => pages[name].path)
      .toSorted(),
  ).toEqual(
    [
      '/',
      '/password-reset',
      '/register',
      '/setup-password/:token',
      '/confirm-phone',
      '/lost-phone',
      '/reminder-recipient',
      '/access-denied',
      '/faq',
      '/check',
      '/accessibility',
      '/privacy',
      '/terms',
    ].toSorted(),
  )
})

test('R35 a path names a page only when it is exact', () => {
  const near = [
    '/Home',
    '/home/',
    '//home',
    '/home;x',
    '/%68ome',
    '/home%2f',
    '/home.',
    '/home\u0000',
    '/renewal/',
    '/renewal/a/b',
    '/renewal/a b',
    '/renewal/..',
    '',
  ]
  for (const path of near) expect(findPage(path), path).toBeUndefined()
})

describe('the page after a sign-in', () => {
  test('RTE-7 every protected page in both languages, with its query', () => {
    for (const name of protectedPages)
      for (const locale of ['pl', 'en'] as const) {
        const localised = inLocale(locale, sample(pages[name].path))
        expect(safeReturnPath(localised)).toBe(localised)
        for (const query of ['status=active&size=50', 'search=Jan+%C5%BBuraw*&x='])
          expect(safeReturnPath(`${localised}?${query}`)).toBe(`${localised}?${query}`)
        // The page is more important than its query.
        expect(safeReturnPath(`${localised}?search=${'x'.repeat(512)}`)).toBe(localised)
      }
  })

  test('RTE-7 R66 never to another origin, a script, an open page or an unknown one', () => {
    const hostile = [
      '//evil.example',
      '//evil.example/home',
      String.raw`/\evil.example`,
      String.raw`\\evil.example/home`,
      '/\t/evil.example',
      '/\n/evil.example/home',
      '/%09/evil.example',
      '/%2f/evil.example',
      '/%5cevil.example',
      'https://evil.example/home',
      'https:evil.example',
      'http:/evil.example/home',
      'javascript:alert(1)',
      'data:text/html,x',
      'home',
      './home',
      '../home',
      '/../home',
      '/home/../../evil',
      '/home#//evil.example',
      '/home@evil.example',
      '/home:80',
      '/home\r\nset-cookie: a=b',
      '/home?x=<script>',
      '/home?x="onload=',
      '/home?next=https://evil.example',
      '/api/session',
      '/',
      '/en',
      '/register',
      '/setup-password/x',
      '/nowhere',
      '/en/en/home',
      '/EN/home',
      `/renewal/${'x'.repeat(512)}`,
      ' /home',
      '',
    ]
    for (const wanted of hostile) expect(safeReturnPath(wanted), wanted).toBeUndefined()
    expect(safeReturnPath(null)).toBeUndefined()
    expect(safeReturnPath(undefined)).toBeUndefined()
  })

  test('RTE-7 R66 every accepted path stays on the origin, as a browser resolves it', () => {
    const part = fc.constantFrom(
      '/',
      '//',
      '\\',
      'home',
      'en',
      'renewal',
      'my-data',
      '.',
      '..',
      '%2f',
      '%5c',
      '@',
      ':',
      '?',
      '#',
      '\t',
      '\n',
      'evil.example',
      'https:',
      'a',
    )
    const text = fc.array(part, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(''))
    let through = 0
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          text.map((query) => `/home?${query}`),
        ),
        (wanted) => {
          const safe = safeReturnPath(wanted)
          if (safe === undefined) return
          through += 1
          const url = new URL(safe, 'https://portal.example')
          expect(url.origin).toBe('https://portal.example')
          expect(pages[findPage(splitLocale(url.pathname).path)!].needsSignIn).toBe(true)
        },
      ),
      { numRuns: 2000 },
    )
    expect(through).toBeGreaterThan(20)
  })

  test('RTE-7 AUT-5 the login page carries the return path in its own language, and nothing unsafe', () => {
    expect(loginPath('pl')).toBe('/')
    expect(loginPath('en')).toBe('/en')
    expect(loginPath('pl', { back: '/home?a=1' })).toBe('/?returnTo=%2Fhome%3Fa%3D1')
    expect(loginPath('en', { reason: 'session-ended', back: '/en/my-data' })).toBe(
      '/en?reason=session-ended&returnTo=%2Fen%2Fmy-data',
    )
    expect(loginPath('pl', { back: '//evil.example' })).toBe('/')
  })
})

test('RTE-9 a page has its own address as the canonical one, and names its other languages', () => {
  expect(headLinks('https://p.example', 'en', '/faq')).toEqual([
    { rel: 'canonical', href: 'https://p.example/en/faq' },
    { rel: 'alternate', hreflang: 'pl', href: 'https://p.example/faq' },
    { rel: 'alternate', hreflang: 'en', href: 'https://p.example/en/faq' },
    { rel: 'alternate', hreflang: 'x-default', href: 'https://p.example/faq' },
  ])
  expect(headLinks('', 'en', '/')[0]).toEqual({ rel: 'canonical', href: '/en' })
})
