import { createHash, hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { AnnotationMode, getDocument, OPS, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'
// eslint-disable-next-line import/no-unassigned-import -- it registers itself, so that pdf.js reads in this thread
import 'pdfjs-dist/legacy/build/pdf.worker.mjs'
import type { PageBox, PageReader } from './page-reader.ts'

type Reader = Awaited<ReturnType<typeof getDocument>['promise']>
type Page = Awaited<ReturnType<Reader['getPage']>>
type OperatorList = Awaited<ReturnType<Page['getOperatorList']>>
type OptionalContent = Awaited<ReturnType<Reader['getOptionalContentConfig']>>

/** Image decoders and character maps. Read at start: the process that reads documents opens no files later (R108). */
const kinds = { wasmUrl: 'wasm', cMapUrl: 'cmaps' } as const
const partsOfPdfjs = new Map<string, Uint8Array>()
for (const [kind, folder] of Object.entries(kinds)) {
  const directory = new URL(`../../${folder}/`, import.meta.resolve('pdfjs-dist/legacy/build/pdf.mjs'))
  for (const name of await readdir(directory))
    partsOfPdfjs.set(`${kind} ${name}`, await readFile(new URL(name, directory)))
}

class PartsInMemory {
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const part = partsOfPdfjs.get(`${kind} ${filename}`)
    if (!part) throw new Error('pdf.js has no such part')
    // pdf.js may transfer it to another thread.
    return new Uint8Array(part)
  }
}

/**
 * The operators that pdf.js would paint, with their fonts and images; pdf.js is the reader in Firefox and in the portal's
 * preview. Nothing is painted, so no canvas is needed, and every difference counts.
 */
export async function readDisplayLists(bytes: Uint8Array, password?: string): Promise<PageReader> {
  const task = getDocument({
    data: new Uint8Array(bytes),
    ...(password !== undefined && { password }),
    verbosity: VerbosityLevel.ERRORS,
    useWorkerFetch: false,
    useSystemFonts: false,
    BinaryDataFactory: PartsInMemory,
    wasmUrl: `${kinds.wasmUrl}/`,
    // Keeps the font programs, which are compared.
    fontExtraProperties: true,
    cMapUrl: `${kinds.cMapUrl}/`,
    cMapPacked: true,
  })
  const pdf = await task.promise
  const optional = await pdf.getOptionalContentConfig()
  return {
    pages: pdf.numPages,
    async page(index, boxes) {
      const page = await pdf.getPage(index + 1)
      const list = await page.getOperatorList({ intent: 'display', annotationMode: AnnotationMode.ENABLE })
      await loadDependencies(dependenciesOf(list), page)
      const annotations: Annotation[] = await page.getAnnotations()
      const shown = annotations.filter(({ rect, fieldType }) => fieldType !== 'Sig' && !isIgnored(rect, boxes))
      const describe = describer(page, optional)
      const digest = createHash('sha256').update(
        describe([page.view, page.rotate, page.userUnit, shown.map(shownProperties)]),
      )
      for (const [operator, args] of withoutBoxes(list, boxes))
        // Glyphs, which are most of the list, refer to nothing else.
        digest.update(`${operator} ${operator === OPS.showText ? JSON.stringify(args) : describe(args)}`)
      page.cleanup()
      // The list includes everything under a box, so boxes need no digests.
      return { outside: digest.digest('hex'), boxes: [] }
    },
    close: () => task.destroy(),
  }
}

type Annotation = { rect: PageBox; fieldType?: string } & Record<string, unknown>

/** The properties of annotations that are drawn in separate layers: form fields and notes. */
const shownProperties = (annotation: Annotation) => propertyNames.map((key) => annotation[key])
const propertyNames = [
  'subtype',
  'rect',
  'rotation',
  'hidden',
  'color',
  'fieldValue',
  'contentsObj',
  'borderStyle',
  'defaultAppearanceData',
  'textAlignment',
  'backgroundColor',
  'borderColor',
]

/** Annotations are clipped to their rectangles, so an empty one, or one in an ignored box, shows nothing elsewhere. */
function isIgnored([left, bottom, right, top]: PageBox, boxes: PageBox[]) {
  if (left >= right || bottom >= top) return true
  return boxes.some(
    ([x1, y1, x2, y2]) =>
      left >= Math.min(x1, x2) - rounding &&
      right <= Math.max(x1, x2) + rounding &&
      bottom >= Math.min(y1, y2) - rounding &&
      top <= Math.max(y1, y2) + rounding,
  )
}
const rounding = 0.01

/** Without ignored and empty annotations. `dependency` only names resources of other operators. */
function* withoutBoxes({ fnArray, argsArray }: OperatorList, boxes: PageBox[]): Generator<[number, unknown]> {
  let isSkipped = false
  let begun: [number, unknown] | undefined
  for (const [at, operator] of fnArray.entries()) {
    const args: unknown = argsArray[at]
    if (operator === OPS.beginAnnotation) {
      const [, rect, ...rest]: [id: string, rect: PageBox, ...rest: unknown[]] = argsArray[at]
      isSkipped = isIgnored(rect, boxes)
      begun = [operator, [rect, ...rest]]
    } else if (operator === OPS.endAnnotation) {
      isSkipped = false
      begun = undefined
    } else if (!isSkipped && operator !== OPS.dependency) {
      if (begun) yield begun
      begun = undefined
      yield [operator, args]
    }
  }
}

const dependenciesOf = ({ fnArray, argsArray }: OperatorList): string[] =>
  fnArray.flatMap((operator, at): string[] => (operator === OPS.dependency ? argsArray[at] : []))

const storeOf = (page: Page, name: string): Store => (name.startsWith('g_') ? page.commonObjs : page.objs)
type Store = { has(name: string): boolean; get(name: string, callback?: (value: unknown) => void): unknown }

/** Waits for fonts and images, which pdf.js loads asynchronously. */
async function loadDependencies(names: string[], page: Page) {
  await Promise.all(names.map((name) => new Promise((resolve) => storeOf(page, name).get(name, resolve))))
}

/** Values as text with the content of fonts, images and layers for their names, which change when a file is rewritten. */
function describer(page: Page, optional: OptionalContent) {
  const known = new Map<string, string>()
  const named = (name: string) => {
    const digest = known.get(name)
    if (digest !== undefined) return digest
    known.set(name, '(circle)')
    const value = storeOf(page, name).get(name)
    const text = `(${hash('sha256', isFont(value) ? fontOf(value) : describe(value))})`
    known.set(name, text)
    return text
  }
  const fontOf = (font: Font) => describe(fontFacts.map((key) => font[key]))
  const describe = (value: unknown): string => {
    if (typeof value === 'string') return storeOf(page, value).has(value) ? named(value) : JSON.stringify(value)
    if (typeof value !== 'object' || value === null) return String(value)
    if (ArrayBuffer.isView(value))
      return `(${hash('sha256', new Uint8Array(value.buffer, value.byteOffset, value.byteLength))})`
    if (Array.isArray(value)) return `[${value.map(describe).join()}]`
    if (value instanceof Map) return describe([...value])
    if ('type' in value && (value.type === 'OCG' || value.type === 'OCMD'))
      return optional.isVisible(value) ? '(shown)' : '(hidden)'
    return `{${Object.entries(value)
      .map(([key, inner]) => (key === 'ref' ? '' : `${key}:${describe(inner)}`))
      .join()}}`
  }
  return describe
}

const fontFacts = [
  'data',
  'name',
  'bold',
  'black',
  'italic',
  'vertical',
  'bbox',
  'fontMatrix',
  'fallbackName',
  'missingFile',
  'isType3Font',
  'cssFontInfo',
  'charProcOperatorList',
] as const
type Font = Record<(typeof fontFacts)[number], unknown>
const isFont = (value: unknown): value is Font => typeof value === 'object' && value !== null && 'isType3Font' in value
