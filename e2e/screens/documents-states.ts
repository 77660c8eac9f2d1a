import type { UploadReport } from '../../contract/document-report.ts'
import {
  confirmUpload,
  downloadDocument,
  downloadSignedDocument,
  finishDocumentSigning,
  listDocuments,
  listDocumentSigners,
  readDocument,
  resendAccessCode,
  stageUpload,
  startDocumentSigning,
  type DocumentCase,
  type DocumentSigner,
} from '../../contract/documents.ts'
import type { Reply } from '../../contract/endpoint.ts'
import type { ServiceAuthorisation } from '../../contract/service-authorisation.ts'
import {
  changeReply,
  codeSent,
  fetchInstead,
  inSeconds,
  intercept,
  refuse,
  reply,
  sendPdf,
  stall,
} from '../testing/fake-replies.ts'
import {
  accessCode,
  agreement,
  asSigned,
  lockedAgreement,
  lockedPageless,
  reports,
} from '../testing/samples/documents.ts'
import {
  statesOf,
  type Step,
  click,
  codeField,
  confirmButton,
  fill,
  press,
  retryButton,
  waitFor,
} from './screen-state.ts'

const statuses = ['finished', 'canceled', 'subscriber-uploaded', 'issuer-uploaded'] as const
const processes = [
  { pl: 'Umowa o podpis', en: 'Signature agreement' },
  { pl: 'Aneks do umowy', en: 'Annex to the agreement' },
  { pl: 'Odnowienie podpisu', en: 'Signature renewal' },
]

/** More cases than fit on a page, which the demonstration does not have. */
const manyCases = Array.from({ length: 20 }, (_, i): DocumentCase => ({
  id: crypto.randomUUID(),
  application: `W/2026/${1200 - i}`,
  document: `U-${21_000 - i}`,
  process: processes[i % 3]!,
  status: statuses[i % 4]!,
  version: 3,
  content: 'ready',
  isSigned: i % 4 === 0 || i % 4 === 3,
  signHere: true,
  codeSentAt: null,
  codeResendAt: null,
  refusal: null,
  createdAt: '2026-11-19T09:00:00.000Z',
  updatedAt: '2026-11-20T09:00:00.000Z',
}))

const row = '.documents tbody tr'
const rowOf = (text: string) => `.documents tr:has-text("${text}")`
const preview = 'dialog canvas:not([hidden])'
const confirm = click(confirmButton)

const list = statesOf('documents', { customer: 'oliver' })({
  list: { customer: 'malgorzata', shows: row },
  none: { shows: '.empty' },
  failed: { before: refuse(listDocuments, 'unavailable'), shows: retryButton },
  loading: { before: stall(listDocuments), shows: '.waiting--shown' },
  'no-cloud-signature': {
    customer: 'malgorzata',
    before: changeReply(listDocuments, ({ items, next }) => ({
      items: items.map((item) => ({ ...item, signHere: false })),
      next,
    })),
    shows: '.how-it-works',
  },
  many: { before: reply(listDocuments, { items: manyCases, next: 'next' }), shows: row },
  'filtered-none': { path: '/documents?status=finished', shows: '.empty .button' },
  searched: { path: '/documents?search=umowa', customer: 'malgorzata', shows: row },
  details: {
    customer: 'malgorzata',
    steps: [click(`${rowOf('O-20813')} .documents__name`), waitFor('dialog .rows')],
    shows: 'dialog .report',
  },
})

const openUpload = [
  click('.documents .button:is(:has-text("podpisany"), :has-text("signed"))'),
  waitFor('dialog .drop'),
]

const choose = (pdf: () => Promise<Uint8Array> | Uint8Array): Step[] => [
  ...openUpload,
  async ({ page }) => {
    const file = { name: 'umowa-U-20846-podpisana.pdf', mimeType: 'application/pdf', buffer: Buffer.from(await pdf()) }
    await page.locator('dialog input[type=file]').setInputFiles(file)
  },
]
const chooseSigned = [...choose(async () => asSigned(await agreement())), waitFor('dialog .checks')]
const upload = [...chooseSigned, confirm]

const reported = (report: UploadReport) =>
  reply(stageUpload, { sha256: 'ab'.repeat(32), bytes: 1_800_000, version: 2, report })

