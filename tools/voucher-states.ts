import type { Page } from 'playwright-core'
import type { VoucherCase } from '../contract/vouchers.ts'
import type { ScreenState } from './screen-states.ts'

/** The voucher box of the home page, and the customer's cases. */
export const voucherStates: ScreenState[] = [
  { name: 'home--voucher-wrong', path: '/home', customer: 'oliver', steps: ({ page }) => enterWrong(page) },
  {
    name: 'home--voucher-blocked',
    path: '/home',
    customer: 'oliver',
    before: ({ page }) => redeeming(page, 429, { code: 'too-many-attempts', status: 429, retryAfter: 86_400 }),
    steps: ({ page }) => enter(page, '.voucher [role=alert]'),
  },
  {
    name: 'home--voucher-used',
    path: '/home',
    customer: 'oliver',
    before: ({ page }) => redeeming(page, 200, { kind: 'voucher', case: sampleCase(0) }),
    steps: ({ page }) => enter(page, '.voucher .note--ok'),
  },
  {
    name: 'home--voucher-renewal',
    path: '/home',
    customer: 'oliver',
    before: ({ page }) => redeeming(page, 200, { kind: 'renewal' }),
    steps: ({ page }) => enter(page, '.voucher h3'),
  },
  {
    name: 'my-cases--list',
    path: '/my-cases',
    customer: 'malgorzata',
    steps: ({ page }) => page.locator('.cases tbody').nth(1).waitFor(),
  },
  { name: 'my-cases--details', path: '/my-cases', customer: 'malgorzata', steps: ({ page }) => openDetails(page) },
  {
    name: 'my-cases--none',
    path: '/my-cases',
    customer: 'nowy',
    steps: ({ page }) => page.locator('.empty').nth(1).waitFor(),
  },
  {
    name: 'my-cases--many',
    path: '/my-cases',
    customer: 'oliver',
    before: ({ page }) =>
      page.route('**/api/voucher-cases*', (route) =>
        route.fulfill({ json: { items: Array.from({ length: 20 }, (_, i) => sampleCase(i)), next: 'next' } }),
      ),
    steps: ({ page }) => page.locator('.cases__filter').first().waitFor(),
  },
  {
    name: 'my-cases--unavailable',
    path: '/my-cases',
    customer: 'oliver',
    before: ({ page }) =>
      page.route('**/api/voucher-cases*', (route) =>
        route.fulfill({ status: 503, json: { code: 'unavailable', status: 503 } }),
      ),
    steps: ({ page }) => page.locator('.note .btn').first().waitFor(),
  },
]

const redeeming = (page: Page, status: number, json: object) =>
  page.route('**/api/vouchers/redemption', (route) => route.fulfill({ status, json }))

/** Pressed where it is: a button that is not there yet is waited for. */
async function enter(page: Page, shows: string) {
  await page.locator('.voucher input[name=code]').fill('0000-0000-0000-0000')
  await page.locator('.voucher button[type=submit]:enabled').click()
  await page.locator(shows).first().waitFor()
}

/** Answered by hand: five of these would block the customer of the demonstration. */
async function enterWrong(page: Page) {
  await redeeming(page, 422, { code: 'voucher-refused', status: 422 })
  await enter(page, '.voucher [aria-invalid]')
}

async function openDetails(page: Page) {
  await page.locator('.cases__failed').waitFor()
  await page.locator('tr:has(+ .cases__failed) button').click()
  await page.locator('dialog[open] .rows').waitFor()
}

function sampleCase(i: number): VoucherCase {
  const ofCase = [
    { process: 'cloud-certificate', status: 'in-progress', providerStatus: null },
    { process: 'card-certificate', status: 'finished-successfully', providerStatus: 'Certyfikat wydany' },
    { process: 'cloud-seal', status: 'finished-unsuccessfully', providerStatus: 'Odrzucono' },
    { process: 'card-seal', status: 'in-progress', providerStatus: 'Oczekuje na dokumenty' },
  ] as const
  return {
    ...ofCase[i % 4]!,
    id: crypto.randomUUID(),
    number: `S-7K2M-9Q${String(i).padStart(2, '0')}`,
    code: `ABCD-EFGH-JKMN-${String(1000 + i)}`,
    note: null,
    createdAt: `2026-11-${String(21 - (i % 20)).padStart(2, '0')}T09:00:00.000Z`,
    updatedAt: '2026-11-21T12:00:00.000Z',
  }
}
