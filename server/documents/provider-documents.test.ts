import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import * as documents from '../../contract/documents.ts'
import { cancelDocumentCase } from '../../contract/provider/provider-documents.ts'
import { signBytes } from '../../pki/asn1/certificate-write.ts'
import { readCertificate } from '../../pki/asn1/certificate.ts'
import { cmsSigner, signedAttributes, signedData } from '../../pki/asn1/cms.ts'
import { coveredDigest, embedSignature, prepareSignature } from '../../pki/pades/pades-sign.ts'
import { validatePdf } from '../../pki/pades/pades-validate.ts'
import { openAnyPdf } from '../../pki/pdf/pdf-encryption.ts'
import { decryptPdf } from '../../pki/pdf/pdf-rewrite.ts'
import { coverableContract, preparedOverThePrice } from '../../pki/testing/visible-signature.ts'
import { documentBackOffice } from '../../provider/back-office/document-back-office.ts'
import { portalClient } from '../../provider/portal-client.ts'
import { bodyOf, openBrowser } from '../testing/browser.ts'
import { openPortalWithProvider } from '../testing/open-portal.ts'
import { sampleValidity } from '../testing/provider.ts'
import { addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import { accessCode, downloadFile, giveDocument, stage } from '../testing/samples/sample-documents.ts'
import { signerSubject } from '../testing/signing.ts'

const { portal, provider } = await openPortalWithProvider()
const { authority } = provider
const lists = () => Promise.all([authority.readRevocationList('root'), authority.readRevocationList('issuing')])
const anchors = [{ certificate: authority.certificates.root }]
Object.assign(portal.trust, { anchors, intermediates: [authority.certificates.issuing], crls: await lists() })
const person = await addCustomer(portal)
const customer = await signInDirectly(portal, person)

/** Creates a case with a submitted upload, signed with a new certificate from the provider's authority. */
async function upload({ isOverThePrice = false } = {}) {
  const { documentCase: id } = await giveDocument(portal, person.id, {
    signer: signerSubject.serialNumber,
    ...(isOverThePrice && { pdf: coverableContract() }),
  })
  const { file } = await downloadFile(customer, id)
  await portal.deliver()
  const code = accessCode(portal, person.email)
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { certificate, serialNumber } = await authority.issue({
    subject: signerSubject,
    publicKey,
    device: true,
    ...sampleValidity({ period: '30_days', from: undefined, to: undefined }),
  })
  const field = { field: 'Podpis', signer: 'Małgorzata Wiśniewska', reason: 'Zgadzam się', at: new Date() }
  const prepared = isOverThePrice
    ? preparedOverThePrice(decryptPdf(file, { password: code }))
    : prepareSignature(openAnyPdf(file, code), field)
  const attributes = signedAttributes({ digest: coveredDigest(prepared), certificate })
  const signer = cmsSigner({ certificate, chain: authority.chain })
  const cms = signedData(signer, { attributes, signature: signBytes(privateKey, attributes) })
  const { body } = await stage(customer, id, embedSignature(prepared, cms))
  expect(body.report.verdict).toBe(isOverThePrice ? 'pending' : 'accepted')
  const { sha256, version } = body
  bodyOf(await customer.call(documents.confirmUpload, { params: { id }, body: { sha256, version } }))
  return { id, code, serialNumber }
}

const backOffice = () =>
  documentBackOffice({
    portal: portalClient({ url: portal.origin, clientKey: portal.clientKey }),
    authority,
    leaves: new Set(),
  })
const read = async (id: string) => (await customer.call(documents.readDocument, { params: { id } })).body

test('DOC-6 the embedded provider verifies what a customer uploads, adds its seal and finishes the case; both signatures hold', async () => {
  const { id, code } = await upload()
  await backOffice().work()
  expect(await read(id)).toMatchObject({ status: 'finished', isSigned: true, refusal: null })
  const response = await customer.raw('GET', documents.downloadSignedDocument.path.replace(':id', id))
  const report = await validatePdf(new Uint8Array(await response.arrayBuffer()), {
    anchors,
    receivedAt: new Date(),
    crls: await lists(),
    password: code,
    revocation: 'required',
    signingCertificate: 'v2',
    qualified: false,
  })
  expect(report.verdict).toBe('accepted')
  expect(report.signatures.map(({ intact, trusted }) => [intact, trusted])).toEqual([
    [true, true],
    [true, true],
  ])
  const seal = readCertificate(authority.seal.certificate).fingerprint
  expect(report.signatures.at(-1)!.signer!.fingerprint).toBe(seal)
})

test('DOC-6 the provider refuses an upload signed with a revoked certificate, and names that reason', async () => {
  const { id, serialNumber } = await upload()
  await authority.revoke(serialNumber, 'keyCompromise', new Date(Date.now() - 5000))
  await backOffice().work()
  expect(await read(id)).toMatchObject({ status: 'canceled', refusal: { reason: 'certificate-invalid', note: null } })
})

test('R107 DOC-6 a back office without a reviewer does not countersign a document that looks different from the issued one', async () => {
  const { id } = await upload({ isOverThePrice: true })
  await backOffice().work()
  expect(await read(id)).toMatchObject({ status: 'canceled', refusal: { reason: 'changed', note: null } })
})

/** Sets the creation times of cases an hour apart, in the order of their numbers. */
const createInOrder = (given: { documentCase: string }[]) =>
  portal.owner.query(
    `update document_cases set created_at = timestamptz '2026-01-01 00:00Z' + make_interval(hours => substr(document, 3)::int)
      where id = any($1)`,
    [given.map(({ documentCase }) => documentCase)],
  )

test('DOC-14 R36 documents to be signed come first, also while they are being generated, then those to be downloaded, then the rest, on any page', async () => {
  const owner = await addCustomer(portal)
  const numbers = Array.from({ length: 24 }, (_, i) => `U-${100 + i}`)
  const given = await Promise.all(numbers.map((document) => giveDocument(portal, owner.id, { document, pdf: null })))
  // The states in turn, whose moves other tests make; the trigger of the database allows each of them.
  const moves = ['subscriber-downloaded', 'subscriber-uploaded', 'issuer-uploaded', 'finished']
  for (const [i, { documentCase }] of given.entries())
    for (const status of moves.slice(0, i % 5))
      await portal.owner.query('update document_cases set status = $1 where id = $2', [status, documentCase])
  await createInOrder(given)
  const rank = (i: number) => [0, 0, 2, 1, 2][i % 5]!
  const expected = numbers
    .map((number, i) => ({ number, rank: rank(i) }))
    .toReversed()
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ number }) => number)
  const browser = await signInDirectly(portal, owner)
  const { body: first } = await browser.call(documents.listDocuments)
  const { body: second } = await browser.call(documents.listDocuments, { query: { cursor: first.next! } })
  expect([...first.items, ...second.items].map(({ document }) => document)).toEqual(expected)
  expect([first.items.length, second.next]).toEqual([20, null])
  const stranger = await signInDirectly(portal, await addCustomer(portal))
  expect((await stranger.call(documents.listDocuments, { query: { cursor: first.next! } })).problem.code).toBe(
    'cursor-refused',
  )
})

