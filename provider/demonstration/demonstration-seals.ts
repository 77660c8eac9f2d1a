import { generateKeyPairSync } from 'node:crypto'
import {
  getSeal,
  getSealUser,
  putSeal,
  putSealAgreement,
  putSealUser,
  type ProviderSeal,
  type ProviderSealUser,
} from '../../contract/provider/provider-seals.ts'
import { addDays, atWarsawClock, warsawDay } from '../../contract/rules/warsaw-time.ts'
import type { Psd2 } from '../../contract/seals.ts'
import type { Period } from '../../contract/signatures-and-seals.ts'
import { base64Of } from '../../pki/bytes.ts'
import type { Authority } from '../authority/authority.ts'
import type { OrganisationSubject } from '../authority/subscriber.ts'
import { PortalError, type PortalClient } from '../portal-client.ts'
import type { SigningKeys } from '../signing-service/signing-keys.ts'
import { isRevoked, makeSealedAgreement, validityOf } from './demonstration-certificates.ts'
import { findPerson } from './demonstration-people.ts'

/** A user of a seal; `since` and `until` in days from today. `login` refers to a customer of the demonstration. */
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
  psd2?: Psd2
  period: Period
  endsIn: number
  status?: 'suspended' | 'revoked'
  agreement?: false
  /** The customer, by login, for whom the signing service has the key. */
  remoteFor?: string
  users: [DemonstrationSealUser, ...DemonstrationSealUser[]]
}

