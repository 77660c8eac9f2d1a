import { openPortal } from './open-portal.ts'
import { openTestProvider } from './provider.ts'

/** The portal of a test file, with a provider. */
export async function openPortalWithProvider(options?: Parameters<typeof openPortal>[0]) {
  const portal = await openPortal(options)
  return { portal, provider: await openTestProvider(portal) }
}
