import * as z from 'zod/mini'
import { DocumentStatus, Refusal } from '../documents.ts'
import { Instant, Uuid, LocalText } from '../fields.ts'
import { RenewalState } from '../renewal.ts'
import { SealProduct, SealUserRole } from '../seals.ts'
import { CertificateStatus, StatusChange } from '../signatures-and-seals.ts'
import { SignatureProduct } from '../signatures.ts'
import { StatusReason, StatusRequestState } from '../status-requests.ts'
import { CaseStatus, VoucherProcess } from '../vouchers.ts'

/** Steps that a case waits for, each with the party that has to act: the customer, the provider, or the signing service. */
export const caseWaits = {
  'renewal-choices': 'customer',
  'renewal-data': 'customer',
  'renewal-signature': 'customer',
  'renewal-signature-again': 'customer',
  'renewal-app': 'customer',
  'identity-check': 'provider',
  agreement: 'provider',
  certificate: 'provider',
  'signing-service': 'signing-service',
  'document-content': 'provider',
  'document-signature': 'customer',
  'document-upload': 'customer',
  'document-check': 'provider',
  'document-end': 'provider',
  'voucher-case': 'provider',
} as const satisfies Record<string, 'customer' | 'provider' | 'signing-service'>
export type CaseWait = keyof typeof caseWaits
/** Whoever the case waits for; null if it has ended. */
const Wait = z.nullable(z.enum(Object.keys(caseWaits) as CaseWait[]))

/** Returns the schema of the newest objects of a kind; `more` is true if there are others. */
const newest = <S extends z.ZodMiniType>(item: S) => z.strictObject({ items: z.array(item), hasMore: z.boolean() })

/** Numbers of certificates are masked. */
const filed = {
  id: Uuid,
  /** The provider's own id. */
  filed: z.string(),
}

const Certificate = z.strictObject({
  ...filed,
  product: SignatureProduct,
  serial: z.string(),
  status: CertificateStatus,
  validFrom: Instant,
  validTo: Instant,
  isExpired: z.boolean(),
  isPaired: z.boolean(),
})

/** Access to a seal; `id` is that of the access, and `filed` the seal's. */
const SealAccess = z.strictObject({
  ...filed,
  product: SealProduct,
  serial: z.string(),
  role: SealUserRole,
  status: CertificateStatus,
  validTo: Instant,
  isExpired: z.boolean(),
})

const Invitation = z.strictObject({
  ...filed,
  product: SealProduct,
  role: SealUserRole,
  invitedAt: Instant,
  expiresAt: Instant,
  isExpired: z.boolean(),
  /** The customer uses the seal already, so the portal does not show the invitation. */
  isSuperfluous: z.boolean(),
})

/** Fields that a case has both in the lists and on its own page. */
export const caseFields = {
  id: Uuid,
  /** Number by which the customer names the case. */
  number: z.string(),
  since: Instant,
  waits: Wait,
}

const Renewal = z.strictObject({ ...caseFields, state: RenewalState, endsAt: Instant })

const Document = z.strictObject({
  ...caseFields,
  filed: z.string(),
  process: LocalText,
  state: DocumentStatus,
  refusal: z.nullable(Refusal),
})

const Voucher = z.strictObject({
  ...caseFields,
  process: VoucherProcess,
  state: CaseStatus,
  providerStatus: z.nullable(z.string()),
})

const StatusRequest = z.strictObject({
  id: Uuid,
  of: z.enum(['signature', 'seal']),
  change: StatusChange,
  reason: z.nullable(StatusReason),
  state: StatusRequestState,
  requestedAt: Instant,
  deadline: Instant,
  decidedAt: z.nullable(Instant),
})

const TimestampAccount = z.strictObject({ ...filed, login: z.string(), isActive: z.boolean(), packages: z.int() })

/** The products of a customer, without names of persons, organisations and files (DSK-18). */
export const DeskProducts = z.strictObject({
  certificates: newest(Certificate),
  seals: newest(SealAccess),
  invitations: newest(Invitation),
  renewals: newest(Renewal),
  documents: newest(Document),
  vouchers: newest(Voucher),
  statusRequests: newest(StatusRequest),
  timestamps: newest(TimestampAccount),
})
export type DeskProducts = z.infer<typeof DeskProducts>
