import { expect, test } from 'vitest'
import type { Session } from './account.ts'
import {
  appLinks,
  brandMarkers,
  configMarker,
  dialled,
  fillError,
  fillPage,
  frameEnd,
  frameFillings,
  frameStart,
  incidentMarker,
  originMarker,
  splitFrame,
  statusMarker,
  withErrorDefaults,
} from './page-markers.ts'
import type { PageConfig } from './page-config.ts'

const config: PageConfig = {
  baseURL: '',
  assets: '/assets/',
  botCheck: { kind: 'altcha', siteKey: '' },
  brand: {
    ...brandMarkers,
    product: 'Pieczęć & Syn',
    phone: '+48 22 100-20-30',
    hours: { from: '8:00', to: '17:00' },
    company: '</script><b>',
  },
  claim: { title: 'Znak & podpis', text: 'Więcej' },
  off: [],
  demonstration: false,
  activation: 'provider',
}
const fill = (html: string) => fillPage(html, { config, origin: 'https://portal.example' })

test('HTT-2 the configuration is on the page as data, and cannot end its element', () => {
  const html = fill(`<head>${configMarker}</head>`)
  const data = html.match(/^<head><script type="application\/json" id="config">(.*)<\/script><\/head>$/)?.[1]
  expect(data).not.toContain('</')
  expect(JSON.parse(data!)).toEqual(config)
})

test('HTT-4 the names of the brand are filled in and escaped', () => {
  expect(fill(`<title>${brandMarkers.product}</title>`)).toBe('<title>Pieczęć &amp; Syn</title>')
  expect(fill(brandMarkers.company)).toBe('&lt;/script&gt;&lt;b&gt;')
  expect(fill(`${brandMarkers.hours.from}–${brandMarkers.hours.to}`)).toBe('8:00–17:00')
})

test('a telephone link dials digits only, and the prerendered link of the markers becomes that one', () => {
  expect(dialled('+48 22 100-20-30')).toBe('+48221002030')
  const link = (phone: string) => `<a href="tel:${dialled(phone)}">${phone}</a>`
  expect(fill(link(brandMarkers.phone))).toBe(link(config.brand.phone))
})

test('RTE-9 links get the public origin', () => {
  expect(fill(`<link rel="canonical" href="${originMarker}/faq">`)).toBe(
    '<link rel="canonical" href="https://portal.example/faq">',
  )
})

test('unknown markers stay unchanged', () => {
  expect(fill('{{constructor}} {{nothing}}')).toBe('{{constructor}} {{nothing}}')
})

test('ERR-2 the error page shows the status and the incident of its own answer, and 500 without', () => {
  const page = withErrorDefaults(`<p>${statusMarker}</p><p>${incidentMarker}</p>`)
  expect(page).toContain('500')
  expect(fillError(page, { status: 503, incident: '<7f>' })).toBe('<p>503</p><p>&lt;7f&gt;</p>')
})

test('HTT-7 R148 a rendered page takes the place of its frame, and a text in its title or its data cannot end them', () => {
  const html = `<head><title>Sygnet</title></head><body><p>unscripted</p>${frameStart}<main>outline</main>${frameEnd}<p>unloaded</p></body>`
  const name = '</script><script>alert(1)</script> $& <!--'
  const data = { session: { customer: { firstName: name } } as Session, reads: [] }
  const [beforeTitle, beforeContent, afterContent] = splitFrame(html)
  const [title, content] = frameFillings({ title: `Start </title> – $&`, body: '<main>content</main>' }, data)
  const filled = beforeTitle + title + beforeContent + content + afterContent
  expect(filled).toMatch(
    /^<head><title>Start &lt;\/title&gt; – \$&amp;<\/title><\/head><body><p>unscripted<\/p><!--frame--><main>content<\/main><!--\/frame--><script/,
  )
  expect(filled).toMatch(/<\/script><p>unloaded<\/p><\/body>$/)
  const [, text] = /<script type="application\/json" id="page-data">([^<]*)<\/script>/.exec(filled)!
  expect(JSON.parse(text!)).toEqual(data)
})

test('OFF-4 the icon for a home screen is ours with our mark, and otherwise the provider’s own or none', () => {
  const iconIn = (mark: string | undefined, ownTouchIcon?: string) =>
    fillPage(appLinks('en'), { config: { ...config, ...(mark && { mark }) }, origin: '', ownTouchIcon }).slice(
      '<link rel="manifest" href="/en/app.webmanifest">'.length,
    )
  expect(iconIn(undefined)).toBe('<link rel="apple-touch-icon" href="/icon-180.png">')
  expect(iconIn('/brand/mark.svg')).toBe('')
  expect(iconIn('/brand/mark.svg', '/brand/icon.png')).toBe('<link rel="apple-touch-icon" href="/brand/icon.png">')
})
