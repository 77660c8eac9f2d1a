import { sql } from 'kysely'
import type { Db, Tx } from '../platform/database/database.ts'
import { query } from '../platform/database/query.ts'
import type { Keys } from '../platform/encryption/keys.ts'
import { decryptCertificates } from '../platform/encrypted-data/encrypted-fields.ts'
import { signsInCloud } from '../signing/cloud-certificate-store.ts'

/** An active cloud signature of a customer, with the DER of its certificate in base64. */
export type CloudSignature = {
  id: string
  name: string
  organisation: string | null
  validTo: Date
  certificate: string
}

/** The newest first: after a renewal the new one is chosen. */
export async function cloudSignatures(db: Db, keys: Keys, owner: string): Promise<CloudSignature[]> {
  const rows = await query(db).all(sql<Omit<CloudSignature, 'certificate'> & { certificates: Buffer }>`
    select s.id, s.name, s.organisation, s.valid_to, s.certificates
    from signatures s where s.account_id = ${owner} and ${signsInCloud} order by s.valid_from desc, s.id limit 200`)
  return rows.map(({ certificates, ...signature }) => ({
    ...signature,
    certificate: decryptCertificates(keys, signature.id, certificates).certificate,
  }))
}

/** A signature in place whose code was sent. */
export type Signing = {
  id: string
  sessionId: string
  signatureId: string
  documentSha256: string
  binding: string
  claimedAt: Date
}

export const findSigning = (db: Db, caseId: string): Promise<Signing | undefined> =>
  query(db).first(sql<Signing>`
    select id, session_id, signature_id, document_sha256, binding, claimed_at
    from document_signings where case_id = ${caseId}`)

/** Replaces the signing of the case, under a new id. */
export async function putSigning(tx: Tx, caseId: string, signing: Signing): Promise<void> {
  await query(tx).run(sql`
    insert into document_signings as d (id, case_id, session_id, signature_id, document_sha256, binding, claimed_at)
    values (${signing.id}, ${caseId}, ${signing.sessionId}, ${signing.signatureId}, ${signing.documentSha256}, ${signing.binding}, ${signing.claimedAt})
    on conflict (case_id) do update set id = excluded.id, session_id = excluded.session_id, signature_id = excluded.signature_id,
      document_sha256 = excluded.document_sha256, binding = excluded.binding, claimed_at = excluded.claimed_at`)
}

/** Ends the signing; false if another request was first or a newer signing has replaced it. */
export const endSigning = (tx: Tx, id: string): Promise<boolean> =>
  query(tx).changesOne(sql`delete from document_signings where id = ${id}`)
