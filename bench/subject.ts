import { mkdtempSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import pg from 'pg'
import { buildApp } from '../server/app.ts'
import { demonstrationBrand } from '../server/brand.ts'
import { openDatabase } from '../server/db.ts'
import { deliveriesOf } from '../server/deliveries.ts'
import { listenOn } from '../server/listen.ts'
import { openKeys } from '../server/open-keys.ts'
import { startSending } from '../server/outbox.ts'
import { openPasswordHasher, standardCost } from '../server/password-hash.ts'
import { openPdfWork } from '../server/pdf-work.ts'
import { documentsOnDisk } from '../server/ports/documents-disk.ts'
import { verificationBuiltIn } from '../server/ports/verification-built-in.ts'
import type { Portal } from '../server/portal.ts'
import { webhooksByHttp } from '../server/ports/webhooks-http.ts'

/**
 * The measured process: the portal as it is, with SMS handed to the measuring process, and beside it the bare routes
 * that are its limits: the same Fastify, the same driver, one prepared select, nothing else.
 */
const url = process.argv[2]!
const keys = await openKeys(url, [Buffer.from(process.argv[3]!, 'base64')])
const { db } = openDatabase(url, { auditKey: keys.audit })
const hasher = await openPasswordHasher(standardCost, keys.pepper)
hasher.usePepper()
const pdfWork = openPdfWork()
const hosts: string[] = []
const portal: Portal = {
  db,
  hasher,
  keys,
  pdfWork,
  settings: {
    publicUrl: 'https://portal.example',
    hosts,
    brand: demonstrationBrand,
    featuresOff: [],
    apiBase: '/api',
    assets: '/assets/',
    trustedProxies: ['127.0.0.1'],
    session: { idle: 900, absolute: 28_800 },
    // Budgets work as ever, but a measurement signs in more often than a person.
    resetDelay: 86_400,
    sends: { perNumber: 100, perAddress: 100 },
    sms: { sending: true, countries: ['PL'], perRange: 1000 },
    requestsPerSecond: 1_000_000,
    sealUsers: 50,
    webhookHosts: [],
    archives: { renewalDays: 180, renewStampedBefore: undefined },
    security: { contacts: [], policy: undefined },
    demonstration: false,
    webDirectory: join(import.meta.dirname, '../dist/web'),
  },
  ports: {
    mail: { send: async () => {}, close: async () => {} },
    sms: { send: async ({ to, text }) => void process.send!({ sms: { to, code: text.slice(-6) } }) },
    botCheck: {
      kind: 'altcha',
      siteKey: '',
      origin: undefined,
      verify: async (nonce) => ({ verdict: 'human', nonce, expiresInSeconds: 60 }),
    },
    country: { lookUp: async () => undefined },
    documents: documentsOnDisk(mkdtempSync(join(tmpdir(), 'sygnet-bench-'))),
    timestampAccounts: undefined,
    verification: verificationBuiltIn(pdfWork, async () => ({ anchors: [] })),
    revocation: undefined,
    malware: undefined,
    remoteSigning: undefined,
    timestamps: undefined,
    webhooks: webhooksByHttp,
    alarms: { raise: () => {} },
  },
}
const app = await buildApp(portal)
await app.listen({ port: 0, host: '127.0.0.1' })
startSending(db, keys, deliveriesOf(portal), listenOn(url), () => {})

const pool = new pg.Pool({ connectionString: url, max: 10 })
const bare = Fastify()
bare.get<{ Querystring: { id: string } }>('/one', async (request) => {
  const { rows } = await pool.query({
    name: 'one',
    text: 'select id, login, email, first_name, surname from accounts where id = $1',
    values: [request.query.id],
  })
  return rows[0]
})
bare.get<{ Querystring: { token: string } }>('/session', async (request) => {
  const { rows } = await pool.query({
    name: 'session',
    text: `select s.id, s.account_id, s.stage, portal_now() as now, s.ends_at, s.absolute_ends_at, a.login, a.email,
        a.first_name, a.surname, a.locale
      from sessions s join accounts a on a.id = s.account_id where s.token_hash = $1 and s.ends_at > portal_now()`,
    values: [Buffer.from(request.query.token, 'hex')],
  })
  return rows[0]
})
bare.get<{ Querystring: { owner: string } }>('/twenty', async (request) => {
  const { rows } = await pool.query({
    name: 'twenty',
    text: `select id, product, name, organisation, identifier_type, identifier_country, provider_id, years, valid_from, valid_to, status
      from signatures where account_id = $1 order by valid_to, id limit 20`,
    values: [request.query.owner],
  })
  return rows
})
await bare.listen({ port: 0, host: '127.0.0.1' })

const portOf = (server: { server: { address: () => unknown } }) => (server.server.address() as AddressInfo).port
hosts.push(`127.0.0.1:${portOf(app)}`)

/** Hashes checked per second by the portal's own pool, with nothing else to do. */
async function hashRate(seconds: number) {
  const encoded = await hasher.hash('Dobre-Haslo-2026!')
  const end = performance.now() + seconds * 1000
  let done = 0
  const worker = async () => {
    while (performance.now() < end) {
      await hasher.verify(encoded, 'Dobre-Haslo-2026!')
      done++
    }
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: 8 }, worker))
  return done / ((performance.now() - started) / 1000)
}

process.on('message', async (message: { hashRate?: number; memory?: true }) => {
  if (message.hashRate) process.send!({ hashRate: await hashRate(message.hashRate) })
  if (message.memory) process.send!({ memory: process.memoryUsage.rss() })
})
process.send!({ ready: { portal: portOf(app), bare: portOf(bare) } })
