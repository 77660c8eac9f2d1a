import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import { readCertificate } from '../../pki/asn1/certificate.ts'
import { AuthorityError, type Authority, type FinalReason } from './authority.ts'

const reasons: Record<string, FinalReason> = {
  compromised: 'keyCompromise',
  'data-changed': 'affiliationChanged',
  superseded: 'superseded',
  'not-needed': 'cessationOfOperation',
}

const Order = z.object({
  request: z.uuid(),
  change: z.enum(['suspend', 'resume', 'revoke']),
  reason: z.nullable(z.string()),
  certificate: z.string().check(z.maxLength(20_000)),
})

/**
 * The authority's interface for the portal: it suspends, resumes and revokes at once, by the call in docs/guides/provider.md. Its OCSP
 * responder uses the same record, so it reports the new status with the next answer.
 */
export async function statusService(
  app: FastifyInstance,
  { authority, token }: { authority: Authority; token: string },
): Promise<void> {
  app.post('/', { bodyLimit: 65_536 }, async (request, reply) => {
    const [, given = ''] = /^Bearer ([\w-]{1,200})$/.exec(request.headers.authorization ?? '') ?? []
    if (!timingSafeEqual(digest(given), digest(token))) return reply.code(401).send({ error: 'unknown token' })
    const order = Order.safeParse(request.body)
    const serialNumber = order.success && serialNumberOf(order.data.certificate)
    if (!order.success || !serialNumber) return reply.code(400).send({ error: 'the request cannot be read' })
    const { change, reason, request: id } = order.data
    try {
      await authority.carryOut(id, serialNumber, change, reasons[reason ?? ''] ?? 'unspecified')
      return await reply.code(204).send()
    } catch (error) {
      if (error instanceof AuthorityError) return reply.code(409).send({ error: error.message })
      throw error
    }
  })
}

function serialNumberOf(certificate: string): string | undefined {
  try {
    return readCertificate(Buffer.from(certificate, 'base64')).serialNumber
  } catch {
    return undefined
  }
}

const digest = (secret: string) => createHash('sha256').update(secret).digest()
