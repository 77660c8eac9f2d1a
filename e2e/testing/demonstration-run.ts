import { setTimeout as pause } from 'node:timers/promises'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { enterSignInCode, signIn } from '../../contract/account.ts'
import type { RequiredConsent } from '../../contract/consents.ts'
import type { Locale } from '../../contract/enums.ts'
import { demonstrationPassword, people } from '../../provider/demonstration/demonstration-people.ts'

/** Time after which a message is no longer expected. */
const timeoutMs = 60_000

type Message = { channel: 'mail' | 'sms'; to: string; subject: string | null; text: string; sentAt: string }

/** Reads the messages that a running demonstration sends from now on. */
export async function openMessages(origin: string) {
  const messages = async () => (await (await fetch(`${origin}/demo/messages.json`)).json()) as Message[]
  /** Messages that were returned already, and those that were sent before. */
  const taken = new Set((await messages()).map((message) => JSON.stringify(message)))

  /** Waits for the next message to a recipient that matches a pattern, and returns the pattern's first group. */
  async function next(to: string, pattern: RegExp): Promise<string> {
    for (const began = Date.now(); Date.now() - began < timeoutMs; await pause(25)) {
      const found = (await messages()).find(
        (message) => message.to === to && pattern.test(message.text) && !taken.has(JSON.stringify(message)),
      )
      if (found) {
        taken.add(JSON.stringify(found))
        return pattern.exec(found.text)![1]!
      }
    }
    throw new Error(`No message like ${pattern} reached ${to}.`)
  }

  return {
    messages,
    /** Leaves out the text messages that were sent until now, whose codes nobody has entered. */
    async passOverTexts() {
      for (const message of await messages()) if (message.channel === 'sms') taken.add(JSON.stringify(message))
    },
    smsCode: (to: string) => next(to, /#(\d{6})$/),
    /** The code of the next SMS that the signing service sends by itself. */
    serviceCode: (to: string) => next(to, /TEST: (\d{6})$/),
    mailedCode: (to: string) => next(to, /^(\d{6})$/m),
    mailedLink: (to: string) => next(to, /(http:\S+\/setup-password\/[\w-]+)/),
    lostPhoneLink: (to: string) => next(to, /(http:\S+\/lost-phone#link=[\w-]+)/),
    /** The link in the next mail that asks whether reminders are wanted. */
    recipientLink: (to: string) => next(to, /(http:\S+\/reminder-recipient#[\w-]+)/),
    accessCode: (to: string, document: string) =>
      next(to, new RegExp(`${document}[^]*?\\b([0-9A-Z]{4}(?:-[0-9A-Z]{4}){3})\\b`)),
  }
}

export type DemonstrationRun = { origin: string } & Awaited<ReturnType<typeof openMessages>>

/** Finds a customer of the demonstration by login, and adds the password that all of them share. */
export function customerOf(login: string) {
  const found = people.find((person) => person.login === login)
  if (!found) throw new Error(`The demonstration has no customer ${login}.`)
  return { ...found, password: demonstrationPassword }
}

/** Fills in the login page that is open, up to the SMS dialog. */
export async function passPassword(page: Page, login: string, password = customerOf(login).password) {
  await page.locator('input[name=login]').fill(login)
  await page.locator('input[name=password]').fill(password)
  await page.locator('form button[type=submit]:enabled').click()
}

/** Fills in the code of the next SMS; six digits submit the form. */
export async function enterSmsCode(page: Page, run: DemonstrationRun, login: string) {
  await (await smsField(page)).fill(await run.smsCode(customerOf(login).phone))
}

export async function smsField(page: Page): Promise<Locator> {
  const field = page.locator('dialog input[name=code]')
  await field.waitFor()
  return field
}

/** Signs a browser profile in by the calls of the login page, without a page. */
export async function enter(run: DemonstrationRun, { request }: Pick<BrowserContext, 'request'>, login: string) {
  const { password, phone } = customerOf(login)
  const send = async (path: string, data: object) => {
    const answer = await request.post(run.origin + path, {
      headers: { origin: run.origin, 'idempotency-key': crypto.randomUUID() },
      data,
    })
    if (!answer.ok()) throw new Error(`${login} cannot sign in: ${path} answers ${await answer.text()}`)
  }
  await send(signIn.path, { login, password })
  await send(enterSignInCode.path, { code: await run.smsCode(phone) })
}

/** Signs in on the login page that is open, and waits for the signed-in page that follows. */
export async function signInHere(page: Page, run: DemonstrationRun, login: string) {
  await passPassword(page, login)
  await enterSmsCode(page, run, login)
  await page.locator('.account-button__name').waitFor({ state: 'attached' })
}

export const documentTitles = {
  terms: { pl: 'Regulamin', en: 'Terms' },
  privacy: { pl: 'Informacja o\u00a0przetwarzaniu danych', en: 'Privacy notice' },
}
const acceptTexts = {
  terms: { pl: 'Akceptuję regulamin', en: 'Accept the terms' },
  privacy: { pl: 'Potwierdzam zapoznanie się', en: 'I’ve read this notice' },
}

export const documentDialog = (page: Page, locale: Locale, kind: RequiredConsent) =>
  page.getByRole('dialog', { name: documentTitles[kind][locale] })

export const accept = (page: Page, locale: Locale, kind: RequiredConsent) =>
  documentDialog(page, locale, kind).getByRole('button', { name: acceptTexts[kind][locale] }).click()

/** Ticks every box of a form at once, which opens each document in turn. */
export async function acceptAll(page: Page, locale: Locale) {
  await page.locator('.check--all input').click()
  await accept(page, locale, 'terms')
  await accept(page, locale, 'privacy')
}
