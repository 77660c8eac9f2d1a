import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { limits } from '../../contract/limits.ts'
import { clientScopes, type ClientScope } from '../../contract/provider/client-keys.ts'
import { warsawDay } from '../../contract/rules/warsaw-time.ts'
import { serveAuthority, serveStatusService } from '../../provider/authority/authority-http.ts'
import { openAuthority } from '../../provider/authority/authority.ts'
import { activationBackOffice } from '../../provider/back-office/activation-back-office.ts'
import { startRounds } from '../../provider/back-office/back-office-rounds.ts'
import { documentBackOffice } from '../../provider/back-office/document-back-office.ts'
import { renewalBackOffice } from '../../provider/back-office/renewal-back-office.ts'
import type { Mailbox } from '../../provider/demonstration/customer-browser.ts'
import { fillDocuments, untouchedCases } from '../../provider/demonstration/demonstration-documents.ts'
import { demonstrationPassword, people } from '../../provider/demonstration/demonstration-people.ts'
import { releases } from '../../provider/demonstration/demonstration-software.ts'
import {
  cmsSignerFile,
  fillTimestamps,
  openTimestampAccounts,
  portalTimestamps,
  timestampLogin,
} from '../../provider/demonstration/demonstration-timestamps.ts'
import { fillVouchers } from '../../provider/demonstration/demonstration-vouchers.ts'
import { fillPortal } from '../../provider/demonstration/demonstration.ts'
import { portalClient, type PortalClient } from '../../provider/portal-client.ts'
import { timestampHttp } from '../../provider/timestamp-service/timestamp-http.ts'
import { hashTimestampPassword } from '../../provider/timestamp-service/timestamp-password.ts'
import { startReporting } from '../../provider/timestamp-service/timestamp-reports.ts'
import { TimestampStore } from '../../provider/timestamp-service/timestamp-store.ts'
import { issueClientKey, revokeClientKey } from '../client-keys/client-keys.ts'
import { query, type Db } from '../platform/database/database.ts'
import { contentDisposition } from '../platform/http/content-disposition.ts'
import type { Trust } from '../platform/pdf/pdf-work.ts'
import type { MailPort, TimestampAccountsPort } from '../platform/ports.ts'
import type { Settings } from '../platform/settings.ts'
import { messageBox, serveMessageBox } from './demo-messages.ts'
import { openDemonstrationSigning } from './demonstration-signing.ts'

const backOfficeScopes: ClientScope[] = [
  'document-cases:write',
  'renewals:write',
  'customers:write',
  'signatures:write',
  'seals:write',
  'events:read',
]

type DemonstrationOptions = {
  directory: string
  publicUrl: string
  /** The address of this process. */
  ownUrl: string
  mail: MailPort | undefined
}

/**
 * Opens the demonstration: an embedded trust service provider with test keys, and a message box for all mails and SMS. The provider uses
 * only the portal's HTTP API, like a real one.
 */
