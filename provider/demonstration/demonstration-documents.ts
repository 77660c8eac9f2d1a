import { generateKeyPairSync } from 'node:crypto'
import {
  confirmUpload,
  downloadDocument,
  listDocuments,
  stageUpload,
  type DocumentStatus,
} from '../contract/documents.ts'
import {
  cancelDocumentCase,
  countersign,
  downloadUpload,
  finishDocumentCase,
  getDocumentCase,
  putCaseDocument,
  putDocumentCase,
  refuseUpload,
} from '../contract/provider-documents.ts'
import type { Reply } from '../contract/endpoint.ts'
import { openAnyPdf } from '../pki/pdf-cipher-node.ts'
import { cmsSigner, signedAttributes, signedData } from '../pki/cms.ts'
import { coveredDigest, embedSignature, prepareSignature } from '../pki/pades-sign.ts'
import type { Pdf } from '../pki/pdf-read.ts'
import { signBytes } from '../pki/signature-algorithm.ts'
import { makeAgreement } from './agreement.ts'
import type { Authority } from './authority.ts'
import { openCustomerBrowser, type Mailbox } from './customer-browser.ts'
import { people } from './demonstration-people.ts'
import { PortalRefused, type PortalClient } from './portal-client.ts'
import { sealWithProof } from './seal.ts'
import type { PersonSubject } from './subscriber.ts'

type DemonstrationCase = {
  id: string
  application: string
  document: string
  process: { pl: string; en: string }
  /** Where the case is left; `generating` and `refused` are `passed-to-subscriber` and `canceled` with a reason. */
  until: DocumentStatus | 'generating' | 'refused'
}

const renewal = { pl: 'Odnowienie podpisu', en: 'Signature renewal' }
const annex = { pl: 'Aneks do umowy', en: 'Annex to the agreement' }
const agreement = { pl: 'Umowa o podpis', en: 'Signature agreement' }

/** Every status of DOC-2, the document that is still being generated, and the upload that was refused. */
const cases: readonly DemonstrationCase[] = [
  {
    id: 'demo-document-finished',
    application: 'W/2026/0871',
    document: 'U-20714',
    process: agreement,
    until: 'finished',
  },
  { id: 'demo-document-canceled', application: 'W/2026/0902', document: 'A-20731', process: annex, until: 'canceled' },
  { id: 'demo-document-refused', application: 'W/2026/0918', document: 'A-20755', process: annex, until: 'refused' },
  {
    id: 'demo-document-ready',
    application: 'W/2026/0944',
    document: 'U-20790',
    process: agreement,
    until: 'issuer-uploaded',
  },
  {
    id: 'demo-document-verified',
    application: 'W/2026/0961',
    document: 'O-20813',
    process: renewal,
    until: 'subscriber-uploaded',
  },
  {
    id: 'demo-document-downloaded',
    application: 'W/2026/0977',
    document: 'U-20846',
    process: agreement,
    until: 'subscriber-downloaded',
  },
  {
    id: 'demo-document-generating',
    application: 'W/2026/1003',
    document: 'O-20868',
    process: renewal,
    until: 'generating',
  },
  {
    id: 'demo-document-passed',
    application: 'W/2026/1008',
    document: 'U-20871',
    process: agreement,
    until: 'passed-to-subscriber',
  },
]

/** What the desk leaves as it is, to be looked at. */
export const leftAlone: ReadonlySet<string> = new Set(
  cases.filter(({ until }) => until === 'subscriber-uploaded' || until === 'issuer-uploaded').map(({ id }) => id),
)

const owner = people.find(({ id }) => id === 'demo-malgorzata')!
const subject: PersonSubject = {
  kind: 'person',
  givenName: owner.firstName,
  surname: owner.surname,
  serialNumber: 'PNOPL-85031212343',
  country: 'PL',
}

type Desk = { url: string; portal: PortalClient; authority: Authority; now: Date; mailbox: Mailbox; password: string }

const dayMs = 86_400_000

/**
 * Opens a case for each status by the provider API. Where one needs the customer, a browser signs in and does what a
 * customer does. A case that has gone on since stays where it is.
 */
export async function fillDocuments(desk: Desk): Promise<void> {
  for (const one of cases) await open(desk, one)
  const waiting = await casesAt(desk, 'passed-to-subscriber')
  const moving = waiting.filter(({ until }) => !['passed-to-subscriber', 'generating', 'canceled'].includes(until))
  if (moving.length) await moveByCustomer(desk, moving)
  for (const one of cases) await moveByProvider(desk, one)
}

