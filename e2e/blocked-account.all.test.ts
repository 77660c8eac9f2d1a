import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { inLocale } from '../contract/pages.ts'
import { limits } from '../contract/limits.ts'
import { languages } from '../server/testing/breadth.ts'
import { customerOf } from './testing/demonstration-run.ts'
import { phone } from './testing/browser-pages.ts'
import { openPortal, say } from './testing/open-portal.ts'

const portal = await openPortal()

const inField = (page: Page, name: string) =>
  page.waitForFunction((field) => document.activeElement?.getAttribute('name') === field, name)

/** Presses Tab until an element with this name or text has the focus; returns how often. */
async function tabTo(page: Page, wanted: string) {
  for (let tabs = 1; tabs < 40; tabs++) {
    await page.keyboard.press('Tab')
    const [name, text] = await page.evaluate(() => [
      document.activeElement?.getAttribute('name'),
      document.activeElement?.textContent?.trim(),
    ])
    if (name === wanted || text === wanted) return tabs
  }
  throw new Error(`Tab does not reach ${wanted}.`)
}

test.each(languages('en'))(
  'AUT-4 R12 R16 R17 %s wrong passwords pause and then block the account; its owner is notified and unblocks it with a new password, all by keyboard',
  async (locale) => {
    const at = (path: string) => inLocale(locale, path)
    const person = customerOf(say(locale, { pl: 'tomasz', en: 'oliver' }))
    const page = await portal.openPage({ locale, ...(locale === 'pl' ? { viewport: phone } : {}) })
    await page.goto(at('/'))
    await page.locator('button[type=submit]:enabled').waitFor()
    await tabTo(page, 'login')
    await page.keyboard.type(person.login)
    await tabTo(page, 'password')

    /** Types a password into the focused field, as after a wrong one, and waits for the message. */
    async function enter(password: string) {
      await inField(page, 'password')
      await page.keyboard.type(password)
      const answered = page.waitForResponse(
        async (answer) =>
          new URL(answer.url()).pathname === '/api/sign-in' &&
          ((await answer.json()) as { code?: string }).code !== 'bot-check-required',
      )
      await page.keyboard.press('Enter')
      await answered
      await page.locator('button[type=submit]:not(.is-busy)').waitFor()
    }
    const said = () => page.locator('.esum h2').textContent()
    const wrong = say(locale, {
      pl: 'Login lub hasło się nie zgadza. Sprawdź je i\u00a0spróbuj ponownie.',
      en: 'The username or password is incorrect. Check them and try again.',
    })
    const paused = say(locale, {
      // Fifteen minutes from the first attempt on.
      pl: /^Za dużo prób\. Spróbuj ponownie za\s1[0-5]\sminut\./,
      en: /^Too many attempts\. Try again in 1[0-5]\sminutes\./,
    })
    const mails = async () =>
      (await portal.messages()).filter(
        ({ to, subject }) => to === person.email && /zablokowane|blocked/.test(subject ?? ''),
      )

    for (let row = 0; row < 2; row++) {
      for (let i = 0; i < 5; i++) {
        await enter('Wrong-Password-1!')
        await expect.poll(said).toBe(wrong)
      }
      // Not even the right password is checked now, and nothing reveals that the account exists.
      await enter(person.password)
      await expect.poll(said).toMatch(paused)
      await expect.poll(() => page.locator('dialog').count()).toBe(0)
      await portal.clock.advance(limits.signIn.pause.window + 1)
    }
    await expect.poll(async () => (await mails()).length).toBe(1)
    expect((await mails())[0]!.text).toContain(`${portal.origin}${at('/password-reset')}`)

    await enter(person.password)
    const modal = page.getByRole('alertdialog', {
      name: say(locale, {
        pl: 'Twoje konto zostało zablokowane. Wymagana zmiana hasła.',
        en: 'Your account has been blocked. A password change is required.',
      }),
    })
    await modal.waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => modal.isVisible()).toBe(true)
    await tabTo(page, say(locale, { pl: 'Ustaw nowe hasło', en: 'Set new password' }))
    await page.keyboard.press('Enter')
    await page.waitForURL(portal.origin + at('/password-reset'))
    await page.locator('input[name=email]').waitFor()
    await tabTo(page, 'email')
    await page.keyboard.type(person.email)
    await page.keyboard.press('Enter')
    const link = await portal.mailedLink(person.email)

    await page.goto(link)
    await page.locator('input[name=newPassword]').waitFor()
    const password = `Zupelnie-Nowe-${locale}-2026!`
    for (const name of ['newPassword', 'repeatPassword']) {
      await tabTo(page, name)
      await page.keyboard.type(password)
    }
    await page.keyboard.press('Enter')
    await page.getByText(say(locale, { pl: 'Hasło ustawione', en: 'Password set' }), { exact: true }).waitFor()
    await page.locator('button[type=submit]:enabled').waitFor()
    await tabTo(page, 'login')
    await page.keyboard.type(person.email)
    await tabTo(page, 'password')
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    // The second factor is still required.
    await inField(page, 'code')
    await page.keyboard.type(await portal.smsCode(person.phone))
    await page.waitForURL(portal.origin + at('/home'))
    expect(await mails()).toHaveLength(1)
  },
)
