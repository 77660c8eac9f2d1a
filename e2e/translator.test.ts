import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { pages } from '../contract/pages.ts'
import { readMyData } from '../contract/personal-data.ts'
import { fromBase32, hotp, totpStep } from '../pki/totp.ts'
import { exhaustive } from '../server/testing/breadth.ts'
import { chooseByTyping, phone } from './testing/browser-pages.ts'
import { customerOf, passPassword } from './testing/demonstration-run.ts'
import { openPortal } from './testing/open-portal.ts'
import { openProviderClient, createRenewalCode, request } from './testing/portal-calls.ts'

const portal = await openPortal()
const provider = await openProviderClient(portal)

/**
 * Does what Google's translator does as long as the page is open: each text, and each new one, is replaced by a font element with its
 * translation, which here is the same text, so that a journey finds it. A half of them in one step, the others in two.
 */
function translate() {
  const kept = 'font, [translate=no], script, noscript, style, textarea, select'
  let replaced = 0
  const replace = (text: ChildNode) => {
    const parent = text.parentElement
    if (!parent || parent.closest(kept) || !text.nodeValue?.trim()) return
    const font = document.createElement('font')
    font.append(document.createElement('font'))
    font.firstElementChild!.append(text.nodeValue)
    replaced++
    if (replaced % 2) text.replaceWith(font)
    else {
      text.before(font)
      text.remove()
    }
  }
  const replaceIn = (root: Node) => {
    if (root.nodeType === Node.TEXT_NODE) return replace(root as Text)
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const texts: Text[] = []
    while (walker.nextNode()) texts.push(walker.currentNode as Text)
    texts.forEach(replace)
  }
  new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records)
      if (type === 'characterData') replace(target as Text)
      else for (const node of addedNodes) if (node.isConnected) replaceIn(node)
  }).observe(document, { subtree: true, childList: true, characterData: true })
}

/** Lists the texts of the page that were left out; each line names its element. */
const untranslated = (page: Page) =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const found: string[] = []
    while (walker.nextNode()) {
      const { nodeValue, parentElement } = walker.currentNode
      if (
        nodeValue?.trim() &&
        !parentElement!.closest('font, [translate=no], script, noscript, style, textarea, select')
      )
        found.push(`${parentElement!.tagName}: ${nodeValue}`)
    }
    return found
  })

const shown = (page: Page) => page.locator('main').innerText()

/** Checks that the page shows the same after it is loaded again: no text is outdated, doubled or lost. */
async function expectSameAfterReload(page: Page, heading: RegExp) {
  const before = await shown(page)
  await page.reload()
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  await expect.poll(() => shown(page)).toBe(before)
}

