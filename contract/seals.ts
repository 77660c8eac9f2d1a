import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Cursor, Instant, Uuid } from './fields.ts'
import { limits } from './limits.ts'
import { SealUserRole } from './seal-users.ts'
import { PairingForm, PairingSecret } from './pairing.ts'

/** Where the key of a seal lives: with the provider, used by a mobile app (cloud), or on a card. */
export const SealProduct = z.enum(['app', 'card'])
export type SealProduct = z.infer<typeof SealProduct>

/** A seal as one of its active users sees it (SEA-1). */
export const Seal = z.strictObject({
  id: Uuid,
  product: SealProduct,
  /** What the seal is called: the common name of its certificate. */
  name: z.string(),
  /** Whose it is, with an identifier such as `VATPL-5250001090` (ETSI EN 319 412-1 §5.1.4). */
  organisation: z.strictObject({ name: z.string(), identifier: z.string() }),
  /** Years of validity agreed. */
  years: z.int(),
  validFrom: Instant,
  validTo: Instant,
  status: z.enum(['active', 'inactive']),
  reason: z.nullable(z.enum(['not-yet-valid', 'expired', 'suspended', 'revoked'])),
  agreement: z.enum(['ready', 'generating']),
  /** Whether the caller can pair an app: app seals that are active. */
  pairable: z.boolean(),
  /** When the caller proved the pairing of an app. */
  pairedAt: z.nullable(Instant),
  /** What the caller is in this seal. */
  role: SealUserRole,
  /** Whom to ask: the active Administrators, the first few of them. */
  administrators: z.array(z.strictObject({ name: z.string(), email: z.string() })),
  /** Whether there are removed users to show; for an Administrator only, false for everyone else. */
  hasRemovedUsers: z.boolean(),
})
export type Seal = z.infer<typeof Seal>

/** Access to a seal that waits for the caller: nothing of the seal but whose it is (R41). */
export const SealInvitation = z.strictObject({
  id: Uuid,
  organisation: z.string(),
  role: SealUserRole,
  /** Where the code will go, masked: `+48 ••• ••• 417`. */
  phone: z.string(),
  expiresAt: Instant,
})
export type SealInvitation = z.infer<typeof SealInvitation>

export const listSeals = endpoint({
  method: 'GET',
  path: '/api/seals',
  summary: 'The seals that the customer may use, active first by nearest end, and the access that waits for activation',
  access: 'customer',
  query: z.strictObject({
    cursor: z.optional(Cursor),
    size: z.optional(z.enum(limits.list.sizes.map(String) as ['20', '50', '100'])),
  }),
  reply: z.strictObject({
    items: z.array(Seal),
    next: z.nullable(z.string()),
    invitations: z.array(SealInvitation),
  }),
  errors: ['cursor-refused'],
})

/** What home says of the seals (HOM-3): counts, access to activate, and by nearest end those that end soon, are suspended, or expired of late with nothing in their place. */
export const summariseSeals = endpoint({
  method: 'GET',
  path: '/api/seals/summary',
  summary: 'Counts, the access that waits for activation, and the seals that need attention',
  access: 'customer',
  reply: z.strictObject({
    active: z.int(),
    inactive: z.int(),
    invitations: z.array(SealInvitation),
    attention: z.array(Seal),
    nearestEnd: z.nullable(Seal),
  }),
})

const SealId = z.strictObject({ id: Uuid })

export const downloadSealAgreement = endpoint({
  method: 'GET',
  path: '/api/seals/:id/agreement',
  summary: 'The agreement of a seal as PDF',
  access: 'customer',
  params: SealId,
  download: ['application/pdf'],
  errors: ['not-found', 'agreement-not-ready'],
})

/** Each user of a seal has an app of their own; a new device voids the secret of the one before. */
export const startSealPairing = endpoint({
  method: 'POST',
  path: '/api/seals/:id/pairing',
  summary: 'Makes the secret that the caller’s app is paired with for a seal',
  access: 'customer',
  params: SealId,
  stepUp: 'pair-seal',
  idempotent: true,
  reply: PairingSecret,
  errors: ['not-found', 'pairing-not-possible'],
})

export const confirmSealPairing = endpoint({
  method: 'POST',
  path: '/api/seals/:id/pairing/code',
  summary: 'Proves the pairing with one code of the app',
  access: 'customer',
  params: SealId,
  body: PairingForm,
  reply: Seal,
  errors: ['not-found', 'pairing-not-possible', 'pairing-code-wrong', 'too-many-attempts'],
  code: 'used-up',
})