async function casesAt({ portal }: Desk, status: DocumentStatus) {
  const states = await Promise.all(cases.map(({ id }) => portal.call(getDocumentCase, { params: { case: id } })))
  return cases.filter((_, i) => states[i]!.status === status)
}

async function open({ portal, now }: Desk, { id, until, ...particulars }: DemonstrationCase) {
  const params = { case: id }
  const body = { customer: owner.id, ...particulars, signer: subject.serialNumber }
  const { content, status } = await portal.call(putDocumentCase, { params, body })
  if (content === 'ready' || status !== 'passed-to-subscriber' || until === 'generating') return
  const pdf = await makeAgreement({
    language: owner.locale,
    number: particulars.document,
    concludedAt: now,
    product: 'app',
    subject,
    notBefore: now,
    notAfter: new Date(now.getTime() + 730 * dayMs),
    email: owner.email,
    phone: owner.phone,
  })
  await portal.upload(putCaseDocument, params, new Uint8Array(pdf))
}

/** Downloads, reads the code in the mail, signs, and hands over what is to be verified. */
async function moveByCustomer({ url, authority, now, mailbox, password }: Desk, moving: DemonstrationCase[]) {
  const customer = { login: owner.login, password, phone: owner.phone }
  const browser = await openCustomerBrowser(url, mailbox, customer).catch((error: unknown) => {
    // A visitor may have given this customer another password; the cases stay where they are then.
    if (!(error instanceof PortalRefused)) throw error
  })
  if (!browser) return
  const listed = answerOf(await browser.send(listDocuments)) as Reply<typeof listDocuments>
  const sign = await openSigner(authority, now)
  for (const { document, until } of moving) {
    const id = listed.items.find((one) => one.document === document)?.id
    if (!id) continue
    const code = mailbox(owner.email, /([0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4})/, document)
    const file = await browser.send(downloadDocument, { id })
    const accessCode = await code()
    if (until === 'subscriber-downloaded') continue
    const body = sign(await openAnyPdf(file, accessCode))
    const { sha256, version } = answerOf(await browser.send(stageUpload, { id, body })) as Reply<typeof stageUpload>
    const headers = { 'idempotency-key': crypto.randomUUID() }
    await browser.send(confirmUpload, { id, body: { sha256, version }, headers })
  }
  await browser.leave()
}

const answerOf = (bytes: Uint8Array) => JSON.parse(Buffer.from(bytes).toString()) as unknown

/** The customer's own program, with a certificate and a key for this. */
export async function openSigner(authority: Authority, now: Date) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { certificate } = await authority.issue({
    subject,
    publicKey,
    device: true,
    notBefore: new Date(now.getTime() - dayMs),
    notAfter: new Date(now.getTime() + 365 * dayMs),
  })
  return (pdf: Pdf) => {
    const signerName = `${subject.givenName} ${subject.surname}`
    const prepared = prepareSignature(pdf, { field: 'Podpis', signer: signerName, reason: 'Zgadzam się', at: now })
    const attributes = signedAttributes({ digest: coveredDigest(prepared), certificate })
    const signer = cmsSigner({ certificate, chain: authority.chain })
    return embedSignature(prepared, signedData(signer, { attributes, signature: signBytes(privateKey, attributes) }))
  }
}

async function moveByProvider({ portal, authority, now }: Desk, { id, until, document }: DemonstrationCase) {
  const params = { case: id }
  const { status, accessCode } = await portal.call(getDocumentCase, { params })
  if (until === 'canceled' && status === 'passed-to-subscriber') await portal.call(cancelDocumentCase, { params })
  if (status !== 'subscriber-uploaded') return
  if (until === 'refused')
    await portal.call(refuseUpload, {
      params,
      body: {
        reason: 'certificate-invalid',
        note: {
          pl: 'Certyfikat został unieważniony w\u00a0dniu podpisania.',
          en: 'The certificate was revoked on the day of signing.',
        },
      },
    })
  if (until !== 'issuer-uploaded' && until !== 'finished') return
  const file = await portal.download(downloadUpload, params)
  const password = accessCode ?? undefined
  const sealed = await sealWithProof(file, authority, { reason: document, at: now, password })
  await portal.upload(countersign, params, sealed)
  if (until === 'finished') await portal.call(finishDocumentCase, { params })
}
