import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { init } from '@embedpdf/pdfium'
import { hexOf } from '../bytes.ts'
import { openAnyPdf } from './pdf-encryption.ts'
import { readRectangle } from './pdf-geometry.ts'
import { arrayAt, listPages, type Pdf } from './pdf-read.ts'
import { appearanceBox } from './pdf-signature-appearance.ts'
import { findSignatures, type FoundSignature } from './pdf-signature-fields.ts'
import { isDictionary, isReference, isString } from './pdf-value.ts'

export type PageComparison = 'same' | 'different' | 'incomparable'

export type ComparedFiles = {
  issued: Uint8Array
  received: Uint8Array
  /** The password of both, if they are encrypted. */
  password?: string
}

/** Digests of what a page shows. */
type ShownPage = {
  /** The page without its boxes. */
  outside: string
  /** The content of each box: `blank` or a digest. */
  boxes: string[]
}

/** Box in the units of the page, with its corners in any order. */
type PageBox = [number, number, number, number]

/** The boxes of a document by page index. */
type PageBoxes = ReadonlyMap<number, PageBox[]>

/**
 * Finds where a received file shows signatures that the issued one does not have; only fields of the form count. They were validated
 * before, and an invalid one has refused the file.
 */
function newSignatureBoxes(received: Pdf, issued: Pdf): PageBoxes {
  const old = new Set(findSignatures(issued).map(messageOf))
  const widgets = new Set(
    findSignatures(received)
      .filter((signature) => messageOf(signature) !== undefined && !old.has(messageOf(signature)))
      .flatMap(({ fields }) => fields.filter(({ isInForm }) => isInForm).flatMap((field) => field.widgets)),
  )
  const boxes = new Map<number, PageBox[]>()
  for (const [index, { page }] of listPages(received).entries()) {
    const shown = arrayAt(received, page, 'Annots').filter((item) => isReference(item) && widgets.has(item.number))
    const found = shown.map((item) => boxOf(received, item)).filter((box) => box !== undefined)
    if (found.length) boxes.set(index, found)
  }
  return boxes
}

function messageOf({ dictionary }: FoundSignature) {
  const contents = dictionary?.get('Contents')
  return isString(contents) && Array.isArray(dictionary?.get('ByteRange')) ? hexOf(contents.bytes) : undefined
}

/** Returns the box of a widget; undefined without an appearance: if a reader shows something there, the comparison must see it. */
function boxOf(pdf: Pdf, item: Parameters<Pdf['resolve']>[0]): PageBox | undefined {
  const widget = pdf.resolve(item)
  return appearanceBox(pdf, widget) === 'nothing' || !isDictionary(widget)
    ? undefined
    : readRectangle(pdf, widget.get('Rect'))
}

/** A document in PDFium, whose memory is garbage collected. */
type PageReader = { pages: number; page(index: number, boxes: PageBox[]): ShownPage }

/** One pixel per point, up to A3. Anti-aliasing makes differences of less than a pixel visible too. */
const scale = 1
const maxPixels = 1200
/** PDFium fails when it needs more memory. */
const maxBytes = 384 * 1024 * 1024
const white = 0xff_ff_ff_ff
/** FPDF_ANNOT: with annotations. FPDF_FFLDraw draws the form fields. */
const withAnnotations = 1

