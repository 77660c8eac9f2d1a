import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  contract,
  contractPdf,
  fileOf,
  holder,
  issuing,
  ocspAnswer,
  person as named,
  personRights,
  signPdf,
} from '../../pki/testing/pades-authorities.ts'
import { documentKeyOf } from '../document-files.ts'
import { documentsOnDisk } from '../ports/documents-disk.ts'
import { openTestPortal, type TestPortal } from '../testing/portal-nodes.ts'
import { type Person, type TestBrowser } from '../testing/browser.ts'
import { addCustomer, letIn } from '../testing/ready-customers.ts'
import {
  accessCode,
  believeTestAuthorities,
  downloadFile,
  giveDocument,
  sha256,
  signAs,
  stage,
} from '../testing/sample-documents.ts'

const folder = mkdtempSync(join(tmpdir(), 'sygnet-reads-'))
const disk = documentsOnDisk(folder)
const read: string[] = []
let portal: TestPortal
let person: Person
let customer: TestBrowser
beforeAll(async () => {
  const documents = {
    ...disk,
    read: (key: string) => {
      read.push(key)
      return disk.read(key)
    },
  }
  portal = await openTestPortal({ ports: { documents } })
  await believeTestAuthorities(portal)
  person = await addCustomer(portal)
  customer = await letIn(portal, person)
})
afterAll(async () => {
  await portal.close()
  rmSync(folder, { recursive: true })
})

const bob = holder({ name: named('Bob', 'PNOPL-80010112345'), extensions: personRights() }, issuing)

async function givenDocument() {
  const { documentCase: id } = await giveDocument(portal, person.id)
  const { file } = await downloadFile(customer, id)
  await portal.deliver()
  const row = await portal.db
    .selectFrom('document_files')
    .selectAll()
    .where('case_id', '=', id)
    .where('kind', '=', 'document')
    .executeTakeFirstOrThrow()
  /** What the check finds, and how often the issued document is read for it. */
  const judged = async (pdf: Uint8Array) => {
    read.length = 0
    const { report } = (await stage(customer, id, pdf)).body
    return [report.verdict, report.document, read.filter((key) => key === documentKeyOf(row.id)).length]
  }
  return { file, code: accessCode(portal, person.email), row, judged }
}

/** Of a file that is not refused the pages are compared, and each of the two readers is given both files (R107). */
const compared = 2

test('R48 the check reads the issued document only for a file in other bytes', async () => {
  portal.trust.ocsps!.push(ocspAnswer(bob, { at: new Date() }))
  const { file, code, judged } = await givenDocument()
  for (const how of ['locked', 'clear'] as const) {
    expect([how, ...(await judged(await signAs(file, code, how)))]).toEqual([how, 'accepted', 'same-bytes', compared])
    expect([how, ...(await judged(await signAs(file, code, how, { by: bob })))]).toEqual([
      how,
      'refused',
      'same-bytes',
      0,
    ])
  }
  expect(await judged(signPdf(contractPdf()))).toEqual(['accepted', 'same-content', 1 + compared])
  const [catalog, ...rest] = contract
  const other = fileOf([
    catalog!,
    ...rest.map((one): (typeof contract)[number] =>
      typeof one === 'string' ? one : [one[0], one[1].replace('100', '900')],
    ),
  ])
  expect(await judged(signPdf(other))).toEqual(['refused', 'other', 1])
})

test('R48 a document that was filed before its clear form was noted is recognised by reading it', async () => {
  const { file, code, row, judged } = await givenDocument()
  const clear = await signAs(file, code, 'clear')
  expect(row.clear_sha256).toBe(sha256(clear.subarray(0, row.clear_bytes!)))
  await portal.owner.query('update document_files set clear_bytes = null, clear_sha256 = null where id = $1', [row.id])
  expect(await judged(clear)).toEqual(['accepted', 'same-bytes', 1 + compared])
  expect(await judged(await signAs(file, code, 'locked'))).toEqual(['accepted', 'same-bytes', compared])
})
