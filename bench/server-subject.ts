import { fork, type ChildProcess } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openPasswordHasher, type HashCost } from '../server/platform/authentication/password-hash.ts'
import { hashToken } from '../server/platform/authentication/session.ts'
import { startPostgres } from '../server/platform/database/embedded-postgres.ts'
import { migrate } from '../server/platform/database/migrate.ts'
import { identifierIndex, encryptIdentifier, encryptPhone } from '../server/platform/encrypted-data/encrypted-fields.ts'
import { loadKeys } from '../server/platform/encrypted-data/open-keys.ts'
import type { Keys } from '../server/platform/encryption/keys.ts'
import { nextMessageValue } from './measured-process.ts'

const password = 'Dobre-Haslo-2026!'
export const people = 400
const number = '44051401458'

/** A customer with a session and twenty signatures. */
export type Reader = { cookie: string; tokenHash: string }

/** The measured process, and its PostgreSQL. */
export type Subject = {
  process: ChildProcess
  portal: string
  bare: string
  waiting: Map<string, (code: string) => void>
  reader: Reader
  postmaster: number
}

/** Runs `work` with the real server on its own real, durable PostgreSQL, with password hashes of this cost. */
export async function withSubject<T>(cost: HashCost, work: (subject: Subject) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'sygnet-bench-postgres-'))
  const database = await startPostgres(directory)
  try {
    await migrate(database.url)
    const master = randomBytes(32)
    const reader = await fill(database.url, await loadKeys(database.url, [master]), cost)
    const postmaster = Number(readFileSync(join(directory, 'data/postmaster.pid'), 'utf8').split('\n')[0])
    const subject = { ...(await startSubject(database.url, master, cost)), reader, postmaster }
    try {
      return await work(subject)
    } finally {
      subject.process.disconnect()
      await once(subject.process, 'exit')
    }
  } finally {
    await database.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Adds customers with real hashes and with numbers from as many ranges (R27), and a customer with a session and twenty signatures. */
async function fill(url: string, keys: Keys, cost: HashCost): Promise<Reader> {
  const hasher = await openPasswordHasher(keys.pepper, cost)
  const hash = await hasher.hash(password)
  await hasher.close()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const ids = Array.from({ length: people + 1 }, () => randomUUID())
  const phones = ids.map((id, i) => encryptPhone(keys, id, `+48${501 + i}000000`))
  await client.query(
    `insert into accounts (id, provider_id, login, login_key, email, email_key, phone, phone_index, first_name, surname, locale, password_hash)
     select id, 'p' || n, 'person' || n, 'person' || n, 'p' || n || '@mail.example', 'p' || n || '@mail.example', phone, sha256(phone), 'Anna', 'Nowak', 'pl', $1
     from unnest($2::uuid[], $3::bytea[]) with ordinality given (id, phone, n)`,
    [hash, ids, phones],
  )
  const owner = ids.at(-1)!
  const token = randomBytes(32).toString('base64url')
  await client.query(
    `insert into sessions (token_hash, account_id, stage, ends_at, absolute_ends_at) values ($1, $2, 'signed-in', now() + interval '15 min', now() + interval '8 hours')`,
    [hashToken(token), owner],
  )
  const signatures = Array.from({ length: 20 }, () => randomUUID())
  await client.query(
    `insert into signatures (id, provider_id, account_id, product, name, identifier_type, identifier_country, identifier_value, identifier_index, period, valid_from, valid_to, status, certificates, certificate_index, serial_index, agreement_language)
     select id, 's' || lpad(n::text, 10, '0'), $1, 'app', 'Anna Nowak', 'PNO', 'PL', value, $4, '2_year', now() - interval '1 year', now() + make_interval(days => n::int), 'good', '\\x00', sha256(value), sha256(value), 'pl'
     from unnest($2::uuid[], $3::bytea[]) with ordinality given (id, value, n)`,
    [owner, signatures, signatures.map((id) => encryptIdentifier(keys, id, number)), identifierIndex(keys, number)],
  )
  await client.query('analyze accounts, signatures')
  await client.end()
  return { cookie: `__Host-sygnet=${token}`, tokenHash: hashToken(token).toString('hex') }
}

/** Returns the options with which `npm start` starts the portal: the flags of Node, and the cache of compiled code. */
async function startOptions() {
  const root = join(import.meta.dirname, '..')
  const { start } = (JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } })
    .scripts
  const [, cache] = /NODE_COMPILE_CACHE=(\S+)/.exec(start) ?? []
  const flags = start.split(' ').filter((word) => word.startsWith('--'))
  return { execArgv: flags, env: { ...process.env, NODE_COMPILE_CACHE: join(root, cache!) } }
}

async function startSubject(url: string, master: Buffer, cost: HashCost) {
  const options = [url, master.toString('base64'), JSON.stringify(cost)]
  const child = fork(join(import.meta.dirname, 'subject.ts'), options, await startOptions())
  const waiting: Subject['waiting'] = new Map()
  const ready = await nextMessageValue<{ portal: number; bare: number }>(child, 'ready')
  child.on('message', ({ sms }: { sms?: { to: string; code: string } }) => {
    if (sms) waiting.get(sms.to)?.(sms.code)
  })
  return { process: child, portal: `http://127.0.0.1:${ready.portal}`, bare: `http://127.0.0.1:${ready.bare}`, waiting }
}

/** Signs people in, `atOnce` at a time, for as long as `goesOn`; `whole` enters the code of the SMS too. Returns how many. */
export async function signInPeople(
  { portal, waiting }: Subject,
  { atOnce, whole, goesOn }: { atOnce: number; whole: boolean; goesOn: (done: number) => boolean },
): Promise<number> {
  let done = 0
  let address = 0
  // A client that takes little processor time: it shares the machine with what it measures.
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
  const post = (path: string, body: object, headers: Record<string, string>) =>
    new Promise<string>((resolve, reject) => {
      const sent = request(
        portal + path,
        { agent, method: 'POST', headers: { 'content-type': 'application/json', origin: portal, ...headers } },
        (got) => {
          let text = ''
          got.on('data', (chunk: Buffer) => (text += chunk.toString()))
          got.on('end', () => {
            if (got.statusCode !== 200) reject(new Error(`${path}: ${got.statusCode} ${text}`))
            else resolve(got.headers['set-cookie']![0]!.split(';')[0]!)
          })
        },
      )
      sent.on('error', reject)
      sent.end(JSON.stringify(body))
    })
  const work = async (_: unknown, worker: number) => {
    for (let n = worker; goesOn(done); n = (n + atOnce) % people) {
      const to = `+48${500 + n + 1}000000`
      const code = new Promise<string>((resolve) => waiting.set(to, resolve))
      // Each from a network of its own: requests of one network wait for the row of its rate limit.
      const from = { 'x-forwarded-for': `10.${address & 255}.${(address++ >> 8) & 255}.1` }
      const cookie = await post('/api/sign-in', { login: `person${n + 1}`, password }, from)
      const received = await code
      if (whole)
        await post('/api/sign-in/code', { code: received }, { ...from, cookie, 'idempotency-key': randomUUID() })
      done++
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  agent.destroy()
  return done
}
