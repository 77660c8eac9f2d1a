import type { Locale } from './enums.ts'
import type { Brand, PageConfig } from './page-config.ts'
import type { PageData } from './page-data.ts'

/**
 * All rewriting of the pages' HTML, by the build and by the server.
 * Prerendered pages are the same for every operator. Where a page needs something of the configuration, it has a marker
 * in double braces, and the server fills all of them in once, when it starts. Inline styles and scripts have none,
 * so their hashes hold.
 */
const mark = (name: string) => `{{${name}}}`

export const brandMarkers: Brand = {
  product: mark('product'),
  company: mark('company'),
  phone: mark('phone'),
  email: mark('email'),
  hours: { from: mark('hours.from'), to: mark('hours.to') },
  links: {
    renewal: mark('links.renewal'),
    newSignature: mark('links.newSignature'),
    seal: mark('links.seal'),
    timestamp: mark('links.timestamp'),
    salesPoints: mark('links.salesPoints'),
    suspension: mark('links.suspension'),
    knowledgeStart: mark('links.knowledgeStart'),
    knowledgePdf: mark('links.knowledgePdf'),
    documents: mark('links.documents'),
  },
}

export const claimMarkers: PageConfig['claim'] = { title: mark('claim.title'), text: mark('claim.text') }

/** The start of the logo on every page, and the icon links of its head: a provider's own logo replaces both. */
export const markOpening = '<svg viewBox="0 0 40 40" aria-hidden="true">'
export const iconLinks =
  '<link rel="icon" href="/favicon.svg" type="image/svg+xml"><link rel="icon" href="/favicon.ico" sizes="32x32">'

/** Of signed-in pages, which can be installed as an app (OFF-4). Only a PNG is an icon on the home screen of an iPhone. */
export const manifestPath = (locale: Locale) => (locale === 'en' ? '/en/app.webmanifest' : '/app.webmanifest')
export const touchIcon = '<link rel="apple-touch-icon" href="/icon-180.png">'
export const appLinks = (locale: Locale) => `<link rel="manifest" href="${manifestPath(locale)}">${touchIcon}`

export const originMarker = mark('origin')
export const statusMarker = mark('status')
export const incidentMarker = mark('incident')
export const configMarker = '<!--config-->'

/** Around what React renders of a signed-in page; the server puts the rendered page in its place (HTT-7). */
export const frameStart = '<!--frame-->'
export const frameEnd = '<!--/frame-->'

/** How pages and styles name the assets; the server puts the configured directory in its place (HTT-2). */
export const assetsPrefix = '/assets/'

/** Adds tags at the end of the head. */
export const addToHead = (html: string, ...tags: (string | false | undefined)[]) =>
  html.replace('</head>', () => `${tags.filter(Boolean).join('')}</head>`)

/** Adds elements before or after everything that React hydrates; it leaves them alone. */
export const addToBodyStart = (html: string, elements: string) => html.replace('<body>', () => `<body>${elements}`)
export const addToBodyEnd = (html: string, elements: string) => html.replace('</body>', () => `${elements}</body>`)

const statusText = '<!--status-->500<!--/status-->'
const incidentText = '<!--incident--><!--/incident-->'

/** The error page as it can be sent without `fillError`: with status 500 and no incident. */
export const withErrorDefaults = (html: string) =>
  html.replaceAll(statusMarker, statusText).replaceAll(incidentMarker, incidentText)

/** The page with the assets of the configured directory, in links and in inline styles. */
export const withAssetsFrom = (html: string, directory: string) =>
  html.replace(/(="|url\("?)\/assets\//g, (_, before: string) => before + directory)

/** The number as RFC 3966 wants it in a `tel:` link. */
export const dialled = (phone: string) => phone.replace(/[^+\d{}a-z]/g, '')

type Filling = {
  config: PageConfig
  /** The public one, such as `https://portal.example`. */
  origin: string
  /** Where the provider's own icon for the home screen is. */
  ownTouchIcon?: string | undefined
}

/** A prerendered page with the configuration as data and with its markers filled in. */
export function fillPage(html: string, { config, origin, ownTouchIcon }: Filling): string {
  const { brand, claim } = config
  const values: Record<string, string> = {
    product: brand.product,
    company: brand.company,
    phone: brand.phone,
    email: brand.email,
    'hours.from': brand.hours.from,
    'hours.to': brand.hours.to,
    'claim.title': claim.title,
    'claim.text': claim.text,
    origin,
  }
  for (const [name, link] of Object.entries(brand.links)) values[`links.${name}`] = link
  return withMark(html, config.mark, ownTouchIcon)
    .replaceAll(`tel:${brandMarkers.phone}`, `tel:${escape(dialled(brand.phone))}`)
    .replace(/\{\{([a-zA-Z.]+)\}\}/g, (marker, name: string) =>
      Object.hasOwn(values, name) ? escape(values[name]!) : marker,
    )
    .replace(configMarker, () => dataElement('config', config))
}

/** The data of a signed-in page, after everything that is shown. */
const pageDataId = 'page-data'
/** The browser paints the page once its data are there (UIX-9): of a page that is painted in parts, the first ones move. */
export const paintWhole = `<link rel="expect" href="#${pageDataId}" blocking="render">`

/** Data in a page. In a script element only `<` can end them early. */
export const dataElement = (id: string, data: unknown) =>
  `<script type="application/json" id="${id}">${JSON.stringify(data).replaceAll('<', String.raw`\u003c`)}</script>`

/** The logo's SVG is the same on every page, and contains no other SVG. */
function withMark(html: string, address: string | undefined, ownTouchIcon: string | undefined) {
  if (!address) return html
  const [before = '', ...drawn] = html.split(markOpening)
  const image = `<image href="${address}" width="40" height="40"></image>`
  return [before, ...drawn.map((rest) => markOpening + image + rest.slice(rest.indexOf('</svg>')))]
    .join('')
    .replace(iconLinks, `<link rel="icon" href="${address}" type="image/svg+xml">`)
    .replace(touchIcon, ownTouchIcon ? touchIcon.replace('/icon-180.png', ownTouchIcon) : '')
}

/** A framed page around what is different each time: its title, its content with its data, and the rest. */
export type FrameParts = [beforeTitle: string, beforeContent: string, afterContent: string]

export function splitFrame(html: string): FrameParts {
  const [before = '', frameAndRest = ''] = html.split(frameStart)
  const [, after = ''] = frameAndRest.split(frameEnd)
  const title = /<title>[^<]*<\/title>/.exec(before)
  if (!title) throw new Error('The page has no title.')
  const afterTitle = before.slice(title.index + title[0].length)
  return [`${before.slice(0, title.index)}<title>`, `</title>${afterTitle}${frameStart}`, after]
}

/** What stands between the parts of a frame: a rendered page in the place of the frame, with its data. */
export const frameFillings = (
  { title, body }: { title: string; body: string },
  data: PageData,
): [title: string, content: string] => [escape(title), body + frameEnd + dataElement(pageDataId, data)]

/** Fills in the error page (ERR-2): the status in place of 500, and the incident id of the log. */
export const fillError = (html: string, { status, incident }: { status: number; incident: string }) =>
  html.replace(statusText, () => String(status)).replace(incidentText, () => escape(incident))

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;' }
const escape = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
