import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import {
  chooseAppActivation,
  chooseBotCheck,
  chooseCertificateStatus,
  chooseCountry,
  chooseDocumentStore,
  documentsPlaceOf,
  chooseMail,
  chooseMalware,
  chooseRemoteSigning,
  chooseRevocation,
  chooseSms,
  chooseTimestampAccounts,
  chooseTimestamps,
  chooseTrustedLists,
  chooseTrust,
  chooseVerification,
} from './adapters/choose-adapters.ts'
import { webhooksByHttp } from './adapters/webhooks-http.ts'
import { buildApp } from './app.ts'
import { runCheck } from './checks/check.ts'
import { createChecks } from './checks/checks.ts'
import type { openDemonstration } from './demonstration/demonstration.ts'
import { features } from './features.ts'
import { raiseAlarm } from './platform/audit/alarms.ts'
import { signingJob, startSigningHeads } from './platform/audit/audit-head.ts'
import { openPasswordHasher } from './platform/authentication/password-hash.ts'
import type { Configuration, DeskConfiguration } from './platform/configuration/configuration.ts'
import { dataDirectory, lockDirectory } from './platform/configuration/data-directory.ts'
import { listenersOf, requireFreePort } from './platform/configuration/listeners.ts'
import { ConfigurationError } from './platform/configuration/startup-error.ts'
import { connect } from './platform/database/database.ts'
import { holdConnection } from './platform/database/held-connection.ts'
import { runOneAtATime } from './platform/database/migrate.ts'
import { publishKnownKeys } from './platform/encrypted-data/open-keys.ts'
import { requireDocumentsStore, lockDocumentsFolder } from './platform/files/documents-store.ts'
import { encryptedDocuments } from './platform/files/encrypted-documents.ts'
import type { AppOptions } from './platform/http/open-app.ts'
import { stopServing } from './platform/http/stop-serving.ts'
import { startJobs } from './platform/jobs/jobs.ts'
import { startSending } from './platform/messages/outbox.ts'
import { alarmRaised } from './platform/observability/events.ts'
import { logger } from './platform/observability/log.ts'
import { errorMessage } from './platform/observability/skipped-causes.ts'
import type { Traces } from './platform/observability/traces.ts'
import { version } from './platform/observability/version.ts'
import {
  openReports,
  auditMonthsJob,
  nodeJobs,
  openNodeReport,
  type NodeFinding,
} from './platform/operations/background-reports.ts'
import { createDeliveries } from './platform/operations/deliveries.ts'
import type { Metrics } from './platform/operations/metrics.ts'
import { openDatabases, type Closers, type Databases } from './platform/operations/open-databases.ts'
import { openOperations } from './platform/operations/operations-listener.ts'
import {
  openReadiness,
  type Readiness,
  signingServiceJob,
  watchSigningService,
} from './platform/operations/readiness.ts'
import { tidyingJob } from './platform/operations/tidying.ts'
import { openPdfWork, type PdfWork } from './platform/pdf/pdf-work.ts'
import type { Portal } from './platform/portal.ts'
import type { Alarm } from './platform/ports.ts'
import type { Settings } from './platform/settings.ts'
import { listedAnchors } from './trusted-lists/trusted-list-store.ts'
import { webhookQueue, withAlarm } from './webhooks/webhooks.ts'

/** The jobs of every node. */
const jobs = [tidyingJob, auditMonthsJob, ...features.flatMap((feature) => feature.jobs ?? [])]
const jobNames = [signingJob, ...jobs.map(({ name }) => name)]

/** Functions by which the portal writes its log and messages. */
export type Output = Record<'out' | 'error', (text: string) => void>

/**
 * Starts the whole portal, including background work, from a configuration. `stop` may be called at any time; aborting `skipDrain`
 * skips the wait for balancers (R95).
 */
export function runPortal(configuration: Configuration, output: Output, pdfWork = openPdfWork()) {
  const closers: Closers = []
  let readiness: Readiness | undefined
  const started = start({ configuration, output, pdfWork }, closers, (opened) => (readiness = opened))

  async function stop({ skipDrain }: { skipDrain?: AbortSignal } = {}) {
    // Balancers check every few seconds and send requests until then (R95).
    readiness?.stop()
    if (readiness)
      await wait(configuration.stopDelaySeconds * 1000, undefined, skipDrain && { signal: skipDrain }).catch(() => {})
    for (const close of closers.toReversed()) {
      try {
        await close()
      } catch (error) {
        output.error(`While stopping: ${errorMessage(error)}\n`)
      }
    }
  }

  return { started, stop }
}

