import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stageUpload } from '../../contract/documents.ts'
import { limits } from '../../contract/limits.ts'
import { contract, fileOf, signPdf } from '../../pki/testing/pades-authorities.ts'
import { documentsOnDisk } from '../adapters/documents-disk.ts'
import { listenAsScanner } from '../adapters/loopback/loopback-scanner.ts'
import { malwareByClamd } from '../adapters/malware-clamd.ts'
import { openTestPortal, type TestPortal } from '../testing/portal-nodes.ts'
import { type Person, type TestBrowser } from '../testing/browser.ts'
import { addCustomer, letIn } from '../testing/samples/ready-customers.ts'
import { downloadAndSign, giveDocument, stage, trustTestAuthorities } from '../testing/samples/sample-documents.ts'

let portal: TestPortal
let person: Person
let customer: TestBrowser
let scanner: Awaited<ReturnType<typeof listenAsScanner>>
const folder = mkdtempSync(join(tmpdir(), 'sygnet-room-'))
const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('')
const scan = (port?: number) =>
  listenAsScanner(
    (content, socket) => socket.end(content.includes(eicar) ? 'stream: Eicar-Signature FOUND\0' : 'stream: OK\0'),
    port,
  )

beforeAll(async () => {
  scanner = await scan()
  portal = await openTestPortal({
    comparesPages: false,
    ports: {
      malware: malwareByClamd(scanner.at),
      documents: documentsOnDisk(folder),
    },
  })
  await trustTestAuthorities(portal)
  person = await addCustomer(portal)
  customer = await letIn(portal, person)
})
afterAll(async () => {
  await portal.close()
  await scanner.close()
  rmSync(folder, { recursive: true })
})

const resetUploadLimit = () => portal.owner.query(`delete from rate_limits where name = 'document-uploads'`)
const countFiles = () => readdirSync(join(folder, 'documents')).length

async function downloaded() {
  await resetUploadLimit()
  const names = await giveDocument(portal, person.id)
  return { ...names, signed: await downloadAndSign(portal, customer, person.email, names.documentCase) }
}

test('R50 malware lets no file in, and neither does a scanner that is unreachable', async () => {
  const { documentCase: id, signed } = await downloaded()
  const carrier = signPdf(fileOf([...contract, [`<</Type/EmbeddedFile/Length ${eicar.length}>>`, eicar]]))
  const held = countFiles()
  expect((await stage(customer, id, carrier)).body.code).toBe('malware-found')
  const { port } = scanner
  await scanner.close()
  for (const file of [carrier, signed])
    expect(await stage(customer, id, file)).toMatchObject({ status: 503, body: { code: 'unavailable' } })
  expect(countFiles()).toBe(held)
  scanner = await scan(port)
  expect((await stage(customer, id, carrier)).body.code).toBe('malware-found')
  expect((await stage(customer, id, signed)).body.report.verdict).toBe('accepted')
})

test('R50 a customer may make so many uploads in an hour; the rest get a time to try again', async () => {
  const { documentCase: id } = await downloaded()
  const headers = { 'content-type': 'application/pdf' }
  const tryUpload = async () => {
    const response = await customer.raw('POST', stageUpload.path.replace(':id', id), Buffer.from('%PDF-1.7'), headers)
    const { code } = (await response.json()) as { code: string }
    return `${response.status} ${code} ${Number(response.headers.get('retry-after')) > 0 ? 'later' : ''}`.trim()
  }
  const counts: Record<string, number> = {}
  const uploads = 30
  for (let i = 0; i < uploads; i++) {
    const answer = await tryUpload()
    counts[answer] = (counts[answer] ?? 0) + 1
  }
  const taken = limits.documents.uploads.limit
  expect(counts).toEqual({ '422 pdf-damaged': taken, '429 too-many-attempts later': uploads - taken })
})
