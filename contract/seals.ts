import * as z from 'zod/mini'
import { endpoint, readsOne } from './endpoint.ts'
import { Instant, Uuid } from './fields.ts'
import { pages, PageSize } from './list-pages.ts'
import { SealUserRole } from './enums.ts'
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

/** Where the key of a seal is: with the provider, used by a mobile app (cloud); on a card or token; in a file (SEA-7). */
export const SealProduct = z.enum(['app', 'card', 'psd2-card', 'file'])
export type SealProduct = z.infer<typeof SealProduct>

/** What a payment service provider may do: ETSI TS 119 495 §5.1. */
export const PaymentRole = z.enum(['PSP_AS', 'PSP_PI', 'PSP_AI', 'PSP_IC'])
export type PaymentRole = z.infer<typeof PaymentRole>

/** The PSD2 statement of a certificate (SEA-8). `authority`: the one that has authorised the holder, such as `PL-PFSA`. */
export const Psd2 = z.strictObject({
  roles: z.array(PaymentRole),
  authority: z.strictObject({ name: z.string(), id: z.string() }),
})
export type Psd2 = z.infer<typeof Psd2>

/** A seal as one of its active users sees it (SEA-1). */
export const Seal = z.strictObject({
  id: Uuid,
  product: SealProduct,
  /** The common name of the certificate. */
  name: z.string(),
  /** The owner, with an identifier such as `VATPL-5250001090` (ETSI EN 319 412-1 §5.1.4). */
  organisation: z.strictObject({ name: z.string(), identifier: z.string() }),
  ...CertificateState.shape,
  psd2: z.nullable(Psd2),
  /** The caller's role in this seal. */
  role: SealUserRole,
  /** The contacts: the first few active Administrators. */
  administrators: z.array(z.strictObject({ name: z.string(), email: z.string() })),
  /** Whether there are removed users to show; always false if the caller is not an Administrator. */
  hasRemovedUsers: z.boolean(),
})
export type Seal = z.infer<typeof Seal>

/** The users of the only seal that the caller administers are shown from the start (SEA-2). */
export function onlyAdministered(seals: readonly Seal[]): Seal | undefined {
  const [first, ...others] = seals.filter(({ role }) => role === 'administrator')
  return others.length ? undefined : first
}

/** Access to a seal that waits for the caller; of the seal, only its owner is shown (R41). */
export const SealInvitation = z.strictObject({
  id: Uuid,
  organisation: z.string(),
  role: SealUserRole,
  /** Where the code will be sent, masked: `+48 ••• ••• 417`. */
  phone: z.string(),
  expiresAt: Instant,
})
export type SealInvitation = z.infer<typeof SealInvitation>

export const listSeals = endpoint('customer', 'GET /api/seals', {
  summary:
    'The seals that the customer may use, active first by nearest end, by page, status, product, period, organisation, search and id, and invitations to be activated',
  description: 'One page, and the invitations with it.',
  kept: true,
  ...pages(
    Seal,
    { size: PageSize, product: SealProduct, ...certificateFilters },
    { organisations, invitations: z.array(SealInvitation) },
  ),
})

/** The seals on the home page (HOM-3): counts, invitations, and by nearest end the seals that end soon, are suspended, or expired recently without a successor. */
export const summariseSeals = endpoint('customer', 'GET /api/seals/summary', {
  summary: 'Counts, invitations to be activated, and the seals that need attention',
  description: 'For the home page.',
  kept: true,
  reply: z.strictObject({
    active: z.int(),
    inactive: z.int(),
    invitations: z.array(SealInvitation),
    attention: z.array(Seal),
    nearestEnd: z.nullable(Seal),
    /** When the next one begins of those that are not valid yet (HOM-4). */
    begins: z.nullable(Instant),
  }),
})

export const readSealCertificate = endpoint('customer', 'GET /api/seals/:id/certificate', {
  summary: 'The contents of the certificate of a seal, for its active users',
  description: 'Subject, issuer, validity, key and statements, as read from the certificate.',
  ...readsOne(CertificateDetails),
})

export const downloadSealCertificate = endpoint('customer', 'GET /api/seals/:id/certificate/:format', {
  summary: 'The certificate of a seal as a file: PEM (with its chain) or DER',
  description: 'For active users of the seal.',
  ...downloadsCertificate,
})

export const downloadSealAgreement = endpoint('customer', 'GET /api/seals/:id/agreement', {
  summary: 'The agreement of a seal as PDF',
  description: 'Refused until the provider has filed it.',
  ...downloadsAgreement,
})

/** Each user of a seal has their own app. */
export const startSealPairing = endpoint('customer', 'POST /api/seals/:id/pairing', {
  summary: 'Shows what the caller’s app scans for a seal, or asks for it',
  description: 'What is shown once cannot be shown again.',
  stepUp: 'pair-seal',
  ...startsPairing,
})

export const readSealPairing = endpoint('customer', 'GET /api/seals/:id/pairing', {
  summary: 'Whether there is something for the caller’s app to scan, and whether the app is paired',
  description: 'The page polls it while the customer waits.',
  background: true,
  ...readsPairing,
})

export const confirmSealPairing = endpoint('customer', 'POST /api/seals/:id/pairing/code', {
  summary: 'Confirms the pairing with a code of the app, where the secret is the portal’s',
  description: 'The app shows the code after it has scanned.',
  ...confirmsPairing,
  reply: Seal,
})
