import { hexOf } from '../../pki/bytes.ts'
import { UnsignableFile } from './signed-file.ts'

/** A chosen file. It stays on the device, and what is read of it later has to be what was read first. */
export type Original = { file: Blob; sha256: string }

/** Throws UnsignableFile `unreadable`. */
export async function readFirst(file: Blob) {
  const bytes = await readBytes(file)
  if (!bytes) throw new UnsignableFile('unreadable')
  return { bytes, sha256: await computeSha256(bytes) }
}

/**
 * Returns the file, followed by the bytes that were appended to it. Throws UnsignableFile `changed` if the file has changed by now, or is
 * gone.
 */
export async function readOriginal({ file, sha256 }: Original, tail: Uint8Array<ArrayBuffer> = new Uint8Array()) {
  const bytes = await readBytes(new Blob([file, tail]))
  if (!bytes || (await computeSha256(bytes.subarray(0, file.size))) !== sha256) throw new UnsignableFile('changed')
  return bytes
}

/**
 * Returns the bytes of a file; undefined if it was moved or deleted since it was chosen. Some browsers also report that for a changed file.
 */
async function readBytes(file: Blob) {
  const bytes = await file.arrayBuffer().catch(() => undefined)
  return bytes && new Uint8Array(bytes)
}

const computeSha256 = async (bytes: Uint8Array<ArrayBuffer>) =>
  hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