/** What the stages of a start share. */
type Opening = {
  configuration: Configuration
  output: Output
  closers: Closers
  directory: string
  databases: Databases
  readiness: Readiness
}

async function start(
  { configuration, output, pdfWork }: { configuration: Configuration; output: Output; pdfWork: PdfWork },
  closers: Closers,
  opened: (readiness: Readiness) => void,
): Promise<void> {
  const warn = (problem: string) => output.error(`Warning: ${problem}\n`)
  for (const warning of configuration.warnings) warn(warning)
  const directory = await claimDirectory(configuration, closers)
  const databases = await openDatabases(configuration, directory, closers)
  const readiness = openReadiness(databases.readinessDb)
  opened(readiness)
  const opening: Opening = { configuration, output, closers, directory, databases, readiness }
  const observers = {
    metrics: await openMetricsServer(opening),
    traces: await openTracing(opening),
  }
  const documents = await openDocumentStore(opening, warn)
  const services = await openServices(opening, { documents, pdfWork }, () => listeners.app.log)
  const listeners = await openListeners(opening, services, observers)
  await startBackground(opening, services, listeners)
}

/** Checks the ports and locks the folder before the database is opened, so that a second start on them fails without any change. */
async function claimDirectory(configuration: Configuration, closers: Closers): Promise<string> {
  const directory = dataDirectory(configuration.dataDir)
  for (const listener of listenersOf(configuration)) await requireFreePort(listener)
  await requireBrowserPort(configuration)
  closers.push(lockDirectory(directory))
  return directory
}

/** Opens everything that requests and background work need, the demonstration's provider included. */
async function openServices(
  { configuration, closers, directory, databases: { db, keys } }: Opening,
  { documents, pdfWork }: { documents: Portal['ports']['documents']; pdfWork: PdfWork },
  log: () => FastifyInstance['log'],
) {
  const hasher = await openPasswordHasher(keys.pepper)
  closers.push(() => hasher.close())
  closers.push(() => pdfWork.close())
  const address = `http://127.0.0.1:${configuration.port}`
  const publicUrl = configuration.publicUrl ?? address
  const realMail = chooseMail(configuration, publicUrl)
  // Loaded only if needed, so a production portal does not have the embedded provider in memory.
  const demonstration = configuration.demonstration
    ? await import('./demonstration/demonstration.ts').then(({ openDemonstration }) =>
        openDemonstration({ directory, publicUrl, ownUrl: address, mail: realMail }),
      )
    : undefined
  const mail = demonstration?.mail ?? realMail
  const sms = chooseSms(configuration) ?? demonstration?.sms
  if (!mail || !sms) throw new ConfigurationError('The configuration has no mail server or no SMS gateway.')
  closers.push(() => mail.close())
  const parts = { db, keys, hasher, pdfWork, settings: createSettings(configuration, publicUrl) }
  const ports = createPorts(configuration, parts, demonstration, log)
  const portal: Portal = { features, ...parts, ports: { ...ports, mail, sms, documents } }
  return { portal, demonstration, address }
}

type Services = Awaited<ReturnType<typeof openServices>>

/** Opens the listeners for customers and the provider, for operations and for staff. */
async function openListeners(
  opening: Opening,
  { portal, demonstration }: Services,
  { metrics, traces }: { metrics: Metrics | undefined; traces: Traces | undefined },
) {
  const { configuration, output, closers, directory, databases, readiness } = opening
  const { db, keys } = databases
  let heads: Awaited<ReturnType<typeof startSigningHeads>> | undefined
  // After the last request and before the database is closed: a stopping node signs its audit entries.
  closers.push(() => heads?.stop())
  const appOptions = appOptionsOf(configuration, output, metrics, traces)
  const app = await buildApp(portal, { ...appOptions, readiness })
  if (demonstration) await demonstration.register(app)
  const { remoteSigning } = portal.ports
  const signingServiceCheck =
    configuration.cscUrl && remoteSigning ? await watchSigningService(remoteSigning, readiness, app.log) : undefined
  closers.push(() => stopServing(app, { isBehindProxy: configuration.trustedProxies.length > 0 }))
  const reportOf = openReports(app.log, app.skippedErrors)
  heads = await startSigningHeads(db, keys, directory, reportOf(signingJob))
  await app.listen({ port: configuration.port, host: configuration.host, listenTextResolver: () => 'server listening' })
  if (metrics && configuration.metricsPort !== undefined) {
    const listener = { port: configuration.metricsPort, host: configuration.metricsHost }
    const operations = await openOperations(listener, { metrics, readiness })
    closers.push(operations.close)
  }
  const desk = await openDesk(opening, portal, appOptions)
  return { app, desk, reportOf, signingServiceCheck }
}

