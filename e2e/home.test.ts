import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { summariseDocuments } from '../contract/documents.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { summariseSeals } from '../contract/seals.ts'
import { summariseTimestamps } from '../contract/timestamps.ts'
import { exhaustive, languages } from '../server/testing/breadth.ts'
import { everyNotice, noneActive } from './testing/samples/home-notices.ts'
import { intercept, refuseCall } from './testing/fake-replies.ts'
import { untilFocused } from './testing/browser-pages.ts'
import { openPortal, say, see } from './testing/open-portal.ts'

const portal = await openPortal()
/** The text of a part, which may still be changing: the answers arrive one after the other. */
const textOf = async (part: Locator) => (await part.innerText()).replaceAll('\u00a0', ' ')

describe.each(languages('pl'))('%s', (locale) => {
  test('HOM-1 HOM-3 home greets by name and shows the documents to sign, then the certificate that expires first, with its date and what to do', async () => {
    const page = await portal.openPage({ locale })
    await portal.signIn(page, 'malgorzata', { locale })
    const main = page.getByRole('main')
    await main.getByRole('heading', { level: 1, name: 'Małgorzata Wiśniewska' }).waitFor()
    const item = main.getByRole('article')
    await item.first().waitFor()
    await expect.poll(() => item.count()).toBe(2)
    await expect
      .poll(() => textOf(item.first()))
      .toContain(say(locale, { pl: '2 dokumenty do podpisania', en: '2 documents to sign' }))
    await expect
      .poll(() => textOf(item.nth(1)))
      .toContain(say(locale, { pl: 'Wygasa za 12 dni', en: 'Expires in 12 days' }))
    // Then the seal that waits for her, and the finished document.
    await expect
      .poll(() => textOf(main.locator('.home__notices')))
      .toMatch(
        say(locale, {
          pl: /Dostęp do pieczęci[^]*potem trzeba będzie poprosić[^]*Przejdź do aktywacji[^]*Umowa o podpis[^]*Do pobrania[^]*Przejdź do dokumentu/,
          en: /Access to a seal[^]*or you’ll need a new[^]*Go to activation[^]*Signature agreement[^]*Ready to download[^]*Go to document/,
        }),
      )
    await see(main, locale, { pl: /Masz 4\u00a0rzeczy do zrobienia/, en: /4 things need your attention/ })
  })

  test('HOM-1 HOM-3 where nothing is urgent, home says so and names the next date; it leads to shops, knowledge, suspension and documents, and names the support with its hours', async () => {
    const page = await portal.openPage({ locale })
    await portal.signIn(page, 'wilhelmina', { locale })
    const main = page.getByRole('main')
    const labels = say(locale, {
      pl: 'Odnowienie podpisu|Nowy podpis|Pieczęć|Znacznik czasu|Znajdź punkt obsługi|Baza wiedzy: pierwsze kroki|Dokumenty i\u00a0regulaminy',
      en: 'Signature renewal|New signature|Seal|Timestamp|Find a branch|Knowledge base: first steps|Documents and terms',
    }).split('|')
    for (const label of labels) {
      const link = main.locator('.links').getByRole('link', { name: label })
      await link.waitFor()
      await expect.poll(() => link.getAttribute('href')).toMatch(/^https:\/\//)
      await expect.poll(() => link.getAttribute('rel')).toContain('noopener')
    }
    const suspend = say(locale, { pl: 'Zawieś lub unieważnij certyfikat', en: 'Suspend or revoke a certificate' })
    expect(await main.getByRole('link', { name: suspend }).getAttribute('href')).toMatch(/\/certificates\/signatures$/)
    await expect
      .poll(() => main.innerText())
      .toContain(say(locale, { pl: 'pon.–pt. 8:00–17:00', en: 'Mon–Fri 8:00–17:00' }))
    await page
      .getByRole('heading', { name: say(locale, { pl: 'Wszystko w\u00a0porządku', en: 'You’re all set' }) })
      .waitFor()
    await see(page, locale, { pl: 'Najbliższe wygaśnięcie: ', en: 'Next expiry: ' })
  })

  test.runIf(exhaustive)(
    'HOM-3 UIX-6 every kind of notice has its status, its date, its consequence and one action, the most urgent first; „Biuro Zielińska S.A.” gets no second full stop',
    async () => {
      const page = await portal.openPage({ locale })
      for (const fake of everyNotice) await fake({ page })
      await portal.signIn(page, 'nowy', { locale })
      const main = page.getByRole('main')
      const notices = main.locator('article, .home__notices > li')
      await main.getByRole('button', { name: restButton[locale] }).press('Enter')
      await expect.poll(() => notices.count()).toBe(noticeTexts.length)
      const texts = (await notices.allInnerTexts()).map((text) => text.replaceAll('\u00a0', ' ').replace(/\s+/g, ' '))
      for (const [i, text] of noticeTexts.entries())
        for (const part of say(locale, text).split(' | ')) expect(texts[i]).toContain(part)
      expect(texts.join()).not.toContain('..')
      // Five renewals of one customer are told apart by their numbers.
      expect(new Set(texts.flatMap((text) => /R-\w{4}-\w{4}/.exec(text)?.[0] ?? [])).size).toBe(5)
      await expect.poll(() => main.locator('.btn--primary').count()).toBe(1)
    },
  )

  test.runIf(exhaustive)(
    'HOM-3 of many notices the five most urgent and all red ones are shown, the others at the press of a button, and what is under way is apart',
    async () => {
      const page = await portal.openPage({ locale })
      for (const fake of everyNotice) await fake({ page })
      await portal.signIn(page, 'nowy', { locale })
      const main = page.getByRole('main')
      const [others, underWay] = [main.locator('.home__more').first(), main.locator('.home__more').nth(1)]
      const rest = others.getByRole('button', { name: restButton[locale] })
      await rest.waitFor()
      expect(await main.getByRole('article').count()).toBe(2)
      expect(await others.getByRole('listitem').count()).toBe(4)
      expect(await main.locator('.badge--err-strong').count()).toBe(6)
      await underWay
        .getByRole('heading', {
          name: say(locale, { pl: 'W\u00a0toku – nie musisz nic robić', en: 'In progress – nothing for you to do' }),
        })
        .waitFor()
      expect(await underWay.getByRole('listitem').count()).toBe(2)
      await see(main, locale, { pl: /Masz 15\u00a0rzeczy do zrobienia/, en: /15 things need your attention/ })

      expect(await rest.getAttribute('aria-expanded')).toBe('false')
      await rest.press('Enter')
      await untilFocused(others.getByRole('listitem').nth(4).locator('b').first())
      expect(await others.getByRole('listitem').count()).toBe(13)
      const fewer = others.getByRole('button', { name: say(locale, { pl: 'Pokaż mniej', en: 'Show fewer' }) })
      expect(await fewer.getAttribute('aria-expanded')).toBe('true')
      await fewer.press('Enter')
      await untilFocused(rest)
      expect(await others.getByRole('listitem').count()).toBe(4)
      expect(await main.locator('.badge--err-strong').count()).toBe(6)
    },
  )

  test('HOM-3 a newcomer is shown the first steps', async () => {
    const page = await portal.openPage({ locale })
    await portal.signIn(page, 'nowy', { locale })
    await page.getByRole('heading', { name: say(locale, { pl: 'Zacznij tutaj', en: 'Start here' }) }).waitFor()
    await expect.poll(() => page.locator('.home__how > li').count()).toBe(3)
  })

  test('SOF-1 programs are listed under their platform with version, size and checksum, the visitor’s platform first', async () => {
    const page = await portal.openPage({ locale })
    await portal.signIn(page, 'nowy', { locale, to: '/software' })
    const main = page.getByRole('main')
    const sections = main.getByRole('heading', { level: 2 })
    await sections.first().waitFor()
    await expect
      .poll(() => sections.first().textContent())
      .toBe(say(locale, { pl: 'Dla Twojego systemu: Linux', en: 'For your system: Linux' }))
    const release = main.getByRole('article').first()
    await expect.poll(() => release.innerText()).toMatch(/\d+\.\d+/)
    const link = release.getByRole('link', { name: say(locale, { pl: 'Pobierz', en: 'Download' }) })
    await expect.poll(() => link.textContent()).toMatch(/[kMG]?B\)/)
    await release.locator('summary').click()
    const sum = (await release.locator('.release__sum .mono').textContent())!
    expect(sum).toMatch(/^[0-9a-f]{64}$/)
  })

  test('the questions open by address and can be searched, and the accessibility statement is linked', async () => {
    const page = await portal.openPage({ locale })
    await page.goto(say(locale, { pl: '/faq#forgot-password', en: '/en/faq#forgot-password' }))
    await page.locator('[open] > #forgot-password').waitFor()
    await page.getByRole('searchbox').fill('zzzz')
    await see(page, locale, { pl: 'Nie znaleziono pytań.', en: 'No questions found.' })
    await page.getByRole('searchbox').fill(say(locale, { pl: 'kod', en: 'code' }))
    await see(page, locale, { pl: /^Znaleziono \d/, en: /^\d+ questions? found/ })
    await page
      .getByRole('contentinfo')
      .getByRole('link', { name: say(locale, { pl: 'Deklaracja dostępności', en: 'Accessibility statement' }) })
      .click()
    await page
      .getByRole('heading', {
        level: 1,
        name: say(locale, { pl: 'Deklaracja dostępności', en: 'Accessibility statement' }),
      })
      .waitFor()
  })
})

