import type { FastifyInstance } from 'fastify'
import { listTrustedAuthorities, readRevocationData } from '../../contract/file-check.ts'
import { limits } from '../../contract/limits.ts'
import { base64Of, fromBase64 } from '../../pki/bytes.ts'
import { databaseTime } from '../platform/database/database.ts'
import { serve } from '../platform/http/http.ts'
import { networkOf } from '../platform/observability/network.ts'
import type { Portal } from '../platform/portal.ts'
import { chargeAttempt, type RateLimit } from '../platform/rate-limits/rate-limits.ts'

/** Authorities are called for strangers, so one network gets few calls (R182). */
const lookUps: RateLimit = { name: 'revocation-look-up', ...limits.fileCheck.lookUps }

/** What a browser needs to judge a signed file that it does not send (CHK-5). */
export function serveFileCheck(app: FastifyInstance, portal: Portal): void {
  const { db, keys, ports } = portal

  serve(app, portal, listTrustedAuthorities, async () => {
    const { anchors, intermediates = [] } = (await ports.trust?.()) ?? { anchors: [] }
    return {
      authorities: anchors.map(({ certificate, purposes, from, to }) => ({
        certificate: base64Of(certificate),
        purposes: purposes ?? null,
        from: from?.toISOString() ?? null,
        to: to?.toISOString() ?? null,
      })),
      intermediates: intermediates.map(base64Of),
      readAt: (await databaseTime(db)).toISOString(),
    }
  })

  serve(app, portal, readRevocationData, async ({ body, address, fail }) => {
    if (!ports.revocation) throw fail('unavailable')
    const charged = await chargeAttempt(db, keys, lookUps, networkOf(address))
    if (!charged.ok) throw fail('too-many-attempts', { retryAfter: charged.retryAfter })
    const chains = body.chains.map(({ path, at }) => ({
      path: path.flatMap((certificate) => fromBase64(certificate) ?? []),
      at: new Date(at),
    }))
    const { data } = await ports.revocation.evidenceOf(chains, await databaseTime(db))
    return { ocsps: data.ocsps.map(base64Of), crls: data.crls.map(base64Of) }
  })
}
