import type { FastifyInstance } from 'fastify'
import { listMimeType } from '../../pki/trusted-lists/trusted-list.ts'
import { makeDisclosureStatement } from './disclosure-statement.ts'
import { errorResponse } from './ocsp-responder.ts'
import type { Authority } from './authority.ts'

/** The longest reasonable request: twenty certificates, a nonce and an optional signature. */
const largestRequest = 8192

/**
 * The services that certificates link to: OCSP (RFC 6960 appendix A), revocation lists, the authorities' certificates (RFC
 * 5280 §4.2.1.13 and §4.2.2.1) and disclosure statements; and the trusted lists (ETSI TS 119 612). Register it under the path of the authority's base URL.
 */
export async function authorityHttp(app: FastifyInstance, { authority }: { authority: Authority }) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/ocsp-request',
    { parseAs: 'buffer', bodyLimit: largestRequest },
    (_, body, done) => done(null, body),
  )

  app.post<{ Body: Buffer }>('/ocsp', { bodyLimit: largestRequest }, (request, reply) =>
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
      reply.type('application/pkix-crl').send(await authority.revocationList(name)),
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
  return text.length <= largestRequest && bytes.toString('base64') === text ? bytes : undefined
}
