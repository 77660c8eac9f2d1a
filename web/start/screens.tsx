import type { ComponentType, ReactNode } from 'react'
import { keysOf } from '../../contract/enums.ts'
import {
  findPage,
  pages,
  splitLocale,
  type Layout,
  type PageName,
  payloadPath,
  type PagePayload,
} from '../../contract/pages.ts'
import { storeDrafts } from '../app/drafts.ts'
import { onDemand } from '../app/on-demand.tsx'
import { NoneLayout } from '../layouts/none-layout.tsx'
import { UnauthorizedLayout } from '../layouts/unauthorized-layout.tsx'
import { loadTimeZone } from '../text/format.ts'
import { ownBuild } from './build-check.ts'

const files = import.meta.glob<Record<string, ComponentType>>([
  '../*/*-screen.tsx',
  // Another bundle (DSK-1).
  '!../desk/*',
  '!../lists/*',
  '!../errors/{error,not-found,unavailable}-screen.tsx',
])
const loadByName = new Map(
  Object.entries(files).map(([path, load]) => [path.replace(/^.*\/|-screen\.tsx$/g, ''), load]),
)

/** Loads the screen of a page: for `myCases`, `MyCasesScreen` in `my-cases-screen.tsx` of any feature. */
async function loadScreen(page: PageName): Promise<ComponentType> {
  const file = await loadByName.get(page.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`))?.()
  const Screen = file?.[`${page[0]?.toUpperCase()}${page.slice(1)}Screen`]
  if (!Screen) throw new Error(`The page ${page} has no screen.`)
  return Screen
}

/** The page that this document was loaded for: its payload is in the document. */
const ownPage = import.meta.env.SSR ? undefined : findPage(splitLocale(location.pathname).path)

/** A payload that has not arrived after this is ignored. */
const fetchTimeoutMs = 3000
/** A late payload delays nobody: a page whose code is there waits no longer than this, and is shown without it. */
const pageTimeoutMs = 300

/** Resolves when a page whose code has loaded has waited long enough; where the code is gone, only the payload knows why. */
const timeout = (code: Promise<unknown>): Promise<undefined> =>
  Promise.all([code, new Promise((resolve) => setTimeout(resolve, pageTimeoutMs))]).then(
    () => undefined,
    () => new Promise(() => {}),
  )

async function fetchPayload(path: string): Promise<PagePayload> {
  const answer = await fetch(path, { credentials: 'omit', signal: AbortSignal.timeout(fetchTimeoutMs) })
  return answer.json() as Promise<PagePayload>
}

/**
 * Reads the payload of an open page that a link leads to (HTT-6). If the portal was updated since this document was loaded, the code of its
 * own build is gone from the server, so the whole page is loaded from the new build instead; then this never resolves.
 */
async function followPayload(page: PageName, code: Promise<unknown>): Promise<void> {
  const { locale } = splitLocale(location.pathname)
  const payload = await Promise.race([fetchPayload(payloadPath(locale, page)).catch(() => undefined), timeout(code)])
  if (!payload || payload.build === ownBuild()) return
  storeDrafts()
  location.reload()
  await new Promise(() => {})
}

/** Loads the screen of an open page. When reached by a link, the screen comes with the payload of the page (HTT-6). */
async function loadWithPayload(page: PageName): Promise<ComponentType> {
  const screen = loadScreen(page)
  // Handled below; until then it is nobody's failure.
  screen.catch(() => undefined)
  if (!import.meta.env.SSR && page !== ownPage) await followPayload(page, screen)
  return screen
}

export const screens = Object.fromEntries(
  keysOf(pages).map((name) => {
    const load = pages[name].needsSignIn ? loadScreen : loadWithPayload
    return [name, onDemand(() => load(name))]
  }),
) as Record<PageName, ReturnType<typeof onDemand>>
export const Unavailable = onDemand(() =>
  import('../errors/unavailable-screen.tsx').then((file) => file.UnavailableScreen),
)
export const Denied = onDemand(() =>
  import('../errors/access-denied-screen.tsx').then((file) => file.AccessDeniedScreen),
)
export const NotFound = onDemand(() => import('../errors/not-found-screen.tsx').then((file) => file.NotFound))
const DefaultLayout = onDemand(() => import('../layouts/default-layout.tsx').then((file) => file.DefaultLayout))
const FocusLayout = onDemand(() => import('../layouts/focus-layout.tsx').then((file) => file.FocusLayout))

export const layouts: Record<Layout, ComponentType<{ children: ReactNode }>> = {
  default: DefaultLayout,
  unauthorized: UnauthorizedLayout,
  none: NoneLayout,
  focus: FocusLayout,
}

/** Starts loading a page's code before React asks for it. */
export function preloadPage(name: PageName) {
  const { layout } = pages[name]
  if (pages[name].needsSignIn) setTimeout(loadTimeZone)
  return Promise.all([
    screens[name].preload(),
    layout === 'default' && DefaultLayout.preload(),
    layout === 'focus' && FocusLayout.preload(),
  ])
}

/** Loads what the server needs to render any page. */
export const loadPages = () => Promise.all([...keysOf(pages).map(preloadPage), Unavailable.preload()])
