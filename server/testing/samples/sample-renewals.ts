import type { Identification } from '../../../contract/identification.ts'
import {
  confirmPersonalData,
  fixParameters,
  openRenewal,
  readRenewal,
  signAgreement,
  startAgreementSigning,
  type Renewal,
  type RenewalParameters,
} from '../../../contract/renewal.ts'
import { dayMs } from '../../../contract/rules/warsaw-time.ts'
import { wholeSeconds } from '../../../pki/asn1/der.ts'
import { tokenOver } from '../../../pki/testing/pades-authorities.ts'
import type { PersonSubject } from '../../../provider/authority/subscriber.ts'
import { renewalBackOffice } from '../../../provider/back-office/renewal-back-office.ts'
import { portalClient } from '../../../provider/portal-client.ts'
import type { KeyFactors, KeySettings } from '../../../provider/signing-service/signing-keys.ts'
import { documentsOnDisk } from '../../adapters/documents-disk.ts'
import type { RemoteSigningPort } from '../../platform/ports.ts'
import { bodyOf, openBrowser, type TestBrowser } from '../browser.ts'
import { openTestPortal, sampleIdentification, type TestPortal } from '../portal-nodes.ts'
import { manySends } from '../processes.ts'
import { openTestProvider, sampleSubject } from '../provider.ts'
import { smsCode } from '../sent-messages.ts'
import { signingKeysInMemory } from '../signing.ts'
import type { Person } from '../test-customers.ts'
import { addCustomer, signInDirectly } from './ready-customers.ts'
import { giveRenewalCode } from './sample-vouchers.ts'

/** A portal whose provider keeps keys, makes agreements and issues certificates, like that of the demonstration. */
export type RenewalPortal = Awaited<ReturnType<typeof openRenewalPortal>>

type RenewalPortalOptions = {
  /** Whether all signatures have one key, also the issued ones: `renewalBackOffice` then cannot distinguish renewals by their keys. */
  sharedKey?: true
  /** The folder of the documents, where processes share it. */
  documents?: string
  /** The URL of the authority's OCSP responder and lists; by default nothing is there. */
  baseUrl?: string
}

/** Creates a signing service that signs everything it gets, with these keys. */
function signingServiceOf(keys: ReturnType<typeof signingKeysInMemory>) {
  /** The hashes sent to the signing service, and what it returns instead of a signature, and instead of its keys. */
  const service: { orders: string[]; failure?: 'refused' | 'unreachable'; keys?: [] | 'unreachable' } = { orders: [] }
  const remoteSigning: RemoteSigningPort = {
    check: async () => 'suitable',
    listCredentials: async (customer) =>
      service.keys ??
      keys.ofOwner(customer).map(({ id, certificates: [certificate, ...chain] }) => ({
        id,
        certificate: certificate!,
        chain,
        authorisation: { kind: 'none' },
        algorithm: { scheme: 'rsa-pkcs1', digest: 'sha256' },
        mostSignatures: 1,
      })),
    sendOtp: async () => 'refused',
    createAuthorisationPage: async () => 'unreachable',
    async sign({ credential, hashes }) {
      service.orders.push(...hashes.map((hash) => Buffer.from(hash).toString('hex')))
      const sign = (hash: Uint8Array) => new Uint8Array(keys.sign(credential.id, hash, credential.algorithm))
      return service.failure ?? { signatures: hashes.map(sign) }
    },
  }
  return { service, remoteSigning }
}

type RenewableOptions = {
  subject?: Partial<PersonSubject> | undefined
  identification?: Partial<Identification> | null | undefined
  secondName?: string | undefined
  endsAt?: Date | undefined
  startsAt?: Date | undefined
  /** The authorisation that the signing service requires before it uses the key; by default none. */
  requirement?: { settings: Partial<KeySettings>; factors: KeyFactors } | undefined
  /** The customer's address: one address gets a limited number of codes a day. */
  address?: string
}

type RenewerOptions = Pick<RenewableOptions, 'identification' | 'secondName' | 'address'>

/** Creates a signed-in customer who may renew. */
async function makeRenewerOf(portal: TestPortal, { identification, secondName, address }: RenewerOptions) {
  const person = await addCustomer(portal, {
    firstName: 'Anna',
    secondName: secondName ?? null,
    surname: 'Nowak',
    ...(identification === null ? {} : { identification: { ...sampleIdentification, ...identification } }),
  })
  const browser = await signInDirectly(portal, person, openBrowser(portal, address ? { address } : {}))
  return { person, browser }
}

