import { sql } from 'kysely'
import type { Db, Tx } from '../db.ts'
import { signsInCloud } from '../document-cases.ts'
import type { Keys } from '../keys.ts'
import { openCertificates } from '../sealed-fields.ts'

/** A cloud signature of a customer's that is active, with its certificate as base64 of its DER. */
export type CloudSignature = {
  id: string
  name: string
  organisation: string | null
  validTo: Date
  certificate: string
}

/** By nearest end, as the list of signatures has them. */
export async function cloudSignatures(db: Db, keys: Keys, owner: string): Promise<CloudSignature[]> {
  const { rows } = await sql<Omit<CloudSignature, 'certificate'> & { sealed: Buffer }>`
    select s.id, s.name, s.organisation, s.valid_to as "validTo", s.certificates as sealed
    from signatures s where s.account_id = ${owner} and ${signsInCloud} order by s.valid_to, s.id limit 200`.execute(db)
  return rows.map(({ sealed, ...one }) => ({ ...one, certificate: openCertificates(keys, one.id, sealed).certificate }))
}

/** A signature in place whose code is on its way. */
export type Signing = {
  id: string
  sessionId: string
  signatureId: string
  documentSha256: string
  binding: string
  claimedAt: Date
}

export async function findSigning(db: Db, caseId: string): Promise<Signing | undefined> {
  const { rows } = await sql<Signing>`
    select id, session_id as "sessionId", signature_id as "signatureId", document_sha256 as "documentSha256", binding, claimed_at as "claimedAt"
    from document_signings where case_id = ${caseId}`.execute(db)
  return rows[0]
}

/** Takes the place of the one before it, under an id of its own. */
export async function putSigning(tx: Tx, caseId: string, { id, ...one }: Signing): Promise<void> {
  await sql`
    insert into document_signings as d (id, case_id, session_id, signature_id, document_sha256, binding, claimed_at)
    values (${id}, ${caseId}, ${one.sessionId}, ${one.signatureId}, ${one.documentSha256}, ${one.binding}, ${one.claimedAt})
    on conflict (case_id) do update set id = excluded.id, session_id = excluded.session_id, signature_id = excluded.signature_id,
      document_sha256 = excluded.document_sha256, binding = excluded.binding, claimed_at = excluded.claimed_at`.execute(
    tx,
  )
}

/** Ends it; false when another request was first, or a newer one has taken its place. */
export async function endSigning(tx: Tx, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`delete from document_signings where id = ${id}`.execute(tx)
  return numAffectedRows === 1n
}
