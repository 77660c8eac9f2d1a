/** `default` has the menu, `unauthorized` is the sign-in family, `none` is bare (RTE-2); `focus` is one long task (ux.md §6). */
export type Layout = 'default' | 'unauthorized' | 'none' | 'focus'

export type Page = {
  /** The Polish path; English stands under `/en`. */
  path: `/${string}`
  layout: Layout
  /** Protected pages need a session; the others are prerendered and can be read without script (HTT-4). */
  protected: boolean
}

const open = (path: Page['path'], layout: Layout): Page => ({ path, layout, protected: false })
const behindSignIn = (path: Page['path'], layout: Layout = 'default'): Page => ({ path, layout, protected: true })

/** Every page of the portal. Router, prerender, server, return paths and tests read this table. */
export const pages = {
  login: open('/', 'unauthorized'),
  passwordReset: open('/password-reset', 'unauthorized'),
  register: open('/register', 'unauthorized'),
  setupPassword: open('/setup-password/:token', 'unauthorized'),
  confirmPhone: open('/confirm-phone', 'unauthorized'),
  accessDenied: open('/access-denied', 'none'),
  faq: open('/faq', 'none'),
  accessibility: open('/accessibility', 'none'),
  privacy: open('/privacy', 'none'),
  terms: open('/terms', 'none'),
  home: behindSignIn('/home'),
  signatures: behindSignIn('/certificates/signatures'),
  seals: behindSignIn('/certificates/seals'),
  timestamps: behindSignIn('/certificates/timestamps'),
  myData: behindSignIn('/my-data'),
  changePassword: behindSignIn('/change-password'),
  myCases: behindSignIn('/my-cases'),
  documents: behindSignIn('/documents'),
  renewal: behindSignIn('/renewal/:uid', 'focus'),
  software: behindSignIn('/software'),
} as const satisfies Record<string, Page>

export type PageName = keyof typeof pages

/** `/en/home` → `{ locale: 'en', path: '/home' }`. */
export function splitLocale(pathname: string): { locale: 'pl' | 'en'; path: string } {
  const english = pathname === '/en' || pathname.startsWith('/en/')
  return english ? { locale: 'en', path: pathname.slice(3) || '/' } : { locale: 'pl', path: pathname }
}

/** The other way round: a place without its locale, with its query and fragment if any, in one of them: `/?a=1` → `/en?a=1`. */
export const inLocale = (locale: 'pl' | 'en', place: string): string =>
  locale === 'pl' ? place : `/en${/^\/(?:[?#]|$)/.test(place) ? place.slice(1) : place}`

/** The page that a path names, without its locale; exact, without case folding or trailing slashes (R35). */
export function findPage(path: string): PageName | undefined {
  return (Object.keys(pages) as PageName[]).find((name) => matches(pages[name].path, path))
}

/** `/setup-password/abc` of the page `setupPassword` → `{ token: 'abc' }`. */
export function paramsOf(name: PageName, path: string): Record<string, string> {
  const given = path.split('/')
  return Object.fromEntries(
    pages[name].path.split('/').flatMap((part, i) => (part.startsWith(':') ? [[part.slice(1), given[i] ?? '']] : [])),
  )
}

function matches(pattern: string, path: string) {
  const wanted = pattern.split('/')
  const given = path.split('/')
  return (
    wanted.length === given.length &&
    wanted.every((part, i) => (part.startsWith(':') ? /^[A-Za-z0-9_-]+$/.test(given[i]!) : part === given[i]))
  )
}

/**
 * Where a sign-in may lead back to (RTE-7): a relative path of the route table that needs a session, with its query.
 * Anything else, such as `//evil.example` or `/\evil.example`, is undefined.
 */
export function safeReturnPath(wanted: string | null | undefined): string | undefined {
  if (!wanted || !/^\/[\w\-./?=&%~+*]*$/.test(wanted) || wanted.startsWith('//')) return undefined
  const [pathname = ''] = wanted.split('?')
  const page = findPage(splitLocale(pathname).path)
  if (!page || !pages[page].protected) return undefined
  // The address of the login page carries it, and addresses have an end.
  return [wanted, pathname].find(({ length }) => length <= 512)
}

/**
 * Why a customer is led to the login page, which says so there (AUT-5). A session ends by itself after a time without
 * activity (`session-ended`) or at its longest time (`session-full`); one that is `session-gone` was ended in another way.
 */
export const loginReasons = [
  'session-ended',
  'session-full',
  'session-gone',
  'signed-out',
  'password-changed',
  'password-set',
] as const
export type LoginReason = (typeof loginReasons)[number]

/** The customer meant to stay, so what was typed is kept for them (AUT-5). */
export const cameUnasked = (reason: LoginReason) => reason.startsWith('session-')

/** Where a number that was registered is confirmed; `back` as on the login page. */
export function confirmPhonePath(locale: 'pl' | 'en', back: string | null | undefined): string {
  const safe = safeReturnPath(back)
  const query = safe ? `?${new URLSearchParams({ returnTo: safe })}` : ''
  return inLocale(locale, pages.confirmPhone.path + query)
}

/** The login page of a language; `back` is where the sign-in leads back to, with its language (RTE-7). */
export function loginPath(
  locale: 'pl' | 'en',
  { reason, back }: { reason?: LoginReason; back?: string | undefined } = {},
): string {
  const query = new URLSearchParams()
  if (reason) query.set('reason', reason)
  const safe = safeReturnPath(back)
  if (safe) query.set('returnTo', safe)
  const login = locale === 'en' ? '/en' : '/'
  return query.size ? `${login}?${query}` : login
}
