import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { summariseDocuments } from '../contract/documents.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { summariseSeals } from '../contract/seals.ts'
import { summariseTimestamps } from '../contract/timestamps.ts'
import { exhaustive, language } from '../server/testing/breadth.ts'
import { untilFocused } from './testing/browser-pages.ts'
import { intercept, refuseCall } from './testing/fake-replies.ts'
import { openPortal, inLanguage } from './testing/open-portal.ts'
import { everyNotice } from './testing/samples/home-notices.ts'

const portal = await openPortal()
/** Returns the text of a part, which may still be changing: the answers arrive one after the other. */
const textOf = async (part: Locator) => (await part.innerText()).replaceAll('\u00a0', ' ')

const locale = language('pl')
const { at, button, heading, waitForText, translate } = inLanguage(locale)
test('HOM-3 SEA-4 home shows the documents to sign, the certificate that expires first, and an invitation', async () => {
  const page = await portal.openAs('malgorzata', { locale })
  const main = page.getByRole('main')
  await main.getByRole('heading', { level: 1, name: 'Małgorzata Wiśniewska' }).waitFor()
  const item = main.getByRole('article')
  await item.first().waitFor()
  await expect.poll(() => item.count()).toBe(2)
  await expect.poll(() => textOf(item.first())).toContain(translate('2 dokumenty do podpisania', '2 documents to sign'))
  await expect.poll(() => textOf(item.nth(1))).toContain(translate('Wygasa za 12 dni', 'Expires in 12 days'))
  // Then the seal that waits for her, and the finished document.
  await expect
    .poll(() => textOf(main.locator('.home__notices')))
    .toMatch(
      translate(
        /Dostęp do pieczęci[^]*potem trzeba będzie poprosić[^]*Przejdź do aktywacji[^]*Umowa o podpis[^]*Do pobrania[^]*Przejdź do dokumentu/,
        /Access to a seal[^]*or you’ll need a new[^]*Go to activation[^]*Signature agreement[^]*Ready to download[^]*Go to document/,
      ),
    )
  await waitForText(main, /Masz 4\u00a0rzeczy do zrobienia/, /4 things need your attention/)
  await main.getByRole('link', { name: translate('Przejdź do aktywacji', 'Go to activation') }).click()
  const invitation = page.getByRole('region', { name: /^Stowarzyszenie Łączność/ })
  await button(invitation, 'Aktywuj dostęp', 'Activate access').waitFor()
})

test('HOM-1 where nothing is urgent, home has the next date, the shops and the support', async () => {
  const page = await portal.openAs('wilhelmina', { locale })
  const main = page.getByRole('main')
  const labels = translate(
    'Odnowienie podpisu|Nowy podpis|Pieczęć|Znacznik czasu|Znajdź punkt obsługi|Baza wiedzy: pierwsze kroki|Dokumenty i\u00a0regulaminy',
    'Signature renewal|New signature|Seal|Timestamp|Find a branch|Knowledge base: first steps|Documents and terms',
  ).split('|')
  for (const label of labels) {
    const link = main.locator('.links').getByRole('link', { name: label })
    await link.waitFor()
    await expect.poll(() => link.getAttribute('href')).toMatch(/^https:\/\//)
    await expect.poll(() => link.getAttribute('rel')).toContain('noopener')
  }
  const suspend = translate('Zawieś lub unieważnij certyfikat', 'Suspend or revoke a certificate')
  expect(await main.getByRole('link', { name: suspend }).getAttribute('href')).toMatch(/\/certificates\/signatures$/)
  await expect.poll(() => main.innerText()).toContain(translate('pon.–pt. 8:00–17:00', 'Mon–Fri 8:00–17:00'))
  await heading(page, 'Wszystko w\u00a0porządku', 'You’re all set').waitFor()
  await waitForText(page, 'Najbliższe wygaśnięcie: ', 'Next expiry: ')
})

test('HOM-3 SOF-1 a newcomer is shown the first steps, and the programs, those for their platform first', async () => {
  const page = await portal.openAs('nowy', { locale })
  await heading(page, 'Zacznij tutaj', 'Start here').waitFor()
  await expect.poll(() => page.locator('.home__how > li').count()).toBe(3)

  await page.goto(at('/software'))
  const main = page.getByRole('main')
  const sections = main.getByRole('heading', { level: 2 })
  await sections.first().waitFor()
  await expect
    .poll(() => sections.first().textContent())
    .toBe(translate('Dla Twojego systemu: Linux', 'For your system: Linux'))
  const release = main.getByRole('article').first()
  await expect.poll(() => release.innerText()).toMatch(/\d+\.\d+/)
  const link = release.getByRole('link', { name: translate('Pobierz', 'Download') })
  await expect.poll(() => link.textContent()).toMatch(/[kMG]?B\)/)
  await release.locator('summary').click()
  const sum = (await release.locator('.release__sum .mono').textContent())!
  expect(sum).toMatch(/^[0-9a-f]{64}$/)
})

