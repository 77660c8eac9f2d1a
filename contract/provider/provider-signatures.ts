import * as z from 'zod/mini'
import { component, described } from '../documented.ts'
import { endpoint, readsOne } from '../endpoint.ts'
import { StoredFile, Instant, ProviderId } from '../fields.ts'
import { IdentifierType } from '../identification.ts'
import { pages } from '../list-pages.ts'
import { AgreementState, CertificateStatus, Period, summaryFields } from '../signatures-and-seals.ts'
import { SignatureProduct } from '../signatures.ts'
import { removes } from './provider-api.ts'
import { CertificateFields, pdfErrors, refusesCertificates } from './provider-certificates.ts'

export const ProviderSignature = component(
  'Signature',
  'A signature, as you put it.',
  z.strictObject({
    customer: described('Your id of its owner.', ProviderId),
    product: SignatureProduct,
    identifierType: IdentifierType,
    ...CertificateFields.shape,
  }),
)
export type ProviderSignature = z.infer<typeof ProviderSignature>

const SignatureState = component(
  'SignatureState',
  'A signature as the portal knows it.',
  z.extend(ProviderSignature, {
    agreement: AgreementState,
    pairedAt: described('When the customer paired the signing app; null before that.', z.nullable(Instant)),
  }),
)

export const putSignature = endpoint('provider', 'PUT /provider/v1/signatures/:signature', {
  summary: 'Creates or updates a signature of a customer; names and dates are read from its certificate',
  description:
    'Files a certificate with its chain up to the root (base64 DER). The certificate has to fit the customer, product and period; a refusal names the field and says in a sentence what is wrong. `status` changes between `good` and `suspended`, and from both to `revoked`, which is final.',
  body: ProviderSignature,
  reply: SignatureState,
  errors: ['not-found', ...refusesCertificates],
})

export const getSignature = endpoint('provider', 'GET /provider/v1/signatures/:signature', {
  summary: 'Returns a signature as the portal knows it',
  description:
    'The signature as you put it, whether its agreement is filed, and when the customer paired the signing app.',
  ...readsOne(SignatureState),
})

export const putAgreement = endpoint('provider', 'PUT /provider/v1/signatures/:signature/agreement', {
  summary: 'Stores the agreement of a signature, as PDF',
  description:
    'The body is the PDF. Customers can download it in the portal; until it is filed they see that it is being generated. A PDF that the portal cannot open is refused with `pdf-unusable`; `reason` says why, and an agreement filed before stays.',
  upload: 'application/pdf',
  reply: StoredFile,
  errors: ['not-found', ...pdfErrors],
})

export const removeSignature = endpoint('provider', 'DELETE /provider/v1/signatures/:signature', {
  summary:
    'Removes a signature that was filed by mistake, with its pairing, its unused renewal codes and unsigned renewals; not after a renewal was signed',
  description:
    '`reason` says why it was filed by mistake. Its agreement, pairing, unused renewal codes and unsigned renewals are removed with it. Refused with `object-in-use` if a renewal was signed: revoke the signature instead; also while the customer is under a legal hold (`reason` is `legal-hold`). Repeating the call answers `"removed": false`.',
  ...removes,
})

const SignatureSummary = component(
  'SignatureSummary',
  'A signature in a list, without certificates.',
  z.strictObject({
    signature: described('Your id of the signature.', ProviderId),
    customer: described('Your id of its owner.', ProviderId),
    product: SignatureProduct,
    period: Period,
    name: described('The common name of the subject of the certificate.', z.string()),
    ...summaryFields,
  }),
)

export const listProviderSignatures = endpoint('provider', 'GET /provider/v1/signatures', {
  summary: 'Lists signatures by page, optionally of one customer, status, product or period',
  description:
    'Pages of 100, without certificates. Pass `next` as `cursor` to get the next page, with the same filters; it is null on the last page.',
  ...pages(SignatureSummary, {
    customer: described('Only those of this customer, by your id.', ProviderId),
    status: described('Only those with this status.', CertificateStatus),
    product: described('Only those of this product.', SignatureProduct),
    period: described('Only those of this period.', Period),
  }),
})
