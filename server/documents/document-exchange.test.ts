import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi, afterAll } from 'vitest'
import * as documents from '../../contract/documents.ts'
import { stageUpload } from '../../contract/documents.ts'
import { limits } from '../../contract/limits.ts'
import {
  downloadUpload,
  finishDocumentCase,
  getDocumentCase,
  listDocumentCases,
  refuseUpload,
} from '../../contract/provider/provider-documents.ts'
import { openAnyPdf } from '../../pki/pdf/pdf-encryption.ts'
import {
  signPdf,
  holder,
  person as named,
  personRights,
  issuing,
  ocspAnswer,
  contractPdf,
  contract,
  fileOf,
} from '../../pki/testing/pades-authorities.ts'
import { documentsOnDisk } from '../adapters/documents-disk.ts'
import { listenAsScanner } from '../adapters/loopback/loopback-scanner.ts'
import { malwareByClamd } from '../adapters/malware-clamd.ts'
import { asProvider, openBrowser } from '../testing/browser.ts'
import { openPortal, folderOfFile } from '../testing/open-portal.ts'
import { addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import {
  accessCode,
  contractWithOtherPrice,
  trustTestAuthorities,
  continued,
  downloadFile,
  giveDocument,
  putSigned,
  sha256,
  signAs,
  stage,
  uploadSigned,
  downloadAndSign,
} from '../testing/samples/sample-documents.ts'
import { readDeliveredTo } from '../testing/sent-messages.ts'
import { documentKeyOf } from './document-files.ts'

const folder = folderOfFile()
const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('')
const scan = (port?: number) =>
  listenAsScanner(
    (content, socket) => socket.end(content.includes(eicar) ? 'stream: Eicar-Signature FOUND\0' : 'stream: OK\0'),
    port,
  )
let scanner = await scan()
afterAll(() => scanner.close())
const store = documentsOnDisk(folder)
const reading = vi.spyOn(store, 'read')
const portal = await openPortal({ ports: { documents: store, malware: malwareByClamd(scanner.at) } })
await trustTestAuthorities(portal)
const person = await addCustomer(portal)
const customer = await signInDirectly(portal, person)
// The invitation.
await portal.deliver()

const provider = () => openBrowser(portal)
const newestSubject = async () => (await readDeliveredTo(portal, person.email))[0]!.subject
const readCase = async (id: string) => (await customer.call(documents.readDocument, { params: { id } })).body

test('DOC-1 DOC-2 DOC-3 DOC-6 DOC-8 a document goes out encrypted, comes back signed, is checked, verified, countersigned and finished', async () => {
  const { documentCase: id, providerDocumentCase: name } = await giveDocument(portal, person.id)
  expect(await newestSubject()).toContain('dokument do podpisania')
  const { body: list } = await customer.call(documents.listDocuments)
  expect(list.items[0]).toMatchObject({
    id,
    application: 'W/2026/117',
    document: 'U-20871',
    status: 'passed-to-subscriber',
    content: 'ready',
    codeSentAt: null,
    isSigned: false,
  })

  const actions = async () => documents.documentActions(await readCase(id))
  expect(await actions()).toEqual(['download'])

  const { status, headers, file } = await downloadFile(customer, id)
  expect(await actions()).toEqual(['download', 'resend-code', 'upload'])
  expect([status, headers.get('content-type')]).toEqual([200, 'application/pdf'])
  expect(() => openAnyPdf(file)).toThrow(expect.objectContaining({ code: 'encrypted' }))
  await portal.deliver()
  const code = accessCode(portal, person.email)
  const opened = openAnyPdf(file, code)
  expect(Buffer.from(file).includes('Umowa')).toBe(false)
  expect(Buffer.from(opened.decode(opened.object(4)!).data).toString()).toContain('Umowa na 100 zl')

  const signed = await signAs(file, code, 'locked')
  const staged = await stage(customer, id, signed)
  expect(staged).toMatchObject({
    status: 200,
    body: {
      sha256: sha256(signed),
      report: {
        verdict: 'accepted',
        document: 'same-bytes',
        problems: [],
        signatures: [
          { kind: 'signature', signer: 'Anna Nowak', issuer: 'Issuing', intact: true, coversWholeDocument: true },
        ],
      },
    },
  })
  // Nothing is decided yet.
  expect(await readCase(id)).toMatchObject({ status: 'subscriber-downloaded', upload: null })
  const body = { sha256: staged.body.sha256, version: staged.body.version }
  const confirmed = await customer.call(documents.confirmUpload, { params: { id }, body })
  expect(confirmed.body).toMatchObject({ id, status: 'subscriber-uploaded' })
  expect(await newestSubject()).toContain('mamy podpisany dokument')

  const { body: waiting } = await provider().call(listDocumentCases, { query: { status: 'subscriber-uploaded' } })
  expect(waiting.items.map((item) => item.case)).toContain(name)
  const { body: state } = await provider().call(getDocumentCase, { params: { case: name } })
  expect(state).toMatchObject({ accessCode: code, upload: { sha256: sha256(signed), bytes: signed.length } })
  const fetched = await asProvider(portal, 'GET', downloadUpload.path.replace(':case', name))
  expect(sha256(new Uint8Array(await fetched.arrayBuffer()))).toBe(sha256(signed))

  const final = continued(signed)
  expect((await putSigned(portal, name, final)).body).toMatchObject({ status: 'issuer-uploaded' })
  expect(await newestSubject()).toContain('sprawdzony')
  const { body: finished } = await provider().call(finishDocumentCase, { params: { case: name } })
  expect(finished.status).toBe('finished')
  expect(await actions()).toEqual(['download', 'resend-code', 'download-signed'])
  const got = await customer.raw('GET', documents.downloadSignedDocument.path.replace(':id', id))
  expect(got.headers.get('content-type')).toBe('application/pdf')
  expect(Buffer.from(await got.arrayBuffer())).toEqual(Buffer.from(final))
  expect(got.headers.get('content-disposition')).toMatch(/^attachment; filename="[\w.-]+"; filename\*=UTF-8''[\w.%-]+$/)
  const accepted = { isSigned: true, upload: { report: { verdict: 'accepted' } } }
  expect(await readCase(id)).toMatchObject({ status: 'finished', ...accepted })
})

test('DOC-3 the access code can be sent again after a minute, three times a day, and each mail has the same code', async () => {
  const { documentCase: id } = await giveDocument(portal, person.id)
  const resend = () => customer.call(documents.resendAccessCode, { params: { id } })
  expect((await resend()).problem).toMatchObject({ status: 422, code: 'state-passed', current: 'passed-to-subscriber' })
  await downloadFile(customer, id)
  await portal.deliver()
  const code = accessCode(portal, person.email)
  expect(await resend()).toMatchObject({ status: 429, problem: { code: 'resend-too-early' } })
  for (let i = 0; i < 3; i++) {
    await portal.clock.advance(61)
    const two = await Promise.all([resend(), resend()])
    expect(two.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 429])
    await portal.deliver()
    expect(accessCode(portal, person.email)).toBe(code)
  }
  await portal.clock.advance(61)
  expect(await resend()).toMatchObject({ status: 429, problem: { code: 'sends-spent' } })
  // A second download changes no state and sends no mail.
  const before = portal.mails.length
  expect((await downloadFile(customer, id)).status).toBe(200)
  await portal.deliver()
  expect(portal.mails.length).toBe(before)
})

