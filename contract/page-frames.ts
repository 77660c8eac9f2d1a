import { keysOf } from './keys-of.ts'
import { inLocale, pages, type PageName } from './pages.ts'

/** Pages of which the service worker keeps the frame (OFF-1): those of customers, those that are for everyone, and the login page. */
export const framedPages = keysOf(pages).filter(
  (name) => pages[name].protected || pages[name].layout === 'none' || name === 'login',
)

/** The path of a page without its parameter. */
const barePath = (page: PageName): string => pages[page].path.replace(/\/:\w+$/, '')

/** For the service worker: pages by their path, and those with a parameter by the path before it. */
export const framePaths = {
  pages: framedPages.filter((page) => barePath(page) === pages[page].path).map(barePath),
  parents: framedPages.filter((page) => barePath(page) !== pages[page].path).map(barePath),
}

/** Where the page is without anybody's data. */
export const framePath = (locale: 'pl' | 'en', page: PageName): string => `/frames${inLocale(locale, barePath(page))}`
