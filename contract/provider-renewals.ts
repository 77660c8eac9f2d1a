import * as z from 'zod/mini'
import { Sha256 } from './documents.ts'
import { endpoint } from './endpoint.ts'
import { IdentifierType, Locale } from './enums.ts'
import { Cursor, Instant, line, Uuid } from './fields.ts'
import { limits } from './limits.ts'
import { IdentityDocument } from './personal-data.ts'
import { ProviderId } from './provider-api.ts'
import { RenewalState } from './renewal.ts'

/**
 * The provider's side of renewals (OPS-4). It fetches what waits for it and says what it did, so whatever is not known to
 * have arrived is asked for and never ordered again: a renewal is one order, named by its uid (R60).
 */

/** What the agreement says and the certificate is to hold: the one source of both (R57). */
export const ProviderTerms = z.strictObject({
  renewal: Uuid,
  /** Keeps the hash of the terms from being guessed by what is in them. */
  nonce: z.string(),
  customer: z.string(),
  /** The provider's own id of the signature that is renewed. */
  renews: z.string(),
  language: Locale,
  identifierType: IdentifierType,
  years: z.int(),
  /** Null: when it is issued. */
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
  /** What the customer was identified by. */
  document: IdentityDocument,
})
export type ProviderTerms = z.infer<typeof ProviderTerms>

const Stored = z.strictObject({ sha256: Sha256, bytes: z.int() })

export const ProviderRenewal = z.strictObject({
  renewal: Uuid,
  customer: z.string(),
  renews: z.string(),
  state: RenewalState,
  /** Of the identity document: what the customer entered, and what became of it. */
  identity: z.nullable(
    z.strictObject({ state: z.enum(['asked', 'confirmed', 'refused']), document: IdentityDocument }),
  ),
  terms: z.nullable(ProviderTerms),
  /** Names the terms that an agreement is made for. */
  termsSha256: z.nullable(Sha256),
  agreement: z.nullable(Stored),
  signed: z.nullable(Stored),
  signedAt: z.nullable(Instant),
  /** The provider's own id of the signature that was issued. */
  issued: z.nullable(z.string()),
  openedAt: Instant,
  updatedAt: Instant,
})
export type ProviderRenewal = z.infer<typeof ProviderRenewal>

const renewalParams = z.strictObject({ renewal: Uuid })

export const listProviderRenewals = endpoint({
  method: 'GET',
  path: '/provider/v1/renewals',
  summary: 'Renewals by page; `task` asks for those that wait for an agreement, an identity document or a certificate',
  access: 'provider',
  query: z.strictObject({
    task: z.optional(z.enum(['agreement', 'identity', 'issue'])),
    cursor: z.optional(Cursor),
  }),
  reply: z.strictObject({ items: z.array(ProviderRenewal), next: z.nullable(z.string()) }),
  errors: ['cursor-refused'],
})

export const getProviderRenewal = endpoint({
  method: 'GET',
  path: '/provider/v1/renewals/:renewal',
  summary: 'A renewal as the portal knows it: what to ask when an answer was lost (R60)',
  access: 'provider',
  params: renewalParams,
  reply: ProviderRenewal,
  errors: ['not-found'],
})

export const judgeIdentity = endpoint({
  method: 'PUT',
  path: '/provider/v1/renewals/:renewal/identity',
  summary:
    'Says whether the identity document that the customer entered is right; its data go with the customer’s, before',
  access: 'provider',
  params: renewalParams,
  /** The document that was looked at: by now the customer may have entered another. */
  body: z.strictObject({ document: IdentityDocument, verdict: z.enum(['confirmed', 'refused']) }),
  reply: ProviderRenewal,
  errors: ['not-found', 'state-passed'],
})

export const putRenewalAgreement = endpoint({
  method: 'PUT',
  path: '/provider/v1/renewals/:renewal/agreements/:terms',
  summary: 'Files the agreement on certain terms, as PDF',
  access: 'provider',
  params: z.strictObject({ renewal: Uuid, terms: Sha256 }),
  upload: 'application/pdf',
  reply: ProviderRenewal,
  errors: ['not-found', 'state-passed', 'body-too-large', 'unsupported-media-type', 'pdf-required'],
})

export const downloadSignedAgreement = endpoint({
  method: 'GET',
  path: '/provider/v1/renewals/:renewal/signed',
  summary: 'The agreement with the customer’s signature',
  access: 'provider',
  params: renewalParams,
  download: ['application/pdf'],
  errors: ['not-found', 'document-not-ready'],
})

export const reportIssued = endpoint({
  method: 'PUT',
  path: '/provider/v1/renewals/:renewal/issued',
  summary: 'Names the signature that was issued, after it was put; its certificate has to hold what was signed (R57)',
  access: 'provider',
  params: renewalParams,
  body: z.strictObject({ signature: ProviderId }),
  reply: ProviderRenewal,
  errors: ['not-found', 'state-passed', 'certificate-differs'],
})

export const reportNotIssued = endpoint({
  method: 'PUT',
  path: '/provider/v1/renewals/:renewal/failure',
  summary: 'Says that no certificate can be issued, which ends the renewal',
  access: 'provider',
  params: renewalParams,
  body: z.strictObject({
    /** The provider’s own words for the customer. */
    note: z.nullable(z.strictObject({ pl: line(limits.text.words), en: line(limits.text.words) })),
  }),
  reply: ProviderRenewal,
  errors: ['not-found', 'state-passed'],
})
