import { describe, expect, test } from 'vitest'
import { locales, openPortal, say } from './open-portal.ts'

const portal = await openPortal()

describe.each(locales)('%s', (locale) => {
  test('HOM-1 HOM-3 home greets by name and shows the documents to sign, then the certificate that expires first, with its date and what to do', async () => {
    const page = await portal.openPage({ locale })
    await portal.signIn(page, 'malgorzata', { locale })
    const main = page.getByRole('main')
    await main.getByRole('heading', { level: 1, name: 'Małgorzata Wiśniewska' }).waitFor()
    const item = main.getByRole('article')
    await item.first().waitFor()
    expect(await item.count()).toBe(2)
    expect((await item.first().innerText()).replaceAll('\u00a0', ' ')).toContain(
      say(locale, { pl: '2 dokumenty do podpisania', en: '2 documents to sign' }),
    )
    expect((await item.nth(1).innerText()).replaceAll('\u00a0', ' ')).toContain(
      say(locale, { pl: 'Wygasa za 12 dni', en: 'Expires in 12 days' }),
    )
    // Then the seal that waits for her, and the document that is done.
    expect((await main.locator('.home__matters').innerText()).replaceAll('\u00a0', ' ')).toMatch(
      say(locale, {
        pl: /Dostęp do pieczęci[^]*Umowa o podpis[^]*Gotowy do pobrania/,
        en: /Access to a seal[^]*Signature agreement[^]*Ready to download/,
      }),
    )
    expect(
      await main
        .getByText(say(locale, { pl: /Czekają na Ciebie 4\u00a0sprawy/, en: /4 matters wait for you/ }))
        .count(),
    ).toBe(1)
  })

  test('HOM-1 home leads to shops, knowledge, suspension and documents, and names the support with its hours', async () => {
    const page = await portal.openPage({ locale })
    await portal.signIn(page, 'wilhelmina', { locale })
    const main = page.getByRole('main')
    const labels = say(locale, {
      pl: 'Odnowienie podpisu|Nowy podpis|Pieczęć|Znacznik czasu|Znajdź punkt sprzedaży|Zawieś lub unieważnij certyfikat|Baza wiedzy: pierwsze kroki|Dokumenty i\u00a0regulaminy',
      en: 'Signature renewal|New signature|Seal|Timestamp|Find a sales point|Suspend or revoke a certificate|Knowledge base: first steps|Documents and terms',
    }).split('|')
    for (const label of labels) {
      const link = main.locator('.links').getByRole('link', { name: label })
      await link.waitFor()
      expect(await link.getAttribute('href')).toMatch(/^https:\/\//)
      expect(await link.getAttribute('rel')).toContain('noopener')
    }
    expect(await main.innerText()).toContain(say(locale, { pl: 'pon.–pt. 8:00–17:00', en: 'Mon–Fri 8:00–17:00' }))
  })

  test('HOM-3 where nothing is urgent, home says so and names the next date', async () => {
    const page = await portal.openPage({ locale })
    await portal.signIn(page, 'wilhelmina', { locale })
    await page
      .getByRole('heading', { name: say(locale, { pl: 'Wszystko w\u00a0porządku', en: 'All is well' }) })
      .waitFor()
    await page.getByText(say(locale, { pl: 'Najbliższy termin: ', en: 'The next date: ' })).waitFor()
  })

  test('HOM-3 a newcomer is shown the first steps', async () => {
    const page = await portal.openPage({ locale })
    await portal.signIn(page, 'nowy', { locale })
    await page.getByRole('heading', { name: say(locale, { pl: 'Zacznij tutaj', en: 'Start here' }) }).waitFor()
    expect(await page.locator('.home__how > li').count()).toBe(3)
  })

  test('SOF-1 programs stand under their platform with version, size and checksum, the own platform first', async () => {
    const page = await portal.openPage({ locale })
    await portal.signIn(page, 'nowy', { locale, to: '/software' })
    const main = page.getByRole('main')
    const sections = main.getByRole('heading', { level: 2 })
    await sections.first().waitFor()
    expect(await sections.first().textContent()).toBe(
      say(locale, { pl: 'Dla Twojego systemu: Linux', en: 'For your system: Linux' }),
    )
    const release = main.getByRole('article').first()
    expect(await release.innerText()).toMatch(/\d+\.\d+/)
    const link = release.getByRole('link', { name: say(locale, { pl: 'Pobierz', en: 'Download' }) })
    expect(await link.textContent()).toMatch(/[kMG]?B\)/)
    await release.locator('summary').click()
    const sum = (await release.locator('.release__sum .mono').textContent())!
    expect(sum).toMatch(/^[0-9a-f]{64}$/)
  })

  test('the questions open by address and are searched, and the accessibility statement is at hand', async () => {
    const page = await portal.openPage({ locale })
    await page.goto(say(locale, { pl: '/faq#forgot-password', en: '/en/faq#forgot-password' }))
    await page.locator('#forgot-password[open]').waitFor()
    await page.getByRole('searchbox').fill('zzzz')
    await page.getByText(say(locale, { pl: 'Nie ma takich pytań.', en: 'There are no such questions.' })).waitFor()
    await page.getByRole('searchbox').fill(say(locale, { pl: 'kod', en: 'code' }))
    await page.getByText(say(locale, { pl: /^Znaleziono: \d/, en: /^Found: \d/ })).waitFor()
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

const summary = (of: string) => `**/api/${of}/summary`

test('HOM-3 HTT-1 what cannot be read says so in its place, and is asked for again while the rest stays', async () => {
  const page = await portal.openPage()
  const held = Promise.withResolvers<void>()
  let fails = true
  await page.route(summary('documents'), async (route) => {
    if (fails)
      return route.fulfill({
        status: 404,
        contentType: 'application/problem+json',
        body: JSON.stringify({ type: 'about:blank', title: 'Not found', status: 404, code: 'not-found' }),
      })
    await held.promise
    return route.continue()
  })
  await portal.signIn(page, 'malgorzata')
  const matters = page.getByRole('main').getByRole('article')
  await matters.first().waitFor()
  expect(await matters.count()).toBe(2)
  const again = page.getByRole('button', { name: 'Spróbuj ponownie' })
  fails = false
  const asked = page.waitForRequest(summary('documents'))
  await again.press('Enter')
  await asked
  await again.waitFor({ state: 'detached' })
  expect(await matters.count()).toBe(2)
  held.resolve()
  await matters.first().getByText('2\u00a0dokumenty do podpisania').waitFor()
})

test('HOM-3 whose only seal or timestamp account is not active is not told that all is well', async () => {
  const page = await portal.openPage()
  const gone = {
    seals: 'Żadna pieczęć nie jest teraz aktywna',
    timestamps: 'Żadne konto znaczników nie jest teraz aktywne',
  }
  for (const [of, heading] of Object.entries(gone)) {
    await page.route(summary(of), async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), active: 0, inactive: 1 } })
    })
    if (of === 'seals') await portal.signIn(page, 'nowy')
    else await page.goto('/home')
    await page.getByRole('heading', { name: heading }).waitFor()
    await page.unroute(summary(of))
  }
})

test('HOM-3 an answer that does not come can be asked for again', async () => {
  const page = await portal.openPage()
  await portal.signIn(page, 'malgorzata', { to: '/software' })
  await page.clock.install()
  let asked = 0
  // The first call hangs, and only a second one brings it.
  await page.route(summary('timestamps'), (route) => (++asked > 1 ? route.continue() : undefined))
  await page.goto('/home')
  await expect.poll(() => asked).toBe(1)
  await page.locator('.waiting').first().waitFor()
  await page.clock.runFor(11_000)
  await page.getByRole('button', { name: 'Spróbuj ponownie' }).press('Enter')
  await page.getByRole('main').getByRole('article').first().waitFor()
  expect(asked).toBe(2)
})

test('HOM-3 a signature that is soon over is named beside the one that takes its place', async () => {
  const page = await portal.openPage()
  await portal.signIn(page, 'tomasz')
  const item = page.getByRole('main').getByRole('article').first()
  await item.waitFor()
  expect((await item.innerText()).replaceAll('\u00a0', ' ')).toContain('Wygasa za 5 dni')
})
