import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { init } from '@embedpdf/pdfium'
import type { PageBox, PageReader, ShownPage } from './page-reader.ts'

/** A pixel a point, where the page is not larger than A3: edges are smoothed, so that less than a pixel shows too. */
const scale = 1
const mostPixels = 1200
/** More memory than this it does not get, and gives up. */
const mostBytes = 384 * 1024 * 1024
const white = 0xff_ff_ff_ff
/** FPDF_ANNOT: with annotations. Fields of forms come with FPDF_FFLDraw. */
const withAnnotations = 1

/** Read at once: the process that reads files opens none later (R108). */
const code = await readFile(new URL(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm')))
let program: Promise<WebAssembly.Module> | undefined

/** A memory for each file: one that got the better of the reader is not to touch how the next one looks. */
async function newPdfium() {
  program ??= WebAssembly.compile(code)
  const compiled = await program
  const own = {
    instantiateWasm: (imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) => {
      const grow = imports['env']!['emscripten_resize_heap'] as (bytes: number) => boolean
      const env = { ...imports['env'], emscripten_resize_heap: (bytes: number) => bytes <= mostBytes && grow(bytes) }
      void WebAssembly.instantiate(compiled, { ...imports, env }).then(done)
      return {}
    },
    // What it says may be of the file's making, and the output is for answers.
    print: () => {},
    printErr: () => {},
  }
  const pdfium = await init(own)
  pdfium.PDFiumExt_Init()
  return pdfium
}

/** The pages as PDFium paints them, which is the reader in Chrome, with annotations and fields of forms. */
export async function readPixels(bytes: Uint8Array, password = ''): Promise<PageReader> {
  const pdfium = await newPdfium()
  const { wasmExports } = pdfium.pdfium
  /** Another one after each call by which it has grown. */
  const memory = () => (pdfium.pdfium as unknown as { HEAPU8: Uint8Array<ArrayBuffer> }).HEAPU8
  const copy = wasmExports.malloc(bytes.length)
  if (!copy) throw new Error('PDFium has no memory for the file')
  memory().set(bytes, copy)
  const file = pdfium.FPDF_LoadMemDocument(copy, bytes.length, password)
  if (!file) throw new Error(`PDFium does not open the file (${pdfium.FPDF_GetLastError()})`)
  const form = pdfium.PDFiumExt_InitFormFillEnvironment(file, pdfium.PDFiumExt_OpenFormFillInfo())
  const corner = wasmExports.malloc(8)

  function draw(page: number, boxes: PageBox[]): ShownPage {
    const size = [pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)] as const
    const fitting = Math.min(scale, mostPixels / Math.max(...size))
    const [width, height] = size.map((length) => Math.max(1, Math.ceil(length * fitting))) as [number, number]
    const bitmap = pdfium.FPDFBitmap_Create(width, height, 0)
    if (!bitmap) throw new Error('PDFium has no memory for a page')
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, white)
    pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, withAnnotations)
    pdfium.FPDF_FFLDraw(form, bitmap, page, 0, 0, width, height, 0, withAnnotations)
    const pixelOf = (x: number, y: number) => {
      pdfium.FPDF_PageToDevice(page, 0, 0, width, height, 0, x, y, corner, corner + 4)
      const at = new DataView(memory().buffer)
      return [at.getInt32(corner, true), at.getInt32(corner + 4, true)] as const
    }
    const places = boxes.map(([x1, y1, x2, y2]): Place => {
      const [a, b] = [pixelOf(x1, y1), pixelOf(x2, y2)]
      return { columns: between(a[0], b[0], width), rows: between(a[1], b[1], height) }
    })
    const start = pdfium.FPDFBitmap_GetBuffer(bitmap)
    // Its lines follow each other without gaps, as a pixel has four bytes.
    const pixels = new Uint32Array(memory().buffer, start, width * height)
    const inside = places.map((place) => contentOf(pixels, width, place))
    for (const { columns, rows } of places)
      // Edges are smoothed.
      for (let y = Math.max(0, rows[0] - 1); y < Math.min(height, rows[1] + 1); y++)
        pixels.fill(white, y * width + Math.max(0, columns[0] - 1), y * width + Math.min(width, columns[1] + 1))
    const outside = createHash('sha256').update(`${size.join()};`).update(pixels).digest('hex')
    pdfium.FPDFBitmap_Destroy(bitmap)
    return { outside, boxes: inside }
  }

  return {
    pages: pdfium.FPDF_GetPageCount(file),
    async page(index, boxes) {
      const page = pdfium.FPDF_LoadPage(file, index)
      if (!page) throw new Error('PDFium does not read a page')
      pdfium.FORM_OnAfterLoadPage(page, form)
      const shown = draw(page, boxes)
      pdfium.FORM_OnBeforeClosePage(page, form)
      pdfium.FPDF_ClosePage(page)
      return shown
    },
    // Its memory goes with it.
    async close() {},
  }
}

/** Pixels from the first up to the second, which is not among them. */
type Place = { columns: [number, number]; rows: [number, number] }

function between(a: number, b: number, length: number): [number, number] {
  const within = (at: number) => Math.min(length, Math.max(0, at))
  return [within(Math.min(a, b)), within(Math.max(a, b))]
}

function contentOf(pixels: Uint32Array, width: number, { columns, rows }: Place) {
  const digest = createHash('sha256')
  const first = pixels[rows[0] * width + columns[0]]
  let isBlank = true
  for (let y = rows[0]; y < rows[1]; y++) {
    const line = pixels.subarray(y * width + columns[0], y * width + columns[1])
    digest.update(line)
    isBlank &&= line.every((pixel) => pixel === first)
  }
  return isBlank ? 'blank' : digest.digest('hex')
}
