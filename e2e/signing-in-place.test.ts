import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { listDocuments, type DocumentCase } from '../contract/documents.ts'
import { languages } from '../server/testing/breadth.ts'
import { customerOf } from './testing/demonstration-run.ts'
import { openDocumentCases } from './testing/document-cases.ts'
import { enterWrongCode, isUsable, phone } from './testing/browser-pages.ts'
import { openPortal, say } from './testing/open-portal.ts'

const portal = await openPortal()
const { openToSign } = await openDocumentCases(portal)
const person = customerOf('malgorzata')

/** A case in each language; the second one was not downloaded yet. */
const documents = {
  pl: { number: 'U-20846', name: 'demo-document-downloaded' },
  en: { number: 'U-20871', name: 'demo-document-passed' },
}

const caseOf = (page: Page, document: string) =>
  page.evaluate(
    async ([path, number]) => {
      const { items } = (await (await fetch(path!)).json()) as { items: DocumentCase[] }
      return items.find((documentCase) => documentCase.document === number)!
    },
    [listDocuments.path, document],
  )

/** The newest SMS, without its code. */
async function newestSms() {
  const [newest] = (await portal.messages()).filter(({ to }) => to === person.phone)
  return newest!.text
}

test.each(languages('pl'))(
  'DOC-9 DOC-10 DOC-11 R33 %s a document is opened, read and signed in the portal by keyboard only, with a code that names it',
  async (locale) => {
    const page = await portal.openPage(locale === 'pl' ? { locale } : { locale, viewport: phone })
    await portal.signIn(page, person.login, { locale, to: '/documents' })
    const { number: document, name } = documents[locale]
    await isUsable(page)
    const row = page.locator('tr', { hasText: document })
    await row.getByRole('button', { name: say(locale, { pl: /^Podpisz tutaj/, en: /^Sign here/ }) }).press('Enter')

    const dialog = page.locator('dialog[open]')
    await dialog.getByText('Małgorzata Wiśniewska').waitFor()
    await openToSign(dialog, name)
    const send = dialog.getByRole('button', {
      name: say(locale, { pl: 'Wyślij kod SMS', en: 'Send the text-message code' }),
    })
    await send.press('Enter')

    const field = dialog.locator('input[name=code]')
    await field.waitFor()
    const code = await portal.smsCode(person.phone)
    const [, mark] = /(?:oznaczenie dokumentu|the document as) ([0-9a-f]{8})\./.exec(await dialog.innerText())!
    // In the language of the account, not of the page.
    expect(await newestSms()).toContain(`do podpisania dokumentu ${mark}:`)

    // A wrong code is an error at its field, and typing the last digit does not sign by itself.
    await enterWrongCode(page, code)
    await dialog.locator('.error').waitFor()
    await field.fill(code)
    expect((await caseOf(page, document)).status).toBe('subscriber-downloaded')
    await page.keyboard.press('Enter')
    await dialog
      .getByRole('heading', { name: say(locale, { pl: 'Dokument jest podpisany', en: 'The document is signed' }) })
      .waitFor()
    await dialog.getByRole('button', { name: say(locale, { pl: 'Gotowe', en: 'Done' }) }).press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await row
      .getByRole('button', { name: say(locale, { pl: /^Podpisz tutaj/, en: /^Sign here/ }) })
      .waitFor({ state: 'detached' })
    expect(['subscriber-uploaded', 'issuer-uploaded', 'finished']).toContain((await caseOf(page, document)).status)
  },
)
