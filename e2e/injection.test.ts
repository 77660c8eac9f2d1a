import { expect, test } from 'vitest'
import { exhaustive } from '../server/testing/breadth.ts'
import { openPortal } from './testing/open-portal.ts'

const portal = await openPortal()

test('R64 a script injected into the page does not run', async () => {
  const page = await portal.openPage({ alone: true, tolerate: /script-src|Content Security Policy|CSP/ })
  // As if our response contained it: Trusted Types (R126) stop what a script would insert.
  const injected = "document.documentElement.dataset.injected='yes'"
  await page.route(portal.origin, async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace(
      '</body>',
      `<script>${injected}</script><img src="/absent" onerror="${injected}"></body>`,
    )
    await route.fulfill({ response, body })
  })
  await page.addInitScript(() => {
    const violations: string[] = ((globalThis as { violations?: string[] }).violations = [])
    document.addEventListener('securitypolicyviolation', (event) => violations.push(event.effectiveDirective))
  })
  await page.goto('/')
  await page.locator('button[type=submit]:enabled').waitFor()
  const seen = () => page.evaluate(() => (globalThis as unknown as { violations: string[] }).violations.toSorted())
  await expect.poll(seen).toEqual(['script-src-attr', 'script-src-elem'])
  expect(await page.evaluate(() => document.documentElement.dataset['injected'])).toBeUndefined()
})

// e2e/session-tabs.test.ts goes further back, and offline.
test.runIf(exhaustive)('R8 after signing out, the back button of the browser shows nothing personal', async () => {
  const page = await portal.openPage({ alone: true })
  await portal.signIn(page, 'malgorzata')
  await page.getByRole('link', { name: 'Podpis kwalifikowany' }).first().click()
  await page.getByRole('article').first().waitFor()
  await page.getByRole('button', { name: 'Małgorzata Wiśniewska', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Wyloguj się' }).click()
  await page.waitForURL(`${portal.origin}/?reason=signed-out`)
  await page.goBack()
  await page.waitForURL((url) => url.pathname === '/')
  await page.locator('button[type=submit]:enabled').waitFor()
  expect(await page.content()).not.toMatch(/Małgorzata|Wiśniewska|850312/)
})
