import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { fromBase32, hotp, totpStep } from '../pki/totp.ts'
import { listSignatures } from '../contract/signatures.ts'
import { exhaustive, languages } from '../server/testing/breadth.ts'
import { customerOf } from './testing/demonstration-run.ts'
import { isInstalled } from '../tools/installed-programs.mjs'
import { chooseByTyping, desktop, phone, untilFocused } from './testing/browser-pages.ts'
import { changeReply } from './testing/fake-replies.ts'
import { openPortal, say, see } from './testing/open-portal.ts'

const portal = await openPortal()
const cards = (page: Page) => page.getByRole('article')
const card = (page: Page, name: string) => page.getByRole('article', { name })

async function download(page: Page, action: () => Promise<void>) {
  const [file] = await Promise.all([page.waitForEvent('download'), action()])
  return { name: file.suggestedFilename(), content: readFileSync(await file.path()) }
}

/** The code that an app shows now for the key of a QR code. */
const appCode = (key: string) => hotp(fromBase32(key)!, totpStep(new Date()))

/** What a badge says of a signature that is not active. */
const inactive = /^(?:Wygasł|Zawieszony|Unieważniony|Zacznie działać)/

const labelOfCard = { pl: 'Podpis na karcie lub tokenie', en: 'Signature on a card or token' }

async function keyOf(page: Page) {
  return (await page.locator('.qr__key').textContent())!.replaceAll(' ', '')
}

