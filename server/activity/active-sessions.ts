import * as calls from '../../contract/active-sessions.ts'
import { countryFound } from '../../contract/country.ts'
import { charge } from '../platform/rate-limits/rate-limits.ts'
import { handler } from '../platform/http/http.ts'
import type { Portal } from '../platform/portal.ts'
import { revokeSessions } from '../platform/authentication/session.ts'
import { listLiveSessions, setCountry, type SessionRow } from './session-store.ts'

// AUT-9: lists and ends the customer's sessions. Every request reads its session, so an end takes effect at once everywhere.

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

/** Each session is looked up once; a session without an address is not. */
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
