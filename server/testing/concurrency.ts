import pg from 'pg'
import { Piscina } from 'piscina'
import { expect, onTestFinished, vi } from 'vitest'
import { signIn } from '../../contract/account.ts'
import type { WorkerTask } from '../platform/authentication/password-hash.ts'
import type { Portal } from '../platform/portal.ts'
import type { TestPortal } from './portal-nodes.ts'

/** Waits until `count` statements wait for a lock, or until `isOver`, for a call that may be answered without waiting. */
export async function untilWaiting({ owner }: Pick<TestPortal, 'owner'>, count = 1, isOver = () => false) {
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const options = { interval: 10, message: 'statements that wait for a lock' }
  await expect
    .poll(async () => (isOver() ? count : (await owner.query(waiting)).rowCount), options)
    .toBeGreaterThanOrEqual(count)
}

type Statement = string | [text: string, values: unknown[]]

/**
 * Starts calls that wait for a lock, which a transaction of another session holds; returns their answers. The transaction ends, after a
 * `change` if given, once `count` statements wait, or all calls are answered.
 */
export async function runBehindLock<T>(
  { owner }: Pick<TestPortal, 'owner'>,
  lock: Statement,
  start: () => Promise<T>,
  { count = 1, change }: { count?: number; change?: Statement } = {},
): Promise<T> {
  const holder = await owner.connect()
  const run = (statement: Statement) =>
    typeof statement === 'string' ? holder.query(statement) : holder.query(...statement)
  try {
    await holder.query('begin')
    await run(lock)
    let isAnswered = false
    const started = start().finally(() => (isAnswered = true))
    await untilWaiting({ owner }, count, () => isAnswered)
    if (change) await run(change)
    await holder.query('commit')
    return await started
  } finally {
    holder.release(true)
  }
}

/** Signs in, and hangs up while the request waits for a lock, until the end of the test. */
export async function abandonSignIn({ owner, origin }: Pick<TestPortal, 'owner' | 'origin'>) {
  const holder = await owner.connect()
  onTestFinished(() => holder.release(true))
  await holder.query('begin; lock table rate_limits in share row exclusive mode')
  const client = new AbortController()
  const answer = fetch(origin + signIn.path, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ login: 'nobody', password: 'Zle-Haslo-2026!', botProof: 'proof' }),
    signal: client.signal,
  })
  await untilWaiting({ owner })
  client.abort()
  await expect(answer).rejects.toThrow('aborted')
}

type Job = (portal: Portal, report: (error: unknown) => void) => Promise<unknown>

/** Runs a job on every node, twice at once; it must report no failure. */
export async function runOnAllNodes({ nodes }: Pick<TestPortal, 'nodes'>, job: Job) {
  const failures: unknown[] = []
  await Promise.all([...nodes, ...nodes].map(({ portal }) => job(portal, (error) => failures.push(error))))
  expect(failures).toEqual([])
}

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
  /** Returns the work since the last call. */
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
