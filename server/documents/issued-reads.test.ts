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
import { documentKeyOf } from '../platform/files/document-files.ts'
import { documentsOnDisk } from '../adapters/documents-disk.ts'
import { openTestPortal, type TestPortal } from '../testing/portal-nodes.ts'
import { type Person, type TestBrowser } from '../testing/browser.ts'
import { addCustomer, letIn } from '../testing/samples/ready-customers.ts'
import {
  accessCode,
  trustTestAuthorities,
  downloadFile,
  giveDocument,
  signAs,
  stage,
} from '../testing/samples/sample-documents.ts'

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
  await trustTestAuthorities(portal)
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
  const { rows } = await portal.owner.query<{ id: string }>(
    `select id from document_files where case_id = $1 and kind = 'document'`,
    [id],
  )
  /** The verdict of the check, and how often it reads the issued document. */
  const judged = async (pdf: Uint8Array) => {
    read.length = 0
    const { report } = (await stage(customer, id, pdf)).body
    return [report.verdict, report.document, read.filter((key) => key === documentKeyOf(rows[0]!.id)).length]
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
    expect([how, ...(await judged(await signAs(file, code, how, { by: bob })))]).toEqual([
      how,
      'refused',
      'same-bytes',
      0,
    ])
  }
  expect(await judged(signPdf(contractPdf()))).toEqual(['accepted', 'same-content', 1 + compared])
  const [catalog, ...rest] = contract
  const changed = fileOf([
    catalog!,
    ...rest.map((part): (typeof contract)[number] =>
      typeof part === 'string' ? part : [part[0], part[1].replace('100', '900')],
    ),
  ])
  expect(await judged(signPdf(changed))).toEqual(['refused', 'other', 1])
})
