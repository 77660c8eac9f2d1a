import { bytesOf, joined } from './pdf-bytes.ts'
import {
  decryptBytes,
  encryptBytes,
  encryptionKey,
  newEncryption,
  printAndSign,
  type PdfCipher,
} from './pdf-encryption.ts'
import type { Inflate } from './pdf-filter.ts'
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

/** All that a file says, without the way in which it was put into bytes. */
type PdfContent = { objects: PlainObject[]; trailer: PdfDictionary }

type Tools = { cipher: PdfCipher; inflate?: Inflate }

/**
 * The file written anew: one revision, one table, objects by number. A file and what became of it by encryption and
 * decryption give the same bytes, so their digest is known beforehand. Signatures are not kept whole. Throws PdfError.
 */
export async function canonicalPdf(bytes: Uint8Array, { cipher, inflate }: Tools) {
  const pdf = openPdf(bytes, inflate ? { inflate } : {})
  return written(await contentOf(pdf, bytes, cipher), '1.7')
}

/**
 * Encrypted with AES-256, revision 6 (ISO 32000-2 §7.6.4): `password` opens the file, `owner` gives all rights to it,
 * `permissions` are the flags of table 22. Throws PdfError for a file that cannot be read, RangeError for a password
 * that is not 1 to 127 characters of ASCII.
 */
export async function encryptPdf(
  bytes: Uint8Array,
  { password, owner, permissions = printAndSign }: { password: string; owner: string; permissions?: number },
  { cipher, inflate }: Tools,
) {
  const pdf = openPdf(bytes, inflate ? { inflate } : {})
  const { objects, trailer } = await contentOf(pdf, bytes, cipher)
  const { dictionary, key } = await newEncryption(cipher, { password, owner, permissions })
  const encrypted = await mapped(objects, (part) => encryptBytes(cipher, key, part))
  const number = (objects.at(-1)?.number ?? 0) + 1
  encrypted.push({ number, generation: 0, value: dictionary, data: undefined })
  return written({ objects: encrypted, trailer: new Map(trailer).set('Encrypt', pdfReference(number)) }, '2.0')
}

/**
 * The plain file, as `canonicalPdf` would write it; `revision` (counted from 0) leaves out what was appended later,
 * as the seal of the encrypted file. Throws PdfError: `wrong-password`, `encrypted` for another kind of encryption.
 */
export async function decryptPdf(
  bytes: Uint8Array,
  { password, revision }: { password: string; revision?: number },
  { cipher, inflate }: Tools,
) {
  const newest = openPdf(bytes, { ...(inflate && { inflate }), unlock: () => undefined })
  const pdf = revision === undefined ? newest : newest.at(revision)
  if (!pdf.trailer.has('Encrypt')) throw new PdfError('The file is not encrypted')
  const key = await encryptionKey(cipher, dictionaryAt(pdf, pdf.trailer, 'Encrypt'), password)
  const reference = pdf.trailer.get('Encrypt')
  const { objects, trailer } = await contentOf(pdf, bytes, cipher)
  const inClear = objects.filter(({ number }) => !isReference(reference) || reference.number !== number)
  const plain = await mapped(inClear, (part) => decryptBytes(cipher, key, part))
  return written({ objects: plain, trailer }, '1.7')
}

/** Objects that lie in an object stream come out of it, and streams of the structure itself are left behind. */
async function contentOf(pdf: Pdf, bytes: Uint8Array, cipher: PdfCipher): Promise<PdfContent> {
  const numbers = new Set(
    pdf.revisions
      .slice(0, pdf.revision + 1)
      .flatMap((one) => one.sections)
      .flatMap((one) => [...numbersIn(one)]),
  )
  const objects: PlainObject[] = []
  for (const number of [...numbers].toSorted((a, b) => a - b)) {
    // Their stream would have to be decrypted first, which only a file of another writer asks for.
    if (pdf.trailer.has('Encrypt') && !isPlain(pdf, number))
      throw new PdfError('The encrypted file has compressed parts', 'encrypted')
    const object = pdf.object(number)
    if (!object) continue
    const { value, generation, data } = object
    const type = data && isDictionary(value) ? value.get('Type') : undefined
    if (!isName(type, 'XRef') && !isName(type, 'ObjStm')) objects.push({ number, generation, value, data })
  }
  const trailer = new Map<string, PdfValue>()
  for (const key of ['Root', 'Info', 'ID']) if (pdf.trailer.has(key)) trailer.set(key, pdf.trailer.get(key)!)
  if (!Array.isArray(trailer.get('ID'))) {
    const id: PdfValue = { kind: 'string', bytes: (await cipher.digest(256, bytes)).slice(0, 16) }
    trailer.set('ID', [id, id])
  }
  return { objects, trailer }
}

function isPlain(pdf: Pdf, number: number) {
  const entry = pdf.entry(number)
  return entry === 'free' || 'offset' in entry
}

/** Every string and all data, changed in one way, but for the Contents of signatures (§7.6.1). */
async function mapped(objects: PlainObject[], change: (bytes: Uint8Array) => Promise<Uint8Array>) {
  const changed = async (value: PdfValue): Promise<PdfValue> => {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) {
      const items: PdfValue[] = []
      for (const item of value) items.push(await changed(item))
      return items
    }
    if (value instanceof Map) {
      const entries: PdfDictionary = new Map()
      for (const [key, item] of value)
        entries.set(key, key === 'Contents' && value.has('ByteRange') ? item : await changed(item))
      return entries
    }
    return value.kind === 'string' ? { kind: 'string', bytes: await change(value.bytes) } : value
  }
  const all: PlainObject[] = []
  for (const object of objects)
    all.push({ ...object, value: await changed(object.value), data: object.data && (await change(object.data)) })
  return all
}

/** The marker's high bytes say that the file is not text (ISO 32000-1 §7.5.2). */
function written({ objects, trailer }: PdfContent, version: '1.7' | '2.0') {
  const chunks: Uint8Array[] = [bytesOf(`%PDF-${version}\n%\xe2\xe3\xcf\xd3\n`)]
  let length = chunks[0]!.length
  const write = (chunk: Uint8Array) => {
    chunks.push(chunk)
    length += chunk.length
  }
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
