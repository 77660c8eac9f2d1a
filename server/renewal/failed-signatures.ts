import { requestSignatureAgain } from './agreement-signing.ts'
import { raiseAlarm } from '../platform/audit/alarms.ts'
import type { Portal } from '../platform/portal.ts'
import { findAnyRenewal } from './renewal-row-store.ts'
import { listUnsigned } from './renewal-store.ts'

/** A service that works signs within seconds. */
const longSeconds = 600

/**
 * Agreements that were signed by code and still have no signature: an alarm notifies the operator while there is time to
 * repair the signing service. Where the message failed permanently, the customer is asked to sign again, or the renewal would
 * wait forever (REN-10).
 */
export async function retryFailedSignatures(portal: Portal, report: (error: unknown) => void): Promise<void> {
  const { db, keys } = portal
  const unsigned = await listUnsigned(db, longSeconds)
  if (unsigned.length) raiseAlarm(portal, { name: 'agreement-unsigned', about: 'signing service' })
  for (const { id } of unsigned.filter(({ isAbandoned }) => isAbandoned))
    await db
      .transaction()
      .execute(async (tx) => {
        const row = await findAnyRenewal(tx, keys, id)
        if (row?.state === 'authorised') await requestSignatureAgain(tx, portal, row)
      })
      .catch(report)
}
