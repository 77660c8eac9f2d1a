import { bytesOf } from '../../pki/bytes.ts'

export type ArchivedFile = {
  name: string
  file: Blob
  /** Its bytes; undefined if they are not the right ones any more, and it is left out. */
  read: () => Promise<Uint8Array | undefined>
}

/**
 * Creates a ZIP archive (APPNOTE 6.3.10) of files as they are, because PDF files hardly shrink: local headers with the files, the central
 * directory, and its end. The names are in UTF-8. One file at a time is in memory. Throws RangeError beyond 4 GB, which would need ZIP64.
 */
export async function createZip(files: readonly ArchivedFile[], at = new Date()): Promise<Blob> {
  const parts: BlobPart[] = []
  const directory: Uint8Array<ArrayBuffer>[] = []
  let offset = 0
  for (const { name, file, read } of files) {
    const bytes = await read()
    if (!bytes) continue
    const encoded = new TextEncoder().encode(name)
    // Version 2.0; the names are UTF-8; stored; time, date, sum, both sizes, and lengths of the name and of no extra field.
    const common = [
      ...word(20),
      ...word(0x0800),
      ...word(0),
      ...dosTime(at),
      ...double(crc32(bytes)),
      ...double(file.size),
      ...double(file.size),
      ...word(encoded.length),
      ...word(0),
    ]
    const head = Uint8Array.from([...bytesOf('PK\u0003\u0004'), ...common, ...encoded])
    // No comment, disk 0, no attributes.
    const entry = [
      ...bytesOf('PK\u0001\u0002'),
      ...word(20),
      ...common,
      ...Array<number>(10).fill(0),
      ...double(offset),
    ]
    directory.push(Uint8Array.from([...entry, ...encoded]))
    parts.push(head, file)
    offset += head.length + file.size
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  if (offset + size > 0xffff_ffff || directory.length > 0xffff) throw new RangeError('The archive is too large')
  const count = word(directory.length)
  const end = [
    ...bytesOf('PK\u0005\u0006'),
    ...word(0),
    ...word(0),
    ...count,
    ...count,
    ...double(size),
    ...double(offset),
  ]
  return new Blob([...parts, ...directory, Uint8Array.from([...end, ...word(0)])], { type: 'application/zip' })
}

const word = (value: number) => [value & 0xff, (value >>> 8) & 0xff]
const double = (value: number) => [...word(value & 0xffff), ...word(value >>> 16)]

/** Encodes the local time and day, in steps of two seconds, from 1980 on. */
function dosTime(at: Date) {
  const time = (at.getHours() << 11) | (at.getMinutes() << 5) | (at.getSeconds() >> 1)
  const day = ((at.getFullYear() - 1980) << 9) | ((at.getMonth() + 1) << 5) | at.getDate()
  return [...word(time), ...word(day)]
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value
})

function crc32(bytes: Uint8Array) {
  // As a signed number, and by index: nine times as fast as over an iterator.
  let sum = -1
  for (let at = 0; at < bytes.length; at++) sum = table[(sum ^ bytes[at]!) & 0xff]! ^ (sum >>> 8)
  return ~sum >>> 0
}
