import { digest } from '#runtime'
import { bytesOf, joined } from '../bytes.ts'
import { decryptBytes, encryptBytes, encryptionKey, newEncryption, printAndSign } from './pdf-encryption.ts'
import { PdfError } from './pdf-parser.ts'
import { dictionaryAt, openPdf, type Pdf } from './pdf-read.ts'
import {
  isDictionary,
  isName,
  isReference,
  pdfReference,
  pdfSyntax,
  type PdfDictionary,
  type PdfValue,
} from './pdf-value.ts'
import { numbersIn } from './pdf-xref.ts'

type PlainObject = { number: number; generation: number; value: PdfValue; data: Uint8Array | undefined }

/** The content of a file, independent of its encoding. */
type PdfContent = { objects: PlainObject[]; trailer: PdfDictionary }

/**
 * Rewrites a file in a canonical form: one revision, one table, objects by number. Encrypting and decrypting a file gives the same bytes,
 * so their digest is known in advance. Signatures become invalid. Throws PdfError.
 */
export function canonicalPdf(bytes: Uint8Array) {
  const pdf = openPdf(bytes)
  const { objects, trailer } = readContent(pdf, bytes)
  return writePdf({ objects: mapBytes(objects, (part) => part), trailer }, '1.7')
}

/**
 * Encrypts a file with AES-256, revision 6 (ISO 32000-2 §7.6.4): `password` opens the file, `owner` grants all permissions, `permissions`
 * are the flags of table 22. Throws PdfError for a file that cannot be read, RangeError for a password that is not 1 to 127 ASCII
 * characters.
 */
export function encryptPdf(
  bytes: Uint8Array,
  { password, owner, permissions = printAndSign }: { password: string; owner: string; permissions?: number },
) {
  const pdf = openPdf(bytes)
  const { objects, trailer } = readContent(pdf, bytes)
  const { dictionary, key } = newEncryption({ password, owner, permissions })
  const encrypted = mapBytes(objects, (part) => encryptBytes(key, part))
  const number = (objects.at(-1)?.number ?? 0) + 1
  encrypted.push({ number, generation: 0, value: dictionary, data: undefined })
  return writePdf({ objects: encrypted, trailer: new Map(trailer).set('Encrypt', pdfReference(number)) }, '2.0')
}

/**
 * Decrypts a file and returns it in its canonical form; `revision` (counted from 0) leaves out later ones, such as the seal of the
 * encrypted file. Throws PdfError: `wrong-password`, or `encrypted` for another kind of encryption.
 */
export function decryptPdf(bytes: Uint8Array, { password, revision }: { password: string; revision?: number }) {
  const newest = openPdf(bytes, { unlock: () => undefined })
  const pdf = revision === undefined ? newest : newest.at(revision)
  if (!pdf.trailer.has('Encrypt')) throw new PdfError('The file is not encrypted')
  const key = encryptionKey(dictionaryAt(pdf, pdf.trailer, 'Encrypt'), password)
  const reference = pdf.trailer.get('Encrypt')
  const { objects, trailer } = readContent(pdf, bytes)
  const encrypted = objects.filter(({ number }) => !isReference(reference) || reference.number !== number)
  const plain = mapBytes(encrypted, (part) => decryptBytes(key, part))
  return writePdf({ objects: plain, trailer }, '1.7')
}

/** Returns all objects, those of object streams included, without object streams and cross-reference streams. */
function readContent(pdf: Pdf, bytes: Uint8Array): PdfContent {
  const numbers = new Set(
    pdf.revisions
      .slice(0, pdf.revision + 1)
      .flatMap(({ sections }) => sections)
      .flatMap((section) => [...numbersIn(section)]),
  )
  const objects: PlainObject[] = []
  for (const number of [...numbers].toSorted((a, b) => a - b)) {
    // Their object stream would have to be decrypted first, and our own encrypted files have none.
    if (pdf.trailer.has('Encrypt') && !isPlain(pdf, number))
      throw new PdfError('The encrypted file has compressed parts', 'encrypted')
    const object = pdf.object(number)
    if (!object) continue
    const { value, generation, data } = object
    const type = data && isDictionary(value) ? value.get('Type') : undefined
    if (!isName(type, 'XRef') && !isName(type, 'ObjStm')) objects.push({ number, generation, value, data })
  }
  const trailer = new Map<string, PdfValue>()
  for (const key of ['Root', 'Info', 'ID']) {
    const value = pdf.trailer.get(key)
    if (value !== undefined) trailer.set(key, value)
  }
  if (!Array.isArray(trailer.get('ID'))) {
    const id: PdfValue = { kind: 'string', bytes: digest('sha256', bytes).slice(0, 16) }
    trailer.set('ID', [id, id])
  }
  return { objects, trailer }
}

function isPlain(pdf: Pdf, number: number) {
  const entry = pdf.entry(number)
  return entry === 'free' || 'offset' in entry
}

/** Transforms every string and all stream data except the Contents of signatures (§7.6.1), without how they were written. */
function mapBytes(objects: PlainObject[], change: (bytes: Uint8Array) => Uint8Array) {
  const changed = (value: PdfValue): PdfValue => {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) {
      const items: PdfValue[] = []
      for (const item of value) items.push(changed(item))
      return items
    }
    if (value instanceof Map) {
      const entries: PdfDictionary = new Map()
      for (const [key, item] of value)
        entries.set(key, key === 'Contents' && value.has('ByteRange') ? item : changed(item))
      return entries
    }
    return value.kind === 'string' ? { kind: 'string', bytes: change(value.bytes) } : value
  }
  const mapped: PlainObject[] = []
  for (const object of objects)
    mapped.push({ ...object, value: changed(object.value), data: object.data && change(object.data) })
  return mapped
}

/** Writes a file, which a comment of bytes above 127 marks as binary (ISO 32000-1 §7.5.2). */
function writePdf({ objects, trailer }: PdfContent, version: '1.7' | '2.0') {
  const chunks: Uint8Array[] = []
  let length = 0
  const write = (chunk: Uint8Array) => {
    chunks.push(chunk)
    length += chunk.length
  }
  write(bytesOf(`%PDF-${version}\n%\xe2\xe3\xcf\xd3\n`))
  const size = (objects.at(-1)?.number ?? 0) + 1
  const lines = Array.from({ length: size }, () => '0000000000 65535 f \n')
  for (const { number, generation, value, data } of objects) {
    lines[number] = `${String(length).padStart(10, '0')} ${String(generation).padStart(5, '0')} n \n`
    const direct = data && isDictionary(value) ? new Map(value).set('Length', data.length) : value
    write(bytesOf(`${number} ${generation} obj\n${pdfSyntax(direct)}\n`))
    if (data) for (const part of [bytesOf('stream\n'), data, bytesOf('\nendstream\n')]) write(part)
    write(bytesOf('endobj\n'))
  }
  const table = `xref\n0 ${size}\n${lines.join('')}`
  write(bytesOf(`${table}trailer\n${pdfSyntax(new Map(trailer).set('Size', size))}\nstartxref\n${length}\n%%EOF\n`))
  return joined(chunks)
}
