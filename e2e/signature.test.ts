import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { fromBase32, hotp, totpStep } from '../pki/totp.ts'
import { customerOf } from '../tools/demonstration-run.ts'
import { isInstalled } from '../tools/installed-programs.mjs'
import { locales, openPortal, say } from './open-portal.ts'

const portal = await openPortal()
const cards = (page: Page) => page.getByRole('article')
const card = (page: Page, name: string) => page.getByRole('article', { name })

async function download(page: Page, act: () => Promise<void>) {
  const [file] = await Promise.all([page.waitForEvent('download'), act()])
  return { name: file.suggestedFilename(), content: readFileSync(await file.path()) }
}

/** The code that an app shows now for the key of a QR code. */
const appCode = (key: string) => hotp(fromBase32(key)!, totpStep(new Date()))

async function keyOf(page: Page) {
  return (await page.locator('.qr__key').textContent())!.replaceAll(' ', '')
}

describe.each(locales)('%s', (locale) => {
  const words = {
    app: say(locale, { pl: 'Podpis w\u00a0aplikacji mobilnej', en: 'Signature in the mobile app' }),
    card: say(locale, { pl: 'Podpis na karcie', en: 'Signature on a card' }),
    file: say(locale, { pl: 'Podpis w\u00a0pliku', en: 'Signature in a file' }),
  }

  test('SIG-1 the list tells product, name, identifier, period, validity, status, agreement and QR code of each signature', async () => {
    const page = await portal.openPage({ locale })
    await portal.signIn(page, 'malgorzata', { locale, to: '/certificates/signatures' })
    await cards(page).first().waitFor()
    expect(await cards(page).getByRole('heading', { level: 3 }).allTextContents()).toEqual([
      words.app,
      words.card,
      words.file,
    ])
    const text = (await card(page, words.app).innerText()).replaceAll('\u00a0', ' ')
    for (const part of say(locale, {
      pl: 'Małgorzata Wiśniewska|Identyfikator (PESEL)|850312•••••|Okres|2 lata|Ważny od|12 dni|Wygasa za 12 dni|Pobierz umowę|Pokaż kod QR|Szczegóły certyfikatu',
      en: 'Małgorzata Wiśniewska|Identifier (PESEL)|850312•••••|Period|2 years|Valid from|12 days|Expires in 12 days|Download agreement|Show QR code|Certificate details',
    }).split('|'))
      expect(text).toContain(part)
    expect(await card(page, words.card).innerText()).toContain(say(locale, { pl: 'Aktywny', en: 'Active' }))
    expect(await card(page, words.card).innerText()).toContain('Kancelaria Źródło sp. z o.o.')
    expect(await card(page, words.file).innerText()).toContain(say(locale, { pl: 'Nieaktywny', en: 'Inactive' }))
    // Only a signature in the app has a code for it.
    expect(await page.getByRole('button', { name: /QR/ }).count()).toBe(1)
  })

  test('SIG-2 the agreement downloads as a PDF', async () => {
    const page = await portal.openPage({ locale })
    await portal.signIn(page, 'malgorzata', { locale, to: '/certificates/signatures' })
    const { name, content } = await download(page, () =>
      card(page, words.card)
        .getByRole('button', { name: say(locale, { pl: 'Pobierz umowę', en: 'Download agreement' }) })
        .click(),
    )
    expect(name).toMatch(/\.pdf$/)
    expect(content.subarray(0, 5).toString()).toBe('%PDF-')
    expect(content.subarray(-8).toString()).toContain('%%EOF')
  })

  test('SIG-3 AUT-7 NAV-3 the QR code stands behind an SMS code, carries the key, and one code of the app proves the pairing', async () => {
    const login = locale === 'pl' ? 'wilhelmina' : 'oliver'
    const page = await portal.openPage({ locale })
    await portal.signIn(page, login, { locale, to: '/certificates/signatures' })
    const show = page.getByRole('button', { name: say(locale, { pl: 'Pokaż kod QR', en: 'Show QR code' }) })
    await show.click()
    const dialog = page.getByRole('dialog')
    await dialog
      .getByRole('heading', {
        name: say(locale, { pl: 'Potwierdź połączenie z\u00a0aplikacją', en: 'Confirm the connection with the app' }),
      })
      .waitFor()
    expect(await page.locator('.qr').count()).toBe(0)
    await dialog.locator('input[name=code]').fill(await portal.smsCode(customerOf(login).phone))
    const qr = dialog.getByRole('img', { name: /QR/ })
    await qr.waitFor()
    const key = await keyOf(page)
    expect(await qr.locator('path').getAttribute('d')).toMatch(/^M\d/)
    if (isInstalled('zbarimg')) {
      const { stdout } = spawnSync('zbarimg', ['--quiet', '--raw', '-'], {
        input: await qr.screenshot(),
        encoding: 'utf8',
      })
      expect(stdout).toMatch(/^otpauth:\/\/totp\//)
      expect(new URL(stdout.trim()).searchParams.get('secret')).toBe(key)
    }
    await dialog
      .getByRole('button', { name: say(locale, { pl: 'Mam kod w\u00a0aplikacji', en: 'I have a code in the app' }) })
      .click()
    const code = dialog.locator('input[name=code]')
    const right = appCode(key)
    await code.fill(right === '000000' ? '000001' : '000000')
    await code.press('Enter')
    await dialog
      .getByText(
        say(locale, {
          pl: 'Kod z\u00a0aplikacji się nie zgadza. Poczekaj na następny i\u00a0wpisz go.',
          en: 'The code from the app does not match. Wait for the next one and enter it.',
        }),
      )
      .waitFor()
    await code.fill(appCode(key))
    await code.press('Enter')
    await dialog
      .getByRole('heading', { name: say(locale, { pl: 'Aplikacja jest połączona', en: 'The app is connected' }) })
      .waitFor()
    await dialog.locator('.dialog__foot').getByRole('button').click()

    // A new phone takes the place of the old one, and the step-up of this very act is still fresh.
    await page
      .getByRole('button', { name: say(locale, { pl: 'Połącz inny telefon', en: 'Connect another phone' }) })
      .click()
    await qr.waitFor()
    expect(await keyOf(page)).not.toBe(key)
  })

  test('SIG-5 the details of a certificate open, cover the personal number until asked, and save the chain as PEM', async () => {
    const page = await portal.openPage({ locale })
    await portal.signIn(page, 'malgorzata', { locale, to: '/certificates/signatures' })
    const trigger = card(page, words.app).getByRole('button', {
      name: say(locale, { pl: 'Szczegóły certyfikatu', en: 'Certificate details' }),
    })
    await trigger.click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(say(locale, { pl: 'Certyfikat kwalifikowany', en: 'Qualified certificate' })).waitFor()
    expect(await dialog.innerText()).not.toContain('85031212343')
    await dialog
      .getByRole('button', { name: say(locale, { pl: 'Pokaż numer', en: 'Show the number' }) })
      .first()
      .click()
    await dialog.getByText('PNOPL-85031212343').waitFor()
    const { name, content } = await download(page, () => dialog.getByRole('button', { name: /PEM/ }).click())
    expect(name).toBe('certificate.pem')
    expect(content.toString().match(/-----BEGIN CERTIFICATE-----/g)!.length).toBeGreaterThan(1)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await trigger.evaluate((button) => button === document.activeElement)).toBe(true)
  })
})

