import * as z from 'zod/mini'
import { component, described } from './documented.ts'
import { keysOf } from './enums.ts'
import { Instant, text } from './fields.ts'
import { limits } from './limits.ts'
import { searches } from './list-pages.ts'
import { CodeForm } from './one-time-code.ts'
import { transitions } from './transitions.ts'

/** The names are those of the provider's templates (SIG-7). */
export const Period = component(
  'Period',
  'For how long the certificate is issued.',
  z.enum(['1_day', '30_days', '1_year', '2_year', '3_year']),
)
export type Period = z.infer<typeof Period>

/**
 * Statuses that the provider can state for a certificate, each with those that may follow: the database refuses any other change, because a
 * revocation is final (ETSI EN 319 411-1 §6.2.4; PRV-1, R139).
 */
export const certificateMoves = transitions({
  good: ['suspended', 'revoked'],
  suspended: ['good', 'revoked'],
  revoked: [],
})
export const CertificateStatus = component(
  'CertificateStatus',
  'The status of a certificate. `good` and `suspended` follow each other; `revoked` is final.',
  z.enum(keysOf(certificateMoves)),
)
export type CertificateStatus = z.infer<typeof CertificateStatus>

/** Changes that a customer can request for a certificate, each with the status afterwards (STP-1). */
export const statusAfter = { suspend: 'suspended', resume: 'good', revoke: 'revoked' } as const
export const StatusChange = component(
  'StatusChange',
  'What a customer requests of the status of a certificate: to suspend it, to end the suspension, or to revoke it for good.',
  z.enum(keysOf(statusAfter)),
)
export type StatusChange = z.infer<typeof StatusChange>

export const OpenStatusRequest = component(
  'OpenStatusRequest',
  'A request for another status that the provider has not decided yet.',
  z.strictObject({
    change: StatusChange,
    deadline: described('Until when the provider has to decide it.', Instant),
  }),
)
export type OpenStatusRequest = z.infer<typeof OpenStatusRequest>

export const AgreementState = component(
  'AgreementState',
  'Whether the agreement is filed; until then the customer sees that it is being generated.',
  z.enum(['ready', 'generating']),
)

/** Fields that a signature and a seal have in common in the lists of the provider. */
export const summaryFields = {
  status: CertificateStatus,
  validFrom: described('From when on the certificate is valid.', Instant),
  validTo: described('Until when the certificate is valid.', Instant),
  agreement: AgreementState,
}

/** Status of a certificate as filters need it; defined apart from the rest, because they need nothing else of it in the browser. */
export const CertificateActivity = z.enum(['active', 'inactive'])

/** Fields that a signature and a seal have in common, as the customer sees them. */
export const CertificateState = z.strictObject({
  period: described(
    'The agreed period; the certificate can be valid for less, such as by the identity document of its holder.',
    Period,
  ),
  validFrom: described('From when on the certificate is valid.', Instant),
  validTo: described('Until when the certificate is valid.', Instant),
  status: described('Whether the certificate can be used now.', CertificateActivity),
  reason: described(
    'Why it is inactive; null if it is active.',
    z.nullable(z.enum(['not-yet-valid', 'expired', 'suspended', 'revoked'])),
  ),
  agreement: AgreementState,
  changes: described(
    'What the caller can request of its status now; none for users of a seal who are not Administrators.',
    z.array(StatusChange),
  ),
  request: described('The open request for another status; null if there is none.', z.nullable(OpenStatusRequest)),
  canPair: described(
    'Whether the caller can pair an app: those with an app, while they are active and no suspension or revocation is requested.',
    z.boolean(),
  ),
  pairedAt: described('When the caller confirmed the pairing of an app; null before that.', z.nullable(Instant)),
})

export type CertificateState = z.infer<typeof CertificateState>

/** Returns the fields of the home page's summary of signatures or of seals (HOM-3). */
export const certificateSummary = <Certificate extends z.ZodMiniType>(certificate: Certificate) => ({
  active: described('How many can be used now.', z.int()),
  inactive: described('How many cannot.', z.int()),
  attention: described('Those that need attention, nearest end first.', z.array(certificate)),
  nearestEnd: described('The active one that ends first; null if none is active.', z.nullable(certificate)),
  begins: described(
    'When the next one begins of those that are not valid yet; null if there is none.',
    z.nullable(Instant),
  ),
})

/** The organisations of all certificates of the list, by name, for its filter and its groups (SIG-9, SEA-13). */
export const organisations = described(
  'The organisations of all certificates of the customer, by name.',
  z.array(z.string()),
)

/** Filters and searches that the customer can use in both lists, in addition to the product (SIG-8, SEA-12, SEA-13). */
export const certificateFilters = {
  status: described('Only those with this status.', CertificateActivity),
  period: described('Only those of this period.', Period),
  organisation: described('Only those of this organisation, by its whole name.', text(limits.text.described)),
  ...searches,
}

