import type { KeyObject } from 'node:crypto'
import { cmsSigner, signedAttributes, signedData } from '../pki/cms.ts'
import { coveredDigest, embedSignature, prepareSignature } from '../pki/pades-sign.ts'
import type { Pdf } from '../pki/pdf-read.ts'
import { signBytes } from '../pki/signature-algorithm.ts'

/** A seal whose key is at hand; certificates are DER, the chain without the seal's own. */
export type Seal = { name: string; certificate: Uint8Array; chain: Uint8Array[]; privateKey: KeyObject }

/** Seals a PDF (PAdES B-B); equal input gives equal bytes for an RSA key. Throws PdfError for a PDF that cannot be sealed. */
export function sealPdf(pdf: Uint8Array | Pdf, seal: Seal, { reason, at }: { reason: string; at: Date }) {
  const { certificate, chain } = seal
  const prepared = prepareSignature(pdf, { field: 'ProviderSeal', signer: seal.name, reason, at })
  const attributes = signedAttributes({ digest: coveredDigest(prepared), certificate })
  const signature = signBytes(seal.privateKey, attributes)
  return embedSignature(prepared, signedData(cmsSigner({ certificate, chain }), { attributes, signature }))
}
