import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync, chmodSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { demonstrationBrand } from '../platform/brand/brand.ts'
import { connectQuery } from '../platform/database/requests-login.ts'
import { writeNginxAnswers } from '../platform/http/nginx-answers.ts'
import { freePort } from './processes.ts'

export const nginxExample = join(import.meta.dirname, '../../docs/examples/nginx')

const withOurBrand = (folder: string) => writeNginxAnswers(folder, demonstrationBrand)

/** Shortens the example's timeouts of ten seconds to one second. */
const withShortTimeouts = (text: string) =>
  text.replace(/^( *(?:client_(?:header|body)_timeout|send_timeout|keepalive_timeout)) \d+s;$/gm, '$1 1s;')

/**
 * Starts nginx with the configuration of the example, except for ports, paths and optionally timeouts, in front of the given nodes
 * (`127.0.0.1:port`). Its certificate is self-signed, for the names of both examples. `edit` changes the text of each of its files; with
 * `desk`, nginx also serves the desk of the nodes.
 */
export async function startNginx(
  nodes: readonly [string, string],
  {
    timeouts,
    writeAnswers = withOurBrand,
    edit = (text) => text,
    desk,
  }: {
    timeouts?: 'short'
    writeAnswers?: (folder: string) => unknown
    edit?: (text: string) => string
    desk?: readonly [string, string]
  } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'nginx-'))
  const [httpPort, tlsPort] = [await freePort(), await freePort()]
  cpSync(nginxExample, folder, { recursive: true })
  await writeAnswers(folder)
  mkdirSync(join(folder, 'temporary'))
  const { cert } = makeSelfSigned(folder, 'portal', 'DNS:portal.example,DNS:desk.provider.example')
  const adapted = (text: string) =>
    edit(timeouts ? withShortTimeouts(text) : text)
      .replaceAll('/etc/nginx/sygnet', folder)
      .replaceAll('/var/log/nginx', folder)
      .replaceAll('listen 80', `listen 127.0.0.1:${httpPort}`)
      .replaceAll('listen 443', `listen 127.0.0.1:${tlsPort}`)
      .replace('10.0.0.11:3000', nodes[0])
      .replace('10.0.0.12:3000', nodes[1])
      .replace('10.0.0.11:3002', desk?.[0] ?? '')
      .replace('10.0.0.12:3002', desk?.[1] ?? '')
      .replace(/desk\.(pem|key)/g, 'portal.$1')
  for (const name of ['sygnet.conf', 'desk.conf', 'answers.conf', 'tls.conf'])
    writeFileSync(join(folder, name), adapted(readFileSync(join(folder, name), 'utf8')))
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/temporary/${kind};`,
  )
  writeFileSync(
    join(folder, 'nginx.conf'),
    // The folder is readable for its owner only. Two lines are in the http block of nginx's own packages.
    `user root; daemon off; worker_processes 2; pid ${folder}/pid; error_log ${folder}/error.log;
events { worker_connections 2048; }
http { sendfile on; keepalive_timeout 65; ${paths.join(' ')} include ${folder}/sygnet.conf; ${desk ? `include ${folder}/desk.conf; ` : ''}}`,
  )
  const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')], {
    stdio: 'ignore',
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await listening(
    tlsPort,
    () => child.exitCode === null,
    () => readFileSync(join(folder, 'error.log'), 'utf8'),
  )
  return {
    origin: `https://127.0.0.1:${tlsPort}`,
    plain: `http://127.0.0.1:${httpPort}`,
    tls: { ca: cert, servername: 'portal.example' },
    log: () => readFileSync(join(folder, 'sygnet.log'), 'utf8'),
    logs: () =>
      ['sygnet.log', 'sygnet-error.log', 'error.log'].map((name) => readFileSync(join(folder, name), 'utf8')).join(''),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true })
    },
  }
}

/** Connects until nginx listens or has ended. */
async function listening(port: number, isRunning: () => boolean, errorLog: () => string) {
  for (;;) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
    if (open) return
    if (!isRunning()) throw new Error(`nginx did not start: ${errorLog()}`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** Creates a self-signed certificate that nobody trusts, by default for this machine. `file`: for NODE_EXTRA_CA_CERTS. */
export function makeSelfSigned(folder: string, name = 'self-signed', subjects = 'IP:127.0.0.1') {
  const file = join(folder, `${name}.pem`)
  const request = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost
    -addext subjectAltName=${subjects} -keyout ${name}.key -out ${name}.pem`
  const made = spawnSync('openssl', request.split(/\s+/), { cwd: folder })
  if (made.status !== 0) throw new Error(String(made.stderr))
  return { file, cert: readFileSync(file, 'utf8'), key: readFileSync(join(folder, `${name}.key`), 'utf8') }
}

/** Starts PgBouncer in transaction mode in front of a database, as the guide sets it up, with only `size` connections. */
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