/** The texts of each, in order: what it is, its status, its consequence, what to do. */
const noticeTexts = [
  'Podpis kwalifikowany w pliku | Wygasł dzisiaj | . Nie można go już odnowić | Trzeba kupić nowy podpis | Kup nowy podpis',
  'Podpis kwalifikowany na karcie lub tokenie | Wygasł 3 dni temu | . Nie można go już odnowić | Trzeba kupić nowy podpis | Kup nowy podpis',
  'Pieczęć w aplikacji mobilnej | Wygasła przedwczoraj | . Nie opatrzysz nią już dokumentu | Trzeba kupić nową | Kup pieczęć',
  'Znaczniki czasu: tsa-09 | Serwer odrzuca żądania Twoich programów. | Brak znaczników | Kup pakiet',
  'Pieczęć w aplikacji mobilnej | Zawieszona | Ważna do | pieczęć złożona podczas zawieszenia jest nieważna | Zadzwoń: +48 22 100 20 30',
  'Podpis kwalifikowany w aplikacji mobilnej | Zawieszony | Ważny do | takie podpisy są nieważne | Zadzwoń: +48 22 100 20 30',
  'Odnowienie podpisu | Do dokończenia | Dokończ je do | Po tym terminie trzeba kupić nowy | Dokończ odnowienie',
  'Podpis kwalifikowany w aplikacji mobilnej | Wygasa za 12 dni | Kancelaria Źródło. Ważny do | Po tym terminie | Odnów podpis',
  'Dostęp do pieczęci | Oczekuje na aktywację | Biuro Zielińska S.A. Zaproszenie jest ważne do | nowe zaproszenie | Przejdź do aktywacji',
  'Odnowienie podpisu | Do dokończenia | Wpisane dane zachowamy do | zacząć od nowa | Dokończ odnowienie',
  'Podpis kwalifikowany na karcie lub tokenie | Wygasa za 30 dni | Ważny do | Po tym terminie | Kup odnowienie',
  'Pieczęć w aplikacji mobilnej | Wygasa za 40 dni | Ważna do | aby uniknąć przerwy | Kup pieczęć',
  'Jeszcze 12 podpisów | Do sprawdzenia | kiedy wygasają i co możesz zrobić | Zobacz swoje podpisy',
  'Podpis kwalifikowany w aplikacji mobilnej | Niepołączony | Działa od | aby podpisywać na telefonie | Połącz z aplikacją',
  'Odnowienie podpisu | Niepołączony | aby podpisywać na telefonie | Połącz z aplikacją',
  'Odnowienie podpisu | W toku | Za chwilę wydamy nowy certyfikat | Zobacz odnowienie',
  'Odnowienie podpisu | Zacznie działać | zacznie działać | Wtedy połączysz | Zobacz odnowienie',
]

test.runIf(exhaustive)('HOM-3 each notice says what to do, the most urgent first; a button shows more', async () => {
  const page = await portal.openPage()
  for (const fake of everyNotice) await fake({ page })
  await portal.signIn(page, 'nowy')
  const main = page.getByRole('main')
  const [others, underWay] = [main.locator('.home__more').first(), main.locator('.home__more').nth(1)]
  const rest = others.getByRole('button', { name: 'Pokaż jeszcze 9' })
  await rest.waitFor()
  expect(await main.getByRole('article').count()).toBe(2)
  expect(await others.getByRole('listitem').count()).toBe(4)
  // Every red one is shown.
  expect(await main.locator('.badge--error-strong').count()).toBe(6)
  await underWay.getByRole('heading', { name: 'W\u00a0toku – nie musisz nic robić' }).waitFor()
  expect(await underWay.getByRole('listitem').count()).toBe(2)
  await main.getByText(/Masz 15\u00a0rzeczy do zrobienia/).waitFor()

  await rest.press('Enter')
  await untilFocused(others.getByRole('listitem').nth(4).locator('b').first())
  const notices = main.locator('article, .home__notices > li')
  await expect.poll(() => notices.count()).toBe(noticeTexts.length)
  const texts = (await notices.allInnerTexts()).map((text) => text.replaceAll('\u00a0', ' ').replace(/\s+/g, ' '))
  for (const [i, text] of noticeTexts.entries()) for (const part of text.split(' | ')) expect(texts[i]).toContain(part)
  // Five renewals of one customer are told apart by their numbers.
  expect(new Set(texts.flatMap((text) => /R-\w{4}-\w{4}/.exec(text)?.[0] ?? [])).size).toBe(5)
  expect(await main.locator('.button--primary').count()).toBe(1)
  await others.getByRole('button', { name: 'Pokaż mniej' }).press('Enter')
  await untilFocused(rest)
  expect(await others.getByRole('listitem').count()).toBe(4)
})

