import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Authority } from '../../provider/authority/authority.ts'
import { people } from '../../provider/demonstration/demonstration-people.ts'
import { openPortalTimestamps, portalTimestamps } from '../../provider/demonstration/demonstration-timestamps.ts'
import { serveActivations, openAppActivations } from '../../provider/signing-service/activation-service.ts'
import { serveCsc } from '../../provider/signing-service/csc-http.ts'
import { openSigningKeys } from '../../provider/signing-service/signing-keys.ts'
import type { SigningService } from '../../provider/signing-service/signing-service.ts'
import type { TimestampStore } from '../../provider/timestamp-service/timestamp-store.ts'
import { remoteSigningByCsc } from '../adapters/csc/remote-signing-csc.ts'
import { timestampsByHttp } from '../adapters/timestamps-http.ts'
import type { SmsPort } from '../platform/ports.ts'

type Provider = {
  directory: string
  publicUrl: string
  /** The address of this process. */
  ownUrl: string
  authority: Authority
  store: TimestampStore
  sms: SmsPort
  now: () => Date
}

/**
 * Opens the embedded signing service, and the portal's adapters that reach it and the timestamp authority over HTTP. Both sides run in one
 * process, so their credentials are created at every start.
 */
export async function openDemonstrationSigning({ directory, publicUrl, ownUrl, authority, store, sms, now }: Provider) {
  const keys = await openSigningKeys(join(directory, 'provider', 'signing-keys'))
  const password = randomBytes(24).toString('base64url')
  await openPortalTimestamps(store, password, now())
  const client = { id: 'portal', secret: randomBytes(32).toString('base64url'), redirectUris: [`${publicUrl}/signed`] }
  const service: SigningService = {
    url: `${publicUrl}/csc/v2`,
    keys,
    client,
    now,
    statusOf({ serialNumber, notAfter }) {
      const status = authority.status(serialNumber)
      if (status === 'good') return notAfter > now() ? 'valid' : 'expired'
      return status === 'suspended' ? 'suspended' : 'revoked'
    },
    loginsOf: (owner) =>
      people.filter(({ id }) => id === owner).flatMap(({ login, email }) => [login, email.toLowerCase()]),
    async sendOtp(owner, otp) {
      const person = people.find(({ id }) => id === owner)
      if (!person) throw new Error('The owner of the signing key is unknown.')
      await sms.send({ id: crypto.randomUUID(), to: person.phone, text: `Sygnet TEST: ${otp}` })
    },
    // Nobody has the service's app, so it is as if it was confirmed at once.
    hasConfirmed: () => true,
  }
  const activations = await openAppActivations({
    directory: join(directory, 'provider', 'app-activations'),
    baseUrl: `${publicUrl}/demo/activation`,
    now,
  })
  const activationToken = randomBytes(32).toString('base64url')
  return {
    keys,
    activations,
    activation: { service: { url: `${ownUrl}/demo/activation`, token: activationToken }, key: activations.publicKey },
    remoteSigning: remoteSigningByCsc({
      url: `${ownUrl}/csc/v2`,
      // The public address may lead through a proxy; only browsers need it.
      tokenUrl: `${ownUrl}/csc/v2/oauth2/token`,
      clientId: client.id,
      clientSecret: client.secret,
    }),
    timestamps: timestampsByHttp({ url: `${ownUrl}/tsa`, login: portalTimestamps, password }),
    async register(app: FastifyInstance) {
      await app.register(async (scope) => serveCsc(scope, service), { prefix: '/csc/v2' })
      await app.register(async (scope) => serveActivations(scope, { activations, token: activationToken }), {
        prefix: '/demo/activation',
      })
    },
  }
}
