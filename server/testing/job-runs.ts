import { expect } from 'vitest'
import type { Portal } from '../platform/portal.ts'
import type { TestPortal } from './portal-nodes.ts'

type Job = (portal: Portal, report: (error: unknown) => void) => Promise<unknown>

/** Runs a job on every node, twice at once; it must report no failure. */
export async function runOnAllNodes({ nodes }: Pick<TestPortal, 'nodes'>, job: Job) {
  const failures: unknown[] = []
  await Promise.all([...nodes, ...nodes].map(({ portal }) => job(portal, (error) => failures.push(error))))
  expect(failures).toEqual([])
}
