import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stageUpload } from '../../contract/documents.ts'
import { limits } from '../../contract/limits.ts'
import { putCaseDocument } from '../../contract/provider/provider-documents.ts'
import { contract, contractPdf, fileOf, signPdf } from '../../pki/testing/pades-authorities.ts'
import { removeOrphans } from '../platform/files/document-files.ts'
import { documentsOnDisk } from '../adapters/documents-disk.ts'
import { listenAsScanner } from '../adapters/loopback/loopback-scanner.ts'
import { malwareByClamd } from '../adapters/malware-clamd.ts'
import { exhaustive } from '../testing/breadth.ts'
import { openTestPortal, type TestPortal } from '../testing/portal-nodes.ts'
import { type Person, type TestBrowser } from '../testing/browser.ts'
import { addCustomer, letIn } from '../testing/samples/ready-customers.ts'
import {
  downloadAndSign,
  giveDocument,
  putPdf,
  stage,
  trustTestAuthorities,
} from '../testing/samples/sample-documents.ts'

let portal: TestPortal
let person: Person
let customer: TestBrowser
let scanner: Awaited<ReturnType<typeof listenAsScanner>>
const folder = mkdtempSync(join(tmpdir(), 'sygnet-room-'))
const keepFree = 20_000_000
/** A disk whose size the test sets; its free space is reduced by the files in the folder. */
let diskBytes = Infinity
let fullest = 0

async function used() {
  // A file may have been renamed or removed since.
  const bytes = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0)
  fullest = Math.max(fullest, bytes)
  return bytes
}

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
      documents: documentsOnDisk(folder, { keepFree, free: async () => diskBytes - (await used()) }),
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

const resetUploadLimit = () => portal.owner.query(`delete from budgets where name = 'document-uploads'`)
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

test('R50 of two hundred uploads a customer may make twenty in an hour, and the rest are answered with a time to try again', async () => {
  const { documentCase: id } = await downloaded()
  const headers = { 'content-type': 'application/pdf' }
  const tryUpload = async () => {
    const response = await customer.raw('POST', stageUpload.path.replace(':id', id), Buffer.from('%PDF-1.7'), headers)
    const { code } = (await response.json()) as { code: string }
    return `${response.status} ${code} ${Number(response.headers.get('retry-after')) > 0 ? 'later' : ''}`.trim()
  }
  const counts: Record<string, number> = {}
  const uploads = exhaustive ? 200 : 30
  for (let i = 0; i < uploads; i++) {
    const answer = await tryUpload()
    counts[answer] = (counts[answer] ?? 0) + 1
  }
  const taken = limits.documents.uploads.limit
  expect(counts).toEqual({ '422 pdf-damaged': taken, '429 too-many-attempts later': uploads - taken })
})

test.runIf(exhaustive)(
  'R50 of two hundred uploads of many customers those that would fill the disk are refused before they are read, until there is room again',
  async () => {
    const { documentCase: id, signed } = await downloaded()
    const { providerDocumentCase: another } = await giveDocument(portal, person.id, { pdf: null })
    // The issued document, and the staged uploads that are kept until they are confirmed or expire.
    const large = signPdf(fileOf([...contract, [`<</Length 2000000>>`, 'x'.repeat(2_000_000)]]))
    fullest = 0
    diskBytes = (await used()) + 33_000_000
    const counts: Record<string, number> = {}
    let isFull = false
    const rounds = 20
    for (let round = 0; round < rounds; round++) {
      await resetUploadLimit()
      // The length of a file is unknown before it is read, so a small file is refused too if the largest would not fit.
      const answers = await Promise.all(Array.from({ length: 10 }, () => stage(customer, id, isFull ? signed : large)))
      isFull = answers.every(({ status }) => status === 507)
      for (const { status, body } of answers) {
        const answer = `${status} ${body.code ?? body.report.verdict}`
        counts[answer] = (counts[answer] ?? 0) + 1
      }
    }
    expect(Object.keys(counts).toSorted()).toEqual(['200 accepted', '507 storage-full'])
    expect(counts['200 accepted']! + counts['507 storage-full']!).toBe(rounds * 10)
    await used()
    expect(diskBytes - fullest).toBeGreaterThanOrEqual(keepFree)
    // The provider gets the same answer, and an alarm notifies the operator.
    expect(await putPdf(portal, putCaseDocument.path, another, contractPdf())).toMatchObject({ status: 507 })
    await expect.poll(() => portal.alarms).toContainEqual({ name: 'storage-full', about: 'documents' })
    await portal.clock.advance(3000)
    await removeOrphans(portal.db, portal.portal.ports.documents)
    await trustTestAuthorities(portal)
    customer = await letIn(portal, person)
    await resetUploadLimit()
    expect((await stage(customer, id, signed)).status).toBe(200)
  },
  600_000,
)