/** Starts the work that no request waits for, and tells the operator that the portal has started. */
async function startBackground(
  { configuration, output, closers, databases: { db, keys, ownerUrl, directUrl } }: Opening,
  { portal, demonstration, address }: Services,
  { app, desk, reportOf, signingServiceCheck }: Awaited<ReturnType<typeof openListeners>>,
): Promise<void> {
  const knownKeys = holdConnection(directUrl, (client) => publishKnownKeys(client, keys))
  closers.push(() => knownKeys.close())
  const nodeReport = configuration.desk && openNodeReport(db, () => Readable.from(runChecks(configuration)).toArray())
  const ownJobs = [...(signingServiceCheck ? [signingServiceCheck] : []), ...(nodeReport?.jobs ?? [])]
  startSendingAndJobs(portal, ownJobs, reportOf, closers)
  if (nodeReport) closers.push(nodeReport.close)
  void startPdfProcess(portal).catch(reportOf('start-pdf-process'))

  if (demonstration)
    await startProvider(demonstration, portal, { ownerUrl, address }, reportOf('demonstration'), closers)
  logStart(app.log, configuration)
  if (demonstration) {
    // For the person at the terminal; in production standard output is the log only.
    const { publicUrl } = portal.settings
    output.out(`Sygnet is at ${publicUrl}\n${demonstration.notice()}${desk ? `Desk for staff: ${desk}/desk\n` : ''}`)
    return
  }
  // The demonstration has its own database and services.
  void runChecksOfStart(configuration, app.log, closers)
    .then((findings) => findings && nodeReport?.found(findings))
    .catch(reportOf('check'))
}

async function openDocumentStore(
  { configuration, directory, databases: { db, keys, ownerUrl, directUrl }, closers }: Opening,
  warn: (problem: string) => void,
) {
  const documentsDirectory = join(directory, 'documents')
  const files = chooseDocumentStore(configuration, documentsDirectory)
  // No other node uses the embedded database.
  if (configuration.databaseUrl) {
    const unchecked = await requireDocumentsStore(ownerUrl, files, documentsPlaceOf(configuration, documentsDirectory))
    if (unchecked) warn(unchecked)
    if (!configuration.s3Url) {
      const lock = await lockDocumentsFolder(directUrl, documentsDirectory, warn)
      closers.push(lock.close)
    }
  }
  return encryptedDocuments(db, keys, files)
}

/** Returns the ports whose implementations need nothing to be closed. */
function createPorts(
  configuration: Configuration,
  { db, keys, pdfWork, settings: { publicUrl } }: Pick<Portal, 'db' | 'keys' | 'pdfWork' | 'settings'>,
  demonstration: Demonstration | undefined,
  log: () => FastifyInstance['log'],
) {
  const trustedLists = chooseTrustedLists(configuration, demonstration?.trustedLists, (problem) =>
    log().warn({ problem }, 'a trusted list cannot be used'),
  )
  const trust = chooseTrust(configuration, demonstration?.trust, trustedLists && listedAnchors(db, trustedLists))
  const revocation = chooseRevocation(configuration, trust, demonstration ? [new URL(publicUrl).host] : [])
  const signingService = chooseRemoteSigning(configuration, (skipped) =>
    log().warn({ skipped }, 'credentials of the signing service are not supported'),
  )
  return {
    botCheck: chooseBotCheck(configuration, { db, keys, publicUrl }),
    country: chooseCountry(configuration),
    appActivation: chooseAppActivation(configuration, demonstration?.activation, (problem) =>
      log().warn({ problem }, 'the service that activates signing apps cannot be used'),
    ),
    certificateStatus: chooseCertificateStatus(configuration, demonstration?.certificateStatus),
    timestampAccounts: demonstration?.timestampAccounts ?? chooseTimestampAccounts(configuration),
    verification: chooseVerification(configuration, pdfWork, trust, revocation),
    trust,
    revocation,
    malware: chooseMalware(configuration),
    remoteSigning:
      signingService ?? (configuration.featuresOff.includes('signing') ? undefined : demonstration?.remoteSigning),
    timestamps: chooseTimestamps(configuration) ?? demonstration?.timestamps,
    webhooks: webhooksByHttp,
    trustedLists,
    alarms: {
      raise: (alarm: Alarm) => {
        alarmRaised.publish({ alarm: alarm.name })
        log().warn({ alarm }, 'alarm')
      },
    },
  }
}

