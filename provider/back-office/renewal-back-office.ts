import { Identification, type IdentityDocument } from '../../contract/identification.ts'
import { getCustomer, putCustomer, type ProviderCustomer } from '../../contract/provider/provider-customers.ts'
import * as renewals from '../../contract/provider/provider-renewals.ts'
import { putAgreement, putSignature } from '../../contract/provider/provider-signatures.ts'
import { isDocumentValid } from '../../contract/rules/renewal-rules.ts'
import { wholeSeconds } from '../../pki/asn1/der.ts'
import { base64Of } from '../../pki/bytes.ts'
import { makeAgreement } from '../agreements/agreement.ts'
import type { Authority } from '../authority/authority.ts'
import { sealLongTerm } from '../authority/electronic-seal.ts'
import type { PersonSubject } from '../authority/subscriber.ts'
import type { PortalClient } from '../portal-client.ts'
import type { SigningKeys } from '../signing-service/signing-keys.ts'
import { readAllPages, workThrough } from './back-office-rounds.ts'

type Renewal = renewals.ProviderRenewal
type Services = { portal: PortalClient; authority: Authority; signingKeys: SigningKeys; now: () => Date }

/**
 * Creates the provider's back office for renewals: it checks identity documents, makes agreements and issues certificates. Every step is
 * idempotent: the renewal's uid names its key, certificate and signature, so there are never two (R60).
 */
export function renewalBackOffice(services: Services) {
  const step = (
    task: 'agreement' | 'identity' | 'issue',
    handle: (services: Services, renewal: Renewal) => Promise<void>,
  ) => ({
    listWaiting: () =>
      readAllPages((page) => services.portal.call(renewals.listProviderRenewals, { query: { task, ...page } })),
    handle: (renewal: Renewal) => handle(services, renewal),
  })
  return { work: () => workThrough([step('identity', identify), step('agreement', agree), step('issue', issue)]) }
}

/**
 * Checks the identity document of a renewal. A demonstration has no register, so every document is accepted that is valid and matches the
 * customer.
 */
async function identify({ portal, now }: Services, { renewal, customer, identity }: Renewal): Promise<void> {
  if (!identity) return
  const { document } = identity
  const params = { customer }
  const { state: _, createdAt: __, ...known } = await portal.call(getCustomer, { params })
  const identification = known.identification && withDocument(known.identification, document)
  const isConfirmed =
    identification !== undefined &&
    isDocumentValid(document.validTo, now()) &&
    Identification.safeParse(identification).success
  if (isConfirmed)
    await portal.call(putCustomer, { params, body: { ...known, identification } satisfies ProviderCustomer })
  await portal.call(renewals.judgeIdentity, {
    params: { renewal },
    body: { document, verdict: isConfirmed ? 'confirmed' : 'refused' },
  })
}

async function agree({ portal, authority, now }: Services, { renewal, terms, termsSha256 }: Renewal): Promise<void> {
  if (!terms || !termsSha256) return
  const { language, from, to, email, phone } = terms
  const number = `TEST/${now().getUTCFullYear()}/${renewal.slice(0, 8).toUpperCase()}`
  const at = now()
  const agreement = await makeAgreement({
    language,
    number,
    concludedAt: at,
    product: 'app',
    subject: subjectOf(terms),
    notBefore: from === null ? null : new Date(from),
    notAfter: new Date(to),
    email,
    phone,
  })
  const sealed = await sealLongTerm(agreement, authority, { reason: number, at })
  await portal.upload(renewals.putRenewalAgreement, { renewal, terms: termsSha256 }, sealed)
}

async function issue(services: Services, { renewal, customer, terms, signedAt }: Renewal): Promise<void> {
  const { portal, authority } = services
  if (!terms || !signedAt) return
  const signature = `renewal-${renewal}`
  const { identifierType, period, language } = terms
  const certificate = await issueCertificate(services, signature, customer, terms, new Date(signedAt)).catch(
    (error: unknown) => {
      // A certificate can never contain these values, so it is not retried.
      if (error instanceof RangeError) return undefined
      throw error
    },
  )
  if (!certificate) {
    await portal.call(renewals.reportNotIssued, { params: { renewal }, body: { note: null } })
    return
  }
  await portal.call(putSignature, {
    params: { signature },
    body: {
      customer,
      product: 'app',
      identifierType,
      period,
      certificate: base64Of(certificate),
      chain: authority.chain.map(base64Of),
      status: 'good',
      agreementLanguage: language,
    },
  })
  const signed = await portal.download(renewals.downloadSignedAgreement, { renewal })
  await portal.upload(putAgreement, { signature }, signed)
  await portal.call(renewals.reportIssued, { params: { renewal }, body: { signature } })
}

/** Returns the certificate of the renewal's key, which it issues if missing; one that was issued before a crash is found by the key. */
async function issueCertificate(
  { signingKeys, authority, now }: Services,
  id: string,
  customer: string,
  terms: Terms,
  signedAt: Date,
): Promise<Uint8Array> {
  const issued = signingKeys.find(id)?.certificates[0]
  if (issued) return issued
  const publicKey = await signingKeys.make(id, customer)
  const from = terms.from === null ? undefined : new Date(terms.from)
  const notBefore = from && from >= signedAt ? from : wholeSeconds(now())
  const order = { subject: subjectOf(terms), publicKey, notBefore, notAfter: new Date(terms.to), device: true }
  const certificate = (await authority.findIssuedFor(publicKey)) ?? (await authority.issue(order)).certificate
  await signingKeys.certify(id, [certificate, ...authority.chain])
  return certificate
}

type Terms = NonNullable<Renewal['terms']>

/** Replaces the identity document; if its number is the identifier, that changes too. */
function withDocument(known: Identification, document: IdentityDocument): Identification {
  const isIdentifier =
    (known.identifierType === 'IDC' && document.type === 'DO') ||
    (known.identifierType === 'PAS' && document.type === 'PA')
  return { ...known, document, ...(isIdentifier && { identificationNumber: document.number }) }
}

function subjectOf({ subject: { organisation, ...person } }: Terms): PersonSubject {
  if (!organisation) return { kind: 'person', ...person }
  const { name, identifier, unit, position } = organisation
  return {
    kind: 'person',
    ...person,
    organisation: { name, identifier, ...(unit && { unit }), ...(position && { position }) },
  }
}
