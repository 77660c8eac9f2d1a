import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import {
  confirmPersonalData,
  downloadRenewalAgreement,
  fixParameters,
  returnToPersonalData,
  type Renewal,
  type RenewalParameters,
} from '../contract/renewal.ts'
import { exhaustive } from '../server/testing/breadth.ts'
import { customerOf } from './testing/demonstration-run.ts'
import type { Locale } from '../contract/enums.ts'
import { inLocale } from '../contract/pages.ts'
import { renewalNumber } from '../contract/rules/renewal-number.ts'
import { enterWrongCode, untilFocused, downloadBy, plain } from './testing/browser-pages.ts'
import { demonstrationBrand } from '../server/platform/brand/brand.ts'
import { sendPdf } from './testing/fake-replies.ts'
import { openPortal, say } from './testing/open-portal.ts'
import { pathOf, renewalOf, request, openRenewalOf } from './testing/renewal-calls.ts'
import { openProviderClient } from './testing/provider-client.ts'
import { pageless } from './testing/samples/agreement.ts'

const portal = await openPortal()
const provider = await openProviderClient(portal)

/** A renewal whose first step is complete, as its screen does it; the page then shows the second one. */
async function openSecondStep(page: Page, signature: string, chosen: Partial<RenewalParameters>, locale: Locale) {
  const { uid, state, version, parameters } = await openRenewalOf(page, provider, signature)
  await request<Renewal>(page, pathOf(fixParameters, uid), {
    expected: { state, version },
    parameters: { ...parameters, ...chosen },
    shortenedTo: null,
  })
  await page.goto(inLocale(locale, `/renewal/${uid}`))
  await heading(page, say(locale, { pl: 'Potwierdź swoje dane', en: 'Confirm your details' }))
  return uid
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

const button = (page: Page | Locator, name: RegExp) => page.getByRole('button', { name })

async function confirmData(page: Page, locale: Locale) {
  const box = page.locator('input[name=confirmed]')
  const confirm = button(page, say(locale, { pl: /^Potwierdź dane/, en: /^Confirm details/ }))
  // Without the tick the missing consent is shown at the checkbox.
  await confirm.press('Enter')
  await page.locator('.check-field .error .ico').waitFor()
  await box.press('Space')
  await confirm.press('Enter')
  await heading(page, say(locale, { pl: 'Podpisz umowę', en: 'Sign the agreement' }))
}

test.runIf(exhaustive)('REN-9 a certificate that begins later is finished by keyboard only, paired then', async () => {
  const page = await portal.openPage({ locale: 'en' })
  await portal.signIn(page, 'oliver', { locale: 'en' })
  const uid = await openSecondStep(page, 'demo-oliver-app', { start: 'continuity' }, 'en')
  await confirmData(page, 'en')
  await page.getByRole('img', { name: /^Page 1: / }).waitFor()
  await page.getByRole('region', { name: 'Pages of the document' }).press('End')
  await page.getByRole('img', { name: /^Page 3: / }).waitFor()
  await page.getByRole('button', { name: /^Send code/ }).press('Enter')
  const field = page.locator('input[name=code]')
  await field.waitFor()
  await untilFocused(field)
  const code = await portal.smsCode(customerOf('oliver').phone)
  await enterWrongCode(page, code)
  await page.locator('.signbox .error > .ico').waitFor()
  await field.fill(code)
  await page.keyboard.press('Enter')

  await heading(page, 'Your certificate is ready')
  await page.getByText(/^Your certificate starts on/).waitFor()
  const calendar = downloadBy(page, () => page.getByRole('link', { name: 'Add to calendar' }).press('Enter'))
  expect((await calendar).suggestedFilename()).toBe('new-signature.ics')
  await page.getByRole('button', { name: /^Back to Home/ }).press('Enter')
  await page.waitForURL(/\/home$/)
  expect((await renewalOf(page, uid)).state).toBe('finished')
  await page.goBack()
  await heading(page, 'Agreement signed')
  await page.getByText(renewalNumber(uid)).waitFor()
})

/** The data are confirmed again in another tab, so the renewal is in the same state with a new version and a new agreement. */
async function confirmAgainElsewhere(page: Page, uid: string) {
  for (const endpoint of [returnToPersonalData, confirmPersonalData]) {
    const { state, version } = await renewalOf(page, uid)
    await request<Renewal>(page, pathOf(endpoint, uid), { expected: { state, version } })
  }
  await expect.poll(async () => (await renewalOf(page, uid)).agreement).not.toBe(null)
}

/** What a reader's worker draws arrives at the moment when the reader is removed, which must not end the page (ERR-4). */
const drawAsReaderIsRemoved = (page: Page) =>
  page.addInitScript(() => {
    const listen = Reflect.get(MessagePort.prototype, 'addEventListener')
    MessagePort.prototype.addEventListener = function (type: string, listener: EventListener, options?: object) {
      const removed = (event: Event) => {
        const canvas = document.querySelector('.reader canvas')
        const observer = new MutationObserver(() => {
          if (document.contains(canvas)) return
          observer.disconnect()
          listener(event)
        })
        observer.observe(document.body, { childList: true, subtree: true })
      }
      listen.call(this, type, type === 'message' ? removed : listener, options)
    }
  })

test.skipIf(exhaustive)('REN-15 REN-8 a decision on a renewal that has changed is not lost silently', async () => {
  const page = await portal.openPage({ alone: true })
  await drawAsReaderIsRemoved(page)
  await portal.signIn(page, 'tomasz')
  const uid = await openSecondStep(page, 'demo-tomasz-now', {}, 'pl')
  await confirmData(page, 'pl')
  await button(page, /^Wyślij kod SMS/).waitFor()
  const message = { hasText: /^Odnowienie zmieniło się w\smiędzyczasie/ }

  await button(page, /^Wstecz/).press('Enter')
  await heading(page, 'Dane osobowe są już potwierdzone')
  await confirmAgainElsewhere(page, uid)
  await button(page, /^Zmień dane osobowe/).press('Enter')
  await page.getByRole('alert').filter(message).waitFor()
  await button(page, /^Dalej: podpisanie/).press('Enter')
  await heading(page, 'Podpisz umowę')

  await button(page, /^Odmów podpisania/).press('Enter')
  const dialog = page.locator('dialog[open]')
  // Declining asks first, with the focus on what changes nothing.
  await untilFocused(dialog.getByRole('button', { name: 'Wróć do podpisywania' }))
  const decline = dialog.getByRole('button', { name: 'Odmów podpisania' })
  await confirmAgainElsewhere(page, uid)
  await decline.press('Enter')
  await dialog.getByRole('alert').filter(message).waitFor()
  expect((await renewalOf(page, uid)).state).toBe('signing')
  await decline.press('Enter')
  await heading(page, 'Umowa nie została podpisana')
  expect((await renewalOf(page, uid)).state).toBe('declined')
})

test.runIf(exhaustive)('REN-7 REN-12 an agreement that cannot be shown is downloaded before the code', async () => {
  const page = await portal.openPage()
  await portal.signIn(page, 'tomasz')
  await sendPdf(downloadRenewalAgreement, pageless)({ page })
  await openSecondStep(page, 'demo-tomasz-now', {}, 'pl')
  await confirmData(page, 'pl')
  await page.getByText(/^Nie możemy pokazać tego dokumentu/).waitFor()
  const send = button(page, /^Wyślij kod SMS/)
  const decline = /^Odmów podpisania/
  await page.getByText(/^Kod wyślesz, gdy pobierzesz/).waitFor()
  expect(await send.getAttribute('aria-disabled')).toBe('true')
  await send.press('Enter')
  await page.getByRole('link', { name: /^Pobierz/ }).press('Enter')
  await expect.poll(() => send.getAttribute('aria-disabled')).toBe(null)
  await send.press('Enter')
  await page.locator('input[name=code]').waitFor()

  // The next renewal of this signature is another one.
  await button(page, decline).press('Enter')
  await button(page.locator('dialog[open]'), decline).press('Enter')
  await heading(page, 'Umowa nie została podpisana')
})

test.runIf(exhaustive)('SIG-5 the early reminders are switched off and on again in My data', async () => {
  const page = await portal.openPage({ locale: 'en' })
  await portal.signIn(page, 'ewa', { locale: 'en', to: '/my-data' })
  const off = button(page, /^Turn off early reminders/)
  const on = button(page, /^Turn on early reminders/)
  await off.press('Enter')
  await on.waitFor()
  await page.reload()
  await on.press('Enter')
  await off.waitFor()
})

test('REN-13 REN-14 without a company none can be added, and step 2 shows the tax number', async () => {
  const page = await portal.openPage()
  await portal.signIn(page, 'tomasz')
  const { uid } = await openRenewalOf(page, provider, 'demo-tomasz-now')
  await page.goto(`/renewal/${uid}`)
  const reason = page.locator('.wiz__form .blk', { hasText: 'Rodzaj certyfikatu: osobisty' })
  expect(plain(await reason.innerText())).toContain(
    'Przy odnowieniu nie dodasz firmy, jednostki ani stanowiska: obecny certyfikat ich nie ma',
  )
  const link = reason.getByRole('link', { name: /^Kup podpis z\sdanymi firmy/ })
  await expect.poll(() => link.getAttribute('href')).toBe(demonstrationBrand.links.newSignature)
  await button(page, /^Dalej: dane osobowe/).press('Enter')
  await heading(page, 'Potwierdź swoje dane')
  const group = page.locator('.datagroup', { hasText: 'W\u00a0nowym certyfikacie' })
  const rows = async () => plain(await group.innerText())
  for (const part of ['Tomasz Czekaj', 'NIP', 'Polska', '•••••••218']) expect(await rows()).toContain(part)
  await group.getByRole('button', { name: 'Pokaż cały numer: NIP' }).press('Enter')
  await group.getByText('1234563218', { exact: true }).waitFor()
})
