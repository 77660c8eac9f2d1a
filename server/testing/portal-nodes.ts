import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import { sql } from 'kysely'
import type pg from 'pg'
import { clientScopes } from '../../contract/client-keys.ts'
import { limits } from '../../contract/limits.ts'
import type { Identification } from '../../contract/personal-data.ts'
import type { ProviderCustomer } from '../../contract/provider-api.ts'
import { buildApp, type Patience } from '../app.ts'
import { hashClientKey } from '../authenticate.ts'
import { openDatabase, type Db } from '../db.ts'
import { deliveriesOf } from '../deliveries.ts'
import { deriveKeys, seal } from '../keys.ts'
import { openKeys } from '../open-keys.ts'
import { sendDue } from '../outbox.ts'
import {
  openHashingPool,
  openPasswordHasher,
  type HashCost,
  type HashingPool,
  type PasswordHasher,
} from '../password-hash.ts'
import { openPdfWork, type PdfWork, type Trust } from '../pdf-work.ts'
import { documentsOnDisk } from '../ports/documents-disk.ts'
import type { Alarm, BotCheckPort, Mail, Ports, Sms } from '../ports/ports.ts'
import { verificationBuiltIn } from '../ports/verification-built-in.ts'
import { verificationCompared } from '../ports/verification-compared.ts'
import type { Portal, Settings } from '../portal.ts'
import type { Readiness } from '../readiness.ts'
import { sealedDocuments } from '../sealed-documents.ts'
import { demonstrationBrand } from '../brand.ts'
import { clockOf, createDatabase } from './databases.ts'
import { webhookQueue, withAlarm } from '../webhooks.ts'
import { webhooksByHttp } from '../ports/webhooks-http.ts'

/** Weak on purpose: tests that are not about hashing should not wait for it. */
const lightCost: HashCost = { memory: 64, passes: 1, lanes: 1 }

/** One for all portals of a worker, whose files run one after another: to start a thread costs more than most tests hash. */
let hashingPool: HashingPool | undefined
let pdfWorkOfWorker: PdfWork | undefined

/** The process that reads PDFs, likewise; it ends with the worker. */
export const sharedPdfWork = (): PdfWork => ({ ...(pdfWorkOfWorker ??= openPdfWork()), close: async () => {} })

/** One portal of several nodes on a database of its own, listening on loopback, with its messages caught at the ports. */
export type TestPortal = Awaited<ReturnType<typeof openTestPortal>>

type PortalOptions = {
  nodes?: number
  cost?: HashCost
  settings?: Partial<Settings>
  botCheck?: BotCheckPort
  ports?: Partial<Ports>
  /** Whether the pages of uploads are compared (R107), which takes half a second each; they are unless said. */
  comparesPages?: boolean
  patience?: Patience
  logger?: FastifyServerOptions['logger']
  readiness?: Readiness
  /** What metrics and traces are in a node of the operator's. */
  observe?: (app: FastifyInstance, database: ReturnType<typeof openDatabase>) => void
  /** The master keys of each node; one and the same unless said. */
  masters?: readonly Buffer[][]
  /** The PostgreSQL with the migrated template; the test run's own unless it is given. */
  postgres?: string
  /** By which way nodes reach the database, and how long they wait for it. */
  way?: (databaseUrl: string) => Promise<string>
  patienceMs?: number
  /** Database connections of each node. */
  connections?: number
}