const uploads = statesOf('documents', { customer: 'malgorzata' })({
  'upload-none-chosen': { steps: [...openUpload, confirm], shows: 'dialog .drop__error .icon' },
  'upload-too-large': { steps: choose(() => new Uint8Array(14_200_000)), shows: 'dialog .drop__error .icon' },
  'upload-chosen': { steps: chooseSigned, shows: preview },
  'upload-unsigned': {
    steps: choose(() => Buffer.from('%PDF-1.7\ntrailer << /Encrypt 7 0 R >>')),
    shows: 'dialog .checks .is-unknown',
  },
  'upload-locked': { steps: choose(async () => asSigned(await lockedAgreement())), shows: codeField },
  'upload-sending': { before: stall(stageUpload), steps: upload, shows: 'dialog progress' },
  'upload-failed': {
    before: refuse(stageUpload, 'pdf-damaged'),
    steps: [...upload, waitFor('dialog .notice--error')],
    shows: preview,
  },
  'upload-interrupted': {
    before: refuse(stageUpload, 'unavailable'),
    steps: [...upload, waitFor('dialog .notice--error')],
    shows: preview,
  },
  'report-accepted': {
    before: reported(reports.accepted),
    steps: [...upload, waitFor('dialog .report')],
    shows: preview,
  },
  'report-pending': { before: reported(reports.pending), steps: upload, shows: 'dialog .report' },
  'report-different': { before: reported(reports.different), steps: upload, shows: 'dialog .report' },
  'report-refused': {
    before: reported(reports.refused),
    steps: [...upload, waitFor('dialog .report')],
    shows: preview,
  },
  'confirm-unanswered': {
    before: [reported(reports.accepted), refuse(confirmUpload, 'busy')],
    steps: [...upload, waitFor('dialog .report'), confirm, waitFor('dialog .notice--warning:not(.report *)')],
    shows: preview,
  },
  overtaken: {
    before: refuse(stageUpload, 'state-passed', { current: 'subscriber-uploaded' }),
    steps: upload,
    shows: 'dialog .notice--warning',
  },
})

const signer = (organisation: string | null = null, asksElsewhere = false): DocumentSigner => ({
  requirement: null,
  asksElsewhere,
  id: crypto.randomUUID(),
  name: 'Małgorzata Wiśniewska',
  organisation,
  serialNumber: '40A1B2C3',
  validTo: '2026-12-03T10:00:00.000Z',
})

const lockedFile = sendPdf(downloadDocument, lockedAgreement)
const signHere = press(/^(?:Przeczytaj i.podpisz|Read and sign)/, rowOf('U-20846'))
const openSigning = [lockedFile, signHere, fill(codeField, accessCode), confirm, waitFor(preview)]
const requestCode = [
  reply(startDocumentSigning, () => ({ sha256: '1a2b3c4d'.repeat(8), code: codeSent() })),
  ...openSigning,
  confirm,
  waitFor(codeField),
]
const enterCode = [...requestCode, fill(codeField, '123456'), confirm]

const signersAre = (...signers: DocumentSigner[]) =>
  reply(listDocumentSigners, { signers, maskedPhone: '+48 ••• ••• 417' })

/** Fakes the reply to the code, made of the case as it is. */
const finishing = (change: (document: DocumentCase) => Reply<typeof finishDocumentSigning>) =>
  intercept(finishDocumentSigning, async (route) => {
    const [id] = /[\w-]+(?=\/signing\/code)/.exec(route.request().url())!
    const { upload: _, ...document } = await fetchInstead(route, readDocument, id)
    await route.fulfill({ json: change(document) })
  })
const signed = finishing((document) => ({ ...document, status: 'subscriber-uploaded', authorisation: null }))
const awaitsService = (kind: ServiceAuthorisation['kind']) =>
  finishing((document) => ({
    ...document,
    authorisation: {
      id: crypto.randomUUID(),
      kind,
      otp: 'sent',
      pin: true,
      sentAt: inSeconds(0),
      resendAt: inSeconds(30),
      sendsLeft: 2,
      expiresAt: inSeconds(600),
    },
  }))

const listSigned = changeReply(listDocuments, ({ items, next }) => ({
  items: items.map((item) =>
    item.document === 'U-20846' ? { ...item, status: 'subscriber-uploaded' as const } : item,
  ),
  next,
}))

