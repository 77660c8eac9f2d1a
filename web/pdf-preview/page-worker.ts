import { AnnotationMode, getDocument, PasswordException, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'
// eslint-disable-next-line import/no-unassigned-import -- it registers itself, and pdf.js then reads in this very thread
import 'pdfjs-dist/legacy/build/pdf.worker.mjs'
import { findIn, joinPieces, findParagraphs, matchCorners, type Paragraph, type TextPiece } from './page-text.ts'

/** `code` opens a file that is encrypted. */
export type OpenRequest = { file: Blob; code?: string }
/**
 * A page to draw as wide as so many pixels, with the places marked where a text is; without a width, a sheet of A4 is filled.
 * `trim` leaves out the white margins at its sides.
 */
export type DrawRequest = {
  page: number
  width?: number
  isTrimmed?: boolean
  find?: string
  current?: number | undefined
}
/** Request to count the matches of a text on a page. */
export type CountRequest = { page: number; count: string }

/** A place on a page, as parts of its width and its height. */
export type Spot = { x: number; y: number }
type Refused = { failed: 'locked' | 'unreadable' }
export type DrawnPage =
  | {
      pages: number
      picture: ImageBitmap
      /** Text of the page, for people who cannot see its picture. */
      text: string
      /** Text of the page in paragraphs, for people to whom its letters are too small. */
      paragraphs: Paragraph[]
      /** Position of the current match. */
      spot: Spot | undefined
    }
  | Refused
export type Counted = { found: number } | Refused

/**
 * Runs all of pdf.js in a thread that has no page, no cookies and, by the policy served with its script, no network, so that a hostile PDF
 * can harm nothing else (R50). The page uses a port of its own, because pdf.js answers on the thread's port.
 */
addEventListener('message', ({ data, ports: [port] }: MessageEvent<OpenRequest>) => {
  if (!port) return
  const opened = open(data)
  // A failure is the answer to what is asked of the document.
  opened.catch(() => undefined)
  port.addEventListener('message', ({ data: asked }: MessageEvent<DrawRequest | CountRequest>) => {
    const answer = 'count' in asked ? opened.then((pdf) => count(pdf, asked)) : opened.then((pdf) => draw(pdf, asked))
    answer.then(
      (given) => port.postMessage(given, 'picture' in given ? [given.picture] : []),
      (error: unknown) =>
        port.postMessage({ failed: error instanceof PasswordException ? 'locked' : 'unreadable' } satisfies Refused),
    )
  })
  port.start()
})

/** An image with more pixels than this is not drawn; a scan of A3 in 400 dpi has 31 million. */
const maxPixels = 40_000_000

/** Pixels of a sheet of A4: at least twice those that any screen shows. */
const sheet = { width: 840, height: 1188 }

/** Maximum number of pixels of a drawn page: as many as three times a sheet on a sharp screen. */
const maxDrawn = 16_000_000

/** Largest margin that is trimmed at each side, as a part of the page's width. */
const maxTrimmed = 0.15

const open = async ({ file, code }: OpenRequest) =>
  getDocument({
    data: new Uint8Array(await file.arrayBuffer()),
    ...(code !== undefined && { password: code }),
    verbosity: VerbosityLevel.ERRORS,
    maxImageSize: maxPixels,
    // Needs `wasm-unsafe-eval`, and is for rare kinds of images.
    useWasm: false,
    // Fonts and canvases of a thread instead of those of a document.
    ownerDocument: globalThis as unknown as HTMLDocument,
    CanvasFactory: ThreadCanvases,
    FilterFactory: NoFilters,
  }).promise

type Pdf = Awaited<ReturnType<typeof open>>
type Page = Awaited<ReturnType<Pdf['getPage']>>

const readPieces = async (page: Page) =>
  (await page.getTextContent()).items.filter((item): item is TextPiece & typeof item => 'str' in item)

async function count(pdf: Pdf, { page: number, count: text }: CountRequest): Promise<Counted> {
  const page = await pdf.getPage(number)
  return { found: findIn(joinPieces(await readPieces(page)), text).length }
}

async function draw(pdf: Pdf, { page: number, width, isTrimmed, find = '', current }: DrawRequest): Promise<DrawnPage> {
  // Before its first page a reader does not know how many there are.
  const page = await pdf.getPage(Math.min(number, pdf.numPages))
  const whole = page.getViewport({ scale: 1 })
  // A page of any size is scaled to fit, and as sharp without its margins.
  const wanted = width && (isTrimmed ? width / (1 - 2 * maxTrimmed) : width)
  const fit = wanted ? wanted / whole.width : Math.min(sheet.width / whole.width, sheet.height / whole.height)
  const most = Math.sqrt(maxDrawn / (whole.width * whole.height))
  const viewport = page.getViewport({ scale: Math.min(fit, most) })
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(viewport.width)), Math.max(1, Math.round(viewport.height)))
  const context = canvas.getContext('2d', { alpha: false })
  await page.render({
    canvas: null,
    canvasContext: context as unknown as CanvasRenderingContext2D,
    viewport,
    // Forms and signatures are drawn without anything to press.
    annotationMode: AnnotationMode.ENABLE,
  }).promise
  const { left, right } = isTrimmed ? whiteMargins(context!) : { left: 0, right: 0 }
  const shownWidth = canvas.width - left - right
  // The first page alone is drawn without its text.
  const pieces = width ? await readPieces(page) : []
  const line = joinPieces(pieces)
  let matchPosition: Spot | undefined
  for (const [index, match] of findIn(line, find).entries())
    for (const corners of matchCorners(line, match)) {
      const points = corners.map(([x, y]) => viewport.convertToViewportPoint(x, y) as [number, number])
      if (index === current)
        matchPosition ??= { x: (points[0]![0] - left) / shownWidth, y: points[0]![1] / viewport.height }
      mark(context!, points, index === current)
    }
  const picture = await createImageBitmap(canvas, left, 0, shownWidth, canvas.height)
  return { pages: pdf.numPages, picture, text: line.text, paragraphs: findParagraphs(pieces), spot: matchPosition }
}

