import type { DocumentSigner } from '../../contract/documents.ts'
import { readCertificate } from '../../pki/certificate.ts'
import { signerProblems } from '../../pki/pades-signer.ts'
import { sha256 } from '../../pki/signature-algorithm.ts'
import { openAccessCode, openSigner, type CaseRow } from '../document-cases.ts'
import { readFile } from '../document-files.ts'
import { Failed } from '../failure.ts'
import { PdfWorkBusy } from '../pdf-work.ts'
import type { Portal } from '../portal.ts'
import type { SigningCredential } from '../ports/ports.ts'
import type { PreparedSignature } from '../remote-signing.ts'
import { cloudSignatures } from './signing-queries.ts'

/** A signature of the customer's whose key the signing service has, and which the case wants. */
export type ReadySignature = { shown: DocumentSigner; credential: SigningCredential }

/** Known to both sides by the certificate itself; only those whose one code is the portal's to prove. */
export async function signersOf({ db, keys, ports }: Portal, row: CaseRow): Promise<ReadySignature[]> {
  const credentials = (await ports.remoteSigning?.credentials(row.customer)) ?? 'unreachable'
  if (credentials === 'unreachable' || !ports.timestamps) throw new Failed('unavailable')
  const signatures = await cloudSignatures(db, keys, row.owner)
  const identifier = openSigner(keys, row)
  return signatures.flatMap(({ certificate, validTo, ...signature }) => {
    const credential = credentials.find((one) => base64(one.certificate) === certificate)
    if (credential?.otp !== 'portal') return []
    const content = readCertificate(credential.certificate)
    if (signerProblems(content, { qualified: true, signer: { identifier } }).length) return []
    const shown = { ...signature, serialNumber: content.serialNumber, validTo: validTo.toISOString() }
    return [{ shown, credential }]
  })
}

/**
 * The document in clear with an open signature, and the hash of all that the code confirms (R33): who, which case and
 * version of it, which certificate, and every byte that the signature covers.
 */
export async function prepared(
  portal: Portal,
  row: CaseRow,
  signer: ReadySignature | undefined,
  at: Date,
): Promise<PreparedSignature & { binding: string }> {
  const read = async () => {
    const bytes = row.documentFile && (await readFile(portal, row.documentFile))
    if (!bytes) throw new Failed('document-content-missing')
    return { bytes, password: openAccessCode(portal.keys, row)! }
  }
  const field = {
    field: `Sygnet ${row.id.slice(0, 8)}`,
    signer: signer?.shown.name ?? '',
    reason: row.document,
    at,
  }
  const ready = await portal.pdfWork.prepare(read, field).catch((error: unknown) => {
    throw error instanceof PdfWorkBusy ? new Failed('busy', { retryAfter: 5 }) : error
  })
  if (!ready) throw new Failed('pdf-too-costly')
  const certificate = signer ? hex(sha256(signer.credential.certificate)) : ''
  const bound = [row.owner, row.id, row.version, certificate, hex(ready.digest)]
  return { ...ready, binding: hex(sha256(Buffer.from(JSON.stringify(bound)))) }
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
