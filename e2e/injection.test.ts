import { expect, test } from 'vitest'
import { openPortal } from './open-portal.ts'

const portal = await openPortal()

test('R64 a script that was put into the page does not run', async () => {
  const page = await portal.openPage({ tolerate: /script-src|Content Security Policy|CSP/ })
  await page.goto('/')
  await page.locator('button[type=submit]:enabled').waitFor()
  const violation = page.evaluate(
    () =>
      new Promise<string>((resolve) =>
        document.addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective), {
          once: true,
        }),
      ),
  )
  await page.evaluate(() => {
    const script = document.createElement('script')
    script.textContent = 'document.documentElement.dataset.injected = "yes"'
    document.body.append(script)
    const image = document.createElement('div')
    image.innerHTML = '<img src="data:," onerror="document.documentElement.dataset.injected = \'yes\'">'
    document.body.append(image)
  })
  expect(await violation).toMatch(/^script-src/)
  expect(await page.evaluate(() => document.documentElement.dataset['injected'])).toBeUndefined()
})

test('R8 after signing out, the back button of the browser shows nothing personal', async () => {
  const page = await portal.openPage()
  await portal.signIn(page, 'malgorzata')
  await page.getByRole('link', { name: 'Podpis kwalifikowany' }).first().click()
  await page.getByRole('article').first().waitFor()
  await page.getByRole('button', { name: 'Małgorzata Wiśniewska' }).click()
  await page.getByRole('menuitem', { name: 'Wyloguj się' }).click()
  await page.waitForURL(`${portal.origin}/?reason=signed-out`)
  await page.goBack()
  await page.waitForURL((url) => url.pathname === '/')
  await page.locator('button[type=submit]:enabled').waitFor()
  expect(await page.content()).not.toMatch(/Małgorzata|Wiśniewska|850312/)
})
