import { generateKeyPairSync } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { confirmUpload, downloadSigned, readDocument } from '../../contract/documents.ts'
import { readCertificate } from '../../pki/asn1/certificate.ts'
import { cmsSigner, signedAttributes, signedData } from '../../pki/asn1/cms.ts'
import { coveredDigest, embedSignature, prepareSignature } from '../../pki/pades/pades-sign.ts'
import { validatePdf } from '../../pki/pades/pades-validate.ts'
import { openAnyPdf } from '../../pki/pdf/open-any-pdf.ts'
import { decryptPdf } from '../../pki/pdf/pdf-rewrite.ts'
import { signBytes } from '../../pki/asn1/sign-bytes.ts'
import { coverableContract, preparedOverThePrice } from '../../pki/testing/covering-signature.ts'
import { documentBackOffice } from '../../provider/back-office/document-back-office.ts'
import { portalClient } from '../../provider/portal-client.ts'
import { openPortalWithProvider } from '../testing/open-provider.ts'
import { type Person, type TestBrowser } from '../testing/browser.ts'
import { addCustomer, letIn } from '../testing/samples/ready-customers.ts'
import { accessCode, downloadFile, giveDocument, stage } from '../testing/samples/sample-documents.ts'

let person: Person
let customer: TestBrowser
const { portal, provider } = await openPortalWithProvider()
beforeAll(async () => {
  await believeProvider()
  person = await addCustomer(portal)
  customer = await letIn(portal, person)
})

const lists = async () => {
  const { authority } = provider
  return Promise.all([authority.revocationList('root'), authority.revocationList('issuing')])
}
async function believeProvider() {
  const { certificates } = provider.authority
  Object.assign(portal.trust, {
    anchors: [{ certificate: certificates.root }],
    intermediates: [certificates.issuing],
    crls: await lists(),
  })
}

const dayMs = 86_400_000

/** A case with a submitted upload, signed with a new certificate of the provider's authority. */
async function upload({ isOverThePrice = false } = {}) {
  const { documentCase: id } = await giveDocument(portal, person.id, {
    signer: 'PNOPL-44051401458',
    ...(isOverThePrice && { pdf: coverableContract() }),
  })
  const { file } = await downloadFile(customer, id)
  await portal.deliver()
  const code = accessCode(portal, person.email)
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { certificate, serialNumber } = await provider.authority.issue({
    subject: {
      kind: 'person',
      givenName: 'Małgorzata',
      surname: 'Wiśniewska',
      serialNumber: 'PNOPL-44051401458',
      country: 'PL',
    },
    publicKey,
    device: true,
    notBefore: new Date(Date.now() - dayMs),
    notAfter: new Date(Date.now() + 30 * dayMs),
  })
  const field = { field: 'Podpis', signer: 'Małgorzata Wiśniewska', reason: 'Zgadzam się', at: new Date() }
  const prepared = isOverThePrice
    ? preparedOverThePrice(decryptPdf(file, { password: code }))
    : prepareSignature(openAnyPdf(file, code), field)
  const attributes = signedAttributes({ digest: coveredDigest(prepared), certificate })
  const signer = cmsSigner({ certificate, chain: provider.authority.chain })
  const cms = signedData(signer, { attributes, signature: signBytes(privateKey, attributes) })
  const { body } = await stage(customer, id, embedSignature(prepared, cms))
  expect(body.report.verdict).toBe(isOverThePrice ? 'pending' : 'accepted')
  const confirmed = await customer.call(confirmUpload, {
    params: { id },
    body: { sha256: body.sha256, version: body.version },
  })
  expect(confirmed.status).toBe(200)
  return { id, code, serialNumber }
}

const backOffice = () =>
  documentBackOffice({
    portal: portalClient({ url: portal.origin, clientKey: portal.clientKey }),
    authority: provider.authority,
    leaves: new Set(),
  })
const read = async (id: string) => (await customer.call(readDocument, { params: { id } })).body

test('DOC-6 the embedded provider verifies what a customer uploads, adds its seal and finishes the case; both signatures hold', async () => {
  const { id, code } = await upload()
  await backOffice().work()
  expect(await read(id)).toMatchObject({ status: 'finished', signed: true, refusal: null })
  const response = await customer.raw('GET', downloadSigned.path.replace(':id', id))
  const report = await validatePdf(new Uint8Array(await response.arrayBuffer()), {
    anchors: [{ certificate: provider.authority.certificates.root }],
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
  const seal = readCertificate(provider.authority.seal.certificate).fingerprint
  expect(report.signatures.at(-1)!.signer!.fingerprint).toBe(seal)
})

test('DOC-6 the provider refuses an upload signed with a revoked certificate, and names that reason', async () => {
  const { id, serialNumber } = await upload()
  await provider.authority.revoke(serialNumber, 'keyCompromise', new Date(Date.now() - 5000))
  await backOffice().work()
  expect(await read(id)).toMatchObject({ status: 'canceled', refusal: { reason: 'certificate-invalid', note: null } })
})

test('R107 DOC-6 a back office without a reviewer does not countersign a document that looks different from the issued one', async () => {
  const { id } = await upload({ isOverThePrice: true })
  await backOffice().work()
  expect(await read(id)).toMatchObject({ status: 'canceled', refusal: { reason: 'changed', note: null } })
})
