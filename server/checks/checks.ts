import { resolve } from 'node:path'
import { staffSignInByOidc } from '../adapters/staff-sign-in-oidc.ts'
import type { Configuration } from '../platform/configuration/configuration.ts'
import { inspectDataDirectory, lockOwner } from '../platform/configuration/data-directory.ts'
import { listenersOf, PortTaken, requireFreePort } from '../platform/configuration/listeners.ts'
import { StartupError } from '../platform/configuration/startup-error.ts'
import { type Check, checkAddress, failed, ok, withCause, notTested } from './check.ts'
import { databaseChecks } from './database-checks.ts'
import { documentCheck } from './document-check.ts'
import { messageChecks, type Recipients } from './message-checks.ts'
import { signingChecks } from './signing-checks.ts'

/** Returns checks of configured services that have no call without an effect: only their address is tested. */
const untestedChecks = ({
  appActivation,
  timestampPasswordUrl,
  caStatusUrl,
  countryLookupUrl,
  tracesUrl,
}: Configuration): Check[] =>
  [
    {
      name: 'app activation',
      key: 'APP_ACTIVATION_URL',
      url: appActivation.by === 'service' ? appActivation.url : undefined,
      text: 'has no call without an effect: activate an app of your own.',
    },
    {
      name: 'passwords',
      key: 'TIMESTAMP_PASSWORD_URL',
      url: timestampPasswordUrl,
      text: 'has no call without an effect: change the password of a timestamp account of your own.',
    },
    {
      name: 'certificate status',
      key: 'CA_STATUS_URL',
      url: caStatusUrl,
      text: 'has no call without an effect: suspend a certificate of your own, and end the suspension.',
    },
    {
      name: 'country lookup',
      key: 'COUNTRY_LOOKUP_URL',
      url: countryLookupUrl,
      text: 'is asked about addresses of visitors only: see whether phone fields begin with your country.',
    },
    {
      name: 'traces',
      key: 'TRACES_URL',
      url: tracesUrl,
      text: 'takes traces only: see whether the collector has some after the start.',
    },
  ].flatMap(({ name, key, url, text }) =>
    url === undefined ? [] : { name, run: () => checkAddress(key, url, `${key} ${text}`) },
  )

/** Returns the check of the OpenID provider at which the staff of the desk sign in (DSK-30); the demonstration has its own. */
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

/** Listens for a moment on each address and port of the configuration. */
const listenerCheck = (configuration: Configuration): Check => ({
  name: 'ports',
  async run() {
    const directory = resolve(configuration.dataDir ?? '.data')
    if (inspectDataDirectory(directory) === 'of another user')
      return notTested('Whether a port may be used differs by user: run this as the user of the portal.')
    const isRunning = lockOwner(directory) !== undefined
    const faults: string[] = []
    const inUse: string[] = []
    for (const listener of listenersOf(configuration))
      try {
        await requireFreePort(listener)
      } catch (error) {
        if (!(error instanceof StartupError)) throw error
        if (error instanceof PortTaken && isRunning) inUse.push(`${listener.port} (${listener.portKey})`)
        else faults.push(error.message)
      }
    if (faults.length) return failed(faults.join(' '))
    if (inUse.length)
      return notTested(
        `In use, presumably by the portal of this folder, which is running: port ${inUse.join(', port ')}.`,
      )
    return ok('The portal can listen on its addresses and ports.')
  },
})

/** Returns the checks of the configured services, in their order. They run one after another, so that each cause belongs to its check. */
export const createChecks = (configuration: Configuration, recipients: Recipients): Check[] => [
  listenerCheck(configuration),
  ...databaseChecks(configuration),
  ...messageChecks(configuration, recipients),
  documentCheck(configuration),
  ...signingChecks(configuration),
  ...deskCheck(configuration),
  ...untestedChecks(configuration),
]
