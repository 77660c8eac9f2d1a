import * as z from 'zod/mini'
import { component, described } from '../documented.ts'
import { endpoint, readsOne } from '../endpoint.ts'
import { Locale } from '../enums.ts'
import { StoredFile, Email, Instant, line, PhoneNumber, ProviderId } from '../fields.ts'
import { limits } from '../limits.ts'
import { pages } from '../list-pages.ts'
import { SealUserFields, SealUserStatus } from '../seal-users.ts'
import { Psd2, SealProduct, SealUserRole } from '../seals.ts'
import { AgreementState, CertificateStatus, summaryFields, Period } from '../signatures-and-seals.ts'
import { removes } from './provider-api.ts'
import { CertificateFields, refusesCertificates, pdfErrors } from './provider-certificates.ts'

// Seals and their users in the provider API (OPS-4).

/**
 * The certificate is of a legal person (ETSI EN 319 412-3): the organisation and its identifier are read from it. That of
 * `psd2-card` states at least one role of a payment service provider (ETSI TS 119 495).
 */
export const ProviderSeal = component(
  'Seal',
  'A seal, as you put it.',
  z.strictObject({ product: SealProduct, ...CertificateFields.shape }),
)
export type ProviderSeal = z.infer<typeof ProviderSeal>

const SealState = component(
  'SealState',
  'A seal as the portal knows it.',
  z.extend(ProviderSeal, {
    psd2: described('The PSD2 statement of the certificate; null if it has none.', z.nullable(Psd2)),
    agreement: AgreementState,
  }),
)

export const putSeal = endpoint('provider', 'PUT /provider/v1/seals/:seal', {
  summary: 'Creates or updates a seal; names, dates and PSD2 roles are read from its certificate',
  description:
    'Files the certificate of a legal person (ETSI EN 319 412-3) with its chain up to the root. The organisation stays the same under one id. A `psd2-card` seal needs at least one role of a payment service provider in its certificate (ETSI TS 119 495).',
  body: ProviderSeal,
  reply: SealState,
  errors: [...refusesCertificates, 'certificate-differs'],
})

export const getSeal = endpoint('provider', 'GET /provider/v1/seals/:seal', {
  summary: 'Returns a seal as the portal knows it',
  description:
    'The seal as you put it, the PSD2 roles that were read from its certificate, and whether its agreement is filed.',
  ...readsOne(SealState),
})

export const removeSeal = endpoint('provider', 'DELETE /provider/v1/seals/:seal', {
  summary: 'Removes a seal that was filed by mistake, with its users, invitations and paired apps',
  description:
    '`reason` says why it was filed by mistake. Its agreement, users, invitations and paired apps are removed with it. Repeating the call answers `"removed": false`.',
  ...removes,
})

const SealSummary = component(
  'SealSummary',
  'A seal in a list, without certificates.',
  z.strictObject({
    seal: described('Your id of the seal.', ProviderId),
    product: SealProduct,
    period: Period,
    name: described('The common name of the subject of the certificate.', z.string()),
    organisation: described('The organisation that owns it.', z.string()),
    organisationIdentifier: described('Its identifier (ETSI EN 319 412-1 §5.1.4): `VATPL-1234563218`.', z.string()),
    ...summaryFields,
  }),
)

export const listProviderSeals = endpoint('provider', 'GET /provider/v1/seals', {
  summary:
    'Lists seals by page, optionally those to which one customer has access, or of one status, product or period',
  description:
    'Pages of 100, without certificates. With `customer` it lists the seals that this customer can use. Pass `next` as `cursor` to get the next page.',
  ...pages(SealSummary, {
    customer: described('Only those that this customer can use, by your id.', ProviderId),
    status: described('Only those with this status.', CertificateStatus),
    product: described('Only those of this product.', SealProduct),
    period: described('Only those of this period.', Period),
  }),
})

export const putSealAgreement = endpoint('provider', 'PUT /provider/v1/seals/:seal/agreement', {
  summary: 'Stores the agreement of a seal, as PDF',
  description:
    'The body is the PDF. Users of the seal can download it in the portal; until it is filed they see that it is being generated. A PDF that the portal cannot open is refused with `pdf-unusable`; `reason` says why, and an agreement filed before stays.',
  upload: 'application/pdf',
  reply: StoredFile,
  errors: ['not-found', ...pdfErrors],
})

export const ProviderSealUser = component(
  'SealUser',
  'A user of a seal, as you put them.',
  z.strictObject({
    email: Email,
    phone: PhoneNumber,
    firstName: line(limits.text.name),
    surname: line(limits.text.name),
    role: SealUserRole,
    locale: described('The language of the invitation.', Locale),
    status: described(
      '`pending` sends an invitation; `active` is for a customer with this e-mail address whom you have identified; `deleted` ends the access.',
      SealUserStatus,
    ),
    acquiredAt: described('When the access was acquired; now by default.', z.optional(Instant)),
    deletedAt: described('When the access was removed; now by default.', z.optional(Instant)),
  }),
)
export type ProviderSealUser = z.infer<typeof ProviderSealUser>

const SealUserState = component(
  'SealUserState',
  'A user of a seal as the portal knows them.',
  z.strictObject({
    user: described('Your id of the user, or the portal’s for somebody whom an Administrator has invited.', ProviderId),
    ...SealUserFields.shape,
    locale: described('The language of the invitation.', Locale),
  }),
)

export const putSealUser = endpoint('provider', 'PUT /provider/v1/seals/:seal/users/:user', {
  summary:
    'Creates a user of a seal, or updates one whose access has not ended; an active user does not become pending again',
  description:
    '`pending` invites the person by e-mail for seven days; `active` is for a customer with this e-mail address whom you have identified; `deleted` ends the access. The last Administrator of a seal cannot be removed (`last-admin`).',
  body: ProviderSealUser,
  reply: SealUserState,
  errors: ['not-found', 'seal-user-exists', 'seal-users-full', 'state-passed', 'last-admin'],
})

export const getSealUser = endpoint('provider', 'GET /provider/v1/seals/:seal/users/:user', {
  summary: 'Returns a user of a seal as the portal knows them',
  description: '`user` is your own id, or the portal’s for somebody whom an Administrator has invited.',
  ...readsOne(SealUserState),
})

export const listProviderSealUsers = endpoint('provider', 'GET /provider/v1/seals/:seal/users', {
  summary: 'Lists the users of a seal by number, including those whom its Administrators invited or removed',
  description:
    'Includes the users whom Administrators of the seal have invited or removed in the portal. Pass `next` as `cursor` to get the next page.',
  ...pages(SealUserState),
  errors: ['not-found', 'cursor-refused'],
})
