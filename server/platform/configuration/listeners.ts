import { createServer } from 'node:net'
import type { Configuration } from './configuration.ts'
import { ConfigurationError, StartupError } from './startup-error.ts'

/** An address on which the portal listens, and the keys of its port and host. */
type Listener = { portKey: string; port: number; hostKey: string; host: string }

export const listenersOf = ({ port, host, metricsPort, metricsHost, desk }: Configuration): Listener[] => [
  { portKey: 'PORT', port, hostKey: 'HOST', host },
  ...(metricsPort === undefined
    ? []
    : [{ portKey: 'METRICS_PORT', port: metricsPort, hostKey: 'METRICS_HOST', host: metricsHost }]),
  ...(desk ? [{ portKey: 'DESK_PORT', port: desk.port, hostKey: 'DESK_ADDRESS', host: desk.host }] : []),
]

/** The error of a port on which another program listens, which may end by itself. */
export class PortTaken extends StartupError {}

export const requireFreePort = (listener: Listener) =>
  new Promise<void>((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => reject(portError(listener, error)))
    probe.listen(listener.port, listener.host, () => probe.close(() => resolve()))
  })

/** Returns the error that tells the operator why the portal cannot listen on a port. */
function portError({ portKey, port, hostKey, host }: Listener, error: NodeJS.ErrnoException): Error {
  if (error.code === 'EADDRINUSE')
    return new PortTaken(
      `The port ${port} of ${portKey} is taken: another program listens on it. Stop that program, or set ${portKey} to another port.`,
    )
  if (error.code === 'EACCES')
    return new ConfigurationError(
      `The port ${port} of ${portKey} may not be used by this user: set ${portKey} to one above 1023.`,
    )
  if (['EADDRNOTAVAIL', 'EINVAL', 'EAFNOSUPPORT'].includes(error.code ?? ''))
    return new ConfigurationError(
      `${host} is not an address of this machine: set ${hostKey} to one that is, or to 0.0.0.0 for all.`,
    )
  return error
}
