import { fork, type ChildProcess } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import autocannon from 'autocannon'
import pg from 'pg'
import { startPostgres } from '../server/platform/database/embedded-postgres.ts'
import type { Keys } from '../server/platform/encryption/keys.ts'
import { migrate } from '../server/platform/database/migrate.ts'
import { loadKeys } from '../server/platform/encrypted-data/open-keys.ts'
import { openPasswordHasher } from '../server/platform/authentication/password-hash.ts'
import { identifierIndex, encryptIdentifier, encryptPhone } from '../server/platform/encrypted-data/encrypted-fields.ts'
import { hashToken } from '../server/platform/authentication/session.ts'
import { answer, ask } from './child-messages.ts'
import { atLeast, atMost, type Figure, median, percentile } from './figures.ts'

const password = 'Dobre-Haslo-2026!'
const people = 400
const number = '44051401458'
const rounds = 5

type Subject = { process: ChildProcess; portal: string; bare: string; waiting: Map<string, (code: string) => void> }
type Reader = { cookie: string; tokenHash: string; owner: string }

/** Sign-ins, reads and lists of the real server on a real, durable PostgreSQL, each compared with its limit in the same run. */
export async function measureServer(): Promise<Figure[]> {
  const directory = mkdtempSync(join(tmpdir(), 'sygnet-bench-postgres-'))
  const database = await startPostgres(directory)
  try {
    await migrate(database.url)
    const master = randomBytes(32)
    const reader = await fill(database.url, await loadKeys(database.url, [master]))
    const subject = await startSubject(database.url, master)
    try {
      return [
        ...(await signIns(subject)),
        ...(await reads(subject, reader)),
        ...(await storm(subject, reader)),
        await memory(subject),
      ]
    } finally {
      subject.process.kill()
    }
  } finally {
    await database.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Customers with real hashes and numbers of as many ranges (R27), and one with a session and twenty signatures. */
async function fill(url: string, keys: Keys): Promise<Reader> {
  const hasher = await openPasswordHasher()
  const hash = await hasher.hash(password)
  await hasher.close()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const ids = Array.from({ length: people + 1 }, () => randomUUID())
  const phones = ids.map((id, i) => encryptPhone(keys, id, `+48${501 + i}000000`))
  await client.query(
    `insert into accounts (id, provider_id, login, login_key, email, email_key, phone, first_name, surname, locale, password_hash)
     select id, 'p' || n, 'person' || n, 'person' || n, 'p' || n || '@mail.example', 'p' || n || '@mail.example', phone, 'Anna', 'Nowak', 'pl', $1
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
    `insert into signatures (id, provider_id, account_id, product, name, identifier_type, identifier_country, identifier_value, identifier_index, years, valid_from, valid_to, status, certificates, agreement_language)
     select id, 's' || lpad(n::text, 10, '0'), $1, 'app', 'Anna Nowak', 'PNO', 'PL', value, $4, 2, now() - interval '1 year', now() + make_interval(days => n::int), 'good', '\\x00', 'pl'
     from unnest($2::uuid[], $3::bytea[]) with ordinality given (id, value, n)`,
    [owner, signatures, signatures.map((id) => encryptIdentifier(keys, id, number)), identifierIndex(keys, number)],
  )
  await client.query('analyze accounts, signatures')
  await client.end()
  return { cookie: `__Host-sygnet=${token}`, tokenHash: hashToken(token).toString('hex'), owner }
}

async function startSubject(url: string, master: Buffer): Promise<Subject> {
  const child = fork(join(import.meta.dirname, 'subject.ts'), [url, master.toString('base64')], { execArgv: [] })
  const waiting: Subject['waiting'] = new Map()
  const ready = await answer<{ portal: number; bare: number }>(child, 'ready')
  child.on('message', ({ sms }: { sms?: { to: string; code: string } }) => {
    if (sms) waiting.get(sms.to)?.(sms.code)
  })
  return { process: child, portal: `http://127.0.0.1:${ready.portal}`, bare: `http://127.0.0.1:${ready.bare}`, waiting }
}

/**
 * Sign-ins a second by 40 customers at a time: the password with all that hangs on it (rate limits, session, code, SMS by the
 * outbox, audit), of which the hash takes the most; `whole` enters the code of the SMS too.
 */
async function signInsPerSecond({ portal, waiting }: Subject, seconds: number, whole: boolean): Promise<number> {
  const workers = 40
  const end = performance.now() + seconds * 1000
  const started = performance.now()
  let done = 0
  let address = 0
  // A client that takes little processor time: it shares the machine with what it measures.
  const agent = new Agent({ keepAlive: true, maxSockets: workers })
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
    for (let n = worker; performance.now() < end; n = (n + workers) % people) {
      const to = `+48${500 + n + 1}000000`
      const code = new Promise<string>((resolve) => waiting.set(to, resolve))
      // Each from a network of its own: requests of one network wait for the row of its rate limit.
      const from = { 'x-forwarded-for': `10.${address & 255}.${(address++ >> 8) & 255}.1` }
      const cookie = await post('/api/sign-in', { login: `person${n + 1}`, password }, from)
      const received = await code
      if (whole) await post('/api/sign-in/code', { code: received }, { ...from, cookie })
      done++
    }
  }
  await Promise.all(Array.from({ length: workers }, work))
  agent.destroy()
  return done / ((performance.now() - started) / 1000)
}

async function signIns(subject: Subject): Promise<Figure[]> {
  // A node that has just started runs its code unoptimised for a while.
  await signInsPerSecond(subject, 15, true)
  const limits: number[] = []
  const passwords: number[] = []
  const wholes: number[] = []
  for (let i = 0; i < rounds; i++) {
    limits.push(await ask<number>(subject.process, 'hashRate', 3))
    passwords.push(await signInsPerSecond(subject, 5, false))
    wholes.push(await signInsPerSecond(subject, 5, true))
  }
  const ratio = (rates: number[]) => median(rates.map((rate, i) => rate / limits[i]!))
  const perSecond = (rates: number[]) => `${median(rates).toFixed(0)}/s`
  return [
    { what: 'argon2id checks per second, the pool alone', value: median(limits), unit: '/s' },
    {
      what: 'sign-ins (password, audit, rate limits, SMS) ÷ argon2id checks',
      value: ratio(passwords),
      unit: '',
      limit: atLeast(0.9),
      detail: perSecond(passwords),
    },
    {
      what: 'the same with the code entered ÷ argon2id checks',
      value: ratio(wholes),
      unit: '',
      detail: perSecond(wholes),
    },
  ]
}

async function requestsPerSecond(url: string, cookie: string): Promise<number> {
  const { requests, non2xx } = await autocannon({ url, connections: 20, duration: 3, headers: { cookie } })
  if (non2xx) throw new Error(`${url}: ${non2xx} answers were not 2xx`)
  return requests.average
}

async function reads({ portal, bare }: Subject, { cookie, tokenHash, owner }: Reader): Promise<Figure[]> {
  const pairs = [
    {
      what: 'session read ÷ bare route with the same select',
      url: `${portal}/api/session`,
      limit: `${bare}/session?token=${tokenHash}`,
      least: 0.75,
    },
    {
      what: 'session read ÷ bare route with the smallest select',
      url: `${portal}/api/session`,
      limit: `${bare}/account?id=${owner}`,
    },
    {
      what: 'list of 20 signatures ÷ bare route with a select of 20',
      url: `${portal}/api/signatures`,
      limit: `${bare}/twenty?owner=${owner}`,
      least: 0.6,
    },
  ]
  const figures: Figure[] = []
  for (const { what, url, limit, least } of pairs) {
    await requestsPerSecond(url, cookie)
    const ratios: number[] = []
    let own = 0
    for (let i = 0; i < rounds; i++) {
      const top = await requestsPerSecond(limit, cookie)
      own = await requestsPerSecond(url, cookie)
      ratios.push(own / top)
    }
    figures.push({
      what,
      value: median(ratios),
      unit: '',
      ...(least ? { limit: atLeast(least) } : {}),
      detail: `${own.toFixed(0)} requests/s`,
    })
  }
  return figures
}

/** How long reads take during `work`. */
async function latenciesDuring(reader: ChildProcess, work: () => Promise<unknown>): Promise<number[]> {
  const times = answer<number[]>(reader, 'times')
  reader.send('start')
  await work()
  reader.send('stop')
  return times
}

async function storm(subject: Subject, { cookie }: Reader): Promise<Figure[]> {
  const reading = fork(join(import.meta.dirname, 'reader.ts'), [`${subject.portal}/api/session`, cookie], {
    execArgv: [],
  })
  await answer(reading, 'reading')
  await latenciesDuring(reading, () => setTimeout(2000))
  const idle: number[] = []
  const busy: number[] = []
  const rates: number[] = []
  for (let i = 0; i < 3; i++) {
    idle.push(...(await latenciesDuring(reading, () => setTimeout(3000))))
    const signingIn = async () => rates.push(await signInsPerSecond(subject, 5, true))
    busy.push(...(await latenciesDuring(reading, signingIn)))
  }
  reading.kill()
  for (const times of [idle, busy]) times.sort((a, b) => a - b)
  const ratio = (share: number) => percentile(busy, share) / percentile(idle, share)
  const detail = (share: number) => `${percentile(idle, share).toFixed(2)} → ${percentile(busy, share).toFixed(2)} ms`
  return [
    {
      what: 'session read during a sign-in storm, p50 ÷ idle',
      value: ratio(0.5),
      unit: '',
      limit: atMost(1.2),
      detail: detail(0.5),
    },
    {
      what: 'session read during a sign-in storm, p99 ÷ idle',
      value: ratio(0.99),
      unit: '',
      limit: atMost(4),
      detail: detail(0.99),
    },
    { what: 'sign-ins per second in that storm', value: median(rates), unit: '/s' },
  ]
}

async function memory(subject: Subject): Promise<Figure> {
  const bytes = await ask<number>(subject.process, 'memory', true)
  return { what: 'resident memory of the node after the load', value: bytes / 2 ** 20, unit: 'MiB', limit: atMost(160) }
}
