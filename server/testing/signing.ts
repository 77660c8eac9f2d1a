import { randomBytes, generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { dayMs } from '../../contract/rules/warsaw-time.ts'
import type { SigningAlgorithm } from '../../pki/asn1/signature-algorithm.ts'
import { openAuthority, type Authority } from '../../provider/authority/authority.ts'
import type { PersonSubject } from '../../provider/authority/subscriber.ts'
import { openPortalTimestamps, portalTimestamps } from '../../provider/demonstration/demonstration-timestamps.ts'
import { serveCsc } from '../../provider/signing-service/csc-http.ts'
import { signDigest } from '../../provider/signing-service/sign-digest.ts'
import {
  type KeyFactors,
  type KeySettings,
  type SigningKeys,
  usualSettings,
  type SigningKey,
} from '../../provider/signing-service/signing-keys.ts'
import type { SigningService } from '../../provider/signing-service/signing-service.ts'
import { timestampHttp } from '../../provider/timestamp-service/timestamp-http.ts'
import { TimestampStore } from '../../provider/timestamp-service/timestamp-store.ts'
import { remoteSigningByCsc } from '../adapters/csc/remote-signing-csc.ts'
import { revocationByHttp } from '../adapters/revocation-http.ts'
import { timestampsByHttp } from '../adapters/timestamps-http.ts'
import type { RemoteSigningPort, SigningCredential } from '../platform/ports.ts'
import type { TestPortal } from './portal-nodes.ts'
import { openTestProvider, type TestProvider } from './provider.ts'
import { addCustomer, signInDirectly } from './samples/ready-customers.ts'
import type { Person } from './test-customers.ts'

/** The provider's signing service and timestamp authority on loopback, whose answers a test can change. */
export type TestSigning = Awaited<ReturnType<typeof openSigning>>

type Tampered = { status: number; body: string } | 'hang' | 'cut' | undefined
/** A function that replaces an answer; undefined keeps it. `hang`: never answers. `cut`: breaks the connection. */
type Tampering = (path: string, answer: string) => Tampered | Promise<Tampered>

export const signerSubject: PersonSubject = {
  kind: 'person',
  givenName: 'Małgorzata',
  surname: 'Wiśniewska',
  serialNumber: 'PNOPL-44051401458',
  country: 'PL',
}

/**
 * Address to which customers return from the service's page, for tests without a portal; `client.redirectUris` contains it, and accepts
 * others.
 */
export const signingReturn = new URL('https://portal.example/signed')

const draw = (type: KeySettings['type']) =>
  type === 'RSA' ? generateKeyPairSync('rsa', { modulusLength: 2048 }) : generateKeyPairSync('ec', { namedCurve: type })
type KeyPair = ReturnType<typeof draw>
let shared: KeyPair | undefined

/** Replaces provider/signing-service/signing-keys.ts, with shorter keys; `own`: each renewal has its own key, as at the provider. */
export function signingKeysInMemory(own = false): SigningKeys {
  const held = new Map<string, SigningKey & { pair: KeyPair; factors: KeyFactors }>()
  return {
    async make(id, owner, given = {}, factors = {}) {
      const settings = { ...usualSettings, ...given }
      const isShared = settings.type === 'RSA' && !(own && id.startsWith('renewal-'))
      const pair = held.get(id)?.pair ?? (isShared ? (shared ??= draw('RSA')) : draw(settings.type))
      if (!held.has(id)) held.set(id, { id, owner, certificates: [], ...settings, pair, factors })
      return pair.publicKey
    },
    async certify(id, certificates) {
      held.set(id, { ...held.get(id)!, certificates: [...certificates] })
    },
    find: (id) => held.get(id),
    ofOwner: (owner) => [...held.values()].filter((key) => key.owner === owner),
    factors: (id) => held.get(id)!.factors,
    async shareOtpSecret(id, otpSecret) {
      const key = held.get(id)
      if (key) held.set(id, { ...key, factors: { ...key.factors, otpSecret } })
    },
    sign: (id, digest, algorithm) => signDigest(held.get(id)!.pair.privateKey, digest, algorithm),
  }
}

/** Starts the signing service of an authority. `keys`: existing keys of the service. */
export async function openSigning(authority: Authority, keys = signingKeysInMemory()) {
  const directory = mkdtempSync(join(tmpdir(), 'sygnet-signing-'))
  const store = new TimestampStore(join(directory, 'timestamps.sqlite'), () => new Date())
  const password = randomBytes(12).toString('hex')
  await openPortalTimestamps(store, password, new Date(Date.now() - dayMs))
  const secret = randomBytes(32).toString('base64url')
  const client = { id: 'portal', secret, redirectUris: [signingReturn.href] }
  const requests: { path: string; body: unknown }[] = []
  const otps: string[] = []
  let tamper: Tampering = () => undefined
  let ahead = 0
  let confirmed = true

  const service: SigningService = {
    url: '',
    keys,
    client,
    now: () => new Date(Date.now() + ahead),
    statusOf: ({ serialNumber }) => {
      const status = authority.status(serialNumber)
      return status === 'good' ? 'valid' : status === 'suspended' ? 'suspended' : 'revoked'
    },
    loginsOf: (owner) => [owner],
    sendOtp: async (_, otp) => void otps.push(otp),
    hasConfirmed: () => confirmed,
  }
  const { app, origin } = await serve(service, { authority, store }, requests, (path, answer) => tamper(path, answer))
  const url = `${origin}/csc/v2`
  service.url = url

  const remoteSigningBy = (algorithms?: readonly SigningAlgorithm[]) =>
    remoteSigningByCsc({ url, clientId: client.id, clientSecret: client.secret, algorithms })
  const tsa = { url: `${origin}/tsa`, login: portalTimestamps, password }
  return {
    url,
    tsa,
    /** The settings for a process that uses it. */
    service: { url, clientId: client.id, clientSecret: client.secret },
    keys,
    client,
    requests,
    requestsOf: (method: string) => requests.filter(({ path }) => path === method),
    otps,
    ports: { remoteSigning: remoteSigningBy(), timestamps: timestampsByHttp(tsa) },
    /** The service for an operator who accepts only these algorithms. */
    remoteSigningBy,
    tamperBy(how: Tampering = () => undefined) {
      tamper = how
    },
    /** Resets the service for a test that starts: nothing is tampered with, and no request was made. */
    reset() {
      tamper = () => undefined
      requests.length = 0
    },
    /** Returns the service's time. */
    now: () => new Date(Date.now() + ahead),
    /** Lets the service's time run ahead. */
    advance: (ms: number) => void (ahead += ms),
    /** Sets whether customers have confirmed their signatures by the service's own means, for `implicit` keys. */
    confirm: (value: boolean) => void (confirmed = value),
    /** Signs in at the service's page as the owner of the key and authorises, or cancels; returns where the page leads to. */
    async authorise(page: URL, owner: string, { cancel = false } = {}): Promise<URL> {
      const { send } = await visitAuthorisation(page)
      if (!cancel) await send({ action: 'login', login: owner })
      const answer = await send(cancel ? { action: 'cancel' } : { action: 'confirm', code: otps.at(-1) ?? '' })
      return new URL(answer.headers.get('location')!)
    },
    /** Gives the service a customer's key with a certificate of the authority. */
    giveKey: (id: string, owner: string, options: KeyOptions = {}) => giveKey(keys, authority, id, owner, options),
    async close() {
      await app.close()
      store.close()
      rmSync(directory, { recursive: true })
    },
  }
}

/** Serves both on loopback, with answers that `tamper` may replace. */
async function serve(
  service: SigningService,
  { authority, store }: { authority: Authority; store: TimestampStore },
  requests: { path: string; body: unknown }[],
  tamper: Tampering,
) {
  const app = Fastify({ forceCloseConnections: true })
  app.addHook('preHandler', async ({ url, body }) => void requests.push({ path: url.replace('/csc/v2/', ''), body }))
  app.addHook('onSend', async ({ url }, reply, payload) => {
    const tampered = await tamper(url.replace('/csc/v2/', ''), String(payload))
    if (tampered === 'cut') reply.raw.destroy()
    if (tampered === 'cut' || tampered === 'hang') return new Promise(() => {})
    if (!tampered) return payload
    reply.code(tampered.status).removeHeader('content-length')
    return tampered.body
  })
  await app.register(async (scope) => serveCsc(scope, service), { prefix: '/csc/v2' })
  await app.register(async (scope) => timestampHttp(scope, { authority, store, now: () => new Date() }), {
    prefix: '/tsa',
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return { app, origin: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}` }
}

type KeyOptions = { subject?: PersonSubject; settings?: Partial<KeySettings>; factors?: KeyFactors }

async function giveKey(
  keys: SigningKeys,
  authority: Authority,
  id: string,
  owner: string,
  { subject = signerSubject, settings, factors }: KeyOptions,
) {
  const publicKey = await keys.make(id, owner, settings, factors)
  const issued = await authority.issue({
    subject,
    publicKey,
    device: true,
    notBefore: new Date(Date.now() - dayMs),
    notAfter: new Date(Date.now() + 300 * dayMs),
  })
  await keys.certify(id, [issued.certificate, ...authority.chain])
  return issued
}

/** Starts the service with an authority of its own, for tests without a portal. `close` removes both. */
export async function openSigningAlone() {
  const directory = mkdtempSync(join(tmpdir(), 'sygnet-csc-'))
  const authority = await openAuthority({ directory, baseUrl: 'http://pki.example', now: () => new Date() })
  const signing = await openSigning(authority)
  const close = async () => {
    await signing.close()
    rmSync(directory, { recursive: true })
  }
  return { authority, signing, close }
}

/** Returns the first credential of a customer; throws if there is none. */
export async function findFirstCredential(port: RemoteSigningPort, customer: string): Promise<SigningCredential> {
  const found = await port.listCredentials(customer)
  if (found === 'unreachable' || !found[0]) throw new Error(`The service has no credential of ${customer}.`)
  return found[0]
}

/** Opens, as a browser, the page on which a customer authorises signatures. */
export async function visitAuthorisation(page: URL) {
  const answer = await fetch(page, { redirect: 'manual' })
  const html = await answer.text()
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
  const [, name = ''] = /name="page" value="([^"]*)"/.exec(html) ?? []
  const send = (form: Record<string, string>, headers: Record<string, string> = { cookie }) =>
    fetch(new URL(page.pathname, page), {
      method: 'POST',
      redirect: 'manual',
      headers,
      body: new URLSearchParams({ page: name, ...form }),
    })
  return { answer, html, cookie, name, send }
}

/** Makes every node of a portal use the service and trust its authority. */
export async function signBy(
  portal: TestPortal,
  { ports }: TestSigning,
  { authority, currentOcspResponses: answers }: TestProvider,
) {
  const trust = async () => ({ ...portal.trust, ocsps: await answers() })
  const revocation = revocationByHttp({ trust, hosts: [] })
  for (const node of portal.nodes) Object.assign(node.portal.ports, ports, { revocation })
  Object.assign(portal.trust, {
    anchors: [{ certificate: authority.certificates.root }],
    intermediates: [authority.certificates.issuing],
    crls: await Promise.all([authority.readRevocationList('root'), authority.readRevocationList('issuing')]),
  })
}

/** Connects a portal to the signing service of a new provider, and signs a customer in. */
export async function openSigningPortal(portal: TestPortal) {
  const provider = await openTestProvider(portal)
  const signing = await openSigning(provider.authority)
  portal.cleanup.defer(() => signing.close())
  await signBy(portal, signing, provider)
  const person = await addCustomer(portal)
  return { provider, signing, person, customer: await signInDirectly(portal, person) }
}

/** Gives a customer a cloud signature whose key the service has. */
export async function giveCloudSignature(
  signing: TestSigning,
  provider: TestProvider,
  person: Person,
  options: Parameters<TestSigning['giveKey']>[2] = {},
) {
  const signature = `k-${crypto.randomUUID()}`
  const { certificate, serialNumber } = await signing.giveKey(signature, person.id, options)
  const base64 = Buffer.from(certificate).toString('base64')
  const given = await provider.give(person, { signature, certificate: base64, subject: options.subject })
  return { ...given, certificate, serialNumber }
}
