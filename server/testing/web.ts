import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { keysOf } from '../../contract/keys-of.ts'
import { pages, payloadPath, type PageName } from '../../contract/pages.ts'
import {
  brandMarkers,
  configMarker,
  frameEnd,
  frameStart,
  incidentMarker,
  originMarker,
  statusMarker,
  withErrorDefaults,
} from '../../contract/page-markers.ts'

/** The content by which a page is recognised. */
export const markOf = (locale: string, name: string) => `<h1>${locale} ${name}</h1>`

/** The inline parts of every page; the style names a file below the configured address of assets. */
export const inlineStyle = '@font-face{src:url(/assets/font-C3d4.woff2)}'
export const inlineScript = 'import("main")'

/**
 * A minimal web part with the same files as the output of `build/build.ts`. `renderer`: the source of a module that renders
 * signed-in pages; without one they are sent as their frames.
 */
export function makeWebPart({ renderer }: { renderer?: string } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'sygnet-test-web-'))
  const directory = join(folder, 'web')
  const put = (path: string, content: string | Buffer) => {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), content)
  }
  const list: Record<string, object> = {}
  const open = (Object.keys(pages) as PageName[]).filter((name) => !pages[name].protected)
  for (const locale of ['pl', 'en'] as const) {
    for (const name of [...keysOf(pages), 'not-found', 'unavailable', 'error']) {
      const isFramed = name in pages && !open.includes(name as PageName)
      const mark = markOf(locale, name)
      const error = name === 'error' ? withErrorDefaults(statusMarker + incidentMarker) : ''
      put(
        `pages/${locale}/${name}.html`,
        `<!doctype html><html lang="${locale}"><head><title>${brandMarkers.product}</title>` +
          `<link rel="canonical" href="${originMarker}/"><script type="module" src="/assets/main-A1b2.js"></script>` +
          `<style>${inlineStyle}</style>${configMarker}<script>${inlineScript}</script></head><body>${isFramed ? frameStart + mark + frameEnd : mark}${error}<a href="tel:${brandMarkers.phone}">/assets/</a></body></html>`,
      )
      list[`${locale}/${name}.html`] = { styles: [] }
    }
    for (const name of open) put(`payload${payloadPath(locale, name)}`, JSON.stringify({ locale, name }))
  }
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
  put('pages.json', JSON.stringify(list))
  if (renderer) put('../render/render-page.js', renderer)
  return { directory, script, open, remove: () => rmSync(folder, { recursive: true }) }
}