test('AUT-7 closing the SMS dialog leaves the page as it was, without a word', async () => {
  const page = await portal.openPage()
  await portal.signIn(page, 'malgorzata', { to: '/certificates/signatures' })
  await page.getByRole('button', { name: 'Pokaż kod QR' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Anuluj' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Pokaż kod QR' }).and(page.locator(':not(.is-busy)')).waitFor()
  expect(await page.getByRole('alert').allTextContents()).toEqual(
    expect.not.arrayContaining([expect.stringMatching(/\S/)]),
  )
})

test('SIG-1 a signature that is not valid yet has no QR code, and its agreement is still being made', async () => {
  const page = await portal.openPage()
  await portal.signIn(page, 'tomasz', { to: '/certificates/signatures' })
  await cards(page).first().waitFor()
  const waiting = cards(page).filter({ hasText: 'Jeszcze nieważny' })
  expect(await waiting.innerText()).toContain('Umowa będzie gotowa za chwilę')
  expect(await waiting.getByRole('button', { name: /QR/ }).count()).toBe(0)
})

test('SIG-1 sixty signatures come page by page, and are searched and filtered', async () => {
  const page = await portal.openPage()
  await portal.signIn(page, 'zofia', { to: '/certificates/signatures' })
  const pages = page.getByRole('navigation', { name: 'Strony listy' })
  await pages.getByText('Strona 1').waitFor()
  const seen: number[] = []
  for (const number of [1, 2, 3]) {
    await pages.getByText(`Strona ${number}`).waitFor()
    const more = page.getByRole('button', { name: /^Pokaż .*nieaktywn/ })
    if (await more.count()) await more.click()
    seen.push(await cards(page).count())
    if (number < 3) await pages.getByRole('button', { name: 'Następne' }).click()
  }
  expect(seen).toEqual([20, 20, 20])
  expect(await pages.getByRole('button', { name: 'Następne' }).getAttribute('aria-disabled')).toBe('true')
  await pages.getByRole('button', { name: 'Poprzednie' }).click()
  await pages.getByText('Strona 2').waitFor()

  await page.getByLabel('Szukaj osoby lub firmy').fill('Oddział nr 3,')
  await page.keyboard.press('Enter')
  await page.getByText('Znaleziono: 1', { exact: true }).waitFor()
  expect(await cards(page).innerText()).toContain('Oddział nr 3, Biuro Zielińska S.A.')
  expect(new URL(page.url()).searchParams.get('search')).toBe('Oddział nr 3,')
  await page.getByLabel('Szukaj osoby lub firmy').fill('nikt taki')
  await page.keyboard.press('Enter')
  await page.getByText('Znaleziono: 0', { exact: true }).waitFor()
  await page.getByLabel('Szukaj osoby lub firmy').fill('')
  await page.getByLabel('Status').selectOption('inactive')
  await page
    .getByText(/^Znaleziono: 20/)
    .waitFor({ timeout: 5000 })
    .catch(async (e) => {
      console.log(page.url(), await page.locator('main').innerText())
      throw e
    })
  expect(await cards(page).filter({ hasText: 'Nieaktywny' }).count()).toBe(20)
})