export async function openDemonstration(options: DemonstrationOptions) {
  const provider = await openProvider(options)
  const { ownUrl, publicUrl } = options
  const { box, authority, store, signing, now } = provider
  const { activations, keys: signingKeys } = signing

  /** The timestamp authority uses the same store, so a new password works at once. */
  const timestampAccounts: TimestampAccountsPort = {
    setPassword: async (account, password) =>
      store.setPassword(account, await hashTimestampPassword(password)) ? 'changed' : 'refused',
  }

  /** Returns the trusted certificates with their revocation lists, which come from the authority itself and so are always current. */
  const trust = async (): Promise<Trust> => ({
    anchors: [{ certificate: authority.certificates.root }],
    intermediates: [authority.certificates.issuing],
    crls: await Promise.all([authority.readRevocationList('root'), authority.readRevocationList('issuing')]),
  })

  /** Trusted lists, fetched from this process as those of the EU are from their countries. */
  const trustedLists = {
    url: `${ownUrl}/pki/trusted-lists/lotl.xml`,
    certificate: authority.trustedLists.operator,
    host: new URL(publicUrl).host,
  }

  return {
    mail: box.mail,
    sms: box.sms,
    timestampAccounts,
    certificateStatus: { url: `${ownUrl}/demo/certificate-status`, token: provider.statusToken },
    activation: signing.activation,
    remoteSigning: signing.remoteSigning,
    timestamps: signing.timestamps,
    trust,
    trustedLists,
    register: (app: FastifyInstance) => register(provider, app),
    fill: (db: Db, settings: Settings, address: string) => fill(provider, db, settings, address),
    /** Reports all timestamps to the portal while it runs, with a key that is revoked at the end. */
    reportTimestamps: (db: Db, address: string, report: (error: unknown) => void) =>
      startWithKey(db, address, { name: 'demonstration timestamps', scopes: ['timestamp-usage:write'] }, (portal) => [
        startReporting({ store, portal, unlisted: [portalTimestamps] }, report),
      ]),
    /** Processes signed documents and renewals while the portal runs, in the same way. */
    startBackOffice: (db: Db, address: string, report: (error: unknown) => void) =>
      startWithKey(db, address, { name: 'demonstration back office', scopes: backOfficeScopes }, (portal) => [
        startRounds(documentBackOffice({ portal, authority, leaves: untouchedCases }).work, report),
        startRounds(renewalBackOffice({ portal, authority, signingKeys, now }).work, report),
        startRounds(activationBackOffice({ portal, activations, signingKeys }).work, report),
      ]),
    notice: () => noticeOf(provider),
  }
}

type Provider = Awaited<ReturnType<typeof openProvider>>

async function openProvider({ directory, publicUrl, ownUrl, mail }: DemonstrationOptions) {
  const now = () => new Date()
  const box = messageBox({ now, ...(mail && { mail }) })
  const own = join(directory, 'provider')
  const authority = await openAuthority({ directory: own, baseUrl: `${publicUrl}/pki`, now })
  const store = new TimestampStore(join(own, 'timestamps.sqlite'), now)
  const signerPath = join(own, cmsSignerFile)
  await openTimestampAccounts({ store, authority, now: now(), signerPath })
  const signing = await openDemonstrationSigning({ directory, publicUrl, ownUrl, authority, store, sms: box.sms, now })
  // Both sides run in one process, so the token is created at every start.
  const statusToken = randomBytes(32).toString('base64url')
  const codesPath = join(own, 'voucher-codes.json')
  return { directory, publicUrl, box, authority, store, signing, signerPath, codesPath, statusToken, now }
}

/** Serves the authority, timestamps, the signing service, the messages and the programs, only in the demonstration. */
async function register({ authority, store, signing, box, statusToken: token, now }: Provider, app: FastifyInstance) {
  await app.register(async (scope) => serveAuthority(scope, { authority }), { prefix: '/pki' })
  await app.register(async (scope) => serveStatusService(scope, { authority, token }), {
    prefix: '/demo/certificate-status',
  })
  await app.register(async (scope) => timestampHttp(scope, { authority, store, now }), { prefix: '/tsa' })
  await signing.register(app)
  app.addHook('onClose', () => store.close())
  serveMessageBox(app, box)
  app.get<{ Params: { name: string } }>('/demo/downloads/:name', { config: { page: true } }, (request, reply) => {
    const { name } = request.params
    const found = releases.find(({ fileName }) => fileName === name)
    if (!found?.content) return reply.callNotFound()
    return reply
      .type('application/octet-stream')
      .header('content-disposition', contentDisposition(name))
      .send(found.content)
  })
}

