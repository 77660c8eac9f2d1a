import type { Identification } from '../../contract/personal-data.ts'
import { putSignature } from '../../contract/provider-api.ts'
import {
  confirmPersonalData,
  fixParameters,
  openRenewal,
  readRenewal,
  signAgreement,
  startAgreementSigning,
  type Renewal,
  type RenewalParameters,
} from '../../contract/renewal.ts'
import { tokenOver } from '../../pki/testing/pades-authorities.ts'
import { portalClient } from '../../provider/portal-client.ts'
import { renewalDesk } from '../../provider/renewal-desk.ts'
import type { PersonSubject } from '../../provider/subscriber.ts'
import { documentsOnDisk } from '../ports/documents-disk.ts'
import type { RemoteSigningPort } from '../ports/ports.ts'
import { openTestPortal, sampleIdentification, type TestPortal } from './portal-nodes.ts'
import { openBrowser, smsCode, type Person, type TestBrowser } from './browser.ts'
import { addCustomer, letIn } from './ready-customers.ts'
import { manySends } from './processes.ts'
import { openTestProvider } from './provider.ts'
import { giveRenewalCode } from './sample-vouchers.ts'
import { signingKeysInMemory } from './signing-keys-in-memory.ts'

/** A portal whose provider keeps keys, makes agreements and issues, as the demonstration's does. */
export type RenewalHouse = Awaited<ReturnType<typeof openRenewalHouse>>

const dayMs = 86_400_000

type HouseOptions = {
  /** One key for all, also for what is issued: `renewalDesk` cannot tell renewals apart by their keys then. */
  sharedKey?: true
  postgres?: string
  /** The folder of the documents, where processes share it. */
  documents?: string
  /** Where the provider's authority is asked about certificates; nowhere unless a test serves it. */
  baseUrl?: string
  /** Tells of what goes wrong inside, where no test runner keeps the answer. */
  tells?: true
}

export async function openRenewalHouse({ sharedKey, postgres, documents, tells, baseUrl }: HouseOptions = {}) {
  const keys = signingKeysInMemory(!sharedKey)
  /** What the signing service was asked to sign, and what it says instead of signing. */
  const service: { orders: string[]; says?: 'refused' | 'unreachable' } = { orders: [] }
  const remoteSigning: RemoteSigningPort = {
    credentials: async (customer) =>
      keys.ofOwner(customer).map(({ id, certificates: [certificate, ...chain] }) => ({
        id,
        certificate: certificate!,
        chain,
        otp: 'portal',
      })),
    sendOtp: async () => 'refused',
    async sign({ credential, hash }) {
      service.orders.push(Buffer.from(hash).toString('hex'))
      return service.says ?? { signature: keys.sign(credential.id, hash) }
    },
  }
  const timestamps = { stamp: async (digest: Uint8Array) => tokenOver(digest, new Date()) }
  const store = documents ? documentsOnDisk(documents) : undefined
  const portal = await openTestPortal({
    nodes: 2,
    comparesPages: false,
    ports: { remoteSigning, timestamps, ...(store ? { documents: store } : {}) },
    settings: manySends(1_000_000),
    ...(postgres ? { postgres } : {}),
    ...(tells ? { logger: { level: 'error', stream: process.stderr } } : {}),
  })
  /** The provider's clock goes with the portal's. */
  let ahead = 0
  const now = () => new Date(Date.now() + ahead)
  const provider = await openTestProvider(portal, { now, ...(baseUrl ? { baseUrl } : {}) })
  const { authority } = provider
  const client = portalClient({ url: portal.origin, clientKey: portal.clientKey })
  const desk = renewalDesk({ portal: client, authority, signingKeys: keys, now })

  type Wish = {
    subject?: Partial<PersonSubject> | undefined
    identification?: Partial<Identification> | null | undefined
    endsAt?: Date | undefined
    startsAt?: Date | undefined
    /** Where the customer signs in from: one address gets so many codes a day. */
    address?: string
  }

  /** A customer who is signed in and may renew. */
  async function makeRenewer({ identification, address }: Pick<Wish, 'identification' | 'address'> = {}) {
    const person = await addCustomer(portal, {
      firstName: 'Anna',
      surname: 'Nowak',
      ...(identification === null ? {} : { identification: { ...sampleIdentification, ...identification } }),
    })
    const browser = await letIn(portal, person, openBrowser(portal, address ? { address } : {}))
    return { person, browser }
  }

  /** A cloud signature that is due, and a code to renew it. */
  async function makeRenewableOf(person: Person, wish: Omit<Wish, 'identification'> = {}) {
    const signature = await giveCloudSignature(person, wish)
    const { code } = await giveRenewalCode(portal, signature.providerId)
    return { signature, code }
  }

  async function makeRenewable({ identification, address, ...wish }: Wish = {}) {
    const renewer = await makeRenewer({ identification, ...(address ? { address } : {}) })
    return { ...renewer, ...(await makeRenewableOf(renewer.person, wish)) }
  }

  async function giveCloudSignature(person: Person, { subject, endsAt, startsAt }: Omit<Wish, 'identification'>) {
    const providerId = `s-${crypto.randomUUID()}`
    const notAfter = endsAt ?? new Date(Math.floor((now().getTime() + 12 * dayMs) / 1000) * 1000)
    const { certificate } = await authority.issue({
      subject: {
        kind: 'person',
        givenName: 'Anna',
        surname: 'Nowak',
        serialNumber: 'PNOPL-44051401458',
        country: 'PL',
        ...subject,
      },
      publicKey: await keys.make(providerId, person.id),
      notBefore: startsAt ?? new Date(notAfter.getTime() - 365 * dayMs),
      notAfter,
      device: true,
    })
    await keys.certify(providerId, [certificate, ...authority.chain])
    const answer = await openBrowser(portal).call(putSignature, {
      params: { signature: providerId },
      body: {
        customer: person.id,
        product: 'app',
        identifierType: (subject?.serialNumber ?? 'PNO').slice(0, 3) as 'PNO',
        years: 1,
        certificate: Buffer.from(certificate).toString('base64'),
        chain: authority.chain.map((one) => Buffer.from(one).toString('base64')),
        status: 'good',
        agreementLanguage: 'pl',
      },
    })
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.problem))
    const { id } = await portal.db
      .selectFrom('signatures')
      .select('id')
      .where('provider_id', '=', providerId)
      .executeTakeFirstOrThrow()
    return { id, providerId, notAfter }
  }

  return {
    portal,
    provider,
    keys,
    service,
    desk,
    now,
    /** Where documents rest, as they are encrypted; if the house has a folder for them. */
    documents: store!,
    makeRenewable,
    makeRenewer,
    makeRenewableOf,
    giveCloudSignature,
    /** Lets time pass, at the portal and at the provider. */
    async advance(seconds: number) {
      ahead += seconds * 1000
      await portal.clock.advance(seconds)
    },
    async close() {
      await portal.close()
      provider.close()
    },
  }
}

