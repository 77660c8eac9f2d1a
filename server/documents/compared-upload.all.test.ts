import { expect, test } from 'vitest'
import { confirmUpload } from '../../contract/documents.ts'
import { finishDocumentCase, getDocumentCase } from '../../contract/provider/provider-documents.ts'
import { decryptPdf } from '../../pki/pdf/pdf-rewrite.ts'
import { coverableContract, signedOverThePrice } from '../../pki/testing/covering-signature.ts'
import { openPortal } from '../testing/open-portal.ts'
import { openBrowser } from '../testing/browser.ts'
import { addCustomer, letIn } from '../testing/samples/ready-customers.ts'
import {
  accessCode,
  trustTestAuthorities,
  downloadFile,
  giveDocument,
  signAs,
  stage,
} from '../testing/samples/sample-documents.ts'

const portal = await openPortal()
await trustTestAuthorities(portal)

test('R107 DOC-8 an upload whose pages look different waits for the provider, who sees why; an identical-looking upload is accepted', async () => {
  const person = await addCustomer(portal)
  const customer = await letIn(portal, person)
  const { documentCase: id, providerDocumentCase: name } = await giveDocument(portal, person.id, {
    pdf: coverableContract(),
  })
  const { file } = await downloadFile(customer, id)
  await portal.deliver()
  const code = accessCode(portal, person.email)
  const honest = await stage(customer, id, await signAs(file, code, 'locked'))
  expect(honest.body.report).toMatchObject({ verdict: 'accepted', problems: [] })

  const plain = decryptPdf(file, { password: code })
  const staged = await stage(customer, id, signedOverThePrice(plain))
  const pending = {
    verdict: 'pending',
    problems: expect.arrayContaining([{ code: 'looks-different', severity: 'wait' }]) as unknown,
  }
  expect(staged).toMatchObject({ status: 200, body: { report: pending } })
  const body = { sha256: staged.body.sha256, version: staged.body.version }
  expect((await customer.call(confirmUpload, { params: { id }, body })).status).toBe(200)

  const provider = openBrowser(portal)
  const { body: seen } = await provider.call(getDocumentCase, { params: { case: name } })
  expect(seen).toMatchObject({ status: 'subscriber-uploaded', upload: { report: pending } })
  expect((await provider.call(finishDocumentCase, { params: { case: name } })).body).toMatchObject({
    status: 'subscriber-uploaded',
  })
})
