import { spawn, type ChildProcess } from 'node:child_process'
import { createServer } from 'node:net'

export const freePort = () =>
  new Promise<number>((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })

/** Runs a command that serves the portal, and tells after how many seconds its first page answered. */
export async function startPortal(command: string, args: string[], options: { cwd: string; dataDirectory: string }) {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const started = performance.now()
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: { ...process.env, PORT: String(port), DATA_DIR: options.dataDirectory },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const noticed = notice(child)
  while (!(await answers(origin))) {
    if (child.exitCode !== null) throw new Error(`${command} ${args.join(' ')} ended with ${child.exitCode}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  const seconds = (performance.now() - started) / 1000
  return { origin, seconds, noticed, stop: () => stop(child) }
}

const answers = (origin: string) =>
  fetch(origin).then(
    (response) => response.ok,
    () => false,
  )

/** Resolves when the start has printed what it prints last. */
const notice = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    let text = ''
    child.stdout!.on('data', (chunk: Buffer) => {
      text += chunk
      if (text.includes('/demo/messages')) resolve()
    })
  })

const stop = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
