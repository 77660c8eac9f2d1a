import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
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
import { bodyOf } from '../testing/browser.ts'
import { sampleValidity } from '../testing/provider.ts'
import { addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import { accessCode, downloadFile, giveDocument, stage } from '../testing/samples/sample-documents.ts'
import { signerSubject } from '../testing/signing.ts'
import { openPortalWithProvider } from '../testing/open-portal.ts'

const { portal, provider } = await openPortalWithProvider()
const { authority } = provider
const lists = () => Promise.all([authority.revocationList('root'), authority.revocationList('issuing')])
const anchors = [{ certificate: authority.certificates.root }]
Object.assign(portal.trust, { anchors, intermediates: [authority.certificates.issuing], crls: await lists() })
const person = await addCustomer(portal)
const customer = await signInDirectly(portal, person)

/** A case with a submitted upload, signed with a new certificate of the provider's authority. */
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
  bodyOf(await customer.call(confirmUpload, { params: { id }, body: { sha256, version } }))
  return { id, code, serialNumber }
}

const backOffice = () =>
  documentBackOffice({
    portal: portalClient({ url: portal.origin, clientKey: portal.clientKey }),
    authority,
    leaves: new Set(),
  })
const read = async (id: string) => (await customer.call(readDocument, { params: { id } })).body

test('DOC-6 the embedded provider verifies what a customer uploads, adds its seal and finishes the case; both signatures hold', async () => {
  const { id, code } = await upload()
  await backOffice().work()
  expect(await read(id)).toMatchObject({ status: 'finished', signed: true, refusal: null })
  const response = await customer.raw('GET', downloadSigned.path.replace(':id', id))
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
