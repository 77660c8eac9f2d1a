import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { IdentifierType, Locale } from './enums.ts'
import { Email, formed, Instant, line, PhoneNumber, text } from './fields.ts'
import { limits } from './limits.ts'
import { Identification } from './personal-data.ts'
import { SignatureProduct } from './signatures.ts'
import { SoftwareRelease } from './software.ts'

/**
 * The only way by which anything of the provider's enters the portal, embedded or not (OPS-4).
 * Objects are named by the provider's own ids, and PUT states what is: repeating it changes nothing.
 */

/** The provider's own id of an object. */
export const ProviderId = formed(64, /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/)

export const ProviderCustomer = z.strictObject({
  /** What the customer signs in with, beside the e-mail; unique in the portal whatever its case. */
  login: formed(64, /^[A-Za-z0-9][A-Za-z0-9._-]{2,63}$/),
  email: Email,
  phone: PhoneNumber,
  firstName: line(limits.text.name),
  secondName: z.nullable(line(limits.text.name)),
  surname: line(limits.text.name),
  locale: Locale,
  /** Left out, the portal keeps none, or no longer what it kept. */
  identification: z.optional(Identification),
})
export type ProviderCustomer = z.infer<typeof ProviderCustomer>

/** `invited`: a link was sent and no password is set yet. `blocked`: only a new password opens it again (AUT-4). */
const CustomerState = z.extend(ProviderCustomer, {
  state: z.enum(['invited', 'active', 'blocked']),
  createdAt: Instant,
})

const customerParams = z.strictObject({ customer: ProviderId })

export const putCustomer = endpoint({
  method: 'PUT',
  path: '/provider/v1/customers/:customer',
  summary: 'Creates or updates a customer; a new one is invited by e-mail',
  access: 'provider',
  params: customerParams,
  body: ProviderCustomer,
  reply: CustomerState,
  errors: ['login-taken'],
})

export const getCustomer = endpoint({
  method: 'GET',
  path: '/provider/v1/customers/:customer',
  summary: 'A customer as the portal knows them',
  access: 'provider',
  params: customerParams,
  reply: CustomerState,
  errors: ['not-found'],
})

export const blockCustomer = endpoint({
  method: 'POST',
  path: '/provider/v1/customers/:customer/block',
  summary: 'Blocks the account and ends its sessions; a new password opens it again (AUT-4)',
  access: 'provider',
  params: customerParams,
  reply: CustomerState,
  errors: ['not-found'],
})

export const unblockCustomer = endpoint({
  method: 'POST',
  path: '/provider/v1/customers/:customer/unblock',
  summary: 'Opens a blocked account for its present password; the count of wrong ones starts anew (AUT-4)',
  access: 'provider',
  params: customerParams,
  reply: CustomerState,
  errors: ['not-found'],
})

export const inviteCustomer = endpoint({
  method: 'POST',
  path: '/provider/v1/customers/:customer/invitation',
  summary: 'Sends a new invitation to a customer who has not set a password yet; the link before is void',
  access: 'provider',
  params: customerParams,
  reply: CustomerState,
  errors: ['not-found', 'already-active'],
})

export const eraseCustomer = endpoint({
  method: 'DELETE',
  path: '/provider/v1/customers/:customer',
  summary:
    'Erases an account whose services have all ended; evidence is held for its time, then removed (GDPR article 17)',
  access: 'provider',
  params: customerParams,
  /** `heldUntil`: when what is held as evidence goes as well; null where there is none. */
  reply: z.strictObject({ heldUntil: z.nullable(Instant) }),
  errors: ['not-found', 'customer-in-use'],
})

/** A base64 DER certificate, RFC 5280. */
export const ProviderCertificate = text(16_384).check(z.base64())

export const ProviderSignature = z.strictObject({
  customer: ProviderId,
  product: SignatureProduct,
  identifierType: IdentifierType,
  years: z.int().check(z.minimum(1), z.maximum(10)),
  certificate: ProviderCertificate,
  /** From the issuing authority to the root. */
  chain: z.array(ProviderCertificate).check(z.minLength(1), z.maxLength(5)),
  status: z.enum(['good', 'suspended', 'revoked']),
  agreementLanguage: Locale,
})
export type ProviderSignature = z.infer<typeof ProviderSignature>

const SignatureState = z.extend(ProviderSignature, {
  agreement: z.enum(['ready', 'generating']),
  pairedAt: z.nullable(Instant),
})

const signatureParams = z.strictObject({ signature: ProviderId })

export const putSignature = endpoint({
  method: 'PUT',
  path: '/provider/v1/signatures/:signature',
  summary: 'Creates or updates a signature of a customer; names and dates are read from its certificate',
  access: 'provider',
  params: signatureParams,
  body: ProviderSignature,
  reply: SignatureState,
  errors: ['not-found', 'certificate-unreadable'],
})

export const getSignature = endpoint({
  method: 'GET',
  path: '/provider/v1/signatures/:signature',
  summary: 'A signature as the portal knows it',
  access: 'provider',
  params: signatureParams,
  reply: SignatureState,
  errors: ['not-found'],
})

export const putAgreement = endpoint({
  method: 'PUT',
  path: '/provider/v1/signatures/:signature/agreement',
  summary: 'Files the agreement of a signature, as PDF',
  access: 'provider',
  params: signatureParams,
  upload: 'application/pdf',
  reply: z.strictObject({ sha256: z.string(), bytes: z.int() }),
  errors: ['not-found', 'body-too-large', 'unsupported-media-type', 'storage-full'],
})

export const putSoftware = endpoint({
  method: 'PUT',
  path: '/provider/v1/software/:release',
  summary: 'Creates or updates a program that customers can download',
  access: 'provider',
  params: z.strictObject({ release: ProviderId }),
  body: SoftwareRelease,
  reply: SoftwareRelease,
})

export const deleteSoftware = endpoint({
  method: 'DELETE',
  path: '/provider/v1/software/:release',
  summary: 'Takes a program off the list',
  access: 'provider',
  params: z.strictObject({ release: ProviderId }),
})
