import { generateKeyPairSync } from 'node:crypto'
import {
  getSealUser,
  putSeal,
  putSealAgreement,
  putSealUser,
  type ProviderSeal,
  type ProviderSealUser,
} from '../contract/provider-seals.ts'
import { addDays, atWarsawClock, warsawDay } from '../contract/warsaw-time.ts'
import { makeAgreement } from './agreement.ts'
import type { Authority } from './authority.ts'
import { people } from './demonstration-people.ts'
import { validityOf } from './demonstration-validity.ts'
import { PortalRefused, type PortalClient } from './portal-client.ts'
import { sealForArchive } from './seal.ts'
import type { OrganisationSubject } from './subscriber.ts'

/** A user of a seal; `since` and `until` in days from today. `login` takes the rest from a customer of the demonstration. */
type DemonstrationSealUser = { id: string; since?: number; until?: number } & Pick<
  ProviderSealUser,
  'role' | 'status'
> &
  ({ login: string } | Pick<ProviderSealUser, 'email' | 'phone' | 'firstName' | 'surname'>)

type DemonstrationSeal = {
  id: string
  product: ProviderSeal['product']
  name: string
  organisation: string
  /** ETSI EN 319 412-1 §5.1.4. */
  identifier: string
  years: 1 | 2 | 3
  endsIn: number
  status?: 'suspended' | 'revoked'
  agreement?: false
  users: DemonstrationSealUser[]
}

export const seals: readonly DemonstrationSeal[] = [
  {
    id: 'demo-seal-zrodlo',
    product: 'app',
    name: 'Kancelaria Źródło – pieczęć',
    organisation: 'Kancelaria Źródło sp. z o.o.',
    identifier: 'VATPL-1234563218',
    years: 2,
    endsIn: 478,
    users: [
      { id: 'malgorzata', login: 'malgorzata', role: 'administrator', status: 'active', since: -252 },
      { id: 'tomasz', login: 'tomasz', role: 'user', status: 'active', since: -233 },
      {
        id: 'lukasz',
        email: 'l.dabrowski@kancelaria-zrodlo.example',
        phone: '+48600100264',
        firstName: 'Łukasz',
        surname: 'Dąbrowski',
        role: 'user',
        status: 'pending',
      },
      {
        id: 'agnieszka',
        email: 'a.wojcik@kancelaria-zrodlo.example',
        phone: '+48600100158',
        firstName: 'Agnieszka',
        surname: 'Wójcik',
        role: 'user',
        status: 'deleted',
        since: -240,
        until: -52,
      },
    ],
  },
  {
    id: 'demo-seal-lacznosc',
    product: 'app',
    name: 'Stowarzyszenie Łączność – pieczęć',
    organisation: 'Stowarzyszenie Łączność',
    identifier: 'NTRPL-0000012345',
    years: 1,
    endsIn: 40,
    users: [
      { id: 'zofia', login: 'zofia', role: 'administrator', status: 'active', since: -320 },
      { id: 'malgorzata', login: 'malgorzata', role: 'user', status: 'pending' },
    ],
  },
  {
    id: 'demo-seal-biuro',
    product: 'card',
    name: 'Biuro Zielińska – pieczęć na karcie',
    organisation: 'Biuro Zielińska S.A.',
    identifier: 'VATPL-1234563218',
    years: 3,
    endsIn: 300,
    status: 'suspended',
    agreement: false,
    users: [
      { id: 'zofia', login: 'zofia', role: 'administrator', status: 'active', since: -700 },
      { id: 'oliver', login: 'oliver', role: 'administrator', status: 'deleted', since: -700, until: -90 },
    ],
  },
  {
    id: 'demo-seal-zolc',
    product: 'app',
    name: 'Przedsiębiorstwo Wielobranżowe Żółć i Gęśl – pieczęć elektroniczna działu umów',
    organisation: 'Przedsiębiorstwo Wielobranżowe Żółć i Gęśl sp. z o.o. sp.k. w Szczebrzeszynie',
    identifier: 'VATPL-1234563218',
    years: 3,
    endsIn: 900,
    users: [
      { id: 'wilhelmina', login: 'wilhelmina', role: 'administrator', status: 'active', since: -100 },
      {
        id: 'swietoslawa',
        email: 'swietoslawa.brzeczyszczykiewicz-grzegzolkowska@przedsiebiorstwo-wielobranzowe.example',
        phone: '+48600100777',
        firstName: 'Świętosława Wszebora',
        surname: 'Brzęczyszczykiewicz-Grzegżółkowska',
        role: 'administrator',
        status: 'pending',
      },
    ],
  },
]

type Desk = { portal: PortalClient; authority: Authority; now: Date }

/** Fills in the seals and their users, through the provider API alone. */
export async function fillSeals(desk: Desk): Promise<void> {
  for (const seal of seals) {
    await issue(desk, seal)
    for (const user of seal.users) await welcome(desk, seal, user)
  }
}

async function issue({ portal, authority, now }: Desk, seal: DemonstrationSeal) {
  const { id, product, years } = seal
  const subject: OrganisationSubject = {
    kind: 'organisation',
    name: seal.organisation,
    commonName: seal.name,
    identifier: seal.identifier,
    country: 'PL',
  }
  const validity = validityOf(seal, now)
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const issued = await authority.issue({ subject, publicKey, ...validity, device: true })
  if (seal.status === 'suspended') await authority.suspend(issued.serialNumber, now)
  await portal.call(putSeal, {
    params: { seal: id },
    body: {
      product,
      years,
      certificate: base64(issued.certificate),
      chain: authority.chain.map(base64),
      status: seal.status ?? 'good',
      agreementLanguage: 'pl',
    },
  })
  if (seal.agreement === false) return
  const number = `TEST/${validity.notBefore.getUTCFullYear()}/${id.replace(/^demo-/, '').toUpperCase()}`
  const { email, phone } = particularsOf(seal.users[0]!)
  const agreement = await makeAgreement({
    language: 'pl',
    number,
    concludedAt: validity.notBefore,
    product,
    subject,
    ...validity,
    email,
    phone,
  })
  await portal.upload(
    putSealAgreement,
    { seal: id },
    await sealForArchive(agreement, authority, { reason: number, at: now }),
  )
}

/** Puts a user once: what Administrators and the users themselves have done since, stays. */
async function welcome({ portal, now }: Desk, seal: DemonstrationSeal, one: DemonstrationSealUser) {
  const params = { seal: seal.id, user: one.id }
  const known = await portal.call(getSealUser, { params }).catch((error: unknown) => {
    if (error instanceof PortalRefused && error.status === 404) return undefined
    throw error
  })
  if (known) return
  const { role, status, since, until } = one
  const at = (days: number) => atWarsawClock(`${addDays(warsawDay(now), days)}T09:00:00`).toISOString()
  await portal.call(putSealUser, {
    params,
    body: {
      ...particularsOf(one),
      role,
      status,
      ...(since === undefined ? {} : { acquiredAt: at(since) }),
      ...(until === undefined ? {} : { deletedAt: at(until) }),
    },
  })
}

function particularsOf(user: DemonstrationSealUser) {
  const { email, phone, firstName, surname } =
    'login' in user ? people.find(({ login }) => login === user.login)! : user
  return { email, phone, firstName, surname, locale: 'pl' as const }
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
