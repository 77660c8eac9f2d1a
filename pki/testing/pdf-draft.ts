import { deflateSync } from 'node:zlib'
import { bytesOf, joined } from '../pdf-bytes.ts'
import { nodeInflate } from '../pdf-cipher-node.ts'
import { dictionaryAt, openPdf, type Pdf } from '../pdf-read.ts'
import {
  isDictionary,
  isName,
  isReference,
  pdfName,
  pdfReference,
  pdfSyntax,
  type PdfDictionary,
  type PdfReference,
  type PdfValue,
} from '../pdf-value.ts'
import { numbersIn } from '../pdf-xref.ts'

/** A file taken apart into its objects, for tests that put it together again in another way. */
export type PdfDraft = {
  objects: Map<number, DraftObject>
  trailer: PdfDictionary
  /** How the objects are put into bytes. */
  form: DraftForm
}

export type DraftObject = {
  value: PdfValue
  data?: Uint8Array
  /** In place of the value, for syntax that nobody writes. */
  raw?: string
}

type DraftForm = {
  packed?: boolean
  /** Put into the file without an entry in any table: before an object's number, or behind everything with `0`. */
  stray?: { before: number; text: string }
  /** A second revision of these objects. */
  later?: Map<number, DraftObject>
  /** A hybrid file's hidden objects. */
  hidden?: Map<number, DraftObject>
  head?: string
  /** A cross-reference stream whose widths are written as reals. */
  realWidths?: boolean
  /** The object that says how long the finished file is. */
  linearized?: number
}

export const opened = (file: Uint8Array) => openPdf(file, { inflate: nodeInflate })

export function draftOf(file: Uint8Array | Pdf): PdfDraft {
  const pdf = file instanceof Uint8Array ? opened(file) : file
  const sections = pdf.revisions.flatMap((one) => one.sections)
  const objects: PdfDraft['objects'] = new Map()
  for (const number of [...new Set(sections.flatMap((one) => [...numbersIn(one)]))].toSorted((a, b) => a - b)) {
    const found = pdf.object(number)
    if (!found || (isDictionary(found.value) && ['XRef', 'ObjStm'].some((kind) => isKind(found.value, kind)))) continue
    objects.set(number, { value: copied(found.value), ...(found.data && { data: found.data.slice() }) })
  }
  const trailer = new Map([...pdf.trailer].filter(([key]) => ['Root', 'Info', 'ID'].includes(key)))
  return { objects, trailer, form: {} }
}

const isKind = (value: PdfValue, kind: string) => isDictionary(value) && isName(value.get('Type'), kind)

function copied(value: PdfValue): PdfValue {
  if (Array.isArray(value)) return value.map(copied)
  return value instanceof Map ? new Map([...value].map(([key, item]) => [key, copied(item)])) : value
}

export function copyOfDraft({ objects, trailer, form }: PdfDraft): PdfDraft {
  const copies = [...objects].map(([number, object]) => [number, { ...object, value: copied(object.value) }] as const)
  return { objects: new Map(copies), trailer: new Map(trailer), form: { ...form } }
}

export function added(draft: PdfDraft, value: PdfValue, data?: Uint8Array): PdfReference {
  const number = Math.max(...draft.objects.keys()) + 1
  draft.objects.set(number, { value, ...(data && { data }) })
  return pdfReference(number)
}

/** What a reference leads to, or the value itself. */
export function held(draft: PdfDraft, value: PdfValue | undefined): PdfValue {
  return isReference(value) ? (draft.objects.get(value.number)?.value ?? null) : (value ?? null)
}

export function dictionaryIn(draft: PdfDraft, value: PdfValue | undefined): PdfDictionary {
  const found = held(draft, value)
  // After several changes there may be none any more.
  return isDictionary(found) ? found : new Map()
}

export const catalogIn = (draft: PdfDraft) => dictionaryIn(draft, draft.trailer.get('Root'))

export function pagesIn(draft: PdfDraft): PdfReference[] {
  const visit = (reference: PdfValue): PdfReference[] => {
    const kids = held(draft, dictionaryIn(draft, reference).get('Kids'))
    return Array.isArray(kids) ? kids.flatMap(visit) : isReference(reference) ? [reference] : []
  }
  return visit(catalogIn(draft).get('Pages') ?? null)
}

