import { generateKeyPairSync } from 'node:crypto'
import { IdentifierType } from '../../contract/identification.ts'
import { setPassword } from '../../contract/password-link.ts'
import { blockCustomer, inviteCustomer, putCustomer } from '../../contract/provider/provider-customers.ts'
import { getSignature, putAgreement, putSignature } from '../../contract/provider/provider-signatures.ts'
import { putSoftware } from '../../contract/provider/provider-software.ts'
import { base64Of } from '../../pki/bytes.ts'
import type { Authority } from '../authority/authority.ts'
import type { PersonSubject } from '../authority/subscriber.ts'
import type { PortalClient } from '../portal-client.ts'
import type { SigningKeys } from '../signing-service/signing-keys.ts'
import { isRevoked, makeSealedAgreement, validityOf } from './demonstration-certificates.ts'
import {
  demonstrationPassword,
  people,
  type DemonstrationCustomer,
  type DemonstrationSignature,
} from './demonstration-people.ts'
import { fillSeals } from './demonstration-seals.ts'
import { releases } from './demonstration-software.ts'

type Services = {
  portal: PortalClient
  authority: Authority
  /** The keys of cloud signatures. */
  signingKeys: SigningKeys
  now: Date
  /** Returns the token of the newest invitation in a mailbox. */
  awaitInvitation: (email: string) => Promise<string>
}

const concurrency = 6

/** Acceptance by customers with their agreement; those who set their first password accept in the portal. */
const acceptance = { version: '2025-10-01', at: '2025-10-14T08:30:00.000Z' }
const acceptances = { terms: acceptance, privacy: acceptance }

/**
 * Fills a portal with the provider API only, as a provider would: customers, newly issued certificates, sealed agreements,
 * seals with their users, programs. Repeating it updates every date relative to today.
 */
export async function fillPortal(services: Services): Promise<void> {
  for (const { id, release } of releases)
    await services.portal.call(putSoftware, { params: { release: id }, body: release })
  for (const person of people) {
    await welcome(services, person)
    // A few at a time, because each mostly waits for the disk; all at once would overload a slow machine.
    for (let from = 0; from < person.signatures.length; from += concurrency)
      await Promise.all(
        person.signatures.slice(from, from + concurrency).map((signature) => issue(services, person, signature)),
      )
  }
  await fillSeals(services)
}

/** Adds the customer, and sets the password with the invitation unless the customer demonstrates that. */
async function welcome(
  { portal, awaitInvitation }: Services,
  { id, scenario: _, blocked, invited, signatures: __, ...particulars }: DemonstrationCustomer,
) {
  const params = { customer: id }
  const body = invited ? particulars : { ...particulars, acceptances }
  const { state } = await portal.call(putCustomer, { params, body })
  if (state === 'invited' && !invited) {
    const token = await awaitInvitation(particulars.email).catch(async () => {
      // The invitation was sent before a restart, so another one is requested.
      await portal.call(inviteCustomer, { params })
      return awaitInvitation(particulars.email)
    })
    await portal.call(setPassword, {
      body: { token, password: { newPassword: demonstrationPassword, repeatPassword: demonstrationPassword } },
    })
  }
  if (blocked) await portal.call(blockCustomer, { params })
}

function makeKey(
  signingKeys: SigningKeys,
  owner: string,
  { id, requiredFactors: { pin, ...settings } = {} }: DemonstrationSignature,
) {
  return signingKeys.make(id, owner, { ...settings, pin: pin !== undefined }, { pin })
}

async function issue(
  { portal, authority, signingKeys, now }: Services,
  person: DemonstrationCustomer,
  signature: DemonstrationSignature,
) {
  const { id, product, identifier, organisation } = signature
  if (await isRevoked(portal.call(getSignature, { params: { signature: id } }))) return
  const subject: PersonSubject = {
    kind: 'person',
    givenName: [person.firstName, person.secondName].filter(Boolean).join(' '),
    surname: person.surname,
    serialNumber: identifier.replace(/^ECN-/, ''),
    country: /^[A-Z]{3}([A-Z]{2})-/.exec(identifier)?.[1] ?? 'PL',
    ...(organisation && { organisation }),
  }
  const validity = validityOf(signature, now)
  const publicKey = signature.remote
    ? await makeKey(signingKeys, person.id, signature)
    : generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey
  const issued = await authority.issue({ subject, publicKey, ...validity, device: product !== 'file' })
  if (signature.status === 'suspended') await authority.suspend(issued.serialNumber, now)
  if (signature.status === 'revoked') await authority.revoke(issued.serialNumber, 'keyCompromise', now)
  if (signature.remote) await signingKeys.certify(id, [issued.certificate, ...authority.chain])
  await portal.call(putSignature, {
    params: { signature: id },
    body: {
      customer: person.id,
      product,
      identifierType: IdentifierType.parse(identifier.slice(0, 3)),
      period: signature.period,
      certificate: base64Of(issued.certificate),
      chain: authority.chain.map(base64Of),
      status: signature.status ?? 'good',
      agreementLanguage: person.locale,
    },
  })
  if (signature.agreement === false) return
  const sealed = await makeSealedAgreement(authority, now, {
    id,
    language: person.locale,
    product,
    subject,
    ...validity,
    email: person.email,
    phone: person.phone,
  })
  await portal.upload(putAgreement, { signature: id }, sealed)
}
