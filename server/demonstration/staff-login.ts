import { ConfigurationError } from '../platform/configuration/startup-error.ts'

/**
 * Opens the OpenID provider of the demonstration and returns it as the desk's settings (DSK-7). Releases do not have its library, which
 * only the demonstration needs.
 */
export async function openStaffLogin(deskUrl: string) {
  const { openStaffProvider, staffAcr, staffGroups } =
    await import('../../provider/staff-login/staff-provider.ts').catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
      throw new ConfigurationError(
        'This release has no OpenID provider for the desk of a demonstration: set DESK_ISSUER.',
      )
    })
  return { ...(await openStaffProvider(deskUrl)), groups: staffGroups, acr: [staffAcr] }
}
