import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { progress } from '../bench/figures.ts'

const root = join(import.meta.dirname, '..')
/** What takes minutes to make, and is the same for the same commit. */
export const drillCache = join(root, 'node_modules/.cache/sygnet/drills')

export type DrillRelease = { folder: string; version: string; commit: string }

const git = (cwd: string, ...args: string[]) => execFileSync('git', args, { cwd, encoding: 'utf8' }).trim()
const versionIn = (folder: string) =>
  (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version

const migrations = 'server/platform/database/migrations'

/** The newest commit without the newest migration, so that an upgrade from it has one to apply. */
export function beforeNewestMigration(): string {
  const newest = git(root, 'ls-tree', '--name-only', 'HEAD', `${migrations}/`)
    .split('\n')
    .filter((path) => path.endsWith('.sql'))
    .at(-1)!
  const added = git(root, 'log', '-1', '--diff-filter=A', '--format=%H', '--', newest)
  return git(root, 'rev-parse', `${added}^`)
}

/** The migrations that the last commit has and an earlier one has not. */
const migrationsSince = (commit: string) =>
  git(root, 'diff', '--name-only', '--diff-filter=A', commit, 'HEAD', '--', migrations)
    .split('\n')
    .filter(Boolean)
    .map((path) => basename(path))

/** The releases of an earlier commit and of the last one, each made by its own `npm run release`, and the key that verifies them. */
export function makeReleases(earlier: string) {
  mkdirSync(drillCache, { recursive: true })
  const [key, publicKey] = [join(drillCache, 'release.key'), join(drillCache, 'release.pub')]
  if (!existsSync(publicKey)) execFileSync('minisign', ['-G', '-W', '-s', key, '-p', publicKey], { stdio: 'ignore' })
  const migrated = migrationsSince(earlier).join(', ') || 'none'
  progress(`The upgrade is from ${earlier.slice(0, 8)}, with these migrations: ${migrated}.`)
  return { publicKey, before: makeRelease(earlier, 'before', key), current: makeRelease('HEAD', 'current', key) }
}

/** Of a commit, with a version of its own, as the guide for releases makes one: both commits may be of the same version. */
function makeRelease(of: string, suffix: string, key: string): DrillRelease {
  const folder = mkdtempSync(join(tmpdir(), `sygnet-${suffix}-`))
  try {
    const clone = join(folder, 'clone')
    git(root, 'clone', '--quiet', '--shared', root, clone)
    git(clone, 'checkout', '--quiet', git(root, 'rev-parse', of))
    const commit = git(clone, 'rev-parse', '--short', 'HEAD')
    const version = `${versionIn(clone)}-${suffix}`
    execFileSync('npm', ['version', '--no-git-tag-version', version], { cwd: clone, stdio: 'ignore' })
    const changelog = join(clone, 'CHANGELOG.md')
    writeFileSync(changelog, readFileSync(changelog, 'utf8').replace(/^## Unreleased$/m, `## ${version}`))
    git(clone, '-c', 'user.name=drill', '-c', 'user.email=drill@portal.example', 'commit', '--quiet', '-am', version)
    return release(clone, key, { version, commit })
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
    // With the Node of that commit.
    execFileSync('npm', ['run', 'release', '--', '--to', draft, '--key', key], { cwd: checkout, stdio: 'ignore' })
    renameSync(draft, folder)
  }
  return { folder, version, commit }
}
