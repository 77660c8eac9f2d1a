import type { Page, Route } from 'playwright-core'
import type { SignatureFound, UploadReport } from '../contract/document-report.ts'
import type { DocumentCase, DocumentSigner, DocumentStatus } from '../contract/documents.ts'
import { nodeCipher, nodeInflate } from '../pki/pdf-cipher-node.ts'
import { encryptPdf } from '../pki/pdf-rewrite.ts'
import { makeAgreement } from '../provider/agreement.ts'
import type { ScreenState } from './screen-states.ts'

const path = '/documents'
const customer = 'malgorzata'
const seen = (page: Page, selector: string) => page.locator(selector).first().waitFor()
const list = ({ page }: { page: Page }) => seen(page, '.docs tbody tr')

const pdf = (bytes: Uint8Array, name = 'umowa-U-20846-podpisana.pdf') => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.from(bytes),
})

const signed = Buffer.from('% /ByteRange')
let made: Promise<Uint8Array> | undefined

/** An agreement, one for all states. The browser takes it for signed; what the server says of it is made up. */
const signedAgreement = () =>
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
  }).then((agreement) => Buffer.concat([agreement, signed])))

export const lockedBy = '7K2M-9QXD-04HT-VN6E'

/** The same as if it had been signed in its locked form. */
export async function lockedAgreement() {
  const plain = (await signedAgreement()).subarray(0, -signed.length)
  const secrets = { password: lockedBy, owner: 'provider' }
  return Buffer.concat([await encryptPdf(plain, secrets, { cipher: nodeCipher, inflate: nodeInflate }), signed])
}

const signature = (over: Partial<SignatureFound> = {}): SignatureFound => ({
  kind: 'signature',
  signer: 'Małgorzata Wiśniewska',
  issuer: 'Sygnet QCA',
  intact: true,
  coversWholeDocument: true,
  trusted: true,
  revocation: 'good',
  claimedAt: '2026-11-21T09:42:00.000Z',
  provenAt: '2026-11-21T09:42:05.000Z',
  level: 'B-T',
  problems: [],
  ...over,
})

export const reports = {
  accepted: { verdict: 'accepted', document: 'same-bytes', problems: [], signatures: [signature()] },
  pending: {
    verdict: 'pending',
    document: 'same-content',
    problems: [],
    signatures: [
      signature({
        provenAt: null,
        revocation: 'unknown',
        problems: [
          { code: 'revocation-unknown', severity: 'wait' },
          { code: 'padding', severity: 'remark' },
        ],
      }),
    ],
  },
  different: {
    verdict: 'pending',
    document: 'same-content',
    problems: [{ code: 'looks-different', severity: 'wait' }],
    signatures: [signature()],
  },
  refused: {
    verdict: 'refused',
    document: 'other',
    problems: [{ code: 'other-document', severity: 'refuse' }],
    signatures: [
      signature({
        signer: 'Tomasz Czekaj',
        intact: false,
        coversWholeDocument: false,
        trusted: false,
        problems: [
          { code: 'other-signer', severity: 'refuse' },
          { code: 'path-untrusted', severity: 'refuse' },
          { code: 'changed-after-signing', severity: 'refuse' },
        ],
      }),
    ],
  },
} satisfies Record<string, UploadReport>

async function openUpload({ page }: { page: Page }) {
  await list({ page })
  await page
    .locator('.docs .btn', { hasText: /podpisany|signed/ })
    .first()
    .click()
  await seen(page, 'dialog .drop')
}

async function choose(page: Page, file: ReturnType<typeof pdf>) {
  await page.locator('dialog input[type=file]').setInputFiles(file)
}

async function chooseSigned({ page }: { page: Page }) {
  await openUpload({ page })
  await choose(page, pdf(await signedAgreement()))
  await seen(page, 'dialog .checks')
}

const preview = (page: Page) => seen(page, 'dialog canvas:not([hidden])')

const check = (page: Page) => page.locator('dialog .dialog__foot .btn--primary').click()

const answer = (page: Page, address: string, how: (route: Route) => Promise<void>) =>
  page.route(new RegExp(`/api/documents/[\\w-]+/${address}$`), how)
const problem = (route: Route, status: number, body: object) =>
  route.fulfill({ status, contentType: 'application/problem+json', body: JSON.stringify({ status, ...body }) })

const staged = (page: Page, report: UploadReport) =>
  answer(page, 'uploads', (route) =>
    route.fulfill({ json: { sha256: 'ab'.repeat(32), bytes: 1_800_000, version: 2, report } }),
  )

async function showReport({ page }: { page: Page }, report: UploadReport) {
  await staged(page, report)
  await chooseSigned({ page })
  await check(page)
  await seen(page, 'dialog .report')
}

