import * as z from 'zod/mini'
import { described } from './documented.ts'
import { endpoint } from './endpoint.ts'
import { Instant } from './fields.ts'
import { limits } from './limits.ts'

/** What the browser needs to judge a signed file by itself (CHK). The file, its name and its digest are in no call. */

/** The largest certificate that is read; real ones have 1 to 4 kB. */
const largestCertificate = 65_536

const CertificateDer = described(
  'A certificate in DER, as base64.',
  z.string().check(z.maxLength(Math.ceil(largestCertificate / 3) * 4), z.regex(/^[A-Za-z0-9+/]+={0,2}$/)),
)

export const TrustedAuthority = z.strictObject({
  certificate: CertificateDer,
  purposes: described(
    'What it is trusted for; null for everything.',
    z.nullable(z.array(z.enum(['signatures', 'seals', 'timestamps']))),
  ),
  from: described('From when it is trusted; null from the beginning.', z.nullable(Instant)),
  to: described('Until when it was trusted; null if it still is.', z.nullable(Instant)),
})

export const listTrustedAuthorities = endpoint('open', 'GET /api/trusted-authorities', {
  summary: 'The authorities whose certificates are trusted for signatures, seals and timestamps',
  description: 'The operator’s trust anchors, and other certificates of authorities that help to find a path to them.',
  reply: z.strictObject({
    authorities: z.array(TrustedAuthority),
    intermediates: described('Certificates that are trusted only by their issuers.', z.array(CertificateDer)),
    readAt: described('The time of the portal, at which files are judged.', Instant),
  }),
  errors: ['unavailable'],
})

const { certificates, pathLength } = limits.revocation

export const readRevocationData = endpoint('open', 'POST /api/revocation-data', {
  summary: 'Evidence whether certificates were revoked',
  description:
    'Asks the authorities that the certificates name, by OCSP and then for their revocation lists, but only for certificates that lead to a trusted authority. What is not found is not in the answer.',
  body: z.strictObject({
    chains: described(
      'Certificates, each followed by its issuers.',
      z
        .array(
          z.strictObject({
            path: z.array(CertificateDer).check(z.minLength(1), z.maxLength(pathLength)),
            at: described('The time at which the certificate has to have been valid.', Instant),
          }),
        )
        .check(z.minLength(1), z.maxLength(certificates)),
    ),
  }),
  reply: z.strictObject({
    ocsps: described('Answers of OCSP responders in DER, as base64.', z.array(z.string())),
    crls: described('Revocation lists in DER, as base64.', z.array(z.string())),
  }),
  errors: ['too-many-requests', 'unavailable'],
})
