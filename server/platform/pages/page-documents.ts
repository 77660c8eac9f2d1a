import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { Locale } from '../../../contract/enums.ts'
import { offParts } from '../../../contract/features.ts'
import type { PageConfig } from '../../../contract/page-config.ts'
import type { ErrorScreen, PageData, PageRenderer, RenderedPage } from '../../../contract/page-data.ts'
import { inLocale, pages, type PageName, headLinks } from '../../../contract/pages.ts'
import { plainClaim } from '../brand/brand.ts'
import { markPath, themeSheet } from '../brand/theme.ts'
import { hashSource, pagePolicy } from '../http/security-headers.ts'
import { escapeHtml } from '../messages/mail-template.ts'
import type { Portal } from '../portal.ts'
import { manifestPath, iconPath } from './app-files.ts'

/** The parts of the pages that the build has made, in `dist/web/pages.json`. Styles name files of the assets as `url(./…)`. */
export type BuiltPages = {
  build: string
  /** The parts of each page: `style` and `loader` are inline, and `sheets` are the files whose rules `style` has. */
  pages: Record<PageName, { style: string; sheets: string[]; loader: string }>
  /** The parts of the error screens, which run no script. */
  errors: { style: string; fonts: string[] }
}

export type PageDocument = { html: string; policy: string }
/** A document that is the same for everyone. */
export type ReadyPage = { plain: Buffer; brotli: () => Promise<Buffer>; policy: string }

export const compress = promisify(brotliCompress)

export function pageConfigOf({ settings, ports }: Portal, locale: Locale): PageConfig {
  const { apiBase, assets, brand, isDemonstration, featuresOff } = settings
  const { kind, siteKey } = ports.botCheck
  const { colours: _colours, mark: _drawing, icons: _icons, claim = plainClaim, ...names } = brand
  const mark = markPath(brand)
  return {
    baseURL: apiBase,
    assets,
    botCheck: { kind, siteKey },
    brand: names,
    claim: { title: claim.title[locale], text: claim.text[locale] },
    ...(mark && { mark }),
    off: offParts(featuresOff),
    demonstration: isDemonstration,
    activation: ports.appActivation.by,
  }
}

/** The id of the data of a signed-in page, which come after everything that is shown. */
const pageDataId = 'page-data'
/** Lets the browser paint a page only once its data are there (UIX-9): if it is painted in parts, the first ones move. */
const paintWhole = { rel: 'expect', href: `#${pageDataId}`, blocking: 'render' }

/** Puts data into a page. In a script element only `<` can end them early. */
export const dataElement = (id: string, data: unknown): string =>
  `<script type="application/json" id="${id}">${JSON.stringify(data).replaceAll('<', String.raw`\u003c`)}</script>`

export type PageDocuments = NonNullable<Awaited<ReturnType<typeof openPageDocuments>>>

const texts = {
  pl: { name: 'Demonstracja', text: 'To demonstracja. Nie podawaj prawdziwych danych.' },
  en: { name: 'Demonstration', text: 'This is a demonstration. Don’t enter real data.' },
}

/** Returns the banner of a demonstration, at the start of every page (R122), outside of the part that React renders. */
const demonstrationBanner = (locale: Locale): string =>
  `<aside class="demo" aria-label="${texts[locale].name}"><strong>${texts[locale].text}</strong></aside>`

const height = '30px'

/** Style sheet of the banner. Full-height layouts and fixed parts at the upper edge leave room for it from the first paint on. */
const demonstrationSheet = [
  `html{scroll-padding-top:calc(${height} + 8px)}`,
  `.demo{position:sticky;top:0;z-index:10;box-sizing:border-box;min-height:${height};padding:4px 16px;background:var(--warning-bg);color:var(--warning);border-bottom:1px solid var(--warning-line);font-size:.875rem;line-height:1.25rem;text-align:center}`,
  `.app,.auth,.none-layout,.focus,.error-page{min-height:calc(100vh - ${height})}`,
  `@media (min-width:1024px){.demo~* .side,.auth__art{top:${height};height:calc(100vh - ${height})}}`,
  `@media print,(max-height:400px){.demo{position:static}}`,
].join('')

/**
 * Opens the documents of a portal (HTT-4, HTT-7, decision 0107): rendered pages, whose head has the styles and the loader of the build and
 * the portal's configuration. Undefined while the web part is not built. The renderer is outside of the source tree, so its path is
 * computed.
 */
