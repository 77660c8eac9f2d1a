import { staffSignInByOidc } from '../adapters/staff-sign-in-oidc.ts'
import type { Configuration } from '../platform/configuration/configuration.ts'
import { failed, ok, withCause, type Check } from './check.ts'

/** The OpenID provider at which the staff of the desk sign in (DSK-30); the demonstration has its own. */
export function deskCheck({ desk }: Configuration): Check[] {
  if (!desk?.provider) return []
  const signIn = staffSignInByOidc({ ...desk.provider, redirectUrl: `${desk.url}/desk/callback` })
  const service = { name: 'the OpenID provider', address: 'DESK_ISSUER' }
  return [
    {
      name: 'desk sign-in',
      async run() {
        const { answer, cause } = await withCause(service, () => signIn.check())
        if (answer === 'unreachable') return failed(cause)
        if (answer === 'suitable') return ok('The OpenID provider of the desk has what is needed.')
        return failed(`DESK_ISSUER cannot be used: the OpenID provider ${answer.unsuitable}.`)
      },
    },
  ]
}
