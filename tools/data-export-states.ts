import type { Page } from 'playwright-core'
import type { DataExport } from '../contract/data-export.ts'
import type { ScreenState } from './screen-states.ts'

const own = { path: '/my-data', customer: 'oliver' } as const
const ready: DataExport = {
  state: 'ready',
  madeAt: '2026-11-21T09:42:00.000Z',
  expiresAt: '2026-11-22T09:42:00.000Z',
  sizes: { json: 48_213, pdf: 126_480 },
}

/** The copy of all own data in My data; nothing is really made for the pictures. */
export const dataExportStates: ScreenState[] = [
  {
    name: 'my-data--export-making',
    ...own,
    before: ({ page }) => stands(page, { state: 'making', requestedAt: '2026-11-21T09:41:00.000Z' }),
    steps: ({ page }) => looked(page, '.export button'),
  },
  {
    name: 'my-data--export-ready',
    ...own,
    before: ({ page }) => stands(page, ready),
    steps: ({ page }) => looked(page, '.export .save'),
  },
  {
    name: 'my-data--export-missed',
    ...own,
    before: async ({ page }) => {
      let asked = 0
      await page.route('**/api/data-export', (route) => route.fulfill({ json: asked++ ? { state: 'none' } : ready }))
      await refuse(page, '**/api/data-export/pdf', 422, { code: 'state-passed', current: 'none' })
    },
    steps: async ({ page }) => {
      await page.locator('.export .save button').first().click()
      await looked(page, '.export .btn')
    },
  },
  {
    name: 'my-data--export-refused',
    ...own,
    before: async ({ page }) => {
      await refuse(page, '**/api/data-export', 429, { code: 'too-many-attempts', retryAfter: 40_000 })
      await stands(page, { state: 'none' })
    },
    steps: async ({ page }) => {
      await page.locator('.export .btn').click()
      await looked(page, '.export .error')
    },
  },
]

/** Orders are left to whatever was said before. */
const stands = (page: Page, state: DataExport) =>
  page.route('**/api/data-export', (route) =>
    route.request().method() === 'GET' ? route.fulfill({ json: state }) : route.fallback(),
  )

const refuse = (page: Page, address: string, status: number, problem: object) =>
  page.route(address, (route) =>
    route.fulfill({ status, contentType: 'application/problem+json', body: JSON.stringify({ status, ...problem }) }),
  )

async function looked(page: Page, selector: string) {
  await page.locator(selector).first().waitFor()
  await page.locator('.export').scrollIntoViewIfNeeded()
}
