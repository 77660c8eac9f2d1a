import type { Page } from 'playwright-core'
import type { RequiredConsent } from '../../contract/consents.ts'
import type { Locale } from '../../contract/enums.ts'
import { say } from './open-portal.ts'

export const documentTitles = {
  terms: { pl: 'Regulamin', en: 'Terms' },
  privacy: { pl: 'Informacja o\u00a0przetwarzaniu danych', en: 'Privacy notice' },
}
const acceptTexts = {
  terms: { pl: 'Akceptuję regulamin', en: 'Accept the terms' },
  privacy: { pl: 'Potwierdzam zapoznanie się', en: 'I’ve read this notice' },
}

export const documentDialog = (page: Page, locale: Locale, kind: RequiredConsent) =>
  page.getByRole('dialog', { name: say(locale, documentTitles[kind]) })

export const accept = (page: Page, locale: Locale, kind: RequiredConsent) =>
  documentDialog(page, locale, kind)
    .getByRole('button', { name: say(locale, acceptTexts[kind]) })
    .click()

/** Ticks every box of a form at once, which opens each document in turn. */
export async function acceptAll(page: Page, locale: Locale) {
  await page.locator('.check--all input').click()
  await accept(page, locale, 'terms')
  await accept(page, locale, 'privacy')
}
