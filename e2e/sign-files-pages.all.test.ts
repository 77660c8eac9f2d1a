import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { languages } from '../server/testing/breadth.ts'
import { findings } from './testing/axe-findings.ts'
import { phone } from './testing/browser-pages.ts'
import { customerOf } from './testing/demonstration-run.ts'
import { filed } from './testing/document-cases.ts'
import { openPortal, say } from './testing/open-portal.ts'
import { agreement } from './testing/samples/agreement.ts'

const portal = await openPortal()
const person = customerOf('malgorzata')
const file = await agreement()

describe.each(languages('pl'))('%s', (locale) => {
  const translate = (pl: string, en: string) => say(locale, { pl, en })

  async function choose(viewport: { width: number; height: number }, ...names: string[]) {
    const page = await portal.openPage({ locale, viewport })
    await portal.signIn(page, person.login, { locale, to: '/sign' })
    await page.locator('.drop input[type=file]:enabled').setInputFiles(names.map((name) => filed(file, name)))
    await submit(page).waitFor()
    return page
  }
  const submit = (page: Page) => page.locator('.signform button[type=submit]:not([aria-disabled=true])')
  const pagesOf = (page: Page, name: string) =>
    page.getByRole('region', { name: `${translate('Strony dokumentu', 'Pages of the document')}: ${name}` })
  const isInView = (page: Page, height: number) =>
    submit(page).evaluate((button, most) => {
      const { top, bottom } = button.getBoundingClientRect()
      return top >= 0 && bottom <= most
    }, height)

  test('SGN-22 SGN-24 SGN-25 next to the form the file is read, and its visible signature is put on the page by pointer and by keyboard', async () => {
    const window = { width: 1440, height: 900 }
    const page = await choose(window, 'a.pdf', 'b.pdf')
    await pagesOf(page, 'a.pdf').locator('canvas:not([hidden])').waitFor()
    await page.getByRole('button', { name: `${translate('Czytaj', 'Read')} b.pdf` }).click()
    await pagesOf(page, 'b.pdf').locator('canvas:not([hidden])').waitFor()
    expect(await pagesOf(page, 'a.pdf').count()).toBe(0)
    await page.getByText(translate('Podpiszesz 2 pliki', 'You’re signing 2 files')).waitFor()
    expect(await isInView(page, window.height)).toBe(true)

    await page.locator('label:has(input[value=visible])').click()
    // The last page, where a signature usually is.
    const places = page.getByRole('radiogroup', {
      name: translate('Miejsce podpisu na stronie', 'Position of the signature on the page'),
    })
    const place = (pl: string, en: string) => places.getByRole('radio', { name: translate(pl, en), exact: true })
    // The page says so too, in its own text.
    await page.locator('.reader__at', { hasText: translate('Strona 3 z\u00a03', 'Page 3 of 3') }).waitFor()
    // Until it is drawn, the places are those of the page before.
    await place('U\u00a0dołu po prawej', 'Bottom right').and(page.locator(':checked')).waitFor({ state: 'attached' })
    const chosen = page.locator('.signform [data-name=place]')
    await place('U\u00a0dołu po prawej', 'Bottom right').press('ArrowUp')
    await expect.poll(() => chosen.textContent()).toBe(translate('Po prawej', 'Right'))
    expect(await place('Po prawej', 'Right').evaluate((input) => input === document.activeElement)).toBe(true)
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => chosen.textContent()).toBe(translate('Na środku', 'Middle'))
    await places.locator('[data-place=top-left]').click()
    await expect.poll(() => chosen.textContent()).toBe(translate('U\u00a0góry po lewej', 'Top left'))
    // Another page is chosen on that page.
    await page.getByRole('button', { name: translate('Poprzednia strona', 'Previous page') }).click()
    await places.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: translate('Poprzednia strona', 'Previous page') }).click()
    await places.locator('[data-place=top]').click()
    await expect
      .poll(() => page.locator('.signform [data-name=page]').textContent())
      .toBe(translate('Pierwsza', 'First'))
    expect(await findings(page)).toEqual([])
  })

  test('SGN-24 a dragged signature is moved on by arrow keys, a press that began elsewhere moves none, and without a file the form begins anew', async () => {
    const page = await choose({ width: 1440, height: 1400 }, 'a.pdf')
    await page.locator('label:has(input[value=visible])').click()
    const chosen = page.locator('.signform [data-name=place]')
    // The last page is shown.
    await page.locator('.signspot:has(:checked)').waitFor()
    const drag = async (from: string, to: string) => {
      await page.locator(from).hover()
      await page.mouse.down()
      await page.locator(to).hover()
      await page.mouse.up()
    }
    await drag('[data-place=bottom-right]', '[data-place=middle]')
    await expect.poll(() => chosen.textContent()).toBe(translate('Na środku', 'Middle'))
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => chosen.textContent()).toBe(translate('U\u00a0góry na środku', 'Top centre'))
    await drag('.signform .hint', '[data-place=middle]')
    await expect.poll(() => chosen.textContent()).toBe(translate('U\u00a0góry na środku', 'Top centre'))

    await page.getByRole('button', { name: `${translate('Usuń', 'Remove')}: a.pdf` }).click()
    await page.locator('.drop input[type=file]').setInputFiles(filed(file, 'b.pdf'))
    await submit(page).waitFor()
    expect(await page.locator('input[value=invisible]').isChecked()).toBe(true)
    expect(await page.locator('.signspots, .signform [data-name=place]').count()).toBe(0)
  })

  test('SGN-22 DOC-12 a page asks to be scrolled only while the window hides a part of it', async () => {
    const page = await choose({ width: 1440, height: 900 }, 'a.pdf')
    await page.getByText(translate('Przewiń, aby czytać dalej', 'Scroll to read on')).waitFor()
    await page.setViewportSize({ width: 1440, height: 1800 })
    await page.getByRole('button', { name: translate('Czytaj stronę 2 z\u00a03', 'Read page 2 of 3') }).waitFor()
  })

  test('SGN-22 SGN-24 on a phone the pages, with the place of the signature, are in a dialog', async () => {
    const page = await choose(phone, 'a.pdf')
    expect(await page.locator('.reader').count()).toBe(0)
    await page.locator('label:has(input[value=visible])').click()
    await page.getByRole('button', { name: `${translate('Czytaj', 'Read')} a.pdf` }).click()
    const dialog = page.locator('dialog[open]')
    await dialog.locator('[data-place=bottom]').click()
    expect(await findings(page)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await page.locator('.signform [data-name=place]').textContent()).toBe(
      translate('U\u00a0dołu na środku', 'Bottom centre'),
    )
  })
})
