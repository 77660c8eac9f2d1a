import type { FileSignature, FileSigner } from '../../contract/file-signing.ts'
import { cmsSigner, signedAttributes, signedData } from '../../pki/asn1/cms.ts'
import { readPathCertificate } from '../../pki/asn1/path-certificate.ts'
import { checkSignature } from '../../pki/asn1/signature-check.ts'
import { signatureAlgorithm } from '../../pki/asn1/signature-algorithm.ts'
import { base64Of, fromBase64 } from '../../pki/bytes.ts'
import { signerChains, stillUnproven, type SignerChains } from '../../pki/pades/pades-long-term.ts'
import { permitsSignature } from '../../pki/pades/pades-permissions.ts'
import {
  coveredDigest,
  embedSignature,
  prepareSignature,
  type PreparedPdf,
  type SignatureField,
} from '../../pki/pades/pades-sign.ts'
import { signatureRoom } from '../../pki/pades/signature-room.ts'
import { appendValidationData, type ValidationData } from '../../pki/pades/pades-validation-data.ts'
import { openAnyPdf } from '../../pki/pdf/open-any-pdf.ts'
import { PdfError } from '../../pki/pdf/pdf-parser.ts'
import { pagesOf, type Pdf } from '../../pki/pdf/pdf-read.ts'
import { newFieldName, signaturesOf } from '../../pki/pdf/pdf-signature-fields.ts'

/** The steps of a PAdES signature whose key is at a signing service (SGN-21): pure functions of the file, run in a worker. */

export type OpenedFile = { pages: number; signatures: number }

/** Why a file cannot be signed. `unreadable`: the browser cannot read it any more. `forbidden`: an earlier signature permits no other one (SGN-26). */
export type FileProblem =
  | 'unreadable'
  | 'not-pdf'
  | 'damaged'
  | 'encrypted'
  | 'wrong-password'
  | 'too-costly'
  | 'forbidden'
export class UnsignableFile extends Error {
  readonly problem: FileProblem
  constructor(problem: FileProblem) {
    super(problem)
    this.name = 'UnsignableFile'
    this.problem = problem
  }
}

/** Throws UnsignableFile. Many files are encrypted only against changes, and open with an empty password. */
export function inspectFile(bytes: Uint8Array, password: string): OpenedFile {
  return orUnsignable(() => {
    const pdf = openSignable(bytes, password)
    // It finds what only the preparation would, such as a form that cannot get another field.
    prepareSignature(pdf, { field: newFieldName(pdf, 'Sygnet'), signer: '', reason: '', at: new Date(0) })
    return { pages: pagesOf(pdf).length, signatures: signaturesOf(pdf).length }
  })
}

function openSignable(bytes: Uint8Array, password: string): Pdf {
  if (String.fromCharCode(...bytes.subarray(0, 5)) !== '%PDF-') throw new UnsignableFile('not-pdf')
  const pdf = openAnyPdf(bytes, password)
  if (!permitsSignature(pdf)) throw new UnsignableFile('forbidden')
  return pdf
}

function orUnsignable<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof PdfError) throw new UnsignableFile(error.code)
    // The file can exhaust the stack.
    if (error instanceof RangeError) throw new UnsignableFile('too-costly')
    throw error
  }
}

export type FileToSign = { bytes: Uint8Array; password: string }
export type PreparedFile = { prepared: PreparedPdf; digest: Uint8Array<ArrayBuffer> }

/** The file with an open signature, and the digest of what it covers, which is all that is sent. Throws UnsignableFile. */
export function prepareFile(
  { bytes, password }: FileToSign,
  field: Omit<SignatureField, 'field'>,
  { certificate, chain, algorithm }: Pick<FileSigner, 'certificate' | 'chain' | 'algorithm'>,
): PreparedFile {
  return orUnsignable(() => {
    const pdf = openSignable(bytes, password)
    const room = signatureRoom({ certificate: derIn(certificate), chain: chain.map(derIn), algorithm })
    const prepared = prepareSignature(pdf, { ...field, field: newFieldName(pdf, 'Sygnet'), room })
    return { prepared, digest: coveredDigest(prepared, algorithm.digest) }
  })
}

/** What the portal returned is not a signature of this file by this certificate. */
export class ForeignSignature extends Error {}

/** The file with its signature and timestamp (PAdES B-T). Throws ForeignSignature. */
export function embedSigned(
  { prepared, digest }: PreparedFile,
  signer: Pick<FileSigner, 'certificate' | 'chain' | 'algorithm'>,
  signed: FileSignature,
): Uint8Array<ArrayBuffer> {
  const [certificate, signature, timestamp] = [signer.certificate, signed.signature, signed.timestamp].map(derIn) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ]
  const { algorithm } = signer
  const attributes = signedAttributes({ digest, certificate })
  const { key } = readPathCertificate(certificate)
  const scheme = signatureAlgorithm({ asymmetricKeyType: key.kind }, algorithm)
  if (checkSignature(scheme, key, attributes, signature) !== 'valid') throw new ForeignSignature()
  const cms = cmsSigner({ certificate, chain: signer.chain.map(derIn), algorithm })
  return embedSignature(prepared, signedData(cms, { attributes, signature, timestamp }))
}

function derIn(base64: string) {
  const der = fromBase64(base64)
  if (!der) throw new ForeignSignature()
  return der
}

/** The certificates without proof in the file that they were good, which the authorities are asked about. */
export const chainsOf = ({ bytes, password }: FileToSign): SignerChains => signerChains(openAnyPdf(bytes, password))

export type Evidence = { chains: SignerChains; anchors: readonly Uint8Array[] } & Omit<ValidationData, 'certificates'>

/**
 * With the evidence that they were good. `isComplete`: all that the newest signature needs (PAdES B-LT). Of `anchors`, those that
 * complete the paths are added.
 */
export function withEvidence(
  { bytes, password }: FileToSign,
  { chains, anchors, ocsps, crls }: Evidence,
): { bytes: Uint8Array<ArrayBuffer>; isComplete: boolean } {
  const paths = [...chains.newest, ...chains.earlier].map(({ path }) => path)
  const ends = paths.flatMap((path) => path.slice(-1))
  const issuers = new Set(ends.map((der) => base64Of(readPathCertificate(der).issuer)))
  const roots = anchors.filter((der) => issuers.has(base64Of(readPathCertificate(der).subject)))
  const certificates = [...new Map([...paths.flat(), ...roots].map((der) => [base64Of(der), der])).values()]
  const data = { certificates, ocsps, crls }
  return {
    bytes: appendValidationData(openAnyPdf(bytes, password), data),
    isComplete: !stillUnproven(chains.newest, data).length,
  }
}
