import { sql } from 'kysely'
import { limits } from '../../contract/limits.ts'
import type { Db } from '../platform/database/database.ts'
import { query } from '../platform/database/query.ts'
import { isInCalendar } from '../platform/messages/calendar-ends.ts'
import type { EndingSeal } from './seal-end.ts'

/** The ends of the seals that an account may use, earliest first. */
export const listSealEnds = (db: Db, accountId: string): Promise<(EndingSeal & { validFrom: Date })[]> =>
  query(db).all(sql<EndingSeal & { validFrom: Date }>`
    select s.id as seal, s.organisation, s.valid_from, s.valid_to, m.role
    from seal_users m join seals s on s.id = m.seal_id
    where m.account_id = ${accountId} and m.status = 'active' and s.status <> 'revoked'
      and ${isInCalendar(sql`s.valid_from`, sql`s.valid_to`)}
    order by s.valid_to, s.id limit ${limits.calendar.entries}`)
