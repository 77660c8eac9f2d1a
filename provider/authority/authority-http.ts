import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import { readCertificate } from '../../pki/asn1/certificate.ts'
import { listMimeType } from '../../pki/trusted-lists/trusted-list.ts'
import { bearerToken, sameSecret } from '../embedded-services.ts'
import { type Authority, AuthorityError, type FinalReason } from './authority.ts'
import { makeDisclosureStatement } from './disclosure-statement.ts'
import { errorResponse } from './ocsp-responder.ts'

/** The longest reasonable request: twenty certificates, a nonce and an optional signature. */
const maxRequest = 8192

/**
 * Serves what certificates link to: OCSP (RFC 6960 appendix A), revocation lists, the authorities' certificates (RFC 5280 §4.2.1.13 and
 * §4.2.2.1) and disclosure statements; also the trusted lists (ETSI TS 119 612). Register it under the path of the authority's base URL.
 */
export async function serveAuthority(app: FastifyInstance, { authority }: { authority: Authority }) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/ocsp-request', { parseAs: 'buffer', bodyLimit: maxRequest }, (_, body, done) =>
    done(null, body),
  )

  app.post<{ Body: Buffer }>('/ocsp', { bodyLimit: maxRequest }, (request, reply) =>
    reply.type('application/ocsp-response').send(authority.answerOcsp(request.body)),
  )

  // A wildcard, because clients may send the slashes of base64 unescaped.
  app.get<{ Params: { '*': string } }>('/ocsp/*', (request, reply) => {
    const der = fromBase64(request.params['*'])
    return reply
      .type('application/ocsp-response')
      .send(der ? authority.answerOcsp(der) : errorResponse('malformedRequest'))
  })

  for (const name of ['root', 'issuing'] as const) {
    app.get(`/crl/${name}.crl`, async (_, reply) =>
      reply.type('application/pkix-crl').send(await authority.readRevocationList(name)),
    )
    app.get(`/ca/${name}.cer`, (_, reply) => reply.type('application/pkix-cert').send(authority.certificates[name]))
  }

  for (const name of ['lotl', 'pl'] as const)
    app.get(`/trusted-lists/${name}.xml`, (_, reply) =>
      reply.type(listMimeType).send(authority.trustedLists.read(name)),
    )

  for (const language of ['pl', 'en'] as const) {
    let statement: ReturnType<typeof makeDisclosureStatement> | undefined
    app.get(`/pds/${language}.pdf`, async (_, reply) => {
      statement ??= makeDisclosureStatement(language)
      return reply.type('application/pdf').send(await statement)
    })
  }
}

function fromBase64(text: string) {
  const bytes = Buffer.from(text, 'base64')
  return text.length <= maxRequest && bytes.toString('base64') === text ? bytes : undefined
}

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
 * Serves the authority's interface for the portal: it suspends, resumes and revokes at once, by the call in docs/guides/provider.md. The
 * authority's OCSP responder uses the same record, so it reports the new status with the next answer.
 */
export async function serveStatusService(
  app: FastifyInstance,
  { authority, token }: { authority: Authority; token: string },
): Promise<void> {
  app.post('/', { bodyLimit: 65_536 }, async (request, reply) => {
    if (!sameSecret(bearerToken(request.headers), token)) return reply.code(401).send({ error: 'unknown token' })
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
