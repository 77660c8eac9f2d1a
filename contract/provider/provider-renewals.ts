import * as z from 'zod/mini'
import { component, described } from '../documented.ts'
import { endpoint, readsOne } from '../endpoint.ts'
import { Locale } from '../enums.ts'
import { Sha256, StoredFile, Instant, ProviderId, Uuid } from '../fields.ts'
import { IdentityDocument, IdentifierType } from '../identification.ts'
import { pages } from '../list-pages.ts'
import { IdentityCheck, RenewalState } from '../renewal.ts'
import { Period } from '../signatures-and-seals.ts'
import { ProviderText } from './provider-api.ts'

// The provider's side of renewals (OPS-4). The provider fetches its tasks and reports the results. After a lost answer it reads
// the renewal and never orders again: a renewal is one order, identified by its uid (R60).

export const ProviderTerms = component(
  'RenewalTerms',
  'The terms of the agreement and of the certificate: the only source of both.',
  z.strictObject({
    renewal: described('The portal’s id of the renewal.', Uuid),
    nonce: described('Random, so that nobody can guess the terms from their hash.', z.string()),
    customer: described('Your id of the customer.', z.string()),
    renews: described('Your id of the signature to be renewed.', z.string()),
    language: described('The language of the agreement.', Locale),
    identifierType: described('The kind of `serialNumber`.', IdentifierType),
    period: Period,
    from: described('From when on the certificate is to be valid; null: from its issuing on.', z.nullable(Instant)),
    to: described('Until when it is to be valid.', Instant),
    subject: described(
      'The subject of the certificate.',
      z.strictObject({
        givenName: described('All given names.', z.string()),
        surname: z.string(),
        serialNumber: described(
          'The identifier of the person (ETSI EN 319 412-1 §5.1.3): `PNOPL-44051401458`.',
          z.string(),
        ),
        country: described('ISO 3166-1 alpha-2.', z.string()),
        organisation: described(
          'The organisation that the certificate names; null for a personal certificate.',
          z.nullable(
            z.strictObject({
              name: z.string(),
              identifier: described('Its identifier (ETSI EN 319 412-1 §5.1.4): `VATPL-1234563218`.', z.string()),
              unit: described('The unit of the organisation; null if none was given.', z.nullable(z.string())),
              position: described('The position of the person in it; null if none was given.', z.nullable(z.string())),
            }),
          ),
        ),
      }),
    ),
    email: z.string(),
    phone: z.string(),
    document: described('The document by which the customer was identified.', IdentityDocument),
  }),
)
export type ProviderTerms = z.infer<typeof ProviderTerms>

export const ProviderRenewal = component(
  'Renewal',
  'A renewal as the portal knows it.',
  z.strictObject({
    renewal: described('The portal’s id of the renewal.', Uuid),
    number: described('The number that the customer reads out on the phone: `R-7KD2-0XQM`.', z.string()),
    customer: described('Your id of the customer.', z.string()),
    renews: described('Your id of the signature to be renewed.', z.string()),
    state: RenewalState,
    identity: described(
      'The identity document that the customer entered, and the result of its check; null if none was entered.',
      z.nullable(IdentityCheck),
    ),
    terms: described(
      'The terms of the agreement; null before the customer has confirmed them.',
      z.nullable(ProviderTerms),
    ),
    template: described(
      'Your code of the certificate template for the period of the terms (`RENEWAL_TEMPLATES`); null if none is configured.',
      z.nullable(z.string()),
    ),
    termsSha256: described('Identifies the terms of an agreement; null while there are none.', z.nullable(Sha256)),
    agreement: described('The agreement on these terms that you have put; null before that.', z.nullable(StoredFile)),
    signed: described('The agreement with the customer’s signature; null before that.', z.nullable(StoredFile)),
    signedAt: described('When the customer signed it; null before that.', z.nullable(Instant)),
    issued: described('Your id of the issued signature; null before that.', z.nullable(z.string())),
    openedAt: Instant,
    updatedAt: Instant,
  }),
)
export type ProviderRenewal = z.infer<typeof ProviderRenewal>

const params = { renewal: described('The portal’s id of the renewal.', Uuid) }

/** A call that changes a renewal, and returns it as it is then. */
const changesRenewal = { params, reply: ProviderRenewal, errors: ['not-found', 'state-passed'] } as const

export const listProviderRenewals = endpoint('provider', 'GET /provider/v1/renewals', {
  summary:
    'Lists renewals by page; `task` selects those that wait for an agreement, a check of an identity document, or a certificate',
  description:
    'Pages of 100. `task=agreement` lists renewals that wait for your agreement, `identity` those with an identity document to be checked, and `issue` those with a certificate to be issued. Do the tasks and report each by its own call.',
  ...pages(ProviderRenewal, {
    task: described(
      'Only those that wait for this: an agreement, the check of an identity document, or a certificate.',
      z.enum(['agreement', 'identity', 'issue']),
    ),
  }),
})

export const getProviderRenewal = endpoint('provider', 'GET /provider/v1/renewals/:renewal', {
  summary: 'Returns a renewal as the portal knows it; to be read after a lost answer', // R60
  description:
    'Includes the terms of the agreement and certificate. Read it after a lost answer and never order twice: a renewal is one order, identified by its id.',
  params,
  ...readsOne(ProviderRenewal),
})

/** Verdict on an identity document, by the provider's own system or at the desk. */
export const Judgement = z.strictObject({
  document: described(
    'The document that you have checked, because the customer may have entered another one since.',
    IdentityDocument,
  ),
  verdict: described('The result of your check.', z.enum(['confirmed', 'refused'])),
})

export const judgeIdentity = endpoint('provider', 'PUT /provider/v1/renewals/:renewal/identity', {
  summary:
    'Confirms or refuses the identity document that the customer entered; its data have to be put with the customer first',
  description:
    'Repeats the document that you have checked, because the customer may have entered another one since. Before you confirm it, put the customer with the new identification.',
  ...changesRenewal,
  body: Judgement,
})

export const putRenewalAgreement = endpoint('provider', 'PUT /provider/v1/renewals/:renewal/agreements/:terms', {
  summary: 'Stores the agreement on certain terms, as PDF',
  description:
    'The body is the PDF. `terms` is `termsSha256` of the renewal, so that an agreement on earlier terms is never signed.',
  params: { ...params, terms: described('`termsSha256` of the renewal.', Sha256) },
  upload: 'application/pdf',
  reply: ProviderRenewal,
  errors: ['not-found', 'state-passed', 'body-too-large', 'unsupported-media-type', 'pdf-required'],
})

export const downloadSignedAgreement = endpoint('provider', 'GET /provider/v1/renewals/:renewal/signed', {
  summary: 'Returns the agreement with the customer’s signature',
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
  body: z.strictObject({ signature: described('Your id of the new signature.', ProviderId) }),
  errors: ['not-found', 'state-passed', 'certificate-differs'],
})

export const reportNotIssued = endpoint('provider', 'PUT /provider/v1/renewals/:renewal/failure', {
  summary: 'Reports that no certificate can be issued, which ends the renewal',
  description: 'Ends the renewal. The customer reads `note`, your own explanation, if there is one.',
  ...changesRenewal,
  body: z.strictObject({
    note: described('Your own text for the customer; null for none.', z.nullable(ProviderText)),
  }),
})
