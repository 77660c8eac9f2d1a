import { afterAll } from 'vitest'
import { openTestPortal } from './portal-nodes.ts'

/** The portal of a test file, which ends with the file. */
export async function openPortal(options?: Parameters<typeof openTestPortal>[0]) {
  const portal = await openTestPortal(options)
  afterAll(() => portal.close())
  return portal
}
