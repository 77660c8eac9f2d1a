import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { putVoucherCodes } from '../contract/provider-vouchers.ts'
import { inLocale } from '../contract/pages.ts'
import { fromBase32, hotp, totpStep } from '../pki/totp.ts'
import { languages } from '../server/testing/breadth.ts'
import { customerOf } from '../tools/demonstration-run.ts'
import { desktop, phone } from './browser-pages.ts'
import { openPortal, say } from './open-portal.ts'
import { enterAsProvider } from './provider-entrance.ts'

const portal = await openPortal()
const provider = await enterAsProvider(portal)
const list = '/certificates/signatures'

async function renewalCode(signature: string) {
  const expiresAt = new Date(Date.now() + 1e9).toISOString()
  const { codes } = await provider.call(putVoucherCodes, {
    body: { codes: [{ id: crypto.randomUUID(), kind: 'renewal', signature, expiresAt }] },
  })
  return codes[0]!.code
}

/** Goes there with the Tab key, as somebody without a mouse does. */
async function reach(page: Page, target: Locator) {
  await target.waitFor()
  for (let presses = 0; presses < 80; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`The Tab key does not lead to ${String(target)}`)
}

async function press(page: Page, target: Locator) {
  await reach(page, target)
  await page.keyboard.press('Enter')
}

const heading = (page: Page, words: string | RegExp) => page.getByRole('heading', { level: 1, name: words })

async function enterCode(page: Page, locale: 'pl' | 'en', code: string) {
  await press(
    page,
    page.getByRole('button', { name: say(locale, { pl: 'Użyj kodu odnowienia', en: 'Use a renewal code' }) }),
  )
  await page.getByRole('dialog').locator('button[type=submit]:enabled').waitFor()
  await page.keyboard.type(code)
  await page.keyboard.press('Enter')
}

/** Waits until the server keeps what was chosen. */
async function saved(page: Page, act: () => Promise<unknown>) {
  const answer = page.waitForResponse(
    (response) => response.request().method() === 'PUT' && response.url().endsWith('/parameters'),
  )
  await act()
  expect((await answer).status()).toBe(200)
}

