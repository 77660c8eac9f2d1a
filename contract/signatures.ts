import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { IdentifierType } from './enums.ts'
import { Cursor, Instant, text, Uuid } from './fields.ts'
import { limits } from './limits.ts'
import { PairingForm, PairingSecret } from './pairing.ts'

/** Where the signing key lives: in a mobile app (cloud), on a card or token, in a file. */
export const SignatureProduct = z.enum(['app', 'card', 'file'])
export type SignatureProduct = z.infer<typeof SignatureProduct>

/** SIG-1 knows active and inactive; `reason` says in which way a signature is not active. */
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
    /** Its first characters, `850312`, and how many more there are. Dots in their place would make every list twice as long to write. */
    shown: z.string(),
    hidden: z.int(),
  }),
  /** Years of validity agreed. */
  years: z.int(),
  validFrom: Instant,
  validTo: Instant,
  status: z.enum(['active', 'inactive']),
  reason: z.nullable(z.enum(['not-yet-valid', 'expired', 'suspended', 'revoked'])),
  agreement: z.enum(['ready', 'generating']),
  /** Whether an app can be paired: app signatures that are active. */
  pairable: z.boolean(),
  /** When the customer proved the pairing of an app. */
  pairedAt: z.nullable(Instant),
  /** Its renewal, if there is one: begun, or signed, so that its end asks for nothing any more. */
  renewal: z.nullable(z.enum(['begun', 'signed'])),
})
export type Signature = z.infer<typeof Signature>

/** Orders of the list; `urgency` is active by nearest end, then inactive newest first (defaults.md, lists). */
export const SignatureSort = z.enum(['urgency', 'ends-first', 'ends-last', 'newest', 'name'])
export type SignatureSort = z.infer<typeof SignatureSort>

export const listSignatures = endpoint({
  method: 'GET',
  path: '/api/signatures',
  summary: 'The customer’s signatures, by page, order, status and search',
  access: 'customer',
  query: z.strictObject({
    cursor: z.optional(Cursor),
    size: z.optional(z.enum(limits.list.sizes.map(String) as ['20', '50', '100'])),
    sort: z.optional(SignatureSort),
    status: z.optional(z.enum(['active', 'inactive'])),
    search: z.optional(text(limits.text.search)),
  }),
  reply: z.strictObject({ items: z.array(Signature), next: z.nullable(z.string()) }),
  errors: ['cursor-refused'],
})

/**
 * What home says of the signatures (HOM-3): counts, and by nearest end those that need attention: they end soon, are
 * suspended, expired of late with nothing in their place, or are new and not paired yet.
 */
export const summariseSignatures = endpoint({
  method: 'GET',
  path: '/api/signatures/summary',
  summary: 'Counts, and the signatures that need attention',
  access: 'customer',
  reply: z.strictObject({
    active: z.int(),
    inactive: z.int(),
    attention: z.array(Signature),
    /** How many more need attention than are named. */
    further: z.int(),
    nearestEnd: z.nullable(Signature),
  }),
})

const SignatureId = z.strictObject({ id: Uuid })

/** One attribute of a distinguished name, e.g. `{ name: 'CN', value: 'Anna Nowak' }`. */
const NameAttribute = z.strictObject({ name: z.string(), value: z.string() })

export const CertificateDetails = z.strictObject({
  signature: Signature,
  subject: z.array(NameAttribute),
  issuer: z.array(NameAttribute),
  /** Hexadecimal, upper case. */
  serialNumber: z.string(),
  keyUsage: z.array(z.string()),
  publicKey: z.string(),
  sha256: z.string(),
  policies: z.array(z.string()),
  qualified: z.boolean(),
  /** The common names from the issuing authority to the root. */
  chain: z.array(z.strictObject({ subject: z.string(), validTo: Instant })),
})
export type CertificateDetails = z.infer<typeof CertificateDetails>

export const readCertificate = endpoint({
  method: 'GET',
  path: '/api/signatures/:id/certificate',
  summary: 'What stands in the certificate',
  access: 'customer',
  params: SignatureId,
  reply: CertificateDetails,
  errors: ['not-found'],
})

export const downloadCertificate = endpoint({
  method: 'GET',
  path: '/api/signatures/:id/certificate/:format',
  summary: 'The certificate as a file: PEM (with its chain) or DER',
  access: 'customer',
  params: z.strictObject({ id: Uuid, format: z.enum(['pem', 'der']) }),
  download: ['application/x-pem-file', 'application/pkix-cert'],
  errors: ['not-found'],
})

export const downloadAgreement = endpoint({
  method: 'GET',
  path: '/api/signatures/:id/agreement',
  summary: 'The agreement as PDF',
  access: 'customer',
  params: SignatureId,
  download: ['application/pdf'],
  errors: ['not-found', 'agreement-not-ready'],
})

/** A new device voids the secret of the one before (defaults.md, QR). */
export const startPairing = endpoint({
  method: 'POST',
  path: '/api/signatures/:id/pairing',
  summary: 'Makes the secret that a signing app is paired with',
  access: 'customer',
  params: SignatureId,
  stepUp: 'pair-app',
  idempotent: true,
  reply: PairingSecret,
  errors: ['not-found', 'pairing-not-possible'],
})

export const confirmPairing = endpoint({
  method: 'POST',
  path: '/api/signatures/:id/pairing/code',
  summary: 'Proves the pairing with one code of the app',
  access: 'customer',
  params: SignatureId,
  body: PairingForm,
  reply: Signature,
  errors: ['not-found', 'pairing-not-possible', 'pairing-code-wrong', 'too-many-attempts'],
  code: 'used-up',
})