/** The file, with a table, or with objects packed into a stream. */
export function writtenDraft({ objects, trailer, form }: PdfDraft): Uint8Array<ArrayBuffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  const write = (part: string | Uint8Array) => {
    const bytes = typeof part === 'string' ? bytesOf(part) : part
    chunks.push(bytes)
    length += bytes.length
  }
  write(form.head ?? '%PDF-1.7\n')
  const writeAll = (some: Map<number, DraftObject>) => {
    const offsets = new Map<number, number>()
    for (const [number, { value, data, raw }] of some) {
      if (form.stray?.before === number) write(form.stray.text)
      offsets.set(number, length)
      const sized = data && isDictionary(value) ? new Map(value).set('Length', data.length) : value
      write(`${number} 0 obj\n${raw ?? pdfSyntax(sized)}\n`)
      if (data) for (const part of ['stream\n', data, '\nendstream\n']) write(part)
      write('endobj\n')
    }
    return offsets
  }
  const size = Math.max(...objects.keys(), ...(form.later?.keys() ?? []), ...(form.hidden?.keys() ?? [])) + 1
  const root = new Map(trailer).set('Size', size)
  if (form.packed) writePacked(write, () => length, writeAll, objects, root, form)
  else {
    const offsets = writeAll(objects)
    const hidden = form.hidden && writeHidden(write, () => length, writeAll(form.hidden))
    const startxref = length
    const table = tableOf(offsets, size)
    const ends = hidden === undefined ? root : new Map(root).set('XRefStm', hidden)
    write(`xref\n${table}trailer\n${pdfSyntax(ends)}\nstartxref\n${startxref}\n%%EOF\n`)
    if (form.later) {
      const runs = [...writeAll(form.later)].map(
        ([number, at]) => `${number} 1\n${String(at).padStart(10, '0')} 00000 n \n`,
      )
      const at = length
      const again = pdfSyntax(new Map(root).set('Prev', startxref))
      write(`xref\n${runs.join('')}trailer\n${again}\nstartxref\n${at}\n%%EOF\n`)
    }
  }
  if (form.stray?.before === 0) write(form.stray.text)
  return joined(chunks)
}

function tableOf(offsets: ReadonlyMap<number, number>, size: number) {
  const lines = Array.from({ length: size }, (_, number) => {
    const at = offsets.get(number)
    return at === undefined ? '0000000000 65535 f \n' : `${String(at).padStart(10, '0')} 00000 n \n`
  })
  return `0 ${size}\n${lines.join('')}`
}

type Write = (part: string | Uint8Array) => void
type WriteAll = (some: Map<number, DraftObject>) => Map<number, number>

const row = (kind: number, second: number, third: number) => [
  kind,
  second >>> 24,
  (second >>> 16) & 255,
  (second >>> 8) & 255,
  second & 255,
  third >> 8,
  third & 255,
]

function writePacked(
  write: Write,
  length: () => number,
  writeAll: WriteAll,
  objects: PdfDraft['objects'],
  trailer: PdfDictionary,
  { realWidths = false }: DraftForm,
) {
  const inner = [...objects].filter(([, { data, raw }]) => !data && raw === undefined)
  const texts = inner.map(([, { value }]) => pdfSyntax(value))
  let at = 0
  const heads = inner.map(([number], index) => {
    const head = `${number} ${at} `
    at += texts[index]!.length + 1
    return head
  })
  const stream = Math.max(...objects.keys()) + 1
  const offsets = writeAll(new Map([...objects].filter(([number]) => !inner.some(([one]) => one === number))))
  offsets.set(stream, length())
  const data = deflateSync(bytesOf(`${heads.join('')}${texts.join(' ')}`))
  const packing = `<</Type/ObjStm/N ${inner.length}/First ${heads.join('').length}/Filter/FlateDecode/Length ${data.length}>>`
  for (const part of [`${stream} 0 obj\n${packing}\nstream\n`, data, '\nendstream\nendobj\n']) write(part)
  offsets.set(stream + 1, length())
  const places = new Map(inner.map(([number], index) => [number, index]))
  const rows = Array.from({ length: stream + 2 }, (_, number) => {
    const [offset, index] = [offsets.get(number), places.get(number)]
    return offset !== undefined ? row(1, offset, 0) : index === undefined ? row(0, 0, 0) : row(2, stream, index)
  })
  writeStream(write, length, stream + 1, rows, new Map(trailer).set('Size', stream + 2), realWidths)
}

function writeStream(
  write: Write,
  length: () => number,
  number: number,
  rows: number[][],
  trailer: PdfDictionary,
  realWidths: boolean,
) {
  const startxref = length()
  const dictionary = new Map(trailer)
    .set('Type', pdfName('XRef'))
    .set('W', [1, 4, 2])
    .set('Length', rows.length * 7)
  const syntax = pdfSyntax(dictionary)
  write(`${number} 0 obj\n${realWidths ? syntax.replace('[1 4 2]', '[1. 4. 2.]') : syntax}\nstream\n`)
  write(Uint8Array.from(rows.flat()))
  write(`\nendstream\nendobj\nstartxref\n${startxref}\n%%EOF\n`)
}

/** The stream of a hybrid file (§7.5.8.4); gives its place. */
function writeHidden(write: Write, length: () => number, offsets: ReadonlyMap<number, number>) {
  const at = length()
  const index = [...offsets.keys()].flatMap((number) => [number, 1])
  const rows = [...offsets.values()].map((offset) => row(1, offset, 0))
  const dictionary: PdfDictionary = new Map<string, PdfValue>([
    ['Type', pdfName('XRef')],
    ['W', [1, 4, 2]],
    ['Index', index],
    ['Size', 9999],
    ['Length', rows.length * 7],
  ])
  write(`9998 0 obj\n${pdfSyntax(dictionary)}\nstream\n`)
  write(Uint8Array.from(rows.flat()))
  write('\nendstream\nendobj\n')
  return at
}

export const formIn = (pdf: Pdf) => {
  const catalog = dictionaryAt(pdf, pdf.trailer, 'Root')
  return catalog.has('AcroForm') ? dictionaryAt(pdf, catalog, 'AcroForm') : new Map<string, PdfValue>()
}
