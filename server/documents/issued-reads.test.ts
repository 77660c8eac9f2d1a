import { expect, test, vi } from 'vitest'
import {
  contractPdf,
  holder,
  issuing,
  ocspAnswer,
  person as named,
  personRights,
  signPdf,
} from '../../pki/testing/pades-authorities.ts'
import { documentKeyOf } from '../platform/files/document-files.ts'
import { documentsOnDisk } from '../adapters/documents-disk.ts'
import { openPortal, folderOfFile } from '../testing/open-portal.ts'
import { addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import {
  accessCode,
  contractWithOtherPrice,
  trustTestAuthorities,
  downloadFile,
  giveDocument,
  signAs,
  stage,
} from '../testing/samples/sample-documents.ts'

const documents = documentsOnDisk(folderOfFile())
const reading = vi.spyOn(documents, 'read')
const portal = await openPortal({ ports: { documents } })
await trustTestAuthorities(portal)
const person = await addCustomer(portal)
const customer = await signInDirectly(portal, person)

const bob = holder({ name: named('Bob', 'PNOPL-80010112345'), extensions: personRights() }, issuing)

async function givenDocument() {
  const { documentCase: id } = await giveDocument(portal, person.id)
  const { file } = await downloadFile(customer, id)
  await portal.deliver()
  const { rows } = await portal.owner.query<{ id: string }>(
    `select id from document_files where case_id = $1 and kind = 'document'`,
    [id],
  )
  /** The verdict of the check, and how often it reads the issued document. */
  const judged = async (pdf: Uint8Array) => {
    reading.mockClear()
    const { report } = (await stage(customer, id, pdf)).body
    const reads = reading.mock.calls.filter(([key]) => key === documentKeyOf(rows[0]!.id))
    return [report.verdict, report.document, reads.length]
  }
  return { file, code: accessCode(portal, person.email), judged }
}

/** The pages of an upload that is not refused are compared: the reader gets both files (R107). */
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
