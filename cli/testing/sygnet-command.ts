import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '../../server/platform/configuration/configuration-sources.ts'
import type { Settings } from '../../server/platform/settings.ts'
import { openTestPortal } from '../../server/testing/portal-nodes.ts'
import { runCommand } from '../run-command.ts'

type CommandResult = { code: number | null; out: string; err: string }

/** Runs the command in a process of its own, which tests can kill. */
function startCommand(args: readonly string[], env: Environment, cwd: string) {
  const compiled = join(import.meta.dirname, '../../node_modules/.cache/sygnet/compiled')
  const child = spawn(process.execPath, [join(import.meta.dirname, '../sygnet.ts'), ...args], {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: compiled, ...env },
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.err += text))
  const ended = new Promise<CommandResult>((resolve) => child.once('close', (code) => resolve({ code, ...output })))
  return { child, ended }
}

/** Runs the command in this process. `isTerminal`: as if on a terminal; `isStopped`: as if stopped by Ctrl+C at once. */
export async function runInProcess(
  args: readonly string[],
  environment: Environment,
  { isTerminal = false, isStopped = false } = {},
): Promise<CommandResult> {
  const output = { out: '', err: '' }
  const code = await runCommand(args, {
    environment,
    print: (text) => void (output.out += text),
    note: (text) => void (output.err += text),
    isTerminal,
    stopSignal: () => (isStopped ? AbortSignal.abort() : new AbortController().signal),
  })
  return { code, ...output }
}

/** Opens a portal, and a folder with its keys for the command. */
export async function openCommand(settings: Partial<Settings> = {}) {
  const portal = await openTestPortal({ nodes: 2, settings })
  const folder = mkdtempSync(join(tmpdir(), 'sygnet-command-'))
  const files = { master: join(folder, 'key-of-the-portal'), client: join(folder, 'client-key') }
  writeFileSync(files.master, portal.masterKey.toString('base64'))
  writeFileSync(files.client, `${portal.clientKey}\n`)
  const defaults: Environment = {
    DATABASE_URL: portal.databaseUrl,
    DATA_DIR: folder,
    MASTER_KEY_FILE: files.master,
    SYGNET_URL: portal.origin,
    SYGNET_KEY_FILE: files.client,
  }
  return {
    portal,
    folder,
    files,
    start: (args: readonly string[], over: Environment = {}) => startCommand(args, { ...defaults, ...over }, folder),
    sygnet: (args: readonly string[], over: Environment = {}, how: Parameters<typeof runInProcess>[2] = {}) =>
      runInProcess(args, { ...defaults, ...over }, how),
    async close() {
      await portal.close()
      rmSync(folder, { recursive: true })
    },
  }
}
