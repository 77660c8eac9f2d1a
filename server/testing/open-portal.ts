import { afterAll } from 'vitest'
import { openTestPortal } from './portal-nodes.ts'

let closeLast: (() => Promise<unknown>) | undefined

/**
 * Ends with the test file what it has opened while it was loaded, one thing for each file. Where a name filter skips all tests of a file,
 * vitest runs no `afterAll`; then the next file of the worker ends it.
 */
export async function closingWithFile<T>(open: () => Promise<T>, close: (opened: T) => Promise<unknown>): Promise<T> {
  await closeLast?.()
  const opened = await open()
  const closeOnce = () => {
    closeLast = undefined
    return close(opened)
  }
  closeLast = closeOnce
  afterAll(closeOnce)
  return opened
}

/** The portal of a test file, which ends with the file. */
export const openPortal = (options?: Parameters<typeof openTestPortal>[0]) =>
  closingWithFile(
    () => openTestPortal(options),
    (portal) => portal.close(),
  )