test('HOM-3 home shows the documents to sign and those with both signatures, and never another customer’s', async () => {
  const owner = await addCustomer(portal)
  const browser = await signInDirectly(portal, owner)
  const summary = async () => (await browser.call(documents.summariseDocuments)).body
  await giveDocument(portal, owner.id, { pdf: null })
  await giveDocument(portal, person.id)
  const nothing = { count: 0, newest: null }
  expect(await summary()).toEqual({ toSign: nothing, toFetch: nothing })
  const first = await giveDocument(portal, owner.id)
  await downloadFile(browser, first.documentCase)
  const second = await giveDocument(portal, owner.id)
  expect(await summary()).toMatchObject({ toSign: { count: 2, newest: { id: second.documentCase } }, toFetch: nothing })
  const signed = await uploadSigned(portal, browser, owner.email, first.documentCase)
  expect(await summary()).toMatchObject({ toSign: { count: 1 }, toFetch: nothing })
  await putSigned(portal, first.providerDocumentCase, continued(signed))
  const toFetch = { count: 1, newest: { id: first.documentCase } }
  expect(await summary()).toMatchObject({ toSign: { count: 1 }, toFetch })
})

test('DOC-7 a document that is still being generated is answered with a time to try again', async () => {
  const { documentCase: id } = await giveDocument(portal, person.id, { pdf: null })
  expect((await readCase(id)).content).toBe('generating')
  const response = await customer.raw('POST', `/api/documents/${id}/file`)
  expect([response.status, response.headers.get('retry-after'), await response.json()]).toMatchObject([
    422,
    '60',
    { code: 'document-not-ready', retryAfter: 60 },
  ])
})

