import type { Page, Request } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { enterSignInCode, signIn } from '../contract/account.ts'
import { inLocale } from '../contract/pages.ts'
import { checkLostPhoneLink } from '../contract/lost-phone.ts'
import { downloadCertificate } from '../contract/signatures.ts'
import { ocspStatus } from '../provider/testing/ocsp-status.ts'
import { exhaustive, languages } from '../server/testing/breadth.ts'
import { customerOf, passPassword, smsField } from './testing/demonstration-run.ts'
import { codeSent, intercept, refuse, refuseCall, reply } from './testing/fake-replies.ts'
import { openPortal, say } from './testing/open-portal.ts'

const portal = await openPortal()

/** Whose mails are in each language. */
const owners = { pl: { login: 'malgorzata', hasSeals: true }, en: { login: 'oliver', hasSeals: false } }

/** By keyboard, from the top of the page. */
async function skipToContent(page: Page) {
  await page.locator('a.skip').focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content')
}

const anyLink = `#link=${'x'.repeat(43)}`
const goodLink = reply(checkLostPhoneLink, { certificates: 2, suspended: 0, expiresAt: '2026-12-01T12:00:00.000Z' })

describe.each(languages('pl'))('%s', (locale) => {
  test('STP-7 R220 R224 from the dialog for the code to the suspended certificate, without the phone', async () => {
    const { login, hasSeals } = owners[locale]
    const person = customerOf(login)
    const { number } = person.identification!.document
    const signedIn = await portal.openPage({ locale, alone: true })
    await portal.signIn(signedIn, login, { locale, to: '/certificates/signatures' })
    const bytesOf = async (path: string) =>
      new Uint8Array(await (await signedIn.request.get(portal.origin + path)).body())
    const cards = signedIn.locator('[data-certificate]:has(.btn)')
    await cards.first().waitFor()
    const id = (await cards.first().getAttribute('data-certificate'))!
    const certificate = await bytesOf(downloadCertificate.path.replace(':id', id).replace(':format', 'der'))
    const issuer = await bytesOf('/pki/ca/issuing.cer')
    const status = () => ocspStatus(`${portal.origin}/pki/ocsp`, certificate, issuer)
    expect(await status()).toBe('good')

    const page = await portal.openPage({ locale })
    const press = (texts: { pl: RegExp; en: RegExp }) => page.getByRole('button', { name: say(locale, texts) }).click()
    await page.goto(locale === 'pl' ? '/' : '/en')
    await passPassword(page, login)
    await smsField(page)
    await portal.smsCode(person.phone)
    const texts = async () =>
      (await portal.messages()).filter(({ channel, to }) => channel === 'sms' && to === person.phone).length
    const before = await texts()
    await page
      .getByRole('dialog')
      .getByRole('link', { name: say(locale, { pl: 'Zawieś certyfikaty', en: 'Suspend your certificates' }) })
      .click()
    // Until the page can be shown, the sign-in with its own field stays.
    await page.getByRole('heading', { name: say(locale, { pl: 'Utrata telefonu', en: 'Lost your phone?' }) }).waitFor()
    await page.locator('main input[name=login]').fill(login)
    await press({ pl: /^Wyślij link/, en: /^Send link/ })
    const sent = page.getByRole('dialog')
    await sent.getByText(say(locale, { pl: 'Jeśli konto istnieje,', en: 'If the account exists,' })).waitFor()

    const link = await portal.lostPhoneLink(person.email)
    const token = link.split('#link=')[1]!
    const requests: Request[] = []
    page.on('request', (request) => requests.push(request))
    await page.goto('about:blank')
    await page.goto(link)
    const field = page.locator('input[name=documentNumber]')
    await field.waitFor()
    expect(page.url()).not.toContain(token)
    expect(requests.map((request) => request.url()).filter((url) => url.includes(token))).toEqual([])
    // A reload does not lose it, and neither does the skip link, whose fragment is no token.
    await page.reload()
    await field.waitFor()
    await skipToContent(page)
    await field.waitFor()

    const submit = { pl: /^Zawieś certyfikaty/, en: /^Suspend certificates/ }
    await field.fill('XYZ 999999')
    await press(submit)
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
    expect(await status()).toBe('good')
    await field.fill(number.toLowerCase())
    await press(submit)
    await page
      .getByRole('heading', { name: say(locale, { pl: 'Zlecono zawieszenie', en: 'Suspension requested' }) })
      .waitFor()
    expect(await page.locator('main .note--warn').count()).toBe(hasSeals ? 1 : 0)
    await expect.poll(status).toBe('certificateHold')
    // No text message reaches the phone, and its sessions have ended.
    expect(await texts()).toBe(before)
    await signedIn.reload()
    await signedIn.locator('input[name=password]').waitFor()

    await page.goto('about:blank')
    await page.goto(link)
    await page
      .getByRole('heading', {
        name: say(locale, { pl: 'Ten link został już użyty', en: 'This link has already been used' }),
      })
      .waitFor()
    await press({ pl: /^Wyślij nowy link/, en: /^Get a new link/ })
    await page.locator('main input[name=login]').waitFor()
  })

  const open = (page: Page, fragment: string) => page.goto(`${inLocale(locale, '/lost-phone')}${fragment}`)
  const heading = (page: Page, texts: { pl: string; en: string }) =>
    page.getByRole('heading', { name: say(locale, texts) }).waitFor()
  const request = 'main input[name=login]'

  test.runIf(exhaustive)(
    'STP-7 a link shows no form but its outline until the script runs, also after a reload, and the page without a link shows its form',
    async () => {
      const page = await portal.openPage({ locale, alone: true })
      await goodLink({ page })
      const scripts = '**/assets/*.js'
      let arrive = () => {}
      const holdScripts = async () => {
        const script = new Promise<void>((resolve) => (arrive = resolve))
        await page.route(scripts, (route) => script.then(() => route.continue()))
      }
      await holdScripts()
      await open(page, '')
      await page.locator(request).waitFor()
      expect(await page.locator('.linkwait').isVisible()).toBe(false)
      arrive()

      const seeOutline = async () => {
        await page.locator('.linkwait').waitFor()
        expect(await page.locator(request).isVisible()).toBe(false)
        arrive()
        await page.locator('input[name=documentNumber]').waitFor()
        expect(await page.locator('.linkwait').count()).toBe(0)
        await page.unroute(scripts)
        await holdScripts()
      }
      await page.goto('about:blank')
      await page.unroute(scripts)
      await holdScripts()
      await open(page, anyLink)
      await seeOutline()
      await page.reload()
      await seeOutline()
      arrive()
      await page.unroute(scripts)

      // The way back from the form: for another account, or to the sign-in.
      const another = page.getByRole('button', { name: say(locale, { pl: 'Wyślij nowy link', en: 'Get a new link' }) })
      await another.click()
      await page.locator(request).waitFor()
      await page.reload()
      await page.locator(request).waitFor()
      await page
        .getByRole('main')
        .getByRole('link', { name: say(locale, { pl: 'Wróć do logowania', en: 'Back to sign-in' }) })
        .click()
      await page.locator('input[name=password]').waitFor()
    },
  )

  test.runIf(exhaustive)(
    'STP-7 a link that is cut off, that has nothing to suspend, or that cannot be checked now says so, and each has a way on',
    async () => {
      const page = await portal.openPage({
        locale,
        alone: true,
        tolerate: /lost-phone\/link|ERR_INTERNET_DISCONNECTED/,
      })
      await open(page, '#link=cut-off')
      await heading(page, { pl: 'Ten link nie działa', en: 'This link doesn’t work' })
      await page.getByRole('button', { name: say(locale, { pl: 'Wyślij nowy link', en: 'Get a new link' }) }).click()
      await page.locator(request).waitFor()

      let isReached = false
      await intercept(checkLostPhoneLink, (route) =>
        isReached
          ? route.fulfill({ json: { certificates: 0, suspended: 0, expiresAt: '2026-12-01T12:00:00.000Z' } })
          : route.abort('internetdisconnected'),
      )({ page })
      await page.goto('about:blank')
      await open(page, anyLink)
      const retry = page.getByRole('button', { name: say(locale, { pl: 'Spróbuj ponownie', en: 'Try again' }) })
      await retry.waitFor()
      isReached = true
      await retry.click()
      await heading(page, { pl: 'Nie ma czego zawiesić', en: 'Nothing to suspend' })
      await page.getByRole('button', { name: say(locale, { pl: 'Wyślij nowy link', en: 'Get a new link' }) }).click()
      await page.locator(request).waitFor()
    },
  )

  test.runIf(exhaustive)(
    'STP-7 R9 a link that is opened where its owner is signed in ends the session of every tab',
    async () => {
      const login = { pl: 'irena', en: 'tomasz' }[locale]
      const person = customerOf(login)
      const tab = await portal.openPage({ locale, alone: true })
      await portal.signIn(tab, login, { locale })
      const page = await tab.context().newPage()
      await open(page, '')
      await page.locator(request).fill(login)
      await page.getByRole('button', { name: say(locale, { pl: /^Wyślij link/, en: /^Send link/ }) }).click()
      await page.getByRole('dialog').waitFor()
      const link = await portal.lostPhoneLink(person.email)
      await page.goto('about:blank')
      // Its language is that of the customer.
      await open(page, new URL(link).hash)
      await page.locator('input[name=documentNumber]').fill(person.identification!.document.number)
      await page
        .getByRole('button', { name: say(locale, { pl: /^Zawieś certyfikaty/, en: /^Suspend certificates/ }) })
        .click()
      await page.locator('.olist').waitFor()
      await tab.waitForURL(/reason=session-gone/)
      expect(
        (await tab.context().cookies()).map(({ name }) => name).filter((name) => name.includes('session')),
      ).toEqual([])
      await page.close()
    },
  )

  test.runIf(exhaustive)(
    'STP-7 a link that is opened where somebody else is signed in leaves that session, also in the other tabs',
    async () => {
      const login = { pl: 'tomasz', en: 'irena' }[locale]
      const person = customerOf(login)
      const tab = await portal.openPage({ locale, alone: true })
      await portal.signIn(tab, 'zofia', { locale })
      const page = await tab.context().newPage()
      await open(page, '')
      await page.locator(request).fill(login)
      await page.getByRole('button', { name: say(locale, { pl: /^Wyślij link/, en: /^Send link/ }) }).click()
      await page.getByRole('dialog').waitFor()
      const link = await portal.lostPhoneLink(person.email)
      await page.goto('about:blank')
      await open(page, new URL(link).hash)
      await page.locator('input[name=documentNumber]').fill(person.identification!.document.number)
      await page.locator('main button[type=submit]').click()
      await page.locator('.olist').waitFor()
      await tab.reload()
      await tab.locator('.who__name').waitFor({ state: 'attached' })
      await page.close()
    },
  )

  test.runIf(exhaustive).each(['passkey', 'locked', 'blocked'] as const)(
    'STP-7 the dialog of the sign-in leads to the page: %s',
    async (dialog) => {
      const page = await portal.openPage({ locale, alone: true, ...(dialog === 'passkey' && { named: true }) })
      const begun = dialog === 'passkey' ? { channel: 'passkey' as const } : codeSent()
      if (dialog === 'blocked') await refuse(signIn, 'account-blocked')({ page })
      else await intercept(signIn, (route) => route.fulfill({ json: begun }))({ page })
      await intercept(enterSignInCode, (route) => refuseCall(route, 'too-many-attempts', { retryAfter: 86_400 }))({
        page,
      })
      await page.goto(inLocale(locale, '/'))
      await passPassword(page, 'oliver')
      if (dialog === 'locked') await (await smsField(page)).fill('123456')
      await page
        .getByRole('dialog')
        .or(page.getByRole('alertdialog'))
        .getByRole('link', { name: say(locale, { pl: 'Zawieś certyfikaty', en: 'Suspend your certificates' }) })
        .click()
      await page.locator(request).waitFor()
    },
  )
})
