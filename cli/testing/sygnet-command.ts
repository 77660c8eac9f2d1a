import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Settings } from '../../server/portal.ts'
import { openTestPortal } from '../../server/testing/portal-nodes.ts'
import { runCommand } from '../run-command.ts'
import type { Surroundings } from '../surroundings.ts'

type Ended = { code: number | null; out: string; err: string }

/** Runs the command in a process of its own, which can be ended on the way. */
function startCommand(words: readonly string[], env: Surroundings, cwd: string) {
  const compiled = join(import.meta.dirname, '../../node_modules/.cache/sygnet/compiled')
  const child = spawn(process.execPath, [join(import.meta.dirname, '../sygnet.ts'), ...words], {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: compiled, ...env },
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text))
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, ...said })))
  return { child, ended }
}

/** Runs it here: the same but for the start of a process. `isTerminal`: a person watches. */
export async function runHere(words: readonly string[], given: Surroundings, isTerminal = false): Promise<Ended> {
  const said = { out: '', err: '' }
  const code = await runCommand(words, {
    surroundings: given,
    print: (text) => void (said.out += text),
    note: (text) => void (said.err += text),
    isTerminal,
    stopped: new AbortController().signal,
  })
  return { code, ...said }
}

/** A portal, and a folder from which the command knows where it is and has its keys. */
export async function openCommand(settings: Partial<Settings> = {}) {
  const portal = await openTestPortal({ nodes: 2, settings })
  const folder = mkdtempSync(join(tmpdir(), 'sygnet-command-'))
  const files = { master: join(folder, 'key-of-the-portal'), client: join(folder, 'client-key') }
  writeFileSync(files.master, portal.masterKey.toString('base64'))
  writeFileSync(files.client, `${portal.clientKey}\n`)
  const surroundings: Surroundings = {
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
    start: (words: readonly string[], over: Surroundings = {}) =>
      startCommand(words, { ...surroundings, ...over }, folder),
    sygnet: (words: readonly string[], over: Surroundings = {}) => runHere(words, { ...surroundings, ...over }),
    watched: (words: readonly string[], over: Surroundings = {}) => runHere(words, { ...surroundings, ...over }, true),
    async close() {
      await portal.close()
      rmSync(folder, { recursive: true })
    },
  }
}
