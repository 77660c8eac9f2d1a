import * as z from 'zod/mini'
import { described } from './documented.ts'
import { endpoint } from './endpoint.ts'
import { Instant, text } from './fields.ts'
import { limits } from './limits.ts'

// Data that the browser needs to judge a signed file by itself (CHK-5). The file, its name and its digest are in no call.

const CertificateDer = described(
  'A certificate (RFC 5280) in base64 of its DER.',
  text(16_384).check(z.minLength(1), z.base64()),
)

export const listTrustedAuthorities = endpoint('open', 'GET /api/trusted-authorities', {
  summary: 'Lists the authorities whose certificates are trusted',
  description:
    'For signatures, seals and timestamps: the trust anchors of the operator. Files are judged at the time of the portal, which is the `Date` of the answer.',
  reply: z.strictObject({
    authorities: described(
      'Certificates and what they are trusted for.',
      z.array(
        z.strictObject({
          certificate: CertificateDer,
          purposes: described(
            'What it is trusted for; null for everything.',
            z.nullable(z.array(z.enum(['signatures', 'seals', 'timestamps']))),
          ),
          from: described('From when it is trusted; null from the beginning.', z.nullable(Instant)),
          to: described('Until when it was trusted; null if it still is.', z.nullable(Instant)),
          doubts: described(
            'What its trusted list may deny of a certificate: that the key is in a qualified device, or, where the certificate names no type, that it is for signatures or for seals. Absent if nothing.',
            z.optional(z.array(z.enum(['device', 'signatures', 'seals']))),
          ),
        }),
      ),
    ),
    intermediates: described(
      'Certificates of other authorities, which are trusted only by their issuers.',
      z.array(CertificateDer),
    ),
  }),
  revalidated: true,
  errors: ['too-many-attempts'],
})

const { certificates, pathLength } = limits.revocation

export const readRevocationData = endpoint('open', 'POST /api/revocation-data', {
  summary: 'Returns evidence whether certificates were revoked',
  description:
    'Asks the authorities that the certificates name, by OCSP and then for their revocation lists, but only about certificates that lead to a trusted authority. What is not found is not in the answer.',
  body: z.strictObject({
    chains: described(
      'The certificates to ask about.',
      z
        .array(
          z.strictObject({
            path: described(
              'A certificate, followed by its issuers.',
              z.array(CertificateDer).check(z.minLength(1), z.maxLength(pathLength)),
            ),
            at: described('The time at which the certificate has to have been valid.', Instant),
          }),
        )
        .check(z.minLength(1), z.maxLength(certificates)),
    ),
  }),
  reply: z.strictObject({
    ocsps: described('Answers of OCSP responders (RFC 6960) in base64 of their DER.', z.array(z.string())),
    crls: described('Revocation lists (RFC 5280) in base64 of their DER.', z.array(z.string())),
  }),
  streamed: true,
  errors: ['too-many-attempts', 'unavailable'],
})
