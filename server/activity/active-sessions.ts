import type { FastifyInstance } from 'fastify'
import { listSessions, revokeOtherSessions, revokeSession } from '../../contract/active-sessions.ts'
import { countryFound } from '../../contract/country.ts'
import { limits } from '../../contract/limits.ts'
import { spend, type Budget } from '../budgets.ts'
import { serve } from '../http.ts'
import type { Portal } from '../portal.ts'
import { revokeSessions } from '../session.ts'
import { keepCountry, sessionsOf, type SessionRow } from './session-queries.ts'

/** Each lookup asks an outside service. */
const lookups: Budget = { name: 'session-country', ...limits.phone.lookups }

/** AUT-9: where the customer is signed in, and the end of any of it. Every request reads its session, so an end acts at once everywhere. */
export function serveActiveSessions(app: FastifyInstance, portal: Portal): void {
  const { db, keys, ports } = portal

  serve(app, portal, listSessions, async ({ session }) => {
    const rows = await sessionsOf(db, session.accountId, session.id)
    const items = await Promise.all(
      rows.map(async ({ address, country, browser, system, startedAt, usedAt, ...row }) => ({
        id: row.id,
        isOwn: row.id === session.id,
        device: { browser, system },
        address,
        country: country ?? (await lookUp({ id: row.id, address }, session.accountId)),
        startedAt: startedAt.toISOString(),
        usedAt: usedAt.toISOString(),
      })),
    )
    return { items }
  })

  /** Once a session, as far as the service knows; without one nobody is asked. */
  async function lookUp({ id, address }: Pick<SessionRow, 'id' | 'address'>, accountId: string) {
    if (!address || !(await spend(db, keys, lookups, accountId)).ok) return null
    const country = countryFound((await ports.country.lookUp(address)) ?? '0')
    if (country) await keepCountry(db, id, country)
    return country ?? null
  }

  serve(app, portal, revokeSession, ({ params, session, address, fail }) =>
    db.transaction().execute(async (tx) => {
      if (!(await revokeSessions(tx, session, address, params.id))) throw fail('not-found')
    }),
  )

  serve(app, portal, revokeOtherSessions, ({ session, address }) =>
    db.transaction().execute(async (tx) => void (await revokeSessions(tx, session, address))),
  )
}
