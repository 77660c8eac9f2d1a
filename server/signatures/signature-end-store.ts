import { sql } from 'kysely'
import { limits } from '../../contract/limits.ts'
import type { Db } from '../platform/database/database.ts'
import { query } from '../platform/database/query.ts'
import { isInCalendar } from '../platform/messages/calendar-ends.ts'
import { isOpen, isSigned } from '../renewal/renewal-row-store.ts'
import type { EndingSignature } from './signature-end.ts'
import { continuedFrom } from './signature-store.ts'

/** The ends of an account’s signatures that are neither revoked nor renewed or continued (SIG-10), earliest first. */
export const listSignatureEnds = (db: Db, accountId: string): Promise<(EndingSignature & { validFrom: Date })[]> =>
  query(db).all(sql<EndingSignature & { validFrom: Date }>`
    select s.id, s.product, s.valid_from, s.valid_to, r.id as renewal
    from signatures s
      left join renewals r on r.signature_id = s.id and (${isSigned} or (${isOpen} and r.ends_at > portal_now()))
    where s.account_id = ${accountId} and s.status <> 'revoked' and ${isInCalendar(sql`s.valid_from`, sql`s.valid_to`)}
      and (r.id is null or ${isOpen}) and ${continuedFrom(sql`portal_now()`)} is null
    order by s.valid_to, s.id limit ${limits.calendar.entries}`)
