import { inBackground, type Db } from '../database/database.ts'
import type { Keys } from '../encryption/keys.ts'
import type { Alarm, Ports } from '../ports.ts'
import { charge } from '../rate-limits/rate-limits.ts'
import { addAuditEntry } from './audit.ts'

export type AlarmContext = { db: Db; keys: Keys; ports: Ports }

/**
 * Raises an alarm: an audit entry and a notification of the operator (R27, R28). The caller does not wait for it: the caller's
 * transaction may be rolled back, and its answer must not be delayed.
 */
export function raiseAlarm({ db, keys, ports }: AlarmContext, alarm: Alarm): void {
  const raised = inBackground(db, () =>
    db.transaction().execute(async (tx) => {
      const isFirst = (await charge(tx, keys, ['alarm', alarm.name, alarm.about])).ok
      if (isFirst) await addAuditEntry(tx, { action: 'alarm-raised', accountId: null, actor: 'system', details: alarm })
      return isFirst
    }),
  )
  raised.then(
    (isFirst) => isFirst && ports.alarms.raise(alarm),
    // The audit entry failed; the operator is notified anyway.
    () => ports.alarms.raise(alarm),
  )
}