const restButton = { pl: 'Pokaż jeszcze 9', en: 'Show 9 more' }

/** The texts of each, in order: what it is, its status, its consequence, what to do. */
const noticeTexts = [
  {
    pl: 'Podpis kwalifikowany w pliku | Wygasł dzisiaj | . Nie można go już odnowić | Trzeba kupić nowy podpis | Kup nowy podpis',
    en: 'Qualified signature in a file | Expired today | . It can no longer be renewed | need to buy a new | Buy a new signature',
  },
  {
    pl: 'Podpis kwalifikowany na karcie lub tokenie | Wygasł 3 dni temu | . Nie można go już odnowić | Trzeba kupić nowy podpis | Kup nowy podpis',
    en: 'Qualified signature on a card or token | Expired 3 days ago | . It can no longer be renewed | need to buy a new | Buy a new signature',
  },
  {
    pl: 'Pieczęć w aplikacji mobilnej | Wygasła przedwczoraj | . Nie opatrzysz nią już dokumentu | Trzeba kupić nową | Kup pieczęć',
    en: 'Seal in the mobile app | Expired 2 days ago | . You can’t seal documents with it | need to buy a new one | Buy a seal',
  },
  {
    pl: 'Znaczniki czasu: tsa-09 | Serwer odrzuca żądania Twoich programów. | Brak znaczników | Kup pakiet',
    en: 'Timestamps: tsa-09 | Your software’s requests are being rejected. | No timestamps left | Buy a package',
  },
  {
    pl: 'Pieczęć w aplikacji mobilnej | Zawieszona | Ważna do | pieczęć złożona podczas zawieszenia jest nieważna | Zadzwoń: +48 22 100 20 30',
    en: 'Seal in the mobile app | Suspended | Valid until | seals made with it aren’t valid | Call +48 22 100 20 30',
  },
  {
    pl: 'Podpis kwalifikowany w aplikacji mobilnej | Zawieszony | Ważny do | takie podpisy są nieważne | Zadzwoń: +48 22 100 20 30',
    en: 'Qualified signature in the mobile app | Suspended | Valid until | signatures made with it aren’t valid | Call +48 22 100 20 30',
  },
  {
    pl: 'Odnowienie podpisu | Do dokończenia | Dokończ je do | Po tym terminie trzeba kupić nowy | Dokończ odnowienie',
    en: 'Signature renewal | Not finished | Finish it by | After that you’ll have to buy a new | Finish renewal',
  },
  {
    pl: 'Podpis kwalifikowany w aplikacji mobilnej | Wygasa za 12 dni | Kancelaria Źródło. Ważny do | Po tym terminie | Odnów podpis',
    en: 'Qualified signature in the mobile app | Expires in 12 days | Kancelaria Źródło. Valid until | Afterwards | Renew signature',
  },
  {
    pl: 'Dostęp do pieczęci | Oczekuje na aktywację | Biuro Zielińska S.A. Zaproszenie jest ważne do | nowe zaproszenie | Przejdź do aktywacji',
    en: 'Access to a seal | Awaiting activation | Biuro Zielińska S.A. The invitation is valid until | new invitation | Go to activation',
  },
  {
    pl: 'Odnowienie podpisu | Do dokończenia | Wpisane dane zachowamy do | zacząć od nowa | Dokończ odnowienie',
    en: 'Signature renewal | Not finished | We’ll keep your answers until | start again | Finish renewal',
  },
  {
    pl: 'Podpis kwalifikowany na karcie lub tokenie | Wygasa za 30 dni | Ważny do | Po tym terminie | Kup odnowienie',
    en: 'Qualified signature on a card or token | Expires in 30 days | Valid until | Afterwards | Buy a renewal',
  },
  {
    pl: 'Pieczęć w aplikacji mobilnej | Wygasa za 40 dni | Ważna do | aby uniknąć przerwy | Kup pieczęć',
    en: 'Seal in the mobile app | Expires in 40 days | Valid until | to avoid a gap | Buy a seal',
  },
  {
    pl: 'Jeszcze 12 podpisów | Do sprawdzenia | kiedy wygasają i co możesz zrobić | Zobacz swoje podpisy',
    en: '12 more signatures | Check dates | the dates and what you can do | View your signatures',
  },
  {
    pl: 'Podpis kwalifikowany w aplikacji mobilnej | Niepołączony | Działa od | aby podpisywać na telefonie | Połącz z aplikacją',
    en: 'Qualified signature in the mobile app | Not connected | Valid since | to sign on your phone | Connect to the app',
  },
  {
    pl: 'Odnowienie podpisu | Niepołączony | aby podpisywać na telefonie | Połącz z aplikacją',
    en: 'Signature renewal | Not connected | to sign on your phone | Connect to the app',
  },
  {
    pl: 'Odnowienie podpisu | W toku | Za chwilę wydamy nowy certyfikat | Zobacz odnowienie',
    en: 'Signature renewal | In progress | We’ll issue the new certificate in a moment | View renewal',
  },
  {
    pl: 'Odnowienie podpisu | Zacznie działać | zacznie działać | Wtedy połączysz | Zobacz odnowienie',
    en: 'Signature renewal | Starts | starts on | You can connect it to the app then | View renewal',
  },
]