export const seals: readonly DemonstrationSeal[] = [
  {
    id: 'demo-seal-zrodlo',
    product: 'app',
    name: 'Kancelaria Źródło – pieczęć',
    organisation: 'Kancelaria Źródło sp. z o.o.',
    identifier: 'VATPL-1234563218',
    period: '2_year',
    endsIn: 478,
    remoteFor: 'malgorzata',
    users: [
      { id: 'malgorzata', login: 'malgorzata', role: 'admin', status: 'active', since: -252 },
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
    period: '1_year',
    endsIn: 40,
    users: [
      { id: 'zofia', login: 'zofia', role: 'admin', status: 'active', since: -320 },
      { id: 'malgorzata', login: 'malgorzata', role: 'user', status: 'pending' },
    ],
  },
  {
    id: 'demo-seal-biuro',
    product: 'card',
    name: 'Biuro Zielińska – pieczęć na karcie',
    organisation: 'Biuro Zielińska S.A.',
    identifier: 'VATPL-1234563218',
    period: '3_year',
    endsIn: 300,
    status: 'suspended',
    agreement: false,
    users: [
      { id: 'zofia', login: 'zofia', role: 'admin', status: 'active', since: -700 },
      { id: 'oliver', login: 'oliver', role: 'admin', status: 'deleted', since: -700, until: -90 },
    ],
  },
  {
    id: 'demo-seal-zolc',
    product: 'app',
    name: 'Przedsiębiorstwo Wielobranżowe Żółć i Gęśl – pieczęć elektroniczna działu umów',
    organisation: 'Przedsiębiorstwo Wielobranżowe Żółć i Gęśl sp. z o.o. sp.k. w Szczebrzeszynie',
    identifier: 'VATPL-1234563218',
    period: '3_year',
    endsIn: 900,
    users: [
      { id: 'wilhelmina', login: 'wilhelmina', role: 'admin', status: 'active', since: -100 },
      {
        id: 'swietoslawa',
        email: 'swietoslawa.brzeczyszczykiewicz-grzegzolkowska@przedsiebiorstwo-wielobranzowe.example',
        phone: '+48600100777',
        firstName: 'Świętosława Wszebora',
        surname: 'Brzęczyszczykiewicz-Grzegżółkowska',
        role: 'admin',
        status: 'pending',
      },
    ],
  },
  {
    id: 'demo-seal-grosik-psd2',
    product: 'psd2-card',
    name: 'Grosik – pieczęć PSD2',
    organisation: 'Grosik Instytucja Płatnicza S.A.',
    identifier: 'PSDPL-PFSA-1234563218',
    psd2: { roles: ['PSP_PI', 'PSP_AI'], authority: { name: 'Komisja Nadzoru Finansowego', id: 'PL-PFSA' } },
    period: '2_year',
    endsIn: 410,
    users: [{ id: 'irena', login: 'irena', role: 'admin', status: 'active', since: -320 }],
  },
  {
    id: 'demo-seal-grosik-file',
    product: 'file',
    name: 'Grosik – pieczęć w pliku',
    organisation: 'Grosik Instytucja Płatnicza S.A.',
    identifier: 'VATPL-1234563218',
    period: '3_year',
    endsIn: 800,
    users: [{ id: 'irena', login: 'irena', role: 'admin', status: 'active', since: -290 }],
  },
]

type Services = { portal: PortalClient; authority: Authority; signingKeys: SigningKeys; now: Date }

/** Adds the seals and their users with the provider API only. */
export async function fillSeals(services: Services): Promise<void> {
  for (const seal of seals) {
    await issue(services, seal)
    for (const user of seal.users) await welcome(services, seal, user)
  }
}

async function issue({ portal, authority, signingKeys, now }: Services, seal: DemonstrationSeal) {
  const { id, product, period, remoteFor } = seal
  if (await isRevoked(portal.call(getSeal, { params: { seal: id } }))) return
  const subject: OrganisationSubject = {
    kind: 'organisation',
    name: seal.organisation,
    commonName: seal.name,
    identifier: seal.identifier,
    country: 'PL',
    ...(seal.psd2 && { psd2: seal.psd2 }),
  }
  const validity = validityOf(seal, now)
  const publicKey = remoteFor
    ? await signingKeys.make(id, findPerson({ login: remoteFor }).id)
    : generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey
  const issued = await authority.issue({ subject, publicKey, ...validity, device: product !== 'file' })
  if (seal.status === 'suspended') await authority.suspend(issued.serialNumber, now)
  if (remoteFor) await signingKeys.certify(id, [issued.certificate, ...authority.chain])
  await portal.call(putSeal, {
    params: { seal: id },
    body: {
      product,
      period,
      certificate: base64Of(issued.certificate),
      chain: authority.chain.map(base64Of),
      status: seal.status ?? 'good',
      agreementLanguage: 'pl',
    },
  })
  if (seal.agreement === false) return
  const { email, phone } = particularsOf(seal.users[0])
  const key = product === 'psd2-card' ? 'card' : product
  const terms = { id, language: 'pl', product: key, subject, ...validity, email, phone } as const
  await portal.upload(putSealAgreement, { seal: id }, await makeSealedAgreement(authority, now, terms))
}

/** Adds a user once, so that later changes by Administrators and users are kept. */
async function welcome({ portal, now }: Services, seal: DemonstrationSeal, user: DemonstrationSealUser) {
  const params = { seal: seal.id, user: user.id }
  const known = await portal.call(getSealUser, { params }).catch((error: unknown) => {
    if (error instanceof PortalError && error.status === 404) return undefined
    throw error
  })
  if (known) return
  const { role, status, since, until } = user
  const at = (days: number) => atWarsawClock(`${addDays(warsawDay(now), days)}T09:00:00`).toISOString()
  await portal.call(putSealUser, {
    params,
    body: {
      ...particularsOf(user),
      role,
      status,
      ...(since === undefined ? {} : { acquiredAt: at(since) }),
      ...(until === undefined ? {} : { deletedAt: at(until) }),
    },
  })
}

function particularsOf(user: DemonstrationSealUser) {
  const { email, phone, firstName, surname } = 'login' in user ? findPerson({ login: user.login }) : user
  return { email, phone, firstName, surname, locale: 'pl' as const }
}
