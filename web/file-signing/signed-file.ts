import { digest as digestOfBytes } from '#runtime'
import type { FileSignature, FileSigner } from '../../contract/file-signing.ts'
import { CmsError } from '../../pki/asn1/cms-read.ts'
import { cmsSigner, signedAttributes, signedData } from '../../pki/asn1/cms.ts'
import { certificatePool, isSameHolder, readPathCertificate } from '../../pki/asn1/path-certificate.ts'
import { needsNewerEvidence, revocationStatus, type RevocationStatus } from '../../pki/asn1/revocation-status.ts'
import { signatureAlgorithm } from '../../pki/asn1/signature-algorithm.ts'
import { checkSignature } from '../../pki/asn1/signature-check.ts'
import { base64Of, fromBase64, sameBytes } from '../../pki/bytes.ts'
import { signerChains, stillUnproven, type SignerChains } from '../../pki/pades/pades-long-term.ts'
import { permitsSignature } from '../../pki/pades/pades-permissions.ts'
import type { CertificateChain } from '../../pki/pades/pades-report.ts'
import {
  coveredDigest,
  embedSignature,
  prepareSignature,
  type PreparedPdf,
  type SignatureField,
  signatureRoom,
} from '../../pki/pades/pades-sign.ts'
import { maxSignatures } from '../../pki/pades/pades-validate.ts'
import { appendValidationData, readValidationData, type ValidationData } from '../../pki/pades/pades-validation-data.ts'
import { activeContent } from '../../pki/pdf/pdf-active-content.ts'
import { changesBetween, securityStoreObjects } from '../../pki/pdf/pdf-changes.ts'
import { openAnyPdf } from '../../pki/pdf/pdf-encryption.ts'
import { PdfError } from '../../pki/pdf/pdf-parser.ts'
import { listPages, startOfPdf, type Pdf } from '../../pki/pdf/pdf-read.ts'
import { newFieldName, findSignatures } from '../../pki/pdf/pdf-signature-fields.ts'
import { verifyTimestamp } from '../../pki/timestamps/timestamp-token.ts'
import { maxEvidenceBytes } from './evidence-limit.ts'

// The steps of a PAdES signature whose key is at a signing service (SGN-21): pure functions of the file, run in a worker.

export type OpenedFile = {
  pages: number
  signatures: number
  /** Whether it has parts that run or open something, such as a script, or a form that only some programs show. */
  isActive: boolean
}

/**
 * Reason why a file cannot be signed, or completed. `unreadable`: the browser cannot read it. `changed`: it is not the file that was
 * chosen, or is gone. `forbidden`: an earlier signature permits no other one (SGN-26). `breaks-signature`: another signature would change
 * what an earlier one covers. `foreign`: the signature is of another file.
 */
export type FileProblem =
  | 'unreadable'
  | 'changed'
  | 'not-pdf'
  | 'damaged'
  | 'stray-bytes'
  | 'encrypted'
  | 'wrong-password'
  | 'too-costly'
  | 'forbidden'
  | 'breaks-signature'
  | 'foreign'
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
    // A trial finds what only the preparation would, such as a form that cannot get another field.
    prepareNext(pdf, password, { signer: '', reason: '', at: new Date(0) })
    return { pages: listPages(pdf).length, signatures: findSignatures(pdf).length, isActive: isActive(pdf) }
  })
}

/** Prepares another signature in a new field. Throws UnsignableFile if it would break an earlier one. */
function prepareNext(pdf: Pdf, password: string, signature: Omit<SignatureField, 'field'>): PreparedPdf {
  const prepared = prepareSignature(pdf, { ...signature, field: newFieldName(pdf, 'Sygnet') })
  if (!findSignatures(pdf).length) return prepared
  const next = openAnyPdf(prepared.bytes, password)
  const changes = changesBetween(next, pdf.revisions.length - 1, next.revisions.length - 1)
  if (changes.some(({ isAllowed }) => !isAllowed)) throw new UnsignableFile('breaks-signature')
  return prepared
}

