import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { limits } from '../../contract/limits.ts'
import type { HashCost } from '../platform/authentication/password-hash.ts'
import type { Settings } from '../platform/settings.ts'
import type { TestPortal } from './portal-nodes.ts'
import type { KillPoint } from './faults/kill-point.ts'
import type { NodeProcess, NodeRequest } from './node-process.ts'

/** Another node on the portal's database, in its own process; the portal's outbox sends its messages. */
export type TestProcess = Awaited<ReturnType<typeof openProcess>>

/** The cache of `npm start`: processes that load the same modules do not compile them again. */
const compiled = join(import.meta.dirname, '../../node_modules/.cache/sygnet/compiled')

type ProcessOptions = {
  /** By how much the process's clock is wrong (R24, R94). */
  skewMs?: number
  /** How many times too fast the clock runs. */
  speed?: number
  cost?: HashCost
  /** The folder of the documents that the portal and its processes share. */
  documents?: string
  kill?: KillPoint
}

export async function openProcess(portal: TestPortal, options: ProcessOptions = {}) {
  const { hosts: _, ...settings } = portal.portal.settings
  const child = fork(new URL('./node-process.ts', import.meta.url), {
    env: { ...process.env, NODE_COMPILE_CACHE: compiled },
    execArgv: [],
    serialization: 'advanced',
  })
  const start: NodeProcess = {
    skewMs: options.skewMs ?? 0,
    speed: options.speed ?? 1,
    databaseUrl: portal.databaseUrl,
    masterKey: portal.masterKey,
    settings,
    cost: options.cost ?? { memory: 64, passes: 1, lanes: 1 },
    documents: options.documents === undefined ? undefined : { folder: options.documents, trust: portal.trust },
    kill: options.kill,
  }
  child.send(start)
  const [{ origin, clock }] = (await once(child, 'message')) as [{ origin: string; clock: number }]
  const gone = once(child, 'exit')
  return {
    origin,
    pid: child.pid!,
    /** Milliseconds by which the node's clock is off. */
    skew: clock - Date.now(),
    request(name: NodeRequest) {
      child.send(name)
      return new Promise<number>((resolve) => {
        const listen = ([answered, answer]: [NodeRequest, number]) => {
          if (answered !== name) return
          child.off('message', listen)
          resolve(answer)
        }
        child.on('message', listen)
      })
    },
    /** Kills it at once, in the middle of its work. */
    async kill() {
      child.kill('SIGKILL')
      await gone
    },
    async close() {
      if (child.connected) child.disconnect()
      await gone
    },
  }
}

/** The portal with processes in place of its nodes. */
export const reachedThrough = (portal: TestPortal, processes: readonly { origin: string }[]): TestPortal => ({
  ...portal,
  nodes: processes.map(({ origin }) => ({ ...portal.nodes[0]!, origin })),
})

/** Settings under which the limits of a code are reached before those of messages. */
export const manySends = (perNumber: number): Partial<Settings> => ({
  sends: { perNumber, perAddress: 1_000_000 },
  sms: { sending: true, countries: ['PL'], perRange: limits.code.sendsPerRange * 100 },
})
