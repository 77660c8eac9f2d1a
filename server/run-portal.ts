import { createServer, Server } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import {
  botCheckOf,
  countryOf,
  documentsOf,
  mailOf,
  malwareOf,
  remoteSigningOf,
  revocationOf,
  smsOf,
  timestampAccountsOf,
  timestampsOf,
  trustOf,
  verificationOf,
} from './adapters.ts'
import { raiseAlarm } from './alarms.ts'
import { startRenewingArchives } from './archives.ts'
import { buildApp } from './app.ts'
import type { Configuration } from './configuration.ts'
import { dataDirectory, lockDirectory, makeDatabaseDirectory, masterKeys } from './data-directory.ts'
import { openDatabase } from './db.ts'
import { deliveriesOf } from './deliveries.ts'
import { startPostgres } from './embedded-postgres.ts'
import { startSigningHeads, startTidying } from './housekeeping.ts'
import { tellKnownKeys } from './known-keys.ts'
import { listenOn } from './listen.ts'
import { logger } from './log.ts'
import { migrate } from './migrate.ts'
import type { openMetrics } from './metrics.ts'
import { alarmRaised, backgroundFailed } from './observed.ts'
import { openKeys } from './open-keys.ts'
import { openOperations } from './operations-listener.ts'
import { startSending } from './outbox.ts'
import { startTellingOfEnds } from './package-notices.ts'
import { openPasswordHasher, standardCost } from './password-hash.ts'
import { pepperOf, startPeppering } from './password-pepper.ts'
import { openPdfWork, type PdfWork } from './pdf-work.ts'
import type { Portal, Settings } from './portal.ts'
import { openReadiness, type Readiness } from './readiness.ts'
import { canLeaveRole, openRequestsLogin } from './requests-login.ts'
import { sealClearDocuments, sealedDocuments } from './sealed-documents.ts'
import { startReminding } from './signature-reminders.ts'
import type { Traces } from './traces.ts'
import { startLookingAfterSignatures } from './unsigned-agreements.ts'
import { webhookQueue, withAlarm } from './webhooks.ts'
import { webhooksByHttp } from './ports/webhooks-http.ts'
import { Unstartable } from './unstartable.ts'
import { version } from './version.ts'

/** Where a portal writes its log and its notices. */
export type Output = Record<'out' | 'error', (text: string) => void>

/** Undone at the end, newest first. */
type Closers = (() => Promise<void> | void)[]

/**
 * Starts the whole portal, with everything that works in the background, from a configuration that has been read. `stop` may
 * be called at any time; an aborted `hurry` spares the wait until balancers have noticed (R95).
 */
export function runPortal(configuration: Configuration, output: Output, pdfWork = openPdfWork()) {
  const closers: Closers = []
  let readiness: Readiness | undefined
  const started = start({ configuration, output, pdfWork }, closers, (opened) => (readiness = opened))

  async function stop({ hurry }: { hurry?: AbortSignal } = {}) {
    // Balancers look every few seconds; until they have looked, they go on sending requests (R95).
    readiness?.stop()
    if (readiness) await wait(configuration.stopDelay * 1000, undefined, hurry && { signal: hurry }).catch(() => {})
    for (const close of closers.toReversed()) {
      try {
        await close()
      } catch (error) {
        output.error(`While stopping: ${(error as Error).message}\n`)
      }
    }
  }

  return { started, stop }
}

