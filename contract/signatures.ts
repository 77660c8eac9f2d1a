import * as z from 'zod/mini'
import { component, described } from './documented.ts'
import { endpoint, readsOne } from './endpoint.ts'
import { Instant, Uuid } from './fields.ts'
import { IdentifierType } from './identification.ts'
import { pages, PageSize } from './list-pages.ts'
import {
  CertificateDetails,
  certificateFilters,
  CertificateState,
  certificateSummary,
  confirmsPairing,
  downloadsAgreement,
  downloadsCertificate,
  organisations,
  readsPairing,
  startsPairing,
} from './signatures-and-seals.ts'

export const SignatureProduct = component(
  'SignatureProduct',
  'Where the signing key is: `app` in the cloud, used by a mobile app; on a `card` or token; in a `file`.',
  z.enum(['app', 'card', 'file']),
)
export type SignatureProduct = z.infer<typeof SignatureProduct>

export const Signature = component(
  'OwnSignature',
  'A signature, as its owner sees it.',
  z.strictObject({
    id: Uuid,
    product: SignatureProduct,
    name: described('The common name of the subject of the certificate.', z.string()),
    organisation: described('The organisation in the certificate; null if there is none.', z.nullable(z.string())),
    identifier: described(
      'The identifier in the certificate.',
      z.strictObject({
        type: IdentifierType,
        country: described('ISO 3166-1 alpha-2; null for ECN.', z.nullable(z.string())),
        value: described('The whole number, which the page masks.', z.string()),
      }),
    ),
    ...CertificateState.shape,
    renewal: described(
      'Its renewal in the portal: `signed` needs no more attention before its end; null if there is none.',
      z.nullable(z.enum(['begun', 'signed'])),
    ),
    renewedFrom: described(
      'When the certificate begins that replaces it: of its renewal, once that is issued, or another that continues it; null if there is none.',
      z.nullable(Instant),
    ),
  }),
)
export type Signature = z.infer<typeof Signature>

/** Those that have ended are last in `ends-first` too (defaults.md, lists). */
export const SignatureSort = component(
  'SignatureSort',
  'The order of the list; `urgency`: active by nearest end, then inactive, newest first.',
  z.enum(['urgency', 'ends-first', 'ends-last', 'newest', 'name']),
)
export type SignatureSort = z.infer<typeof SignatureSort>

export const listSignatures = endpoint('customer', 'GET /api/signatures', {
  summary: 'Lists the customer’s signatures, by page, order, status, product, period, organisation, search and id',
  description: 'One page, without certificates.',
  offlineCopy: true,
  ...pages(
    Signature,
    {
      size: PageSize,
      sort: SignatureSort,
      product: described('Only those of this product.', SignatureProduct),
      ...certificateFilters,
    },
    { organisations },
  ),
})

/**
 * The signatures on the home page (HOM-3): counts, and by nearest end those that need attention because they end soon, are
 * suspended, expired recently without a successor, or are new and not paired yet.
 */
export const summariseSignatures = endpoint('customer', 'GET /api/signatures/summary', {
  summary: 'Returns counts, and the signatures that need attention',
  description: 'For the home page.',
  offlineCopy: true,
  reply: z.strictObject({
    ...certificateSummary(Signature),
    further: described('How many more need attention.', z.int()),
  }),
})

export const readSignatureCertificate = endpoint('customer', 'GET /api/signatures/:id/certificate', {
  summary: 'Returns the contents of the certificate',
  description: 'Subject, issuer, validity, key and statements, as read from the certificate.',
  ...readsOne(z.extend(CertificateDetails, { signature: Signature })),
})

export const downloadSignatureCertificate = endpoint('customer', 'GET /api/signatures/:id/certificate/:format', {
  summary: 'Returns the certificate as a file: PEM (with its chain) or DER',
  description: 'For the owner of the signature.',
  ...downloadsCertificate,
})

export const downloadSignatureAgreement = endpoint('customer', 'GET /api/signatures/:id/agreement', {
  summary: 'Returns the agreement as PDF',
  ...downloadsAgreement,
})

export const startSignaturePairing = endpoint('customer', 'POST /api/signatures/:id/pairing', {
  summary: 'Shows what the signing app scans, or asks for it',
  stepUp: 'pair-app',
  ...startsPairing,
  idempotent: true,
})

export const readSignaturePairing = endpoint('customer', 'GET /api/signatures/:id/pairing', {
  summary: 'Checks whether there is something for the app to scan, and whether the app is paired',
  background: true,
  ...readsPairing,
})

export const confirmSignaturePairing = endpoint('customer', 'POST /api/signatures/:id/pairing/code', {
  ...confirmsPairing,
  idempotent: 'code',
  reply: Signature,
})

export const Reminders = component(
  'Reminders',
  'Reminders of certificates that are about to expire.',
  z.strictObject({
    isEarly: described('Whether reminders are sent early; the last two before an end are always sent.', z.boolean()),
  }),
)
export type Reminders = z.infer<typeof Reminders>

export const readReminders = endpoint('customer', 'GET /api/reminders', {
  summary: 'Returns whether the customer wants early reminders of expiring certificates',
  description: 'The last two reminders before an end are always sent.',
  reply: Reminders,
})

export const changeReminders = endpoint('customer', 'PUT /api/reminders', {
  summary: 'Switches early reminders on or off; the last two are always sent', // SIG-5
  description: 'Applies to all certificates of the customer.',
  body: Reminders,
})
