import { expect, test } from 'vitest'
import { inLocale, pages, type PageName } from '../contract/pages.ts'
import { readPhoneConfirmation } from '../contract/phone-confirmation.ts'
import { exhaustive } from '../server/testing/breadth.ts'
import { freePort } from '../server/testing/processes.ts'
import { openPortal } from './testing/open-portal.ts'

const metricsPort = await freePort()
const portal = await openPortal({ METRICS_PORT: String(metricsPort) })
const names = Object.keys(pages) as PageName[]
const placeOf = (name: PageName) => pages[name].path.replace(/:\w+/, 'x')

/** The browser's errors for the attempts. */
const tolerate = /CSP (?:require-trusted-types-for|trusted-types)|[Tt]rusted ?[Tt]ype|TrustedHTML|TrustedScriptURL/

/** Tries to turn a text into markup, the address of a script, and a worker. */
const attempts = () => {
  const ways: Record<string, () => unknown> = {
    innerHTML: () => (document.createElement('div').innerHTML = '<img src=x onerror="document.title=1">'),
    insertAdjacentHTML: () => document.createElement('div').insertAdjacentHTML('beforeend', '<b>x</b>'),
    script: () => (document.createElement('script').src = 'https://elsewhere.example/x.js'),
    worker: () => new Worker('/_payload.json'),
    parser: () => new DOMParser().parseFromString('<b>x</b>', 'text/html'),
    policy: () =>
      (
        globalThis as unknown as { trustedTypes: { createPolicy: (...words: unknown[]) => unknown } }
      ).trustedTypes.createPolicy('mine', {}),
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
  const page = await portal.openPage({ tolerate })
  const seen = async (path: string) => {
    // The policy applies from the first byte. Every other journey shows that pages work under it.
    await page.goto(path, { waitUntil: exhaustive ? 'load' : 'commit' })
    if (exhaustive) await page.locator('h1').first().waitFor()
    expect([path, await page.evaluate(attempts)]).toEqual([path, []])
  }
  // Without a started sign-in this page redirects when its call is answered, so it gets no answer.
  await page.route(`**${readPhoneConfirmation.path}`, () => {})
  const visited = exhaustive ? names : (['login', 'register', 'home', 'documents'] as const)
  for (const name of visited.filter((candidate) => !pages[candidate].needsSignIn)) await seen(placeOf(name))
  await seen(inLocale('en', '/absent'))
  await portal.signIn(page, 'oliver')
  for (const name of visited.filter((candidate) => pages[candidate].needsSignIn)) await seen(placeOf(name))
})

test('R126 the browser reports what was blocked, and the portal counts it', async () => {
  const page = await portal.openPage({ tolerate })
  // Browsers use the Reporting API only over TLS; without it the older form is used.
  await page.route(portal.origin, async (route) => {
    const response = await route.fetch()
    const headers = response.headers()
    expect(headers['reporting-endpoints']).toBe('csp="/csp-reports"')
    const older = headers['content-security-policy']!.replace('; report-to csp', '')
    await route.fulfill({ response, headers: { ...headers, 'content-security-policy': older } })
  })
  await page.goto('/')
  await page.locator('h1').first().waitFor()
  expect(await page.evaluate(attempts)).toEqual([])
  const figures = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  await expect.poll(figures).toMatch(/sygnet_csp_reports_total\{directive="require-trusted-types-for"\} [1-9]/)
})

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