const signing = statesOf('documents', { customer: 'malgorzata', steps: openSigning })({
  'sign-here': {},
  'sign-here-search': {
    only: 'phone',
    steps: [...openSigning, press(/^(?:Szukaj|Search)/, 'dialog .reader__find'), fill('.reader__search input', 'umow')],
    shows: '.reader__found:not(:empty, :has-text("…"))',
  },
  'sign-here-text': {
    only: 'phone',
    steps: [...openSigning, press(/^(?:Pokaż sam tekst|Show text only)/, 'dialog .reader__tools')],
    shows: '.reader__text',
  },
  'sign-here-locked': { steps: [signHere, waitFor(codeField)], shows: 'dialog .signer' },
  'sign-here-choice': { before: signersAre(signer(), signer('Kancelaria Źródło sp. z o.o.')) },
  'sign-here-unreadable': {
    steps: [sendPdf(downloadDocument, lockedPageless), signHere, fill(codeField, accessCode), confirm],
    shows: '.reader__none',
  },
  'sign-here-none': { before: signersAre() },
  'sign-here-unavailable': { before: refuse(listDocumentSigners, 'unavailable') },
  'sign-here-code': { steps: requestCode },
  'sign-here-signing': { before: stall(finishDocumentSigning), steps: enterCode, shows: 'dialog[open] .is-busy' },
  'sign-here-elsewhere': {
    before: [signersAre(signer(null, true)), stall(finishDocumentSigning)],
    steps: enterCode,
    shows: 'dialog[open] .notice--info',
  },
  'sign-here-failed': {
    before: refuse(finishDocumentSigning, 'signing-changed'),
    steps: enterCode,
    shows: 'dialog[open] .notice--error',
  },
  'sign-here-service-codes': {
    before: awaitsService('codes'),
    steps: enterCode,
    shows: 'dialog[open] input[name=pin]',
  },
  'sign-here-service-page': {
    before: awaitsService('redirect'),
    steps: enterCode,
    shows:
      'dialog[open] .dialog__head:has-text("usłudze podpisu"), dialog[open] .dialog__head:has-text("signing service")',
  },
  'sign-here-done': {
    before: signed,
    steps: [...requestCode, fill(codeField, '123456'), listSigned, confirm],
    shows: 'dialog[open] .ok-emblem',
  },
})

const openDownload = (number: string) => [
  press(/^(?:Pobierz|Download)/, rowOf(number)),
  waitFor('dialog .signed-document'),
]
const openFirst = openDownload('U-20871')
const openDownloaded = openDownload('U-20846')
const openSigned = [...openDownload('U-20790'), waitFor('dialog .file-row__name')]
const download = [...openFirst, confirm]

const unlock = (code: string): Step[] => [
  ...openDownloaded,
  fill(codeField, code),
  ({ page }) => page.keyboard.press('Enter'),
]

/** Lets the code be mailed again this many seconds from now. */
const resendIn = (seconds: number) =>
  changeReply(listDocuments, ({ items, next }) => ({
    items: items.map((item) => (item.codeSentAt === null ? item : { ...item, codeResendAt: inSeconds(seconds) })),
    next,
  }))

/** Sends part of a file, after which nothing follows. A request that is only held would go on to the server when the page is closed. */
const stallDownload: Step = ({ page }) =>
  page.addInitScript(() => {
    const usual = window.fetch
    window.fetch = async (...request) => {
      const [address] = request
      if (typeof address !== 'string' || !address.endsWith('/file')) return usual(...request)
      const part = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(4_200_000)) })
      return new Response(part, { headers: { 'content-type': 'application/pdf', 'content-length': '9800000' } })
    }
  })

const downloads = statesOf('documents', { customer: 'malgorzata' })({
  download: { steps: openFirst },
  downloading: { ownTab: true, before: stallDownload, steps: download, shows: 'dialog progress' },
  'download-failed': { before: refuse(downloadDocument, 'busy'), steps: download, shows: 'dialog .notice--error' },
  'download-generating': {
    before: refuse(downloadDocument, 'document-not-ready'),
    steps: download,
    shows: 'dialog .notice--info',
  },
  'download-saved': { before: lockedFile, steps: download, shows: 'dialog .notice--ok' },
  'download-code': { before: resendIn(42), steps: openDownloaded },
  'download-code-wrong': {
    before: lockedFile,
    steps: unlock(accessCode.replace('7', '8')),
    shows: 'dialog [aria-invalid]',
  },
  'download-code-spent': {
    before: [resendIn(-1), refuse(resendAccessCode, 'sends-spent', { retryAfter: 40_000 })],
    steps: [...openDownloaded, click('dialog .code-resend .button')],
    shows: 'dialog .code-resend [role=status]:is(:has-text("za dużo"), :has-text("too many"))',
  },
  'download-opened': {
    before: lockedFile,
    steps: [...unlock(accessCode), waitFor(preview), confirm],
    shows: 'dialog .file-row__state .icon',
  },
  'signed-locked': { steps: openSigned, shows: codeField },
  signed: { before: sendPdf(downloadSignedDocument, agreement), steps: openSigned, shows: preview },
})

/** DOC-1 … DOC-9: the list, the dialogs that download a document and open it, and the upload and signing of it. */
export const states = [...list, ...uploads, ...signing, ...downloads]
