import { generateKeyPairSync } from 'node:crypto'
import type * as z from 'zod/mini'
import {
  putSeal,
  putSealAgreement,
  putSealUser,
  type ProviderSeal,
  type ProviderSealUser,
} from '../../../contract/provider/provider-seals.ts'
import { dayMs } from '../../../contract/rules/warsaw-time.ts'
import type { SealUserForm } from '../../../contract/seal-user-form.ts'
import { addSealUser } from '../../../contract/seal-users.ts'
import type { Psd2 } from '../../../contract/seals.ts'
import type { StepUpPurpose } from '../../../contract/step-up-purpose.ts'
import { bodyOf, openBrowser, type TestBrowser } from '../browser.ts'
import { readPortalId } from '../database-state.ts'
import { samplePerson, type TestPortal } from '../portal-nodes.ts'
import { filedCertificate, uploadPdf, sampleValidity, type TestProvider } from '../provider.ts'
import { stepUp, type Person } from '../test-customers.ts'
import { addCustomer, signInDirectly } from './ready-customers.ts'

// Seals as the provider puts them, with users in the states that a test is about.

type SealOptions = {
  from?: Date
  to?: Date
  organisation?: string
  identifier?: string
  psd2?: Psd2
} & Partial<ProviderSeal>

const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

/** Builds the body of a PUT of a seal, with a new certificate for a legal person. */
export async function issueSeal(
  { authority }: TestProvider,
  {
    from,
    to,
    organisation = 'Stowarzyszenie Łączność',
    identifier = 'VATPL-5250001090',
    psd2,
    ...over
  }: SealOptions = {},
): Promise<ProviderSeal> {
  const issued = await authority.issue({
    subject: {
      kind: 'organisation',
      name: organisation,
      commonName: `${organisation} – pieczęć`,
      identifier,
      country: 'PL',
      ...(psd2 ? { psd2 } : {}),
    },
    publicKey,
    ...sampleValidity({ from, to, period: over.period }),
    device: over.product !== 'file',
  })
  return { product: 'app', ...filedCertificate(authority, base64(issued.certificate)), ...over }
}

let numbers = 0

/** Returns a mobile number that the form accepts, different at each call. */
export const mobile = () => `+4860${String(++numbers).padStart(7, '0')}`

/** Returns an invitation form for a person whom the portal does not know. */
export function sealUserForm(over: Partial<z.input<typeof SealUserForm>> = {}): z.input<typeof SealUserForm> {
  return {
    email: samplePerson().email,
    phone: mobile(),
    firstName: 'Łukasz',
    surname: 'Dąbrowski',
    role: 'user' as const,
    locale: 'pl' as const,
    ...over,
  }
}

/** Returns the fields of a provider's call about a customer who uses a seal. */
export const sealUserOf = ({ email, phone, firstName, surname, locale }: Person) => ({
  email,
  phone,
  firstName,
  surname,
  locale,
})

type Member = { person: Person } & Pick<ProviderSealUser, 'role' | 'status'>

/** Returns a customer as a user of a seal, by default an active administrator. */
export const member = (person: Person, role: Member['role'] = 'admin', status: Member['status'] = 'active') => ({
  person,
  role,
  status,
})

/** Creates a seal with its users; `id` is the portal's id. */
export async function makeSeal(
  portal: TestPortal,
  provider: TestProvider,
  members: Member[],
  options: SealOptions = {},
) {
  const providerId = `seal-${crypto.randomUUID()}`
  const { call } = openBrowser(portal)
  bodyOf(await call(putSeal, { params: { seal: providerId }, body: await issueSeal(provider, options) }))
  const users = []
  for (const { person, role, status } of members)
    users.push(await inviteTo(portal, providerId, { ...sealUserOf(person), role, status }))
  const id = await readPortalId(portal, 'seals', providerId)
  return { id, providerId, users }
}

/** Puts the agreement of a seal as the provider. */
export const putSealPdf = (portal: TestPortal, seal: string) =>
  uploadPdf(portal, putSealAgreement.path.replace(':seal', seal))

/** Puts a user of a seal as the provider; by default pending, and unknown to the portal. */
export async function inviteTo(portal: TestPortal, seal: string, over: Partial<ProviderSealUser> = {}) {
  const providerId = `u-${crypto.randomUUID()}`
  const body: ProviderSealUser = { ...sealUserForm(), status: 'pending', ...over }
  bodyOf(await openBrowser(portal).call(putSealUser, { params: { seal, user: providerId }, body }))
  const id = await readPortalId(portal, 'seal_users', providerId)
  return { id, providerId }
}

/** Inserts a confirmed step-up for every session of a person, also one that the portal would never ask for. */
export const insertStepUp = ({ owner }: TestPortal, { login }: Person, purpose: StepUpPurpose, object: string) =>
  owner.query(
    `insert into step_ups (session_id, purpose, object, confirmed_at)
     select s.id, $2, $3, portal_now() from sessions s join accounts a on a.id = s.account_id where a.login = $1
     on conflict do nothing`,
    [login, purpose, object],
  )

/** Signs in and confirms that the users of a seal may be changed. */
export async function signInToManage(portal: TestPortal, person: Person, seal: string): Promise<TestBrowser> {
  const browser = await signInDirectly(portal, person)
  await stepUp(portal, browser, person, 'manage-seal-users', seal)
  return browser
}

/** Invites a user like an Administrator, and sends the mail. */
export async function invite(portal: TestPortal, browser: TestBrowser, seal: string, form = sealUserForm()) {
  const answer = await browser.call(addSealUser, { params: { id: seal }, body: form })
  await portal.deliver()
  return { ...answer, form }
}

/** Creates a user of a seal who may connect their app. */
export async function makeUserToPair(portal: TestPortal, provider: TestProvider) {
  const person = await addCustomer(portal)
  const seal = await makeSeal(portal, provider, [{ person, role: 'user', status: 'active' }])
  const browser = await signInDirectly(portal, person)
  await insertStepUp(portal, person, 'pair-seal', seal.id)
  return { browser, seal }
}

const today = Math.floor(Date.now() / dayMs) * dayMs
export const inDays = (days: number) => new Date(today + days * dayMs)

export type Owner = { person: Person; browser: TestBrowser }

/** Creates a signed-in customer, to be given signatures of their own. */
export async function makeOwner(portal: TestPortal): Promise<Owner> {
  const person = await addCustomer(portal)
  return { person, browser: await signInDirectly(portal, person) }
}

/** Creates a customer with a signature that has no app yet, and with a confirmed step-up to pair one. */
export async function makeOwnerToPair(portal: TestPortal, provider: TestProvider) {
  const { person, browser } = await makeOwner(portal)
  const { id, providerId: signature } = await provider.give(person)
  await insertStepUp(portal, person, 'pair-app', id)
  return { person, browser, id, signature }
}