async function start(
  { configuration, output, pdfWork }: { configuration: Configuration; output: Output; pdfWork: PdfWork },
  closers: Closers,
  opened: (readiness: Readiness) => void,
): Promise<void> {
  const directory = dataDirectory(configuration.dataDirectory)
  // Before the database, so that a second start on the same port or folder fails and touches nothing.
  await demandFreePort('PORT', configuration.port, configuration.host)
  if (configuration.metricsPort !== undefined)
    await demandFreePort('METRICS_PORT', configuration.metricsPort, configuration.metricsHost)
  await demandOpenPort(configuration)
  closers.push(lockDirectory(directory))

  const masters = masterKeys(configuration, directory)
  const { databaseUrl, ownerUrl } = await openMigratedDatabase(configuration, directory, closers)
  const keys = await openKeys(ownerUrl, masters)
  const { db, connections, close } = openDatabase(databaseUrl, {
    connections: configuration.databaseConnections,
    auditKey: keys.audit,
  })
  closers.push(close)
  const apart = openDatabase(databaseUrl, { connections: 1, patienceMs: 3000 })
  closers.push(apart.close)
  const readiness = openReadiness(apart.db)
  opened(readiness)
  const metrics = await metricsOf(configuration, { db: apart.db, connections, readiness }, closers)
  const traces = await tracesOf(configuration, closers)
  let heads: Awaited<ReturnType<typeof startSigningHeads>> | undefined
  // After the last request, and before the database is closed: what a node has recorded is signed when it goes.
  closers.push(() => heads?.stop())

  const files = documentsOf(configuration, join(directory, 'documents'))
  const documents = sealedDocuments(db, keys, files)
  await sealClearDocuments(db, files, documents)

  const hasher = await openPasswordHasher(standardCost, keys.pepper)
  closers.push(() => hasher.close())
  closers.push(() => pdfWork.close())
  const publicUrl = configuration.publicUrl ?? `http://127.0.0.1:${configuration.port}`
  const realMail = mailOf(configuration, publicUrl)
  const address = `http://127.0.0.1:${configuration.port}`
  // Loaded only when it is wanted: a provider's own portal has no embedded provider in its memory.
  const demonstration = configuration.demonstration
    ? await import('./demonstration.ts').then(({ openDemonstration }) =>
        openDemonstration({ directory, publicUrl, ownUrl: address, mail: realMail }),
      )
    : undefined
  const mail = demonstration?.mail ?? realMail!
  closers.push(() => mail.close())
  const trust = trustOf(configuration, demonstration?.trust)
  const revocation = revocationOf(configuration, trust, demonstration ? [new URL(publicUrl).host] : [])
  const portal: Portal = {
    db,
    keys,
    hasher,
    pdfWork,
    settings: settingsOf(configuration, publicUrl),
    ports: {
      mail,
      sms: smsOf(configuration) ?? demonstration!.sms,
      botCheck: botCheckOf(configuration, { db, keys, publicUrl }),
      country: countryOf(configuration),
      documents,
      timestampAccounts: demonstration?.timestampAccounts ?? timestampAccountsOf(configuration),
      verification: verificationOf(configuration, pdfWork, trust, revocation),
      revocation,
      malware: malwareOf(configuration),
      remoteSigning: remoteSigningOf(configuration) ?? demonstration?.remoteSigning,
      timestamps: timestampsOf(configuration) ?? demonstration?.timestamps,
      webhooks: webhooksByHttp,
      alarms: {
        raise: (alarm) => {
          alarmRaised.tell({ alarm: alarm.name })
          app.log.warn({ alarm }, 'alarm')
        },
      },
    },
  }

  const app = await buildApp(portal, {
    logger: {
      ...logger,
      level: configuration.logLevel,
      stream: { write: output.out },
      ...(traces && { mixin: () => traceField(traces) }),
    },
    readiness,
    refuseForwarded: configuration.demonstration && !configuration.demonstrationPublic,
    observe: (one) => [metrics, traces].forEach((observer) => observer?.observe(one)),
  })
  if (demonstration) await demonstration.register(app)
  if (await canLeaveRole(db))
    app.log.warn(
      'the database login of requests can leave its role: give DATABASE_OWNER_URL a login of its own, see docs/guides/operate.md',
    )
  closers.push(() => stopServing(app, { behindProxy: configuration.trustedProxies.length > 0 }))
  const report = (error: unknown) => {
    backgroundFailed.tell({})
    app.log.error({ err: error }, 'background work failed')
  }
  heads = await startSigningHeads(db, keys, directory, report)
  await app.listen({ port: configuration.port, host: configuration.host })
  if (metrics && configuration.metricsPort !== undefined) {
    const door = { port: configuration.metricsPort, host: configuration.metricsHost }
    const operations = await openOperations(door, { metrics, readiness })
    closers.push(operations.close)
  }
  const listen = listenOn(databaseUrl, (client) => tellKnownKeys(client, keys))
  const peppering = await startPeppering(db, hasher, pepperOf(keys.pepper), report)
  closers.push(() => peppering.stop())
  const sending = startSending(db, keys, deliveriesOf(portal), listen, report)
  closers.push(() => sending.stop())
  const telling = startSending(
    db,
    keys,
    deliveriesOf(portal),
    listenOn(databaseUrl),
    withAlarm(portal, report),
    webhookQueue,
  )
  closers.push(() => telling.stop())
  const tidying = startTidying(portal, report)
  closers.push(() => tidying.stop())
  const noticing = startTellingOfEnds(portal, report)
  closers.push(() => noticing.stop())
  const reminding = startReminding(portal, report)
  closers.push(() => reminding.stop())
  const signatures = startLookingAfterSignatures(portal, report)
  closers.push(() => signatures.stop())

  void startPdfProcess(portal).catch(report)
  const archives = startRenewingArchives(portal, report)
  closers.push(() => archives.stop())

  // The demonstration's provider gets client keys, as an operator would give them.
  if (demonstration) {
    const operator = openDatabase(ownerUrl, { connections: 2, auditKey: keys.audit, asOwner: true })
    closers.push(operator.close)
    await demonstration.fill(operator.db, portal.settings, address)
    const timestamps = await demonstration.tellOfTimestamps(operator.db, address, report)
    closers.push(() => timestamps.stop())
    const desk = await demonstration.workAtDesk(operator.db, address, report)
    closers.push(() => desk.stop())
  }
  output.out(`Sygnet is at ${publicUrl}\n${demonstration?.notice() ?? ''}`)
}

