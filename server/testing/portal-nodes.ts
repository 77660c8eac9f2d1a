import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import { sql } from 'kysely'
import type { Identification } from '../../contract/identification.ts'
import { limits } from '../../contract/limits.ts'
import { clientScopes } from '../../contract/provider/client-keys.ts'
import type { ProviderCustomer } from '../../contract/provider/provider-customers.ts'
import { documentsOnDisk } from '../adapters/documents-disk.ts'
import { verificationBuiltIn, verificationCompared } from '../adapters/verification-built-in.ts'
import { webhooksByHttp } from '../adapters/webhooks-http.ts'
import { buildApp } from '../app.ts'
import { features } from '../features.ts'
import { hashClientKey } from '../platform/authentication/authenticate.ts'
import {
  openHashingPool,
  openPasswordHasher,
  type HashCost,
  type HashingPool,
} from '../platform/authentication/password-hash.ts'
import { demonstrationBrand } from '../platform/brand/brand.ts'
import { connect, type Db } from '../platform/database/database.ts'
import { loadKeys } from '../platform/encrypted-data/open-keys.ts'
import { encryptedDocuments } from '../platform/files/encrypted-documents.ts'
import type { Timeouts } from '../platform/http/open-app.ts'
import { sendDue } from '../platform/messages/outbox.ts'
import { createDeliveries } from '../platform/operations/deliveries.ts'
import type { Readiness } from '../platform/operations/readiness.ts'
import { openPdfWork, type PdfWork, type Trust } from '../platform/pdf/pdf-work.ts'
import type { PasswordHasher, Portal } from '../platform/portal.ts'
import type { Alarm, BotCheckPort, Mail, Ports, Sms } from '../platform/ports.ts'
import type { Settings } from '../platform/settings.ts'
import { webhookQueue, withAlarm } from '../webhooks/webhooks.ts'
import { createClock, createDatabase } from './databases.ts'
import { ownSecrets } from './samples/activation-samples.ts'

/** Weak on purpose, so that tests need not wait for hashing. */
const lightCost: HashCost = { memory: 64, passes: 1, lanes: 1 }

/**
 * Shared by all portals of a worker, whose files run one after another, because starting threads takes longer than the
 * hashes of most tests.
 */
let hashingPool: HashingPool | undefined
let pdfWorkOfWorker: PdfWork | undefined

/** Returns the process that reads PDFs, which all portals of a worker share; the process ends with the worker. */
export const sharedPdfWork = (): PdfWork => ({ ...(pdfWorkOfWorker ??= openPdfWork()), close: async () => {} })

/** A portal of several nodes with its own database; it listens on loopback, and its messages are caught at the ports. */
export type TestPortal = Awaited<ReturnType<typeof openTestPortal>>

type PortalOptions = {
  nodes?: number
  cost?: HashCost
  settings?: Partial<Settings>
  botCheck?: BotCheckPort
  ports?: Partial<Ports>
  /** Whether the pages of uploads are compared (R107), which takes half a second each; true by default. */
  comparesPages?: boolean
  logger?: FastifyServerOptions['logger']
  readiness?: Readiness
  /** Replaces the metrics and traces of a real node. */
  observe?: (app: FastifyInstance, database: ReturnType<typeof connect>) => void
  /** The master keys of each node; by default all have the same. */
  masters?: readonly Buffer[][]
  /** The migrated database of the portal; by default a new one. */
  database?: Awaited<ReturnType<typeof createDatabase>>
  /** The PostgreSQL with the migrated template; by default the test run's own. */
  postgres?: string
  /** Puts a proxy between the nodes and the database; returns its URL. */
  proxyDatabase?: (databaseUrl: string) => Promise<string>
  /** Whether `proxyDatabase` is a pooler in transaction mode. */
  isPooled?: boolean
  statementTimeoutMs?: number
  /** The number of database connections of each node. */
  connections?: number
}

