import { sql } from 'kysely'
import type { Person } from '../../../testing/browser.ts'
import type { TestPortal } from '../../../testing/portal-nodes.ts'
import { single } from '../../database/database.ts'

export async function accountIdOf({ db }: Pick<TestPortal, 'db'>, { login }: Pick<Person, 'login'>): Promise<string> {
  const { rows } = await sql<{ id: string }>`select id from accounts where login = ${login}`.execute(db)
  return single(rows).id
}