describe.each(languages('en'))('%s', (locale) => {
  const step = (number: number) => say(locale, { pl: `Krok ${number} z\\s4`, en: `Step ${number} of 4` })
  const { person, signature, viewport, shortened } = say(locale, {
    pl: { person: 'kamila', signature: 'demo-kamila-app', viewport: phone, shortened: true },
    en: { person: 'malgorzata', signature: 'demo-malgorzata-app', viewport: desktop, shortened: false },
  })

  test('SIG-4 REN-1 REN-2 REN-4 REN-7 REN-9 R57 from the code to the paired app by keyboard alone, the tab closed and opened again after each step', async () => {
    const { context, openTab } = await portal.openProfile({ locale, viewport })
    let page = await openTab({ close: 'profile' })
    const { phone: number } = customerOf(person)

    /** As it stands wherever it is opened next. */
    async function closeAndOpen(place: string) {
      const next = await context.newPage()
      await page.close()
      page = next
      await page.goto(place)
    }

    await portal.signIn(page, person, { locale, to: say(locale, { pl: list, en: '/home' }) })
    const code = await renewalCode(signature)
    if (locale === 'pl') await enterCode(page, locale, code)
    else {
      const box = page.locator('.voucher')
      await box.locator('button[type=submit]:enabled').waitFor()
      await reach(page, box.locator('input[name=code]'))
      await page.keyboard.type(code)
      await page.keyboard.press('Enter')
      await press(page, box.getByRole('button', { name: 'Start the renewal' }))
    }
    await heading(page, new RegExp(step(1))).waitFor()
    const place = new URL(page.url()).pathname
    expect(place).toMatch(/\/renewal\/[\w-]{36}$/)

    await reach(page, page.locator('input[name=start]:checked'))
    await saved(page, () => page.keyboard.press('ArrowDown'))
    const years = page.locator('input[name=years]:checked')
    expect(await years.inputValue()).toBe('2')
    await reach(page, years)
    await saved(page, () => page.keyboard.press('ArrowRight'))
    await press(page, page.getByRole('link', { name: say(locale, { pl: 'Wyjdź', en: 'Exit' }) }))
    await page.getByRole('alertdialog').waitFor()
    await press(page, page.getByRole('button', { name: say(locale, { pl: 'Zostań tutaj', en: 'Stay here' }) }))

    await closeAndOpen(inLocale(locale, '/home'))
    await press(
      page,
      page.getByRole('link', { name: say(locale, { pl: 'Dokończ odnowienie', en: 'Finish the renewal' }) }).first(),
    )
    await heading(page, new RegExp(step(1))).waitFor()
    expect(new URL(page.url()).pathname).toBe(place)
    expect(await page.locator('input[name=years]:checked').inputValue()).toBe('3')
    expect(await page.locator('input[name=start]:checked').inputValue()).toBe('immediately')
    const notes = page.locator('.wiz__notes')
    const shorter = say(locale, { pl: /Certyfikat będzie krótszy o/, en: /shorter/ })
    if (shortened) await notes.getByText(shorter).waitFor()
    else expect(await notes.getByText(shorter).count()).toBe(0)

    await press(page, page.locator('.wiz__act button[type=submit]:enabled'))
    if (shortened) {
      await page.getByRole('heading', { name: 'Certyfikat będzie krótszy' }).waitFor()
      await press(page, page.getByRole('button', { name: /^Akceptuję ważność do / }))
    }
    await heading(page, new RegExp(step(2))).waitFor()
    // The address follows the heading at once, but not in the same moment.
    await page.waitForURL(/[?]step=2$/)
    await page.goBack()
    await page
      .getByText(
        say(locale, {
          pl: 'Tych ustawień nie można już zmienić.',
          en: 'These settings cannot be changed any more.',
        }),
      )
      .waitFor()
    expect(await page.locator('input[name=years]').count()).toBe(0)
    await page.goForward()
    await heading(page, new RegExp(step(2))).waitFor()

    await closeAndOpen(place)
    await heading(page, new RegExp(step(2))).waitFor()
    await reach(page, page.locator('input[name=confirmed]'))
    await page.keyboard.press('Space')
    await press(
      page,
      page.getByRole('button', { name: say(locale, { pl: /^Potwierdź dane/, en: /^Confirm the data/ }) }),
    )
    await heading(page, new RegExp(step(3))).waitFor()

    await closeAndOpen(place)
    await heading(page, new RegExp(step(3))).waitFor()
    await press(
      page,
      page.getByRole('button', { name: say(locale, { pl: /^Wyślij kod SMS/, en: /^Send the text-message code/ }) }),
    )
    await reach(page, page.locator('input[name=code]'))
    await page.keyboard.type(await portal.smsCode(number))
    await page.keyboard.press('Enter')
    await heading(page, new RegExp(step(4))).waitFor()

    await closeAndOpen(place)
    await heading(page, new RegExp(step(4))).waitFor()
    await press(page, page.getByRole('button', { name: say(locale, { pl: /^Pokaż kod QR/, en: /^Show QR code/ }) }))
    const dialog = page.getByRole('dialog')
    await dialog.locator('button[type=submit]:enabled').waitFor()
    await reach(page, dialog.locator('input[name=code]'))
    await page.keyboard.type(await portal.smsCode(number))
    await page.keyboard.press('Enter')
    const key = dialog.locator('.qr__key')
    await key.waitFor()
    const secret = fromBase32((await key.innerText()).replaceAll(' ', ''))!
    await press(page, dialog.getByRole('button', { name: say(locale, { pl: /^Mam kod/, en: /^I have/ }) }))
    await reach(page, dialog.locator('input[name=code]'))
    await page.keyboard.type(hotp(secret, totpStep(new Date())))
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByText(place.slice(-36)).waitFor()
  })

  test('SIG-4 R31 a wrong code is refused at its field, and stays there', async () => {
    const page = await portal.openPage({ locale, viewport })
    await portal.signIn(page, 'wilhelmina', { locale, to: list })
    await enterCode(page, locale, '0000-0000-0000-0000')
    const field = page.getByRole('dialog').locator('input[name=code][aria-invalid=true]')
    await field.waitFor()
    expect(await field.inputValue()).toBe('0000-0000-0000-0000')
    await page
      .getByRole('dialog')
      .getByText(say(locale, { pl: 'Nieprawidłowy kod dostępu', en: 'Invalid access code' }))
      .waitFor()
  })

  test('R61 an address that names no renewal of the customer says so, and leads back', async () => {
    const page = await portal.openPage({ locale })
    await portal.signIn(page, 'wilhelmina', { locale })
    await page.goto(inLocale(locale, `/renewal/${crypto.randomUUID()}`))
    await heading(page, say(locale, { pl: 'Nie ma takiego odnowienia', en: 'There is no such renewal' })).waitFor()
    await page
      .getByRole('link', { name: say(locale, { pl: 'Przejdź do podpisów', en: 'Go to the signatures' }) })
      .waitFor()
  })
})