export async function openRenewalPortal({ sharedKey, documents, baseUrl }: RenewalPortalOptions = {}) {
  const keys = signingKeysInMemory(!sharedKey)
  const { service, remoteSigning } = signingServiceOf(keys)
  const timestamps = { stamp: async (digest: Uint8Array) => tokenOver(digest, new Date()) }
  const store = documents ? documentsOnDisk(documents) : undefined
  const portal = await openTestPortal({
    nodes: 2,
    comparesPages: false,
    ports: { remoteSigning, timestamps, ...(store ? { documents: store } : {}) },
    settings: { ...manySends(1_000_000), renewalTemplates: { '1_year': 'T-1', '2_year': 'T-2', '3_year': 'T-3' } },
  })
  /** The provider's clock advances with the portal's. */
  let ahead = 0
  const now = () => new Date(Date.now() + ahead)
  const provider = await openTestProvider(portal, { now, ...(baseUrl ? { baseUrl } : {}) })
  const { authority } = provider
  const client = portalClient({ url: portal.origin, clientKey: portal.clientKey })
  const backOffice = renewalBackOffice({ portal: client, authority, signingKeys: keys, now })

  /** Gives a customer a cloud signature that is due for renewal, and a code to renew it. */
  async function makeRenewableOf(
    person: Person,
    options: Omit<RenewableOptions, 'identification' | 'secondName'> = {},
  ) {
    const signature = await giveCloudSignature(person, options)
    const { code } = await giveRenewalCode(portal, signature.providerId)
    return { signature, code }
  }

  async function makeRenewable({ identification, secondName, address, ...options }: RenewableOptions = {}) {
    const renewer = await makeRenewerOf(portal, { identification, secondName, ...(address ? { address } : {}) })
    return { ...renewer, ...(await makeRenewableOf(renewer.person, options)) }
  }

  async function giveCloudSignature(
    person: Person,
    { subject, endsAt, startsAt, requirement }: Omit<RenewableOptions, 'identification' | 'secondName'>,
  ) {
    const providerId = `s-${crypto.randomUUID()}`
    const notAfter = endsAt ?? wholeSeconds(new Date(now().getTime() + 12 * dayMs))
    const { certificate } = await authority.issue({
      subject: { ...sampleSubject, ...subject },
      publicKey: await keys.make(providerId, person.id, requirement?.settings, requirement?.factors),
      notBefore: startsAt ?? new Date(notAfter.getTime() - 365 * dayMs),
      notAfter,
      device: true,
    })
    await keys.certify(providerId, [certificate, ...authority.chain])
    const given = await provider.give(person, {
      signature: providerId,
      identifierType: (subject?.serialNumber ?? 'PNO').slice(0, 3) as 'PNO',
      certificate: Buffer.from(certificate).toString('base64'),
    })
    return { ...given, notAfter }
  }

  return {
    portal,
    provider,
    keys,
    service,
    backOffice,
    now,
    /** The store of the encrypted documents, if `documents` names a folder. */
    documents: store!,
    makeRenewable,
    makeRenewer: (options: RenewerOptions = {}) => makeRenewerOf(portal, options),
    makeRenewableOf,
    giveCloudSignature,
    /** Advances the time of the portal and the provider. */
    async advance(seconds: number) {
      ahead += seconds * 1000
      await portal.clock.advance(seconds)
    },
    close: () => portal.close(),
  }
}

export type Renewing = Awaited<ReturnType<RenewalPortal['makeRenewable']>>

export const expectedOf = ({ state, version }: Renewal) => ({ state, version })
export const at = ({ uid }: Renewal) => ({ uid })

export const chosen: RenewalParameters = {
  start: 'continuity',
  activationDate: null,
  years: 2,
  certificateType: 'personal',
  company: null,
  unit: null,
  position: null,
  language: 'pl',
  identifier: 'same',
}

/** Opens a renewal of a certificate without a key, which is then in its first step: for tests of access. */
export async function openDraft(portal: TestPortal, signature: string, browser: TestBrowser): Promise<string> {
  const { code } = await giveRenewalCode(portal, signature)
  return (await startRenewal({ browser, code })).uid
}

/** The renewal of an answer; throws if it is a refusal. */
export const renewalIn = bodyOf<Renewal>

export const startRenewal = async ({ browser, code }: Pick<Renewing, 'browser' | 'code'>) =>
  renewalIn(await browser.call(openRenewal, { body: { code } }))

export const read = async (browser: TestBrowser, { uid }: Pick<Renewal, 'uid'>, node = 0) =>
  renewalIn(await browser.call(readRenewal, { params: { uid } }, node))

export const fixTerms = async (browser: TestBrowser, renewal: Renewal, parameters: Partial<RenewalParameters> = {}) =>
  renewalIn(
    await browser.call(fixParameters, {
      params: at(renewal),
      body: { expected: expectedOf(renewal), parameters: { ...chosen, ...parameters }, shortenedTo: null },
    }),
  )

/** Takes a renewal from the code to an agreement that can be signed. */
export async function renewUntilAgreement(
  renewalPortal: RenewalPortal,
  renewing: Renewing,
  parameters: Partial<RenewalParameters> = {},
) {
  const { browser } = renewing
  const inStep2 = await fixTerms(browser, await startRenewal(renewing), parameters)
  const confirmed = renewalIn(
    await browser.call(confirmPersonalData, { params: at(inStep2), body: { expected: expectedOf(inStep2) } }),
  )
  await renewalPortal.backOffice.work()
  return read(browser, confirmed)
}

/** Returns what the page sends about the agreement that it shows. */
export const shownOf = (renewal: Renewal) => ({
  expected: expectedOf(renewal),
  sha256: renewal.agreement!.sha256,
})

export async function readCodeFor({ portal }: RenewalPortal, { browser, person }: Renewing, renewal: Renewal) {
  bodyOf(await browser.call(startAgreementSigning, { params: at(renewal), body: shownOf(renewal) }))
  await portal.deliver()
  return smsCode(portal, person.phone)
}

/** Signs by code, after which the signature is made. */
export async function signAgreementByCode(renewalPortal: RenewalPortal, renewing: Renewing, renewal: Renewal) {
  const code = await readCodeFor(renewalPortal, renewing, renewal)
  renewalIn(await renewing.browser.call(signAgreement, { params: at(renewal), body: { ...shownOf(renewal), code } }))
  await renewalPortal.portal.deliver()
  return read(renewing.browser, renewal)
}