/** Requests of a read fail until the connection is repaired; the next ones then wait for `answer`. */
async function breakLine(page: Page, read: Endpoint) {
  const held = Promise.withResolvers<void>()
  let fails = true
  await intercept(read, async (route) => {
    if (fails) return refuseCall(route, 'not-found')
    await held.promise
    return route.continue()
  })({ page })
  return { mend: () => void (fails = false), answer: held.resolve }
}

test.runIf(exhaustive)(
  'HOM-3 HTT-1 a part that cannot be loaded says so in its place, and can be retried while the rest stays',
  async () => {
    const page = await portal.openPage()
    const line = await breakLine(page, summariseDocuments)
    await portal.signIn(page, 'malgorzata')
    const notices = page.getByRole('main').getByRole('article')
    await notices.first().waitFor()
    await expect.poll(() => notices.count()).toBe(2)
    const again = page.getByRole('button', { name: 'Spróbuj ponownie' })
    line.mend()
    const asked = page.waitForRequest(`**${summariseDocuments.path}`)
    await again.press('Enter')
    await asked
    await again.waitFor({ state: 'detached' })
    await expect.poll(() => notices.count()).toBe(2)
    line.answer()
    await notices.first().getByRole('heading', { name: '2\u00a0dokumenty do podpisania' }).waitFor()
  },
)

