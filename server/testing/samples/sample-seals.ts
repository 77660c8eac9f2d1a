import { generateKeyPairSync } from 'node:crypto'
import {
  putSeal,
  putSealAgreement,
  putSealUser,
  type ProviderSeal,
  type ProviderSealUser,
} from '../../contract/provider-seals.ts'
import type { StepUpPurpose } from '../../contract/enums.ts'
import { addSealUser, type SealUserForm } from '../../contract/seal-users.ts'
import type * as z from 'zod/mini'
import { somebody, type TestPortal } from './portal-nodes.ts'
import { openBrowser, stepUp, type Person, type TestBrowser } from './browser.ts'
import { letIn } from './ready-customers.ts'
import { samplePdf, type TestProvider } from './provider.ts'

/** Seals as the provider puts them, with users in the states that a test is about. */

type SealWish = { from?: Date; to?: Date; organisation?: string; identifier?: string } & Partial<ProviderSeal>

const dayMs = 86_400_000
const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

/** What a PUT of a seal says, with a certificate of its own for a legal person. */
export async function drawSeal(
  { authority }: TestProvider,
  { from, to, organisation = 'Stowarzyszenie Łączność', identifier = 'VATPL-5250001090', ...over }: SealWish = {},
): Promise<ProviderSeal> {
  const issued = await authority.issue({
    subject: {
      kind: 'organisation',
      name: organisation,
      commonName: `${organisation} – pieczęć`,
      identifier,
      country: 'PL',
    },
    publicKey,
    notBefore: from ?? new Date(Date.now() - 30 * dayMs),
    notAfter: to ?? new Date(Date.now() + 335 * dayMs),
    device: true,
  })
  return {
    product: 'app',
    years: 1,
    certificate: base64(issued.certificate),
    chain: authority.chain.map(base64),
    status: 'good',
    agreementLanguage: 'pl',
    ...over,
  }
}

let numbers = 0

/** A mobile number that the form takes, another one at each call. */
export const mobile = () => `+4860${String(++numbers).padStart(7, '0')}`

/** A form of an invitation, for somebody whom the portal does not know. */
export function sealUserForm(over: Partial<z.input<typeof SealUserForm>> = {}) {
  return {
    email: somebody().email,
    phone: mobile(),
    firstName: 'Łukasz',
    surname: 'Dąbrowski',
    role: 'user' as const,
    ...over,
  }
}

type Member = { person: Person } & Pick<ProviderSealUser, 'role' | 'status'>

/** A seal with its users; the ids are those under which the portal knows them. */
export async function makeSeal(portal: TestPortal, provider: TestProvider, members: Member[], wish: SealWish = {}) {
  const providerId = `seal-${crypto.randomUUID()}`
  const { call } = openBrowser(portal)
  const put = await call(putSeal, { params: { seal: providerId }, body: await drawSeal(provider, wish) })
  if (put.status !== 200) throw new Error(JSON.stringify(put.problem))
  const users = []
  for (const { person, role, status } of members) {
    const { email, phone, firstName, surname, locale } = person
    users.push(await inviteTo(portal, providerId, { email, phone, firstName, surname, locale, role, status }))
  }
  const { id } = await portal.db
    .selectFrom('seals')
    .select('id')
    .where('provider_id', '=', providerId)
    .executeTakeFirstOrThrow()
  return { id, providerId, users }
}

/** Has the provider put the agreement of a seal. */
export const putSealPaper = (portal: TestPortal, seal: string) =>
  fetch(portal.origin + putSealAgreement.path.replace(':seal', seal), {
    method: 'PUT',
    headers: { authorization: `Bearer ${portal.clientKey}`, 'content-type': 'application/pdf' },
    body: new Uint8Array(samplePdf),
  })

/** Has the provider put a user of a seal; pending, and unknown to the portal, unless said. */
export async function inviteTo(portal: TestPortal, seal: string, over: Partial<ProviderSealUser> = {}) {
  const providerId = `u-${crypto.randomUUID()}`
  const body: ProviderSealUser = { ...sealUserForm(), locale: 'pl', status: 'pending', ...over }
  const put = await openBrowser(portal).call(putSealUser, { params: { seal, user: providerId }, body })
  if (put.status !== 200) throw new Error(JSON.stringify(put.problem))
  const { id } = await portal.db
    .selectFrom('seal_users')
    .select('id')
    .where('provider_id', '=', providerId)
    .executeTakeFirstOrThrow()
  return { id, providerId }
}

/** Writes down that every session of a person has confirmed an act, also where the portal would never ask for it. */
export const confirmAnyway = ({ owner }: TestPortal, { login }: Person, purpose: StepUpPurpose, object: string) =>
  owner.query(
    `insert into step_ups (session_id, purpose, object, confirmed_at)
     select s.id, $2, $3, portal_now() from sessions s join accounts a on a.id = s.account_id where a.login = $1
     on conflict do nothing`,
    [login, purpose, object],
  )

/** Signs in and confirms that the users of a seal may be changed. */
export async function signInToManage(portal: TestPortal, person: Person, seal: string): Promise<TestBrowser> {
  const browser = await letIn(portal, person)
  await stepUp(portal, browser, person, 'manage-seal-users', seal)
  return browser
}

/** Invites somebody as an Administrator does, and has the mail sent. */
export async function invite(portal: TestPortal, browser: TestBrowser, seal: string, form = sealUserForm()) {
  const answer = await browser.call(addSealUser, { params: { id: seal }, body: form })
  await portal.deliver()
  return { ...answer, form }
}
