import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import type { Authority } from '../../provider/authority.ts'
import { cscHttp, type SigningService } from '../../provider/csc-http.ts'
import { openPortalTimestamps, portalTimestamps } from '../../provider/demonstration-timestamps.ts'
import type { SigningKeys } from '../../provider/signing-keys.ts'
import type { PersonSubject } from '../../provider/subscriber.ts'
import { timestampHttp } from '../../provider/timestamp-http.ts'
import { TimestampStore } from '../../provider/timestamp-store.ts'
import { remoteSigningByCsc } from '../ports/remote-signing-csc.ts'
import { revocationByHttp } from '../ports/revocation-http.ts'
import { timestampsByHttp } from '../ports/timestamps-http.ts'
import type { TestPortal } from './portal-nodes.ts'
import type { Person } from './browser.ts'
import type { TestProvider } from './provider.ts'
import { signingKeysInMemory } from './signing-keys-in-memory.ts'

/** The provider's signing service and timestamp authority on loopback, which a test may let answer otherwise. */
export type TestSigning = Awaited<ReturnType<typeof openSigning>>

type Tampered = { status: number; body: string } | 'hang' | 'cut' | undefined
/** What is answered in place of the true answer; undefined leaves it. `hang`: nothing ever. `cut`: the connection breaks. */
type Tampering = (path: string, answer: string) => Tampered | Promise<Tampered>

export const signerSubject: PersonSubject = {
  kind: 'person',
  givenName: 'Małgorzata',
  surname: 'Wiśniewska',
  serialNumber: 'PNOPL-44051401458',
  country: 'PL',
}

const dayMs = 86_400_000

/** `shared`: keys that are the service's already. */
export async function openSigning(authority: Authority, shared?: SigningKeys) {
  const directory = mkdtempSync(join(tmpdir(), 'sygnet-signing-'))
  const keys = shared ?? signingKeysInMemory()
  const store = new TimestampStore(join(directory, 'timestamps.sqlite'), () => new Date())
  const password = randomBytes(12).toString('hex')
  await openPortalTimestamps(store, password, new Date(Date.now() - dayMs))
  const client = { id: 'portal', secret: randomBytes(32).toString('base64url') }
  const asked: { path: string; body: unknown }[] = []
  const otps: string[] = []
  let tamper: Tampering = () => undefined
  let ahead = 0

  const service: SigningService = {
    keys,
    client,
    now: () => new Date(Date.now() + ahead),
    statusOf: ({ serialNumber }) => {
      const status = authority.status(serialNumber)
      return status === 'good' ? 'valid' : status === 'suspended' ? 'suspended' : 'revoked'
    },
    sendOtp: async (_, otp) => void otps.push(otp),
  }
  const app = Fastify({ forceCloseConnections: true })
  app.addHook('preHandler', async ({ url, body }) => void asked.push({ path: url.replace('/csc/v2/', ''), body }))
  app.addHook('onSend', async ({ url }, reply, payload) => {
    const other = await tamper(url.replace('/csc/v2/', ''), String(payload))
    if (other === 'cut') reply.raw.destroy()
    if (other === 'cut' || other === 'hang') return new Promise(() => {})
    if (!other) return payload
    reply.code(other.status).removeHeader('content-length')
    return other.body
  })
  await app.register(async (scope) => cscHttp(scope, service), { prefix: '/csc/v2' })
  await app.register(async (scope) => timestampHttp(scope, { authority, store, now: () => new Date() }), {
    prefix: '/tsa',
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const url = `${origin}/csc/v2`

  const tsa = { url: `${origin}/tsa`, login: portalTimestamps, password }
  return {
    url,
    tsa,
    /** What a process needs to reach it. */
    service: { url, clientId: client.id, clientSecret: client.secret },
    keys,
    client,
    asked,
    otps,
    ports: {
      remoteSigning: remoteSigningByCsc({ url, clientId: client.id, clientSecret: client.secret }),
      timestamps: timestampsByHttp(tsa),
    },
    tamperBy(how: Tampering = () => undefined) {
      tamper = how
    },
    /** Lets the service's time run ahead. */
    advance: (ms: number) => void (ahead += ms),
    /** A key of a customer's with a certificate of the authority, kept by the service. */
    async giveKey(id: string, owner: string, { subject = signerSubject, otp = false } = {}) {
      const publicKey = await keys.make(id, owner, { otp })
      const issued = await authority.issue({
        subject,
        publicKey,
        device: true,
        notBefore: new Date(Date.now() - dayMs),
        notAfter: new Date(Date.now() + 300 * dayMs),
      })
      await keys.certify(id, [issued.certificate, ...authority.chain])
      return issued
    },
    async close() {
      await app.close()
      store.close()
      rmSync(directory, { recursive: true })
    },
  }
}

/** Lets every node of a portal sign by the service, and believe its authority. */
export async function signBy(portal: TestPortal, { ports }: TestSigning, { authority }: TestProvider) {
  const revocation = revocationByHttp({ trust: async () => portal.trust, hosts: [] })
  for (const node of portal.nodes) Object.assign(node.portal.ports, ports, { revocation })
  Object.assign(portal.trust, {
    anchors: [{ certificate: authority.certificates.root }],
    intermediates: [authority.certificates.issuing],
    crls: await Promise.all([authority.revocationList('root'), authority.revocationList('issuing')]),
  })
}

/** A cloud signature as the customer sees it, whose key the service keeps. */
export async function giveCloudSignature(
  signing: TestSigning,
  provider: TestProvider,
  person: Person,
  wish: Parameters<TestSigning['giveKey']>[2] = {},
) {
  const signature = `k-${crypto.randomUUID()}`
  const { certificate, serialNumber } = await signing.giveKey(signature, person.id, wish)
  const given = await provider.give(person, { signature, certificate: Buffer.from(certificate).toString('base64') })
  return { ...given, certificate, serialNumber }
}