test.runIf(exhaustive)(
  'HOM-3 ERR-5 a service that cannot be loaded says so in its tile, and can be retried there by keyboard',
  async () => {
    const page = await portal.openPage()
    const line = await breakLine(page, summariseSeals)
    await portal.signIn(page, 'malgorzata')
    const tiles = page.locator('.tiles > li')
    const failed = tiles.nth(1).getByRole('button', { name: 'Pieczęć kwalifikowana Nie udało się wczytać.' })
    await failed.waitFor()
    await tiles.first().getByRole('link', { name: 'Podpis kwalifikowany 2 aktywne' }).waitFor()
    line.mend()
    const asked = page.waitForRequest(`**${summariseSeals.path}`)
    await failed.press('Enter')
    await asked
    await tiles.nth(1).getByRole('button', { name: 'Wczytujemy…' }).waitFor()
    line.answer()
    const link = tiles.nth(1).getByRole('link', { name: 'Pieczęć kwalifikowana 1 aktywna, 1 oczekuje' })
    await link.waitFor()
    await untilFocused(link)
  },
)

test.runIf(exhaustive)(
  'HOM-3 a customer whose only seal or timestamp account is not active does not see that all is well',
  async () => {
    const page = await portal.openPage()
    const gone = [
      [summariseSeals, 'Żadna pieczęć nie jest teraz aktywna'],
      [summariseTimestamps, 'Żadne konto znaczników nie jest teraz aktywne'],
    ] as const
    for (const [summary, heading] of gone) {
      await noneActive(summary)({ page })
      if (summary === summariseSeals) await portal.signIn(page, 'nowy')
      else await page.goto('/home')
      await page.getByRole('heading', { name: heading }).waitFor()
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    }
  },
)

test('HOM-4 a customer whose first signature begins tomorrow sees when, and is not asked to buy one', async () => {
  await portal.owner.query(
    `update accounts set password_hash = (select password_hash from accounts where login = 'nowy') where login = 'emma'`,
  )
  const page = await portal.openPage({ locale: 'en' })
  await portal.signIn(page, 'emma', { locale: 'en' })
  await page.getByRole('heading', { name: /^You can use your signature from \d+ \w+ \d{4}/ }).waitFor()
  const card = page.locator('section[aria-labelledby=attention]')
  await expect.poll(() => card.getByRole('link').allInnerTexts()).toEqual(['View your signatures'])
})

test.runIf(exhaustive)(
  'HOM-3 a missing answer delays the others for ten seconds at most, and can be requested again',
  async () => {
    const page = await portal.openPage({ clock: true })
    await portal.signIn(page, 'malgorzata', { to: '/software' })
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
  },
)