/** Waits for a message that is not `known`, and returns what `pattern` finds in it. */
async function awaitMessage(
  { box }: Provider,
  {
    to,
    pattern,
    about = '',
    known,
  }: { to: string; pattern: RegExp; about?: string | undefined; known?: ReadonlySet<unknown> },
): Promise<string> {
  for (let waited = 0; waited < 60_000; waited += 20) {
    for (const message of box.messages()) {
      const isMatch = message.to === to && message.text.includes(about) && !known?.has(message)
      const found = isMatch && pattern.exec(message.text)?.[1]
      if (found) return found
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`No message of ${String(pattern)} reached ${to}.`)
}

/** Waits for a message that arrives after the call. */
const mailboxOf =
  (provider: Provider): Mailbox =>
  (to, pattern, about) => {
    const known = new Set(provider.box.messages())
    return () => awaitMessage(provider, { to, pattern, about, known })
  }

/** Fills a new portal, and again when the day has changed, so that "expires in 12 days" stays true. */
async function fill(provider: Provider, db: Db, { featuresOff }: Settings, address: string): Promise<void> {
  const { directory, publicUrl, authority, store, signing, codesPath, now } = provider
  const mark = join(directory, 'demonstration.json')
  const today = `${warsawDay(now())} ${publicUrl}`
  const isFilled =
    existsSync(mark) &&
    readFileSync(mark, 'utf8') === today &&
    (await query(db).finds(sql`select from signatures limit 1`))
  if (isFilled) return
  const name = 'demonstration'
  // A key left by a crash.
  await revokeClientKey(db, name)
  const { key } = await issueClientKey(db, { name, scopes: clientScopes, perSecond: limits.clientKey.maxPerSecond })
  // On a slow machine, creating so many documents delays answers.
  const client = portalClient({ url: address, clientKey: key, retriesWhenBusy: true })
  const awaitInvitation = (to: string) =>
    awaitMessage(provider, { to, pattern: /\/setup-password\/([A-Za-z0-9_-]{43})/ })
  await fillPortal({ portal: client, authority, signingKeys: signing.keys, now: now(), awaitInvitation })
  await fillTimestamps({ portal: client, store, serverUrl: `${publicUrl}/tsa` })
  const customers = {
    url: address,
    portal: client,
    now: now(),
    mailbox: mailboxOf(provider),
    password: demonstrationPassword,
  }
  // These customers act in the portal, if the feature is on.
  if (!featuresOff.includes('documents')) await fillDocuments({ ...customers, authority })
  const codes = featuresOff.includes('vouchers') ? [] : await fillVouchers(customers)
  const known = codes.map(({ code, process, signature }) => ({ code, what: process ?? `renewal of ${signature}` }))
  writeFileSync(codesPath, JSON.stringify(known))
  await revokeClientKey(db, name)
  writeFileSync(mark, today)
}

type Running = { stop(): Promise<void> }

/** Starts what calls the portal with a key that is revoked at the end; one of this name was left by a crash. */
async function startWithKey(
  db: Db,
  url: string,
  { name, scopes }: { name: string; scopes: readonly ClientScope[] },
  start: (portal: PortalClient) => Running[],
): Promise<Running> {
  await revokeClientKey(db, name)
  const { key } = await issueClientKey(db, { name, scopes })
  const running = start(portalClient({ url, clientKey: key }))
  return {
    async stop() {
      await Promise.all(running.map((each) => each.stop()))
      await revokeClientKey(db, name)
    },
  }
}

const Codes = z.array(z.object({ code: z.string(), what: z.string() }))

/** Returns the text that the start prints for visitors of the demonstration. */
function noticeOf({ publicUrl, signerPath, codesPath }: Provider) {
  const width = Math.max(...people.map(({ login }) => login.length))
  const customers = people.map(({ login, scenario: shows }) => `  ${login.padEnd(width)}  ${shows}`).join('\n')
  const codes = Codes.parse(JSON.parse(readFileSync(codesPath, 'utf8')))
    .map(({ code, what }) => `  ${code}  ${what === 'renewal' ? 'renewal, for malgorzata' : what}`)
    .join('\n')
  return `Demonstration customers, with the password ${demonstrationPassword}\n${customers}\nVoucher codes for the box on the home page, each to be used once\n${codes}\nTimestamps: ${publicUrl}/tsa with the login ${timestampLogin.login} and the password ${timestampLogin.password}, or by requests signed with ${signerPath}\nSMS and e-mails: ${publicUrl}/demo/messages\n`
}
