import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

/** Writes SHA256SUMS, which `sha256sum --check` reads, of all files of a version, so also of those of another platform. */
export async function writeSums(folder: string, version: string): Promise<string> {
  const names = readdirSync(folder).filter((name) => name.startsWith(`sygnet-${version}-`))
  const lines: string[] = []
  for (const name of names.toSorted()) lines.push(`${await sha256Of(join(folder, name))}  ${name}\n`)
  const file = join(folder, 'SHA256SUMS')
  writeFileSync(file, lines.join(''))
  // That of other sums.
  rmSync(`${file}.minisig`, { force: true })
  return file
}

/** Signs a file with minisign, which asks for the password of the key, if it has one. The signature is in `FILE.minisig`. */
export function sign(file: string, keyFile: string, comment: string): void {
  const { status, error } = spawnSync('minisign', ['-S', '-s', keyFile, '-m', file, '-t', comment], {
    stdio: ['inherit', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error(`minisign could not sign${error ? `: ${error.message}` : ` (${status}).`}`)
}