/** More than a page, which the demonstration has not. */
function manyCases(page: Page) {
  const statuses: DocumentStatus[] = ['finished', 'canceled', 'subscriber-uploaded', 'issuer-uploaded']
  const items: DocumentCase[] = Array.from({ length: 20 }, (_, i) => ({
    id: crypto.randomUUID(),
    application: `W/2026/${1200 - i}`,
    document: `U-${21_000 - i}`,
    process: {
      pl: ['Umowa o podpis', 'Aneks do umowy', 'Odnowienie podpisu'][i % 3]!,
      en: ['Signature agreement', 'Annex to the agreement', 'Signature renewal'][i % 3]!,
    },
    status: statuses[i % 4]!,
    version: 3,
    content: 'ready',
    signed: i % 4 === 0 || i % 4 === 3,
    signHere: true,
    codeSentAt: null,
    codeResendAt: null,
    refusal: null,
    createdAt: '2026-11-19T09:00:00.000Z',
    updatedAt: '2026-11-20T09:00:00.000Z',
  }))
  return page.route(/\/api\/documents(?:\?|$)/, (route) => route.fulfill({ json: { items, next: 'next' } }))
}

async function openDetails(page: Page, process: RegExp) {
  await list({ page })
  await page.locator('.docs tr', { hasText: process }).locator('.docs__name').click()
  await seen(page, 'dialog .rows')
}

/** The case whose place it is to be signed. */
async function openSigning({ page }: { page: Page }) {
  await list({ page })
  await page
    .getByRole('button', { name: /^(?:Podpisz tutaj|Sign here)/ })
    .first()
    .click()
  await seen(page, 'dialog[open] .dl, dialog[open] .rcards, dialog[open] .note')
}

const signer = (over: Partial<DocumentSigner> = {}): DocumentSigner => ({
  id: crypto.randomUUID(),
  name: 'Małgorzata Wiśniewska',
  organisation: null,
  serialNumber: '40A1B2C3',
  validTo: '2026-12-03T10:00:00.000Z',
  ...over,
})

const signers = (page: Page, found: DocumentSigner[]) =>
  answer(page, 'signers', (route) => route.fulfill({ json: { signers: found } }))

async function askForSigningCode(scene: { page: Page }) {
  const { page } = scene
  const sentAt = new Date()
  const after = (seconds: number) => new Date(sentAt.getTime() + seconds * 1000).toISOString()
  const code = {
    id: crypto.randomUUID(),
    channel: 'sms',
    to: '+48 ••• ••• 417',
    ordinal: 1,
    sentAt: sentAt.toISOString(),
    expiresAt: after(600),
    resendAt: after(60),
    sendsLeft: 2,
  }
  await answer(page, 'signing', (route) => route.fulfill({ json: { sha256: '1a2b3c4d'.repeat(8), code } }))
  await openSigning(scene)
  await check(page)
  await seen(page, 'dialog[open] input[name=code]')
}

async function enterSigningCode(scene: { page: Page }, how: (route: Route) => Promise<void>) {
  await answer(scene.page, 'signing/code', how)
  await askForSigningCode(scene)
  await scene.page.locator('dialog[open] input[name=code]').fill('123456')
  await check(scene.page)
}

