import { generateKeyPairSync } from 'node:crypto'
import { setPassword } from '../contract/account.ts'
import {
  blockCustomer,
  inviteCustomer,
  putAgreement,
  putCustomer,
  putSignature,
  putSoftware,
} from '../contract/provider-api.ts'
import { makeAgreement } from './agreement.ts'
import type { Authority } from './authority.ts'
import { people, type DemonstrationCustomer, type DemonstrationSignature } from './demonstration-people.ts'
import { releases } from './demonstration-software.ts'
import type { PortalClient } from './portal-client.ts'
import { sealPdf } from './seal.ts'

export const demonstrationPassword = 'Demo-Sygnet-2026!'

type Desk = {
  portal: PortalClient
  authority: Authority
  now: Date
  /** The token of the newest invitation that reached a mailbox. */
  invitation: (email: string) => Promise<string>
}

const dayMs = 86_400_000

/**
 * Fills a portal as a provider would, through the provider API alone: customers, certificates fresh from the
 * authority, sealed agreements, programs. Repeating it brings every date up to today.
 */
export async function fillPortal(desk: Desk): Promise<void> {
  for (const { id, release } of releases)
    await desk.portal.call(putSoftware, { params: { release: id }, body: release })
  for (const person of people) {
    await welcome(desk, person)
    // Side by side, because each waits for the disk more than it works.
    await Promise.all(person.signatures.map((signature) => issue(desk, person, signature)))
  }
}

/** Puts the customer, and sets the password through the invitation as the customer would. */
async function welcome(
  { portal, invitation }: Desk,
  { id, shows: _, blocked, signatures: __, ...particulars }: DemonstrationCustomer,
) {
  const params = { customer: id }
  const { state } = await portal.call(putCustomer, { params, body: particulars })
  if (state === 'invited') {
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
  { portal, authority, now }: Desk,
  person: DemonstrationCustomer,
  signature: DemonstrationSignature,
) {
  // Ends at a set time of day, so that two fillings of one day say the same.
  const notAfter = new Date(
    Math.floor(now.getTime() / dayMs) * dayMs + signature.endsIn * dayMs + 13 * 3_600_000 + 20 * 60_000,
  )
  const notBefore =
    signature.startsIn === undefined
      ? yearsBefore(notAfter, signature.years)
      : new Date(Math.floor(now.getTime() / dayMs) * dayMs + signature.startsIn * dayMs + 8 * 3_600_000)
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const givenName = [person.firstName, person.secondName].filter(Boolean).join(' ')
  const serialNumber = signature.identifier.replace(/^ECN-/, '')
  const country = /^[A-Z]{3}([A-Z]{2})-/.exec(signature.identifier)?.[1] ?? 'PL'
  const { certificate, serialNumber: certificateNumber } = await authority.issue({
    subject: {
      kind: 'person',
      givenName,
      surname: person.surname,
      serialNumber,
      country,
      ...(signature.organisation ? { organisation: signature.organisation } : {}),
    },
    publicKey,
    notBefore,
    notAfter,
    device: signature.product !== 'file',
  })
  if (signature.status === 'suspended') await authority.suspend(certificateNumber, now)
  if (signature.status === 'revoked') await authority.revoke(certificateNumber, 'keyCompromise', now)
  await portal.call(putSignature, {
    params: { signature: signature.id },
    body: {
      customer: person.id,
      product: signature.product,
      identifierType: signature.identifier.slice(0, 3) as 'PNO' | 'TIN' | 'PAS' | 'IDC' | 'ECN',
      years: signature.years,
      certificate: Buffer.from(certificate).toString('base64'),
      chain: authority.chain.map((der) => Buffer.from(der).toString('base64')),
      status: signature.status ?? 'good',
      agreementLanguage: person.locale,
    },
  })
  if (signature.agreement !== false)
    await fileAgreement({ portal, authority }, person, signature, {
      certificate,
      certificateNumber,
      notBefore,
      notAfter,
    })
}

function yearsBefore(at: Date, years: number) {
  const before = new Date(at)
  before.setUTCFullYear(at.getUTCFullYear() - years)
  return before
}
