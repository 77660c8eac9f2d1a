import { expect, test } from 'vitest'
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
  const seen = () => page.evaluate(() => (globalThis as unknown as { violations: string[] }).violations.toSorted())
  await expect.poll(seen).toEqual(['script-src-attr', 'script-src-elem'])
  expect(await page.evaluate(() => document.documentElement.dataset['injected'])).toBeUndefined()
})