test('R43 R45 R48 DOC-8 a file that is not a PDF, has another password, is another document, another signer’s or unsigned is named as such before anything is decided', async () => {
  const { documentCase: id } = await giveDocument(portal, person.id)
  const { file } = await downloadFile(customer, id)
  await portal.deliver()
  const code = accessCode(portal, person.email)
  const tried = (pdf: Uint8Array) => stage(customer, id, pdf)

  for (const [content, bytes] of [
    ['a program', Buffer.from('MZ this is not a PDF')],
    ['space before it', Buffer.from(' %PDF-1.7')],
    ['too short', Buffer.from('%PD')],
  ] as const)
    expect([content, (await tried(bytes)).body.code]).toEqual([content, 'pdf-required'])
  expect((await tried(Buffer.from('%PDF-1.7\nnothing more'))).body.code).toBe('pdf-damaged')
  const otherCase = await giveDocument(portal, person.id)
  const foreign = await downloadFile(customer, otherCase.documentCase)
  expect((await tried(foreign.file)).body.code).toBe('pdf-encrypted')

  const report = async (pdf: Uint8Array) => (await tried(pdf)).body.report
  expect(await report(file)).toMatchObject({ verdict: 'refused', problems: [{ code: 'no-signature' }] })
  expect(await report(signPdf(contractWithOtherPrice()))).toMatchObject({
    verdict: 'refused',
    document: 'other',
    problems: [{ code: 'other-document' }],
  })
  const bob = holder({ name: named('Bob', 'PNOPL-80010112345'), extensions: personRights() }, issuing)
  portal.trust.ocsps!.push(ocspAnswer(bob, { at: new Date() }))
  const byBob = await report(await signAs(file, code, 'locked', { by: bob }))
  expect(byBob).toMatchObject({
    verdict: 'refused',
    signatures: [{ signer: 'Bob', problems: expect.arrayContaining([{ code: 'other-signer', severity: 'refuse' }]) }],
  })
  const bad = await signAs(file, code, 'locked')
  bad[40]! ^= 1
  const damaged = await tried(bad)
  expect([damaged.body.code, damaged.body.report?.verdict]).not.toContain('accepted')

  // Neither a refused upload nor an unknown one can be confirmed.
  const unsigned = sha256(file)
  const confirm = (hash: string, version = 2) =>
    customer.call(documents.confirmUpload, { params: { id }, body: { sha256: hash, version } })
  expect((await confirm(unsigned)).problem.code).toBe('upload-refused')
  expect((await confirm('0'.repeat(64))).problem.code).toBe('upload-unknown')
  expect((await confirm(unsigned, 1)).problem).toMatchObject({ code: 'state-passed', current: 'subscriber-downloaded' })

  expect((await confirm(unsigned, 2 ** 31)).status).toBe(400)

  // The decrypted file with a signature is the same document too.
  const clear = await tried(await signAs(file, code, 'clear'))
  expect(clear.body.report).toMatchObject({ verdict: 'accepted', document: 'same-bytes' })
  // 45 minutes later the upload has expired.
  await portal.clock.advance(2701)
  await signInDirectly(portal, person, customer)
  expect((await confirm(clear.body.sha256)).problem.code).toBe('upload-unknown')
})

test('DOC-6 a refused upload ends its case, and the customer is notified why and what to do', async () => {
  const { documentCase: id, providerDocumentCase: name } = await giveDocument(portal, person.id, {})
  await trustTestAuthorities(portal)
  await signInDirectly(portal, person, customer)
  await uploadSigned(portal, customer, person.email, id)
  const note = { pl: 'Certyfikat unieważniono wczoraj.', en: 'The certificate was revoked yesterday.' }
  const refuse = () =>
    provider().call(refuseUpload, { params: { case: name }, body: { reason: 'certificate-invalid', note } })
  const [first, again] = [await refuse(), await refuse()]
  expect(first.body).toEqual(again.body)
  const mails = (await readDeliveredTo(portal, person.email)).filter(({ subject }) => subject.includes('nie mogliśmy'))
  expect(mails).toHaveLength(1)
  for (const part of ['nieważny, zawieszony albo unieważniony', note.pl, 'Użyj podpisu z', 'Zadzwoń (+48'])
    expect(mails[0]!.text).toContain(part)
  expect(await readCase(id)).toMatchObject({ status: 'canceled', refusal: { reason: 'certificate-invalid', note } })
})