describe.each(languages('en'))('%s', (locale) => {
  const labels = {
    app: say(locale, { pl: 'Podpis w\u00a0aplikacji mobilnej', en: 'Signature in the mobile app' }),
    card: say(locale, { pl: 'Podpis na karcie lub tokenie', en: 'Signature on a card or token' }),
    file: say(locale, { pl: 'Podpis w\u00a0pliku', en: 'Signature in a file' }),
  }

  test.runIf(exhaustive)(
    'SIG-1 DAT-7 the list shows product, name, identifier, period, validity, status, agreement and QR code of each signature',
    async () => {
      const page = await portal.openPage({ locale })
      await portal.signIn(page, 'malgorzata', { locale, to: '/certificates/signatures' })
      await cards(page).first().waitFor()
      await expect
        .poll(() => cards(page).getByRole('heading', { level: 3 }).allTextContents())
        .toEqual([labels.app, labels.card, labels.file])
      const text = (await card(page, labels.app).innerText()).replaceAll('\u00a0', ' ')
      for (const part of say(locale, {
        pl: 'Małgorzata Wiśniewska|Identyfikator (PESEL)|••••••••343|Okres|2 lata|Ważny od|12 dni|Wygasa za 12 dni|Pobierz umowę|Połącz z aplikacją|Szczegóły certyfikatu',
        en: 'Małgorzata Wiśniewska|Identifier (PESEL)|••••••••343|Period|2 years|Valid from|12 days|Expires in 12 days|Download agreement|Connect to the app|Certificate details',
      }).split('|'))
        expect(text).toContain(part)
      await expect
        .poll(() => card(page, labels.card).innerText())
        .toContain(say(locale, { pl: 'Aktywny', en: 'Active' }))
      // No line ends within the legal form (UIX-29).
      await expect.poll(() => card(page, labels.card).innerText()).toContain('Kancelaria Źródło sp.\u00a0z\u00a0o.o.')
      await expect
        .poll(() => card(page, labels.file).innerText())
        .toContain(say(locale, { pl: 'Wygasł', en: 'Expired' }))
      await card(page, labels.app)
        .getByRole('button', {
          name: say(locale, { pl: 'Pokaż cały numer: PESEL', en: 'Show the whole number: PESEL' }),
        })
        .click()
      await card(page, labels.app).getByText('85031212343', { exact: true }).waitFor()
      // Only a signature in the app signs files here, and has a code for it.
      const signing = page.getByRole('link', { name: say(locale, { pl: /^Podpisz plik /, en: /^Sign a file / }) })
      expect(await signing.count()).toBe(1)
      expect(await signing.getAttribute('href')).toMatch(/\/sign$/)
      await expect.poll(() => page.getByRole('button', { name: /z\saplikacją|to the app/ }).count()).toBe(1)
    },
  )

  test.runIf(exhaustive)('SIG-2 the agreement downloads as a PDF', async () => {
    const page = await portal.openPage({ locale })
    await portal.signIn(page, 'malgorzata', { locale, to: '/certificates/signatures' })
    const { name, content } = await download(page, () =>
      card(page, labels.card)
        .getByRole('button', { name: say(locale, { pl: 'Pobierz umowę', en: 'Download agreement' }) })
        .click(),
    )
    expect(name).toMatch(/\.pdf$/)
    expect(content.subarray(0, 5).toString()).toBe('%PDF-')
    expect(content.subarray(-8).toString()).toContain('%%EOF')
  })

  test('SIG-3 APP-4 APP-6 AUT-7 NAV-3 the QR code requires an SMS code, carries the key, and one code of the app proves the pairing', async () => {
    const login = locale === 'pl' ? 'wilhelmina' : 'oliver'
    const page = await portal.openPage({ locale })
    await portal.signIn(page, login, { locale, to: '/certificates/signatures' })
    const show = page.getByRole('button', { name: say(locale, { pl: 'Połącz z aplikacją', en: 'Connect to the app' }) })
    await show.click()
    const dialog = page.getByRole('dialog')
    await dialog
      .getByRole('heading', {
        name: say(locale, { pl: 'Potwierdź połączenie z\u00a0aplikacją', en: 'Confirm connecting to the app' }),
      })
      .waitFor()
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
    await dialog
      .getByRole('button', { name: say(locale, { pl: 'Mam kod z\u00a0aplikacji', en: 'I have a code in the app' }) })
      .click()
    const code = dialog.locator('input[name=code]')
    const right = appCode(key)
    await code.fill(right === '000000' ? '000001' : '000000')
    await code.press('Enter')
    await see(dialog, locale, {
      pl: 'Kod z\u00a0aplikacji się nie zgadza. Poczekaj na następny i\u00a0wpisz go.',
      en: 'The code from the app is incorrect. Wait for the next one and enter it.',
    })
    await code.fill(appCode(key))
    await code.press('Enter')
    await dialog
      .getByRole('heading', { name: say(locale, { pl: 'Aplikacja jest połączona', en: 'The app is connected' }) })
      .waitFor()
    // The portal's own secret is for the provider: signing in the portal asks for no code of the app.
    expect((await dialog.innerText()).replaceAll('\u00a0', ' ')).toContain(
      say(locale, {
        pl: 'Podaj taki kod, gdy poprosi o niego Sygnet TEST',
        en: 'Enter one when Sygnet TEST asks for it',
      }),
    )
    await dialog.locator('.dialog__foot').getByRole('button').click()

    // A new phone replaces the old one, and the step-up for this action is still valid.
    await page
      .getByRole('button', { name: say(locale, { pl: 'Połącz z aplikacją', en: 'Connect to the app' }) })
      .click()
    await qr.waitFor()
    expect(await keyOf(page)).not.toBe(key)
  })

  test.runIf(exhaustive)(
    'SIG-5 the details of a certificate open, mask the personal number until it is requested, and save the chain as PEM',
    async () => {
      const page = await portal.openPage({ locale })
      await portal.signIn(page, 'malgorzata', { locale, to: '/certificates/signatures' })
      const trigger = card(page, labels.app).getByRole('button', {
        name: say(locale, { pl: 'Szczegóły certyfikatu', en: 'Certificate details' }),
      })
      await trigger.click()
      const dialog = page.getByRole('dialog')
      await see(dialog, locale, { pl: 'Certyfikat kwalifikowany', en: 'Qualified certificate' })
      expect((await dialog.locator('dt').allInnerTexts()).slice(0, 3)).toEqual(
        say(locale, {
          pl: ['Wystawiony dla', 'Numer seryjny', 'Ważność'],
          en: ['Issued to', 'Serial number', 'Validity'],
        }),
      )
      expect(await dialog.innerText()).not.toContain('85031212343')
      await dialog
        .getByRole('button', {
          name: say(locale, { pl: 'Pokaż cały numer: identyfikator', en: 'Show the whole number: identifier' }),
        })
        .first()
        .click()
      await dialog.getByText('PNOPL-85031212343').waitFor()
      const { name, content } = await download(page, () => dialog.getByRole('button', { name: /PEM/ }).click())
      expect(name).toBe('certificate.pem')
      expect(content.toString().match(/-----BEGIN CERTIFICATE-----/g)!.length).toBeGreaterThan(1)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await untilFocused(trigger)
    },
  )
})

