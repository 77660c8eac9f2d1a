import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { downloadDocument, listDocuments, type DocumentCase } from '../contract/documents.ts'
import { languages } from '../server/testing/breadth.ts'
import { openPortal, say } from './open-portal.ts'

/** A signing service that is down: whoever knocks is sent away, and counted. */
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
  'ERR-5 %s while the signing service is down its dialog says so, the list of documents lives, and soon nobody waits for it',
  async (locale) => {
    const page = await portal.openPage({ locale, tolerate: /503/ })
    await portal.signIn(page, 'malgorzata', { locale, to: '/documents' })
    await page.evaluate(
      async ([list, download, number]) => {
        const { items } = (await (await fetch(list!)).json()) as { items: DocumentCase[] }
        const found = items.find((one) => one.document === number)!
        if (found.status !== 'passed-to-subscriber') return
        await (await fetch(download!.replace(':id', found.id), { method: 'POST' })).arrayBuffer()
      },
      [listDocuments.path, downloadDocument.path, documents[locale]],
    )
    await page.reload()
    const row = page.locator('tr', { hasText: documents[locale] })
    await row.getByRole('button', { name: say(locale, { pl: /^Podpisz tutaj/, en: /^Sign here/ }) }).click()
    const notice = page.locator('dialog[open]').getByRole('alert')
    await notice
      .getByText(
        say(locale, {
          pl: 'Funkcjonalność jest obecnie niedostępna',
          en: 'This feature is currently unavailable',
        }),
      )
      .waitFor()
    // It may be back at any time, so there is a way to ask again; three calls in a row without an answer were enough to know.
    for (let again = 0; again < 2; again++) {
      const answer = page.waitForResponse(/\/signers$/)
      await notice.getByRole('button', { name: say(locale, { pl: 'Spróbuj ponownie', en: 'Try again' }) }).click()
      expect((await answer).status()).toBe(503)
      await notice.waitFor()
    }
    expect(await row.isVisible()).toBe(true)
    expect(asked).toBeLessThanOrEqual(locale === 'pl' ? 3 : 4)
  },
)
