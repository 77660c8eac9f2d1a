import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import https from 'node:https'
import { text } from 'node:stream/consumers'
import PostalMime from 'postal-mime'
import { enterSignInCode, readSession, signIn } from '../contract/account.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { downloadDocument, listDocuments } from '../contract/documents.ts'
import { setPassword } from '../contract/password-link.ts'
import { putCustomer } from '../contract/provider/provider-api.ts'
import { putCaseDocument, putDocumentCase } from '../contract/provider/provider-documents.ts'
import { contractPdf } from '../pki/testing/pades-authorities.ts'
import { sampleDocumentCase } from '../server/testing/samples/sample-documents.ts'
import { samplePerson } from '../server/testing/portal-nodes.ts'
import { sessionCookie } from '../server/platform/authentication/session.ts'
import { goodPassword } from '../server/testing/browser.ts'
import type { Arrived } from '../server/adapters/loopback/loopback-mail-server.ts'
import { pause } from './acknowledged-load.ts'

/** The portal as customers reach it, and where its messages arrive. */
export type Site = {
  origin: string
  /** The address of the proxy. */
  proxy: string
  ca: string
  clientKey: () => string
  mails: readonly Arrived[]
  texts: readonly { to: string; text: string }[]
}

type Person = ReturnType<typeof samplePerson>
/** Called for what was answered, at once. */
type Answered = (what: 'customer' | 'session', visit: Visit) => void
export type Visit = { id: string; person: Person; cookie: string }