/** DOC-1, DOC-2, DOC-5…DOC-8: the list, and the way of a signed file to the provider. */
export const documentStates: ScreenState[] = [
  { name: 'documents--list', path, customer, steps: list },
  { name: 'documents--none', path, customer: 'oliver', steps: ({ page }) => seen(page, '.empty') },
  {
    name: 'documents--failed',
    path,
    customer: 'oliver',
    before: ({ page }) => page.route('**/api/documents', (route) => problem(route, 503, { code: 'unavailable' })),
    steps: ({ page }) => seen(page, '.note .btn'),
  },
  {
    name: 'documents--loading',
    path,
    customer: 'oliver',
    before: ({ page }) => page.route('**/api/documents', () => undefined),
    steps: ({ page }) => seen(page, '.waiting--shown'),
  },
  { name: 'documents--many', path, customer: 'oliver', before: ({ page }) => manyCases(page), steps: list },
  {
    name: 'documents--filtered-none',
    path: '/documents?status=finished',
    customer: 'oliver',
    steps: ({ page }) => seen(page, '.empty .btn'),
  },
  {
    name: 'documents--details',
    path,
    customer,
    steps: ({ page }) => openDetails(page, /O-20813/).then(() => seen(page, 'dialog .report')),
  },
  {
    name: 'documents--upload-none-chosen',
    path,
    customer,
    steps: (scene) =>
      openUpload(scene)
        .then(() => check(scene.page))
        .then(() => seen(scene.page, 'dialog .docs__error .ico')),
  },
  {
    name: 'documents--upload-too-large',
    path,
    customer,
    steps: async (scene) => {
      await openUpload(scene)
      await choose(scene.page, pdf(new Uint8Array(14_200_000)))
      await seen(scene.page, 'dialog .docs__error .ico')
    },
  },
  {
    name: 'documents--upload-chosen',
    path,
    customer,
    steps: (scene) => chooseSigned(scene).then(() => preview(scene.page)),
  },
  {
    name: 'documents--upload-unsigned',
    path,
    customer,
    steps: async (scene) => {
      await openUpload(scene)
      await choose(scene.page, pdf(Buffer.from('%PDF-1.7\ntrailer << /Encrypt 7 0 R >>')))
      await seen(scene.page, 'dialog .checks .is-unknown')
    },
  },
  {
    name: 'documents--upload-locked',
    path,
    customer,
    steps: async (scene) => {
      await openUpload(scene)
      await choose(scene.page, pdf(await lockedAgreement()))
      await seen(scene.page, 'dialog input[name=code]')
    },
  },
  {
    name: 'documents--upload-sending',
    path,
    customer,
    before: ({ page }) => answer(page, 'uploads', () => new Promise(() => {})),
    steps: (scene) =>
      chooseSigned(scene)
        .then(() => check(scene.page))
        .then(() => seen(scene.page, 'dialog progress')),
  },
  {
    name: 'documents--upload-failed',
    path,
    customer,
    before: ({ page }) => answer(page, 'uploads', (route) => problem(route, 422, { code: 'pdf-damaged' })),
    steps: (scene) =>
      chooseSigned(scene)
        .then(() => check(scene.page))
        .then(() => seen(scene.page, 'dialog .note--err')),
  },
  {
    name: 'documents--report-accepted',
    path,
    customer,
    steps: (scene) => showReport(scene, reports.accepted).then(() => preview(scene.page)),
  },
  { name: 'documents--report-pending', path, customer, steps: (scene) => showReport(scene, reports.pending) },
  { name: 'documents--report-different', path, customer, steps: (scene) => showReport(scene, reports.different) },
  { name: 'documents--report-refused', path, customer, steps: (scene) => showReport(scene, reports.refused) },
  {
    name: 'documents--confirm-unanswered',
    path,
    customer,
    before: ({ page }) => answer(page, 'confirmation', (route) => problem(route, 503, { code: 'busy' })),
    steps: (scene) =>
      showReport(scene, reports.accepted)
        .then(() => check(scene.page))
        .then(() => seen(scene.page, 'dialog .note--err')),
  },
  {
    name: 'documents--overtaken',
    path,
    customer,
    before: ({ page }) =>
      answer(page, 'uploads', (route) => problem(route, 422, { code: 'state-passed', current: 'subscriber-uploaded' })),
    steps: (scene) =>
      chooseSigned(scene)
        .then(() => check(scene.page))
        .then(() => seen(scene.page, 'dialog .note--warn')),
  },
  { name: 'documents--sign-here', path, customer, steps: openSigning },
  {
    name: 'documents--sign-here-choice',
    path,
    customer,
    before: ({ page }) => signers(page, [signer(), signer({ organisation: 'Kancelaria Źródło sp. z o.o.' })]),
    steps: openSigning,
  },
  {
    name: 'documents--sign-here-none',
    path,
    customer,
    before: ({ page }) => signers(page, []),
    steps: openSigning,
  },
  {
    name: 'documents--sign-here-unavailable',
    path,
    customer,
    before: ({ page }) => answer(page, 'signers', (route) => problem(route, 503, { code: 'unavailable' })),
    steps: openSigning,
  },
  { name: 'documents--sign-here-code', path, customer, steps: askForSigningCode },
  {
    name: 'documents--sign-here-signing',
    path,
    customer,
    steps: async (scene) => {
      await enterSigningCode(scene, () => new Promise(() => {}))
      await seen(scene.page, 'dialog[open] .is-busy')
    },
  },
  {
    name: 'documents--sign-here-failed',
    path,
    customer,
    steps: async (scene) => {
      await enterSigningCode(scene, (route) => problem(route, 422, { code: 'signing-changed' }))
      await seen(scene.page, 'dialog[open] .note--err')
    },
  },
  {
    name: 'documents--sign-here-done',
    path,
    customer,
    steps: async (scene) => {
      await enterSigningCode(scene, async (route) => {
        const answered = await route.fetch({
          url: route
            .request()
            .url()
            .replace(/\/signing\/code$/, ''),
          method: 'GET',
          postData: '',
        })
        const { upload: _, ...document } = (await answered.json()) as DocumentCase & { upload: unknown }
        await route.fulfill({ json: { ...document, status: 'subscriber-uploaded' } })
      })
      await seen(scene.page, 'dialog[open] .okseal')
    },
  },
]