export async function openPageDocuments(portal: Portal) {
  const { webDirectory, brand, isDemonstration } = portal.settings
  const list = join(webDirectory, 'pages.json')
  if (!existsSync(list)) return undefined
  const built = JSON.parse(readFileSync(list, 'utf8')) as BuiltPages
  const configs = { pl: pageConfigOf(portal, 'pl'), en: pageConfigOf(portal, 'en') }
  const renderer = pathToFileURL(join(webDirectory, '../render/render-page.js'))
  const { openRenderer } = (await import(renderer.href)) as PageRenderer
  const { renderPage, renderError } = await openRenderer(configs)
  const look = [themeSheet(brand), isDemonstration && demonstrationSheet].filter(Boolean).join('')

  /** Makes the tags after the title, and the policy that allows only the inline parts in it (R64). */
  const headOf = memoized((locale, page: PageName | 'error') => {
    const { style: sheet, loader } = page === 'error' ? { ...built.errors, loader: '' } : built.pages[page]
    const style = sheet.replace(/url\(("?)\.\//g, (_, quote: string) => `url(${quote}${portal.settings.assets}`)
    const isIndexed = page !== 'error' && !pages[page].needsSignIn
    const tags = [
      isIndexed ? '' : '<meta name="robots" content="noindex">',
      ...linksOf(portal, built, locale, page).map(tagOf),
      `<style>${style}</style>`,
      loader && `<meta name="build" content="${built.build}">`,
      dataElement('config', configs[locale]),
      loader && `<script>${loader}</script>`,
      look && `<style>${look}</style>`,
    ]
    const hashesOf = (...parts: string[]) => parts.filter(Boolean).map(hashSource)
    const { origin } = portal.ports.botCheck
    const policy = pagePolicy({ styles: hashesOf(style, look), scripts: hashesOf(loader), botCheckOrigin: origin })
    return { tags: tags.join(''), policy }
  })

  function documentOf(locale: Locale, page: PageName | 'error', rendered: RenderedPage, data?: PageData): PageDocument {
    const { title, opening, body } = rendered
    const { tags, policy } = headOf(locale, page)
    const banner = isDemonstration ? demonstrationBanner(locale) : ''
    const end = data ? dataElement(pageDataId, data) : ''
    const html = `<!DOCTYPE html>${opening}<title>${escapeHtml(title)}</title>${tags}</head><body>${banner}${body}${end}</body></html>`
    return { html, policy }
  }

  const bareOf = (locale: Locale, name: PageName) =>
    documentOf(locale, name, renderPage({ locale, path: inLocale(locale, pages[name].path.replace(/:\w+/, '-')) }))

  const errorScreen = (locale: Locale, screen: ErrorScreen) => documentOf(locale, 'error', renderError(locale, screen))

  return {
    /** Returns a page without anybody's data, or an error screen; each is rendered at its first request. */
    ready: memoized((locale, name: PageName | 'not-found' | 'unavailable'): ReadyPage => {
      const isError = name === 'not-found' || name === 'unavailable'
      const { html, policy } = isError ? errorScreen(locale, { name }) : bareOf(locale, name)
      const plain = Buffer.from(html)
      let compressed: Promise<Buffer> | undefined
      const brotli = () => (compressed ??= compress(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
      return { plain, brotli, policy }
    }),
    /** Renders a page of a signed-in customer with its first data. */
    signedIn: (name: PageName, page: Required<Parameters<typeof renderPage>[0]>): PageDocument =>
      documentOf(page.locale, name, renderPage(page), page.data),
    /** Renders the error screen of one failure (ERR-2). */
    failure: (locale: Locale, status: number, incident: string): PageDocument =>
      errorScreen(locale, { name: 'error', status, incident }),
  }
}

type Link = Record<string, string>

/** Lists the links of a page’s head. */
function linksOf({ settings }: Portal, built: BuiltPages, locale: Locale, page: PageName | 'error'): Link[] {
  const { assets, brand, publicUrl } = settings
  const mark = markPath(brand)
  const icons: Link[] = [{ rel: 'icon', href: mark ?? '/favicon.svg', type: 'image/svg+xml' }]
  if (!mark) icons.push({ rel: 'icon', href: '/favicon.ico', sizes: '32x32' })
  if (page === 'error') {
    // The error page has no loader, so it preloads its text font.
    const font = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '' }
    const files = built.errors.fonts.filter((file) => locale === 'pl' || !file.includes('-polish-'))
    return [...files.map((file) => ({ ...font, href: assets + file })), ...icons]
  }
  // Sheets that are inline already: disabled links keep their chunks from fetching them again.
  const sheets = built.pages[page].sheets.map((file) => ({ rel: 'stylesheet', disabled: '', href: assets + file }))
  const { path, needsSignIn } = pages[page]
  // A page with a parameter has no address of its own.
  const addresses = path.includes(':') ? [] : headLinks(publicUrl, locale, path)
  if (!needsSignIn) return [...addresses, ...sheets, ...icons]
  // A signed-in page can be installed as an app (OFF-4). Only a PNG is an icon on the home screen of an iPhone.
  const touchIcon = iconPath(brand, 180)
  const app: Link[] = [{ rel: 'manifest', href: manifestPath(locale) }]
  if (touchIcon) app.push({ rel: 'apple-touch-icon', href: touchIcon })
  return [...sheets, ...icons, paintWhole, ...app]
}

/** Writes a link as a tag; an attribute without a value is only its name. */
const tagOf = (link: Link) =>
  `<link ${Object.entries(link)
    .map(([name, value]) => (value ? `${name}="${escapeHtml(value)}"` : name))
    .join(' ')}>`

/** Calls `make` once for each page in each language. */
function memoized<Name extends string, T>(make: (locale: Locale, name: Name) => T) {
  const made = new Map<string, T>()
  return (locale: Locale, name: Name): T => {
    const key = `${locale} ${name}`
    if (!made.has(key)) made.set(key, make(locale, name))
    return made.get(key)!
  }
}
