import { sql } from 'kysely'
import * as calls from '../../contract/activity.ts'
import { countryFound } from '../../contract/country.ts'
import type { Device } from '../../contract/device.ts'
import { revokeSessions } from '../platform/authentication/session.ts'
import { type Db, query } from '../platform/database/database.ts'
import { handler } from '../platform/http/http.ts'
import type { Portal } from '../platform/portal.ts'
import { charge } from '../platform/rate-limits/rate-limits.ts'

export type SessionRow = Device & {
  id: string
  address: string | null
  country: string | null
  startedAt: Date
  usedAt: Date
}

/** Returns the live signed-in sessions of an account: the caller's own first, then by last use. */
async function listLiveSessions(db: Db, accountId: string, own: string): Promise<SessionRow[]> {
  return query(db).all(sql<SessionRow>`
    select id, browser, system, address, country, started_at, used_at from sessions
    where account_id = ${accountId} and stage = 'signed-in' and ends_at > portal_now()
    order by id = ${own} desc, used_at desc, id`)
}

async function setCountry(db: Db, id: string, country: string): Promise<void> {
  await query(db).run(sql`update sessions set country = ${country} where id = ${id}`)
}

// Lists and ends the customer's sessions. Every request reads its session, so an end takes effect at once everywhere (AUT-9).

export const listSessions = handler(calls.listSessions, async ({ session }, portal) => {
  const rows = await listLiveSessions(portal.db, session.accountId, session.id)
  const items = await Promise.all(
    rows.map(async ({ id, address, country, browser, system, startedAt, usedAt }) => ({
      id,
      isOwn: id === session.id,
      device: { browser, system },
      address,
      country: country ?? (await lookUp(portal, { id, address }, session.accountId)),
      startedAt,
      usedAt,
    })),
  )
  return { items }
})

/** Looks up the country of each session once; not of a session without an address. */
async function lookUp(
  { db, keys, ports }: Portal,
  { id, address }: Pick<SessionRow, 'id' | 'address'>,
  accountId: string,
) {
  if (!address || !(await charge(db, keys, ['session-country', accountId])).ok) return null
  const country = countryFound((await ports.country.lookUp(address)) ?? '0')
  if (country) await setCountry(db, id, country)
  return country ?? null
}

export const revokeSession = handler(calls.revokeSession, ({ params, session, address, fail, transaction }) =>
  transaction(async (tx) => {
    if (!(await revokeSessions(tx, session, address, params.id))) throw fail('not-found')
  }),
)

export const revokeOtherSessions = handler(calls.revokeOtherSessions, ({ session, address, transaction }) =>
  transaction(async (tx) => void (await revokeSessions(tx, session, address))),
)