/** Lets requests of a read fail until the connection is mended and they are made again; those wait for the returned function. */
async function breakLine(page: Page, read: Endpoint) {
  const held = Promise.withResolvers<void>()
  let fails = true
  await intercept(read, async (route) => {
    if (fails) return refuseCall(route, 'not-found')
    await held.promise
    return route.continue()
  })({ page })
  return {
    async mend(retry: () => Promise<unknown>) {
      fails = false
      const asked = page.waitForRequest(`**${read.path}`)
      await retry()
      await asked
      return held.resolve
    },
  }
}

test.runIf(exhaustive)('HOM-3 a part and a tile that cannot be loaded are retried while the rest stays', async () => {
  const page = await portal.openPage()
  const documents = await breakLine(page, summariseDocuments)
  await portal.signIn(page, 'malgorzata')
  const notices = page.getByRole('main').getByRole('article')
  await expect.poll(() => notices.count()).toBe(2)
  const again = page.getByRole('button', { name: 'Spróbuj ponownie' })
  const answer = await documents.mend(() => again.press('Enter'))
  await again.waitFor({ state: 'detached' })
  expect(await notices.count()).toBe(2)
  answer()
  await notices.first().getByRole('heading', { name: '2\u00a0dokumenty do podpisania' }).waitFor()

  const seals = await breakLine(page, summariseSeals)
  await page.goto('/home')
  const tiles = page.locator('.tiles > li')
  await tiles.first().getByRole('link', { name: 'Podpis kwalifikowany 2 aktywne' }).waitFor()
  const failed = tiles.nth(1).getByRole('button', { name: 'Pieczęć kwalifikowana Nie udało się wczytać.' })
  const answerSeals = await seals.mend(() => failed.press('Enter'))
  await tiles.nth(1).getByRole('button', { name: 'Wczytujemy…' }).waitFor()
  answerSeals()
  const link = tiles.nth(1).getByRole('link', { name: 'Pieczęć kwalifikowana 1 aktywna, 1 oczekuje' })
  await link.waitFor()
  await untilFocused(link)
})

test('HOM-4 a customer whose first signature begins tomorrow is not asked to buy one', async () => {
  await portal.owner.query(
    `update accounts set password_hash = (select password_hash from accounts where login = 'nowy') where login = 'emma'`,
  )
  const page = await portal.openAs('emma', { locale: 'en' })
  await page.getByRole('heading', { name: /^You can use your signature from \d+ \w+ \d{4}/ }).waitFor()
  const card = page.locator('section[aria-labelledby=attention]')
  await expect.poll(() => card.getByRole('link').allInnerTexts()).toEqual(['View your signatures'])
})

test.runIf(exhaustive)('HOM-3 a missing answer delays the others for ten seconds at most', async () => {
  const page = await portal.openAs('malgorzata', { clock: true, to: '/software' })
  let asked = 0
  // The first call hangs; the second is answered.
  await intercept(summariseTimestamps, (route) => (++asked > 1 ? route.continue() : undefined))({ page })
  await page.goto('/home')
  await expect.poll(() => asked).toBe(1)
  await page.locator('.waiting').first().waitFor()
  await page.clock.runFor(11_000)
  await page.getByRole('main').getByRole('article').first().waitFor()
  await page.getByRole('heading', { name: 'Nie udało się wczytać: znaczniki czasu' }).waitFor()
  const again = page.getByRole('button', { name: 'Spróbuj ponownie' })
  await again.press('Enter')
  await again.waitFor({ state: 'detached' })
  expect(asked).toBe(2)
})