export async function openTestPortal(options: PortalOptions = {}) {
  const database = options.database ?? (await createDatabase('sygnet_template', options.postgres))
  const folder = mkdtempSync(join(tmpdir(), 'sygnet-documents-'))
  const cleanup = new AsyncDisposableStack()
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }))
  // A measurement, which brings its own PostgreSQL, ends when its portals are closed.
  const pdfWork = options.postgres ? openPdfWork() : sharedPdfWork()
  const trust: Trust = { anchors: [] }
  const { ports, mails, texts, alarms } = caughtPorts(options, { documents: documentsOnDisk(folder), pdfWork, trust })
  const masters = options.masters ?? [[randomBytes(32)]]
  const masterKey = masters[0]![0]!
  const keys = await loadKeys(database.url, masters[0]!)
  const clientKey = `sygnet_${randomBytes(32).toString('base64url')}`
  const hasher = options.cost
    ? await openPasswordHasher(keys.pepper, options.cost)
    : await openPasswordHasher(keys.pepper, lightCost, (hashingPool ??= openHashingPool()))
  const nodesUrl = options.proxyDatabase ? await options.proxyDatabase(database.url) : database.url
  let delivering = Promise.resolve()
  const nodes = await Promise.all(
    Array.from({ length: options.nodes ?? masters.length }, async (_, i) => {
      const own = i && masters[i] ? await loadKeys(database.url, masters[i]) : keys
      return startNode(nodesUrl, { ports, keys: own, hasher, pdfWork }, options)
    }),
  )
  const { db, portal } = nodes[0]!
  const ownersDatabase = connect(database.url, { connections: 2, auditKey: keys.audit, asOwner: true })
  await database.owner.query(
    `insert into provider_keys (key_hash, name, scopes, per_second) values ($1, 'test', $2, 1000000)`,
    [hashClientKey(clientKey), clientScopes],
  )

  return {
    nodes,
    documentsFolder: folder,
    origin: nodes[0]!.origin,
    db,
    portal,
    app: nodes[0]!.app,
    mails,
    texts,
    alarms,
    /** The authorities that the check of signatures trusts; tests add them. */
    trust,
    clientKey,
    /** The URL of the database for the operator's command. */
    databaseUrl: database.url,
    masterKey,
    /** The owner's connection, for statements that the portal itself must not execute. */
    owner: database.owner,
    /** Executes a statement as the owner; returns its rows. */
    rows: async (text: string, values?: unknown[]) => (await database.owner.query(text, values)).rows,
    /** The owner's connection of the operator's command, which makes client keys and rotates master keys. */
    ownerDb: ownersDatabase.db,
    /** Sends everything that is due. Calls run one after another: a second one would return while the first still locks its messages. */
    deliver: () =>
      (delivering = delivering.then(async () => {
        while (await sendDue({ db, keys, deliveries: createDeliveries(portal) }));
      })),
    /** Sends the webhooks that are due, by one of the nodes; returns the number of messages. */
    deliverWebhooks: (node = 0) => {
      const own = nodes[node]!.portal
      const report = withAlarm(own, () => {})
      return sendDue({ ...own, deliveries: createDeliveries(own), report, queue: webhookQueue })
    },
    clock: createClock(database.owner),
    /** The cleanup that runs when the portal is closed. */
    cleanup,
    async close() {
      await Promise.all(nodes.map((node) => node.close()))
      await pdfWork.close()
      await ownersDatabase.close()
      await hasher.close()
      await database.drop()
      await cleanup.disposeAsync()
    },
  }
}

