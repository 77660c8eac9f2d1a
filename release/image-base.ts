import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sha256Of } from './sums.ts'

/** What Node needs besides itself, the licences of these libraries, and the name of the system, by which scanners find advisories. */
const debianPackages = ['libc6', 'libgcc-s1', 'libstdc++6', 'libatomic1', 'gcc-12-base', 'base-files'] as const
/** By platform, as Debian and OCI call them. */
export const architectures: Record<string, string> = { 'linux-x64': 'amd64', 'linux-arm64': 'arm64' }
/** What to do before apt can download the libraries for a platform: it knows packages of these architectures of Debian only. */
export function architectureFault(platform: string, known: readonly string[]): string | undefined {
  const architecture = architectures[platform]!
  if (known.includes(architecture)) return undefined
  return `The image for ${platform} needs packages of ${architecture}: dpkg --add-architecture ${architecture} && apt-get update`
}

/** The architectures whose packages apt knows on this machine. */
export const knownArchitectures = (): string[] =>
  ['--print-architecture', '--print-foreign-architectures'].flatMap((option) =>
    execFileSync('dpkg', [option], { encoding: 'utf8' }).split('\n').filter(Boolean),
  )

/** Such as `debian-12`: the system whose packages apt downloads. */
export function debianRelease(): string {
  const fields = new Map(
    readFileSync('/etc/os-release', 'utf8')
      .split('\n')
      .map((line) => line.split('=', 2) as [string, string]),
  )
  return `${fields.get('ID')}-${fields.get('VERSION_ID')?.replaceAll('"', '')}`
}

/** It owns nothing but the data folder. */
export const user = 10_001

export type DebianPackage = { name: string; version: string; architecture: string; sha256: string }

/** Makes a file system from packages that apt downloads, which checks Debian's signature. Returns the packages. */
export async function makeBase(base: string, downloads: string, platform: string): Promise<DebianPackage[]> {
  const architecture = architectures[platform]
  if (!architecture) throw new Error(`There is no image for ${platform}.`)
  mkdirSync(downloads, { recursive: true })
  execFileSync('apt-get', ['download', '-qq', ...debianPackages.map((name) => `${name}:${architecture}`)], {
    cwd: downloads,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  writeSystemFiles(base)
  return unpackBase(base, downloads)
}

/** Unpacks what an image needs of the downloaded packages: libraries, licences, the name of the system, and which packages these are. */
async function unpackBase(base: string, downloads: string): Promise<DebianPackage[]> {
  const files = globSync('*.deb', { cwd: downloads })
    .toSorted()
    .map((name) => join(downloads, name))
  const unpacked = join(downloads, 'unpacked')
  for (const file of files) execFileSync('dpkg-deb', ['--extract', file, unpacked])
  const packages = await Promise.all(files.map(readPackage))
  const wanted = [
    // The path of the loader, which programs name, and the libraries, wherever this Debian has them.
    '{,usr/}lib/*-linux-gnu*/*.so*',
    '{,usr/}lib64/*',
    '{,usr/}lib/ld-linux-*',
    '{etc,usr/lib}/os-release',
    // What the licences of the packages refer to.
    'usr/share/common-licenses/*',
  ]
  for (const path of globSync(wanted, { cwd: unpacked })) {
    mkdirSync(dirname(join(base, path)), { recursive: true })
    cpSync(join(unpacked, path), join(base, path), { recursive: true, verbatimSymlinks: true })
  }
  for (const [i, { name }] of packages.entries()) {
    // Packages of one source share a file, by links from one to another.
    const licence = join('usr/share/doc', name, 'copyright')
    mkdirSync(dirname(join(base, licence)), { recursive: true })
    writeFileSync(join(base, licence), readFileSync(join(unpacked, licence)))
    // Where scanners look for packages in an image without a package manager.
    const status = join(base, 'var/lib/dpkg/status.d', name)
    mkdirSync(dirname(status), { recursive: true })
    writeFileSync(status, execFileSync('dpkg-deb', ['--field', files[i]!]))
  }
  return packages
}

async function readPackage(file: string): Promise<DebianPackage> {
  const fields = ['Package', 'Version', 'Architecture']
  const format = fields.map((field) => `\${${field}}\n`).join('')
  const shown = execFileSync('dpkg-deb', ['--show', `--showformat=${format}`, file], { encoding: 'utf8' })
  const [name, version, architecture] = shown.split('\n') as [string, string, string]
  return { name, version, architecture, sha256: await sha256Of(file) }
}

function writeSystemFiles(base: string) {
  for (const path of ['etc/sygnet', 'opt', 'tmp', 'var/lib']) mkdirSync(join(base, path), { recursive: true })
  writeFileSync(join(base, 'etc/passwd'), `sygnet:x:${user}:${user}::/var/lib/sygnet:/nonexistent\n`)
  writeFileSync(join(base, 'etc/group'), `sygnet:x:${user}:\n`)
}
