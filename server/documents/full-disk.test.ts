import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { listDocuments } from '../../contract/documents.ts'
import { contract, fileOf, signPdf } from '../../pki/testing/pades-authorities.ts'
import { documentsOnDisk } from '../ports/documents-disk.ts'
import { documentsInS3 } from '../ports/documents-s3.ts'
import { startS3 } from '../ports/loopback-s3.ts'
import type { DocumentStore } from '../ports/ports.ts'
import { sealedDocuments } from '../sealed-documents.ts'
import { openPortal } from '../testing/open-portal.ts'
import { type Person } from '../testing/browser.ts'
import { addCustomer, letIn } from '../testing/ready-customers.ts'
import {
  accessCode,
  believeTestAuthorities,
  downloadFile,
  giveDocument,
  signAs,
  stage,
} from '../testing/sample-documents.ts'

/** R96: a disk that is really full, of 16 MB, where the documents are, or where they wait on their way into the bucket. */
const disk = mkdtempSync(join(tmpdir(), 'sygnet-disk-'))
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', disk]).status === 0
let person: Person

const portal = await openPortal()
beforeAll(async () => {
  await believeTestAuthorities(portal)
  person = await addCustomer(portal)
})
afterAll(async () => {
  if (isMounted) spawnSync('umount', [disk])
  rmSync(disk, { recursive: true })
})

const ballast = join(disk, 'ballast')
const free = () => statfsSync(disk).bavail * statfsSync(disk).bsize
/** All but so many bytes are taken. */
const leave = (bytes: number) => writeFileSync(ballast, Buffer.alloc(free() - bytes))
const files = () =>
  readdirSync(disk, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'ballast')
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted()

const use = (store: DocumentStore) =>
  Object.assign(portal.portal.ports, { documents: sealedDocuments(portal.db, portal.portal.keys, store) })

async function exchange() {
  onTestFinished(() => rmSync(ballast, { force: true }))
  const customer = await letIn(portal, person)
  const { documentCase: id } = await giveDocument(portal, person.id)
  const { file } = await downloadFile(customer, id)
  await portal.deliver()
  const signed = await signAs(file, accessCode(portal, person.email), 'locked')
  const before = files()

  // As if somebody else took the rest while the file was on its way: the disk itself says so, in the middle of it.
  leave(300_000)
  const large = signPdf(fileOf([...contract, ['<</Length 1000000>>', 'x'.repeat(1_000_000)]]))
  for (let i = 0; i < 3; i++)
    expect(await stage(customer, id, large)).toMatchObject({ status: 507, body: { code: 'storage-full' } })
  // Nothing half, no connection that is stuck behind what was not read, and whoever reads or signs in does not notice.
  expect(files()).toEqual(before)
  expect((await downloadFile(customer, id)).status).toBe(200)
  expect((await (await letIn(portal, person)).call(listDocuments)).status).toBe(200)
  expect(portal.alarms).toContainEqual({ name: 'storage-full', about: 'documents' })

  rmSync(ballast)
  expect((await stage(customer, id, signed)).body.report.verdict).toBe('accepted')
}

test.skipIf(!isMounted)(
  'R96 R50 a disk that is full in the middle of an upload keeps nothing of it, and takes the next when there is room (skipped where no disk can be made)',
  async () => {
    use(documentsOnDisk(join(disk, 'documents'), { free: async () => Infinity }))
    await exchange()
  },
)

test.skipIf(!isMounted)(
  'R96 OPS-3 the same where files wait on their way into the bucket (skipped where no disk can be made)',
  async () => {
    await using s3 = await startS3()
    use(documentsInS3({ ...s3, url: s3.url() }, join(disk, 'spool'), { free: async () => Infinity }))
    await exchange()
    expect(files().filter((path) => path.startsWith(join(disk, 'spool')))).toEqual([])
  },
)
