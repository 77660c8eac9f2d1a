import { existsSync, readFileSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { atMost, type Figure, progress } from '../bench/figures.ts'
import { changedDocument } from '../pki/testing/changed-documents.ts'
import { isRenderedAlike, judgeChanged, renderByPoppler, type Show } from '../pki/testing/rendered-pages.ts'
import { issuedDocuments } from '../pki/testing/rich-document.ts'
import { listenOnLoopback } from '../server/adapters/loopback/loopback-server.ts'
import { browserPath } from '../tools/installed-programs.mjs'

const documents = 10_000

/**
 * Measures the verdicts on documents that were changed before they were signed: accepted ones are rendered by two readers that have no part
 * in the verdict, Poppler and pdf.js in a browser, and both have to show the issued document.
 */
export async function measureChangedDocuments(): Promise<Figure[]> {
  await using browser = await openPdfjs()
  const readers: [string, Show][] = [
    ['Poppler', renderByPoppler],
    ['pdf.js', browser.show],
  ]
  const issued = issuedDocuments()
  const found = { accepted: 0, pending: 0, refused: 0, missed: 0 }
  const wrong: Record<string, number> = { Poppler: 0, 'pdf.js': 0 }
  let judging = 0
  for (let seed = 0; seed < documents; seed++) {
    const { bytes, name } = issued[seed % issued.length]!
    const changed = changedDocument(bytes, seed)
    const began = performance.now()
    const { verdict, ofObjects } = await judgeChanged(bytes, changed.bytes)
    judging += performance.now() - began
    found[verdict]++
    const report = (what: string) => progress(`${seed} ${name}: ${changed.what}: ${what}`)
    if (verdict !== ofObjects) {
      found.missed++
      report('only PDFium kept it from being accepted')
    }
    if (verdict !== 'accepted') continue
    for (const [reader, show] of readers)
      if (!(await isRenderedAlike(show, bytes, changed))) {
        wrong[reader]!++
        report(`accepted, and ${reader} shows it differently`)
      }
  }
  const detail = `${found.accepted} accepted, ${found.pending} pending, ${found.refused} refused`
  return [
    ...readers.map(([reader]) => ({
      what: `accepted of ${documents} changed documents, but different in ${reader}`,
      value: wrong[reader]!,
      unit: 'wrong',
      limit: atMost(0),
      detail,
    })),
    { what: 'missed by the check of objects, seen by PDFium', value: found.missed, unit: 'documents' },
    { what: 'a verdict with both checks', value: judging / documents, unit: 'ms' },
  ]
}

/** Script in the page that renders all pages of a file, paints over the given areas, and returns a digest of each. */
const program = `
import * as pdfjs from '/pdf.mjs'
pdfjs.GlobalWorkerOptions.workerSrc = '/pdf.worker.mjs'
const drawn = async (pdf, number, areas) => {
  const page = await pdf.getPage(number)
  const viewport = page.getViewport({ scale: 1 })
  const canvas = new OffscreenCanvas(Math.ceil(viewport.width), Math.ceil(viewport.height))
  const canvasContext = canvas.getContext('2d', { alpha: false })
  await page.render({ canvas: null, canvasContext, viewport }).promise
  for (const { page: index, rect } of areas) {
    if (index !== number - 1) continue
    const [x1, y1, x2, y2] = viewport.convertToViewportRectangle(rect)
    canvasContext.fillRect(Math.min(x1, x2) - 2, Math.min(y1, y2) - 2, Math.abs(x2 - x1) + 4, Math.abs(y2 - y1) + 4)
  }
  const { data } = canvasContext.getImageData(0, 0, canvas.width, canvas.height)
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', data))
  return [canvas.width, canvas.height, ...digest].join()
}
globalThis.show = async (base64, areas) => {
  const data = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  const task = pdfjs.getDocument({ data, verbosity: 0, wasmUrl: '/', useSystemFonts: false, standardFontDataUrl: '/' })
  try {
    const pdf = await task.promise
    const pages = []
    for (let number = 1; number <= pdf.numPages; number++) pages.push(await drawn(pdf, number, areas))
    return pages
  } catch (error) {
    return [String(error)]
  } finally {
    await task.destroy()
  }
}
document.title = 'ready'
`

const pdfjsFolder = `${import.meta.dirname}/../node_modules/pdfjs-dist`
const kinds: Record<string, string> = { mjs: 'text/javascript', js: 'text/javascript', wasm: 'application/wasm' }

/** Opens pdf.js as it is in the portal's preview, in a page of its own. */
async function openPdfjs() {
  const server = await listenOnLoopback(({ path }, response) => {
    const name = path.slice(1)
    const [file] = ['legacy/build', 'wasm', 'standard_fonts']
      .map((folder) => `${pdfjsFolder}/${folder}/${name}`)
      .filter((candidate) => name && existsSync(candidate))
    if (path === '/') response.setHeader('content-type', 'text/html').end('<!doctype html>')
    else if (!file) response.writeHead(404).end()
    else
      response
        .setHeader('content-type', kinds[name.split('.').pop()!] ?? 'application/octet-stream')
        .end(readFileSync(file))
  })
  const browser = await chromium.launch({ executablePath: browserPath()!, args: ['--no-sandbox'] })
  const page = await browser.newPage()
  await page.goto(server.url)
  await page.addScriptTag({ type: 'module', content: program })
  await page.waitForFunction('document.title === "ready"')
  const show: Show = (bytes, areas) =>
    page.evaluate(
      ([base64, covered]) =>
        (globalThis as unknown as { show: (file: string, areas: unknown) => Promise<string[]> }).show(base64, covered),
      [Buffer.from(bytes).toString('base64'), areas] as const,
    )
  return {
    show,
    async [Symbol.asyncDispose]() {
      await browser.close()
      await server[Symbol.asyncDispose]()
    },
  }
}
