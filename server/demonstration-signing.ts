import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Authority } from '../provider/authority.ts'
import { cscHttp, type SigningService } from '../provider/csc-http.ts'
import { people } from '../provider/demonstration-people.ts'
import { openPortalTimestamps, portalTimestamps } from '../provider/demonstration-timestamps.ts'
import { openSigningKeys } from '../provider/signing-keys.ts'
import type { TimestampStore } from '../provider/timestamp-store.ts'
import { remoteSigningByCsc } from './ports/remote-signing-csc.ts'
import type { SmsPort } from './ports/ports.ts'
import { timestampsByHttp } from './ports/timestamps-http.ts'

type Provider = {
  directory: string
  /** Where this very process is reached. */
  ownUrl: string
  authority: Authority
  store: TimestampStore
  sms: SmsPort
  now: () => Date
}

/**
 * The embedded signing service, and the portal's way to it and to the timestamp authority: over HTTP, as to any other.
 * One process is both sides, so what they know each other by need not outlive it.
 */
export async function openDemonstrationSigning({ directory, ownUrl, authority, store, sms, now }: Provider) {
  const keys = await openSigningKeys(join(directory, 'provider', 'signing-keys'))
  const password = randomBytes(24).toString('base64url')
  await openPortalTimestamps(store, password, now())
  const client = { id: 'portal', secret: randomBytes(32).toString('base64url') }
  const service: SigningService = {
    keys,
    client,
    now,
    statusOf({ serialNumber, notAfter }) {
      const status = authority.status(serialNumber)
      if (status === 'good') return notAfter > now() ? 'valid' : 'expired'
      return status === 'suspended' ? 'suspended' : 'revoked'
    },
    async sendOtp(owner, otp) {
      const { phone } = people.find(({ id }) => id === owner)!
      await sms.send({ id: crypto.randomUUID(), to: phone, text: `Sygnet TEST: ${otp}` })
    },
  }
  return {
    keys,
    remoteSigning: remoteSigningByCsc({ url: `${ownUrl}/csc/v2`, clientId: client.id, clientSecret: client.secret }),
    timestamps: timestampsByHttp({ url: `${ownUrl}/tsa`, login: portalTimestamps, password }),
    register: (app: FastifyInstance) => app.register(async (scope) => cscHttp(scope, service), { prefix: '/csc/v2' }),
  }
}