const whileShown = {
  visibleUntil: described('Until when the page shows it.', Instant),
  now: described('The time of the portal, for a clock of the browser that is wrong.', Instant),
}

export const PairingStart = component(
  'PairingStart', // SIG-3, SEA-1, APP-2 … APP-5
  'What the app of the caller scans: `secret` is the portal’s own, whose codes confirm the pairing; `content` is the provider’s, shown only once; `requested`: there is none yet, and it was asked for.',
  z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('secret'),
      uri: described('The content of the QR code: `otpauth://totp/…`.', z.string()),
      key: described('The secret in base32, to be typed by hand.', z.string()),
      ...whileShown,
    }),
    z.strictObject({
      kind: z.literal('content'),
      content: described('The content of the QR code.', z.string()),
      code: described('What can be typed into the app instead; null if nothing can.', z.nullable(z.string())),
      ...whileShown,
    }),
    z.strictObject({ kind: z.literal('requested') }),
  ]),
)
export type PairingStart = z.infer<typeof PairingStart>

export const ActivationState = component(
  'ActivationState',
  'What can be shown for an app: nothing yet; `requested`, and then `delayed` while the signing service does not answer, or `refused` by it; `ready` to be shown; `shown`, and so used.',
  z.enum(['none', 'requested', 'delayed', 'refused', 'ready', 'shown']),
)
export type ActivationState = z.infer<typeof ActivationState>

/** The calls by which the caller's app is paired. A new device voids the secret of the previous one (defaults.md, QR). */
export const startsPairing = {
  description: 'What is shown once cannot be shown again.',
  reply: PairingStart,
  errors: ['not-found', 'pairing-not-possible'],
} as const
export const readsPairing = {
  description: 'The page polls it while the customer waits.',
  reply: component(
    'PairingState',
    'Whether there is something for the app to scan, and whether it is paired.',
    z.strictObject({
      state: ActivationState,
      pairedAt: described('When the caller confirmed the pairing of an app; null before that.', z.nullable(Instant)),
    }),
  ),
  errors: ['not-found'],
} as const
export const confirmsPairing = {
  summary: 'Confirms the pairing with a code of the app, where the secret is the portal’s',
  description: 'The app shows the code after it has scanned.',
  body: CodeForm,
  errors: ['not-found', 'pairing-not-possible', 'pairing-code-wrong', 'too-many-attempts'],
} as const

const NameAttribute = component(
  'NameAttribute',
  'An attribute of a distinguished name.',
  z.strictObject({
    name: described('The short name of the attribute, such as `CN`.', z.string()),
    value: described('Its value.', z.string()),
  }),
)

export const CertificateDetails = component(
  'CertificateDetails',
  'What a certificate says.',
  z.strictObject({
    subject: described('The distinguished name of the holder.', z.array(NameAttribute)),
    issuer: described('The distinguished name of the authority.', z.array(NameAttribute)),
    serialNumber: described('Hexadecimal, upper case.', z.string()),
    keyUsage: described('The key usages of the certificate.', z.array(z.string())),
    publicKey: described('The algorithm and size of the key.', z.string()),
    sha256: described('The SHA-256 of the certificate.', z.string()),
    policies: described('The object identifiers of its policies.', z.array(z.string())),
    qualified: described('Whether it states that it is qualified (ETSI EN 319 412-5).', z.boolean()),
    chain: described(
      'The certificates from the issuing authority to the root.',
      z.array(
        component(
          'AuthorityCertificate',
          'The certificate of an authority.',
          z.strictObject({
            subject: described('The common name of the authority.', z.string()),
            validTo: described('Until when the certificate is valid.', Instant),
          }),
        ),
      ),
    ),
  }),
)
export type CertificateDetails = z.infer<typeof CertificateDetails>

/** The certificate as a file: PEM (with its chain) or DER. */
export const downloadsCertificate = {
  params: { format: described('`pem` has the chain too; `der` has the certificate only.', z.enum(['pem', 'der'])) },
  download: ['application/x-pem-file', 'application/pkix-cert'],
  errors: ['not-found'],
} as const

export const downloadsAgreement = {
  description: 'Refused until the provider has filed it.',
  download: ['application/pdf'],
  errors: ['not-found', 'agreement-not-ready'],
} as const

/**
 * Checks whether a suspension or revocation waits for the provider: meanwhile the certificate signs nothing, is not renewed and pairs no
 * app (STP-8).
 */
export const isBeingStopped = ({ request }: { request: OpenStatusRequest | null }): boolean =>
  request?.change === 'suspend' || request?.change === 'revoke'