/** Checks whether a file has active content; a part that cannot be read does not keep a file from being signed. */
function isActive(pdf: Pdf) {
  try {
    return activeContent(pdf) !== undefined
  } catch (error) {
    if (error instanceof PdfError) return false
    throw error
  }
}

function openSignable(bytes: Uint8Array, password: string): Pdf {
  if (startOfPdf(bytes) < 0) throw new UnsignableFile('not-pdf')
  const pdf = openAnyPdf(bytes, password)
  if (!permitsSignature(pdf)) throw new UnsignableFile('forbidden')
  if (findSignatures(pdf).length >= maxSignatures) throw new UnsignableFile('too-costly')
  // Throws for a store of evidence that readers take for different ones: no signature over it could be checked.
  securityStoreObjects(pdf)
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

/**
 * Returns the file with an open signature, and the digest of the bytes that it covers, which is all that is sent. Throws UnsignableFile.
 */
export function prepareFile(
  { bytes, password }: FileToSign,
  field: Omit<SignatureField, 'field'>,
  { certificate, chain, algorithm }: Pick<FileSigner, 'certificate' | 'chain' | 'algorithm'>,
): PreparedFile {
  return orUnsignable(() => {
    const pdf = openSignable(bytes, password)
    const room = signatureRoom({ certificate: derIn(certificate), chain: chain.map(derIn), algorithm })
    const prepared = prepareNext(pdf, password, { ...field, room })
    return { prepared, digest: coveredDigest(prepared, algorithm.digest) }
  })
}

/**
 * Returns the file with its signature and timestamp (PAdES B-T). Throws UnsignableFile `foreign` if it is not a signature of the file by
 * this certificate.
 */
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
  if (checkSignature(scheme, key, attributes, signature) !== 'valid' || !isOver(timestamp, signature))
    throw new UnsignableFile('foreign')
  const cms = cmsSigner({ certificate, chain: signer.chain.map(derIn), algorithm })
  return embedSignature(prepared, signedData(cms, { attributes, signature, timestamp }))
}

function isOver(timestamp: Uint8Array, signature: Uint8Array) {
  try {
    return !!verifyTimestamp(timestamp, (name) => digestOfBytes(name, signature))
  } catch (error) {
    if (error instanceof CmsError) return false
    throw error
  }
}

function derIn(base64: string) {
  const der = fromBase64(base64)
  if (!der) throw new UnsignableFile('foreign')
  return der
}

/** Returns the certificates without proof in the file that they were good, which the authorities are asked about. */
export const chainsOf = ({ bytes, password }: FileToSign): SignerChains => signerChains(openAnyPdf(bytes, password))

/** Evidence that the portal has for any of the files. */
export type Evidence = { anchors: readonly Uint8Array[] } & Pick<ValidationData, 'ocsps' | 'crls'>

/**
 * Evidence that a file lacks for its newest signature: `nothing` (PAdES B-LT), `answers` of the authorities, or `room`: a very long
 * revocation list would make it much larger.
 */
export type MissingEvidence = 'nothing' | 'answers' | 'room'

/** Adds the evidence that the certificates were good: for the newest signature, and if there is room for the earlier ones. */
export function withEvidence(
  { bytes, password }: FileToSign & { bytes: Uint8Array<ArrayBuffer> },
  { newest, earlier }: SignerChains,
  evidence: Evidence,
): { bytes: Uint8Array<ArrayBuffer>; lacks: MissingEvidence } {
  const pdf = openAnyPdf(bytes, password)
  const stored = readValidationData(pdf)
  const proofs = [[...newest, ...earlier], newest].map((chains) => proofOf(chains, stored, evidence))
  const proof = proofs.find((each) => sizeOf(each) <= maxEvidenceBytes)
  const isProven = !stillUnproven(newest, together(stored, proofs[0]!), evidence.anchors).length
  if (!proof) return { bytes, lacks: isProven ? 'room' : 'answers' }
  // Each attempt would make the file longer, and say that it has evidence.
  if (!isProven && !proof.ocsps.length && !proof.crls.length) return { bytes, lacks: 'answers' }
  return { bytes: appendValidationData(pdf, proof), lacks: isProven ? 'nothing' : 'answers' }
}

