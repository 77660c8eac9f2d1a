import { generateKeyPairSync } from 'node:crypto'
import { setPassword } from '../contract/password-link.ts'
import {
  blockCustomer,
  inviteCustomer,
  putAgreement,
  putCustomer,
  putSignature,
  putSoftware,
  type ProviderSignature,
} from '../contract/provider-api.ts'
import { makeAgreement } from './agreement.ts'
import type { Authority } from './authority.ts'
import {
  demonstrationPassword,
  people,
  type DemonstrationCustomer,
  type DemonstrationSignature,
} from './demonstration-people.ts'
import { fillSeals } from './demonstration-seals.ts'
import { releases } from './demonstration-software.ts'
import { validityOf } from './demonstration-validity.ts'
import type { PortalClient } from './portal-client.ts'
import { sealForArchive } from './seal.ts'
import type { SigningKeys } from './signing-keys.ts'
import type { PersonSubject } from './subscriber.ts'

type Desk = {
  portal: PortalClient
  authority: Authority
  /** Where the keys of cloud signatures lie. */
  signingKeys: SigningKeys
  now: Date
  /** The token of the newest invitation that reached a mailbox. */
  invitation: (email: string) => Promise<string>
}

const sideBySide = 6

/**
 * Fills a portal as a provider would, through the provider API alone: customers, certificates fresh from the
 * authority, sealed agreements, seals with their users, programs. Repeating it brings every date up to today.
 */
export async function fillPortal(desk: Desk): Promise<void> {
  for (const { id, release } of releases)
    await desk.portal.call(putSoftware, { params: { release: id }, body: release })
  for (const person of people) {
    await welcome(desk, person)
    // A few side by side, because each waits for the disk more than it works; all at once, a slow machine would refuse some.
    for (let from = 0; from < person.signatures.length; from += sideBySide)
      await Promise.all(
        person.signatures.slice(from, from + sideBySide).map((signature) => issue(desk, person, signature)),
      )
  }
  await fillSeals(desk)
}

/** Puts the customer, and sets the password through the invitation as the customer would, unless that is what there is to see. */
async function welcome(
  { portal, invitation }: Desk,
  { id, shows: _, blocked, invited, signatures: __, ...particulars }: DemonstrationCustomer,
) {
  const params = { customer: id }
  const { state } = await portal.call(putCustomer, { params, body: particulars })
  if (state === 'invited' && !invited) {
    const token = await invitation(particulars.email).catch(async () => {
      // The invitation went before a restart; a customer would ask for another one too.
      await portal.call(inviteCustomer, { params })
      return invitation(particulars.email)
    })
    await portal.call(setPassword, {
      body: { token, password: { newPassword: demonstrationPassword, repeatPassword: demonstrationPassword } },
    })
  }
  if (blocked) await portal.call(blockCustomer, { params })
}

async function issue(
  { portal, authority, signingKeys, now }: Desk,
  person: DemonstrationCustomer,
  signature: DemonstrationSignature,
) {
  const { id, product, identifier, organisation } = signature
  const subject: PersonSubject = {
    kind: 'person',
    givenName: [person.firstName, person.secondName].filter(Boolean).join(' '),
    surname: person.surname,
    serialNumber: identifier.replace(/^ECN-/, ''),
    country: /^[A-Z]{3}([A-Z]{2})-/.exec(identifier)?.[1] ?? 'PL',
    ...(organisation ? { organisation } : {}),
  }
  const validity = validityOf(signature, now)
  const publicKey = signature.remote
    ? await signingKeys.make(id, person.id)
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
      identifierType: identifier.slice(0, 3) as ProviderSignature['identifierType'],
      years: signature.years,
      certificate: base64(issued.certificate),
      chain: authority.chain.map(base64),
      status: signature.status ?? 'good',
      agreementLanguage: person.locale,
    },
  })
  if (signature.agreement === false) return
  const { locale: language, email, phone } = person
  const number = `TEST/${validity.notBefore.getUTCFullYear()}/${id.replace(/^demo-/, '').toUpperCase()}`
  const agreement = await makeAgreement({
    language,
    number,
    concludedAt: validity.notBefore,
    product,
    subject,
    ...validity,
    email,
    phone,
  })
  const sealed = await sealForArchive(agreement, authority, { reason: number, at: now })
  await portal.upload(putAgreement, { signature: id }, sealed)
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
