import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { listSignatures } from '../contract/signatures.ts'
import { fromBase32, hotp, totpStep } from '../pki/totp.ts'
import { exhaustive, language } from '../server/testing/breadth.ts'
import { isInstalled } from '../tools/installed-programs.mjs'
import { desktop, phone, untilFocused, downloadBy } from './testing/browser-pages.ts'
import { customerOf } from './testing/demonstration-run.ts'
import { changeReply } from './testing/fake-replies.ts'
import { openPortal, inLanguage } from './testing/open-portal.ts'

const portal = await openPortal()
const cards = (page: Page) => page.getByRole('article')
const card = (page: Page, name: string) => page.getByRole('article', { name })

async function download(page: Page, action: () => Promise<void>) {
  const file = await downloadBy(page, action)
  return { name: file.suggestedFilename(), content: readFileSync(await file.path()) }
}

/** Computes the code that an authenticator app shows now for the key of a QR code. */
const appCode = (key: string) => hotp(fromBase32(key)!, totpStep(new Date()))

/** Start of the badge text of a signature that is not active. */
const inactive = /^(?:Wygasł|Zawieszony|Unieważniony|Zacznie działać)/

const labelOfCard = { pl: 'Podpis na karcie lub tokenie', en: 'Signature on a card or token' }

async function keyOf(page: Page) {
  return (await page.locator('.qr__key').textContent())!.replaceAll(' ', '')
}

const locale = language('en')
const { button, heading, link, waitForText, translate } = inLanguage(locale)
const labels = {
  app: translate('Podpis w\u00a0aplikacji mobilnej', 'Signature in the mobile app'),
  card: translate('Podpis na karcie lub tokenie', 'Signature on a card or token'),
  file: translate('Podpis w\u00a0pliku', 'Signature in a file'),
}

test('SIG-1 SIG-5 signatures have their data, and give their agreement and certificate', async () => {
  const page = await portal.openAs('malgorzata', { locale, to: '/certificates/signatures' })
  await expect
    .poll(() => cards(page).getByRole('heading', { level: 3 }).allTextContents())
    .toEqual([labels.app, labels.card, labels.file])
  const text = (await card(page, labels.app).innerText()).replaceAll('\u00a0', ' ')
  for (const part of translate(
    'Małgorzata Wiśniewska|Identyfikator (PESEL)|••••••••343|Okres|2 lata|Ważny od|12 dni|Wygasa za 12 dni|Pobierz umowę|Połącz z aplikacją|Szczegóły certyfikatu',
    'Małgorzata Wiśniewska|Identifier (PESEL)|••••••••343|Period|2 years|Valid from|12 days|Expires in 12 days|Download agreement|Connect to the app|Certificate details',
  ).split('|'))
    expect(text).toContain(part)
  await waitForText(card(page, labels.card), 'Aktywny', 'Active')
  // No line ends within the legal form (UIX-29).
  await expect.poll(() => card(page, labels.card).innerText()).toContain('Kancelaria Źródło sp.\u00a0z\u00a0o.o.')
  await waitForText(card(page, labels.file).locator('.badge'), /^Wygasł/, /^Expired/)
  // DAT-7: masked until requested.
  await button(card(page, labels.app), 'Pokaż cały numer: PESEL', 'Show the whole number: PESEL').click()
  await card(page, labels.app).getByText('85031212343', { exact: true }).waitFor()
  // Only a signature in the app signs files here, and has a code for it.
  const signing = link(page, /^Podpisz plik /, /^Sign a file /)
  expect(await signing.count()).toBe(1)
  expect(await signing.getAttribute('href')).toMatch(/\/sign$/)
  const pairing = page.getByRole('button', { name: /z\saplikacją|to the app/ })
  expect(await pairing.count()).toBe(1)

  // SIG-2
  const agreement = await download(page, () =>
    button(card(page, labels.card), 'Pobierz umowę', 'Download agreement').click(),
  )
  expect(agreement.name).toMatch(/\.pdf$/)
  expect(agreement.content.subarray(0, 5).toString()).toBe('%PDF-')

  const trigger = button(card(page, labels.app), 'Szczegóły certyfikatu', 'Certificate details')
  await trigger.click()
  const dialog = page.getByRole('dialog')
  await waitForText(dialog, 'Certyfikat kwalifikowany', 'Qualified certificate')
  expect((await dialog.getByRole('term').allInnerTexts()).slice(0, 3)).toEqual(
    { pl: ['Wystawiony dla', 'Numer seryjny', 'Ważność'], en: ['Issued to', 'Serial number', 'Validity'] }[locale],
  )
  expect(await dialog.innerText()).not.toContain('85031212343')
  const whole = translate('Pokaż cały numer: identyfikator', 'Show the whole number: identifier')
  await dialog.getByRole('button', { name: whole }).first().click()
  await dialog.getByText('PNOPL-85031212343').waitFor()
  const { name, content } = await download(page, () => dialog.getByRole('button', { name: /PEM/ }).click())
  expect(name).toBe('certificate.pem')
  expect(content.toString().match(/-----BEGIN CERTIFICATE-----/g)!.length).toBeGreaterThan(1)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await untilFocused(trigger)

  // AUT-7: a step-up that is cancelled leaves the page as it was, without a message.
  await pairing.click()
  await portal.smsCode(customerOf('malgorzata').phone)
  await button(dialog, 'Anuluj', 'Cancel').click()
  await dialog.waitFor({ state: 'detached' })
  await pairing.and(page.locator(':not(.is-busy)')).waitFor()
  expect((await page.getByRole('alert').allTextContents()).join('').trim()).toBe('')
})

