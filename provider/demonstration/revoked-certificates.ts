import { PortalError } from '../portal-client.ts'

/** Whether what the portal has under an id is revoked: no other certificate can be put there any more (PRV-1). */
export async function isRevoked(filed: Promise<{ status: string }>): Promise<boolean> {
  try {
    return (await filed).status === 'revoked'
  } catch (error) {
    if (error instanceof PortalError && error.status === 404) return false
    throw error
  }
}
