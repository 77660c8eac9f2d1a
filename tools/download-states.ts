import type { Page, Route } from 'playwright-core'
import type { DocumentCase } from '../contract/documents.ts'
import { nodeCipher } from '../pki/pdf-cipher-node.ts'
import { encryptPdf } from '../pki/pdf-rewrite.ts'
import { makeAgreement } from '../provider/agreement.ts'
import type { ScreenState } from './screen-states.ts'

const path = '/documents'
const customer = 'malgorzata'
const seen = (page: Page, selector: string) => page.locator(selector).first().waitFor()
const code = '7K2M-0QXA-94TR-W1ZE'

let made: Promise<{ plain: Uint8Array<ArrayBuffer>; locked: Uint8Array<ArrayBuffer> }> | undefined

/** An agreement as it is and as it is locked, one for all states. */
const agreement = () =>
  (made ??= makeAgreement({
    language: 'pl',
    number: 'U-20846',
    concludedAt: new Date('2026-11-21T10:00:00Z'),
    product: 'app',
    subject: {
      kind: 'person',
      givenName: 'Małgorzata',
      surname: 'Wiśniewska',
      serialNumber: 'PNOPL-85031212343',
      country: 'PL',
    },
    notBefore: new Date('2026-11-21T10:00:00Z'),
    notAfter: new Date('2028-11-20T10:00:00Z'),
    email: 'm.wisniewska@kancelaria-zrodlo.example',
    phone: '+48600100417',
  }).then(async (bytes) => {
    const plain = new Uint8Array(bytes)
    return { plain, locked: await encryptPdf(plain, { password: code, owner: 'nobody' }, { cipher: nodeCipher }) }
  }))

const problem = (status: number, name: string) => (route: Route) =>
  route.fulfill({ status, contentType: 'application/problem+json', body: JSON.stringify({ status, code: name }) })
const pdf = (which: 'plain' | 'locked') => async (route: Route) =>
  route.fulfill({ contentType: 'application/pdf', body: Buffer.from((await agreement())[which]) })

/** The pictures move no case: the file comes from here. */
const answer = (page: Page, address: 'file' | 'signed', how: (route: Route) => unknown) =>
  page.route(new RegExp(`/api/documents/[\\w-]+/${address}$`), how)

async function openDownload({ page }: { page: Page }, number: string) {
  // Of a case that waits for its signature it is the small one beside the other.
  await page
    .locator('.docs tr', { hasText: number })
    .getByRole('button', { name: /^(?:Pobierz|Download)/ })
    .click()
  await seen(page, 'dialog .take')
}

const first = 'U-20871'
const downloaded = 'U-20846'
const signed = 'U-20790'
const press = (page: Page) => page.locator('dialog .dialog__foot .btn--primary').click()

async function enter(page: Page, entered: string) {
  await page.locator('dialog input[name=code]').fill(entered)
  await page.keyboard.press('Enter')
}

const picture = (page: Page) => seen(page, 'dialog canvas:not([hidden])')

/** A code that can be mailed again so many seconds from now. */
function resendIn(page: Page, seconds: number) {
  return page.route(/\/api\/documents(?:\?|$)/, async (route) => {
    const response = await route.fetch()
    const { items, next } = (await response.json()) as { items: DocumentCase[]; next: null }
    const codeResendAt = new Date(Date.now() + seconds * 1000).toISOString()
    await route.fulfill({
      json: { items: items.map((one) => (one.codeSentAt === null ? one : { ...one, codeResendAt })), next },
    })
  })
}

/** Part of a file that then comes no further. A request that is only held would go on to the server when the page is closed. */
function stallDownload() {
  const usual = window.fetch
  window.fetch = async (...request) => {
    const [address] = request
    if (typeof address !== 'string' || !address.endsWith('/file')) return usual(...request)
    const part = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(4_200_000)) })
    return new Response(part, { headers: { 'content-type': 'application/pdf', 'content-length': '9800000' } })
  }
}

/** DOC-3, DOC-4, DOC-7, DOC-9: the dialog that downloads a document and opens it. */
export const downloadStates: ScreenState[] = [
  { name: 'documents--download', path, customer, steps: (scene) => openDownload(scene, first) },
  {
    name: 'documents--downloading',
    path,
    customer,
    ownTab: true,
    before: ({ page }) => page.addInitScript(stallDownload),
    steps: async (scene) => {
      await openDownload(scene, first)
      await press(scene.page)
      await seen(scene.page, 'dialog progress')
    },
  },
  {
    name: 'documents--download-failed',
    path,
    customer,
    before: ({ page }) => answer(page, 'file', problem(503, 'busy')),
    steps: async (scene) => {
      await openDownload(scene, first)
      await press(scene.page)
      await seen(scene.page, 'dialog .note--err')
    },
  },
  {
    name: 'documents--download-generating',
    path,
    customer,
    before: ({ page }) => answer(page, 'file', problem(422, 'document-not-ready')),
    steps: async (scene) => {
      await openDownload(scene, first)
      await press(scene.page)
      await seen(scene.page, 'dialog .note--info')
    },
  },
  {
    name: 'documents--download-saved',
    path,
    customer,
    before: ({ page }) => answer(page, 'file', pdf('locked')),
    steps: async (scene) => {
      await openDownload(scene, first)
      await press(scene.page)
      await seen(scene.page, 'dialog .note--ok')
    },
  },
  {
    name: 'documents--download-code',
    path,
    customer,
    before: ({ page }) => resendIn(page, 42),
    steps: (scene) => openDownload(scene, downloaded),
  },
  {
    name: 'documents--download-code-wrong',
    path,
    customer,
    before: ({ page }) => answer(page, 'file', pdf('locked')),
    steps: async (scene) => {
      await openDownload(scene, downloaded)
      await enter(scene.page, code.replace('7', '8'))
      await seen(scene.page, 'dialog [aria-invalid]')
    },
  },
  {
    name: 'documents--download-code-spent',
    path,
    customer,
    before: async ({ page }) => {
      await resendIn(page, -1)
      await page.route('**/access-code', problem(429, 'sends-spent'))
    },
    steps: async (scene) => {
      await openDownload(scene, downloaded)
      await scene.page.locator('dialog .resend .btn').click()
      await scene.page.locator('dialog .resend [role=status]', { hasText: /za dużo|too many/ }).waitFor()
    },
  },
  {
    name: 'documents--download-opened',
    path,
    customer,
    before: ({ page }) => answer(page, 'file', pdf('locked')),
    steps: async (scene) => {
      await openDownload(scene, downloaded)
      await enter(scene.page, code)
      await picture(scene.page)
      await press(scene.page)
      await seen(scene.page, 'dialog .file__s .ico')
    },
  },
  { name: 'documents--signed-locked', path, customer, steps: (scene) => openSigned(scene, 'dialog input[name=code]') },
  {
    name: 'documents--signed',
    path,
    customer,
    before: ({ page }) => answer(page, 'signed', pdf('plain')),
    steps: (scene) => openSigned(scene, 'dialog canvas:not([hidden])'),
  },
]

async function openSigned(scene: { page: Page }, selector: string) {
  await openDownload(scene, signed)
  await scene.page.locator('dialog .file__n').waitFor()
  await seen(scene.page, selector)
}
