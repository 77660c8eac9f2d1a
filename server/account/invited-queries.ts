import { sql } from 'kysely'
import type { InvitedCustomer } from '../../contract/password-link.ts'
import type { Db } from '../db.ts'

type WaitingRow = {
  id: string
  product: InvitedCustomer['signatures']['first'][number]['product']
  type: InvitedCustomer['signatures']['first'][number]['identifier']['type']
  country: string | null
  sealed: Buffer
  validFrom: Date
  validTo: Date
  total: number
}

/** The signatures that work or are going to, nearest end first; each row says how many there are. */
export async function waitingSignatures(db: Db, accountId: string, atMost: number): Promise<WaitingRow[]> {
  const { rows } = await sql<WaitingRow>`
    select id, product, identifier_type as type, identifier_country as country, identifier_value as sealed,
      valid_from as "validFrom", valid_to as "validTo", count(*) over ()::int as total
    from signatures where account_id = ${accountId} and status = 'good' and valid_to > portal_now()
    order by valid_to, id limit ${atMost}`.execute(db)
  return rows
}
