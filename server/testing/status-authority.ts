import Fastify from 'fastify'
import { authorityHttp, statusService } from '../../provider/authority/authority-http.ts'
import type { Authority } from '../../provider/authority/authority.ts'
import { ocspStatus } from '../../provider/testing/test-authority.ts'

const token = 'status-token-of-32-characters-000'

/** An authority with its interface for requests of another status and its OCSP responder, over HTTP. */
export async function openStatusAuthority(authority: Authority) {
  const app = Fastify()
  const received: string[] = []
  /** In place of the answer. */
  let fails: number | undefined
  /** It acts, and its answer does not arrive. */
  let losesAnswers = false
  app.addHook('onSend', async (request, reply) => {
    if (losesAnswers && request.url === '/status') reply.raw.destroy()
  })
  app.addHook('preHandler', async (request, reply) => {
    if (request.url !== '/status') return undefined
    received.push(String(request.headers['idempotency-key']))
    return fails === undefined ? undefined : reply.code(fails).send()
  })
  await app.register(async (scope) => authorityHttp(scope, { authority }), { prefix: '/pki' })
  await app.register(async (scope) => statusService(scope, { authority, token }), { prefix: '/status' })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    service: { url: `${origin}/status`, token },
    /** The ids of the requests that have reached it. */
    received,
    failWith: (status: number | undefined) => void (fails = status),
    loseAnswers: (value: boolean) => void (losesAnswers = value),
    statusOf: (certificate: Uint8Array) =>
      ocspStatus(`${origin}/pki/ocsp`, certificate, authority.certificates.issuing),
    close: () => app.close(),
  }
}
