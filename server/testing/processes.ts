import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { limits } from '../../contract/limits.ts'
import type { HashCost } from '../password-hash.ts'
import type { Settings } from '../portal.ts'
import type { TestPortal } from './portal-nodes.ts'
import type { KillPoint } from './kill-point.ts'
import type { NodeProcess, Question } from './node-process.ts'

/** One more node on the portal's database, in a process of its own; its messages leave through the portal's outbox. */
export type TestProcess = Awaited<ReturnType<typeof openProcess>>

/** As `npm start` has it: processes that begin alike need not compile the same again. */
const compiled = join(import.meta.dirname, '../../node_modules/.cache/sygnet/compiled')

type ProcessOptions = {
  /** The process' clock is wrong by so much (R24, R94). */
  skewMs?: number
  /** It runs so many times as fast as it should. */
  speed?: number
  cost?: HashCost
  connections?: number
  settings?: Partial<Settings>
  /** The folder of the documents that the portal and its processes share. */
  documents?: string
  signing?: NodeProcess['signing']
  kill?: KillPoint
}

export async function openProcess(portal: TestPortal, options: ProcessOptions = {}) {
  const { hosts: _, ...settings } = portal.portal.settings
  const child = fork(new URL('./node-process.ts', import.meta.url), {
    env: { ...process.env, NODE_COMPILE_CACHE: compiled },
    execArgv: [],
    serialization: 'advanced',
  })
  const handed: NodeProcess = {
    skewMs: options.skewMs ?? 0,
    speed: options.speed ?? 1,
    databaseUrl: portal.databaseUrl,
    connections: options.connections ?? 10,
    masterKey: portal.masterKey,
    settings: { ...settings, ...options.settings },
    cost: options.cost ?? { memory: 64, passes: 1, lanes: 1 },
    documents: options.documents === undefined ? undefined : { folder: options.documents, trust: portal.trust },
    signing: options.signing,
    kill: options.kill,
  }
  child.send(handed)
  const [{ origin, clock }] = (await once(child, 'message')) as [{ origin: string; clock: number }]
  const gone = once(child, 'exit')
  return {
    origin,
    pid: child.pid!,
    gone,
    /** Milliseconds by which the node's clock is off. */
    skew: clock - Date.now(),
    ask(question: Question) {
      child.send(question)
      return new Promise<number>((resolve) => {
        const listen = ([to, answer]: [Question, number]) => {
          if (to !== question) return
          child.off('message', listen)
          resolve(answer)
        }
        child.on('message', listen)
      })
    },
    /** At once, in the middle of whatever it does. */
    async kill() {
      child.kill('SIGKILL')
      await gone
    },
    /** Asks for what ends the process at its point. */
    async strike(question: Question) {
      child.send(question)
      await gone
    },
    async close() {
      if (child.connected) child.disconnect()
      await gone
    },
  }
}

/** The portal as it is reached through processes: what is done through nodes is done by them. */
export const reachedThrough = (portal: TestPortal, processes: readonly { origin: string }[]): TestPortal => ({
  ...portal,
  nodes: processes.map(({ origin }) => ({ ...portal.nodes[0]!, origin })),
})

/** Settings under which the limits of one code stand out: nobody is stopped by the number of messages before. */
export const manySends = (perNumber: number): Partial<Settings> => ({
  sends: { perNumber, perAddress: 1_000_000 },
  sms: { sending: true, countries: ['PL'], perRange: limits.code.sendsPerRange * 100 },
})
