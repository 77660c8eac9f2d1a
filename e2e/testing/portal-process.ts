import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { freePort } from '../../server/testing/free-port.ts'

/** Runs a command that serves the portal, and measures the seconds until its first page is answered. */
export async function startPortal(command: string, args: string[], options: { cwd: string; dataDirectory: string }) {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const started = performance.now()
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: { ...process.env, PORT: String(port), DATA_DIR: options.dataDirectory },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const demonstrationReady = untilDemonstration(child)
  while (!(await answers(origin))) {
    if (child.exitCode !== null) throw new Error(`${command} ${args.join(' ')} ended with ${child.exitCode}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  const seconds = (performance.now() - started) / 1000
  async function stop() {
    child.kill('SIGTERM')
    await exited
  }
  return { origin, seconds, demonstrationReady, stop }
}

const answers = (origin: string) =>
  fetch(origin).then(
    (response) => response.ok,
    () => false,
  )

/** Resolves when the start has printed its last line, which it does once the demonstration is filled. */
const untilDemonstration = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    let text = ''
    child.stdout!.on('data', (chunk: Buffer) => {
      text += chunk
      if (text.includes('/demo/messages')) resolve()
    })
  })