/** Returns the number of white pixels at each side, less a little padding; printed content is never left out. */
function whiteMargins(context: OffscreenCanvasRenderingContext2D) {
  const { width, height } = context.canvas
  const most = Math.floor(width * maxTrimmed)
  const air = Math.ceil(width / 100)
  const margin = (from: number, isLeft: boolean) => {
    const pixels = new Uint32Array(context.getImageData(from, 0, most, height).data.buffer)
    let white = most
    for (let row = 0; row < height; row++)
      for (let inwards = 0; inwards < white; inwards++)
        if (pixels[row * most + (isLeft ? inwards : most - 1 - inwards)] !== 0xff_ff_ff_ff) white = inwards
    return Math.max(0, white - air)
  }
  return { left: margin(0, true), right: margin(width - most, false) }
}

/** Highlights a match like a marker pen: the letters stay as dark as they were. */
function mark(context: OffscreenCanvasRenderingContext2D, points: [number, number][], isCurrent: boolean) {
  context.save()
  context.resetTransform()
  context.beginPath()
  for (const [x, y] of points) context.lineTo(x, y)
  context.closePath()
  context.globalCompositeOperation = 'multiply'
  context.fillStyle = isCurrent ? '#ffb347' : '#fff3a3'
  context.fill()
  if (isCurrent) {
    context.globalCompositeOperation = 'source-over'
    context.lineWidth = 2
    context.strokeStyle = '#0f4c64'
    context.stroke()
  }
  context.restore()
}

type CanvasAndContext = { canvas: OffscreenCanvas; context: OffscreenCanvasRenderingContext2D | null }

/** Factory of off-screen canvases, in the form that pdf.js requires (`BaseCanvasFactory`). */
class ThreadCanvases {
  create(width: number, height: number): CanvasAndContext {
    const canvas = new OffscreenCanvas(width, height)
    return { canvas, context: canvas.getContext('2d', { willReadFrequently: true }) }
  }
  reset(made: CanvasAndContext, width: number, height: number) {
    Object.assign(made.canvas, { width, height })
  }
  destroy(made: CanvasAndContext) {
    Object.assign(made.canvas, { width: 0, height: 0 })
    Object.assign(made, { canvas: null, context: null })
  }
}

/** SVG filters need a document; pdf.js's own thread for drawing does without them too. */
class NoFilters {
  addFilter = () => 'none'
  addHCMFilter = () => 'none'
  addAlphaFilter = () => 'none'
  addLuminosityFilter = () => 'none'
  addKnockoutFilter = () => 'none'
  addHighlightHCMFilter = () => 'none'
  destroy() {}
}
