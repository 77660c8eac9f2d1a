import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { type Locale, keysOf } from '../contract/enums.ts'
import { featureNames, neededBy, offParts, type Feature } from '../contract/features.ts'
import { findPage, inLocale, pages, splitLocale, type PageName } from '../contract/pages.ts'
import { exhaustive, language } from '../server/testing/breadth.ts'
import { startFilledDemonstration } from '../server/testing/filled-demonstration.ts'
import { phone, openPages, findViolations } from './testing/browser-pages.ts'
import { enter, openMessages } from './testing/demonstration-run.ts'
import { openPortal, inLanguage } from './testing/open-portal.ts'

// A provider with its own branding that has turned off every optional feature.
const portal = await openPortal({
  BRAND_FILE: join(import.meta.dirname, '../docs/examples/wawel-brand.json'),
  FEATURES_OFF: featureNames.join(' '),
})
const locale = language('en')
const { at, button, link, translate } = inLanguage(locale)

const unavailable = { pl: 'Funkcjonalność jest obecnie niedostępna', en: 'This feature is currently unavailable' }
const colourOf = (page: Page, selector: string, property: string) =>
  page.locator(selector).evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)

test('ERR-5 R64 a visitor sees the provider’s brand, and nothing of what is off', async () => {
  const page = await portal.openPage({ locale, tolerate: /503/ })
  await page.goto(at('/'))
  await expect.poll(() => page.title()).toMatch(/ – Wawel ID$/)
  const mark = page.locator('.auth__bar .brand image')
  expect(await mark.getAttribute('href')).toMatch(/^\/brand\/mark-[\da-f]{16}\.svg$/)
  expect((await mark.boundingBox())!.width).toBe(36)
  expect(await colourOf(page, '.button--primary', 'background-color')).toBe('rgb(85, 41, 95)')
  expect(await page.getByText(/Sygnet/).count()).toBe(0)
  expect(await findViolations(page)).toEqual([])
  expect(await link(page, 'Załóż konto', 'Create an account').count()).toBe(0)
  const answer = await page.goto(at('/register'))
  expect(answer!.status()).toBe(503)
  await page.getByRole('heading', { level: 1, name: unavailable[locale] }).waitFor()
  // STP-7
  await page.goto(at('/password-reset'))
  const lostPhone = page.getByText(translate('Telefon zginął?', 'Lost your phone?'))
  expect(await lostPhone.filter({ visible: true }).count()).toBe(0)
  // FAQ-1
  await page.goto(at('/faq'))
  await page.locator('.faq__topic').evaluateAll((all) => all.forEach((each) => each.setAttribute('open', '')))
  const questions = page.locator('.faq summary')
  expect(await questions.and(page.locator('#lost-number')).isVisible()).toBe(true)
  expect(await questions.and(page.locator('#change-number')).filter({ visible: true }).count()).toBe(0)
})

test.runIf(exhaustive)('ERR-5 NAV-1 the menu has what is on; a page that is off says so, others omit it', async () => {
  const page = await portal.openAs('malgorzata', { locale })
  const menu = page.getByRole('navigation', { name: translate('Menu główne', 'Main menu') })
  await expect
    .poll(() => menu.getByRole('link').allInnerTexts())
    .toEqual(
      {
        pl: ['Start', 'Moje dane', 'Bezpieczeństwo', 'Zmiana hasła', 'Pytania i\u00a0odpowiedzi'],
        en: ['Home', 'My data', 'Security', 'Change password', 'FAQ'],
      }[locale],
    )
  // An empty group has no heading either.
  await expect.poll(() => menu.locator('.nav__label:visible').count()).toBe(2)
  expect(await page.locator('.tile:visible').count()).toBe(0)
  expect(await button(page, 'Użyj kodu', 'Use code').count()).toBe(0)
  expect(await page.getByText(unavailable[locale]).count()).toBe(0)
  expect(await findViolations(page)).toEqual([])

  // One function decides about all pages (server/tests/features.test.ts tries each); this one has a parameter.
  await page.goto(at(`/renewal/${crypto.randomUUID()}`))
  await page.getByRole('heading', { level: 1, name: unavailable[locale] }).waitFor()
  await expect.poll(() => page.title()).toBe(`${unavailable[locale]} – Wawel ID`)
  expect(await findViolations(page)).toEqual([])
  await link(page, 'Wróć do strony Start', 'Back to Home').click()
  await page.waitForURL(portal.origin + at('/home'))
  await page.setViewportSize(phone)
  const bar = page.getByRole('navigation', { name: translate('Skróty', 'Shortcuts') })
  await expect.poll(() => bar.locator('li:visible').count()).toBe(3)
})

