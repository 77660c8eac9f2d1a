import * as z from 'zod/mini'
import { CodeForm } from './account.ts'
import { Period } from './enums.ts'
import { Instant, text } from './fields.ts'
import { keysOf } from './keys-of.ts'
import { limits } from './limits.ts'
import { searches } from './list-pages.ts'
import { transitions } from './transitions.ts'

/**
 * What the provider can state of a certificate, and what may follow: the database refuses any other change, because a revocation is final
 * (ETSI EN 319 411-1 §6.2.4; PRV-1, R139).
 */
export const certificateMoves = transitions({
  good: ['suspended', 'revoked'],
  suspended: ['good', 'revoked'],
  revoked: [],
})
export const CertificateStatus = z.enum(keysOf(certificateMoves))
export type CertificateStatus = z.infer<typeof CertificateStatus>

/** What a signature and a seal have in common in the lists of the provider. */
export const summaryFields = {
  status: CertificateStatus,
  validFrom: Instant,
  validTo: Instant,
  agreement: z.enum(['ready', 'generating']),
}

/** What a signature and a seal have in common, as the customer sees them. */
export const CertificateState = z.strictObject({
  /** The agreed one; the certificate can be shorter, e.g. by the identity document of its holder. */
  period: Period,
  validFrom: Instant,
  validTo: Instant,
  status: z.enum(['active', 'inactive']),
  reason: z.nullable(z.enum(['not-yet-valid', 'expired', 'suspended', 'revoked'])),
  agreement: z.enum(['ready', 'generating']),
  /** Whether the caller can pair an app: those with an app, while they are active. */
  pairable: z.boolean(),
  /** When the caller confirmed the pairing of an app. */
  pairedAt: z.nullable(Instant),
})

/** The organisations of all certificates of the list, by name, for its filter and its groups (SIG-9, SEA-13). */
export const organisations = z.array(z.string())

/** How the customer filters and searches both lists, in addition to the product (SIG-8, SEA-12, SEA-13). */
export const certificateFilters = {
  status: CertificateState.shape.status,
  period: Period,
  organisation: text(limits.text.described),
  ...searches,
}

const whileShown = { visibleUntil: Instant, now: Instant }

/**
 * What the caller's app scans (SIG-3, SEA-1), drawn as a QR code in the browser and opened by the app on the same phone.
 * `secret`: the portal's own, whose codes confirm the pairing (APP-4). `content`: the provider's or its signing service's, shown
 * only once (APP-2, APP-3). `requested`: there is none now, and it was asked for (APP-5).
 */
export const PairingStart = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('secret'),
    /** `otpauth://totp/…` */
    uri: z.string(),
    /** The secret in base32, to be typed by hand. */
    key: z.string(),
    ...whileShown,
  }),
  z.strictObject({
    kind: z.literal('content'),
    content: z.string(),
    /** What can be typed into the app instead. */
    code: z.nullable(z.string()),
    ...whileShown,
  }),
  z.strictObject({ kind: z.literal('requested') }),
])
export type PairingStart = z.infer<typeof PairingStart>

/**
 * What can be shown for an app (APP-2): nothing yet; requested, and then delayed while the signing service does not answer, or
 * refused by it; ready to be shown; shown, and so used.
 */
export const ActivationState = z.enum(['none', 'requested', 'delayed', 'refused', 'ready', 'shown'])
export type ActivationState = z.infer<typeof ActivationState>

/** The calls by which the caller's app is paired. A new device voids the secret of the previous one (defaults.md, QR). */
export const startsPairing = {
  idempotent: true,
  reply: PairingStart,
  errors: ['not-found', 'pairing-not-possible'],
} as const
export const readsPairing = {
  reply: z.strictObject({ state: ActivationState, pairedAt: z.nullable(Instant) }),
  errors: ['not-found'],
} as const
export const confirmsPairing = {
  body: CodeForm,
  errors: ['not-found', 'pairing-not-possible', 'pairing-code-wrong', 'too-many-attempts'],
  code: 'used-up',
} as const

/** One attribute of a distinguished name, e.g. `{ name: 'CN', value: 'Anna Nowak' }`. */
const NameAttribute = z.strictObject({ name: z.string(), value: z.string() })

/** What a certificate says (SIG-5, SEA-14). */
export const CertificateDetails = z.strictObject({
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

/** The certificate as a file: PEM (with its chain) or DER. */
export const downloadsCertificate = {
  params: { format: z.enum(['pem', 'der']) },
  download: ['application/x-pem-file', 'application/pkix-cert'],
  errors: ['not-found'],
} as const

export const downloadsAgreement = {
  download: ['application/pdf'],
  errors: ['not-found', 'agreement-not-ready'],
} as const