test('REN-2 the preview follows a field that is emptied again', async () => {
  const page = await portal.openPage()
  await portal.signIn(page, 'oliver', { to: list })
  await enterCode(page, 'pl', await renewalCode('demo-oliver-app'))
  await heading(page, /Krok 1 z/).waitFor()
  await page.locator('input[name=start][value=immediately]').check()
  const day = page.locator('input[name=activationDate]')
  const onIssue = page.locator('.preview__rows').getByText('dnia wydania')
  await day.fill((await day.getAttribute('max'))!)
  await onIssue.waitFor({ state: 'detached' })
  await day.fill('')
  await onIssue.waitFor()
})

test('R58 a tab that comes too late shows what the other tab has made of the renewal, and says so', async () => {
  const { openTab } = await portal.openProfile({})
  const one = await openTab({ close: 'profile' })
  await portal.signIn(one, 'oliver', { to: list })
  await enterCode(one, 'pl', await renewalCode('demo-oliver-app'))
  await heading(one, /Krok 1 z/).waitFor()
  const other = await openTab({ close: 'tab' })
  await other.goto(new URL(one.url()).pathname)
  await heading(other, /Krok 1 z/).waitFor()
  await one.locator('.wiz__act button[type=submit]:enabled').click()
  await heading(one, /Krok 2 z/).waitFor()

  await other.locator('input[name=years][value="3"]').click()
  await heading(other, /Krok 2 z/).waitFor()
  await other.getByText('Odnowienie zmieniło się w\u00a0innej karcie lub na innym urządzeniu.').waitFor()
})

test('REN-5 REN-6 an expired document stops the renewal before anything is chosen; its new details, and newer ones still, are entered there', async () => {
  const page = await portal.openPage()
  await portal.signIn(page, 'bruno', { to: list })
  await enterCode(page, 'pl', await renewalCode('demo-bruno-app'))
  await heading(page, /Najpierw dokument tożsamości/).waitFor()
  await page.getByText('Twój dokument tożsamości stracił ważność').waitFor()
  expect(await page.locator('input[name=years]').count()).toBe(0)
  await press(page, page.getByRole('button', { name: 'Podaj dane dokumentu' }))
  const dialog = page.getByRole('dialog')
  await dialog.locator('input[name=number]').fill('aba 700-008')
  await dialog.locator('input[name=validTo]').fill(new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10))
  await page.keyboard.press('Enter')
  await heading(page, /Wybierz parametry certyfikatu/).waitFor()
  await page.getByText('Nowe dane dokumentu są potwierdzone').waitFor()
  await page.locator('main h1:focus').waitFor()

  expect(await page.locator('input[name=start][value=continuity]').isDisabled()).toBe(true)
  const day = page.locator('input[name=activationDate]')
  await day.fill((await day.getAttribute('max'))!)
  await press(page, page.locator('.wiz__notes').getByRole('button', { name: 'Podaj jego dane' }))
  await dialog.locator('input[name=number]').waitFor()
})
