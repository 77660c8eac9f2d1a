import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { confirmUpload, downloadDocument, stageUpload } from '../../../contract/documents.ts'
import {
  countersign,
  putCaseDocument,
  putDocumentCase,
  type ProviderDocumentCase,
} from '../../../contract/provider/provider-documents.ts'
import { openAnyPdf } from '../../../pki/pdf/pdf-encryption.ts'
import { decryptPdf } from '../../../pki/pdf/pdf-rewrite.ts'
import {
  anna,
  contract,
  contractPdf,
  fileOf,
  issuing,
  ocspAnswer,
  revocationList,
  root,
  signPdf,
  type SigningOptions,
} from '../../../pki/testing/pades-authorities.ts'
import type { LockedFile } from '../../platform/pdf/pdf-work.ts'
import type { VerificationRequest } from '../../platform/ports.ts'
import { bodyOf, openBrowser, type TestBrowser } from '../browser.ts'
import { readPortalId } from '../database-state.ts'
import { now, type TestPortal, sharedPdfWork } from '../portal-nodes.ts'
import { uploadPdf } from '../provider.ts'

// Document cases as the provider opens them, and PDFs as a customer's program signs them.

export const sampleDocumentCase = (
  customer: string,
  over: Partial<ProviderDocumentCase> = {},
): ProviderDocumentCase => ({
  customer,
  application: 'W/2026/117',
  document: 'U-20871',
  process: { pl: 'Umowa o podpis', en: 'Signature agreement' },
  signer: 'PNOPL-90010112345',
  ...over,
})

export const sha256 = (bytes: Uint8Array) => hash('sha256', bytes)

export async function putPdf(portal: TestPortal, path: string, id: string, pdf: Uint8Array, node = 0) {
  const response = await uploadPdf(portal, path.replace(':case', id), pdf, node)
  return {
    status: response.status,
    body: (await response.json()) as { code?: string; current?: string; reason?: string; status?: string },
  }
}

type DocumentOptions = Partial<ProviderDocumentCase> & {
  /** The document itself; null while it is being generated. */
  pdf?: Uint8Array | null
}

/** Creates a case, with its document unless that is still being generated. */
export async function giveDocument(
  portal: TestPortal,
  customer: string,
  { pdf = contractPdf(), ...over }: DocumentOptions = {},
) {
  const id = `d-${crypto.randomUUID()}`
  const body = sampleDocumentCase(customer, over)
  bodyOf(await openBrowser(portal).call(putDocumentCase, { params: { case: id }, body }))
  if (pdf) {
    const put = await putPdf(portal, putCaseDocument.path, id, pdf)
    if (put.status !== 200) throw new Error(JSON.stringify(put.body))
  }
  return { documentCase: await readPortalId(portal, 'document_cases', id), providerDocumentCase: id }
}

/** Moves a case as its owner and the provider do, up to this state. */
export async function moveDocument({ owner }: TestPortal, id: string, last: 'subscriber-uploaded' | 'finished') {
  const states = ['subscriber-downloaded', 'subscriber-uploaded', 'issuer-uploaded', 'finished']
  for (const state of states.slice(0, states.indexOf(last) + 1))
    await owner.query('update document_cases set status = $2 where id = $1', [id, state])
}

/** Makes the check trust the authorities of pki/testing/pades-authorities.ts, with their current revocation data. */
export async function trustTestAuthorities(portal: TestPortal) {
  const at = await now(portal.db)
  Object.assign(portal.trust, {
    anchors: [{ certificate: root.certificate }],
    intermediates: [issuing.certificate],
    ocsps: [ocspAnswer(anna, { at })],
    crls: [revocationList({ at })],
  })
}

export async function downloadFile(browser: TestBrowser, id: string) {
  const response = await browser.raw('POST', downloadDocument.path.replace(':id', id))
  return { status: response.status, headers: response.headers, file: new Uint8Array(await response.arrayBuffer()) }
}

