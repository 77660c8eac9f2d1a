import type { KeyObject } from 'node:crypto'
import { cmsSigner, signedAttributes, signedData } from '../pki/cms.ts'
import { prepareArchiveTimestamp } from '../pki/pades-long-term.ts'
import { coveredDigest, embedSignature, prepareSignature } from '../pki/pades-sign.ts'
import { appendValidationData } from '../pki/pades-validation-data.ts'
import { openAnyPdf } from '../pki/pdf-cipher-node.ts'
import type { Pdf } from '../pki/pdf-read.ts'
import { sha256, signBytes } from '../pki/signature-algorithm.ts'
import type { Authority } from './authority.ts'

/** A seal whose key is at hand; certificates are DER, the chain without the seal's own. */
export type Seal = { name: string; certificate: Uint8Array; chain: Uint8Array[]; privateKey: KeyObject }

type Words = {
  reason: string
  at: Date
  /** Gives a timestamp token over a SHA-256 digest. */
  stamp?: (digest: Uint8Array<ArrayBuffer>) => Uint8Array
}

/**
 * Seals a PDF: PAdES B-T, or B-B without a timestamp, and then equal input gives equal bytes for an RSA key. Throws PdfError
 * for a PDF that cannot be sealed.
 */
export function sealPdf(pdf: Uint8Array | Pdf, seal: Seal, { reason, at, stamp }: Words) {
  const { certificate, chain } = seal
  const prepared = prepareSignature(pdf, { field: 'ProviderSeal', signer: seal.name, reason, at })
  const attributes = signedAttributes({ digest: coveredDigest(prepared), certificate })
  const signature = signBytes(seal.privateKey, attributes)
  const timestamp = stamp && { timestamp: stamp(sha256(signature)) }
  return embedSignature(
    prepared,
    signedData(cmsSigner({ certificate, chain }), { attributes, signature, ...timestamp }),
  )
}

type Lasting = Omit<Words, 'stamp'> & {
  /** Opens a file that is encrypted, and stays so. */
  password?: string | undefined
}

/** Seals a PDF with the authority's own seal, so that it can be proven for as long as its timestamp holds: PAdES B-LT. */
export async function sealWithProof(pdf: Uint8Array, authority: Authority, { password, ...words }: Lasting) {
  const sealed = sealStamped(await openAnyPdf(pdf, password), authority, words)
  return appendValidationData(await openAnyPdf(sealed, password), await authority.validationData())
}

/** The same with an archive timestamp: PAdES B-LTA, for agreements, which are kept longest. */
export async function sealForArchive(pdf: Uint8Array, authority: Authority, words: Omit<Lasting, 'password'>) {
  const prepared = prepareArchiveTimestamp(sealStamped(pdf, authority, words), await authority.validationData())
  return embedSignature(prepared, authority.stamp(coveredDigest(prepared)))
}

const sealStamped = (pdf: Uint8Array | Pdf, authority: Authority, words: Omit<Lasting, 'password'>) =>
  sealPdf(pdf, authority.seal, { ...words, stamp: (digest) => authority.stamp(digest) })