const bob = holder({ name: named('Bob', 'PNOPL-80010112345'), extensions: personRights() }, issuing)

async function givenDocument() {
  const { documentCase: id } = await giveDocument(portal, person.id)
  const { file } = await downloadFile(customer, id)
  await portal.deliver()
  const rows = await portal.rows(`select id from document_files where case_id = $1 and kind = 'document'`, [id])
  /** Checks an upload; returns the verdict and how often the check reads the issued document. */
  const judged = async (pdf: Uint8Array) => {
    reading.mockClear()
    const { report } = (await stage(customer, id, pdf)).body
    const reads = reading.mock.calls.filter(([key]) => key === documentKeyOf(rows[0]!.id))
    return [report.verdict, report.document, reads.length]
  }
  return { file, code: accessCode(portal, person.email), judged }
}

/** The number of comparisons for an upload that is not refused: the reader gets both files (R107). */
const compared = 1

test('R48 the check reads the issued document only if the upload’s bytes differ from it', async () => {
  portal.trust.ocsps!.push(ocspAnswer(bob, { at: new Date() }))
  const { file, code, judged } = await givenDocument()
  for (const how of ['locked', 'clear'] as const) {
    expect([how, ...(await judged(await signAs(file, code, how)))]).toEqual([how, 'accepted', 'same-bytes', compared])
    const byBob = await signAs(file, code, how, { by: bob })
    expect([how, ...(await judged(byBob))]).toEqual([how, 'refused', 'same-bytes', 0])
  }
  expect(await judged(signPdf(contractPdf()))).toEqual(['accepted', 'same-content', 1 + compared])
  expect(await judged(signPdf(contractWithOtherPrice()))).toEqual(['refused', 'other', 1])
})

const resetUploadLimit = () => portal.owner.query(`delete from rate_limits where name = 'document-uploads'`)
const countFiles = () => readdirSync(join(folder, 'documents')).length

async function downloaded() {
  await resetUploadLimit()
  const names = await giveDocument(portal, person.id)
  return { ...names, signed: await downloadAndSign(portal, customer, person.email, names.documentCase) }
}

test('R50 malware lets no file in, and neither does a scanner that is unreachable', async () => {
  const { documentCase: id, signed } = await downloaded()
  const carrier = signPdf(fileOf([...contract, [`<</Type/EmbeddedFile/Length ${eicar.length}>>`, eicar]]))
  const held = countFiles()
  expect((await stage(customer, id, carrier)).body.code).toBe('malware-found')
  const { port } = scanner
  await scanner.close()
  for (const file of [carrier, signed])
    expect(await stage(customer, id, file)).toMatchObject({ status: 503, body: { code: 'unavailable' } })
  expect(countFiles()).toBe(held)
  scanner = await scan(port)
  expect((await stage(customer, id, carrier)).body.code).toBe('malware-found')
  expect((await stage(customer, id, signed)).body.report.verdict).toBe('accepted')
})

test('R50 a customer may make so many uploads in an hour; the rest get a time to try again', async () => {
  const { documentCase: id } = await downloaded()
  const headers = { 'content-type': 'application/pdf' }
  const tryUpload = async () => {
    const response = await customer.raw('POST', stageUpload.path.replace(':id', id), Buffer.from('%PDF-1.7'), headers)
    const { code } = (await response.json()) as { code: string }
    return `${response.status} ${code} ${Number(response.headers.get('retry-after')) > 0 ? 'later' : ''}`.trim()
  }
  const answers = []
  for (let i = 0; i < 30; i++) answers.push(await tryUpload())
  const { limit } = limits.documents.uploads
  expect(new Set(answers.slice(0, limit))).toEqual(new Set(['422 pdf-damaged']))
  expect(new Set(answers.slice(limit))).toEqual(new Set(['429 too-many-attempts later']))
})
