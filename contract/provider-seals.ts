import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Locale } from './enums.ts'
import { Cursor, Email, Instant, line, PhoneNumber } from './fields.ts'
import { limits } from './limits.ts'
import { ProviderCertificate, ProviderId } from './provider-api.ts'
import { SealUserRole, SealUserStatus } from './seal-users.ts'
import { SealProduct } from './seals.ts'

/** Seals and their users, as the provider puts them into the portal (OPS-4). */

export const ProviderSeal = z.strictObject({
  product: SealProduct,
  years: z.int().check(z.minimum(1), z.maximum(10)),
  /** Of a legal person (ETSI EN 319 412-3): its organisation and organisation identifier are read from it. */
  certificate: ProviderCertificate,
  /** From the issuing authority to the root. */
  chain: z.array(ProviderCertificate).check(z.minLength(1), z.maxLength(5)),
  status: z.enum(['good', 'suspended', 'revoked']),
  agreementLanguage: Locale,
})
export type ProviderSeal = z.infer<typeof ProviderSeal>

const SealState = z.extend(ProviderSeal, { agreement: z.enum(['ready', 'generating']) })

const sealParams = z.strictObject({ seal: ProviderId })

export const putSeal = endpoint({
  method: 'PUT',
  path: '/provider/v1/seals/:seal',
  summary: 'Creates or updates a seal; names and dates are read from its certificate',
  access: 'provider',
  params: sealParams,
  body: ProviderSeal,
  reply: SealState,
  errors: ['certificate-unreadable'],
})

export const getSeal = endpoint({
  method: 'GET',
  path: '/provider/v1/seals/:seal',
  summary: 'A seal as the portal knows it',
  access: 'provider',
  params: sealParams,
  reply: SealState,
  errors: ['not-found'],
})

export const putSealAgreement = endpoint({
  method: 'PUT',
  path: '/provider/v1/seals/:seal/agreement',
  summary: 'Files the agreement of a seal, as PDF',
  access: 'provider',
  params: sealParams,
  upload: 'application/pdf',
  reply: z.strictObject({ sha256: z.string(), bytes: z.int() }),
  errors: ['not-found', 'body-too-large', 'unsupported-media-type', 'storage-full'],
})

export const ProviderSealUser = z.strictObject({
  email: Email,
  phone: PhoneNumber,
  firstName: line(limits.text.name),
  surname: line(limits.text.name),
  role: SealUserRole,
  /** Language of the invitation. */
  locale: Locale,
  /** `pending` sends an invitation; `active` is for a customer of that e-mail whom the provider has identified itself. */
  status: SealUserStatus,
  /** When the access was acquired and removed; now, unless said. */
  acquiredAt: z.optional(Instant),
  deletedAt: z.optional(Instant),
})
export type ProviderSealUser = z.infer<typeof ProviderSealUser>

const SealUserState = z.strictObject({
  /** The provider's own id, or the portal's for a user whom an Administrator has invited. */
  user: ProviderId,
  number: z.int(),
  email: z.string(),
  phone: z.string(),
  firstName: z.string(),
  surname: z.string(),
  role: SealUserRole,
  locale: Locale,
  status: SealUserStatus,
  acquiredAt: z.nullable(Instant),
  deletedAt: z.nullable(Instant),
})

const sealUserParams = z.strictObject({ seal: ProviderId, user: ProviderId })

export const putSealUser = endpoint({
  method: 'PUT',
  path: '/provider/v1/seals/:seal/users/:user',
  summary: 'Creates a user of a seal, or updates one whose access has not ended; nobody becomes pending again',
  access: 'provider',
  params: sealUserParams,
  body: ProviderSealUser,
  reply: SealUserState,
  errors: ['not-found', 'seal-user-exists', 'seal-users-full', 'state-passed', 'last-admin'],
})

export const getSealUser = endpoint({
  method: 'GET',
  path: '/provider/v1/seals/:seal/users/:user',
  summary: 'A user of a seal as the portal knows them',
  access: 'provider',
  params: sealUserParams,
  reply: SealUserState,
  errors: ['not-found'],
})

export const listProviderSealUsers = endpoint({
  method: 'GET',
  path: '/provider/v1/seals/:seal/users',
  summary: 'The users of a seal by number, those whom its Administrators invited or removed among them',
  access: 'provider',
  params: sealParams,
  query: z.strictObject({ cursor: z.optional(Cursor) }),
  reply: z.strictObject({ items: z.array(SealUserState), next: z.nullable(z.string()) }),
  errors: ['not-found', 'cursor-refused'],
})