/** The first file need not wait for its process; and the operator learns what does not confine it on this system (R108). */
async function startPdfProcess(portal: Portal) {
  const { kernelFilter, ownUser } = await portal.pdfWork.start()
  const missing = [...(kernelFilter ? [] : ['kernel-filter']), ...(ownUser || process.getuid?.() ? [] : ['own-user'])]
  for (const about of missing) raiseAlarm(portal, { name: 'pdf-process-unconfined', about })
}

/** Loaded only where they are wanted, as all that is observed. */
async function metricsOf({ metricsPort }: Configuration, sources: Parameters<typeof openMetrics>[0], closers: Closers) {
  if (metricsPort === undefined) return undefined
  const metrics = (await import('./metrics.ts')).openMetrics(sources)
  closers.push(metrics.close)
  return metrics
}

async function tracesOf({ tracesUrl, tracesPercent, trustedProxies }: Configuration, closers: Closers) {
  if (!tracesUrl) return undefined
  const [{ openTraces }, { tracesByOtlp }] = await Promise.all([
    import('./traces.ts'),
    import('./ports/traces-otlp.ts'),
  ])
  const traces = openTraces({ send: tracesByOtlp({ url: tracesUrl, version }), percent: tracesPercent, trustedProxies })
  closers.push(traces.close)
  return traces
}

const traceField = (traces: Traces) => {
  const trace = traces.current()
  return trace ? { trace } : {}
}

/** The operator's database, or the embedded one, where the two rights are always kept apart. */
async function openMigratedDatabase(
  { databaseUrl, databaseOwnerUrl }: Configuration,
  directory: string,
  closers: Closers,
) {
  if (databaseUrl) {
    const ownerUrl = databaseOwnerUrl ?? databaseUrl
    await migrate(ownerUrl)
    return { databaseUrl, ownerUrl }
  }
  const place = makeDatabaseDirectory(directory)
  const database = await startPostgres(place)
  closers.push(() => database.stop())
  await migrate(database.url)
  return {
    databaseUrl: await openRequestsLogin(database.url, join(place, 'password-requests')),
    ownerUrl: database.url,
  }
}

