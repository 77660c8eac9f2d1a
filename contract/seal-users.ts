import * as z from 'zod/mini'
import { component, described } from './documented.ts'
import { endpoint } from './endpoint.ts'
import { Locale, keysOf } from './enums.ts'
import { Instant, text, Uuid } from './fields.ts'
import { limits } from './limits.ts'
import { pages, PageSize } from './list-pages.ts'
import { CodeForm, codeRefusals, CodeSent, smsNotSent } from './one-time-code.ts'
import { SealUserForm } from './seal-user-form.ts'
import { SealUserRole } from './seals.ts'
import { transitions } from './transitions.ts'

/** Access begins with an invitation and ends for good (SEA-4, SEA-5). */
export const sealUserMoves = transitions({
  pending: ['active', 'deleted'],
  active: ['deleted'],
  deleted: [],
})
export const SealUserStatus = component(
  'SealUserStatus',
  '`pending`: invited; `active`: has access; `deleted`: the access has ended, for good.',
  z.enum(keysOf(sealUserMoves)),
)
export type SealUserStatus = z.infer<typeof SealUserStatus>

export const SealUserFields = z.strictObject({
  number: described('The number of the user in this seal, which no other user gets, even after removal.', z.int()),
  email: z.string(),
  phone: z.string(),
  firstName: z.string(),
  surname: z.string(),
  role: SealUserRole,
  status: SealUserStatus,
  acquiredAt: described('When the access began; null before that.', z.nullable(Instant)),
  deletedAt: described('When the access ended; null before that.', z.nullable(Instant)),
})

export const SealUser = component(
  'OwnSealUser',
  'A user of a seal, as its Administrators see them; `phone` is masked.',
  z.strictObject({
    id: Uuid,
    ...SealUserFields.shape,
    phone: described('Masked: `+48 ••• ••• 903`.', z.string()),
    invitedAt: described('When the invitation was last sent.', Instant),
    expiresAt: described('When the invitation of a pending user expires; null for others.', z.nullable(Instant)),
    isOwn: described('Whether this is the caller.', z.boolean()),
  }),
)
export type SealUser = z.infer<typeof SealUser>

export const SealUserSort = component(
  'SealUserSort',
  'The order of the list; `standing`: active, then pending, then removed, each by number.',
  z.enum(['standing', 'name']),
)
export type SealUserSort = z.infer<typeof SealUserSort>

export const listSealUsers = endpoint('customer', 'GET /api/seals/:id/users', {
  summary: 'Lists the users of a seal, for its Administrators only',
  description: 'By page, status and search; telephone numbers are masked.',
  ...pages(SealUser, {
    size: PageSize,
    sort: SealUserSort,
    status: described('Only those with this status; by default all who have not been removed.', SealUserStatus),
    search: described('Words that are all in the name or e-mail address of a user.', text(limits.text.search)),
  }),
  errors: ['not-found', 'cursor-refused'],
})

/** Export of the users, including those who were removed. */
export const exportSealUsers = endpoint('customer', 'GET /api/seals/:id/users/export', {
  summary:
    'Returns the users of a seal as a CSV file for a spreadsheet, for its Administrators only; every call is audited', // SEA-17
  description: 'Removed users are included; telephone numbers are masked.',
  query: z.strictObject({ locale: described('The language of its headings.', Locale) }),
  download: ['text/csv'],
  errors: ['not-found', 'too-many-attempts'],
})

/** The answer is the same whether or not the person has an account. */
export const addSealUser = endpoint('customer', 'POST /api/seals/:id/users', {
  summary: 'Invites a user to a seal by e-mail; the access begins when they activate it',
  description: 'For Administrators of the seal.',
  body: SealUserForm,
  stepUp: 'manage-seal-users',
  idempotent: true,
  reply: SealUser,
  errors: ['not-found', 'seal-ended', 'seal-user-exists', 'seal-users-full', 'sends-spent'],
})

/** Removing a removed user changes nothing. */
export const removeSealUser = endpoint('customer', 'DELETE /api/seals/:id/users/:user', {
  summary: 'Removes a user of a seal; the access ends with the next request',
  description: 'For Administrators of the seal; the last one cannot be removed.',
  stepUp: 'manage-seal-users',
  reply: SealUser,
  errors: ['not-found', 'last-admin', 'own-access'],
})

/** The number that the invitation went to, which the user may have changed since (SEA-10). */
export const showSealUserPhone = endpoint('customer', 'POST /api/seals/:id/users/:user/phone', {
  summary:
    'Returns the whole phone number with which a user was invited, for Administrators of the seal; every call is audited',
  description: 'A POST, because the audit trail gets an entry.',
  reply: z.strictObject({ phone: z.string() }),
  errors: ['not-found'],
})

export const inviteSealUserAgain = endpoint('customer', 'POST /api/seals/:id/users/:user/invitation', {
  summary: 'Sends the invitation of a pending user again and renews its expiry',
  description: 'For Administrators of the seal.',
  reply: SealUser,
  errors: ['not-found', 'seal-ended', 'already-active', 'state-passed', 'resend-too-early', 'sends-spent'],
})

/** The invitation must be for the caller's e-mail; the code goes to the number that was invited with it (R41). */
export const startSealActivation = endpoint('customer', 'POST /api/seal-invitations/:id/activation', {
  summary: 'Sends the SMS code that activates the access to a seal, to the invited number',
  description: 'The code proves that the caller has the invited telephone.',
  reply: CodeSent,
  errors: ['not-found', 'invitation-expired', 'seal-ended', ...smsNotSent],
})

export const resendSealActivation = endpoint('customer', 'POST /api/seal-invitations/:id/activation/resend', {
  summary: 'Sends a new SMS code for the activation and voids the previous one',
  description: 'Waits and limits apply: `resendAt` and `sendsLeft` of the previous code.',
  reply: CodeSent,
  errors: [
    'not-found',
    'invitation-expired',
    'seal-ended',
    'resend-too-early',
    ...smsNotSent,
    'code-expired',
    'code-void',
  ],
})

export const finishSealActivation = endpoint('customer', 'POST /api/seal-invitations/:id/activation/code', {
  summary: 'Activates the access to a seal with the SMS code',
  description: 'The seal is then in the list of the customer.',
  body: CodeForm,
  idempotent: 'code',
  reply: z.strictObject({ seal: described('The id of the seal that the caller can use now.', Uuid) }),
  errors: ['not-found', 'invitation-expired', 'seal-ended', ...codeRefusals],
})