test.runIf(exhaustive)('ERR-6 with a translator that replaces every text a customer signs in and renews', async () => {
  // What is replaced before hydration is rendered again by React, which reports it.
  const page = await portal.openPage({ alone: true, tolerate: /React error #(418|423|425)/ })
  await page.addInitScript(translate)
  const heading = (name: RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
  const press = (name: RegExp) => page.getByRole('button', { name }).click()
  const person = customerOf('malgorzata')
  const sms = () => portal.smsCode(person.phone)
  const code = await createRenewalCode(provider, 'demo-malgorzata-app')

  await page.goto('/')
  // A message comes and goes.
  await passPassword(page, 'malgorzata', 'Wrong-Password-1!')
  await page.locator('.error-summary').waitFor()
  await passPassword(page, 'malgorzata')
  await page.locator('dialog input[name=code]').fill(await sms())
  await page.waitForURL('**/home')
  expect(await page.locator('main font').count()).toBeGreaterThan(10)
  expect(await untranslated(page)).toEqual([])

  await page.locator('.voucher input[name=code]').fill(code)
  await page.locator('.voucher button[type=submit]').click()
  await page.locator('.voucher').getByRole('button', { name: 'Rozpocznij odnowienie' }).click()
  await heading(/Krok 1 z\s4/)
  for (const [name, value] of [
    ['start', 'immediately'],
    ['years', '3'],
  ] as const) {
    const stored = page.waitForResponse(
      (answer) => answer.request().method() === 'PUT' && answer.url().endsWith('/parameters'),
    )
    await page.locator(`input[name=${name}][value="${value}"]`).check()
    await stored
  }
  await expectSameAfterReload(page, /Krok 1 z\s4/)
  await page.locator('.wizard__act button[type=submit]:enabled').click()
  await heading(/Krok 2 z\s4/)
  // Numbers change their text, and change it back.
  const eye = page.getByRole('button', { name: /^Pokaż cały numer/ }).first()
  await eye.click()
  await eye.click()
  await expectSameAfterReload(page, /Krok 2 z\s4/)
  await page.locator('input[name=confirmed]').check()
  await press(/^Potwierdź dane/)
  await heading(/Krok 3 z\s4/)
  await press(/^Wyślij kod SMS/)
  await page.locator('input[name=code]').fill(await sms())
  await page.keyboard.press('Enter')
  await heading(/Krok 4 z\s4/)
  await press(/^Połącz z\saplikacją/)
  const dialog = page.locator('dialog[open]')
  await dialog.locator('input[name=code]').fill(await sms())
  const secret = fromBase32((await dialog.locator('.qr__key').innerText()).replaceAll(' ', ''))!
  await dialog.getByRole('button', { name: /^Mam kod/ }).click()
  await dialog.locator('input[name=code]').fill(hotp(secret, totpStep(new Date())))
  await page.keyboard.press('Enter')
  await heading(/Podpis jest odnowiony/)
  await expectSameAfterReload(page, /Podpis jest odnowiony/)
})

/** E-mail addresses, numbers and codes of every kind. */
const codes = /@|•|(?!SHA-)\b[A-Z]{1,4}-\w*\d{3}|\d{7}|[\da-f]{8}/

test.runIf(exhaustive)('ERR-6 names, addresses, numbers and codes stay on every page, unlike the rest', async () => {
  const page = await portal.openPage({ alone: true, tolerate: /React error #(418|423|425)/ })
  await page.addInitScript(translate)
  const login = 'malgorzata'
  await portal.signIn(page, login)
  const { firstName, surname, email } = await request<{ firstName: string; surname: string; email: string }>(
    page,
    readMyData.path,
  )
  const own = [firstName, surname, email, login]
  const found: string[] = []
  for (const { path, needsSignIn } of Object.values(pages)) {
    if (!needsSignIn || path.includes(':')) continue
    await page.goto(path)
    await page.locator('main font').first().waitFor()
    await expect.poll(() => page.locator('[aria-busy=true], .skeleton').count()).toBe(0)
    const texts = await page.locator('body font > font').allTextContents()
    expect(texts.length).toBeGreaterThan(5)
    expect(await page.locator('.brand b font').count()).toBe(0)
    const mistaken = texts.filter((text) => codes.test(text) || own.some((each) => text.includes(each)))
    found.push(...[...mistaken, ...(await untranslated(page))].map((text) => `${path}: ${text}`))
  }
  await page.goto('/certificates/signatures')
  await page
    .getByRole('button', { name: /^Szczegóły certyfikatu/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Wystawiony dla').waitFor()
  const texts = await dialog.locator('font > font').allTextContents()
  expect(texts.length).toBeGreaterThan(5)
  found.push(...texts.filter((text) => codes.test(text) || own.some((each) => text.includes(each))))
  expect(found).toEqual([])
})

test('ERR-6 a long list stays usable and current while a translator replaces its texts', async () => {
  const page = await portal.openPage({ alone: true, tolerate: /React error #(418|423|425)/, viewport: phone })
  await page.addInitScript(translate)
  await portal.signIn(page, 'zofia', { to: '/certificates/signatures' })
  const rows = page.locator('.certificate-row')
  await rows.first().waitFor()
  const check = async () => {
    await expect.poll(() => page.locator('[aria-busy=true], .skeleton').count()).toBe(0)
    await expect.poll(() => untranslated(page)).toEqual([])
    const texts = await page.locator('main font > font, dialog font > font').allTextContents()
    expect(texts.length).toBeGreaterThan(20)
    expect(texts.filter((text) => codes.test(text) || text.includes('Zofia'))).toEqual([])
  }
  await check()
  const first = rows.first()
  await first.getByRole('button', { name: /^Więcej/ }).click()
  await first.getByRole('button', { name: /^Mniej/ }).waitFor()
  await check()
  await first.getByRole('button', { name: /^Mniej/ }).click()
  await first.getByRole('button', { name: /^Więcej/ }).waitFor()

  // The count in the button and in the sheet comes, changes and goes.
  const filters = page.getByRole('button', { name: /^Filtry/ })
  await filters.click()
  const sheet = page.getByRole('dialog', { name: 'Filtry' })
  await chooseByTyping(sheet.getByRole('combobox', { name: 'Status' }), 'nie')
  await sheet.getByText(/^Znaleziono: \d+/).waitFor()
  await check()
  await page.keyboard.press('Escape')
  await expect.poll(() => filters.innerText()).toMatch(/\(1\)$/)
  await expectSameAfterReload(page, /Podpis kwalifikowany/)
  await filters.click()
  await sheet.getByRole('button', { name: 'Wyczyść' }).click()
  await sheet.getByRole('button', { name: 'Pokaż listę' }).click()
  await expect.poll(() => filters.innerText()).not.toMatch(/\d/)
  const search = page.getByRole('searchbox')
  await search.fill('oddzial nr 12')
  await search.press('Enter')
  await expect.poll(() => rows.count()).toBe(1)
  await expectSameAfterReload(page, /Podpis kwalifikowany/)
  await search.fill('')
  await search.press('Enter')
  await page.getByRole('button', { name: 'Następne' }).and(page.locator(':not([aria-disabled=true])')).click()
  await page.getByText('Strona 2', { exact: true }).waitFor()
  await check()
  await expectSameAfterReload(page, /Podpis kwalifikowany/)
})
