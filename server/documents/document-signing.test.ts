import { Readable } from 'node:stream'
import { beforeEach, expect, test } from 'vitest'
import type { AuditAction } from '../../contract/audit-actions.ts'
import {
  documentActions,
  finishDocumentSigning,
  listDocuments,
  listDocumentSigners,
  readDocument,
  resendDocumentSigningCode,
  startDocumentSigning,
} from '../../contract/documents.ts'
import { limits } from '../../contract/limits.ts'
import { downloadUpload, putCaseDocument } from '../../contract/provider/provider-documents.ts'
import { putSignature } from '../../contract/provider/provider-signatures.ts'
import { decryptPdf, encryptPdf } from '../../pki/pdf/pdf-rewrite.ts'
import { contract, contractPdf, fileOf, signPdf } from '../../pki/testing/pades-authorities.ts'
import type { LockedFile } from '../platform/pdf/pdf-work.ts'
import { auditEntries } from '../testing/audit-entries.ts'
import { asProvider, bodyOf, codesOf, openBrowser } from '../testing/browser.ts'
import { sendTogether, preparedCall } from '../testing/burst.ts'
import { manySends, openPortal } from '../testing/open-portal.ts'
import { addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import { accessCode, downloadFile, giveDocument, putPdf, sha256 } from '../testing/samples/sample-documents.ts'
import { smsCode } from '../testing/sent-messages.ts'
import { giveCloudSignature, openSigningPortal, signerSubject, type TestSigning } from '../testing/signing.ts'
import { storeFile } from './document-files.ts'

const portal = await openPortal({ nodes: 2, comparesPages: false, settings: manySends })
const { provider, signing, person, customer } = await openSigningPortal(portal)
const signature = await giveCloudSignature(signing, provider, person)
beforeEach(async () => {
  signing.reset()
  await portal.owner.query(`delete from rate_limits`)
})

async function downloaded(over: Parameters<typeof giveDocument>[2] = {}, owner = person, browser = customer) {
  const names = await giveDocument(portal, owner.id, { signer: signerSubject.serialNumber, ...over })
  const { file } = await downloadFile(browser, names.documentCase)
  await portal.deliver()
  const plain = decryptPdf(file, { password: accessCode(portal, owner.email) })
  return { ...names, params: { id: names.documentCase }, plain }
}

/** Starts a signature and reads its code from the SMS. */
async function begin(params: { id: string }, signer = signature.id, browser = customer) {
  const started = bodyOf(await browser.call(startDocumentSigning, { params, body: { signer } }))
  await portal.deliver()
  return { ...started, entry: { code: smsCode(portal, person.phone) } }
}

const statusOf = async (params: { id: string }) => (await customer.call(readDocument, { params })).body.status
const requestCount = (method: string) => signing.requestsOf(method).length
const entriesOf = async (action: AuditAction, documentCase: string) =>
  (await auditEntries(portal, { action, details: { documentCase } })).map(({ details }) => details)

test('DOC-9 SGN-14 R33 a case is signed in place by an SMS code that names its hash, and is then submitted like an upload', async () => {
  const { params, plain, providerDocumentCase } = await downloaded()
  const { body: listed } = await customer.call(listDocuments, {})
  expect(documentActions(listed.items.find(({ id }) => id === params.id)!)).toContain('sign-here')
  const { body: found } = await customer.call(listDocumentSigners, { params })
  expect(found.signers).toMatchObject([
    { id: signature.id, name: 'Małgorzata Wiśniewska', serialNumber: signature.serialNumber },
  ])
  expect(found.maskedPhone).toBe(`+48 ••• ••• ${person.phone.slice(-3)}`)

  const { sha256: hash, entry } = await begin(params)
  expect(hash).toBe(sha256(plain))
  expect(portal.texts[0]!.text).toContain(`do podpisania dokumentu ${hash.slice(0, 8)}: ${entry.code}`)
  const done = await customer.call(finishDocumentSigning, { params, body: entry })
  expect(done.body).toMatchObject({ status: 'subscriber-uploaded' })

  const { upload } = (await customer.call(readDocument, { params })).body
  expect(upload!.report).toMatchObject({
    verdict: 'accepted',
    document: 'same-bytes',
    problems: [],
    signatures: [{ signer: 'Małgorzata Wiśniewska', intact: true, trusted: true, level: 'B-LT', problems: [] }],
  })
  const fetched = await asProvider(portal, 'GET', downloadUpload.path.replace(':case', providerDocumentCase))
  const signed = new Uint8Array(await fetched.arrayBuffer())
  expect(sha256(signed)).toBe(upload!.sha256)
  expect(Buffer.from(signed.subarray(0, plain.length)).equals(plain)).toBe(true)
  expect(await entriesOf('document-signed-in-place', params.id)).toMatchObject([
    { signature: signature.id, document: hash, sha256: upload!.sha256, level: 'B-LT' },
  ])
  await portal.deliver()
  expect(portal.mails[0]!.to).toBe(person.email)
  expect([requestCount('credentials/authorize'), requestCount('signatures/signHash')]).toEqual([1, 1])
  // The service gets only a hash of hashes and the provider's own numbers.
  expect(JSON.stringify(signing.requests)).not.toContain(hash)
})

test('DOC-9 R48 a PDF that cannot be signed is refused when the provider stores it, with the reason', async () => {
  const { providerDocumentCase: name } = await giveDocument(portal, person.id, { pdf: null })
  const put = async (pdf: Uint8Array) => (await putPdf(portal, putCaseDocument.path, name, pdf)).body
  const rest = contract.slice(1)
  for (const [reason, pdf] of [
    ['signed', signPdf(contractPdf())],
    ['encrypted', encryptPdf(contractPdf(), { password: 'AAAA', owner: 'BBBB' })],
    ['damaged', contractPdf().slice(0, -40)],
    ['damaged', fileOf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[]/Count 0>>'])],
    // The page itself is a form: adding a field changes the page.
    ['not-signable', fileOf(['<</Type/Catalog/Pages 2 0 R/AcroForm 3 0 R>>', ...rest])],
  ] as const)
    expect([reason, await put(pdf)]).toMatchObject([reason, { code: 'pdf-unusable', reason }])
  expect(await put(contractPdf())).toMatchObject({ content: 'ready' })
})

/** Replaces the document by one that differs in a byte and has the same code, which needs access to the database. */
async function swapDocument({ id }: { id: string }) {
  const pdf = new Uint8Array(contractPdf())
  const at = Buffer.from(pdf).indexOf('/MediaBox[0 0 ') + '/MediaBox[0 0 '.length
  pdf[at]! ^= 1
  const secrets = { password: accessCode(portal, person.email), owner: 'provider' }
  const { file: locked } = (await portal.portal.pdfWork.lock(pdf, secrets)) as LockedFile
  const file = await storeFile(portal.portal, { caseId: id, kind: 'document' }, Readable.from([Buffer.from(locked)]))
  await portal.owner.query(`update document_cases set document_file = $2 where id = $1`, [id, file.id])
}

/** Files the signature again, with the certificate of its key. */
async function fileAgain(status: 'good' | 'suspended' = 'good') {
  const certificate = Buffer.from(signature.certificate).toString('base64')
  const { status: answered } = await openBrowser(portal).call(putSignature, {
    params: { signature: signature.providerId },
    body: await provider.signedBody(person.id, { certificate, status }),
  })
  expect(answered).toBe(200)
}

const changes: [string, (params: { id: string }) => Promise<unknown>][] = [
  ['one byte of the document', swapDocument],
  [
    'the version of its case',
    ({ id }) => portal.owner.query(`update document_cases set version = version + 1 where id = $1`, [id]),
  ],
  [
    'the certificate',
    async () => {
      Object.assign(signature, await signing.giveKey(signature.providerId, person.id))
      await fileAgain()
    },
  ],
  ['the status of the certificate', () => fileAgain('suspended')],
]
async function signAgain(params: { id: string }) {
  const { entry } = await begin(params)
  expect((await customer.call(finishDocumentSigning, { params, body: entry })).body.status).toBe('subscriber-uploaded')
}

test.each(changes)(
  'R33 a change of %s after the code was sent voids it, and the audit shows both hashes',
  async (what, change) => {
    const { params } = await downloaded()
    const { sha256: hash, entry } = await begin(params)
    await change(params)
    expect((await customer.call(finishDocumentSigning, { params, body: entry })).problem.code).toBe('signing-changed')
    expect((await customer.call(finishDocumentSigning, { params, body: entry })).problem.code).toBe('code-void')
    expect(await entriesOf('document-signing-voided', params.id)).toMatchObject([
      { sent: hash, found: what === 'one byte of the document' ? expect.not.stringMatching(hash) : hash },
    ])
    expect([await statusOf(params), requestCount('credentials/authorize')]).toEqual(['subscriber-downloaded', 0])
    await fileAgain()
    await signAgain(params)
  },
)

test('R22 R51 a right code entered many times at once makes one signature and one upload', async () => {
  const { params } = await downloaded()
  const { entry } = await begin(params)
  const shot = preparedCall(finishDocumentSigning, { params, body: entry }, { cookie: customer.cookie })
  const codes = codesOf(await sendTogether(portal, [shot, shot, shot, shot]))
  expect(codes).toEqual(['ok', 'ok', 'ok', 'ok'])
  expect([requestCount('signatures/signHash'), await statusOf(params)]).toEqual([1, 'subscriber-uploaded'])
  const uploadsSql = `select from document_files where case_id = $1 and kind = 'upload'`
  expect((await portal.owner.query(uploadsSql, [params.id])).rowCount).toBe(1)
})

test('R2 R21 a code signs nothing for another session, another case or after wrong entries', async () => {
  const [chosen, otherCase] = [await downloaded(), await downloaded()]
  const { entry } = await begin(chosen.params)
  const elsewhere = await signInDirectly(portal, person)
  expect((await elsewhere.call(finishDocumentSigning, { params: chosen.params, body: entry })).problem.code).toBe(
    'code-void',
  )
  expect((await customer.call(finishDocumentSigning, { params: otherCase.params, body: entry })).problem.code).toBe(
    'code-void',
  )
  const wrong = { code: String((Number(entry.code) + 1) % 1_000_000).padStart(6, '0') }
  const answers = []
  for (let i = 0; i < 5; i++)
    answers.push(await customer.call(finishDocumentSigning, { params: chosen.params, body: wrong }))
  expect(codesOf(answers)).toEqual([...Array<string>(4).fill('code-wrong'), 'code-void'])
  expect((await customer.call(finishDocumentSigning, { params: chosen.params, body: entry })).problem.code).toBe(
    'code-void',
  )
  expect([await statusOf(chosen.params), requestCount('credentials/authorize')]).toEqual(['subscriber-downloaded', 0])
})

test('R24 a signature started again keeps its code; in another session the code is void', async () => {
  const { params } = await downloaded()
  const first = await begin(params)
  const sent = portal.texts.length
  const again = await customer.call(startDocumentSigning, { params, body: { signer: signature.id } })
  await portal.deliver()
  expect([again.body.code.id, portal.texts.length]).toEqual([first.code.id, sent])
  expect((await customer.call(resendDocumentSigningCode, { params })).problem.code).toBe('resend-too-early')

  const elsewhere = await signInDirectly(portal, person)
  const theirs = await begin(params, signature.id, elsewhere)
  expect((await customer.call(finishDocumentSigning, { params, body: first.entry })).problem.code).toBe('code-void')
  expect((await elsewhere.call(finishDocumentSigning, { params, body: theirs.entry })).body.status).toBe(
    'subscriber-uploaded',
  )
})

test('DOC-9 R34 only the owner’s own cloud signatures that fit the case can be chosen', async () => {
  const { params } = await downloaded()
  const stranger = await addCustomer(portal)
  const strange = await signInDirectly(portal, stranger)
  const theirs = await giveCloudSignature(signing, provider, stranger)
  const answers = [
    await strange.call(listDocumentSigners, { params }),
    await strange.call(startDocumentSigning, { params, body: { signer: theirs.id } }),
    await strange.call(resendDocumentSigningCode, { params }),
    await strange.call(finishDocumentSigning, { params, body: { code: '000000' } }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  // The service has a key for a signature that is not this customer's in the portal.
  await signing.giveKey(`k-${crypto.randomUUID()}`, person.id)
  // The same person, but with another identifier than the case names.
  const subject = { ...signerSubject, serialNumber: 'IDCPL-ABA300000' }
  await giveCloudSignature(signing, provider, person, { subject })
  // A signature for which the service has no key.
  const unkept = await provider.give(person)
  expect((await customer.call(listDocumentSigners, { params })).body.signers.map(({ id }) => id)).toEqual([
    signature.id,
  ])
  for (const signer of [theirs.id, unkept.id])
    expect((await customer.call(startDocumentSigning, { params, body: { signer } })).problem.code).toBe(
      'signer-unknown',
    )
  expect(requestCount('credentials/authorize')).toBe(0)
})

test('DOC-9 DOC-2 before the first download, and after the upload, nothing is signed in place', async () => {
  const { documentCase: id } = await giveDocument(portal, person.id, { signer: signerSubject.serialNumber })
  const body = { signer: signature.id }
  expect((await customer.call(startDocumentSigning, { params: { id }, body })).problem).toMatchObject({
    code: 'state-passed',
    current: 'passed-to-subscriber',
  })
  const { params } = await downloaded()
  const { entry } = await begin(params)
  await customer.call(finishDocumentSigning, { params, body: entry })
  expect((await customer.call(startDocumentSigning, { params, body })).problem.current).toBe('subscriber-uploaded')
  // A request with another body, so it is not a repetition (R112).
  await portal.clock.advance(limits.code.repeatFor + 1)
  expect((await customer.call(finishDocumentSigning, { params, body: entry })).problem.code).toBe('state-passed')
})

const faults: [string, Parameters<TestSigning['tamperBy']>[0], string][] = [
  [
    'refuses',
    (path) => (path === 'credentials/authorize' ? { status: 400, body: '{"error":"invalid_request"}' } : undefined),
    'signing-refused',
  ],
  [
    'signs something else',
    (path, answer) => {
      if (path !== 'signatures/signHash') return undefined
      const bytes = Buffer.from((JSON.parse(answer) as { signatures: [string] }).signatures[0], 'base64')
      bytes[40]! ^= 1
      return { status: 200, body: JSON.stringify({ signatures: [bytes.toString('base64')] }) }
    },
    'signing-refused',
  ],
  ['gives no timestamp', (path) => (path === '/tsa' ? { status: 503, body: '' } : undefined), 'unavailable'],
]
test.each(faults)(
  'R53 when the service %s, the case does not change, and the customer can start again',
  async (_, tamper, code) => {
    const { params } = await downloaded()
    const { entry, sha256: hash } = await begin(params)
    signing.tamperBy(tamper)
    expect((await customer.call(finishDocumentSigning, { params, body: entry })).problem.code).toBe(code)
    expect(await entriesOf('document-signing-failed', params.id)).toMatchObject([{ sha256: hash }])
    signing.tamperBy()
    expect((await customer.call(finishDocumentSigning, { params, body: entry })).problem.code).toBe('code-void')
    expect(await statusOf(params)).toBe('subscriber-downloaded')
    await signAgain(params)
  },
)

test('R51 a case that changes while the service signs does not accept the signature', async () => {
  const { params } = await downloaded()
  const { entry } = await begin(params)
  signing.tamperBy(async (path) => {
    if (path !== 'signatures/signHash') return undefined
    await portal.owner.query(`update document_cases set version = version + 1 where id = $1`, [params.id])
    return undefined
  })
  const late = await customer.call(finishDocumentSigning, { params, body: entry })
  expect([late.problem.code, await statusOf(params)]).toEqual(['state-passed', 'subscriber-downloaded'])
  const { rows } = await portal.owner.query(`select upload_file from document_cases where id = $1`, [params.id])
  expect(rows).toEqual([{ upload_file: null }])
})
