import type { FastifyInstance } from 'fastify'
import { addAuditEntry } from '../platform/audit/audit.ts'
import type { Portal } from '../platform/portal.ts'
import { StaffProviderUnreachable, type StaffSignInPort } from '../platform/ports.ts'
import { endSessionsOf } from './staff-session-store.ts'

export const logoutPath = '/desk/back-channel-logout'
const longestToken = 8192

/**
 * OpenID Connect Back-Channel Logout 1.0: the provider itself ends the sessions of somebody who has signed out elsewhere, or whose
 * access was withdrawn (R233). Anybody can call it, as often as the limit of an address allows (R110); the signature of the token decides.
 */
export function serveBackChannelLogout(app: FastifyInstance, { db }: Portal, provider: StaffSignInPort): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: longestToken },
      (_request, body, done) => done(null, new URLSearchParams(body.toString()).get('logout_token') ?? ''),
    )
    scope.post<{ Body: string | undefined }>(logoutPath, { config: { counted: true } }, async ({ body, ip }, reply) => {
      const ended = await provider.logout(body ?? '').catch((error: unknown) => {
        if (error instanceof StaffProviderUnreachable) return 'unreachable' as const
        throw error
      })
      if (ended === 'unreachable') return reply.code(503).header('retry-after', '10').send()
      const sessions =
        ended &&
        (await db.transaction().execute(async (tx) => {
          const rows = await endSessionsOf(tx, ended)
          for (const { subject } of rows ?? [])
            await addAuditEntry(tx, {
              action: 'desk-signed-out',
              accountId: null,
              actor: 'staff',
              address: ip,
              details: { staff: subject, by: 'identity-provider' },
            })
          return rows
        }))
      return sessions ? reply.code(200).send() : reply.code(400).send({ error: 'invalid_request' })
    })
  })
}