test('DOC-14 a download does not move a document; what is cancelled comes last', async () => {
  const owner = await addCustomer(portal)
  const browser = await signInDirectly(portal, owner)
  const listed = async () => (await browser.call(documents.listDocuments)).body.items.map(({ document }) => document)
  await giveDocument(portal, owner.id, { document: 'U-1' })
  const newer = await giveDocument(portal, owner.id, { document: 'U-2' })
  const loaded = await browser.raw('POST', documents.downloadDocument.path.replace(':id', newer.documentCase))
  expect([loaded.status, (await loaded.arrayBuffer()).byteLength > 0]).toEqual([200, true])
  expect(await listed()).toEqual(['U-2', 'U-1'])
  const params = { case: newer.providerDocumentCase }
  expect((await openBrowser(portal).call(cancelDocumentCase, { params })).status).toBe(200)
  expect(await listed()).toEqual(['U-1', 'U-2'])
})

test('DOC-14 documents are found by name in both languages, by their number and by that of the application, together with a status', async () => {
  const owner = await addCustomer(portal)
  const give = (document: string, application: string, process: { pl: string; en: string }) =>
    giveDocument(portal, owner.id, { document, application, process, pdf: null })
  await give('U-20871', 'W/2026/117', { pl: 'Umowa o\u00a0pieczęć', en: 'Seal agreement' })
  await give('A-20872', 'W/2026/118', { pl: 'Aneks do umowy', en: 'Annex to the agreement' })
  await giveDocument(portal, (await addCustomer(portal)).id, { document: 'U-20871', pdf: null })
  const browser = await signInDirectly(portal, owner)
  const found = async (search: string, status?: 'finished') =>
    (await browser.call(documents.listDocuments, { query: { search, ...(status && { status }) } })).body.items.map(
      ({ document }) => document,
    )
  // The name has a no-break space, which nobody types.
  expect(await found(' umowa o pieczec ')).toEqual(['U-20871'])
  expect(await found('ANNEX')).toEqual(['A-20872'])
  expect(await found('u-208')).toEqual(['U-20871'])
  expect(await found('2026/118')).toEqual(['A-20872'])
  expect(await found('agreement')).toEqual(['A-20872', 'U-20871'])
  expect(await found('agreement', 'finished')).toEqual([])
  expect(await found('_')).toEqual([])
  expect((await browser.raw('GET', `/api/documents?search=${'x'.repeat(101)}`)).status).toBe(400)
})
