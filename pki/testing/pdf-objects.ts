import { deflateSync } from 'node:zlib'
import { bytesOf, latin1 } from '../bytes.ts'

/** An object as its text, or as the dictionary and the data of a stream. */
export type PdfObject = string | [dictionary: string, data: string]
type Numbered = readonly (readonly [number: number, object: PdfObject])[]

/** Returns a stream with its length added to the dictionary. */
export const stream = (entries: string, data: string): [string, string] => [
  `<<${entries}/Length ${data.length}>>`,
  data,
]

export const deflated = (data: string) => latin1(new Uint8Array(deflateSync(bytesOf(data))))

/** Numbers the objects from 1 on. */
export const numbered = (objects: readonly PdfObject[]): Numbered => objects.map((object, index) => [index + 1, object])

type FileForm = {
  trailer?: string
  head?: string
  /** The hidden objects of a hybrid file (§7.5.8.4). */
  hidden?: Numbered
  /** Text without an entry in any table, before the object with a number. */
  stray?: { before: number; text: string }
}

/** Writes the objects in the given order as the beginning of a file, and records their offsets. */
function written(objects: Numbered, { head = '%PDF-1.7\n%\n', stray }: FileForm) {
  const offsets = new Map<number, number>()
  let file = head
  const write = (number: number, object: PdfObject) => {
    if (stray?.before === number) file += stray.text
    offsets.set(number, file.length)
    const [value, data] = typeof object === 'string' ? [object, undefined] : object
    file += `${number} 0 obj\n${value}${data === undefined ? '' : `\nstream\n${data}\nendstream`}\nendobj\n`
  }
  for (const [number, object] of objects) write(number, object)
  return { offsets, write, text: () => file }
}

const sizeOf = (objects: Numbered) => Math.max(...objects.map(([number]) => number)) + 1

/** Encodes a row of a cross-reference stream whose widths are 1, 4 and 2. */
const row = (kind: number, second: number, third: number) =>
  String.fromCharCode(kind, ...[24, 16, 8, 0].map((bits) => (second >>> bits) & 255), third >> 8, third & 255)

/** Writes a file with a cross-reference table; not even its first line equals that of `fileOf`. */
export function rewrittenFile(objects: Numbered, form: FileForm = {}) {
  const { offsets, write, text } = written(objects, form)
  const size = sizeOf(objects)
  const lines = Array.from({ length: size }, (_, number) => {
    const at = offsets.get(number)
    return at === undefined ? '0000000000 65535 f \n' : `${String(at).padStart(10, '0')} 00000 n \n`
  })
  let ends = form.trailer ?? ''
  if (form.hidden) {
    for (const [number, object] of form.hidden) write(number, object)
    ends += `/XRefStm ${text().length}`
    const entries = `/Type/XRef/W[1 4 2]/Size 9999/Index[${form.hidden.map(([number]) => `${number} 1`).join(' ')}]`
    write(9998, stream(entries, form.hidden.map(([number]) => row(1, offsets.get(number)!, 0)).join('')))
  }
  const table = `xref\n0 ${size}\n${lines.join('')}trailer\n<</Size ${size}/Root 1 0 R${ends}>>\n`
  return bytesOf(`${text()}${table}startxref\n${text().length}\n%%EOF\n`)
}

/** Writes a file with an object stream and a cross-reference stream. */
export function packedFile(objects: Numbered, form: FileForm = {}) {
  const inner = objects.flatMap(([number, object]) => (typeof object === 'string' ? [{ number, text: object }] : []))
  const container = sizeOf(objects)
  const starts = inner.map((_, index) => inner.slice(0, index).reduce((sum, { text }) => sum + text.length + 1, 0))
  const heads = inner.map(({ number }, index) => `${number} ${starts[index]} `).join('')
  const texts = deflated(`${heads}${inner.map(({ text }) => text).join(' ')}`)
  const { offsets, write, text } = written(
    objects.filter(([, object]) => typeof object !== 'string'),
    form,
  )
  write(container, stream(`/Type/ObjStm/N ${inner.length}/First ${heads.length}/Filter/FlateDecode`, texts))
  const startxref = text().length
  offsets.set(container + 1, startxref)
  const rows = Array.from({ length: container + 2 }, (_, number) => {
    const [at, index] = [offsets.get(number), inner.findIndex((packed) => packed.number === number)]
    return at !== undefined ? row(1, at, 0) : index < 0 ? row(0, 0, 0) : row(2, container, index)
  })
  const entries = `/Size ${container + 2} /Type /XRef /W [1 4 2]/Root 1 0 R${form.trailer ?? ''}`
  write(container + 1, stream(entries, rows.join('')))
  return bytesOf(`${text()}startxref\n${startxref}\n%%EOF\n`)
}
