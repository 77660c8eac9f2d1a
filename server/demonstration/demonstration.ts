import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { limits } from '../contract/limits.ts'
import { warsawDay } from '../contract/warsaw-time.ts'
import { authorityHttp } from '../provider/authority-http.ts'
import { openAuthority } from '../provider/authority.ts'
import type { Mailbox } from '../provider/customer-browser.ts'
import { fillDocuments, leftAlone } from '../provider/demonstration-documents.ts'
import { demonstrationPassword, people } from '../provider/demonstration-people.ts'
import { releases } from '../provider/demonstration-software.ts'
import {
  cmsSignerFile,
  fillTimestamps,
  openTimestampAccounts,
  portalTimestamps,
  timestampLogin,
} from '../provider/demonstration-timestamps.ts'
import { fillVouchers } from '../provider/demonstration-vouchers.ts'
import { fillPortal } from '../provider/demonstration.ts'
import { startRounds } from '../provider/desk-rounds.ts'
import { documentDesk } from '../provider/document-desk.ts'
import { portalClient } from '../provider/portal-client.ts'
import { renewalDesk } from '../provider/renewal-desk.ts'
import { timestampHttp } from '../provider/timestamp-http.ts'
import { hashTimestampPassword } from '../provider/timestamp-password.ts'
import { startReporting } from '../provider/timestamp-reports.ts'
import { TimestampStore } from '../provider/timestamp-store.ts'
import { openDemonstrationSigning } from './demonstration-signing.ts'
import { clientScopes } from '../contract/client-keys.ts'
import type { Db } from './db.ts'
import { contentDisposition } from './http.ts'
import { issueClientKey, revokeClientKeys } from './client-keys.ts'
import type { Trust } from './pdf-work.ts'
import type { Settings } from './portal.ts'
import { messageBox, messageBoxPages } from './ports/demo-messages.ts'
import type { MailPort, TimestampAccountsPort } from './ports/ports.ts'

/**
 * The demonstration: an embedded trust-service provider with test keys beside the portal, and a box where all mails
 * and SMS can be read. The provider enters the portal through its HTTP API only, like any other.
 */
