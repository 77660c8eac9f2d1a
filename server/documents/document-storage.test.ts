import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { listDocuments } from '../../contract/documents.ts'
import { contract, fileOf, signPdf } from '../../pki/testing/pades-authorities.ts'
import { documentsOnDisk } from '../adapters/documents-disk.ts'
import { documentsInS3 } from '../adapters/documents-s3.ts'
import { startS3 } from '../adapters/loopback/loopback-s3.ts'
import { encryptedDocuments } from '../platform/files/encrypted-documents.ts'
import { openPortal, folderOfFile } from '../testing/open-portal.ts'
import { addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import {
  downloadAndSign,
  downloadFile,
  giveDocument,
  stage,
  trustTestAuthorities,
} from '../testing/samples/sample-documents.ts'

/** The folder of a disk of 16 MB that really fills up (R96). */
const disk = folderOfFile()
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', disk]).status === 0
afterAll(() => void (isMounted && spawnSync('umount', [disk])))
const s3 = await startS3()
afterAll(() => s3[Symbol.asyncDispose]())
const portal = await openPortal()
await trustTestAuthorities(portal)
const person = await addCustomer(portal)

const ballast = join(disk, 'ballast')
const free = () => statfsSync(disk).bavail * statfsSync(disk).bsize
/** Fills the disk except for so many bytes. */
const leave = (bytes: number) => writeFileSync(ballast, Buffer.alloc(free() - bytes))
const files = () =>
  readdirSync(disk, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'ballast')
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted()

const endless = { free: async () => Infinity }
test.skipIf(!isMounted).each([
  ['to the folder', documentsOnDisk(join(disk, 'documents'), endless)],
  ['to a bucket', documentsInS3({ ...s3, url: s3.url() }, join(disk, 'spool'), endless)],
])(
  'R96 R50 a disk that fills up during an upload %s keeps nothing of it (skipped without mounts)',
  async (_, store) => {
    Object.assign(portal.portal.ports, { documents: encryptedDocuments(portal.db, portal.portal.keys, store) })
    onTestFinished(() => rmSync(ballast, { force: true }))
    const customer = await signInDirectly(portal, person)
    const { documentCase: id } = await giveDocument(portal, person.id)
    const signed = await downloadAndSign(portal, customer, person.email, id)
    const before = files()

    // As if another program filled the disk during the upload: writing fails in the middle of the file.
    leave(300_000)
    const large = signPdf(fileOf([...contract, ['<</Length 1000000>>', 'x'.repeat(1_000_000)]]))
    for (let i = 0; i < 3; i++)
      expect(await stage(customer, id, large)).toMatchObject({ status: 507, body: { code: 'storage-full' } })
    // No partial file and no stuck connection remain, and other customers can read and sign in.
    expect(files()).toEqual(before)
    expect((await downloadFile(customer, id)).status).toBe(200)
    expect((await (await signInDirectly(portal, person)).call(listDocuments)).status).toBe(200)
    expect(portal.alarms).toContainEqual({ name: 'storage-full', about: 'documents' })

    rmSync(ballast)
    expect((await stage(customer, id, signed)).body.report.verdict).toBe('accepted')
    expect(files().filter((path) => path.startsWith(join(disk, 'spool')))).toEqual([])
  },
)

test('OPS-3 R96 while the bucket is unreachable the portal says so, and loses nothing', async () => {
  await using bucket = await startS3()
  const store = documentsInS3({ ...bucket, url: bucket.url() }, folderOfFile())
  Object.assign(portal.portal.ports, { documents: encryptedDocuments(portal.db, portal.portal.keys, store) })
  const customer = await signInDirectly(portal, person)
  const { documentCase: id } = await giveDocument(portal, person.id)
  const signed = await downloadAndSign(portal, customer, person.email, id)
  await bucket.stop()
  expect(await stage(customer, id, signed)).toMatchObject({ status: 503, body: { code: 'unavailable' } })
  const { status, headers } = await downloadFile(customer, id)
  expect([status, headers.get('retry-after')]).toEqual([503, '30'])
  await bucket.restart()
  expect(await stage(customer, id, signed)).toMatchObject({ status: 200, body: { report: { verdict: 'accepted' } } })
  expect((await downloadFile(customer, id)).status).toBe(200)
})
