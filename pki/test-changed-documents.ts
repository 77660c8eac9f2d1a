import { bytesOf, latin1 } from './pdf-bytes.ts'
import { signPdf } from './test-pades-signer.ts'

export type ChangedDocument = {
  bytes: Uint8Array
  what: string
  /** Where the signature itself is shown, in default user space of its page (counted from 0). */
  areas: { page: number; rect: readonly number[] }[]
}

/** A signed document that somebody made of an issued one, by its number. */
export function changedDocument(issued: Uint8Array, seed: number): ChangedDocument {
  const text = latin1(issued)
  const at = (seed * 7919) % text.length
  const changed = [text, text.replace('100', '1,0'), `${text.slice(0, at)} ${text.slice(at + 1)}`][seed % 3]!
  const what = ['nothing', 'a price', `byte ${at}`][seed % 3]!
  try {
    return { bytes: signPdf(bytesOf(changed)), what, areas: [] }
  } catch {
    return { bytes: bytesOf(changed), what: `${what} (not signed)`, areas: [] }
  }
}
