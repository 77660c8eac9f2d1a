import { sql } from 'kysely'
import type { InvitedCustomer } from '../../contract/password-link.ts'
import { canonicalLogin } from '../platform/authentication/canonical.ts'
import type { Db } from '../platform/database/database.ts'
import { query } from '../platform/database/query.ts'

type WaitingRow = {
  id: string
  product: InvitedCustomer['signatures']['first'][number]['product']
  type: InvitedCustomer['signatures']['first'][number]['identifier']['type']
  country: string | null
  encryptedNumber: Buffer
  validFrom: Date
  validTo: Date
  total: number
}

/** The signatures that are or will be valid, nearest end first; each row has their number. */
export async function waitingSignatures(db: Db, accountId: string, atMost: number): Promise<WaitingRow[]> {
  return query(db).all(sql<WaitingRow>`
    select id, product, identifier_type as type, identifier_country as country, identifier_value as encrypted_number,
      valid_from, valid_to, count(*) over ()::int as total
    from signatures where account_id = ${accountId} and status = 'good' and valid_to > portal_now()
    order by valid_to, id limit ${atMost}`)
}

/** The organisations whose seals wait for an e-mail, the newest invitation first. */
export async function waitingSeals(db: Db, email: string): Promise<string[]> {
  const rows = await query(db).all(sql<{ organisation: string }>`
    select s.organisation from seal_users u join seals s on s.id = u.seal_id
    where u.email_key = ${canonicalLogin(email)} and u.status = 'pending' and u.expires_at > portal_now()
    order by u.invited_at desc limit 3`)
  return rows.map(({ organisation }) => organisation)
}
