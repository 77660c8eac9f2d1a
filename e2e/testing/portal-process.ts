import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser } from 'playwright-core'
import { freePort } from '../../server/testing/processes.ts'
import { browserPath } from '../../tools/installed-programs.mjs'
import { openMessages, type DemonstrationRun } from './demonstration-run.ts'

/** Starts the portal on an empty folder, and waits until it has filled the demonstration. */
async function startDemonstration(dataDirectory: string) {
  const port = await freePort()
  const child = spawn(process.execPath, ['server/main.ts'], {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDirectory },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const ended = exited.then(([code]) => Promise.reject(new Error(`The portal ended with ${code}`)))
  await Promise.race([untilDemonstration(child), ended])
  return {
    origin: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}

/** Resolves when the start has printed its last line, which it does once the demonstration is filled. */
const untilDemonstration = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    let text = ''
    child.stdout!.on('data', (chunk: Buffer) => {
      text += chunk
      if (text.includes('/demo/messages')) resolve()
    })
  })

/** Runs `work` with a filled demonstration in its own process, which ends afterwards. `folder`: for the caller's files. */
export async function withDemonstration<T>(work: (run: DemonstrationRun, folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'sygnet-demonstration-'))
  // The embedded PostgreSQL of a root runs as "nobody", who has to get to its data.
  chmodSync(folder, 0o755)
  try {
    const { origin, stop } = await startDemonstration(join(folder, 'data'))
    try {
      return await work({ origin, ...(await openMessages(origin)) }, folder)
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
