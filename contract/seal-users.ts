import * as z from 'zod/mini'
import { CodeForm, CodeSent } from './account.ts'
import { endpoint } from './endpoint.ts'
import { Cursor, Email, Instant, line, text, Uuid } from './fields.ts'
import { limits } from './limits.ts'
import { PhoneEntry } from './phone.ts'

/** `administrator` may add and remove users; both seal documents, each with their own login. */
export const SealUserRole = z.enum(['administrator', 'user'])
export type SealUserRole = z.infer<typeof SealUserRole>

export const SealUserStatus = z.enum(['pending', 'active', 'deleted'])
export type SealUserStatus = z.infer<typeof SealUserStatus>

/** Access begins with an invitation and ends for good (SEA-4, SEA-5). */
export const sealUserMoves: Record<SealUserStatus, readonly SealUserStatus[]> = {
  pending: ['active', 'deleted'],
  active: ['deleted'],
  deleted: [],
}

/** A user of a seal as its Administrators see them (SEA-2): never what they have sealed (SEA-6). */
export const SealUser = z.strictObject({
  id: Uuid,
  /** Counts the users of the seal, the removed ones too; no number comes twice. */
  number: z.int(),
  email: z.string(),
  /** Masked: `+48 ••• ••• 903`. */
  phone: z.string(),
  firstName: z.string(),
  surname: z.string(),
  role: SealUserRole,
  status: SealUserStatus,
  invitedAt: Instant,
  /** Until when a pending user can activate the access. */
  expiresAt: z.nullable(Instant),
  acquiredAt: z.nullable(Instant),
  deletedAt: z.nullable(Instant),
  /** Whether this is the caller. */
  own: z.boolean(),
})
export type SealUser = z.infer<typeof SealUser>

/** Orders of the list; `standing` is active, then pending, then removed, each by number. */
export const SealUserSort = z.enum(['standing', 'name'])
export type SealUserSort = z.infer<typeof SealUserSort>

const ofSeal = z.strictObject({ id: Uuid })
const ofUser = z.strictObject({ id: Uuid, user: Uuid })

export const listSealUsers = endpoint({
  method: 'GET',
  path: '/api/seals/:id/users',
  summary: 'The users of a seal, for its Administrators alone',
  access: 'customer',
  params: ofSeal,
  query: z.strictObject({
    cursor: z.optional(Cursor),
    size: z.optional(z.enum(limits.list.sizes.map(String) as ['20', '50', '100'])),
    sort: z.optional(SealUserSort),
    /** Left out: everyone who has not been removed. */
    status: z.optional(SealUserStatus),
    search: z.optional(text(limits.text.search)),
  }),
  reply: z.strictObject({ items: z.array(SealUser), next: z.nullable(z.string()) }),
  errors: ['not-found', 'cursor-refused'],
})

export const SealUserForm = z.strictObject({
  firstName: line(limits.text.name),
  surname: line(limits.text.name),
  email: Email,
  phone: PhoneEntry,
  role: SealUserRole,
})

/** The answer is the same whether or not the person has an account. */
export const addSealUser = endpoint({
  method: 'POST',
  path: '/api/seals/:id/users',
  summary: 'Invites a user to a seal by e-mail; the access waits until they activate it',
  access: 'customer',
  params: ofSeal,
  body: SealUserForm,
  stepUp: 'manage-seal-users',
  idempotent: true,
  reply: SealUser,
  errors: ['not-found', 'seal-ended', 'seal-user-exists', 'seal-users-full', 'sends-spent'],
})

/** Removing somebody who has been removed changes nothing. */
export const removeSealUser = endpoint({
  method: 'DELETE',
  path: '/api/seals/:id/users/:user',
  summary: 'Removes a user of a seal; the access ends with the next request',
  access: 'customer',
  params: ofUser,
  stepUp: 'manage-seal-users',
  reply: SealUser,
  errors: ['not-found', 'last-admin', 'own-access'],
})

export const inviteSealUserAgain = endpoint({
  method: 'POST',
  path: '/api/seals/:id/users/:user/invitation',
  summary: 'Sends the invitation of a pending user once more; its time begins anew',
  access: 'customer',
  params: ofUser,
  reply: SealUser,
  errors: ['not-found', 'seal-ended', 'already-active', 'state-passed', 'resend-too-early', 'sends-spent'],
})

/** Why a code may not be sent. */
const notSent = ['sends-spent', 'too-many-attempts', 'sms-country-refused', 'sms-stopped'] as const

/** The invitation must be for the caller's e-mail; the code goes to the number that was invited with it (R41). */
export const startSealActivation = endpoint({
  method: 'POST',
  path: '/api/seal-invitations/:id/activation',
  summary: 'Sends the SMS code that activates the access to a seal, to the invited number',
  access: 'customer',
  params: ofSeal,
  reply: CodeSent,
  errors: ['not-found', 'invitation-expired', 'seal-ended', ...notSent],
})

export const resendSealActivation = endpoint({
  method: 'POST',
  path: '/api/seal-invitations/:id/activation/resend',
  summary: 'Sends a new SMS code for the activation; the one before is void',
  access: 'customer',
  params: ofSeal,
  reply: CodeSent,
  errors: [
    'not-found',
    'invitation-expired',
    'seal-ended',
    'resend-too-early',
    ...notSent,
    'code-expired',
    'code-void',
  ],
})

export const finishSealActivation = endpoint({
  method: 'POST',
  path: '/api/seal-invitations/:id/activation/code',
  summary: 'Activates the access to a seal with the SMS code',
  access: 'customer',
  params: ofSeal,
  body: CodeForm,
  reply: z.strictObject({ seal: Uuid }),
  errors: [
    'not-found',
    'invitation-expired',
    'seal-ended',
    'code-wrong',
    'code-expired',
    'code-void',
    'too-many-attempts',
  ],
  code: 'used-up',
})
