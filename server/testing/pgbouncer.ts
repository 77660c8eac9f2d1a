import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { connectQuery } from '../platform/database/requests-login.ts'

/** PgBouncer in transaction mode before a database, as the guide sets it up, with as few connections as `size`. */
export async function startPgbouncer(
  databaseUrl: string,
  { size, query = connectQuery }: { size: number; query?: string },
) {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl)
  const folder = mkdtempSync(join(tmpdir(), 'sygnet-pgbouncer-'))
  chmodSync(folder, 0o755)
  const listenPort = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
sygnet = host=${decodeURIComponent(hostname)} port=${port || 5432} dbname=${pathname.slice(1)} user=${username} password=${decodeURIComponent(password)} connect_query='${query}'

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${size}
max_client_conn = 1000
server_reset_query =
`,
  )
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
  const child = spawn('pgbouncer', [file], { ...user, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] })
  await new Promise<void>((resolve, reject) => {
    let log = ''
    child.stderr.on('data', (chunk: Buffer) => {
      log += chunk.toString()
      if (log.includes('process up')) resolve()
    })
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`PgBouncer did not start: ${log}`)))
  })
  return {
    url: `postgres://sygnet@127.0.0.1:${listenPort}/sygnet`,
    async stop() {
      const gone = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGINT')
      await gone
      rmSync(folder, { recursive: true })
    },
  }
}
