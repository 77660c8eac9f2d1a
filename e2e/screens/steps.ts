import { enterSmsCode } from '../testing/demonstration-run.ts'
import type { Step } from './screen-state.ts'

/** The first `article` of a page, which most lists are made of. */
export const card = 'main article'
/** The button of a notice that says what failed. */
export const retryButton = '.note .btn'
export const submitButton = 'form button[type=submit]:enabled'
export const codeField = 'dialog[open] input[name=code]'
export const confirmButton = 'dialog .dialog__foot .btn--primary'

export const see =
  (selector: string): Step =>
  ({ page }) =>
    page.locator(selector).first().waitFor()

export const click =
  (selector: string): Step =>
  ({ page }) =>
    page.locator(selector).first().click()

/** Clicks the first button whose name fits, in either language. */
export const press =
  (name: RegExp, within = 'body'): Step =>
  ({ page }) =>
    page.locator(within).first().getByRole('button', { name }).first().click()

export const fill =
  (selector: string, text: string): Step =>
  ({ page }) =>
    page.locator(selector).first().fill(text)

/** A form can be used once its script runs. */
export const submit: Step[] = [see(submitButton), click(submitButton)]

export const askForPairingCode = press(/^Połącz z.aplikacją|^Connect to the app/)

/** Opens the QR code of the first certificate. A step-up for it may still be fresh, and then no code is asked for. */
export const showPairingCode = (login: string): Step[] => [
  askForPairingCode,
  see(`dialog .qr, ${codeField}`),
  async ({ page, run }) => {
    if (await page.locator(codeField).count()) await enterSmsCode(page, run, login)
  },
  see('dialog .qr__code'),
]
