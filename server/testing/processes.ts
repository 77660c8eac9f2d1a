import { fork, spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { limits } from '../../contract/limits.ts'
import type { HashCost } from '../platform/authentication/password-hash.ts'
import type { Settings } from '../platform/settings.ts'
import type { KillPoint } from './faults/kill-point.ts'
import type { NodeProcess, NodeRequest } from './node-process.ts'
import type { TestPortal } from './portal-nodes.ts'

/** Another node on the portal's database, in its own process; the portal's outbox sends its messages. */
export type TestProcess = Awaited<ReturnType<typeof openProcess>>

/** The cache of `npm start`: processes that load the same modules do not compile them again. */
const compiledModules = join(import.meta.dirname, '../../node_modules/.cache/sygnet/compiled')

type ProcessOptions = {
  /** The error of the process's clock in milliseconds (R24, R94). */
  skewMs?: number
  /** The factor by which the clock runs too fast. */
  speed?: number
  cost?: HashCost
  /** The folder of the documents that the portal and its processes share. */
  documents?: string
  kill?: KillPoint
}

export async function openProcess(portal: TestPortal, options: ProcessOptions = {}) {
  const { hosts: _, ...settings } = portal.portal.settings
  const child = fork(new URL('./node-process.ts', import.meta.url), {
    env: { ...process.env, NODE_COMPILE_CACHE: compiledModules },
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
    /** The milliseconds by which the node's clock is off. */
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

/** Returns the portal with processes in place of its nodes. */
export const reachedThrough = (portal: TestPortal, processes: readonly { origin: string }[]): TestPortal => ({
  ...portal,
  nodes: processes.map(({ origin }) => ({ ...portal.nodes[0]!, origin })),
})

/** Returns settings under which the limits of a code are reached before those of messages. */
export const manySends = (perNumber: number): Partial<Settings> => ({
  sends: { perNumber, perAddress: 1_000_000 },
  sms: { sending: true, countries: ['PL'], perRange: limits.code.sendsPerRange * 100 },
})

/** Lowest port to try. The range is below the system's ephemeral ports, and each worker starts at another port in it. */
const lowestPort = 20_000
const ports = 12_000
let tried = process.pid * 61

/** Finds a free port that no other test of this run takes before it is used. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = lowestPort + (tried++ % ports)
    const isFree = await new Promise<boolean>((resolve) => {
      const probe = createServer()
      probe.once('error', () => resolve(false))
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
    })
    if (isFree) return port
  }
}

/** Returns the settings of an operator in production, without the database, keys and data; messages reach nobody. */
export const operatorEnvironment = () => ({
  PATH: process.env['PATH'],
  DEMONSTRATION: 'off',
  PUBLIC_URL: 'https://portal.example',
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'portal@provider.example',
  SMS_GATEWAY: 'generic',
  SMS_URL: 'http://127.0.0.1:9/',
  SMS_TOKEN: randomBytes(16).toString('hex'),
  FEATURES_OFF: 'signing renewal file-signing file-check documents',
})

const running = new Set<ChildProcess>()

export function killStarted() {
  for (const child of running) child.kill('SIGKILL')
  running.clear()
}

/** Starts the portal as `npm start` does, and collects its output. */
export function startMain(environment: Record<string, string | undefined>) {
  const child = spawn(process.execPath, ['server/main.ts'], {
    cwd: join(import.meta.dirname, '../..'),
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: compiledModules, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let output = ''
  let ended: number | null | undefined
  const waiting = new Set<() => void>()
  const collect = (chunk: Buffer) => {
    output += chunk
    for (const look of waiting) look()
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  const exit = new Promise<number | null>((resolve) =>
    child.once('close', (code) => {
      ended = code
      running.delete(child)
      for (const look of waiting) look()
      resolve(code)
    }),
  )
  return {
    child,
    exit,
    output: () => output,
    /** Resolves once the output has the text; fails when the process ends without it. */
    until: (text: string) =>
      new Promise<void>((resolve, reject) => {
        const look = () => {
          if (output.includes(text)) resolve()
          else if (ended !== undefined) reject(new Error(`It ended with ${ended}: ${output}`))
          else return
          waiting.delete(look)
        }
        waiting.add(look)
        look()
      }),
  }
}