test.runIf(exhaustive)('AUT-7 closing the SMS dialog leaves the page as it was, without a message', async () => {
  const page = await portal.openPage()
  await portal.signIn(page, 'malgorzata', { to: '/certificates/signatures' })
  await page.getByRole('button', { name: 'Połącz z aplikacją' }).click()
  // The next sign-in waits for a code of its own.
  await portal.smsCode(customerOf('malgorzata').phone)
  await page.getByRole('dialog').getByRole('button', { name: 'Anuluj' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Połącz z aplikacją' }).and(page.locator(':not(.is-busy)')).waitFor()
  await expect
    .poll(() => page.getByRole('alert').allTextContents())
    .toEqual(expect.not.arrayContaining([expect.stringMatching(/\S/)]))
})

test('SIG-1 a signature that is not valid yet has no QR code, and its agreement is still being generated', async () => {
  const page = await portal.openPage()
  await portal.signIn(page, 'tomasz', { to: '/certificates/signatures' })
  await cards(page).first().waitFor()
  const waiting = cards(page).filter({ has: page.locator('.badge', { hasText: 'Zacznie działać' }) })
  await expect.poll(() => waiting.innerText()).toContain('Umowa będzie gotowa za chwilę')
  expect(await waiting.getByRole('button', { name: /z\saplikacją|to the app/ }).count()).toBe(0)
})

test('SIG-1 UIX-38 sixty signatures are paged, and can be searched and filtered', async () => {
  const page = await portal.openPage()
  await portal.signIn(page, 'zofia', { to: '/certificates/signatures' })
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
  expect(await renewed.locator('.badge--warn, .badge--warn-strong, .meter--warn').count()).toBe(0)
})

test.runIf(exhaustive)(
  'SIG-10 HOM-3 a signature that another one continues is renewed in its list and on home, which say from when the other is valid',
  async () => {
    const page = await portal.openPage()
    await portal.signIn(page, 'tomasz', { to: '/certificates/signatures' })
    const continued = cards(page).filter({ hasText: 'Odnowiony' })
    const text = (await continued.innerText()).replaceAll('\u00a0', ' ')
    expect(text).toMatch(
      /Nowy certyfikat zacznie działać \d+ \S+ \d{4}, \d\d:\d\d\. Do tego czasu podpisuj dotychczasowym\./,
    )
    expect(text).not.toMatch(/Wygasa|Odnów|kupić/)
    expect(await page.getByRole('main').locator('.btn--primary, .meter--warn').count()).toBe(0)
    await page.getByRole('link', { name: 'Start' }).first().click()
    const calm = page.locator('.calm')
    await calm.getByRole('heading', { name: 'Wszystko w\u00a0porządku' }).waitFor()
    expect((await calm.innerText()).replaceAll('\u00a0', ' ')).toMatch(
      /Najbliższe wygaśnięcie: .*\s*Ten podpis jest już odnowiony\. Nowy zacznie działać \d+ \S+ \d{4}, \d\d:\d\d\./,
    )
  },
)

test('SIG-1 a suspended signature is marked as on home, and says whom to call', async () => {
  const page = await portal.openPage()
  await portal.signIn(page, 'ewa', { to: '/certificates/signatures' })
  const suspended = cards(page).filter({ hasText: 'Zawieszony' })
  await suspended.locator('.badge--err-strong').waitFor()
  await suspended.getByRole('link', { name: '+48 22 100 20 30' }).waitFor()
})

test('SIG-1 any other order mixes active and inactive signatures, and shows all of them', async () => {
  const page = await portal.openPage()
  await portal.signIn(page, 'zofia', { to: '/certificates/signatures?sort=newest' })
  await cards(page).first().waitFor()
  await expect.poll(() => cards(page).count()).toBe(20)
  expect(await page.getByRole('heading', { name: 'Nieaktywne' }).count()).toBe(0)
  const badges = await cards(page).locator('.badge').allTextContents()
  const firstInactive = badges.findIndex((badge) => inactive.test(badge))
  expect(firstInactive).toBeGreaterThanOrEqual(0)
  expect(badges.slice(firstInactive)).toContain('Aktywny')
})

test('SIG-1 a page in the default order collapses the inactive signatures after the third', async () => {
  const page = await portal.openPage()
  await portal.signIn(page, 'zofia', { to: '/certificates/signatures?size=100' })
  const more = page.getByRole('button', { name: 'Pokaż pozostałe nieaktywne (17)' })
  await more.waitFor()
  // Those that are not valid yet are apart, and all there.
  await page.getByRole('heading', { name: 'Wkrótce zaczną działać' }).waitFor()
  await expect.poll(() => cards(page).count()).toBe(43)
  await more.click()
  await expect.poll(() => cards(page).count()).toBe(60)
  // A view has one primary button, that of the most urgent signature.
  await expect.poll(() => page.getByRole('main').locator('.btn--primary').count()).toBe(1)
  await expect.poll(() => cards(page).first().locator('.btn--primary').count()).toBe(1)
})

describe.each(languages('en'))('%s', (locale) => {
  const more = say(locale, { pl: 'Więcej', en: 'More' })

  test.each([
    { viewport: desktop, height: 2600 },
    { viewport: phone, height: 4600 },
  ])(
    'SIG-9 UIX-10 twenty of sixty signatures are compact rows, and “More” opens the rest in place ($viewport.width px)',
    async ({ viewport, height }) => {
      const page = await portal.openPage({ locale, viewport })
      await portal.signIn(page, 'zofia', { locale, to: '/certificates/signatures' })
      await expect.poll(() => cards(page).count()).toBe(20)
      expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(height)
      // What can be renewed, then by organisation, where those without one are first.
      expect(await page.locator('.crows__group').allInnerTexts()).toEqual(
        say(locale, {
          pl: ['Do odnowienia', 'Bez firmy', ...[3, 4, 6].map((n) => `Oddział nr ${n}, Biuro Zielińska S.A.`)],
          en: ['To renew', 'No company', ...[3, 4, 6].map((n) => `Oddział nr ${n}, Biuro Zielińska S.A.`)],
        }),
      )
      const parts = say(locale, {
        pl: { date: /\d{1,2}\.\d{2}\.\d{4}/g, days: /\d+\sdni/g },
        en: { date: /\d{1,2}\s\w{3,4}\s\d{4}/g, days: /\d+\sdays/g },
      })
      // What is seen; the names of buttons repeat the date, hidden, to tell them apart (UIX-20).
      const seen = await cards(page).evaluateAll((rows) =>
        rows.map((row) => {
          const copy = row.cloneNode(true) as HTMLElement
          for (const unseen of copy.querySelectorAll('.vh, [hidden]')) unseen.remove()
          return copy.textContent
        }),
      )
      for (const text of seen) {
        expect(text.match(parts.date)).toHaveLength(1)
        expect(text.match(parts.days)).toHaveLength(1)
        expect(text).toMatch(/•••\d/)
      }

      const row = cards(page).nth(1)
      const details = row.getByRole('button', {
        name: say(locale, { pl: 'Szczegóły certyfikatu', en: 'Certificate details' }),
      })
      const open = row.getByRole('button', {
        name: new RegExp(`^${more} ${labelOfCard[locale]} Zofia Zielińska .*\\d{4}`),
      })
      expect(await details.count()).toBe(0)
      await open.press('Enter')
      await details.waitFor()
      // Its name says now what it does next; it keeps the focus.
      const close = row.getByRole('button', { name: new RegExp(say(locale, { pl: '^Mniej', en: '^Less' })) })
      await untilFocused(close)
      expect(await close.getAttribute('aria-expanded')).toBe('true')
      await row
        .getByRole('button', {
          name: say(locale, { pl: 'Pokaż cały numer: PESEL', en: 'Show the whole number: PESEL' }),
        })
        .click()
      await row.getByText('44051401458', { exact: true }).waitFor()
      await close.press('Enter')
      await details.waitFor({ state: 'detached' })
    },
  )

  test.runIf(exhaustive)(
    'UIX-11 SIG-8 on a phone the filters are in a sheet, and the button next to the search says how many are set',
    async () => {
      const page = await portal.openPage({ locale, viewport: phone })
      await portal.signIn(page, 'zofia', { locale, to: '/certificates/signatures' })
      const search = page.getByRole('searchbox')
      const filters = page.getByRole('button', { name: new RegExp(say(locale, { pl: '^Filtry', en: '^Filters' })) })
      const company = page.getByRole('combobox', { name: say(locale, { pl: 'Firma', en: 'Company' }) })
      const [field, button] = [(await search.boundingBox())!, (await filters.boundingBox())!]
      expect(Math.round(field.y)).toBe(Math.round(button.y))
      expect(await page.getByRole('combobox').filter({ visible: true }).count()).toBe(1)
      await filters.press('Enter')
      await company.press('Enter')
      await page.getByRole('option', { name: 'Oddział nr 12, Biuro Zielińska S.A.' }).click()
      await page.waitForURL((url) => url.searchParams.get('organisation') === 'Oddział nr 12, Biuro Zielińska S.A.')
      await expect.poll(() => cards(page).count()).toBe(1)
      await untilFocused(company)
      await page.getByRole('button', { name: say(locale, { pl: 'Pokaż listę', en: 'Show the list' }) }).click()
      await untilFocused(filters)
      await expect.poll(() => filters.innerText()).toMatch(/\(1\)$/)
      await expect.poll(() => cards(page).count()).toBe(1)
      await page.reload()
      await expect.poll(() => cards(page).count()).toBe(1)
      await expect.poll(() => filters.innerText()).toMatch(/\(1\)$/)
      expect(await company.isVisible()).toBe(false)
      await search.fill('oddzial nr 12')
      await page.getByRole('button', { name: say(locale, { pl: 'Szukaj', en: 'Search' }), exact: true }).click()
      await page.waitForURL(/search=oddzial/)
      await expect.poll(() => cards(page).count()).toBe(1)
    },
  )
})

test.runIf(exhaustive)(
  'RTE-1 a reload and the other language keep page, order and size of the list, and its back navigation',
  async () => {
    const page = await portal.openPage()
    await portal.signIn(page, 'zofia', { to: '/certificates/signatures?sort=name' })
    const names = () => cards(page).allInnerTexts()
    const pages = page.locator('.pages')
    const reading = (number: number) =>
      page.locator('h2', { hasText: new RegExp(`(?:strona|page) ${number}$`) }).waitFor({ state: 'attached' })
    for (const number of [2, 3]) {
      await cards(page).first().waitFor()
      await pages.getByRole('button', { name: 'Następne' }).and(page.locator(':not([aria-disabled=true])')).click()
      await reading(number)
    }
    await cards(page).first().waitFor()
    const third = await names()
    await page.reload()
    await reading(3)
    await cards(page).first().waitFor()
    expect(await names()).toEqual(third)

    await page.locator('.topbar .lang').getByRole('link', { name: 'English' }).click()
    await page.waitForURL(/\/en\/.*sort=name.*cursor=/)
    await pages.getByText('Page 3').waitFor()
    await cards(page).first().waitFor()
    await expect.poll(() => cards(page).count()).toBe(third.length)
    await pages.getByRole('button', { name: 'Previous' }).click()
    await reading(2)
    await cards(page).first().waitFor()
    expect(new URL(page.url()).searchParams.getAll('cursor').length).toBe(1)
  },
)

test.runIf(exhaustive)(
  'RTE-1 text typed into the search but not submitted yet is kept in the other language',
  async () => {
    const page = await portal.openPage()
    await portal.signIn(page, 'zofia', { to: '/certificates/signatures' })
    await page.getByRole('combobox', { name: 'Kolejność' }).waitFor()
    await page.getByLabel('Szukaj osoby lub firmy').fill('Oddział')
    await page.locator('.topbar .lang').getByRole('link', { name: 'English' }).click()
    await page.waitForURL(`${portal.origin}/en/certificates/signatures`)
    await expect.poll(() => page.getByLabel('Search for a person or company').inputValue()).toBe('Oddział')
  },
)

test.runIf(exhaustive)('RTE-1 R36 an invalid cursor in the address leads to the first page', async () => {
  const page = await portal.openPage()
  await portal.signIn(page, 'zofia', { to: '/certificates/signatures' })
  for (const cursor of ['made.up', 'x'.repeat(600)]) {
    await page.goto(`/certificates/signatures?sort=name&cursor=${cursor}`)
    await page.waitForURL((url) => url.search === '?sort=name')
    await page.locator('.pages').getByText('Strona 1').waitFor()
    await cards(page).first().waitFor()
  }
})

test.runIf(exhaustive)(
  'RTE-9 SIG-6 SIG-8 changing the list’s order, size, status, product, period or search keeps the focus, and the address keeps all of them',
  async () => {
    const page = await portal.openPage()
    await portal.signIn(page, 'zofia', { to: '/certificates/signatures' })
    await cards(page).first().waitFor()
    const focused = async (control: Locator) => {
      await page.waitForFunction(() => !document.querySelector('main [aria-busy]'))
      await cards(page).first().waitFor()
      await untilFocused(control)
    }
    const order = page.getByRole('combobox', { name: 'Kolejność' })
    await chooseByTyping(order, 'naz')
    await page.waitForURL(/sort=name/)
    await focused(order)
    await expect.poll(() => order.innerText()).toBe('Nazwa A–Z')

    const size = page.getByRole('combobox', { name: 'Na stronie' })
    for (const wanted of ['50', '20']) {
      await size.click()
      await page.getByRole('option', { name: wanted }).click()
      await page.waitForURL((url) => url.searchParams.get('size') === wanted)
      await focused(size)
    }

    const status = page.getByRole('combobox', { name: 'Status' })
    await status.click()
    await page.getByRole('option', { name: 'Aktywne', exact: true }).click()
    await page.waitForURL(/status=active/)
    await focused(status)

    const kind = page.getByRole('combobox', { name: 'Rodzaj' })
    await kind.click()
    await page.getByRole('option', { name: 'Na karcie lub tokenie' }).click()
    await page.waitForURL(/product=card/)
    await focused(kind)
    await expect
      .poll(async () => new Set(await cards(page).getByRole('heading').allInnerTexts()))
      .toEqual(new Set(['Podpis na karcie lub tokenie']))

    const period = page.getByRole('combobox', { name: 'Okres' })
    await chooseByTyping(period, '2 l')
    await page.waitForURL(/period=2_years/)
    await focused(period)
    await expect.poll(() => period.innerText()).toBe('2\u00a0lata')

    await page.reload()
    await page.waitForURL(/status=active.*product=card.*period=2_years.*sort=name/)
    await expect.poll(() => period.innerText()).toBe('2\u00a0lata')
    await page.goto(page.url().replace('/certificates', '/en/certificates'))
    await page.getByRole('combobox', { name: 'Period' }).getByText('2 years').waitFor()
    await page.goBack()

    const search = page.getByLabel('Szukaj osoby lub firmy')
    await search.fill('Oddział nr')
    await page.keyboard.press('Enter')
    await page.waitForURL(/search=/)
    await focused(search)
  },
)

test.runIf(exhaustive)(
  'NAV-1 on a phone the kinds of certificates stay side by side, whichever is open; next to the menu they are there alone',
  async () => {
    const page = await portal.openPage({ viewport: phone })
    await portal.signIn(page, 'zofia', { to: '/certificates/signatures' })
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
  },
)

test('SIG-3 on a phone the button after the QR code is as wide as its dialog', async () => {
  const page = await portal.openPage({ viewport: phone })
  await portal.signIn(page, 'tomasz', { to: '/certificates/signatures' })
  await page.getByRole('button', { name: 'Połącz z aplikacją' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('input[name=code]').fill(await portal.smsCode(customerOf('tomasz').phone))
  const on = dialog.getByRole('button', { name: 'Mam kod z\u00a0aplikacji' })
  await on.waitFor()
  expect((await on.boundingBox())!.width).toBeGreaterThan(phone.width - 40)
  const bar = (await dialog.locator('.stepline').boundingBox())!
  const content = (await dialog.locator('.qr').boundingBox())!
  expect(content.y - bar.y - bar.height).toBeGreaterThanOrEqual(16)
  // One primary button: on a phone it opens the app; on a wider screen, with the app on another device, it continues.
  const filled = () => dialog.locator('.btn--primary').allInnerTexts()
  expect(await filled()).toEqual(['Otwórz w\u00a0aplikacji'])
  await page.setViewportSize(desktop)
  await expect.poll(filled).toEqual(['Mam kod z\u00a0aplikacji'])
})
