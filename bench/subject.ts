import { mkdtempSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import pg from 'pg'
import { processorTime } from '../pki/testing/processor-time.ts'
import { documentsOnDisk } from '../server/adapters/documents-disk.ts'
import { verificationBuiltIn } from '../server/adapters/verification-built-in.ts'
import { webhooksByHttp } from '../server/adapters/webhooks-http.ts'
import { buildApp } from '../server/app.ts'
import { features } from '../server/features.ts'
import { openPasswordHasher, type HashCost } from '../server/platform/authentication/password-hash.ts'
import { demonstrationBrand } from '../server/platform/brand/brand.ts'
import { connect } from '../server/platform/database/database.ts'
import { loadKeys } from '../server/platform/encrypted-data/open-keys.ts'
import { startSending } from '../server/platform/messages/outbox.ts'
import { statements } from '../server/platform/observability/events.ts'
import { createDeliveries } from '../server/platform/operations/deliveries.ts'
import { openPdfWork } from '../server/platform/pdf/pdf-work.ts'
import type { Portal } from '../server/platform/portal.ts'
import { plainPorts } from '../server/testing/node-parts.ts'
import { measureChecksPerSecond } from './measured-process.ts'

/**
 * The measured process: the portal with SMS sent to the measuring process, and a bare route with which its session read is compared:
 * the same Fastify, the same driver, one prepared select, nothing else.
 */
const url = process.argv[2]!
const keys = await loadKeys(url, [Buffer.from(process.argv[3]!, 'base64')])
const { db } = connect(url, { auditKey: keys.audit })
const hasher = await openPasswordHasher(keys.pepper, JSON.parse(process.argv[4]!) as HashCost)
const pdfWork = openPdfWork()
const hosts: string[] = []
const portal: Portal = {
  db,
  features,
  hasher,
  keys,
  pdfWork,
  settings: {
    publicUrl: 'https://portal.example',
    hosts,
    brand: demonstrationBrand,
    featuresOff: [],
    hasApiReference: true,
    apiBase: '/api',
    assets: '/assets/',
    trustedProxies: ['127.0.0.1'],
    session: { idle: 900, absolute: 28_800 },
    // Rate limits are checked as usual, but a measurement signs in more often than a person.
    resetDelay: 86_400,
    areDeskReadsShown: true,
    hasDeskTasks: false,
    sends: { perNumber: 100, perAddress: 100 },
    sms: { sending: true, countries: ['PL'], perRange: 1000 },
    requestsPerSecond: 1_000_000,
    sealUsers: 50,
    webhookHosts: [],
    archives: { renewalDays: 180, renewStampedBefore: undefined },
    security: { contacts: [], policy: undefined },
    renewalTemplates: {},
    isDemonstration: false,
    webDirectory: join(import.meta.dirname, '../dist/web'),
  },
  ports: {
    mail: { send: async () => {}, close: async () => {} },
    sms: { send: async ({ to, text }) => void process.send!({ sms: { to, code: text.slice(-6) } }) },
    ...plainPorts,
    documents: documentsOnDisk(mkdtempSync(join(tmpdir(), 'sygnet-bench-'))),
    verification: verificationBuiltIn(pdfWork, async () => ({ anchors: [] })),
    remoteSigning: undefined,
    timestamps: undefined,
    webhooks: webhooksByHttp,
    trustedLists: undefined,
  },
}
const app = await buildApp(portal)
await app.listen({ port: 0, host: '127.0.0.1' })
startSending({ db, keys, deliveries: createDeliveries(portal), report: () => {} })

const pool = new pg.Pool({ connectionString: url, max: 10 })
const bare = Fastify()
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
await bare.listen({ port: 0, host: '127.0.0.1' })

const portOf = (server: { server: { address: () => unknown } }) => (server.server.address() as AddressInfo).port
hosts.push(`127.0.0.1:${portOf(app)}`)

let count = 0
statements.follow({ end: () => void count++ })
const secondsUsed = processorTime()

process.on('message', async (message: { hashRate?: number; memory?: true; spent?: true }) => {
  if (message.hashRate) process.send!({ hashRate: await measureChecksPerSecond(hasher, message.hashRate) })
  if (message.spent) process.send!({ spent: { seconds: secondsUsed(), statements: count } })
  if (message.memory) process.send!({ memory: process.memoryUsage.rss() })
})
// An orderly end, which stores the compiled code for the next start.
process.once('disconnect', () => process.exit())
process.send!({ ready: { portal: portOf(app), bare: portOf(bare) } })
