import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser } from 'playwright-core'
import { freePort } from '../../server/testing/free-port.ts'
import { browserPath } from '../../tools/installed-programs.mjs'
import { messagesOf, type DemonstrationRun } from './demonstration-run.ts'

/** After this time a start has failed: one with an installation and a build takes a minute. */
const timeoutMs = 300_000

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
  const failed = (how: string) => new Error(`${command} ${args.join(' ')} ${how}`)
  const ended = exited.then(([code]) => Promise.reject(failed(`ended with ${code}`)))
  const demonstrationReady = Promise.race([untilDemonstration(child), ended])
  // Only for those who wait for it.
  demonstrationReady.catch(() => undefined)
  async function stop() {
    child.kill('SIGTERM')
    await exited
  }
  while (!(await answers(origin))) {
    if (child.exitCode !== null) throw failed(`ended with ${child.exitCode}`)
    if (performance.now() - started > timeoutMs) {
      await stop()
      throw failed('was never answered')
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  const seconds = (performance.now() - started) / 1000
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

/** A filled demonstration in its own process, for as long as `work` takes. `folder`: for the caller's files. */
export async function withDemonstration<T>(work: (run: DemonstrationRun, folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'sygnet-demonstration-'))
  // The embedded PostgreSQL of a root runs as "nobody", who has to get to its data.
  chmodSync(folder, 0o755)
  try {
    const { origin, demonstrationReady, stop } = await startPortal(process.execPath, ['server/main.ts'], {
      cwd: join(import.meta.dirname, '../..'),
      dataDirectory: join(folder, 'data'),
    })
    try {
      await demonstrationReady
      return await work({ origin, ...(await messagesOf(origin)) }, folder)
    } finally {
      await stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export async function withBrowser<T>(work: (browser: Browser) => Promise<T>): Promise<T> {
  const browser = await chromium.launch({ executablePath: browserPath()!, args: ['--no-sandbox'] })
  try {
    return await work(browser)
  } finally {
    await browser.close()
  }
}
