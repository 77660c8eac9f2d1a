import { AnnotationMode, getDocument, PasswordException, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'
// eslint-disable-next-line import/no-unassigned-import -- it registers itself, and pdf.js then reads in this very thread
import 'pdfjs-dist/legacy/build/pdf.worker.mjs'

/** `code` opens a file that is encrypted. */
export type PageRequest = { file: Blob; code?: string }
export type DrawnPage = { pages: number; picture: ImageBitmap } | { failed: 'locked' | 'unreadable' }

/**
 * The whole of pdf.js in a thread that has no page, no cookies and, by the policy that comes with its script, no network:
 * a hostile PDF can harm nothing else (R50). The page listens at a port of its own, because pdf.js answers at this thread's.
 */
addEventListener('message', ({ data, ports: [port] }: MessageEvent<PageRequest>) => {
  if (!port) return
  draw(data).then(
    (drawn) => port.postMessage(drawn, [drawn.picture]),
    (error: unknown) =>
      port.postMessage({ failed: error instanceof PasswordException ? 'locked' : 'unreadable' } satisfies DrawnPage),
  )
})

/** An image with more pixels than this is not drawn; a scan of A3 in 400 dpi has 31 million. */
const mostPixels = 40_000_000

/** Pixels of a sheet of A4: at least twice those that any screen shows. */
const sheet = { width: 840, height: 1188 }

async function draw({ file, code }: PageRequest) {
  const pdf = await getDocument({
    data: new Uint8Array(await file.arrayBuffer()),
    ...(code !== undefined && { password: code }),
    verbosity: VerbosityLevel.ERRORS,
    maxImageSize: mostPixels,
    // Needs `wasm-unsafe-eval`, and is for rare kinds of images.
    useWasm: false,
    // Fonts and canvases of a thread instead of those of a document.
    ownerDocument: globalThis as unknown as HTMLDocument,
    CanvasFactory: ThreadCanvases,
    FilterFactory: NoFilters,
  }).promise
  const page = await pdf.getPage(1)
  const whole = page.getViewport({ scale: 1 })
  // A page of any size is scaled to fit.
  const viewport = page.getViewport({ scale: Math.min(sheet.width / whole.width, sheet.height / whole.height) })
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(viewport.width)), Math.max(1, Math.round(viewport.height)))
  await page.render({
    canvas: null,
    canvasContext: canvas.getContext('2d', { alpha: false }) as unknown as CanvasRenderingContext2D,
    viewport,
    // Forms and signatures are drawn without anything to press.
    annotationMode: AnnotationMode.ENABLE,
  }).promise
  return { pages: pdf.numPages, picture: canvas.transferToImageBitmap() }
}

type CanvasAndContext = { canvas: OffscreenCanvas; context: OffscreenCanvasRenderingContext2D | null }

/** As pdf.js asks for them (`BaseCanvasFactory`). */
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
