import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { languages } from '../server/testing/breadth.ts'
import { openRenewal, readRenewal, type Renewal } from '../contract/renewal.ts'
import { putVoucherCodes } from '../contract/provider/provider-vouchers.ts'
import { openPortal, say, see } from './testing/open-portal.ts'
import { openProviderClient } from './testing/provider-client.ts'

/** A signing service that is down: every request is refused and counted. */
let asked = 0
const service = createServer((socket) => {
  asked++
  socket.destroy()
}).listen(0, '127.0.0.1')
await once(service, 'listening')
afterAll(() => void service.close())
const address = `http://127.0.0.1:${(service.address() as AddressInfo).port}`

const portal = await openPortal({
  CSC_URL: `${address}/csc/v2`,
  CSC_CLIENT_ID: 'portal',
  CSC_CLIENT_SECRET: 'f3Qz81-kwVd0L2mB',
  TSA_URL: `${address}/tsa`,
})
const documents = { pl: 'U-20846', en: 'U-20871' }

test.each(languages('en'))(
  'ERR-5 %s while the signing service is down its dialog says so, the list of documents works, and soon no request waits for it',
  async (locale) => {
    const page = await portal.openPage({ locale, tolerate: /503/ })
    await portal.signIn(page, 'malgorzata', { locale, to: '/documents' })
    // The portal asked the service about itself at its start.
    const before = asked
    const row = page.locator('tr', { hasText: documents[locale] })
    await row.getByRole('button', { name: say(locale, { pl: /^Przeczytaj i.podpisz/, en: /^Read and sign/ }) }).click()
    const notice = page.locator('dialog[open]').getByRole('alert')
    await see(notice, locale, {
      pl: 'Funkcjonalność jest obecnie niedostępna',
      en: 'This feature is currently unavailable',
    })
    // It may return at any time, so there is a retry; three failed calls in a row open the circuit breaker.
    const retries = 5
    for (let again = 0; again < retries; again++) {
      const answer = page.waitForResponse(/\/signers$/)
      await notice.getByRole('button', { name: say(locale, { pl: 'Spróbuj ponownie', en: 'Try again' }) }).click()
      expect((await answer).status()).toBe(503)
      await notice.waitFor()
    }
    await expect.poll(() => row.isVisible()).toBe(true)
    // Three, one of the portal's own each minute, and one each quarter of a minute to see whether it has returned.
    expect(asked - before).toBeLessThan(1 + retries)
  },
)

test.each(languages('pl'))(
  'REN-12 %s while the signing service is down the wizard says so, and uses up no renewal code',
  async (locale) => {
    const page = await portal.openPage({ locale })
    await portal.signIn(page, 'malgorzata', { locale })
    const provider = await openProviderClient(portal)
    const expiresAt = new Date(Date.now() + 1e9).toISOString()
    const order = { id: crypto.randomUUID(), kind: 'renewal' as const, signature: 'demo-malgorzata-app', expiresAt }
    const { codes } = await provider.call(putVoucherCodes, { body: { codes: [order] } })
    const { uid } = await page.evaluate(
      async ([path, code]) => {
        const headers = { 'content-type': 'application/json' }
        return (await (
          await fetch(path!, { method: 'POST', headers, body: JSON.stringify({ code }) })
        ).json()) as Renewal
      },
      [openRenewal.path, codes[0]!.code],
    )
    await page.goto(`${locale === 'en' ? '/en' : ''}/renewal/${uid}`)
    const unused = say(locale, {
      pl: 'Kod odnowienia nie został użyty.',
      en: 'Your code hasn’t been used.',
    })
    await page.getByText(unused).waitFor()
    await page.locator('input[name=years][value="3"]').check()
    const current = () =>
      page.evaluate(
        async (path) => (await (await fetch(path)).json()) as Renewal,
        readRenewal.path.replace(':uid', uid),
      )
    // What is chosen is saved, and no button leads on.
    await expect.poll(async () => (await current()).parameters.years).toBe(3)
    expect((await current()).state).toBe('parameters')
    expect(await page.locator('.wiz__act button[type=submit]').count()).toBe(0)
    const next = { name: say(locale, { pl: /^Dalej: /, en: /^Next: / }) }
    expect(await page.getByRole('navigation').getByRole('button', next).count()).toBe(0)
  },
)
