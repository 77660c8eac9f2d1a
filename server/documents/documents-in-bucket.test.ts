import { expect, test } from 'vitest'
import { documentsInS3 } from '../adapters/documents-s3.ts'
import { startS3 } from '../adapters/loopback/loopback-s3.ts'
import { openPortal, folderOfFile } from '../testing/open-portal.ts'
import { addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import {
  downloadAndSign,
  downloadFile,
  giveDocument,
  stage,
  trustTestAuthorities,
} from '../testing/samples/sample-documents.ts'

const folder = folderOfFile()

test('OPS-3 R96 while the bucket is unreachable the portal says so, and loses nothing', async () => {
  await using s3 = await startS3()
  const portal = await openPortal({ ports: { documents: documentsInS3({ ...s3, url: s3.url() }, folder) } })
  await trustTestAuthorities(portal)
  const person = await addCustomer(portal)
  const customer = await signInDirectly(portal, person)
  const { documentCase: id } = await giveDocument(portal, person.id)
  const signed = await downloadAndSign(portal, customer, person.email, id)
  await s3.stop()
  expect(await stage(customer, id, signed)).toMatchObject({ status: 503, body: { code: 'unavailable' } })
  const { status, headers } = await downloadFile(customer, id)
  expect([status, headers.get('retry-after')]).toEqual([503, '30'])
  await s3.restart()
  expect(await stage(customer, id, signed)).toMatchObject({ status: 200, body: { report: { verdict: 'accepted' } } })
  expect((await downloadFile(customer, id)).status).toBe(200)
})
