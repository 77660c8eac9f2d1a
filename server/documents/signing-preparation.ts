import { sql } from 'kysely'
import type { DocumentSigner } from '../../contract/documents.ts'
import type { Given } from '../../contract/endpoint.ts'
import { readCertificate } from '../../pki/asn1/certificate.ts'
import { sha256 } from '../../pki/asn1/signature-algorithm.ts'
import { base64Of, hexOf } from '../../pki/bytes.ts'
import { signerProblems } from '../../pki/pades/pades-signature.ts'
import { listCloudCertificates } from '../certificates/cloud-certificates.ts'
import type { Refusal } from '../platform/api-error.ts'
import { type Db, type Tx, query } from '../platform/database/database.ts'
import { readPdf } from '../platform/files/stored-pdfs.ts'
import { unlessBusy } from '../platform/pdf/pdf-work.ts'
import { signatureRoomOf, type PreparedSignature } from '../platform/pdf/remote-signing.ts'
import type { Portal } from '../platform/portal.ts'
import type { SigningCredential } from '../platform/ports.ts'
import { authorisingOf } from '../service-authorisation/service-authorisation.ts'
import { decryptSigner, issuedDocument, type DocumentCaseRow } from './document-case-store.ts'
import { storedAs } from './document-files.ts'

/** A customer's signature whose key the signing service has, and with which the case can be signed. */
export type ReadySignature = { shown: Given<typeof DocumentSigner>; credential: SigningCredential }

/** A signature of a document in the portal whose code was sent. */
export type PreparedSigning = {
  id: string
  sessionId: string
  signatureId: string
  documentSha256: string
  binding: string
  claimedAt: Date
}

export const findSigning = (db: Db, caseId: string): Promise<PreparedSigning | undefined> =>
  query(db).first(sql<PreparedSigning>`
    select id, session_id, signature_id, document_sha256, binding, claimed_at
    from document_signings where case_id = ${caseId}`)

/** Replaces the signing of the case, under a new id. */
export async function putSigning(tx: Tx, caseId: string, signing: PreparedSigning): Promise<void> {
  await query(tx).run(sql`
    insert into document_signings as d (id, case_id, session_id, signature_id, document_sha256, binding, claimed_at)
    values (${signing.id}, ${caseId}, ${signing.sessionId}, ${signing.signatureId}, ${signing.documentSha256}, ${signing.binding}, ${signing.claimedAt})
    on conflict (case_id) do update set id = excluded.id, session_id = excluded.session_id, signature_id = excluded.signature_id,
      document_sha256 = excluded.document_sha256, binding = excluded.binding, claimed_at = excluded.claimed_at`)
}

/** Ends the signing; false if another request was first or a newer signing has replaced it. */
export const endDocumentSigning = (tx: Tx, id: string): Promise<boolean> =>
  query(tx).changesOne(sql`delete from document_signings where id = ${id}`)

/** Matches the signatures with the keys of the service, by the certificate itself. Undefined if the service is unreachable. */
export async function listReadySignatures(
  { db, keys, ports }: Portal,
  row: DocumentCaseRow,
): Promise<ReadySignature[] | undefined> {
  const credentials = (await ports.remoteSigning?.listCredentials(row.customer)) ?? 'unreachable'
  if (credentials === 'unreachable' || !ports.timestamps) return undefined
  const certificates = await listCloudCertificates(db, keys, row.accountId)
  const identifier = decryptSigner(keys, row)
  return certificates.flatMap(({ kind, certificate, isStopping, ...signature }) => {
    const credential = credentials.find((known) => base64Of(known.certificate) === certificate)
    if (kind === 'seal' || isStopping || !credential) return []
    const content = readCertificate(credential.certificate)
    if (signerProblems(content, { qualified: true, signer: { identifier } }).length) return []
    const shown = {
      ...signature,
      serialNumber: content.serialNumber,
      ...authorisingOf(credential),
    }
    return [{ shown, credential }]
  })
}

class DocumentMissing extends Error {}

/**
 * Returns the decrypted document with a placeholder for the signature, and the hash of everything that the code confirms (R33): the
 * customer, the case and its version, the certificate, and every byte that the signature covers.
 */
export async function prepareDocumentSignature(
  portal: Portal,
  row: DocumentCaseRow,
  signer: ReadySignature | undefined,
  at: Date,
): Promise<
  (PreparedSignature & { binding: string }) | Refusal<'document-content-missing' | 'busy' | 'pdf-too-costly'>
> {
  const read = async () => {
    const issued = issuedDocument(portal.keys, row)
    const bytes = issued && (await readPdf(portal, storedAs(issued.file)))
    if (!bytes) throw new DocumentMissing()
    return { bytes, password: issued.accessCode }
  }
  const field = {
    field: `Sygnet ${row.id.slice(0, 8)}`,
    signer: signer?.shown.name ?? '',
    reason: row.document,
    at,
    ...(signer && { room: signatureRoomOf(signer.credential) }),
  }
  const busy = { refused: 'busy' as const }
  const ready = await unlessBusy(portal.pdfWork.prepare(read, field), busy).catch((error: unknown) => {
    if (error instanceof DocumentMissing) return { refused: 'document-content-missing' as const }
    throw error
  })
  if (!ready) return { refused: 'pdf-too-costly' }
  if ('refused' in ready) return ready
  const certificate = signer ? hexOf(sha256(signer.credential.certificate)) : ''
  const bound = [row.accountId, row.id, row.version, certificate, hexOf(ready.digest)]
  return { ...ready, binding: hexOf(sha256(Buffer.from(JSON.stringify(bound)))) }
}
