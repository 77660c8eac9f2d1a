import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

export async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

/** Returns those of the files whose bytes differ between the two folders. */
export async function findDifferingFiles(names: readonly string[], ...folders: [string, string]): Promise<string[]> {
  const pairs = await Promise.all(
    names.map(async (name) => {
      const [first, second] = await Promise.all(folders.map((folder) => hashFile(join(folder, name))))
      return first === second ? [] : [name]
    }),
  )
  return pairs.flat()
}

/**
 * Writes SHA256SUMS, which `sha256sum --check` reads, of these files. `source` is their version and commit: it keeps the sums of files of
 * another platform that were made from the same, and nothing else that is in the folder.
 */
export async function writeSums(folder: string, names: readonly string[], source: string): Promise<string> {
  const file = join(folder, 'SHA256SUMS')
  // sha256sum ignores such lines.
  const first = `# ${source}`
  const [known, ...others] = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []
  const sums = new Map<string, string>()
  for (const line of known === first ? others : []) {
    const [sum = '', name = ''] = line.split('  ')
    if (names.includes(name)) continue
    if ((await hashFile(join(folder, name))) !== sum) throw new Error(`${name} was changed after it was made.`)
    sums.set(name, sum)
  }
  for (const name of names) sums.set(name, await hashFile(join(folder, name)))
  const lines = [...sums]
    .map(([name, sum]) => `${sum}  ${name}`)
    .toSorted((a, b) => (a.slice(64) < b.slice(64) ? -1 : 1))
  writeFileSync(file, [first, ...lines, ''].join('\n'))
  // A signature left there is one of other sums.
  rmSync(`${file}.minisig`, { force: true })
  return file
}

/** Returns the reason why minisign could not sign with a key, as far as that can be known before a build. */
export function signingFault(keyFile: string): string | undefined {
  if (spawnSync('minisign', ['-v']).error) return 'minisign, which signs, is not installed.'
  if (!existsSync(keyFile)) return `There is no key ${keyFile}.`
  // The first line of its format is a comment.
  if (!readFileSync(keyFile, 'utf8').startsWith('untrusted comment: ')) return `${keyFile} is not a key of minisign.`
  return undefined
}

/** Signs a file with minisign, which asks for the password of the key, if it has one. The signature is in `FILE.minisig`. */
export function sign(file: string, keyFile: string, comment: string): void {
  const { status, error } = spawnSync('minisign', ['-S', '-s', keyFile, '-m', file, '-t', comment], {
    stdio: ['inherit', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error(`minisign could not sign${error ? `: ${error.message}` : ` (${status}).`}`)
}

/** Returns the lines of the changelog that no release contains yet. */
function unreleased(changelog: string): string[] {
  const part = changelog.split('\n## ').find((text) => text.startsWith('Unreleased\n')) ?? ''
  return part.split('\n').filter((line) => line.startsWith('- '))
}

/**
 * Returns the version of a commit's release: that of package.json, which must be the newest in the changelog, with nothing after it. A
 * preview contains everything since then, and has its own version, which comes after that one and before the next (semver 2.0).
 */
export function releaseVersion(
  { version, changelog, commit }: { version: string; changelog: string; commit: string },
  isPreview: boolean,
): string {
  if (isPreview) {
    const [major, minor] = version.split('.', 2)
    return `${major}.${Number(minor) + 1}.0-preview-${commit.slice(0, 8)}`
  }
  const lines = unreleased(changelog)
  if (lines.length)
    throw new Error(
      `CHANGELOG.md has ${lines.length} unreleased lines: give them a version (docs/guides/release.md), or add --preview.`,
    )
  const newest = /^## (\d\S*)/m.exec(changelog)?.[1]
  if (newest !== version)
    throw new Error(`The newest version in CHANGELOG.md is ${newest}, and that of package.json is ${version}.`)
  return version
}