/** Customers from one network address, who are created, set their password, sign in, read a page, and so on. */
export function openVisitor(site: Site, localAddress: string) {
  const agent = new https.Agent({ keepAlive: true, maxSockets: 2, localAddress, ca: site.ca })
  let cookie = ''

  async function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const isPdf = body instanceof Uint8Array
    const content = body === undefined ? '' : isPdf ? body : JSON.stringify(body)
    const { host } = new URL(site.origin)
    const request = https.request({
      agent,
      host: site.proxy,
      servername: host,
      method,
      path,
      headers: {
        host,
        origin: site.origin,
        ...(cookie && { cookie }),
        ...(content && {
          'content-type': isPdf ? 'application/pdf' : 'application/json',
          'content-length': String(Buffer.byteLength(content)),
        }),
        ...headers,
      },
    })
    const answered = once(request, 'response')
    request.end(content)
    const [response] = (await answered) as [IncomingMessage]
    for (const set of response.headers['set-cookie'] ?? [])
      if (set.startsWith(`${sessionCookie}=`)) cookie = set.split(';')[0]!
    return { status: response.statusCode!, body: await text(response) }
  }

  async function call({ method, path, idempotent }: Endpoint, body?: unknown, params: Record<string, string> = {}) {
    const filled = path.replace(/:(\w+)/g, (_, name: string) => params[name]!)
    const key = path.startsWith('/provider/') ? { authorization: `Bearer ${site.clientKey()}` } : undefined
    const keyed = idempotent && { 'idempotency-key': crypto.randomUUID() }
    const { status, body: answer } = await send(method, filled, body, { ...key, ...keyed })
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${answer.slice(0, 200).trim()}`)
    return answer
  }

  /** A customer is created, invited by mail, sets the password, and signs in with the code of the text message. */
  async function register(answered: Answered = () => {}): Promise<Visit> {
    cookie = ''
    const person = samplePerson()
    const id = `visitor-${crypto.randomUUID()}`
    await call(putCustomer, person, { customer: id })
    answered('customer', { id, person, cookie })
    const mail = await arrival(() => site.mails.find(({ to }) => to.includes(person.email)))
    const { text: letter = '' } = await PostalMime.parse(mail.raw)
    const token = /setup-password\/([\w-]{43})/.exec(letter)![1]!
    await call(setPassword, { token, password: { newPassword: goodPassword, repeatPassword: goodPassword } })
    return signInAgain({ id, person, cookie }, answered)
  }

  async function signInAgain({ id, person }: Visit, answered: Answered = () => {}): Promise<Visit> {
    cookie = ''
    const before = site.texts.filter(({ to }) => to === person.phone).length
    await call(signIn, { login: person.login, password: goodPassword })
    const message = await arrival(() => site.texts.filter(({ to }) => to === person.phone)[before])
    await call(enterSignInCode, { code: /#(\d{6})$/.exec(message.text)![1]! })
    const done = { id, person, cookie }
    answered('session', done)
    await call(readSession)
    return done
  }

  /** Files a document for a customer, who must be signed in here; returns the customer's id of it. */
  async function fileDocument({ id }: Visit): Promise<string> {
    const params = { case: `document-${crypto.randomUUID()}` }
    await call(putDocumentCase, sampleDocumentCase(id), params)
    await call(putCaseDocument, contractPdf(), params)
    const { items } = JSON.parse(await call(listDocuments)) as { items: { id: string }[] }
    return items[0]!.id
  }

  /** Whether the answer is 200. Beyond the limit of this address, which says nothing of that, it asks again. */
  async function isThere(path: string, headers?: Record<string, string>): Promise<boolean> {
    const { status, body } = await send('GET', path, undefined, headers)
    if (status === 429) {
      await pause(1000)
      return isThere(path, headers)
    }
    if (![200, 401, 404].includes(status)) throw new Error(`GET ${path}: ${status} ${body.slice(0, 200).trim()}`)
    return status === 200
  }

  return {
    register,
    signInAgain,
    send,
    fileDocument,
    /** Downloads a document, by one node after the other. */
    async download(document: string) {
      for (const _ of [1, 2]) {
        const file = await call(downloadDocument, undefined, { id: document })
        if (!file.startsWith('%PDF-')) throw new Error(`The document begins with ${file.slice(0, 20)}.`)
      }
    },
    /** Whether a session that was answered is still one. */
    isSignedIn(earlier: Visit) {
      cookie = earlier.cookie
      return isThere(readSession.path)
    },
    isCustomer({ id }: Visit) {
      const path = putCustomer.path.replace(':customer', id)
      return isThere(path, { authorization: `Bearer ${site.clientKey()}` })
    },
    close: () => agent.destroy(),
  }
}

async function arrival<T>(find: () => T | undefined): Promise<T> {
  const until = performance.now() + 90_000
  for (;;) {
    const found = find()
    if (found) return found
    if (performance.now() > until) throw new Error('A message has not arrived.')
    await pause(20)
  }
}

/** Visits one after another from each address, and pages, until stopped. */
export function openVisits(site: Site, addresses: readonly string[]) {
  const customers: Visit[] = []
  const sessions: Visit[] = []
  /** What was not answered as expected. */
  const failed: string[] = []
  let over = false
  const keep: Answered = (what, visit) => void (what === 'customer' ? customers : sessions).push(visit)
  const fail = (error: unknown) => void failed.push(String(error))
  const working = addresses.map(async (address) => {
    const visitor = openVisitor(site, address)
    while (!over) {
      await visitor.register(keep).catch(fail)
      const { status } = await visitor.send('GET', '/').catch(() => ({ status: 0 }))
      // The login page leads a customer who is signed in to the home page.
      if (status !== 200 && status !== 303) fail(`GET / ${status}`)
    }
    visitor.close()
  })
  return {
    /** Resolves when so many more have signed in. */
    async untilSignedIn(more: number) {
      const wanted = sessions.length + more
      const until = performance.now() + 120_000
      while (sessions.length < wanted) {
        if (performance.now() > until) throw new Error(`Nobody signs in: ${failed.join('; ')}`)
        await pause(20)
      }
    },
    async stop() {
      over = true
      await Promise.all(working)
      return { customers, sessions, failed }
    },
  }
}