const appOptionsOf = (
  { logLevel, demonstration, demonstrationPublic }: Configuration,
  output: Output,
  metrics: Metrics | undefined,
  traces: Traces | undefined,
) => ({
  logger: {
    ...logger,
    level: logLevel,
    stream: { write: output.out },
    ...(traces && { mixin: () => traceField(traces) }),
  },
  refuseForwarded: demonstration && !demonstrationPublic,
  observe: (instance: FastifyInstance) => [metrics, traces].forEach((observer) => observer?.observe(instance)),
})

/** Starts the sending of messages and webhooks, and the jobs. */
function startSendingAndJobs(
  portal: Portal,
  ownJobs: Parameters<typeof startJobs>[0],
  reportOf: ReturnType<typeof openReports>,
  closers: Closers,
) {
  const sender = { ...portal, deliveries: createDeliveries(portal) }
  const sending = startSending({ ...sender, report: reportOf('send-messages') })
  closers.push(() => sending.stop())
  const reportWebhook = withAlarm(portal, reportOf('send-webhooks'))
  const webhookSending = startSending({ ...sender, report: reportWebhook, queue: webhookQueue })
  closers.push(() => webhookSending.stop())
  const portalJobs = jobs.map(({ run, ...job }) => ({ ...job, run: () => run(portal, reportOf(job.name)) }))
  closers.push(startJobs([...portalJobs, ...ownJobs], reportOf).stop)
}

type Demonstration = Awaited<ReturnType<typeof openDemonstration>>

/** Starts the demonstration's provider, which gets client keys, as from an operator. */
async function startProvider(
  demonstration: Demonstration,
  { keys, settings }: Portal,
  { ownerUrl, address }: { ownerUrl: string; address: string },
  report: (error: unknown) => void,
  closers: Closers,
) {
  const operator = connect(ownerUrl, { connections: 2, auditKey: keys.audit, asOwner: true })
  closers.push(operator.close)
  // One node after another, because each replaces the client keys of the one before.
  await runOneAtATime(ownerUrl, 'sygnet-demonstration', async () => {
    await demonstration.fill(operator.db, settings, address)
    const timestamps = await demonstration.reportTimestamps(operator.db, address, report)
    closers.push(() => timestamps.stop())
    const backOffice = await demonstration.startBackOffice(operator.db, address, report)
    closers.push(() => backOffice.stop())
  })
}

/** Logs which version serves, also at the default level. The demonstration prints its address on the terminal instead. */
function logStart(log: FastifyInstance['log'], { demonstration }: Configuration) {
  const { level } = log
  if (level === 'warn' && !demonstration) log.level = 'info'
  log.info({ version }, 'the portal has started')
  log.level = level
}

/**
 * Logs the problems that `sygnet check` finds, and returns all findings. It runs after the start, because a node starts also while a
 * service is down (OPS-17).
 */
async function runChecksOfStart(configuration: Configuration, log: FastifyInstance['log'], closers: Closers) {
  const stopping = new AbortController()
  closers.push(() => stopping.abort())
  const findings: NodeFinding[] = []
  for await (const finding of runChecks(configuration)) {
    if (stopping.signal.aborted) return undefined
    findings.push(finding)
    const { name, status, text } = finding
    if (status === 'warning' || status === 'failed')
      log.warn({ check: name, problem: text }, 'the start found a problem')
  }
  log.info('the checks of the start are done')
  return findings
}

/** Runs the checks of `sygnet check`. */
async function* runChecks(configuration: Configuration): AsyncGenerator<NodeFinding> {
  for (const check of createChecks(configuration, {})) yield { name: check.name, ...(await runCheck(check)) }
}

/** Starts a process before the first file needs it, and alarms the operator if this system cannot confine it fully (R108). */
async function startPdfProcess(portal: Portal) {
  const { kernelFilter, ownUser } = await portal.pdfWork.start()
  const missing = [...(kernelFilter ? [] : ['kernel-filter']), ...(ownUser || process.getuid?.() ? [] : ['own-user'])]
  for (const about of missing) raiseAlarm(portal, { name: 'pdf-process-unconfined', about })
}

/** Opens the metrics. They are loaded only if configured, like traces. */
async function openMetricsServer({ configuration, databases, readiness, closers }: Opening) {
  const { metricsPort, cscUrl, desk } = configuration
  const { readinessDb: db, connections } = databases
  if (metricsPort === undefined) return undefined
  const allJobs = [...jobNames, ...(cscUrl ? [signingServiceJob] : []), ...(desk ? nodeJobs : [])]
  const { openMetrics } = await import('./platform/operations/metrics.ts')
  const metrics = openMetrics({ db, connections, readiness, jobNames: allJobs })
  closers.push(metrics.close)
  return metrics
}

