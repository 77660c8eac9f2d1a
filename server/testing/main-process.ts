import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
/** The cache of `npm start`: modules that are compiled already need not be compiled again. */
const compiled = join(root, 'node_modules/.cache/sygnet/compiled')

const running = new Set<ChildProcess>()

/** Ends what a test has left running. */
export function killStarted() {
  for (const child of running) child.kill('SIGKILL')
  running.clear()
}

/** Starts the portal as `npm start` does, and collects its output. */
export function startMain(environment: Record<string, string | undefined>) {
  const child = spawn(process.execPath, ['server/main.ts'], {
    cwd: root,
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: compiled, ...environment },
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