export type Renewing = Awaited<ReturnType<RenewalHouse['makeRenewable']>>

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

/** A renewal in its first step, of a certificate whose key lies nowhere: for what is about access. */
export async function openDraft(portal: TestPortal, signature: string, browser: TestBrowser): Promise<string> {
  const { code } = await giveRenewalCode(portal, signature)
  return (await opened({ browser, code })).uid
}

/** Answers that have to be the renewal; a refusal fails the test where it is. */
export function renewalIn({ status, body, problem }: { status: number; body: Renewal; problem: unknown }): Renewal {
  if (status !== 200) throw new Error(JSON.stringify(problem))
  return body
}

export const opened = async ({ browser, code }: Pick<Renewing, 'browser' | 'code'>) =>
  renewalIn(await browser.call(openRenewal, { body: { code } }))

export const read = async (browser: TestBrowser, { uid }: Pick<Renewal, 'uid'>, node = 0) =>
  renewalIn(await browser.call(readRenewal, { params: { uid } }, node))

export const fixed = async (
  browser: TestBrowser,
  renewal: Renewal,
  parameters: Partial<RenewalParameters> = {},
  shortenedTo: string | null = null,
) =>
  renewalIn(
    await browser.call(fixParameters, {
      params: at(renewal),
      body: { expected: expectedOf(renewal), parameters: { ...chosen, ...parameters }, shortenedTo },
    }),
  )

/** From the code to an agreement that can be signed. */
export async function agreed(house: RenewalHouse, renewing: Renewing, parameters: Partial<RenewalParameters> = {}) {
  const { browser } = renewing
  const inStep2 = await fixed(browser, await opened(renewing), parameters)
  const confirmed = renewalIn(
    await browser.call(confirmPersonalData, { params: at(inStep2), body: { expected: expectedOf(inStep2) } }),
  )
  await house.desk.work()
  return read(browser, confirmed)
}

/** What the page sends of the agreement that it shows. */
export const shownOf = (renewal: Renewal) => ({
  expected: expectedOf(renewal),
  sha256: renewal.agreement!.sha256,
})

export async function codeFor({ portal }: RenewalHouse, { browser, person }: Renewing, renewal: Renewal) {
  const answer = await browser.call(startAgreementSigning, { params: at(renewal), body: shownOf(renewal) })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.problem))
  await portal.deliver()
  return smsCode(portal, person.phone)
}

/** Signs by code and lets the signature be made. */
export async function signed(house: RenewalHouse, renewing: Renewing, renewal: Renewal) {
  const code = await codeFor(house, renewing, renewal)
  renewalIn(await renewing.browser.call(signAgreement, { params: at(renewal), body: { ...shownOf(renewal), code } }))
  await house.portal.deliver()
  return read(renewing.browser, renewal)
}
