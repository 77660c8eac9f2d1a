import { deflateSync } from 'node:zlib'
import { bytesOf, joined } from '../bytes.ts'
import { dictionaryAt, openPdf, type Pdf } from '../pdf/pdf-read.ts'
import * as values from '../pdf/pdf-value.ts'
import { numbersIn } from '../pdf/pdf-xref.ts'

/** A file as editable objects, which tests write in another form. */
export type PdfDraft = {
  objects: Map<number, DraftObject>
  trailer: values.PdfDictionary
  /** How the objects are written. */
  form: DraftForm
}

export type DraftObject = {
  value: values.PdfValue
  data?: Uint8Array
  /** Replaces the value's syntax. */
  raw?: string
}

type DraftForm = {
  compressed?: boolean
  /** Text without an entry in any table: before the object with a number, or at the end for `0`. */
  stray?: { before: number; text: string }
  /** A second revision of these objects. */
  later?: Map<number, DraftObject>
  /** The hidden objects of a hybrid file. */
  hidden?: Map<number, DraftObject>
  head?: string
  /** A cross-reference stream whose widths are written as reals. */
  realWidths?: boolean
  /** The linearization dictionary, which has the length of the file. */
  linearized?: number
}

export const opened = (file: Uint8Array) => openPdf(file)

export function draftOf(file: Uint8Array | Pdf): PdfDraft {
  const pdf = file instanceof Uint8Array ? opened(file) : file
  const sections = pdf.revisions.flatMap((revision) => revision.sections)
  const objects: PdfDraft['objects'] = new Map()
  for (const number of [...new Set(sections.flatMap((section) => [...numbersIn(section)]))].toSorted((a, b) => a - b)) {
    const found = pdf.object(number)
    if (!found || (values.isDictionary(found.value) && ['XRef', 'ObjStm'].some((kind) => isKind(found.value, kind))))
      continue
    objects.set(number, { value: copied(found.value), ...(found.data && { data: found.data.slice() }) })
  }
  const trailer = new Map([...pdf.trailer].filter(([key]) => ['Root', 'Info', 'ID'].includes(key)))
  return { objects, trailer, form: {} }
}

const isKind = (value: values.PdfValue, kind: string) =>
  values.isDictionary(value) && values.isName(value.get('Type'), kind)

function copied(value: values.PdfValue): values.PdfValue {
  if (Array.isArray(value)) return value.map(copied)
  return value instanceof Map ? new Map([...value].map(([key, item]) => [key, copied(item)])) : value
}

export function copyOfDraft({ objects, trailer, form }: PdfDraft): PdfDraft {
  const copies = [...objects].map(([number, object]) => [number, { ...object, value: copied(object.value) }] as const)
  return { objects: new Map(copies), trailer: new Map(trailer), form: { ...form } }
}

export function added(draft: PdfDraft, value: values.PdfValue, data?: Uint8Array): values.PdfReference {
  const number = Math.max(...draft.objects.keys()) + 1
  draft.objects.set(number, { value, ...(data && { data }) })
  return values.pdfReference(number)
}

/** The value itself, or the value that a reference leads to. */
export function resolved(draft: PdfDraft, value: values.PdfValue | undefined): values.PdfValue {
  return values.isReference(value) ? (draft.objects.get(value.number)?.value ?? null) : (value ?? null)
}

export function dictionaryIn(draft: PdfDraft, value: values.PdfValue | undefined): values.PdfDictionary {
  const found = resolved(draft, value)
  // Earlier changes may have removed it.
  return values.isDictionary(found) ? found : new Map()
}

export const pageTreeIn = (draft: PdfDraft) => dictionaryIn(draft, catalogIn(draft).get('Pages'))

export const catalogIn = (draft: PdfDraft) => dictionaryIn(draft, draft.trailer.get('Root'))

export function pagesIn(draft: PdfDraft): values.PdfReference[] {
  const visit = (reference: values.PdfValue): values.PdfReference[] => {
    const kids = resolved(draft, dictionaryIn(draft, reference).get('Kids'))
    return Array.isArray(kids) ? kids.flatMap(visit) : values.isReference(reference) ? [reference] : []
  }
  return visit(catalogIn(draft).get('Pages') ?? null)
}

