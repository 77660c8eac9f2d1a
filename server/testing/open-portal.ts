import { afterAll } from 'vitest'
import { openTestPortal } from './portal-nodes.ts'

let closeLast: (() => Promise<unknown>) | undefined

/**
 * Closes what a test file has opened while it was loaded, one thing for each file. If a name filter skips all tests of a file,
 * vitest runs no `afterAll`; then the next file of the worker closes it.
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

/** Settings for tests that send more messages than one number or address may get. */
export const manySends = { sends: { perNumber: 1000, perAddress: 1000 } }
