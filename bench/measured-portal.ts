import { openTestPortal, type TestPortal } from '../server/testing/portal-nodes.ts'
import { startTestPostgres } from '../server/testing/test-database.ts'

type PortalOptions = Parameters<typeof openTestPortal>[0]

/** Runs `work` with a test portal on its own PostgreSQL, and stops both afterwards. */
export async function withTestPortal<T>(options: PortalOptions, work: (portal: TestPortal) => Promise<T>): Promise<T> {
  const { url, stop } = await startTestPostgres()
  try {
    const portal = await openTestPortal({ ...options, postgres: url })
    try {
      return await work(portal)
    } finally {
      await portal.close()
    }
  } finally {
    await stop()
  }
}
