import { keysOf, type Locale } from './enums.ts'

/** `default` has the menu, `unauthorized` is for signing in, `none` is empty (RTE-2); `focus` is for one long task. */
export type Layout = 'default' | 'unauthorized' | 'none' | 'focus'

export type Page = {
  /** The Polish path; the English one begins with `/en`. */
  path: `/${string}`
  layout: Layout
  /** Whether the page needs a session; the others are the same for everyone and can be read without script (HTT-4). */
  needsSignIn: boolean
}

const open = (path: Page['path'], layout: Layout): Page => ({ path, layout, needsSignIn: false })
const behindSignIn = (path: Page['path'], layout: Layout = 'default'): Page => ({ path, layout, needsSignIn: true })

/** Every page of the portal. Router, server, return paths and tests read this table. */
export const pages = {
  login: open('/', 'unauthorized'),
  passwordReset: open('/password-reset', 'unauthorized'),
  register: open('/register', 'unauthorized'),
  setupPassword: open('/setup-password/:token', 'unauthorized'),
  lostPhone: open('/lost-phone', 'unauthorized'),
  reminderRecipient: open('/reminder-recipient', 'unauthorized'),
  confirmPhone: open('/confirm-phone', 'unauthorized'),
  accessDenied: open('/access-denied', 'none'),
  faq: open('/faq', 'none'),
  check: open('/check', 'none'),
  accessibility: open('/accessibility', 'none'),
  privacy: open('/privacy', 'none'),
  terms: open('/terms', 'none'),
  home: behindSignIn('/home'),
  signatures: behindSignIn('/certificates/signatures'),
  seals: behindSignIn('/certificates/seals'),
  timestamps: behindSignIn('/certificates/timestamps'),
  myData: behindSignIn('/my-data'),
  security: behindSignIn('/security'),
  changePassword: behindSignIn('/change-password'),
  myCases: behindSignIn('/my-cases'),
  documents: behindSignIn('/documents'),
  sign: behindSignIn('/sign'),
  renewal: behindSignIn('/renewal/:uid', 'focus'),
  software: behindSignIn('/software'),
} as const satisfies Record<string, Page>

export type PageName = keyof typeof pages

/** Splits a path into its locale and the rest: `/en/home` → `{ locale: 'en', path: '/home' }`. */
export function splitLocale(pathname: string): { locale: Locale; path: string } {
  const isEnglish = pathname === '/en' || pathname.startsWith('/en/')
  return isEnglish ? { locale: 'en', path: pathname.slice(3) || '/' } : { locale: 'pl', path: pathname }
}

/** Adds the locale to a path, which may have a query and a fragment: `/?a=1` → `/en?a=1`; the reverse of `splitLocale`. */
export const inLocale = (locale: Locale, path: string): string =>
  locale === 'pl' ? path : `/en${/^\/(?:[?#]|$)/.test(path) ? path.slice(1) : path}`

/** Finds the page of a path without its locale; the match is exact, without case folding or trailing slashes (R35). */
export function findPage(path: string): PageName | undefined {
  return keysOf(pages).find((name) => matches(pages[name].path, path))
}

/** Build data about a page that needs no session, for links that lead to it (HTT-6). */
export type PagePayload = { build: string; page: PageName; locale: Locale }

/** Returns the path of a page's build data, such as `/en/register/_payload.json`; a parameter is not part of it. */
export const payloadPath = (locale: Locale, page: PageName): string =>
  `${inLocale(locale, pages[page].path.replace(/\/:\w+$/, '')).replace(/\/$/, '')}/_payload.json`

/**
 * Finds the path of a page regardless of case: `/Setup-Password/AbC` → `/setup-password/AbC`. Only the page's own segments are folded,
 * because a token is case-sensitive.
 */
export function pageIgnoringCase(path: string): string | undefined {
  const segments = path.split('/')
  return Object.values(pages)
    .map((page) =>
      page.path
        .split('/')
        .map((part, i) => (part.startsWith(':') ? segments[i] : part))
        .join('/'),
    )
    .find((own) => own.length === path.length && own.toLowerCase() === path.toLowerCase() && findPage(own))
}

