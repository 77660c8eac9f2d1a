import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { progress } from '../bench/figures.ts'

const root = join(import.meta.dirname, '..')
/** What takes minutes to make, and is the same for the same commit. */
export const drillCache = join(root, 'node_modules/.cache/sygnet/drills')

export type DrillRelease = { folder: string; version: string; commit: string }

const git = (cwd: string, ...args: string[]) => execFileSync('git', args, { cwd, encoding: 'utf8' }).trim()
const versionIn = (folder: string) =>
  (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version

/** The releases of an earlier commit and of the last one, each made by its own `npm run release`, and the key that verifies them. */
export function makeReleases(earlier: string) {
  mkdirSync(drillCache, { recursive: true })
  const [key, publicKey] = [join(drillCache, 'release.key'), join(drillCache, 'release.pub')]
  if (!existsSync(publicKey)) execFileSync('minisign', ['-G', '-W', '-s', key, '-p', publicKey], { stdio: 'ignore' })
  const folder = mkdtempSync(join(tmpdir(), 'sygnet-earlier-'))
  try {
    const clone = join(folder, 'clone')
    git(root, 'clone', '--quiet', '--shared', root, clone)
    git(clone, 'checkout', '--quiet', earlier)
    const commit = git(clone, 'rev-parse', '--short', 'HEAD')
    // The two have the same number until one is published, and each needs a folder of its own.
    const version = `${versionIn(clone)}-before`
    execFileSync('npm', ['version', '--no-git-tag-version', version], { cwd: clone, stdio: 'ignore' })
    git(clone, '-c', 'user.name=drill', '-c', 'user.email=drill@portal.example', 'commit', '--quiet', '-am', version)
    return {
      publicKey,
      before: release(clone, key, { version, commit }),
      current: release(root, key, { version: versionIn(root), commit: git(root, 'rev-parse', '--short', 'HEAD') }),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function release(checkout: string, key: string, { version, commit }: Omit<DrillRelease, 'folder'>): DrillRelease {
  const folder = join(drillCache, `${version}-${commit}`)
  if (!existsSync(folder)) {
    progress(`making the release ${version} of ${commit} …`)
    const draft = `${folder}-draft`
    rmSync(draft, { recursive: true, force: true })
    execFileSync(process.execPath, ['release/main.ts', '--to', draft, '--key', key], { cwd: checkout, stdio: 'ignore' })
    renameSync(draft, folder)
  }
  return { folder, version, commit }
}