export async function openTestPortal(options: PortalOptions = {}) {
  const database = await createDatabase('sygnet_template', options.postgres)
  const mails: Mail[] = []
  const texts: Sms[] = []
  const alarms: Alarm[] = []
  const folder = mkdtempSync(join(tmpdir(), 'sygnet-documents-'))
  const documents = documentsOnDisk(folder)
  // A measurement, which brings its own PostgreSQL, ends when its portals are closed.
  const pdfWork = options.postgres ? openPdfWork() : sharedPdfWork()
  const trust: Trust = { anchors: [] }
  const builtIn = verificationBuiltIn(pdfWork, async () => trust, options.ports?.revocation)
  const ports: Ports = {
    mail: { send: async (mail) => void mails.unshift(mail), close: async () => {} },
    sms: { send: async (sms) => void texts.unshift(sms) },
    botCheck: options.botCheck ?? passingBotCheck,
    country: { lookUp: async () => undefined },
    documents,
    alarms: { raise: (alarm) => void alarms.push(alarm) },
    timestampAccounts: { setPassword: async () => 'changed' },
    verification: options.comparesPages === false ? builtIn : verificationCompared(builtIn, pdfWork),
    revocation: undefined,
    malware: undefined,
    remoteSigning: undefined,
    timestamps: undefined,
    webhooks: webhooksByHttp,
    ...options.ports,
  }
  const masters = options.masters ?? [[randomBytes(32)]]
  const masterKey = masters[0]![0]!
  await giveRoot(database.owner, masters[0]!)
  const keys = await openKeys(database.url, masters[0]!)
  const clientKey = `sygnet_${randomBytes(32).toString('base64url')}`
  const hasher = options.cost
    ? await openPasswordHasher(options.cost, keys.pepper)
    : await openPasswordHasher(lightCost, keys.pepper, (hashingPool ??= openHashingPool()))
  hasher.usePepper()
  const nodesUrl = options.way ? await options.way(database.url) : database.url
  let delivering = Promise.resolve()
  const nodes = await Promise.all(
    Array.from({ length: options.nodes ?? masters.length }, async (_, i) => {
      const own = i && masters[i] ? await openKeys(database.url, masters[i]) : keys
      return startNode(nodesUrl, { ports, keys: own, hasher, pdfWork }, options)
    }),
  )
  const { db, portal } = nodes[0]!
  const ownersDatabase = openDatabase(database.url, { connections: 2, auditKey: keys.audit, asOwner: true })
  await ownersDatabase.db
    .insertInto('provider_keys')
    .values({ key_hash: hashClientKey(clientKey), name: 'test', scopes: [...clientScopes], per_second: 1_000_000 })
    .execute()

  return {
    nodes,
    origin: nodes[0]!.origin,
    db,
    portal,
    app: nodes[0]!.app,
    mails,
    texts,
    alarms,
    /** Whom the check of signatures believes; a test fills it. */
    trust,
    clientKey,
    /** What the operator's command is given. */
    databaseUrl: database.url,
    masterKey,
    /** The owner's connection, for what the portal itself may not do. */
    owner: database.owner,
    /** The same as the operator's command has it: makes client keys, and rotates master keys. */
    ownerDb: ownersDatabase.db,
    /** Sends everything that is due; one at a time, or a second one would come back while the first still holds its messages. */
    deliver: () =>
      (delivering = delivering.then(async () => {
        while (await sendDue(db, keys, deliveriesOf(portal)));
      })),
    /** Sends the webhooks that are due, by one of the nodes; tells how many messages it took. */
    deliverWebhooks: (node = 0) => {
      const own = nodes[node]!
      return sendDue(
        own.db,
        keys,
        deliveriesOf(own.portal),
        withAlarm(own.portal, () => {}),
        webhookQueue,
      )
    },
    clock: clockOf(database.owner),
    async close() {
      await Promise.all(nodes.map((node) => node.close()))
      await ownersDatabase.close()
      await hasher.close()
      await database.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A database that a portal has been started on before: nothing of an earlier version's is looked for in it. */
async function giveRoot(owner: pg.Pool, masters: readonly Buffer[]) {
  const root = randomBytes(32)
  const sealed = seal(deriveKeys(root, masters), 'secrets root', root.toString('base64'))
  await owner.query(`insert into secrets (name, sealed) values ('root', $1)`, [sealed])
}

/** A bot check that takes any proof but `robot`, each once. */
const passingBotCheck: BotCheckPort = {
  kind: 'altcha',
  siteKey: '',
  origin: undefined,
  verify: async (proof) => ({ verdict: proof === 'robot' ? 'refused' : 'human', nonce: proof, expiresInSeconds: 300 }),
}

async function startNode(
  url: string,
  parts: { ports: Ports; keys: Portal['keys']; hasher: PasswordHasher; pdfWork: PdfWork },
  { settings: overrides, patience, patienceMs, connections, logger, readiness, observe }: PortalOptions,
) {
  const database = openDatabase(url, {
    auditKey: parts.keys.audit,
    // On a busy machine a burst waits, and a limit would only make it fail.
    ...(patienceMs ? { patienceMs } : { patienceMs: 60_000, queueMs: 60_000 }),
    ...(connections && { connections }),
  })
  const { db, close } = database
  // Filled once the port is known: the guard reads it at each request.
  const hosts: string[] = []
  const settings: Settings = {
    publicUrl: 'https://portal.example',
    hosts,
    brand: demonstrationBrand,
    apiBase: '/api',
    assets: '/assets/',
    trustedProxies: ['127.0.0.1'],
    session: { idle: 900, absolute: 28_800 },
    sends: { perNumber: limits.code.sendsPerRecipient.limit, perAddress: limits.code.sendsPerAddress.limit },
    sms: { sending: true, countries: ['PL', 'DE', 'GB'], perRange: 2000 },
    resetDelay: 86_400,
    requestsPerSecond: 1_000_000,
    sealUsers: limits.seal.users,
    webhookHosts: ['hooks.example'],
    archives: { renewalDays: 180, renewStampedBefore: undefined },
    security: { contacts: [], policy: undefined },
    featuresOff: [],
    demonstration: false,
    webDirectory: join(import.meta.dirname, '../../dist/web'),
    ...overrides,
  }
  const documents = sealedDocuments(db, parts.keys, parts.ports.documents)
  const portal: Portal = { db, settings, ...parts, ports: { ...parts.ports, documents } }
  const app = await buildApp(portal, {
    ...(patience && { patience }),
    ...(logger && { logger }),
    ...(readiness && { readiness }),
    ...(observe && { observe: (one) => observe(one, database) }),
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  hosts.push(`127.0.0.1:${port}`)
  return {
    app,
    db,
    portal,
    origin: `http://127.0.0.1:${port}`,
    async close() {
      const closing = app.close()
      // A client that keeps a connection open, used or not, must not keep a test waiting.
      app.server.closeAllConnections()
      await closing
      await close()
    },
  }
}

export const now = async (db: Db) => (await sql<{ now: Date }>`select portal_now() as now`.execute(db)).rows[0]!.now

let people = 0

/** A customer's particulars, different at each call. */
export function somebody(over: Partial<ProviderCustomer> = {}): ProviderCustomer {
  const n = ++people
  const tail = `${process.pid % 1000}${String(n).padStart(5, '0')}`.slice(-8)
  return {
    login: `person${n}.${randomBytes(3).toString('hex')}`,
    email: `person${n}-${randomBytes(3).toString('hex')}@mail.example`,
    phone: `+48${tail.padStart(9, '5')}`,
    firstName: 'Małgorzata',
    secondName: null,
    surname: 'Wiśniewska',
    locale: 'pl',
    ...over,
  }
}

export const sampleIdentification: Identification = {
  nationality: 'PL',
  identifierType: 'PNO',
  issuingCountry: 'PL',
  identificationNumber: '44051401458',
  birthDate: '1944-05-14',
  birthPlace: 'Szczebrzeszyn',
  document: { type: 'DO', number: 'ABA300000', validTo: '2034-05-02', issuedBy: 'Burmistrz Szczebrzeszyna' },
}
