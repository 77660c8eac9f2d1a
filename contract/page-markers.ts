import type { Brand, PageConfig } from './page-config.ts'

/**
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

/** How the mark begins on every page, and the icons of its head: a provider's own mark is put in their place. */
export const markOpening = '<svg viewBox="0 0 40 40" aria-hidden="true">'
export const iconLinks =
  '<link rel="icon" href="/favicon.svg" type="image/svg+xml"><link rel="icon" href="/favicon.ico" sizes="32x32">'

export const originMarker = mark('origin')
export const statusMarker = mark('status')
export const incidentMarker = mark('incident')
export const statusPlace = '<!--status-->500<!--/status-->'
export const incidentPlace = '<!--incident--><!--/incident-->'
export const configMarker = '<!--config-->'

/** The number as RFC 3966 wants it in a `tel:` link. */
export const dialled = (phone: string) => phone.replace(/[^+\d{}a-z]/g, '')

/** A prerendered page with the configuration on it, as data, and its markers filled in. `origin` is the public one, such as `https://portal.example`. */
export function fillPage(html: string, { config, origin }: { config: PageConfig; origin: string }): string {
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
  // In a script element only `<` can end the data early.
  const data = JSON.stringify(config).replaceAll('<', String.raw`\u003c`)
  return withMark(html, config.mark)
    .replaceAll(`tel:${brandMarkers.phone}`, `tel:${escape(dialled(brand.phone))}`)
    .replace(/\{\{([a-zA-Z.]+)\}\}/g, (marker, name: string) =>
      Object.hasOwn(values, name) ? escape(values[name]!) : marker,
    )
    .replace(configMarker, () => `<script type="application/json" id="config">${data}</script>`)
}

/** The drawing of the mark is the same on every page, and no drawing is inside another. */
function withMark(html: string, address: string | undefined) {
  if (!address) return html
  const [before = '', ...drawn] = html.split(markOpening)
  const image = `<image href="${address}" width="40" height="40"></image>`
  return [before, ...drawn.map((rest) => markOpening + image + rest.slice(rest.indexOf('</svg>')))]
    .join('')
    .replace(iconLinks, `<link rel="icon" href="${address}" type="image/svg+xml">`)
}

/** What an answer of its own adds to the error page (ERR-2): its status in place of 500, and the incident as the log names it. */
export const fillError = (html: string, { status, incident }: { status: number; incident: string }) =>
  html.replace(statusPlace, () => String(status)).replace(incidentPlace, () => escape(incident))

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;' }
const escape = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character]!)
