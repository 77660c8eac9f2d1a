import { sql } from 'kysely'
import type { Locale } from '../../contract/enums.ts'
import type { SealProduct } from '../../contract/seals.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { query } from '../platform/database/query.ts'
import { isDue, reachedStep } from '../platform/messages/end-reminders.ts'

export type DueSealReminder = {
  /** The membership of the Administrator. */
  id: string
  seal: string
  step: number
  validTo: Date
  now: Date
  owner: string
  email: string
  locale: Locale
  product: SealProduct
  organisation: string
}

const due = sql`
  from seals s
    join seal_users u on u.seal_id = s.id and u.status = 'active' and u.role = 'admin'
    join accounts a on a.id = u.account_id
    cross join ${reachedStep}
  where ${isDue}
    and not exists (select from seal_reminders m where m.seal_user_id = u.id and m.step = reached.step and m.valid_to = s.valid_to)`

/** The memberships of Administrators with a due reminder, nearest end first. */
export async function* listDueSealReminders(db: Db): AsyncGenerator<string> {
  const rows = await query(db).all(sql<{ id: string }>`select u.id ${due} order by s.valid_to limit 1000`)
  for (const { id } of rows) yield id
}

/** One statement decides which node sends the reminder, so that it is sent once. */
export const claimSealReminder = (tx: Tx, id: string): Promise<DueSealReminder | undefined> =>
  query(tx).first(sql<DueSealReminder>`
    with due as (
      select u.id, s.id as seal, reached.step, s.valid_to, portal_now() as now, a.id as owner, a.email, a.locale, s.product, s.organisation ${due} and u.id = ${id}
    ), claimed as (
      insert into seal_reminders (seal_user_id, step, valid_to) select id, step, valid_to from due on conflict do nothing returning step
    )
    select due.* from due join claimed using (step)`)
