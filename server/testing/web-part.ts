import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { keysOf } from '../../contract/enums.ts'
import { pages, payloadPath } from '../../contract/pages.ts'
import type { BuiltPages } from '../platform/pages/page-documents.ts'

/** Returns the content by which a page is recognised. */
export const markOf = (locale: string, name: string) => `<h1>${locale} ${name}</h1>`

/** The inline parts of every page, where the assets are at their usual address. */
export const inlineStyle = '@font-face{src:url(/assets/font-C3d4.woff2)}'
export const inlineScript = 'import("main")'

/** Renders the mark of a page, and who is signed in; fails where the address says so. */
const renderer = `
const names = ${JSON.stringify(keysOf(pages).map((name) => [pages[name].path.replace(/:\w+/, '[^/]+'), name]))}
const page = (configs, locale, name, more) => ({
  title: name + ', ' + configs[locale].brand.product,
  opening: '<html lang="' + locale + '"><head>',
  body: '<h1>' + locale + ' ' + name + '</h1>' + more,
})
export const openRenderer = async (configs) => ({
  renderPage({ locale, path, data }) {
    if (path.includes('fails')) throw new Error('the page fails')
    const bare = path.replace(/[?].*/, '').replace(/^[/]en(?=[/]|$)/, '') || '/'
    const [, name] = names.find(([pattern]) => new RegExp('^' + pattern + '$').test(bare))
    const more = data ? '<p>' + data.session.customer.login + ', ' + configs[locale].claim.title + '</p>' : ''
    return page(configs, locale, name, more)
  },
  renderError: (locale, { name, status, incident }) => page(configs, locale, name, status ? status + incident : ''),
})
`

/** Creates a minimal web part with the same files as the output of `build/build.ts`. */
export function makeWebPart() {
  const folder = mkdtempSync(join(tmpdir(), 'sygnet-test-web-'))
  const directory = join(folder, 'web')
  const put = (path: string, content: string | Buffer) => {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), content)
  }
  const open = keysOf(pages).filter((name) => !pages[name].needsSignIn)
  const style = inlineStyle.replace('/assets/', './')
  const part = { style, sheets: ['main-E5f6.css'], loader: inlineScript }
  const parts = Object.fromEntries(keysOf(pages).map((name) => [name, part])) as BuiltPages['pages']
  put('pages.json', JSON.stringify({ build: 'b1', pages: parts, errors: { style, fonts: [] } } satisfies BuiltPages))
  put('../render/render-page.js', renderer)
  for (const locale of ['pl', 'en'] as const)
    for (const name of open) put(`payload${payloadPath(locale, name)}`, JSON.stringify({ locale, name }))
  const script = 'export const answer = 42\n'.repeat(100)
  put('assets/main-A1b2.js', script)
  put('assets/main-A1b2.js.br', brotliCompressSync(script))
  put('builds/latest.json', '{"id":"b1"}')
  put('builds/meta/b1.json', '{"id":"b1","timestamp":1}')
  put('static/error_bg.jpg', Buffer.from('ffd8ffe0ffd9', 'hex'))
  put('static/robots.txt', 'User-agent: *\n')
  put('static/favicon.svg', '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><path d="M0 0"/></svg>')
  put('service-worker.js', 'addEventListener("fetch",()=>{})')
  put('secret.txt', 'nobody may read this')
  return { directory, script, open, remove: () => rmSync(folder, { recursive: true }) }
}
