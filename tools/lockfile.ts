import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Manifest = {
  scripts?: Record<string, string>
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  bundleDependencies?: unknown
  bundledDependencies?: unknown
  overrides?: unknown
  workspaces?: unknown
  /** The packages whose install script is known, and whether it may run. */
  allowScripts?: Record<string, boolean>
}

type LockedPackage = Manifest & {
  version?: string
  resolved?: string
  integrity?: string
  link?: boolean
  inBundle?: boolean
  hasInstallScript?: boolean
}

export type Lock = { lockfileVersion: number; packages: Record<string, LockedPackage> }

const groups = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const

const installScripts = ['preinstall', 'install', 'postinstall', 'preprepare', 'prepare', 'postprepare', 'prepublish']

const exactVersion = /^\d+\.\d+\.\d+(-[\w.]+)?$/
/** Of a registry: a range or a tag. `github:a/b`, `a/b`, `git+ssh://…`, `https://…`, `file:…`, `npm:other@1` all have a colon or a slash. */
const outsideOfRegistry = /[:/]/
/** SHA-512 in base64. */
const integrity = /^sha512-[A-Za-z0-9+/]{86}==$/

const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

/**
 * Everything by which something unreviewed could get into an installation (R88). `installed` is npm's own record in
 * `node_modules/.package-lock.json` of what it verified and unpacked.
 */
export function lockfileProblems(manifest: Manifest, lock: Lock, installed: Lock): string[] {
  return [
    ...manifestProblems(manifest),
    ...rootProblems(manifest, lock),
    ...packageProblems(manifest, lock),
    ...installedProblems(lock, installed),
  ]
}

function manifestProblems(manifest: Manifest): string[] {
  const inexact = groups.flatMap((group) =>
    Object.entries(manifest[group] ?? {})
      .filter(([, version]) => !exactVersion.test(version))
      .map(([name, version]) => `package.json: ${name} is "${version}", not one exact version`),
  )
  const bypasses = (['overrides', 'workspaces', 'bundleDependencies', 'bundledDependencies'] as const).filter(
    (key) => manifest[key] !== undefined,
  )
  const scripts = installScripts.filter((name) => manifest.scripts?.[name] !== undefined)
  return [
    ...inexact,
    ...bypasses.map((key) => `package.json: ${key} goes around the lock`),
    ...scripts.map((name) => `package.json: ${name} would run on every installation`),
  ]
}

/** The lock was made for this package.json. */
function rootProblems(manifest: Manifest, lock: Lock): string[] {
  if (lock.lockfileVersion !== 3)
    return [`package-lock.json: version ${lock.lockfileVersion} is not the one that is checked here`]
  return groups.flatMap((group) => {
    const [wanted, locked] = [manifest[group] ?? {}, lock.packages['']?.[group] ?? {}]
    const names = new Set([...Object.keys(wanted), ...Object.keys(locked)])
    return [...names]
      .filter((name) => wanted[name] !== locked[name])
      .map((name) => `package-lock.json: ${name} differs from package.json`)
  })
}

function packageProblems({ allowScripts = {} }: Manifest, lock: Lock): string[] {
  const problems: string[] = []
  for (const [path, locked] of Object.entries(lock.packages)) {
    if (path === '') continue
    const name = nameOf(path)
    if (locked.link || locked.inBundle || !path.startsWith('node_modules/'))
      problems.push(`${path} does not come from a registry`)
    else if (!integrity.test(locked.integrity ?? '')) problems.push(`${path} has no SHA-512 hash`)
    if (locked.resolved !== undefined) problems.push(`${path} names the host it came from`)
    if (!exactVersion.test(locked.version ?? '')) problems.push(`${path} has no exact version`)
    if (locked.hasInstallScript && allowScripts[name] === undefined)
      problems.push(`${path} has an install script that nobody has looked at`)
    for (const group of groups)
      for (const [dependency, range] of Object.entries(locked[group] ?? {}))
        if (outsideOfRegistry.test(range)) problems.push(`${path} wants ${dependency} from "${range}"`)
  }
  return problems
}

/** npm refuses a package whose hash differs while it installs; this is for a lock that was changed afterwards. */
function installedProblems(lock: Lock, installed: Lock): string[] {
  return Object.entries(installed.packages)
    .filter(
      ([path, { version, integrity: hash }]) =>
        lock.packages[path]?.version !== version || lock.packages[path]?.integrity !== hash,
    )
    .map(([path]) => `${path} is installed with another version or hash than the lock says`)
}

/** The three files of the house at `root`. */
export function readLockfiles(root: string): { manifest: Manifest; lock: Lock; installed: Lock } {
  const read = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8')) as unknown
  return {
    manifest: read('package.json') as Manifest,
    lock: read('package-lock.json') as Lock,
    installed: read('node_modules/.package-lock.json') as Lock,
  }
}

if (import.meta.main) {
  const { manifest, lock, installed } = readLockfiles(join(import.meta.dirname, '..'))
  const problems = lockfileProblems(manifest, lock, installed)
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}