function settingsOf(configuration: Configuration, publicUrl: string): Settings {
  const { port, brand, assets, trustedProxies, demonstration } = configuration
  const own = new URL(publicUrl).host
  return {
    publicUrl,
    // The demonstration is reached on this machine, by whichever of its names.
    hosts: demonstration ? [own, `127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`] : [own],
    brand,
    apiBase: '/api',
    assets,
    trustedProxies,
    session: { idle: configuration.sessionIdle, absolute: configuration.sessionAbsolute },
    resetDelay: configuration.resetDelay,
    sends: { perNumber: configuration.smsPerNumber, perAddress: configuration.smsPerAddress },
    sms: {
      sending: configuration.smsSending,
      countries: configuration.smsCountries,
      perRange: configuration.smsPerRange,
    },
    requestsPerSecond: configuration.requestsPerSecond,
    sealUsers: configuration.sealUsers,
    webhookHosts: configuration.webhookHosts,
    archives: {
      renewalDays: configuration.archiveRenewalDays,
      renewStampedBefore: configuration.archiveRenewStampedBefore,
    },
    security: { contacts: configuration.securityContacts, policy: configuration.securityPolicy },
    featuresOff: configuration.featuresOff,
    demonstration,
    webDirectory: join(import.meta.dirname, '../dist/web'),
  }
}

const demandFreePort = (name: 'PORT' | 'METRICS_PORT', port: number, host: string) =>
  new Promise<void>((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => reject(portFault(name, error)))
    probe.listen(port, host, () => probe.close(() => resolve()))
  })

/** Why a port cannot be had, as a sentence. */
function portFault(name: 'PORT' | 'METRICS_PORT', error: NodeJS.ErrnoException): Error {
  const example = name === 'PORT' ? 'PORT=3001 npm start' : 'METRICS_PORT=9465'
  const the = name === 'PORT' ? 'The port' : 'The port of METRICS_PORT'
  if (error.code === 'EADDRINUSE')
    return new Unstartable(
      `${the} is taken: another program listens on it. Stop that program, or choose another port, as in ${example}.`,
    )
  if (error.code === 'EACCES')
    return new Unstartable(`${the} may not be used by this user. Choose one above 1023, as in ${example}.`)
  if (error.code === 'EADDRNOTAVAIL')
    return new Unstartable(`${name === 'PORT' ? 'HOST' : 'METRICS_HOST'} is not an address of this machine.`)
  return error
}

/**
 * The demonstration is opened in a browser at its own port, and browsers refuse those of other services (WHATWG Fetch, port
 * blocking); so does `fetch`, which therefore knows them. Behind a balancer any port will do.
 */
async function demandOpenPort({ demonstration, port }: Configuration): Promise<void> {
  if (!demonstration) return
  const refusal = await fetch(`http://127.0.0.1:${port}`).catch((error: Error) => error.cause)
  if (refusal instanceof Error && refusal.message === 'bad port')
    throw new Unstartable(
      `Browsers refuse to open port ${port}, because it belongs to another service. Choose another port, as in PORT=3001 npm start.`,
    )
}

/** Lets running requests end, but no longer than ten seconds (R95); idle connections are closed at once, unless a proxy keeps them. */
async function stopServing(app: FastifyInstance, { behindProxy }: { behindProxy: boolean }) {
  const force = setTimeout(() => app.server.closeAllConnections(), 10_000)
  if (behindProxy) await letGo(app.server)
  await app.close()
  clearTimeout(force)
}

/** Longer than a proxy should keep a connection to us that has nothing to do (docs/examples/nginx). */
const keptByProxyMs = 6000

/**
 * A connection that we end may have a request on its way, and a proxy sends no POST a second time. So nobody new is let in,
 * what is answered ends its connection, and the proxy lets go of the others by itself (R95).
 */
async function letGo(server: FastifyInstance['server']) {
  // Not that of `http`, which ends idle connections.
  Server.prototype.close.call(server)
  server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'))
  const began = performance.now()
  const open = () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)))
  while ((await open()) > 0) {
    if (performance.now() - began > keptByProxyMs) server.closeIdleConnections()
    await wait(50)
  }
}
