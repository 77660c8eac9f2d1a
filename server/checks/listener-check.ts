import { resolve } from 'node:path'
import type { Configuration } from '../platform/configuration/configuration.ts'
import { inspectDataDirectory, lockOwner } from '../platform/configuration/data-directory.ts'
import { listenersOf, PortTaken, requireFreePort } from '../platform/configuration/listeners.ts'
import { StartupError } from '../platform/configuration/startup-error.ts'
import { failed, notTested, ok, type Check } from './check.ts'

/** Listens for a moment on each address and port of the configuration. */
export const listenerCheck = (configuration: Configuration): Check => ({
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
