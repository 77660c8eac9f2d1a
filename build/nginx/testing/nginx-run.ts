import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './demonstration-run.ts'

const example = join(import.meta.dirname, '../docs/examples/nginx')
export const nginxExample = example

/** Patience of a second each, where the example has ten: what is waited for in a test is the same rule. */
const impatient = (text: string) =>
  text.replace(/^(client_(?:header|body)_timeout|send_timeout|keepalive_timeout) \d+s;$/gm, '$1 1s;')

/**
 * The real nginx with the example configuration as it stands, but for ports, paths and, if asked, patience, before the given
 * nodes (`127.0.0.1:port`). Its certificate is one of its own, for the name portal.example.
 */
export async function startNginx(nodes: readonly [string, string], patience?: 'impatient') {
  const folder = mkdtempSync(join(tmpdir(), 'nginx-'))
  const [plain, safe] = [await freePort(), await freePort()]
  cpSync(example, folder, { recursive: true })
  mkdirSync(join(folder, 'temporary'))
  const request = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=portal.example
    -addext subjectAltName=DNS:portal.example -keyout portal.key -out portal.pem`
  const made = spawnSync('openssl', request.split(/\s+/), { cwd: folder })
  if (made.status !== 0) throw new Error(String(made.stderr))
  const placed = (text: string) =>
    (patience ? impatient(text) : text)
      .replaceAll('/etc/nginx/sygnet', folder)
      .replaceAll('/var/log/nginx', folder)
      .replaceAll('listen 80', `listen 127.0.0.1:${plain}`)
      .replaceAll('listen 443', `listen 127.0.0.1:${safe}`)
      .replace('10.0.0.11:3000', nodes[0])
      .replace('10.0.0.12:3000', nodes[1])
  for (const name of ['sygnet.conf', 'answers.conf', 'tls.conf'])
    writeFileSync(join(folder, name), placed(readFileSync(join(example, name), 'utf8')))
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/temporary/${kind};`,
  )
  writeFileSync(
    join(folder, 'nginx.conf'),
    // The worker reads a folder that only we may read.
    `user root; daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
events { worker_connections 2048; }
http { ${paths.join(' ')} include ${folder}/sygnet.conf; }`,
  )
  const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')], {
    stdio: 'ignore',
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await listening(
    safe,
    () => child.exitCode === null,
    () => readFileSync(join(folder, 'error.log'), 'utf8'),
  )
  return {
    origin: `https://127.0.0.1:${safe}`,
    plain: `http://127.0.0.1:${plain}`,
    tls: { ca: readFileSync(join(folder, 'portal.pem')), servername: 'portal.example' },
    log: () => readFileSync(join(folder, 'sygnet.log'), 'utf8'),
    /** Whatever it has told anywhere. */
    logs: () =>
      ['sygnet.log', 'sygnet-error.log', 'error.log'].map((name) => readFileSync(join(folder, name), 'utf8')).join(''),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true })
    },
  }
}

/** Connects until somebody listens, or whoever should is gone. */
async function listening(port: number, lives: () => boolean, why: () => string) {
  for (;;) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
    if (open) return
    if (!lives()) throw new Error(`nginx did not start: ${why()}`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}
