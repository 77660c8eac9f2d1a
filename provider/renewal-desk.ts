import {
  getCustomer,
  putAgreement,
  putCustomer,
  putSignature,
  type ProviderCustomer,
} from '../contract/provider-api.ts'
import type { Reply } from '../contract/endpoint.ts'
import { Identification, type IdentityDocument } from '../contract/personal-data.ts'
import {
  downloadSignedAgreement,
  judgeIdentity,
  listProviderRenewals,
  putRenewalAgreement,
  reportIssued,
  reportNotIssued,
  type ProviderRenewal,
} from '../contract/provider-renewals.ts'
import { isDocumentValid } from '../contract/renewal-rules.ts'
import { makeAgreement } from './agreement.ts'
import type { Authority } from './authority.ts'
import { workThrough } from './desk-rounds.ts'
import type { PortalClient } from './portal-client.ts'
import { sealWithProof } from './seal.ts'
import type { SigningKeys } from './signing-keys.ts'
import type { PersonSubject } from './subscriber.ts'

type Desk = { portal: PortalClient; authority: Authority; signingKeys: SigningKeys; now: () => Date }

/**
 * Where the provider deals with renewals: it looks at identity documents, makes agreements, and issues. Everything can be
 * repeated: the renewal's uid names the key, the certificate and the signature that come of it, so there are never two (R60).
 */
export function renewalDesk({ portal, authority, signingKeys, now }: Desk) {
  async function waiting(task: 'agreement' | 'identity' | 'issue') {
    const found: ProviderRenewal[] = []
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page: Reply<typeof listProviderRenewals> = await portal.call(listProviderRenewals, {
        query: { task, ...(cursor ? { cursor } : {}) },
      })
      found.push(...page.items)
      cursor = page.next
    }
    return found
  }

  /** A demonstration has no register to look into: it believes every document that is valid and fits the customer. */
  async function identify({ renewal, customer, identity }: ProviderRenewal): Promise<void> {
    const { document } = identity!
    const params = { customer }
    const { state: _, createdAt: __, ...known } = await portal.call(getCustomer, { params })
    const identification = known.identification && withDocument(known.identification, document)
    const isRight =
      identification !== undefined &&
      isDocumentValid(document.validTo, now()) &&
      Identification.safeParse(identification).success
    if (isRight)
      await portal.call(putCustomer, { params, body: { ...known, identification } satisfies ProviderCustomer })
    await portal.call(judgeIdentity, {
      params: { renewal },
      body: { document, verdict: isRight ? 'confirmed' : 'refused' },
    })
  }

  async function agree({ renewal, terms, termsSha256 }: ProviderRenewal): Promise<void> {
    const { language, from, to, email, phone } = terms!
    const number = `TEST/${now().getUTCFullYear()}/${renewal.slice(0, 8).toUpperCase()}`
    const at = now()
    const agreement = await makeAgreement({
      language,
      number,
      concludedAt: at,
      product: 'app',
      subject: subjectOf(terms!),
      notBefore: from === null ? null : new Date(from),
      notAfter: new Date(to),
      email,
      phone,
    })
    const sealed = await sealWithProof(agreement, authority, { reason: number, at })
    await portal.upload(putRenewalAgreement, { renewal, terms: termsSha256! }, sealed)
  }

  async function issue({ renewal, customer, terms, signedAt }: ProviderRenewal): Promise<void> {
    const signature = `renewal-${renewal}`
    const { identifierType, years, language } = terms!
    const certificate = await certificateOf(signature, customer, terms!, new Date(signedAt!)).catch(
      (error: unknown) => {
        // What a certificate cannot hold today it can never hold.
        if (error instanceof RangeError) return undefined
        throw error
      },
    )
    if (!certificate) {
      await portal.call(reportNotIssued, { params: { renewal }, body: { note: null } })
      return
    }
    await portal.call(putSignature, {
      params: { signature },
      body: {
        customer,
        product: 'app',
        identifierType,
        years,
        certificate: base64(certificate),
        chain: authority.chain.map(base64),
        status: 'good',
        agreementLanguage: language,
      },
    })
    const signed = await portal.download(downloadSignedAgreement, { renewal })
    await portal.upload(putAgreement, { signature }, signed)
    await portal.call(reportIssued, { params: { renewal }, body: { signature } })
  }

  /** The certificate of the renewal's key: what was issued before a crash is found by the key. */
  async function certificateOf(id: string, customer: string, terms: Terms, signedAt: Date): Promise<Uint8Array> {
    const held = signingKeys.find(id)?.certificates[0]
    if (held) return held
    const publicKey = await signingKeys.make(id, customer)
    const from = terms.from === null ? undefined : new Date(terms.from)
    const notBefore = from && from >= signedAt ? from : new Date(Math.floor(now().getTime() / 1000) * 1000)
    const order = { subject: subjectOf(terms), publicKey, notBefore, notAfter: new Date(terms.to), device: true }
    const certificate = (await authority.issuedFor(publicKey)) ?? (await authority.issue(order)).certificate
    await signingKeys.certify(id, [certificate, ...authority.chain])
    return certificate
  }

  return {
    work: () =>
      workThrough([
        { waiting: () => waiting('identity'), act: identify },
        { waiting: () => waiting('agreement'), act: agree },
        { waiting: () => waiting('issue'), act: issue },
      ]),
  }
}

type Terms = NonNullable<ProviderRenewal['terms']>

/** A document whose number is the identifier takes that along. */
function withDocument(known: Identification, document: IdentityDocument): Identification {
  const isIdentifier =
    (known.identifierType === 'IDC' && document.type === 'DO') ||
    (known.identifierType === 'PAS' && document.type === 'PA')
  return { ...known, document, ...(isIdentifier ? { identificationNumber: document.number } : {}) }
}

function subjectOf({ subject: { organisation, ...person } }: Terms): PersonSubject {
  if (!organisation) return { kind: 'person', ...person }
  const { name, identifier, unit, position } = organisation
  return {
    kind: 'person',
    ...person,
    organisation: { name, identifier, ...(unit ? { unit } : {}), ...(position ? { position } : {}) },
  }
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
