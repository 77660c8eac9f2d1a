import * as z from 'zod/mini'
import { Sha256, StoredFile } from '../documents.ts'
import { endpoint, readsOne } from '../endpoint.ts'
import { IdentifierType, Locale, Period } from '../enums.ts'
import { Instant, ProviderId, Uuid } from '../fields.ts'
import { pages } from '../list-pages.ts'
import { IdentityDocument } from '../personal-data.ts'
import { ProviderText } from './provider-api.ts'
import { IdentityCheck, RenewalState } from '../renewal.ts'

/**
 * The provider's side of renewals (OPS-4). The provider fetches its tasks and reports the results. After a lost answer it reads
 * the renewal and never orders again: a renewal is one order, identified by its uid (R60).
 */

/** The terms of the agreement and of the certificate: the only source of both (R57). */
export const ProviderTerms = z.strictObject({
  renewal: Uuid,
  /** Random, so that nobody can guess the terms from their hash. */
  nonce: z.string(),
  customer: z.string(),
  /** The provider's own id of the signature to be renewed. */
  renews: z.string(),
  language: Locale,
  identifierType: IdentifierType,
  period: Period,
  /** Null means from the issuing on. */
  from: z.nullable(Instant),
  to: Instant,
  subject: z.strictObject({
    givenName: z.string(),
    surname: z.string(),
    serialNumber: z.string(),
    country: z.string(),
    organisation: z.nullable(
      z.strictObject({
        name: z.string(),
        identifier: z.string(),
        unit: z.nullable(z.string()),
        position: z.nullable(z.string()),
      }),
    ),
  }),
  email: z.string(),
  phone: z.string(),
  /** The document by which the customer was identified. */
  document: IdentityDocument,
})
export type ProviderTerms = z.infer<typeof ProviderTerms>

export const ProviderRenewal = z.strictObject({
  renewal: Uuid,
  /** What the customer reads out on the phone: `R-7KD2-0XQM` (REN-16). */
  number: z.string(),
  customer: z.string(),
  renews: z.string(),
  state: RenewalState,
  /** The identity document that the customer entered, and the result of its check. */
  identity: z.nullable(IdentityCheck),
  terms: z.nullable(ProviderTerms),
  /** Your code of the certificate template for the period of the terms (`RENEWAL_TEMPLATES`); null if none is configured (REN-11). */
  template: z.nullable(z.string()),
  /** Identifies the terms of an agreement. */
  termsSha256: z.nullable(Sha256),
  agreement: z.nullable(StoredFile),
  signed: z.nullable(StoredFile),
  signedAt: z.nullable(Instant),
  /** The provider's own id of the issued signature. */
  issued: z.nullable(z.string()),
  openedAt: Instant,
  updatedAt: Instant,
})
export type ProviderRenewal = z.infer<typeof ProviderRenewal>

const params = { renewal: Uuid }

/** A call that changes a renewal, and returns it as it is then. */
const changesRenewal = { params, reply: ProviderRenewal, errors: ['not-found', 'state-passed'] } as const

export const listProviderRenewals = endpoint('provider', 'GET /provider/v1/renewals', {
  summary:
    'Renewals by page; `task` selects those that wait for an agreement, a check of an identity document, or a certificate',
  description:
    'Pages of 100. `task=agreement` lists renewals that wait for your agreement, `identity` those with an identity document to be checked, and `issue` those with a certificate to be issued. Do the tasks and report each by its own call.',
  ...pages(ProviderRenewal, { task: z.enum(['agreement', 'identity', 'issue']) }),
})

export const getProviderRenewal = endpoint('provider', 'GET /provider/v1/renewals/:renewal', {
  summary: 'A renewal as the portal knows it; to be read after a lost answer', // R60
  description:
    'Includes the terms of the agreement and certificate. Read it after a lost answer and never order twice: a renewal is one order, identified by its id.',
  params,
  ...readsOne(ProviderRenewal),
})

export const judgeIdentity = endpoint('provider', 'PUT /provider/v1/renewals/:renewal/identity', {
  summary:
    'Confirms or refuses the identity document that the customer entered; its data have to be put with the customer first',
  description:
    'Repeats the document that you have checked, because the customer may have entered another one since. Before you confirm it, put the customer with the new identification.',
  ...changesRenewal,
  /** The document that was checked, because the customer may have entered another one since. */
  body: z.strictObject({ document: IdentityDocument, verdict: z.enum(['confirmed', 'refused']) }),
})

export const putRenewalAgreement = endpoint('provider', 'PUT /provider/v1/renewals/:renewal/agreements/:terms', {
  summary: 'Stores the agreement on certain terms, as PDF',
  description:
    'The body is the PDF. `terms` is `termsSha256` of the renewal, so that an agreement on earlier terms is never signed.',
  params: { ...params, terms: Sha256 },
  upload: 'application/pdf',
  reply: ProviderRenewal,
  errors: ['not-found', 'state-passed', 'body-too-large', 'unsupported-media-type', 'pdf-required'],
})

export const downloadSignedAgreement = endpoint('provider', 'GET /provider/v1/renewals/:renewal/signed', {
  summary: 'The agreement with the customer’s signature',
  description:
    'The PDF with the customer’s signature. Refused with `document-not-ready` until the agreement is signed.',
  params,
  download: ['application/pdf'],
  errors: ['not-found', 'document-not-ready'],
})

export const reportIssued = endpoint('provider', 'PUT /provider/v1/renewals/:renewal/issued', {
  summary: 'Names the issued signature, which has to be put first; its certificate has to match the signed terms', // R57
  description:
    'Put the new signature first, then name it here. Its certificate has to match the signed terms, else the answer is `certificate-differs`.',
  ...changesRenewal,
  body: z.strictObject({ signature: ProviderId }),
  errors: ['not-found', 'state-passed', 'certificate-differs'],
})

export const reportNotIssued = endpoint('provider', 'PUT /provider/v1/renewals/:renewal/failure', {
  summary: 'Reports that no certificate can be issued, which ends the renewal',
  description: 'Ends the renewal. The customer reads `note`, your own explanation, if there is one.',
  ...changesRenewal,
  body: z.strictObject({
    /** The provider’s own text for the customer. */
    note: z.nullable(ProviderText),
  }),
})
