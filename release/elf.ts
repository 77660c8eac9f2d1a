/** Offsets in the header of a 64-bit little-endian file (System V ABI, chapter 4), and in an entry of its program headers. */
const header = { programs: 32, sections: 40, programSize: 54, programCount: 56, sectionCount: 60, sectionNames: 62 }
const program = { offset: 8, fileSize: 32 }

/**
 * A program without what only debuggers and linkers read: its sections' table, symbols and debug information, which are after all that is
 * loaded. What remains has the same bytes at the same places, except for the fields of the header that led there.
 */
export function withoutSymbols(file: Buffer): Buffer {
  if (file.subarray(0, 6).toString('hex') !== '7f454c460201') throw new Error('Node is not a 64-bit ELF file.')
  const [first, size, count] = [
    Number(file.readBigUInt64LE(header.programs)),
    file.readUInt16LE(header.programSize),
    file.readUInt16LE(header.programCount),
  ]
  const ends = Array.from({ length: count }, (_, i) => {
    const at = first + i * size
    return Number(file.readBigUInt64LE(at + program.offset) + file.readBigUInt64LE(at + program.fileSize))
  })
  const loaded = Buffer.from(file.subarray(0, Math.max(first + size * count, ...ends)))
  loaded.writeBigUInt64LE(0n, header.sections)
  loaded.writeUInt16LE(0, header.sectionCount)
  loaded.writeUInt16LE(0, header.sectionNames)
  return loaded
}