export async function openDemonstration({
  directory,
  publicUrl,
  ownUrl,
  mail,
}: {
  directory: string
  publicUrl: string
  /** Where this very process is reached. */
  ownUrl: string
  mail: MailPort | undefined
}) {
  const now = () => new Date()
  const box = messageBox({ now, ...(mail ? { mail } : {}) })
  const authority = await openAuthority({ directory: join(directory, 'provider'), baseUrl: `${publicUrl}/pki`, now })
  const store = new TimestampStore(join(directory, 'provider', 'timestamps.sqlite'), now)
  const signerPath = join(directory, 'provider', cmsSignerFile)
  const codesPath = join(directory, 'provider', 'voucher-codes.json')
  await openTimestampAccounts({ store, authority, now: now(), signerPath })

  const signing = await openDemonstrationSigning({ directory, ownUrl, authority, store, sms: box.sms, now })

  /** The store is the timestamp authority's own, so a password counts from the next request on. */
  const timestampAccounts: TimestampAccountsPort = {
    setPassword: async (account, password) =>
      store.setPassword(account, await hashTimestampPassword(password)) ? 'changed' : 'refused',
  }

  /** The authority's own word is fresher than any list that could be fetched. */
  const trust = async (): Promise<Trust> => ({
    anchors: [{ certificate: authority.certificates.root }],
    intermediates: [authority.certificates.issuing],
    crls: await Promise.all([authority.revocationList('root'), authority.revocationList('issuing')]),
  })

  /** Serves the authority, timestamps, the signing service, the box and the programs; nothing of it exists outside of the demonstration. */
  async function register(app: FastifyInstance) {
    await app.register(async (scope) => authorityHttp(scope, { authority }), { prefix: '/pki' })
    await app.register(async (scope) => timestampHttp(scope, { authority, store, now }), { prefix: '/tsa' })
    await signing.register(app)
    app.addHook('onClose', () => store.close())
    messageBoxPages(app, box)
    app.get<{ Params: { name: string } }>('/demo/downloads/:name', { config: { page: true } }, (request, reply) => {
      const found = releases.find(({ fileName }) => fileName === request.params.name)
      if (!found?.content) return reply.callNotFound()
      return reply
        .type('application/octet-stream')
        .header('content-disposition', contentDisposition(found.fileName!))
        .send(found.content)
    })
  }

  /** Waits for the invitation to reach the box; the outbox delivers within moments. */
  async function invitation(email: string) {
    for (let waited = 0; waited < 60_000; waited += 20) {
      const found = box.messages().find(({ to, text }) => to === email && text.includes('/setup-password/'))
      const token = /\/setup-password\/([A-Za-z0-9_-]{43})/.exec(found?.text ?? '')?.[1]
      if (token) return token
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    throw new Error(`No invitation reached ${email}.`)
  }

  /** What has come since it was asked for. */
  const mailbox: Mailbox = (to, pattern, about = '') => {
    const known = new Set(box.messages())
    return async () => {
      for (let waited = 0; waited < 60_000; waited += 20) {
        for (const message of box.messages()) {
          const isMeant = message.to === to && message.text.includes(about) && !known.has(message)
          const found = isMeant && pattern.exec(message.text)?.[1]
          if (found) return found
        }
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      throw new Error(`No message of ${String(pattern)} reached ${to}.`)
    }
  }

  /** Fills the portal when it is new or the day has changed, so that "expires in 12 days" stays true. */
  async function fill(db: Db, { featuresOff }: Settings, address: string): Promise<void> {
    const mark = join(directory, 'demonstration.json')
    const today = `${warsawDay(now())} ${publicUrl}`
    const filled =
      existsSync(mark) &&
      readFileSync(mark, 'utf8') === today &&
      (await db.selectFrom('signatures').select('id').limit(1).executeTakeFirst())
    if (filled) return
    const { id, key } = await issueClientKey(db, {
      name: 'demonstration',
      scopes: clientScopes,
      perSecond: limits.clientKey.perSecondMost,
    })
    // Making so many documents keeps a slow machine from answering in time.
    const client = portalClient({ url: address, clientKey: key, retriesWhenBusy: true })
    await fillPortal({ portal: client, authority, signingKeys: signing.keys, now: now(), invitation })
    await fillTimestamps({ portal: client, store, serverUrl: `${publicUrl}/tsa` })
    const customers = { url: address, portal: client, now: now(), mailbox, password: demonstrationPassword }
    // Their customers act in the portal, where they can.
    if (!featuresOff.includes('documents')) await fillDocuments({ ...customers, authority })
    const codes = featuresOff.includes('vouchers') ? [] : await fillVouchers(customers)
    writeFileSync(
      codesPath,
      JSON.stringify(
        codes.map(({ code, process, signature }) => ({ code, what: process ?? `renewal of ${signature}` })),
      ),
    )
    await revokeClientKeys(db, id)
    writeFileSync(mark, today)
  }

  /** Tells the portal of every timestamp for as long as it runs, with a key that ends with it. */
  async function tellOfTimestamps(db: Db, address: string, report: (error: unknown) => void) {
    const name = 'demonstration timestamps'
    // A key that a crash left behind.
    await revokeClientKeys(db, name)
    const { key } = await issueClientKey(db, { name, scopes: ['timestamp-usage:write'] })
    const reporting = startReporting(
      { store, portal: portalClient({ url: address, clientKey: key }), unlisted: [portalTimestamps] },
      report,
    )
    return {
      async stop() {
        await reporting.stop()
        await revokeClientKeys(db, name)
      },
    }
  }

  /** Deals with signed documents and with renewals for as long as it runs, with a key that ends with it. */
  async function workAtDesk(db: Db, address: string, report: (error: unknown) => void) {
    const name = 'demonstration desk'
    await revokeClientKeys(db, name)
    const { key } = await issueClientKey(db, {
      name,
      scopes: ['document-cases:write', 'renewals:write', 'customers:write', 'signatures:write'],
    })
    const portal = portalClient({ url: address, clientKey: key })
    const documents = startRounds(documentDesk({ portal, authority, leaves: leftAlone }).work, report)
    const renewals = startRounds(renewalDesk({ portal, authority, signingKeys: signing.keys, now }).work, report)
    return {
      async stop() {
        await Promise.all([documents.stop(), renewals.stop()])
        await revokeClientKeys(db, name)
      },
    }
  }

  return {
    mail: box.mail,
    sms: box.sms,
    timestampAccounts,
    remoteSigning: signing.remoteSigning,
    timestamps: signing.timestamps,
    trust,
    register,
    fill,
    tellOfTimestamps,
    workAtDesk,
    notice: () => noticeOf(publicUrl, signerPath, codesPath),
  }
}

/** What the start prints for whoever wants to look around. */
function noticeOf(publicUrl: string, signerPath: string, codesPath: string) {
  const width = Math.max(...people.map(({ login }) => login.length))
  const customers = people.map(({ login, shows }) => `  ${login.padEnd(width)}  ${shows}`).join('\n')
  // Filled today by a version that made none.
  const made = existsSync(codesPath) ? readFileSync(codesPath, 'utf8') : '[]'
  const codes = (JSON.parse(made) as { code: string; what: string }[])
    .map(({ code, what }) => `  ${code}  ${what === 'renewal' ? 'renewal, for malgorzata' : what}`)
    .join('\n')
  return `Demonstration customers, with the password ${demonstrationPassword}\n${customers}\nVoucher codes for the box on the home page, each to be used once\n${codes}\nTimestamps: ${publicUrl}/tsa with the login ${timestampLogin.login} and the password ${timestampLogin.password}, or by requests signed with ${signerPath}\nSMS and e-mails: ${publicUrl}/demo/messages\n`
}
