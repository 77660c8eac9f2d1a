import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { confirmUpload, downloadSigned } from '../../contract/documents.ts'
import { documentsInS3 } from '../adapters/documents-s3.ts'
import { startS3 } from '../adapters/loopback/loopback-s3.ts'
import { openTestPortal, type TestPortal } from '../testing/portal-nodes.ts'
import { openBrowser, type Person, type TestBrowser } from '../testing/browser.ts'
import { addCustomer, letIn } from '../testing/samples/ready-customers.ts'
import {
  continued,
  downloadAndSign,
  downloadFile,
  giveDocument,
  putSigned,
  stage,
  trustTestAuthorities,
} from '../testing/samples/sample-documents.ts'

let s3: Awaited<ReturnType<typeof startS3>>
let portal: TestPortal
let person: Person
let customer: TestBrowser
const folder = mkdtempSync(join(tmpdir(), 'bucket-'))

beforeAll(async () => {
  s3 = await startS3()
  portal = await openTestPortal({ nodes: 2, ports: { documents: documentsInS3({ ...s3, url: s3.url() }, folder) } })
  await trustTestAuthorities(portal)
  person = await addCustomer(portal)
  customer = await letIn(portal, person)
})
afterAll(async () => {
  await portal.close()
  await s3[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

test('OPS-3 R96 documents in a bucket are exchanged over either node; while the bucket is unreachable the portal reports it and loses nothing', async () => {
  const { documentCase: id, providerDocumentCase: name } = await giveDocument(portal, person.id)
  const signed = await downloadAndSign(portal, customer, person.email, id)
  const second = await letIn(portal, person, openBrowser(portal, { node: 1 }))

  await s3.stop()
  for (const browser of [customer, second]) {
    expect(await stage(browser, id, signed)).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    const { status, headers } = await downloadFile(browser, id)
    expect([status, headers.get('retry-after')]).toEqual([503, '30'])
  }
  await s3.restart()

  const staged = await stage(second, id, signed)
  expect(staged).toMatchObject({ status: 200, body: { report: { verdict: 'accepted' } } })
  const body = { sha256: staged.body.sha256, version: staged.body.version }
  expect((await customer.call(confirmUpload, { params: { id }, body })).body).toMatchObject({
    status: 'subscriber-uploaded',
  })
  expect(await putSigned(portal, name, continued(signed), 1)).toMatchObject({ status: 200 })
  const whole = await customer.raw('GET', downloadSigned.path.replace(':id', id))
  expect(whole.status).toBe(200)
  expect(Buffer.from(await whole.arrayBuffer()).equals(continued(signed))).toBe(true)
})