test('SIG-3 APP-6 the QR code requires an SMS code, and a code of the app proves the pairing', async () => {
  const login = locale === 'pl' ? 'wilhelmina' : 'oliver'
  const page = await portal.openAs(login, { locale, to: '/certificates/signatures' })
  const show = button(page, 'Połącz z aplikacją', 'Connect to the app')
  await show.click()
  const dialog = page.getByRole('dialog')
  await heading(dialog, 'Potwierdź połączenie z\u00a0aplikacją', 'Confirm connecting to the app').waitFor()
  expect(await page.locator('.qr').count()).toBe(0)
  await dialog.locator('input[name=code]').fill(await portal.smsCode(customerOf(login).phone))
  const qr = dialog.getByRole('img', { name: /QR/ })
  await qr.waitFor()
  const key = await keyOf(page)
  await expect.poll(() => qr.locator('path').getAttribute('d')).toMatch(/^M\d/)
  if (isInstalled('zbarimg')) {
    const { stdout } = spawnSync('zbarimg', ['--quiet', '--raw', '-'], {
      input: await qr.screenshot(),
      encoding: 'utf8',
    })
    expect(stdout).toMatch(/^otpauth:\/\/totp\//)
    expect(new URL(stdout.trim()).searchParams.get('secret')).toBe(key)
  }
  await button(dialog, 'Mam kod z\u00a0aplikacji', 'I have a code in the app').click()
  const code = dialog.locator('input[name=code]')
  const right = appCode(key)
  await code.fill(right === '000000' ? '000001' : '000000')
  await code.press('Enter')
  await waitForText(
    dialog,
    'Kod z\u00a0aplikacji się nie zgadza. Poczekaj na następny i\u00a0wpisz go.',
    'The code from the app is incorrect. Wait for the next one and enter it.',
  )
  await code.fill(appCode(key))
  await code.press('Enter')
  await heading(dialog, 'Aplikacja jest połączona', 'The app is connected').waitFor()
  // The portal's own secret is for the provider: signing in the portal asks for no code of the app.
  expect((await dialog.innerText()).replaceAll('\u00a0', ' ')).toContain(
    translate('Podaj taki kod, gdy poprosi o niego Sygnet TEST', 'Enter one when Sygnet TEST asks for it'),
  )
  await dialog.locator('.dialog__foot').getByRole('button').click()
})

test('SIG-1 UIX-38 sixty signatures are paged, ordered, searched and filtered', async () => {
  const page = await portal.openAs('zofia', { to: '/certificates/signatures' })
  const pages = page.getByRole('navigation', { name: 'Strony listy' })
  await pages.getByText('Strona 1').waitFor()
  const seen: number[] = []
  for (const number of [1, 2, 3]) {
    await pages.getByText(`Strona ${number}`).waitFor()
    await cards(page).first().waitFor()
    expect(await page.getByRole('button', { name: /^Pokaż .*nieaktywn/ }).count()).toBe(0)
    const rows = ['1–20', '21–40', '41–60 z\u00a060'][number - 1]
    await pages.getByText(`Strona ${number}: pozycje ${rows}`, { exact: true }).waitFor()
    seen.push(await cards(page).count())
    if (number < 3) await pages.getByRole('button', { name: 'Następne' }).click()
  }
  expect(seen).toEqual([20, 20, 20])
  await expect.poll(() => pages.getByRole('button', { name: 'Następne' }).getAttribute('aria-disabled')).toBe('true')
  await pages.getByRole('button', { name: 'Poprzednie' }).click()
  await pages.getByText('Strona 2').waitFor()

  await page.getByLabel('Szukaj osoby lub firmy').fill('Oddział nr 3,')
  await page.keyboard.press('Enter')
  await page.getByText('Znaleziono: 1', { exact: true }).waitFor()
  await page.getByRole('heading', { name: 'Oddział nr 3, Biuro Zielińska S.A.' }).waitFor()
  expect(await cards(page).count()).toBe(1)
  expect(new URL(page.url()).searchParams.get('search')).toBe('Oddział nr 3,')
  await page.getByLabel('Szukaj osoby lub firmy').fill('nikt taki')
  await page.keyboard.press('Enter')
  await page.getByText('Znaleziono: 0', { exact: true }).waitFor()
  await page.getByLabel('Szukaj osoby lub firmy').fill('')
  await page.getByRole('combobox', { name: 'Status' }).click()
  await page.getByRole('option', { name: 'Nieaktywne' }).click()
  await page.getByText(/^Znaleziono: 20/).waitFor()
  await expect.poll(() => cards(page).locator('.badge', { hasText: inactive }).count()).toBe(20)

  // Any other order mixes active and inactive ones, and shows all of them; an invalid cursor leads to the first page.
  await page.goto(`/certificates/signatures?sort=newest&cursor=${'x'.repeat(600)}`)
  await page.waitForURL((url) => url.search === '?sort=newest')
  await pages.getByText('Strona 1').waitFor()
  await expect.poll(() => cards(page).count()).toBe(20)
  expect(await page.getByRole('heading', { name: 'Nieaktywne' }).count()).toBe(0)
  const badges = await cards(page).locator('.badge').allTextContents()
  const firstInactive = badges.findIndex((badge) => inactive.test(badge))
  expect(firstInactive).toBeGreaterThanOrEqual(0)
  expect(badges.slice(firstInactive)).toContain('Aktywny')

  // The default order collapses the inactive ones after the third; those that are not valid yet are apart, and all there.
  await page.goto('/certificates/signatures?size=100')
  const more = page.getByRole('button', { name: 'Pokaż pozostałe nieaktywne (17)' })
  await more.waitFor()
  await page.getByRole('heading', { name: 'Wkrótce zaczną działać' }).waitFor()
  await expect.poll(() => cards(page).count()).toBe(43)
  await more.click()
  await expect.poll(() => cards(page).count()).toBe(60)
  // A view has one primary button, that of the most urgent signature.
  await expect.poll(() => page.getByRole('main').locator('.button--primary').count()).toBe(1)
  await expect.poll(() => cards(page).first().locator('.button--primary').count()).toBe(1)
})

test('SIG-1 a renewed signature says when the new certificate begins, without a warning', async () => {
  const page = await portal.openPage()
  const from = '2031-12-03T13:20:00.000Z'
  await changeReply(listSignatures, ({ items, ...rest }) => ({
    ...rest,
    items: items.map((item, i) => (i ? item : { ...item, renewal: 'signed' as const, renewedFrom: from })),
  }))({ page })
  await portal.signIn(page, 'malgorzata', { to: '/certificates/signatures' })
  const renewed = cards(page).first()
  await renewed.getByText('Odnowiony', { exact: true }).waitFor()
  const text = (await renewed.innerText()).replaceAll('\u00a0', ' ')
  expect(text).toContain('Nowy certyfikat zacznie działać 3 grudnia 2031, 14:20.')
  expect(text).not.toContain('Wygasa')
  expect(await renewed.locator('.badge--warning, .badge--warning-strong, .meter--warning').count()).toBe(0)
})

test('SIG-1 a suspended signature is marked as on home, and says whom to call', async () => {
  const page = await portal.openAs('ewa', { to: '/certificates/signatures' })
  const suspended = cards(page).filter({ hasText: 'Zawieszony' })
  await suspended.locator('.badge--error-strong').waitFor()
  await suspended.getByRole('link', { name: '+48 22 100 20 30' }).waitFor()
})

const more = translate('Więcej', 'More')

test.each([
  { viewport: desktop, height: 2600 },
  { viewport: phone, height: 4600 },
])(
  'SIG-9 UIX-10 twenty of sixty signatures are rows that “More” opens ($viewport.width px)',
  async ({ viewport, height }) => {
    const page = await portal.openAs('zofia', { locale, viewport, to: '/certificates/signatures' })
    await expect.poll(() => cards(page).count()).toBe(20)
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(height)
    // What can be renewed, then by organisation, where those without one are first.
    expect(await page.locator('.certificate-rows__group').allInnerTexts()).toEqual(
      {
        pl: ['Do odnowienia', 'Bez firmy', ...[3, 4, 6].map((n) => `Oddział nr ${n}, Biuro Zielińska S.A.`)],
        en: ['To renew', 'No company', ...[3, 4, 6].map((n) => `Oddział nr ${n}, Biuro Zielińska S.A.`)],
      }[locale],
    )
    const parts = {
      pl: { date: /\d{1,2}\.\d{2}\.\d{4}/g, days: /\d+\sdni/g },
      en: { date: /\d{1,2}\s\w{3,4}\s\d{4}/g, days: /\d+\sdays/g },
    }[locale]
    // What is seen; the names of buttons repeat the date, hidden, to tell them apart (UIX-20).
    const seen = await cards(page).evaluateAll((rows) =>
      rows.map((row) => {
        const copy = row.cloneNode(true) as HTMLElement
        for (const unseen of copy.querySelectorAll('.unseen, [hidden]')) unseen.remove()
        return copy.textContent
      }),
    )
    for (const text of seen) {
      expect(text.match(parts.date)).toHaveLength(1)
      expect(text.match(parts.days)).toHaveLength(1)
      expect(text).toMatch(/•••\d/)
    }

    const row = cards(page).nth(1)
    const details = button(row, 'Szczegóły certyfikatu', 'Certificate details')
    const open = row.getByRole('button', {
      name: new RegExp(`^${more} ${labelOfCard[locale]} Zofia Zielińska .*\\d{4}`),
    })
    expect(await details.count()).toBe(0)
    await open.press('Enter')
    await details.waitFor()
    // Its name says now what it does next; it keeps the focus.
    const close = button(row, /^Mniej/, /^Less/)
    await untilFocused(close)
    expect(await close.getAttribute('aria-expanded')).toBe('true')
    await button(row, 'Pokaż cały numer: PESEL', 'Show the whole number: PESEL').click()
    await row.getByText('44051401458', { exact: true }).waitFor()
    await close.press('Enter')
    await details.waitFor({ state: 'detached' })
  },
)

test.runIf(exhaustive)('NAV-1 on a phone the kinds of certificates stay side by side, whichever is open', async () => {
  const page = await portal.openAs('zofia', { viewport: phone, to: '/certificates/signatures' })
  const kinds = page.getByRole('navigation', { name: 'Rodzaje certyfikatów' })
  for (const name of ['Pieczęć kwalifikowana', 'Znacznik czasu', 'Podpis kwalifikowany']) {
    await kinds.getByRole('link', { name }).click()
    await kinds.getByRole('link', { name }).and(page.locator('[aria-current=page]')).waitFor()
    await expect.poll(() => kinds.getByRole('link').count()).toBe(3)
    await expect.poll(() => page.locator('h1').allTextContents()).toEqual([name])
    expect(await page.title()).toBe(`${name} – Sygnet`)
  }
  await page.setViewportSize(desktop)
  await kinds.waitFor({ state: 'hidden' })
  await page.locator('.side').getByRole('link', { name: 'Znacznik czasu' }).waitFor()
})

test('SIG-1 SIG-3 on a phone the app is opened; a signature not valid yet has no QR code', async () => {
  const page = await portal.openAs('tomasz', { viewport: phone })
  // SIG-10: a signature that another one continues.
  await expect
    .poll(async () => (await page.locator('.all-set').innerText()).replaceAll('\u00a0', ' '))
    .toMatch(/Ten podpis jest już odnowiony\. Nowy zacznie działać \d+ /)
  await page.goto('/certificates/signatures')
  const waiting = cards(page).filter({ has: page.locator('.badge', { hasText: 'Zacznie działać' }) })
  await waiting.getByText('Umowa będzie gotowa za\u00a0chwilę').waitFor()
  expect(await waiting.getByRole('button', { name: /z\saplikacją/ }).count()).toBe(0)
  await page.getByRole('button', { name: 'Połącz z aplikacją' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('input[name=code]').fill(await portal.smsCode(customerOf('tomasz').phone))
  const on = dialog.getByRole('button', { name: 'Mam kod z\u00a0aplikacji' })
  await on.waitFor()
  expect((await on.boundingBox())!.width).toBeGreaterThan(phone.width - 40)
  const bar = (await dialog.locator('.stepper-line').boundingBox())!
  const content = (await dialog.locator('.qr').boundingBox())!
  expect(content.y - bar.y - bar.height).toBeGreaterThanOrEqual(16)
  // One primary button: on a phone it opens the app; on a wider screen, with the app on another device, it continues.
  const filled = () => dialog.locator('.button--primary').allInnerTexts()
  expect(await filled()).toEqual(['Otwórz w\u00a0aplikacji'])
  await page.setViewportSize(desktop)
  await expect.poll(filled).toEqual(['Mam kod z\u00a0aplikacji'])
})
