import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { authorityHttp } from '../provider/authority-http.ts'
import { openAuthority } from '../provider/authority.ts'
import { people } from '../provider/demonstration-people.ts'
import { releases } from '../provider/demonstration-software.ts'
import { openTimestampAccount, timestampLogin } from '../provider/demonstration-timestamps.ts'
import { demonstrationPassword, fillPortal } from '../provider/demonstration.ts'
import { portalClient } from '../provider/portal-client.ts'
import { timestampHttp } from '../provider/timestamp-http.ts'
import { TimestampStore } from '../provider/timestamp-store.ts'
import { contentDisposition } from './http.ts'
import { issueClientKey, revokeClientKeys } from './client-keys.ts'
import type { Portal } from './portal.ts'
import { messageBox, messageBoxPages } from './ports/demo-messages.ts'
import type { MailPort } from './ports/ports.ts'

/**
 * The demonstration: an embedded trust-service provider with test keys beside the portal, and a box where all mails
 * and SMS can be read. The provider enters the portal through its HTTP API only, like any other.
 */
export async function openDemonstration({
  directory,
  publicUrl,
  mail,
}: {
  directory: string
  publicUrl: string
  mail: MailPort | undefined
}) {
  const now = () => new Date()
  const box = messageBox({ now, ...(mail ? { mail } : {}) })
  const authority = await openAuthority({ directory: join(directory, 'provider'), baseUrl: `${publicUrl}/pki`, now })
  const store = new TimestampStore(join(directory, 'provider', 'timestamps.sqlite'), now)
  await openTimestampAccount(store, now())

  /** Serves the authority, timestamps, the box and the programs; nothing of it exists outside of the demonstration. */
  async function register(app: FastifyInstance) {
    await app.register(async (scope) => authorityHttp(scope, { authority }), { prefix: '/pki' })
    await app.register(async (scope) => timestampHttp(scope, { authority, store, now }), { prefix: '/tsa' })
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
    for (let waited = 0; waited < 10_000; waited += 20) {
      const found = box.messages().find(({ to, text }) => to === email && text.includes('/setup-password/'))
      const token = /\/setup-password\/([A-Za-z0-9_-]{43})/.exec(found?.text ?? '')?.[1]
      if (token) return token
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    throw new Error(`No invitation reached ${email}.`)
  }

  /** Fills the portal when it is new or the day has changed, so that "expires in 12 days" stays true. */
  async function fill({ db }: Portal, address: string): Promise<void> {
    const mark = join(directory, 'demonstration.json')
    const today = `${now().toISOString().slice(0, 10)} ${publicUrl}`
    const filled =
      existsSync(mark) &&
      readFileSync(mark, 'utf8') === today &&
      (await db.selectFrom('signatures').select('id').limit(1).executeTakeFirst())
    if (filled) return
    const { id, key } = await issueClientKey(db, 'demonstration')
    await fillPortal({ portal: portalClient({ url: address, clientKey: key }), authority, now: now(), invitation })
    await revokeClientKeys(db, id)
    writeFileSync(mark, today)
  }

  return { mail: box.mail, sms: box.sms, register, fill, notice: noticeOf(publicUrl) }
}

/** What the start prints for whoever wants to look around. */
function noticeOf(publicUrl: string) {
  const width = Math.max(...people.map(({ login }) => login.length))
  const customers = people.map(({ login, shows }) => `  ${login.padEnd(width)}  ${shows}`).join('\n')
  return `Demonstration customers, with the password ${demonstrationPassword}\n${customers}\nTimestamps: ${publicUrl}/tsa with the login ${timestampLogin.login} and the password ${timestampLogin.password}\nSMS and e-mails: ${publicUrl}/demo/messages\n`
}
