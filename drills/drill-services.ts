import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { smtpServer } from '../server/adapters/loopback/loopback-mail-server.ts'
import { startS3 } from '../server/adapters/loopback/loopback-s3.ts'
import { listenOnLoopback } from '../server/adapters/loopback/loopback-server.ts'
import { drillAddress } from './machines.ts'

/** A certificate authority of the operator, and certificates for names. */
export function openAuthority(folder: string) {
  mkdirSync(folder, { recursive: true })
  const openssl = (line: string) => execFileSync('openssl', line.trim().split(/\s+/), { cwd: folder, stdio: 'pipe' })
  const newKey = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
  openssl(`req -x509 ${newKey} -days 2 -subj /CN=Drill -addext keyUsage=keyCertSign -keyout ca.key -out ca.pem`)
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  return {
    ca: read('ca.pem'),
    issue(name: string) {
      writeFileSync(join(folder, 'names'), `subjectAltName=DNS:${name}\n`)
      openssl(`req ${newKey} -subj /CN=${name} -keyout ${name}.key -out request`)
      openssl(`x509 -req -in request -CA ca.pem -CAkey ca.key -days 2 -extfile names -out ${name}.pem`)
      return { cert: read(`${name}.pem`), key: read(`${name}.key`) }
    },
  }
}

/** What the portal calls besides its database: a mail server with TLS and a password, an SMS gateway, and a bucket. */
export async function startServices(authority: ReturnType<typeof openAuthority>) {
  const [password, token] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')]
  const texts: { to: string; text: string }[] = []
  const received = new Set<unknown>()
  const mail = await smtpServer({
    ...authority.issue('mail.provider.example'),
    secure: true,
    authOptional: false,
    onAuth: (given, _session, callback) =>
      given.password === password ? callback(null, { user: 'portal' }) : callback(new Error('wrong password')),
  })
  const gateway = await listenOnLoopback(({ headers, body }, response) => {
    response.statusCode = headers.authorization === `Bearer ${token}` ? 200 : 401
    const sms = JSON.parse(body) as { id: string; to: string; text: string }
    // Each id once, as the protocol says.
    if (response.statusCode === 200 && !received.has(sms.id)) texts.push(sms)
    received.add(sms.id)
    response.end()
  })
  const bucket = await startS3()
  await relay(465, mail.port)
  await relay(8080, gateway.port)
  await relay(9000, Number(new URL(bucket.url()).port))
  return {
    mails: mail.arrived,
    texts,
    smtpUrl: `smtps://portal:${password}@mail.provider.example`,
    smsUrl: 'http://sms.provider.example:8080/send',
    smsToken: token,
    bucket: {
      S3_URL: `http://${drillAddress}:9000/portal`,
      S3_REGION: bucket.region,
      S3_ACCESS_KEY_ID: bucket.accessKeyId,
      secret: bucket.secretAccessKey,
    },
  }
}

/** The test servers listen on loopback only; the machines reach them by the drill's address. */
async function relay(port: number, target: number) {
  const server = createServer((socket) => {
    const other = connect(target, '127.0.0.1')
    // Either side may end it.
    pipeline(socket, other, socket).catch(() => {})
  })
  server.listen(port, drillAddress)
  await once(server, 'listening')
}
