import type { Page } from 'playwright-core'
import type { Reply } from '../contract/endpoint.ts'
import type { listOpenRenewals } from '../contract/renewal.ts'
import type { Seal } from '../contract/seals.ts'
import type { Signature } from '../contract/signatures.ts'
import { addDays, warsawDay } from '../contract/warsaw-time.ts'

type OpenRenewal = Reply<typeof listOpenRenewals>['items'][number]

export const summary = (of: string) => `**/api/${of}/summary`

/** So many days of the Polish calendar from today, about noon. */
const inDays = (days: number) => `${addDays(warsawDay(new Date()), days)}T11:00:00.000Z`
const from = inDays(-400)

function signature(over: Partial<Signature>): Signature {
  return {
    id: crypto.randomUUID(),
    product: 'app',
    name: 'Jan Nowy',
    organisation: null,
    identifier: { type: 'PNO', country: 'PL', shown: '850312', hidden: 5 },
    years: 2,
    validFrom: from,
    validTo: inDays(400),
    status: over.reason ? 'inactive' : 'active',
    reason: null,
    agreement: 'ready',
    pairable: !over.reason,
    pairedAt: from,
    renewal: null,
    ...over,
  }
}

const seal = (over: Partial<Seal>): Seal => ({
  id: crypto.randomUUID(),
  product: 'app',
  name: 'Stowarzyszenie Łączność',
  organisation: { name: 'Stowarzyszenie Łączność', identifier: 'VATPL-5250001090' },
  years: 1,
  validFrom: from,
  validTo: inDays(30),
  status: over.reason ? 'inactive' : 'active',
  reason: null,
  agreement: 'ready',
  pairable: !over.reason,
  pairedAt: null,
  role: 'user',
  administrators: [],
  hasRemovedUsers: false,
  ...over,
})

const renewal = (over: Partial<OpenRenewal>): OpenRenewal => ({
  uid: crypto.randomUUID(),
  signature: crypto.randomUUID(),
  state: 'parameters',
  name: 'Jan Nowy',
  certificateValidTo: inDays(20),
  endsAt: inDays(13),
  issued: null,
  validFrom: null,
  ...over,
})

/** Shows a customer who has one of everything that home can name. */
export async function answerEveryMatter(page: Page) {
  const renewed = signature({ validTo: inDays(9) })
  const signatures = {
    active: 3,
    inactive: 2,
    attention: [
      signature({ validTo: inDays(0), reason: 'expired', product: 'file' }),
      signature({ validTo: inDays(200), reason: 'suspended' }),
      signature({ validTo: inDays(-3), reason: 'expired', product: 'card' }),
      signature({ validTo: inDays(12), organisation: 'Kancelaria Źródło' }),
      // Told by its renewal.
      renewed,
      signature({ validTo: inDays(30), product: 'card' }),
      signature({ validFrom: inDays(-2), pairedAt: null }),
    ],
    further: 12,
    nearestEnd: null,
  }
  const seals = {
    active: 1,
    inactive: 2,
    invitations: [
      {
        id: crypto.randomUUID(),
        organisation: 'Fundacja Źrenica',
        role: 'user',
        phone: '+48 ••• ••• 417',
        expiresAt: inDays(5),
      },
    ],
    attention: [
      seal({ validTo: inDays(-2), reason: 'expired' }),
      seal({ validTo: inDays(60), reason: 'suspended' }),
      seal({ validTo: inDays(40) }),
    ],
    nearestEnd: null,
  }
  const items = [
    renewal({ signature: renewed.id, state: 'personal-data', certificateValidTo: inDays(9), endsAt: inDays(9) }),
    renewal({ certificateValidTo: inDays(50) }),
    renewal({ state: 'signed', certificateValidTo: inDays(1) }),
    renewal({ state: 'issued', certificateValidTo: inDays(2), issued: crypto.randomUUID(), validFrom: inDays(-1) }),
    renewal({ state: 'issued', certificateValidTo: inDays(3), issued: crypto.randomUUID(), validFrom: inDays(3) }),
  ]
  await page.route(summary('signatures'), (route) => route.fulfill({ json: signatures }))
  await page.route(summary('seals'), (route) => route.fulfill({ json: seals }))
  await page.route('**/api/renewals', (route) => route.fulfill({ json: { items } }))
}

/** Shows a customer who has one of them, and it is not active: revoked, say. */
export const answerNoneActive = (page: Page, of: string) =>
  page.route(summary(of), async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), active: 0, inactive: 1 } })
  })
