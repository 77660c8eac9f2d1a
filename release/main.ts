import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { copyRelease, nodeFault, maxArchive, requireSize, requireThatItStarts, packFolder } from './archive-files.ts'
import { createSbom } from './sbom.ts'
import { findDifferingFiles, sign, signingFault, writeSums, releaseVersion } from './sums.ts'

// Builds a release of the last commit: an archive, its SBOM, a client of the provider API, sums and a signature, each
// with the same bytes for the same commit, whatever else is in this folder (docs/guides/release.md).

const root = join(import.meta.dirname, '..')
const here = `${process.platform}-${process.arch}`
const usage = `Usage: npm run release -- [--platform linux-x64|linux-arm64] [--to FOLDER] [--key FILE] [--preview] [--twice]
docs/guides/release.md describes the options.`

function givenOptions() {
  try {
    return parseArgs({
      options: {
        platform: { type: 'string', default: here },
        to: { type: 'string', default: join(root, 'dist/release') },
        key: { type: 'string', default: process.env['RELEASE_KEY_FILE'] ?? '' },
        preview: { type: 'boolean', default: false },
        twice: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values
  } catch (error) {
    return stop(`${(error as Error).message}\n${usage}`, 2)
  }
}

function stop(message: string, exitCode = 1): never {
  process.stderr.write(`${message}\n`)
  process.exit(exitCode)
}

const note = (text: string) => process.stdout.write(`${text}\n`)
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`

await main()

async function main() {
  const { platform, to, key, preview, twice, help } = givenOptions()
  if (help) return note(usage)
  requireUsable(platform, key)
  const out = resolve(to)
  const commit = readCommit(preview)
  const folder = mkdtempSync(join(tmpdir(), 'sygnet-release-'))
  try {
    const source = checkOut(join(folder, 'source'))
    const files = await build({ folder, source, out, platform, preview }, commit)
    const sums = await writeSums(out, files, `Sygnet ${commit.version} ${commit.id}`)
    if (key) sign(sums, key, `Sygnet ${commit.version} ${platform} ${commit.id}`)
    else note('Not signed: name the key of minisign by --key or RELEASE_KEY_FILE.')
    for (const file of files) note(`${join(out, file)}: ${megabytes(statSync(join(out, file)).size)}`)
    if (twice) await requireSameAgain({ files, out, again: join(folder, 'again') }, { platform, preview })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function requireUsable(platform: string, key: string) {
  if (!['linux-x64', 'linux-arm64'].includes(platform))
    stop(`There are releases for linux-x64 and linux-arm64, not ${platform}.`, 2)
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    optionalDependencies: Record<string, string>
  }
  // Its gzip decides the bytes.
  const fault = nodeFault(process.versions.node, optionalDependencies)
  if (fault) stop(fault)
  const unsigned = key ? signingFault(key) : undefined
  if (unsigned) stop(unsigned)
}

/** The commit of a release. */
type Commit = {
  id: string
  /** The time of the commit, in seconds since 1970. */
  seconds: number
  version: string
}

function readCommit(preview: boolean): Commit {
  const id = git('rev-parse', 'HEAD')
  const seconds = Number(git('show', '--no-patch', '--format=%ct', 'HEAD'))
  if (git('status', '--porcelain', '--', 'release'))
    stop('Commit the changes of release/ first, which makes the release.')
  if (git('status', '--porcelain')) note('Changes that are not committed are not in the release.')
  const committed = (path: string) => git('show', `HEAD:${path}`)
  const { version: own } = JSON.parse(committed('package.json')) as { version: string }
  try {
    return {
      id,
      seconds,
      version: releaseVersion({ version: own, changelog: committed('CHANGELOG.md'), commit: id }, preview),
    }
  } catch (error) {
    return stop((error as Error).message)
  }
}

/** Writes the files of the last commit into a new folder, and returns it. */
function checkOut(source: string): string {
  mkdirSync(source)
  const committed = execFileSync('git', ['archive', '--format=tar', 'HEAD'], { cwd: root, maxBuffer: 2 ** 30 })
  execFileSync('tar', ['--extract', `--directory=${source}`], { input: committed })
  return source
}

type Build = { folder: string; source: string; out: string; platform: string; preview: boolean }

/** Builds the archive, its SBOM and the client into `out`, and returns their names. */
async function build(
  { folder, source, out, platform, preview }: Build,
  { seconds, version }: Commit,
): Promise<string[]> {
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, {
      cwd: source,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, SOURCE_DATE_EPOCH: String(seconds) },
    })
  if (preview) {
    run('npm', 'version', '--no-git-tag-version', version)
    tagImages(join(source, 'deploy/kubernetes/kustomization.yaml'), version)
  }
  note(`Installing the locked packages and building ${version} …`)
  run(process.execPath, 'tools/setup.mjs', 'build')
  mkdirSync(out, { recursive: true })
  // The same for every platform.
  const client = `sygnet-${version}-client.ts`
  run(process.execPath, 'release/api-client.ts', join(out, client))
  if (platform !== here) run('npm', ...installFor(platform))

  const name = `sygnet-${version}-${platform}`
  const [archive, bill] = [`${name}.tar.gz`, `${name}.sbom.cdx.json`]
  const tree = join(folder, name)
  const sbom = createSbom(source, copyRelease(source, tree, platform), seconds)
  writeFileSync(join(tree, 'sbom.cdx.json'), sbom)
  const size = requireSize(tree, maxArchive)
  if (platform === here) requireThatItStarts(tree)
  else note(`Not started, because this machine is ${here}.`)
  await packFolder(tree, join(out, archive), { prefix: name, seconds })
  writeFileSync(join(out, bill), sbom)
  note(`Unpacked: ${megabytes(size)}, of which Node ${megabytes(statSync(join(tree, 'bin/node')).size)}.`)
  return [archive, bill, client]
}

function tagImages(kustomization: string, version: string) {
  const text = readFileSync(kustomization, 'utf8')
  writeFileSync(
    kustomization,
    text.replace(/^( *newTag:) .*$/m, (_, name) => `${name} ${version}`),
  )
}

/** Returns the arguments by which npm installs the packages of another platform. */
function installFor(platform: string): string[] {
  const [os, cpu] = platform.split('-')
  const target = [`--os=${os}`, `--cpu=${cpu}`, '--libc=glibc']
  return ['ci', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', ...target]
}

/** Builds a second time and compares the bytes. */
async function requireSameAgain(
  { files, out, again }: { files: string[]; out: string; again: string },
  { platform, preview }: { platform: string; preview: boolean },
) {
  note('Building a second time …')
  const options = ['--platform', platform, '--to', again, ...(preview ? ['--preview'] : [])]
  execFileSync(process.execPath, [import.meta.filename, ...options], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, RELEASE_KEY_FILE: '' },
  })
  const others = await findDifferingFiles(files, out, again)
  if (others.length) throw new Error(`A second build has other bytes of ${others.join(', ')}.`)
  note('The second build has the same bytes.')
}
