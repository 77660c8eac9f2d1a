import { expect } from 'vitest'
import type { TestPortal } from './portal-nodes.ts'

/** Waits until `count` statements wait for a lock, or until `isOver`, for a call that may be answered without waiting. */
export async function untilWaiting({ owner }: Pick<TestPortal, 'owner'>, count = 1, isOver = () => false) {
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const options = { interval: 10, message: 'statements that wait for a lock' }
  await expect
    .poll(async () => (isOver() ? count : (await owner.query(waiting)).rowCount), options)
    .toBeGreaterThanOrEqual(count)
}