/** The file, with a cross-reference table, or with an object stream. */
export function writtenDraft({ objects, trailer, form }: PdfDraft): Uint8Array<ArrayBuffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  const write = (part: string | Uint8Array) => {
    const bytes = typeof part === 'string' ? bytesOf(part) : part
    chunks.push(bytes)
    length += bytes.length
  }
  write(form.head ?? '%PDF-1.7\n')
  const writeAll = (written: Map<number, DraftObject>) => {
    const offsets = new Map<number, number>()
    for (const [number, { value, data, raw }] of written) {
      if (form.stray?.before === number) write(form.stray.text)
      offsets.set(number, length)
      const sized = data && values.isDictionary(value) ? new Map(value).set('Length', data.length) : value
      write(`${number} 0 obj\n${raw ?? values.pdfSyntax(sized)}\n`)
      if (data) for (const part of ['stream\n', data, '\nendstream\n']) write(part)
      write('endobj\n')
    }
    return offsets
  }
  const size = Math.max(...objects.keys(), ...(form.later?.keys() ?? []), ...(form.hidden?.keys() ?? [])) + 1
  const root = new Map(trailer).set('Size', size)
  if (form.compressed) writeCompressed(write, () => length, writeAll, objects, root, form)
  else {
    const offsets = writeAll(objects)
    const hidden = form.hidden && writeHidden(write, () => length, writeAll(form.hidden))
    const startxref = length
    const table = tableOf(offsets, size)
    const ends = hidden === undefined ? root : new Map(root).set('XRefStm', hidden)
    write(`xref\n${table}trailer\n${values.pdfSyntax(ends)}\nstartxref\n${startxref}\n%%EOF\n`)
    if (form.later) {
      const runs = [...writeAll(form.later)].map(
        ([number, at]) => `${number} 1\n${String(at).padStart(10, '0')} 00000 n \n`,
      )
      const at = length
      const again = values.pdfSyntax(new Map(root).set('Prev', startxref))
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
type WriteAll = (objects: Map<number, DraftObject>) => Map<number, number>

const row = (kind: number, second: number, third: number) => [
  kind,
  second >>> 24,
  (second >>> 16) & 255,
  (second >>> 8) & 255,
  second & 255,
  third >> 8,
  third & 255,
]

function writeCompressed(
  write: Write,
  length: () => number,
  writeAll: WriteAll,
  objects: PdfDraft['objects'],
  trailer: values.PdfDictionary,
  { realWidths = false }: DraftForm,
) {
  const inner = [...objects].filter(([, { data, raw }]) => !data && raw === undefined)
  const texts = inner.map(([, { value }]) => values.pdfSyntax(value))
  let at = 0
  const heads = inner.map(([number], index) => {
    const head = `${number} ${at} `
    at += texts[index]!.length + 1
    return head
  })
  const stream = Math.max(...objects.keys()) + 1
  const offsets = writeAll(new Map([...objects].filter(([number]) => !inner.some(([packed]) => packed === number))))
  offsets.set(stream, length())
  const data = deflateSync(bytesOf(`${heads.join('')}${texts.join(' ')}`))
  const head = `<</Type/ObjStm/N ${inner.length}/First ${heads.join('').length}/Filter/FlateDecode/Length ${data.length}>>`
  for (const part of [`${stream} 0 obj\n${head}\nstream\n`, data, '\nendstream\nendobj\n']) write(part)
  offsets.set(stream + 1, length())
  const indexes = new Map(inner.map(([number], index) => [number, index]))
  const rows = Array.from({ length: stream + 2 }, (_, number) => {
    const [offset, index] = [offsets.get(number), indexes.get(number)]
    return offset !== undefined ? row(1, offset, 0) : index === undefined ? row(0, 0, 0) : row(2, stream, index)
  })
  writeStream(write, length, stream + 1, rows, new Map(trailer).set('Size', stream + 2), realWidths)
}

function writeStream(
  write: Write,
  length: () => number,
  number: number,
  rows: number[][],
  trailer: values.PdfDictionary,
  realWidths: boolean,
) {
  const startxref = length()
  const dictionary = new Map(trailer)
    .set('Type', values.pdfName('XRef'))
    .set('W', [1, 4, 2])
    .set('Length', rows.length * 7)
  const syntax = values.pdfSyntax(dictionary)
  write(`${number} 0 obj\n${realWidths ? syntax.replace('[1 4 2]', '[1. 4. 2.]') : syntax}\nstream\n`)
  write(Uint8Array.from(rows.flat()))
  write(`\nendstream\nendobj\nstartxref\n${startxref}\n%%EOF\n`)
}

/** Writes the stream of a hybrid file (§7.5.8.4) and returns its position. */
function writeHidden(write: Write, length: () => number, offsets: ReadonlyMap<number, number>) {
  const at = length()
  const index = [...offsets.keys()].flatMap((number) => [number, 1])
  const rows = [...offsets.values()].map((offset) => row(1, offset, 0))
  const dictionary: values.PdfDictionary = new Map<string, values.PdfValue>([
    ['Type', values.pdfName('XRef')],
    ['W', [1, 4, 2]],
    ['Index', index],
    ['Size', 9999],
    ['Length', rows.length * 7],
  ])
  write(`9998 0 obj\n${values.pdfSyntax(dictionary)}\nstream\n`)
  write(Uint8Array.from(rows.flat()))
  write('\nendstream\nendobj\n')
  return at
}

export const formIn = (pdf: Pdf) => {
  const catalog = dictionaryAt(pdf, pdf.trailer, 'Root')
  return catalog.has('AcroForm') ? dictionaryAt(pdf, catalog, 'AcroForm') : new Map<string, values.PdfValue>()
}
