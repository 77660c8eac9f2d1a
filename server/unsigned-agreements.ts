import { sql } from 'kysely'
import { askAnew } from './agreement-signing.ts'
import { raiseAlarm } from './alarms.ts'
import { jobs } from './observed.ts'
import type { Portal } from './portal.ts'
import { findAnyRenewal } from './renewals.ts'

/** A service that is well signs within seconds. */
const longSeconds = 600

/**
 * Agreements that were signed by code and still have no signature: the operator is told while there is time to mend the
 * signing service. Where the outbox has given up, the customer is asked to sign anew, or the renewal would wait for ever (REN-10).
 */
export async function lookAfterSignatures(portal: Portal, report: (error: unknown) => void): Promise<void> {
  const { db, keys } = portal
  const { rows } = await sql<{ id: string; givenUp: boolean }>`
    select r.id, not exists (select from outbox o where o.id = r.signing_order and o.outcome is null) as "givenUp"
    from renewals r
    where r.state = 'authorised' and r.updated_at <= portal_now() - make_interval(secs => ${longSeconds})
    order by r.id limit 1000`.execute(db)
  if (rows.length) raiseAlarm(portal, { name: 'agreement-unsigned', about: 'signing service' })
  for (const { id } of rows.filter(({ givenUp }) => givenUp))
    await db
      .transaction()
      .execute(async (tx) => {
        const row = await findAnyRenewal(tx, keys, id)
        if (row?.state === 'authorised') await askAnew(tx, portal, row)
      })
      .catch(report)
}

/** Looks every ten minutes; every node does, and one of them asks. */
export function startLookingAfterSignatures(portal: Portal, report: (error: unknown) => void): { stop: () => void } {
  const look = () =>
    void jobs.do({ job: 'look-after-signatures' }, () => lookAfterSignatures(portal, report)).catch(report)
  const timer = setInterval(look, longSeconds * 1000)
  return { stop: () => clearInterval(timer) }
}
