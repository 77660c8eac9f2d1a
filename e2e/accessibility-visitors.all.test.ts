import { test, expect } from 'vitest'
import { locales } from '../contract/enums.ts'
import { openScreens, statesFor } from './testing/accessible-screens.ts'
import { findViolations } from './testing/browser-pages.ts'

const { portal, check } = await openScreens()

test.each(statesFor('visitors', locales))('R64 UIX-15 $name has no finding, nothing too wide, buttons in order', check)

test('API-3 the page of the API is accessible, opens by keyboard, and fits a phone', async () => {
  const page = await portal.openPage({ locale: 'en' })
  const loaded: string[] = []
  const refused: string[] = []
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname))
  page.on('console', (message) => message.type() === 'error' && refused.push(message.text()))
  await page.goto('/api-reference')
  expect(await findViolations(page)).toEqual([])

  await page.getByRole('link', { name: 'Customers', exact: true }).press('Enter')
  await expect.poll(() => page.url()).toBe(`${portal.origin}/api-reference#customers`)
  const contents = page.getByRole('navigation', { name: 'Contents' })
  await contents.locator('summary', { hasText: 'Customers' }).press('Enter')
  await contents.getByRole('link', { name: 'PUT /customers/{customer}', exact: true }).press('Enter')
  await expect.poll(() => page.url()).toBe(`${portal.origin}/api-reference#putCustomersCustomer`)
  const sizes = await Promise.all(
    ['h1', 'h2', 'h3 code', 'p'].map((name) =>
      page
        .locator(name)
        .first()
        .evaluate((element) => parseFloat(getComputedStyle(element).fontSize)),
    ),
  )
  expect([...new Set(sizes)]).toEqual(sizes.toSorted((a, b) => b - a))
  // The contents stay in view.
  expect(await contents.evaluate((element) => element.getBoundingClientRect().top)).toBeGreaterThanOrEqual(0)
  const call = page.getByRole('region', { name: 'PUT /provider/v1/customers/{customer}', exact: true })
  const request = call.locator('summary', { hasText: 'Request' })
  await request.press('Enter')
  await call.locator('pre', { hasText: '"login": "anna.nowak"' }).first().waitFor()
  await page.evaluate(() => document.querySelectorAll('details').forEach((each) => (each.open = true)))
  expect(await findViolations(page)).toEqual([])

  // On a phone each cell has the name of its column.
  await page.setViewportSize({ width: 320, height: 640 })
  const cell = call.getByRole('cell', { name: 'In: path' })
  expect(await cell.evaluate((element) => getComputedStyle(element).display)).toBe('block')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  expect(loaded).toEqual(['/api-reference'])
  expect(refused).toEqual([])
})