/** Returns the access code in the newest mail with one to an address. */
export function accessCode({ mails }: TestPortal, to: string): string {
  const mail = mails.find(
    (candidate) => candidate.to === to && /\b[0-9A-Z]{4}(?:-[0-9A-Z]{4}){3}\b/.test(candidate.text),
  )
  return /\b[0-9A-Z]{4}(?:-[0-9A-Z]{4}){3}\b/.exec(mail?.text ?? '')![0]
}

export const contractWithOtherPrice = () =>
  fileOf(contract.map((part) => (typeof part === 'string' ? part : [part[0], part[1].replace('100', '900')])))

/** Signs like a customer's program: the encrypted file, or a decrypted copy of it. */
export async function signAs(file: Uint8Array, code: string, how: 'locked' | 'clear', options: SigningOptions = {}) {
  return how === 'locked'
    ? signPdf(openAnyPdf(file, code), options)
    : signPdf(decryptPdf(file, { password: code }), options)
}

export async function stage(browser: TestBrowser, id: string, pdf: Uint8Array) {
  const response = await browser.raw('POST', stageUpload.path.replace(':id', id), pdf, {
    'content-type': 'application/pdf',
  })
  const body = (await response.json()) as {
    sha256: string
    version: number
    report: { verdict: string; document: string; signatures: unknown[]; problems: { code: string }[] }
    code?: string
    current?: string
  }
  return { status: response.status, body }
}

/** Downloads a document, and signs the encrypted file with the access code of the mail. */
export async function downloadAndSign(portal: TestPortal, browser: TestBrowser, email: string, id: string) {
  // Another code that waits would be sent at the same time.
  await portal.deliver()
  const { file } = await downloadFile(browser, id)
  await portal.deliver()
  return signAs(file, accessCode(portal, email), 'locked')
}

/** Takes a document from the download to the confirmation of its upload; then the provider has to verify the file. */
export async function uploadSigned(portal: TestPortal, browser: TestBrowser, email: string, id: string) {
  const signed = await downloadAndSign(portal, browser, email, id)
  const staged = await stage(browser, id, signed)
  if (staged.status !== 200) throw new Error(JSON.stringify(staged.body))
  const { sha256: uploaded, version } = staged.body
  bodyOf(await browser.call(confirmUpload, { params: { id }, body: { sha256: uploaded, version } }))
  return signed
}

/** Appends an update to a PDF, like a provider's signature. */
export const continued = (pdf: Uint8Array, mark = '') => Buffer.concat([pdf, Buffer.from(`\n% provider ${mark}\n`)])

export const putSigned = (portal: TestPortal, id: string, pdf: Uint8Array, node = 0) =>
  putPdf(portal, countersign.path, id, pdf, node)

/**
 * Returns the process that reads PDFs, an issued document that it has encrypted, and a function that builds requests to verify uploads of
 * that document.
 */
export async function openVerification(plain = contractPdf()) {
  const work = sharedPdfWork()
  const secrets = { password: 'AAAA-BBBB-CCCC-DDDD', owner: 'EEEE' }
  const locked = (await work.lock(plain, secrets)) as LockedFile
  const requestOf = (file: Uint8Array, over: { issued?: Uint8Array; receivedAt?: Date } = {}): VerificationRequest => ({
    file: inTransit(file),
    openIssued: inTransit(over.issued ?? locked.file),
    forms: [locked.clear],
    accessCode: secrets.password,
    signer: 'PNOPL-90010112345',
    receivedAt: over.receivedAt ?? new Date('2026-11-21T11:00:00Z'),
  })
  return { work, secrets, locked, requestOf }
}

/** Returns a reader that delivers a file in pieces. */
const inTransit = (bytes: Uint8Array) => async () => ({
  content: Readable.from(
    Array.from({ length: Math.ceil(bytes.length / 1000) }, (_, i) =>
      Buffer.from(bytes.subarray(i * 1000, (i + 1) * 1000)),
    ),
  ),
  bytes: bytes.length,
})
