import * as z from 'zod/mini'
import { endpoint, readsOne } from './endpoint.ts'
import { IdentifierType } from './enums.ts'
import { Instant, Uuid } from './fields.ts'
import { pages, PageSize } from './list-pages.ts'
import {
  CertificateDetails,
  certificateFilters,
  CertificateState,
  confirmsPairing,
  downloadsAgreement,
  downloadsCertificate,
  organisations,
  readsPairing,
  startsPairing,
} from './signatures-and-seals.ts'

/** Where the signing key is: in the cloud, used by a mobile app; on a card or token; in a file. */
export const SignatureProduct = z.enum(['app', 'card', 'file'])
export type SignatureProduct = z.infer<typeof SignatureProduct>

/** SIG-1 has active and inactive; `reason` says why a signature is inactive. */
export const Signature = z.strictObject({
  id: Uuid,
  product: SignatureProduct,
  /** Common name of the subject. */
  name: z.string(),
  organisation: z.nullable(z.string()),
  identifier: z.strictObject({
    type: IdentifierType,
    /** ISO 3166-1 alpha-2; null for ECN. */
    country: z.nullable(z.string()),
    /** The whole number, which the page masks (DAT-7). */
    value: z.string(),
  }),
  ...CertificateState.shape,
  /** Its renewal in the portal, if there is one: `signed` needs no more attention before its end. */
  renewal: z.nullable(z.enum(['begun', 'signed'])),
  /** When the certificate begins that replaces it: of its renewal, once that is issued, or another that continues it (SIG-10). */
  renewedFrom: z.nullable(Instant),
})
export type Signature = z.infer<typeof Signature>

/** Sort orders of the list; `urgency` is active by nearest end, then inactive newest first (defaults.md, lists). Those that have ended are last in `ends-first` too. */
export const SignatureSort = z.enum(['urgency', 'ends-first', 'ends-last', 'newest', 'name'])
export type SignatureSort = z.infer<typeof SignatureSort>

export const listSignatures = endpoint('customer', 'GET /api/signatures', {
  summary: 'The customer’s signatures, by page, order, status, product, period, organisation, search and id',
  description: 'One page, without certificates.',
  kept: true,
  ...pages(
    Signature,
    {
      size: PageSize,
      sort: SignatureSort,
      product: SignatureProduct,
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
  summary: 'Counts, and the signatures that need attention',
  description: 'For the home page.',
  kept: true,
  reply: z.strictObject({
    active: z.int(),
    inactive: z.int(),
    attention: z.array(Signature),
    /** How many more need attention. */
    further: z.int(),
    nearestEnd: z.nullable(Signature),
    /** When the next one begins of those that are not valid yet (HOM-4). */
    begins: z.nullable(Instant),
  }),
})

export const readCertificate = endpoint('customer', 'GET /api/signatures/:id/certificate', {
  summary: 'The contents of the certificate',
  description: 'Subject, issuer, validity, key and statements, as read from the certificate.',
  ...readsOne(z.extend(CertificateDetails, { signature: Signature })),
})

export const downloadCertificate = endpoint('customer', 'GET /api/signatures/:id/certificate/:format', {
  summary: 'The certificate as a file: PEM (with its chain) or DER',
  description: 'For the owner of the signature.',
  ...downloadsCertificate,
})

export const downloadAgreement = endpoint('customer', 'GET /api/signatures/:id/agreement', {
  summary: 'The agreement as PDF',
  description: 'Refused until the provider has filed it.',
  ...downloadsAgreement,
})

export const startPairing = endpoint('customer', 'POST /api/signatures/:id/pairing', {
  summary: 'Shows what the signing app scans, or asks for it',
  description: 'What is shown once cannot be shown again.',
  stepUp: 'pair-app',
  ...startsPairing,
})

export const readPairing = endpoint('customer', 'GET /api/signatures/:id/pairing', {
  summary: 'Whether there is something for the app to scan, and whether the app is paired',
  description: 'The page polls it while the customer waits.',
  background: true,
  ...readsPairing,
})

export const confirmPairing = endpoint('customer', 'POST /api/signatures/:id/pairing/code', {
  summary: 'Confirms the pairing with a code of the app, where the secret is the portal’s',
  description: 'The app shows the code after it has scanned.',
  ...confirmsPairing,
  reply: Signature,
})
