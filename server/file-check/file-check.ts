import type { FastifyInstance } from 'fastify'
import { listTrustedAuthorities, readRevocationData } from '../../contract/file-check.ts'
import { limits } from '../../contract/limits.ts'
import { base64Of, fromBase64 } from '../../pki/bytes.ts'
import { databaseTime } from '../platform/database/database.ts'
import { networkOf } from '../platform/observability/network.ts'
import type { Portal } from '../platform/portal.ts'
import { chargeAttempt, type RateLimit } from '../platform/rate-limits/rate-limits.ts'
import { serve } from '../platform/http/http.ts'

/** Calls to authorities are made for strangers, so they are few for each address (R181). */
const lookUps: RateLimit = { name: 'revocation-address', ...limits.fileCheck.lookUps }

/** What a browser needs to judge a signed file that it does not send (CHK-2). */
export function serveFileCheck(app: FastifyInstance, portal: Portal): void {
  const { trust, revocation } = portal.ports

  serve(app, portal, listTrustedAuthorities, async ({ fail }) => {
    if (!trust) throw fail('unavailable')
    const { anchors, intermediates = [] } = await trust()
    return {
      authorities: anchors.map(({ certificate, purposes, from, to }) => ({
        certificate: base64Of(certificate),
        purposes: purposes ?? null,
        from: from?.toISOString() ?? null,
        to: to?.toISOString() ?? null,
      })),
      intermediates: intermediates.map(base64Of),
      readAt: (await databaseTime(portal.db)).toISOString(),
    }
  })

  serve(app, portal, readRevocationData, async ({ body, address, fail }) => {
    if (!revocation) throw fail('unavailable')
    const charged = await chargeAttempt(portal.db, portal.keys, lookUps, networkOf(address))
    if (!charged.ok) throw fail('too-many-requests', { retryAfter: charged.retryAfter })
    const chains = body.chains.map(({ path, at }) => ({
      path: path.flatMap((base64) => fromBase64(base64) ?? []),
      at: new Date(at),
    }))
    const { data } = await revocation.evidenceOf(chains, await databaseTime(portal.db))
    return { ocsps: data.ocsps.map(base64Of), crls: data.crls.map(base64Of) }
  })
}
