import { generateKeyPairSync } from 'node:crypto'
import {
  confirmUpload,
  downloadDocument,
  listDocuments,
  stageUpload,
  type DocumentStatus,
} from '../../contract/documents.ts'
import {
  cancelDocumentCase,
  countersign,
  downloadUpload,
  finishDocumentCase,
  getDocumentCase,
  putCaseDocument,
  putDocumentCase,
  refuseUpload,
} from '../../contract/provider/provider-documents.ts'
import { commonName } from '../../contract/rules/renewal-rules.ts'
import { dayMs } from '../../contract/rules/warsaw-time.ts'
import { signBytes } from '../../pki/asn1/certificate-write.ts'
import { cmsSigner, signedAttributes, signedData } from '../../pki/asn1/cms.ts'
import { coveredDigest, embedSignature, prepareSignature } from '../../pki/pades/pades-sign.ts'
import { openAnyPdf } from '../../pki/pdf/pdf-encryption.ts'
import type { Pdf } from '../../pki/pdf/pdf-read.ts'
import { zip } from '../../pki/zip.ts'
import { makeAgreement } from '../agreements/agreement.ts'
import type { Authority } from '../authority/authority.ts'
import { sealLongTerm } from '../authority/electronic-seal.ts'
import type { PortalClient } from '../portal-client.ts'
import { openCustomerBrowser, type Mailbox } from './customer-browser.ts'
import { documentSigner, findPerson } from './demonstration-people.ts'

type DemonstrationCase = {
  id: string
  application: string
  document: string
  process: { pl: string; en: string }
  /** The final status of the case; `generating` and `refused` are `passed-to-subscriber` and `canceled` with a reason. */
  until: DocumentStatus | 'generating' | 'refused'
}

const renewal = { pl: 'Odnowienie podpisu', en: 'Signature renewal' }
const annex = { pl: 'Aneks do umowy', en: 'Annex to the agreement' }
const agreement = { pl: 'Umowa o podpis', en: 'Signature agreement' }

/** Cases in every status of DOC-2, including a document that is still being generated and a refused upload. */
const cases = (
  [
    ['finished', 'W/2026/0871', 'U-20714', agreement, 'finished'],
    ['canceled', 'W/2026/0902', 'A-20731', annex, 'canceled'],
    ['refused', 'W/2026/0918', 'A-20755', annex, 'refused'],
    ['ready', 'W/2026/0944', 'U-20790', agreement, 'issuer-uploaded'],
    ['verified', 'W/2026/0961', 'O-20813', renewal, 'subscriber-uploaded'],
    ['downloaded', 'W/2026/0977', 'U-20846', agreement, 'subscriber-downloaded'],
    ['generating', 'W/2026/1003', 'O-20868', renewal, 'generating'],
    ['passed', 'W/2026/1008', 'U-20871', agreement, 'passed-to-subscriber'],
  ] as const
).map(([name, application, document, process, until]): DemonstrationCase => ({
  id: `demo-document-${name}`,
  application,
  document,
  process,
  until,
}))

/** The cases that the back office must not process. */
export const untouchedCases: ReadonlySet<string> = new Set(
  cases.filter(({ until }) => until === 'subscriber-uploaded' || until === 'issuer-uploaded').map(({ id }) => id),
)

const owner = findPerson({ id: 'demo-malgorzata' })

type Services = {
  url: string
  portal: PortalClient
  authority: Authority
  now: Date
  mailbox: Mailbox
  password: string
}

/**
 * Opens a case for each status with the provider API. For the customer's steps a browser signs in as the customer. Cases
 * that have moved on since are not changed.
 */
export async function fillDocuments(services: Services): Promise<void> {
  for (const documentCase of cases) await open(services, documentCase)
  const waiting = await findCasesAt(services, 'passed-to-subscriber')
  const moving = waiting.filter(({ until }) => !['passed-to-subscriber', 'generating', 'canceled'].includes(until))
  if (moving.length) await moveByCustomer(services, moving)
  for (const documentCase of cases) await moveByProvider(services, documentCase)
}

async function findCasesAt({ portal }: Services, status: DocumentStatus) {
  const states = await Promise.all(cases.map(({ id }) => portal.call(getDocumentCase, { params: { case: id } })))
  return zip(cases, states).flatMap(([documentCase, state]) => (state.status === status ? [documentCase] : []))
}

async function open({ portal, now }: Services, { id, until, ...particulars }: DemonstrationCase) {
  const params = { case: id }
  const body = { customer: owner.id, ...particulars, signer: documentSigner.serialNumber }
  const { content, status } = await portal.call(putDocumentCase, { params, body })
  if (content === 'ready' || status !== 'passed-to-subscriber' || until === 'generating') return
  const pdf = await makeAgreement({
    language: owner.locale,
    number: particulars.document,
    concludedAt: now,
    product: 'app',
    subject: documentSigner,
    notBefore: now,
    notAfter: new Date(now.getTime() + 730 * dayMs),
    email: owner.email,
    phone: owner.phone,
  })
  await portal.upload(putCaseDocument, params, new Uint8Array(pdf))
}

/** Downloads, reads the code in the mail, signs, and submits documents to be verified. */
async function moveByCustomer({ url, authority, now, mailbox, password }: Services, moving: DemonstrationCase[]) {
  const customer = { login: owner.login, password, phone: owner.phone }
  const browser = await openCustomerBrowser(url, mailbox, customer)
  if (!browser) return
  const listed = await browser.call(listDocuments)
  const sign = await createSigner(authority, now)
  for (const { document, until } of moving) {
    const id = listed.items.find((item) => item.document === document)?.id
    if (!id) continue
    const code = mailbox(owner.email, /([0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4})/, document)
    const file = await browser.send(downloadDocument, { id })
    const accessCode = await code()
    if (until === 'subscriber-downloaded') continue
    const signed = sign(openAnyPdf(file, accessCode))
    const { sha256, version } = await browser.call(stageUpload, { id, file: signed })
    await browser.send(confirmUpload, { id, json: { sha256, version } })
  }
  await browser.leave()
}

/** Creates the customer's signing program with its own certificate and key. */
export async function createSigner(authority: Authority, now: Date) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { certificate } = await authority.issue({
    subject: documentSigner,
    publicKey,
    device: true,
    notBefore: new Date(now.getTime() - dayMs),
    notAfter: new Date(now.getTime() + 365 * dayMs),
  })
  return (pdf: Pdf) => {
    const signerName = commonName(documentSigner)
    const prepared = prepareSignature(pdf, { field: 'Podpis', signer: signerName, reason: 'Zgadzam się', at: now })
    const attributes = signedAttributes({ digest: coveredDigest(prepared), certificate })
    const signer = cmsSigner({ certificate, chain: authority.chain })
    return embedSignature(prepared, signedData(signer, { attributes, signature: signBytes(privateKey, attributes) }))
  }
}

async function moveByProvider({ portal, authority, now }: Services, { id, until, document }: DemonstrationCase) {
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
  const sealed = await sealLongTerm(file, authority, { reason: document, at: now, password })
  await portal.upload(countersign, params, sealed)
  if (until === 'finished') await portal.call(finishDocumentCase, { params })
}