/** Returns the parameters in the path of a page: `/setup-password/abc` of the page `setupPassword` → `{ token: 'abc' }`. */
export function parseParams(name: PageName, path: string): Record<string, string> {
  const segments = path.split('/')
  return Object.fromEntries(
    pages[name].path
      .split('/')
      .flatMap((part, i) => (part.startsWith(':') ? [[part.slice(1), segments[i] ?? '']] : [])),
  )
}

function matches(pattern: string, path: string) {
  const parts = pattern.split('/')
  const segments = path.split('/')
  return (
    parts.length === segments.length &&
    segments.every((segment, i) =>
      parts[i]?.startsWith(':') ? /^[A-Za-z0-9_-]+$/.test(segment) : segment === parts[i],
    )
  )
}

/**
 * Returns the path to which a sign-in may lead back (RTE-7): a relative path of the route table that needs a session, with its query.
 * Undefined for anything else, such as `//evil.example` or `/\evil.example`.
 */
export function safeReturnPath(wanted: string | null | undefined): string | undefined {
  if (!wanted || !/^\/[\w\-./?=&%~+*]*$/.test(wanted) || wanted.startsWith('//')) return undefined
  const [pathname = ''] = wanted.split('?')
  const page = findPage(splitLocale(pathname).path)
  if (!page || !pages[page].needsSignIn) return undefined
  // The URL of the login page carries it, and URLs have a longest length.
  return [wanted, pathname].find(({ length }) => length <= 512)
}

/**
 * Reasons why a customer was redirected to the login page, which shows them (AUT-5). A session expires after a time without activity
 * (`session-ended`) or at its absolute end (`session-full`); `session-gone` means that it was ended otherwise.
 */
export const loginReasons = [
  'session-ended',
  'session-full',
  'session-gone',
  'signed-out',
  'signed-out-offline',
  'password-changed',
  'password-set',
] as const
export type LoginReason = (typeof loginReasons)[number]

/** Checks whether the customer was redirected without wanting to leave, so that what they typed is kept (AUT-5). */
export const wasRedirectedUnasked = (reason: LoginReason) => reason.startsWith('session-')

/** Returns the path of the page that confirms a registered number; `back` as in `loginPath`. */
export function confirmPhonePath(locale: Locale, back: string | null | undefined): string {
  const safe = safeReturnPath(back)
  const query = safe ? `?${new URLSearchParams({ returnTo: safe })}` : ''
  return inLocale(locale, pages.confirmPhone.path + query)
}

/**
 * Returns the path of the login page in a language; after the sign-in, the customer goes to `back`, which includes its language (RTE-7).
 */
export function loginPath(
  locale: Locale,
  { reason, back }: { reason?: LoginReason; back?: string | undefined } = {},
): string {
  const query = new URLSearchParams()
  if (reason) query.set('reason', reason)
  const safe = safeReturnPath(back)
  if (safe) query.set('returnTo', safe)
  const login = locale === 'en' ? '/en' : '/'
  return query.size ? `${login}?${query}` : login
}

/** Pages of which the service worker keeps the frame (OFF-1): those of customers, those that are for everyone, and the login page. */
export const framedPages = keysOf(pages).filter(
  (name) => pages[name].needsSignIn || pages[name].layout === 'none' || name === 'login',
)

/** Returns the path of a page without its parameter. */
const barePath = (page: PageName): string => pages[page].path.replace(/\/:\w+$/, '')

/** Paths for the service worker: `pages` are whole paths; `parents` are the part of a path before its parameter. */
export const framePaths = {
  pages: framedPages.filter((page) => barePath(page) === pages[page].path).map(barePath),
  parents: framedPages.filter((page) => barePath(page) !== pages[page].path).map(barePath),
}

/** Returns the address at which the page is served without anybody's data. */
export const framePath = (locale: Locale, page: PageName): string => `/frames${inLocale(locale, barePath(page))}`

/** Returns the canonical address of a page and its other languages, as `<link>` attributes (RTE-9). `path` is without language. */
export function headLinks(origin: string, locale: Locale, path: string) {
  const address = (language: Locale) => origin + inLocale(language, path)
  return [
    { rel: 'canonical', href: address(locale) },
    { rel: 'alternate', hreflang: 'pl', href: address('pl') },
    { rel: 'alternate', hreflang: 'en', href: address('en') },
    { rel: 'alternate', hreflang: 'x-default', href: address('pl') },
  ]
}
