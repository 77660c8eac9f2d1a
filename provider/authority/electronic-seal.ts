import { signBytes } from '../../pki/asn1/certificate-write.ts'
import { cmsSigner, signedAttributes, signedData } from '../../pki/asn1/cms.ts'
import { sha256 } from '../../pki/asn1/signature-algorithm.ts'
import { prepareArchiveTimestamp } from '../../pki/pades/pades-long-term.ts'
import { coveredDigest, embedSignature, prepareSignature } from '../../pki/pades/pades-sign.ts'
import { appendValidationData } from '../../pki/pades/pades-validation-data.ts'
import { openAnyPdf } from '../../pki/pdf/pdf-encryption.ts'
import type { Pdf } from '../../pki/pdf/pdf-read.ts'
import type { Authority, SealSigner } from './authority.ts'

type SealOptions = { reason: string; at: Date }
/** Returns a timestamp token over a SHA-256 digest. */
type Stamp = (digest: Uint8Array<ArrayBuffer>) => Uint8Array

/**
 * Seals a PDF at level PAdES B-T, or B-B without a timestamp, which is reproducible for an RSA key. Throws PdfError for a PDF that cannot
 * be sealed.
 */
export function sealPdf(
  pdf: Uint8Array | Pdf,
  seal: SealSigner,
  { reason, at, stamp }: SealOptions & { stamp?: Stamp },
) {
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

/**
 * Seals a PDF with the authority's seal and its validation data: PAdES B-LT. The password opens an encrypted file, which
 * remains encrypted.
 */
export async function sealLongTerm(
  pdf: Uint8Array,
  authority: Authority,
  { password, ...options }: SealOptions & { password?: string | undefined },
) {
  const sealed = sealTimestamped(openAnyPdf(pdf, password), authority, options)
  return appendValidationData(openAnyPdf(sealed, password), await authority.collectValidationData())
}

/** Seals a PDF likewise and adds an archive timestamp: PAdES B-LTA, for agreements, which are stored longest. */
export async function sealForArchive(pdf: Uint8Array, authority: Authority, options: SealOptions) {
  const prepared = prepareArchiveTimestamp(
    sealTimestamped(pdf, authority, options),
    await authority.collectValidationData(),
  )
  return embedSignature(prepared, authority.stamp(coveredDigest(prepared)))
}

const sealTimestamped = (pdf: Uint8Array | Pdf, authority: Authority, options: SealOptions) =>
  sealPdf(pdf, authority.seal, { ...options, stamp: (digest) => authority.stamp(digest) })
