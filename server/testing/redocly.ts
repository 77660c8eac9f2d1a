import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'

const program = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js')

/** Runs Redocly without its telemetry and its question for updates, since tests send nothing elsewhere; returns what it printed. */
export async function redocly(args: readonly string[], directory: string): Promise<string> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const options = { cwd: directory, env, maxBuffer: 64 * 1024 * 1024 }
  const ran = await promisify(execFile)(process.execPath, [program, ...args], options).catch(
    (failed: { stdout: string; stderr: string }) => failed,
  )
  return ran.stdout || ran.stderr
}