/** Opens the desk of the provider's staff on its own listener (DSK-1), and returns its origin. */
async function openDesk(
  { configuration: { desk, trustedProxies }, databases: { ownerUrl }, directory, closers }: Opening,
  portal: Portal,
  options: AppOptions,
) {
  if (!desk) return undefined
  const [{ buildDesk }, { staffSignInByOidc }] = await Promise.all([
    import('./desk/desk-app.ts'),
    import('./adapters/staff-sign-in-oidc.ts'),
  ])
  const provider = desk.provider ?? (await openOwnProvider(desk, closers))
  const signIn = staffSignInByOidc({ ...provider, redirectUrl: `${desk.url}/desk/callback` })
  const owner = connect(ownerUrl, { connections: 1, auditKey: portal.keys.audit, asOwner: true })
  closers.push(owner.close)
  const surroundings = { publicUrl: desk.url, hosts: [new URL(desk.url).host], directory, ownerDb: owner.db }
  const app = await buildDesk(portal, signIn, surroundings, options)
  closers.push(() => stopServing(app, { isBehindProxy: trustedProxies.length > 0 }))
  await app.listen({ port: desk.port, host: desk.host, listenTextResolver: () => 'server listening' })
  return desk.url
}

async function openOwnProvider(desk: DeskConfiguration, closers: Closers) {
  const { openStaffLogin } = await import('./demonstration/staff-login.ts')
  const { close, ...provider } = await openStaffLogin(desk.url)
  closers.push(close)
  return provider
}

async function openTracing({ configuration: { tracesUrl, tracesPercent, trustedProxies }, closers }: Opening) {
  if (!tracesUrl) return undefined
  const [{ openTraces }, { tracesByOtlp }] = await Promise.all([
    import('./platform/observability/traces.ts'),
    import('./adapters/traces-otlp.ts'),
  ])
  const traces = openTraces({ send: tracesByOtlp(tracesUrl), version, percent: tracesPercent, trustedProxies })
  closers.push(traces.close)
  return traces
}

const traceField = (traces: Traces) => {
  const trace = traces.current()
  return trace ? { trace } : {}
}

function createSettings(configuration: Configuration, publicUrl: string): Settings {
  const { port, brand, assetsUrl: assets, trustedProxies, demonstration } = configuration
  const own = new URL(publicUrl).host
  return {
    publicUrl,
    // The demonstration is reached on this machine by any of its names.
    hosts: demonstration ? [own, `127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`] : [own],
    brand,
    apiBase: '/api',
    assets,
    trustedProxies,
    session: { idle: configuration.sessionIdleSeconds, absolute: configuration.sessionAbsoluteSeconds },
    resetDelay: configuration.resetDelayHours * 3600,
    areDeskReadsShown: configuration.deskReadsShown,
    hasDeskTasks: configuration.deskTasks,
    sends: { perNumber: configuration.smsPerNumber, perAddress: configuration.smsPerAddress },
    sms: {
      sending: configuration.smsSending,
      countries: configuration.smsCountries,
      perRange: configuration.smsPerRange,
    },
    requestsPerSecond: configuration.requestsPerSecond,
    sealUsers: configuration.sealUsers,
    webhookHosts: configuration.webhookHosts,
    renewalTemplates: configuration.renewalTemplates,
    archives: {
      renewalDays: configuration.archiveRenewalDays,
      renewStampedBefore: configuration.archiveRenewStampedBefore,
    },
    security: { contacts: configuration.securityContact, policy: configuration.securityPolicyUrl },
    featuresOff: configuration.featuresOff,
    hasApiReference: configuration.apiReference,
    isDemonstration: demonstration,
    webDirectory: join(import.meta.dirname, '../dist/web'),
  }
}

/**
 * Throws if browsers refuse the port of the demonstration because it belongs to another service (WHATWG Fetch, port blocking). `fetch`
 * refuses such a port too, and is used as the test. The demonstration is opened at its own port; behind a balancer any port works.
 */
async function requireBrowserPort({ demonstration, port }: Configuration): Promise<void> {
  if (!demonstration) return
  const refusal = await fetch(`http://127.0.0.1:${port}`).catch((error: Error) => error.cause)
  if (refusal instanceof Error && refusal.message === 'bad port')
    throw new ConfigurationError(
      `Browsers refuse to open port ${port}, because it belongs to another service: set PORT to another port.`,
    )
}
