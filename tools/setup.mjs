// Runs on the Node that starts npm: installs the dependencies (including the pinned Node), then builds or installs the browser.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { browserPath, isInstalled } from './installed-programs.mjs'

const windows = process.platform === 'win32'
const node = windows ? 'node_modules\\.bin\\node.cmd' : 'node_modules/.bin/node'

function stop(message) {
  console.error(message)
  process.exit(1)
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', shell: windows })
  if (status !== 0) stop(`${[command, ...args].join(' ')} failed${error ? `: ${error.message}` : '.'}`)
}

/** Checks whether the pinned Node is installed and runs; it does not on a musl system. */
const nodeRuns = () => spawnSync(node, ['--version'], { shell: windows }).status === 0

function installDependencies() {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
  const platform = `${windows ? 'win' : process.platform}-${process.arch}`
  const pinned = Object.keys(manifest.optionalDependencies).filter((name) =>
    /^node-(bin-)?(linux|darwin|win)-/.test(name),
  )
  if (!pinned.some((name) => name.endsWith(`-${platform}`)))
    stop(`Sygnet brings its own Node, but has none for ${platform}. It runs on: ${platformsOf(pinned)}.`)

  const { dependencies, devDependencies, optionalDependencies } = manifest
  const specification = JSON.stringify([platform, dependencies, devDependencies, optionalDependencies])
  const wanted = createHash('sha256').update(specification).update(readFileSync('package-lock.json')).digest('hex')
  const stamp = 'node_modules/.installed'
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  console.log('Installing the dependencies …')
  rmSync(stamp, { force: true })
  // No package may run an install script (R88); none of ours needs one.
  const include = ['--include=dev', '--include=optional']
  run('npm', ['ci', '--ignore-scripts', ...include, '--loglevel=error', '--no-audit', '--no-fund'])
  if (!nodeRuns())
    stop(
      `The Node that Sygnet brings does not run on this system (${platform}). It needs glibc on Linux; Alpine has none.`,
    )
  // Written last: an interrupted installation has no stamp and is repeated.
  writeFileSync(stamp, wanted)
}

const platformsOf = (names) =>
  names
    .map((name) => name.replace(/^node-(bin-)?/, ''))
    .toSorted()
    .join(', ')

/** Returns the time of the latest change below a path, or 0. Folders count, since they change when a file is removed. */
function changedAt(path) {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) return 0
  return stat.isDirectory()
    ? Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => changedAt(`${path}/${name}`)))
    : stat.mtimeMs
}

function build() {
  const sources = ['web', 'contract', 'pki', 'vite.config.ts', 'build', 'package-lock.json']
  if (Math.max(...sources.map(changedAt)) > changedAt('dist/web/pages.json')) run(node, ['build/build.ts'])
}

const asRoot = process.getuid?.() === 0
/** Checks whether this user may call Debian's installer without a password. */
const mayInstall = () =>
  isInstalled('apt-get') && (asRoot || (isInstalled('sudo') && spawnSync('sudo', ['-n', 'true']).status === 0))

/** Installs Debian packages, silent unless it fails. Returns whether it worked. */
function install(what, packages) {
  console.log(`Installing ${what} …`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const steps = [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', ...packages],
  ]
  return steps.every((args) => {
    const [command, ...rest] = [...(asRoot ? [] : ['sudo', '-n', '--preserve-env=DEBIAN_FRONTEND']), 'apt-get', ...args]
    const { status, stdout, stderr } = spawnSync(command, rest, { env, encoding: 'utf8' })
    if (status !== 0) console.error(`${stdout ?? ''}${stderr ?? ''}`.trim())
    return status === 0
  })
}

function ensureBrowser() {
  const { BROWSER_PATH } = process.env
  if (BROWSER_PATH && !existsSync(BROWSER_PATH)) stop(`BROWSER_PATH is ${BROWSER_PATH}, which does not exist.`)
  if (
    browserPath() ||
    (mayInstall() &&
      install('Chromium for the browser tests', ['chromium-headless-shell', 'fonts-liberation']) &&
      browserPath())
  )
    return
  stop(
    'The browser tests need Chromium. Install it (Debian: apt-get install chromium-headless-shell fonts-liberation) or set BROWSER_PATH to the program of a Chromium or Chrome.',
  )
}

/** External programs that verify our output, and their Debian packages. */
const verifiers = {
  qpdf: 'qpdf',
  pdfsig: 'poppler-utils',
  oathtool: 'oathtool',
  openssl: 'openssl',
  zbarimg: 'zbar-tools',
  nginx: 'nginx-light',
  pgbouncer: 'pgbouncer',
  minisign: 'minisign',
  promtool: 'prometheus',
}

function ensureVerifiers() {
  const absent = () => Object.keys(verifiers).filter((program) => !isInstalled(program))
  if (absent().length > 0 && process.env.CI === 'true' && mayInstall())
    install(
      `the verification programs ${absent().join(', ')}`,
      absent().map((program) => verifiers[program]),
    )
  if (absent().length > 0)
    console.log(`Not installed here: ${absent().join(', ')}. The tests that need them are skipped.`)
}

if (Number(process.versions.node.split('.')[0]) < 20)
  stop(
    `Sygnet needs Node 20 or newer to install itself; this is Node ${process.versions.node}. It then brings the Node that it runs on.`,
  )
process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const [task] = process.argv.slice(2)
if (![undefined, 'build', 'test'].includes(task)) stop(`tools/setup.mjs knows build and test, not ${task}.`)
installDependencies()
if (task) build()
if (task === 'test') {
  ensureBrowser()
  ensureVerifiers()
}
