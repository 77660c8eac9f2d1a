import type { Endpoint, Reply } from '../../../contract/endpoint.ts'
import { listOpenRenewals } from '../../../contract/renewal.ts'
import { addDays, warsawDay } from '../../../contract/rules/warsaw-time.ts'
import { summariseSeals, type Seal } from '../../../contract/seals.ts'
import { summariseSignatures, type Signature } from '../../../contract/signatures.ts'
import { summariseTimestamps } from '../../../contract/timestamps.ts'
import { changeReply, reply } from '../fake-replies.ts'

type OpenRenewal = Reply<typeof listOpenRenewals>['items'][number]

/** Returns a time about noon, this many days of the Polish calendar from today. */
const noonIn = (days: number) => `${addDays(warsawDay(new Date()), days)}T11:00:00.000Z`
const validFrom = noonIn(-400)

/** Returns the fields that signatures and seals share: in the app, and active unless a reason is given. */
const certificate = (reason: Signature['reason'] = null) => ({
  id: crypto.randomUUID(),
  product: 'app' as const,
  period: '2_year' as const,
  validFrom,
  status: reason ? ('inactive' as const) : ('active' as const),
  reason,
  agreement: 'ready' as const,
  changes: [],
  request: null,
  canPair: !reason,
})

const signature = (over: Partial<Signature>): Signature => ({
  ...certificate(over.reason),
  name: 'Jan Nowy',
  organisation: null,
  identifier: { type: 'PNO', country: 'PL', value: '85031212343' },
  validTo: noonIn(400),
  pairedAt: validFrom,
  renewal: null,
  renewedFrom: null,
  ...over,
})

export const seal = (over: Partial<Seal>): Seal => ({
  ...certificate(over.reason),
  name: 'Stowarzyszenie Łączność',
  organisation: { name: 'Stowarzyszenie Łączność', identifier: 'VATPL-5250001090' },
  validTo: noonIn(30),
  pairedAt: null,
  psd2: null,
  role: 'user',
  administrators: [],
  hasRemovedUsers: false,
  ...over,
})

export const openRenewal = (over: Partial<OpenRenewal>): OpenRenewal => ({
  uid: crypto.randomUUID(),
  signature: crypto.randomUUID(),
  state: 'parameters',
  name: 'Jan Nowy',
  certificateValidTo: noonIn(20),
  endsAt: noonIn(13),
  issued: null,
  validFrom: null,
  ...over,
})

const renewed = signature({ validTo: noonIn(9) })

/** A customer who has one of everything that home can show. */
export const everyNotice = [
  reply(summariseSignatures, {
    active: 3,
    inactive: 2,
    attention: [
      signature({ validTo: noonIn(0), reason: 'expired', product: 'file' }),
      signature({ validTo: noonIn(200), reason: 'suspended' }),
      signature({ validTo: noonIn(-3), reason: 'expired', product: 'card' }),
      signature({ validTo: noonIn(12), organisation: 'Kancelaria Źródło' }),
      // Its renewal is shown in its place.
      renewed,
      signature({ validTo: noonIn(30), product: 'card' }),
      signature({ validFrom: noonIn(-2), pairedAt: null }),
    ],
    further: 12,
    nearestEnd: null,
    begins: null,
  }),
  reply(summariseSeals, {
    active: 1,
    inactive: 2,
    invitations: [
      {
        id: crypto.randomUUID(),
        organisation: 'Biuro Zielińska S.A.',
        role: 'user',
        phone: '+48 ••• ••• 417',
        expiresAt: noonIn(5),
      },
    ],
    attention: [
      seal({ validTo: noonIn(-2), reason: 'expired' }),
      seal({ validTo: noonIn(60), reason: 'suspended' }),
      seal({ validTo: noonIn(40) }),
    ],
    nearestEnd: null,
    begins: null,
  }),
  reply(summariseTimestamps, {
    active: 1,
    inactive: 0,
    remaining: 0,
    attention: [
      {
        account: {
          id: crypto.randomUUID(),
          login: 'tsa-09',
          authentication: 'basic',
          serverUrl: 'https://tsa.example/',
          canChangePassword: true,
          current: null,
          status: 'active',
          packages: 1,
          remaining: 0,
          nextPackageAt: null,
        },
        low: null,
      },
    ],
  }),
  reply(listOpenRenewals, {
    items: [
      openRenewal({ signature: renewed.id, state: 'personal-data', certificateValidTo: noonIn(9), endsAt: noonIn(9) }),
      openRenewal({ certificateValidTo: noonIn(50) }),
      openRenewal({ state: 'signed', certificateValidTo: noonIn(1) }),
      openRenewal({
        state: 'issued',
        certificateValidTo: noonIn(2),
        issued: crypto.randomUUID(),
        validFrom: noonIn(-1),
      }),
      openRenewal({
        state: 'issued',
        certificateValidTo: noonIn(3),
        issued: crypto.randomUUID(),
        validFrom: noonIn(3),
      }),
    ],
  }),
]

type Summary = typeof summariseSignatures | typeof summariseSeals | typeof summariseTimestamps

/** Changes a summary to that of a customer who has one certificate or account of a kind, which is not active, for example revoked. */
export const noneActive = (summary: Summary, begins: string | null = null) =>
  changeReply<Endpoint>(summary, (body) => ({ ...body, active: 0, inactive: 1, begins }))
