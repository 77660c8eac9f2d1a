import { Piscina } from 'piscina'
import pg from 'pg'
import { onTestFinished, vi } from 'vitest'
import type { WorkerTask } from '../platform/authentication/password-hash.ts'

/**
 * Records the work of the nodes until the test ends: every database statement, and every hash with its parameters and the length
 * of the password. This way work can be compared without a clock.
 */
export function watchWork() {
  const statements: string[] = []
  const hashes: { setting: string; length: number }[] = []
  const query = vi.spyOn(pg.Client.prototype, 'query')
  const run = vi.spyOn(Piscina.prototype, 'run')
  onTestFinished(() => {
    query.mockRestore()
    run.mockRestore()
  })
  /** The work since the last call. */
  return function take() {
    for (const [first] of query.mock.calls as unknown as [string | { text: string }][])
      statements.push(typeof first === 'string' ? first : first.text)
    for (const [{ password, salt, cost }] of run.mock.calls as unknown as [WorkerTask][])
      hashes.push({
        setting: `${salt ? 'check' : 'new'} ${JSON.stringify(cost)}`,
        length: password.length,
      })
    query.mockClear()
    run.mockClear()
    return { statements: statements.splice(0), hashes: hashes.splice(0) }
  }
}