const together = (one: ValidationData, other: ValidationData): ValidationData => ({
  certificates: [...one.certificates, ...other.certificates],
  ocsps: [...one.ocsps, ...other.ocsps],
  crls: [...one.crls, ...other.crls],
})

const sizeOf = (proof: ValidationData) =>
  Object.values(proof)
    .flat()
    .reduce((sum, { length }) => sum + length, 0)

/**
 * Selects, from the evidence about any certificates, the smallest about each of these that the file does not have, and the certificates
 * that complete their paths.
 */
function proofOf(
  chains: readonly CertificateChain[],
  stored: ValidationData,
  { anchors, ocsps, crls }: Evidence,
): ValidationData {
  const paths = chains.map(({ path }) => path)
  const certificates = distinct([...paths.flat(), ...anchorsOf(chains, anchors)])
  const pool = certificatePool(certificates)
  const sources: Source[] = [
    { size: 0, ocsps: [], crls: [] },
    ...ocsps.map((der) => ({ size: der.length, ocsps: [der], crls: [] })),
    ...crls.map((der) => ({ size: der.length, ocsps: [], crls: [der] })),
  ].toSorted((a, b) => a.size - b.size)
  const chosen = chains.flatMap(({ path, at }) => {
    const [certificate] = certificatePool(path.slice(0, 1))
    const issuer = pool.find(
      ({ subject, key }) =>
        certificate &&
        sameBytes(subject, certificate.issuer) &&
        checkSignature(certificate.algorithm, key, certificate.tbs, certificate.signature) === 'valid',
    )
    if (!certificate || !issuer) return []
    const statusBy = (by: Pick<ValidationData, 'ocsps' | 'crls'>) =>
      revocationStatus(certificate, issuer, at, {
        ocsps: [...stored.ocsps, ...by.ocsps],
        crls: [...stored.crls, ...by.crls],
      })
    // By all the evidence first: one answer that it was revoked outweighs the others, and one since the signature those from before.
    const status = statusBy({ ocsps, crls })
    if (status.status !== 'good') return []
    return sources.find((by) => isAsGood(statusBy(by), status)) ?? []
  })
  return {
    certificates,
    ocsps: [...new Set(chosen.flatMap((each) => each.ocsps))],
    crls: [...new Set(chosen.flatMap((each) => each.crls))],
  }
}

type Source = { size: number } & Pick<ValidationData, 'ocsps' | 'crls'>

/**
 * Checks whether some evidence is as good as all of it. Of evidence from before the signature only the newest is, because it outweighs a
 * suspension that has ended.
 */
const isAsGood = (some: RevocationStatus, all: Extract<RevocationStatus, { status: 'good' }>) =>
  some.status === 'good' &&
  (needsNewerEvidence(all)
    ? some.source?.issuedAt.getTime() === all.source?.issuedAt.getTime()
    : !needsNewerEvidence(some))

/** Returns the trusted authorities that are in the paths or complete them, from possibly thousands. */
export function anchorsOf(chains: readonly CertificateChain[], anchors: readonly Uint8Array[]): Uint8Array[] {
  const known = certificatePool(chains.flatMap(({ path }) => path))
  const ends = certificatePool(chains.flatMap(({ path }) => path.slice(-1)))
  return certificatePool([...anchors])
    .filter(
      (anchor) =>
        ends.some(({ issuer }) => sameBytes(anchor.subject, issuer)) ||
        known.some((certificate) => isSameHolder(anchor, certificate)),
    )
    .map(({ der }) => der)
}

const distinct = (ders: readonly Uint8Array[]) => [...new Map(ders.map((der) => [base64Of(der), der])).values()]
