import { sql } from 'kysely'
import { type Db, query } from '../platform/database/database.ts'
import { decryptCertificates } from '../platform/encrypted-data/encrypted-fields.ts'
import type { Keys } from '../platform/encryption/keys.ts'
import { inCloudCondition, stopRequestedCondition } from './certificate-conditions.ts'

/** A valid cloud signature or seal with its certificate. */
export type CloudCertificate = {
  id: string
  kind: 'signature' | 'seal'
  name: string
  organisation: string | null
  validTo: Date
  /** The certificate, as base64 of its DER. */
  certificate: string
  /** Whether its suspension or revocation is requested, so that it signs nothing (STP-8). */
  isStopping: boolean
}

/** Lists the customer's own signatures, and the seals that they may use as an active user, each kind with the newest first (R203). */
export async function listCloudCertificates(db: Db, keys: Keys, accountId: string): Promise<CloudCertificate[]> {
  type Row = Omit<CloudCertificate, 'certificate'> & { validFrom: Date; encrypted: Buffer | null; der: Buffer | null }
  const rows = await query(db).all(sql<Row>`
    select s.id, 'signature' as kind, s.name, s.organisation, s.valid_from, s.valid_to, s.certificates as encrypted, null as der,
      ${stopRequestedCondition} as is_stopping
    from signatures s where s.account_id = ${accountId} and ${inCloudCondition}
    union all
    select s.id, 'seal', s.name, s.organisation, s.valid_from, s.valid_to, null, s.certificate, ${stopRequestedCondition}
    from seal_users m join seals s on s.id = m.seal_id
    where m.account_id = ${accountId} and m.status = 'active' and ${inCloudCondition}
    order by kind desc, valid_from desc, id limit 200`)
  return rows.map(({ validFrom: _validFrom, encrypted, der, ...certificate }) => ({
    ...certificate,
    certificate: encrypted
      ? decryptCertificates(keys, certificate.id, encrypted).certificate
      : (der ?? Buffer.of()).toString('base64'),
  }))
}
