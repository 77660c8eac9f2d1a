import { expect, test } from 'vitest'
import { inLocale, pages, type PageName } from '../contract/pages.ts'
import { openPortal } from './open-portal.ts'

const portal = await openPortal()
const names = Object.keys(pages) as PageName[]
const placeOf = (name: PageName) => pages[name].path.replace(/:\w+/, 'x')

/** What happens to a text that would become markup, the address of a script, or a worker. */
const attempts = () => {
  const ways: Record<string, () => unknown> = {
    innerHTML: () => (document.createElement('div').innerHTML = '<img src=x onerror="document.title=1">'),
    insertAdjacentHTML: () => document.body.insertAdjacentHTML('beforeend', '<b>x</b>'),
    script: () => (document.createElement('script').src = 'https://elsewhere.example/x.js'),
    worker: () => new Worker('/_payload.json'),
    parser: () => new DOMParser().parseFromString('<b>x</b>', 'text/html'),
    policy: () => (globalThis as unknown as { trustedTypes: { createPolicy: (...words: unknown[]) => unknown } }).trustedTypes.createPolicy('mine', {}),
  }
  return Object.entries(ways).flatMap(([name, run]) => {
    try {
      run()
      return [name]
    } catch {
      return []
    }
  })
}

test('R126 in every page a text that is assigned to a sink is blocked, and the page itself works', async () => {
  const page = await portal.openPage({ tolerate: /CSP (?:require-trusted-types-for|trusted-types)|[Tt]rusted ?[Tt]ype|TrustedHTML|TrustedScriptURL/ })
  const seen = async (place: string) => {
    await page.goto(place)
    await page.locator('h1').first().waitFor()
    expect([place, await page.evaluate(attempts)]).toEqual([place, []])
  }
  for (const name of names.filter((one) => !pages[one].protected)) await seen(placeOf(name))
  await seen(inLocale('en', '/absent'))
  await portal.signIn(page, 'oliver')
  for (const name of names.filter((one) => pages[one].protected)) await seen(placeOf(name))
})

test('R126 a violation is reported to the portal by the browser', async () => {
  const page = await portal.openPage({ tolerate: /CSP|Content Security Policy/ })
  const policy = (await page.goto('/'))!.headers()
  expect(policy['content-security-policy']).toContain("require-trusted-types-for 'script'; trusted-types default; report-uri /csp-reports; report-to csp")
  expect(policy['reporting-endpoints']).toBe('csp="/csp-reports"')
})
