import { record } from './audit.ts'
import { spend, type Budget } from './budgets.ts'
import { inBackground } from './db.ts'
import type { Portal } from './portal.ts'
import type { Alarm } from './ports/ports.ts'

/** An attack that goes on is one alarm an hour, or the alarms themselves would be a flood. */
const alarms: Budget = { name: 'alarm', limit: 1, window: 3600 }

/**
 * Raises an alarm: a record of the audit trail and a word to the operator (R27, R28). Nobody waits for it: it may be raised
 * inside of a transaction that is about to be rolled back, and must hold up no answer.
 */
export function raiseAlarm(portal: Portal, alarm: Alarm): void {
  const { db, keys, ports } = portal
  const raised = inBackground(db, () =>
    db.transaction().execute(async (tx) => {
      const isFirst = (await spend(tx, keys, alarms, alarm.name, alarm.about)).ok
      if (isFirst) await record(tx, { act: 'alarm-raised', accountId: null, actor: 'system', details: alarm })
      return isFirst
    }),
  )
  raised.then(
    (isFirst) => isFirst && ports.alarms.raise(alarm),
    // The record failed; the operator is told all the same.
    () => ports.alarms.raise(alarm),
  )
}
