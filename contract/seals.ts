import * as z from 'zod/mini'
import { component, described } from './documented.ts'
import { endpoint, readsOne } from './endpoint.ts'
import { Instant, Uuid } from './fields.ts'
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

export const SealUserRole = component(
  'SealUserRole',
  '`admin` may add and remove users of the seal. Both roles seal documents, each with their own login.',
  z.enum(['admin', 'user']),
)
export type SealUserRole = z.infer<typeof SealUserRole>

export const SealProduct = component(
  'SealProduct',
  'Where the key of a seal is: `app` with the provider, used by a mobile app; on a `card` or token; `psd2-card` for payment services; in a `file`.',
  z.enum(['app', 'card', 'psd2-card', 'file']),
)
export type SealProduct = z.infer<typeof SealProduct>

export const PaymentRole = component(
  'PaymentRole',
  'What a payment service provider may do (ETSI TS 119 495 §5.1).',
  z.enum(['PSP_AS', 'PSP_PI', 'PSP_AI', 'PSP_IC']),
)
export type PaymentRole = z.infer<typeof PaymentRole>

export const Psd2 = component(
  'Psd2',
  'The PSD2 statement of a certificate (ETSI TS 119 495).',
  z.strictObject({
    roles: described('What the holder may do.', z.array(PaymentRole)),
    authority: described(
      'The authority that has authorised the holder.',
      z.strictObject({ name: z.string(), id: described('Its identifier, such as `PL-PFSA`.', z.string()) }),
    ),
  }),
)
export type Psd2 = z.infer<typeof Psd2>

export const Seal = component(
  'OwnSeal',
  'A seal, as one of its active users sees it.',
  z.strictObject({
    id: Uuid,
    product: SealProduct,
    name: described('The common name of the certificate.', z.string()),
    organisation: described(
      'The owner, with an identifier such as `VATPL-5250001090` (ETSI EN 319 412-1 §5.1.4).',
      z.strictObject({
        name: z.string(),
        identifier: described('Its identifier, such as `VATPL-5250001090`.', z.string()),
      }),
    ),
    ...CertificateState.shape,
    psd2: described('The PSD2 statement of the certificate; null if it has none.', z.nullable(Psd2)),
    role: described('The caller’s role in this seal.', SealUserRole),
    administrators: described(
      'The contacts: the first few active Administrators.',
      z.array(z.strictObject({ name: z.string(), email: z.string() })),
    ),
    hasRemovedUsers: described(
      'Whether there are removed users to show; always false if the caller is not an Administrator.',
      z.boolean(),
    ),
  }),
)
export type Seal = z.infer<typeof Seal>

/** Returns the only seal that the caller administers, whose users are shown from the start (SEA-2). */
export function onlyAdministered(seals: readonly Seal[]): Seal | undefined {
  const [first, ...others] = seals.filter(({ role }) => role === 'admin')
  return others.length ? undefined : first
}

/** Of the seal, only its owner is shown (R41). */
export const SealInvitation = component(
  'SealInvitation',
  'An access to a seal that waits for the caller.',
  z.strictObject({
    id: Uuid,
    organisation: described('The owner of the seal.', z.string()),
    role: SealUserRole,
    phone: described('Where the code will be sent, masked: `+48 ••• ••• 417`.', z.string()),
    expiresAt: described('When the invitation expires.', Instant),
  }),
)
export type SealInvitation = z.infer<typeof SealInvitation>

export const listSeals = endpoint('customer', 'GET /api/seals', {
  summary:
    'Lists the seals that the customer may use, active first by nearest end, by page, status, product, period, organisation, search and id, and invitations to be activated',
  description: 'One page, and the invitations with it.',
  offlineCopy: true,
  ...pages(
    Seal,
    { size: PageSize, product: described('Only those of this product.', SealProduct), ...certificateFilters },
    { organisations, invitations: described('Accesses that wait for the caller.', z.array(SealInvitation)) },
  ),
})

/**
 * The seals on the home page (HOM-3): counts, invitations, and by nearest end the seals that end soon, are suspended,
 * or expired recently without a successor.
 */
export const summariseSeals = endpoint('customer', 'GET /api/seals/summary', {
  summary: 'Returns counts, invitations to be activated, and the seals that need attention',
  description: 'For the home page.',
  offlineCopy: true,
  reply: z.strictObject({
    ...certificateSummary(Seal),
    invitations: described('Accesses that wait for the caller.', z.array(SealInvitation)),
  }),
})

export const readSealCertificate = endpoint('customer', 'GET /api/seals/:id/certificate', {
  summary: 'Returns the contents of the certificate of a seal, for its active users',
  description: 'Subject, issuer, validity, key and statements, as read from the certificate.',
  ...readsOne(CertificateDetails),
})

export const downloadSealCertificate = endpoint('customer', 'GET /api/seals/:id/certificate/:format', {
  summary: 'Returns the certificate of a seal as a file: PEM (with its chain) or DER',
  description: 'For active users of the seal.',
  ...downloadsCertificate,
})

export const downloadSealAgreement = endpoint('customer', 'GET /api/seals/:id/agreement', {
  summary: 'Returns the agreement of a seal as PDF',
  ...downloadsAgreement,
})

/** Each user of a seal has their own app. */
export const startSealPairing = endpoint('customer', 'POST /api/seals/:id/pairing', {
  summary: 'Shows what the caller’s app scans for a seal, or asks for it',
  stepUp: 'pair-seal',
  ...startsPairing,
  idempotent: true,
})

export const readSealPairing = endpoint('customer', 'GET /api/seals/:id/pairing', {
  summary: 'Checks whether there is something for the caller’s app to scan, and whether the app is paired',
  background: true,
  ...readsPairing,
})

export const confirmSealPairing = endpoint('customer', 'POST /api/seals/:id/pairing/code', {
  ...confirmsPairing,
  idempotent: 'code',
  reply: Seal,
})