/** Read at start: the process that reads documents opens no files later (R108). */
const code = await readFile(new URL(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm')))
let program: Promise<WebAssembly.Module> | undefined

/** Creates a PDFium with its own memory for each file, so that an exploit in one cannot affect how the next one is shown. */
async function createPdfium() {
  program ??= WebAssembly.compile(code)
  const compiled = await program
  const own = {
    instantiateWasm: (imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) => {
      const grow = imports['env']?.['emscripten_resize_heap'] as (bytes: number) => boolean
      const env = { ...imports['env'], emscripten_resize_heap: (bytes: number) => bytes <= maxBytes && grow(bytes) }
      void WebAssembly.instantiate(compiled, { ...imports, env }).then(done)
      return {}
    },
    // Its messages may come from the file, and the process's output is for results.
    print: () => {},
    printErr: () => {},
  }
  const pdfium = await init(own)
  pdfium.PDFiumExt_Init()
  return pdfium
}

/**
 * Reads the pages as PDFium, the reader in Chrome, paints them with annotations and form fields. Throws any error for a file that it cannot
 * read.
 */
export async function readPixels(bytes: Uint8Array, password = ''): Promise<PageReader> {
  const pdfium = await createPdfium()
  const { wasmExports } = pdfium.pdfium
  /** Returns a view of PDFium's memory, a new one after each call, because the memory may have grown. */
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
    const fitting = Math.min(scale, maxPixels / Math.max(...size))
    const pixels = (points: number) => Math.max(1, Math.ceil(points * fitting))
    const [width, height] = [pixels(size[0]), pixels(size[1])]
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
    const areas = boxes.map(([x1, y1, x2, y2]): PixelArea => {
      const [a, b] = [pixelOf(x1, y1), pixelOf(x2, y2)]
      return { columns: between(a[0], b[0], width), rows: between(a[1], b[1], height) }
    })
    const start = pdfium.FPDFBitmap_GetBuffer(bitmap)
    // Rows have no gaps, because a pixel has four bytes.
    const bitmapPixels = new Uint32Array(memory().buffer, start, width * height)
    const inside = areas.map((area) => contentOf(bitmapPixels, width, area))
    for (const { columns, rows } of areas)
      // Anti-aliasing affects one more pixel.
      for (let y = Math.max(0, rows[0] - 1); y < Math.min(height, rows[1] + 1); y++)
        bitmapPixels.fill(white, y * width + Math.max(0, columns[0] - 1), y * width + Math.min(width, columns[1] + 1))
    const outside = createHash('sha256').update(`${size.join()};`).update(bitmapPixels).digest('hex')
    pdfium.FPDFBitmap_Destroy(bitmap)
    return { outside, boxes: inside }
  }

  return {
    pages: pdfium.FPDF_GetPageCount(file),
    page(index, boxes) {
      const page = pdfium.FPDF_LoadPage(file, index)
      if (!page) throw new Error('PDFium does not read a page')
      pdfium.FORM_OnAfterLoadPage(page, form)
      const shown = draw(page, boxes)
      pdfium.FORM_OnBeforeClosePage(page, form)
      pdfium.FPDF_ClosePage(page)
      return shown
    },
  }
}

/** Half-open ranges of pixels. */
type PixelArea = { columns: [number, number]; rows: [number, number] }

function between(a: number, b: number, length: number): [number, number] {
  const within = (at: number) => Math.min(length, Math.max(0, at))
  return [within(Math.min(a, b)), within(Math.max(a, b))]
}

function contentOf(pixels: Uint32Array, width: number, { columns, rows }: PixelArea) {
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

/**
 * Checks whether an independent reader shows the same pages of both files outside the new signatures (R107). A file that it cannot read is
 * `incomparable`. The call blocks until done, so it must run in a process with limits.
 */
export async function comparePages({ issued, received, password }: ComparedFiles): Promise<PageComparison> {
  try {
    const boxes = newSignatureBoxes(openAnyPdf(received, password), openAnyPdf(issued, password))
    const expected = shownBy(await readPixels(issued, password), boxes)
    const shown = shownBy(await readPixels(received, password), boxes, expected.length)
    const isSame = shown.length === expected.length && shown.every((page, index) => isAlike(page, expected[index]))
    return isSame ? 'same' : 'different'
  } catch {
    // Any error of a reader is caused by the file.
    return 'incomparable'
  }
}

/** Checks whether two pages look alike. A new signature may appear on a blank area; anywhere else it would change the content. */
function isAlike(received: ShownPage, issued: ShownPage | undefined) {
  if (received.outside !== issued?.outside) return false
  return issued.boxes.every((content, index) => content === 'blank' || content === received.boxes[index])
}

/** Reads each page; none if the number of pages differs. */
function shownBy(reader: PageReader, boxes: PageBoxes, pages = reader.pages): ShownPage[] {
  if (reader.pages !== pages) return []
  return Array.from({ length: pages }, (_, index) => reader.page(index, boxes.get(index) ?? []))
}