/** Creates the ports of a test, with lists of the messages and alarms that they catch. */
function caughtPorts(
  options: PortalOptions,
  { documents, pdfWork, trust }: { documents: Ports['documents']; pdfWork: PdfWork; trust: Trust },
) {
  const mails: Mail[] = []
  const texts: Sms[] = []
  const alarms: Alarm[] = []
  const builtIn = verificationBuiltIn(pdfWork, async () => trust, options.ports?.revocation)
  const ports: Ports = {
    mail: { send: async (mail) => void mails.unshift(mail), close: async () => {} },
    sms: { send: async (sms) => void texts.unshift(sms) },
    botCheck: options.botCheck ?? passingBotCheck,
    country: { lookUp: async () => undefined },
    documents,
    alarms: { raise: (alarm) => void alarms.push(alarm) },
    appActivation: ownSecrets,
    certificateStatus: undefined,
    timestampAccounts: { setPassword: async () => 'changed' },
    verification: options.comparesPages === false ? builtIn : verificationCompared(builtIn, pdfWork),
    trust: async () => trust,
    revocation: undefined,
    malware: undefined,
    remoteSigning: undefined,
    timestamps: undefined,
    webhooks: webhooksByHttp,
    trustedLists: undefined,
    ...options.ports,
  }
  return { ports, mails, texts, alarms }
}

/** A bot check that accepts any proof but `robot`, each once. */
const passingBotCheck: BotCheckPort = {
  kind: 'altcha',
  siteKey: '',
  origin: undefined,
  verify: async (proof) => ({ verdict: proof === 'robot' ? 'refused' : 'human', nonce: proof, expiresInSeconds: 300 }),
}

const minutes = 5 * 60_000
/**
 * Timeouts for a busy machine, where ten seconds may pass between two calls of a test: with shorter ones its client would use a connection
 * that is being closed.
 */
export const patientTimeouts: Timeouts = {
  headers: minutes,
  request: minutes,
  idle: minutes,
  keepAlive: minutes,
  checkEvery: 1000,
}

async function startNode(
  url: string,
  parts: { ports: Ports; keys: Portal['keys']; hasher: PasswordHasher; pdfWork: PdfWork },
  { settings: overrides, statementTimeoutMs, connections, isPooled, logger, readiness, observe }: PortalOptions,
) {
  const database = connect(url, {
    auditKey: parts.keys.audit,
    // On a busy machine a burst waits, and a limit would only make it fail.
    statementTimeoutMs: statementTimeoutMs ?? 60_000,
    queueTimeoutMs: 60_000,
    ...(connections && { connections }),
    isPooled: isPooled ?? false,
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
    areDeskReadsShown: true,
    hasDeskTasks: true,
    requestsPerSecond: 1_000_000,
    sealUsers: limits.seal.maxUsers,
    webhookHosts: ['hooks.example'],
    archives: { renewalDays: 180, renewStampedBefore: undefined },
    security: { contacts: [], policy: undefined },
    renewalTemplates: {},
    featuresOff: [],
    hasApiReference: true,
    isDemonstration: false,
    webDirectory: join(import.meta.dirname, '../../dist/web'),
    ...overrides,
  }
  const documents = encryptedDocuments(db, parts.keys, parts.ports.documents)
  const portal: Portal = { db, settings, features, ...parts, ports: { ...parts.ports, documents } }
  const app = await buildApp(portal, {
    timeouts: patientTimeouts,
    ...(logger && { logger }),
    ...(readiness && { readiness }),
    ...(observe && { observe: (node) => observe(node, database) }),
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
      // A test must not wait for a client's open connection.
      app.server.closeAllConnections()
      await closing
      await close()
    },
  }
}

export const now = async (db: Db) => (await sql<{ now: Date }>`select portal_now() as now`.execute(db)).rows[0]!.now

let people = 0

/** Returns the data of a customer, different at each call. */
export function samplePerson(over: Partial<ProviderCustomer> = {}): ProviderCustomer {
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
    acceptances: { terms: sampleAcceptance, privacy: sampleAcceptance },
    ...over,
  }
}

/** Acceptance in an agreement, so that no consent is required with the first password. */
const sampleAcceptance = { version: '2025-01-01', at: '2025-01-02T03:04:05.006Z' }

export const sampleIdentification: Identification = {
  nationality: 'PL',
  identifierType: 'PNO',
  issuingCountry: 'PL',
  identificationNumber: '44051401458',
  birthDate: '1944-05-14',
  birthPlace: 'Szczebrzeszyn',
  document: { type: 'DO', number: 'ABA300000', validTo: '2034-05-02', issuedBy: 'Burmistrz Szczebrzeszyna' },
}
