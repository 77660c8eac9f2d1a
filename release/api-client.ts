import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Endpoint } from '../contract/endpoint.ts'
import { providerApi } from '../server/platform/openapi/openapi.ts'

const root = join(import.meta.dirname, '..')

/** Returns the API document of a portal without its own brand and address, as `GET /api/openapi.json` returns it. */
export async function readNeutralDocument() {
  const files = globSync('contract/**/*.ts', { cwd: root, exclude: (path) => path.endsWith('.test.ts') }).toSorted()
  const modules = await Promise.all(files.map((file) => import(join(root, file)) as Promise<Record<string, unknown>>))
  const endpoints = modules.flatMap((module) => Object.values(module).filter(isEndpoint))
  const brand = { product: 'Sygnet', company: 'The provider', email: 'portal@portal.example' }
  return providerApi(endpoints, { publicUrl: 'https://portal.example', brand })
}

const isEndpoint = (value: unknown): value is Endpoint =>
  value instanceof Object && 'method' in value && 'path' in value && 'access' in value

/** Writes the client in TypeScript, a single file without dependencies, that Redocly makes of the document (API-5). */
export async function writeApiClient(file: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sygnet-client-'))
  try {
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify(await readNeutralDocument()))
    const program = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js')
    const options = ['--output', file, '--error-mode', 'result', '--import-ext', 'ts']
    execFileSync(process.execPath, [program, 'generate-client', 'openapi.json', ...options], {
      cwd: folder,
      // Neither telemetry nor a question for updates.
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

// `node release/api-client.ts FILE` writes it from the checkout that this file is in.
if (import.meta.main) await writeApiClient(process.argv[2]!)