/** Words used only for a feature. Where a feature has no entry, only its pages and the links to them name it. */
const names: Partial<Record<Feature, Record<Locale, RegExp>>> = {
  registration: { pl: /Załóż konto|do założenia konta/, en: /Create an account|for a new account/ },
  passkeys: { pl: /klucz\S* dostępu/i, en: /passkey/i },
  signatures: { pl: /Zobacz swoje podpisy/, en: /View your signatures/ },
  seals: {
    pl: /Zobacz swoje pieczęcie|(?:znajdź podpis|przy podpisie) lub pieczę|jej pieczęcią/,
    en: /View your seals|find your signature or seal|seal on its files/,
  },
  timestamps: { pl: /kont\S* znaczników/, en: /timestamp account/ },
  calendar: { pl: /adres\S* kalendarza/, en: /calendar link/i },
  documents: {
    pl: /Przeczytaj i\spodpisz|Twoje dokumenty|(?:Kod|i\skod) do dokumentu/,
    en: /Read and sign|Your documents|document code (?:are|doesn’t)/,
  },
  signing: {
    pl: /Przeczytaj i\spodpisz|Podpisz plik|podpiszesz tym certyfikatem|Każde podpisanie/,
    en: /Read and sign|Sign (?:a )?file|sign with this certificate here|Each time you sign/,
  },
  // The history keeps that one was used.
  vouchers: { pl: /kody? voucher/i, en: /voucher codes?(?! used)/i },
  renewal: {
    pl: /kod\S* (?:albo )?odnowienia|(?:Odnów|Rozpocznij|Dokończ|Zobacz) (?:podpis|odnowienie)|nie odnowisz go|podpisanie umowy/,
    en: /renewal code|Renew signature|(?:Start|Finish|View) renewal|certificate here, renew it|signing an agreement/,
  },
  'phone-change': { pl: /Zmień numer|zmienić numer telefonu/, en: /change (?:your |my )?phone number/i },
  'data-export': { pl: /kopi\S+ (?:Twoich |moich )?danych/i, en: /copy of (?:your|my) data/i },
  'status-requests': {
    pl: /Zawieś lub unieważnij(?! certyfikat)|Cofnij zawieszenie|Zawieś certyfikaty|cofnąć w\sportalu/,
    en: /Suspend or revoke(?! a certificate)|End (?:the )?suspension|Suspend your certificates|end the suspension here/,
  },
  software: { pl: /Oprogramowanie/, en: /^Software/m },
  'file-check': { pl: /Sprawdź podpisany plik/, en: /Check a signed file/ },
  'file-signing': { pl: /Podpisz plik/, en: /Sign (?:a )?file/ },
  offline: { pl: /bez internetu/, en: /without the internet/ },
}

/** Pages that can be opened by their address alone. Legal texts are the same whatever is off. */
const visited = keysOf(pages).filter(
  (name) => !pages[name].path.includes(':') && !['accessibility', 'privacy', 'terms', 'accessDenied'].includes(name),
)

/**
 * People whose pages are read: a visitor, a customer with everything that the portal has, one with a suspended signature, and one with
 * nothing yet.
 */
const visits: readonly { login?: string; opens: readonly PageName[] }[] = [
  { opens: visited.filter((name) => !pages[name].needsSignIn) },
  { login: 'malgorzata', opens: visited.filter((name) => pages[name].needsSignIn) },
  { login: 'tomasz', opens: ['home', 'signatures'] },
  { login: 'nowy', opens: ['home'] },
]

const locales: readonly Locale[] = exhaustive ? ['pl', 'en'] : ['pl']
/** Features to turn off: `npm test` tries those that appear in the most places, `npm run test:all` tries all. */
const tried = exhaustive ? featureNames : (['passkeys', 'renewal', 'signing'] as const)

test.each(tried)('ERR-5 with %s off no page names it or leads to it', async (feature) => {
  const off = [feature, ...neededBy(feature)]
  const gone = offParts(off)
  const reduced = await startFilledDemonstration({ FEATURES_OFF: off.join(' ') })
  const { openProfile, closeProfiles } = openPages(reduced.origin)
  const run = { ...reduced, ...(await openMessages(reduced.origin)) }
  const found = new Set<string>()
  try {
    for (const { login, opens } of visits) {
      const { context } = await openProfile({ javaScriptEnabled: false })
      if (login) await enter(run, context, login)
      const page = await context.newPage()
      for (const shown of locales)
        for (const name of opens.filter((opened) => !gone.includes(opened))) {
          await page.goto(inLocale(shown, pages[name].path))
          // All answers, also closed ones.
          const text =
            (await page
              .locator('details')
              .evaluateAll((all) => all.forEach((fold) => fold.setAttribute('open', '')))) ??
            (await page.locator('body').innerText())
          for (const each of off)
            for (const line of text.split('\n').filter((written) => names[each]?.[shown].test(written)))
              found.add(`${shown} ${name} names ${each}: ${line}`)
          const links = page.locator('a[href^="/"]').filter({ visible: true })
          for (const address of await links.evaluateAll((all) => all.map((anchor) => anchor.getAttribute('href')!))) {
            const target = findPage(splitLocale(address.replace(/[?#].*/, '')).path)
            if (target && gone.includes(target)) found.add(`${shown} ${name} links to ${address}`)
          }
        }
    }
  } finally {
    await closeProfiles()
    await reduced.stop()
  }
  expect([...found]).toEqual([])
})
