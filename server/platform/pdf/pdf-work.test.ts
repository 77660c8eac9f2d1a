import { readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { constants, deflateRawSync, deflateSync } from 'node:zlib'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { limits } from '../../../contract/limits.ts'
import { bytesOf, latin1 } from '../../../pki/bytes.ts'
import { openChains, type KnownForm } from '../../../pki/pades/pades-report.ts'
import { openAnyPdf } from '../../../pki/pdf/pdf-encryption.ts'
import { decryptPdf } from '../../../pki/pdf/pdf-rewrite.ts'
import { signedAgain, stampedOften } from '../../../pki/testing/pades-anchors.ts'
import { contract, contractPdf, fileOf, signPdf, anna, issuing } from '../../../pki/testing/pades-authorities.ts'
import { testFile } from '../../../pki/testing/peer-programs.ts'
import { listenOnLoopback } from '../../adapters/loopback/loopback-server.ts'
import { sha256 } from '../../testing/samples/sample-documents.ts'
import { StorageUnreachable } from '../ports.ts'
import { chainReplies } from './pdf-check.ts'
import { spawnConfined, type Caps } from './pdf-process.ts'
import { openPdfWork, type CheckRequest, type LockedFile } from './pdf-work.ts'

const work = openPdfWork()
afterAll(() => work.close())
const issued = (await work.lock(contractPdf(), { password: 'AAAA', owner: 'BBBB' })) as LockedFile
const locked: Uint8Array = issued.file

const inTransit = (bytes: Uint8Array, length = bytes.length) => ({ content: Readable.from([bytes]), bytes: length })
const asked = (file: Uint8Array): CheckRequest => ({
  file: async () => inTransit(file),
  issued: async () => inTransit(locked),
  forms: [{ length: locked.length, sha256: sha256(locked) }, issued.clear],
  password: 'AAAA',
  signer: 'PNOPL-90010112345',
  receivedAt: new Date(),
  trust: { anchors: [] },
})
/** Reads files within these limits until the test ends. */
function openWithin(caps: Caps) {
  const limited = openPdfWork(caps)
  onTestFinished(() => limited.close())
  return limited
}

const tooCostly = { readable: false, reason: 'too-costly' }
const good = { readable: true, report: { document: 'same-bytes' } }

test('R46 R108 what reads PDFs reaches no network, no file, no database, no other process and no secret', async () => {
  await using server = await listenOnLoopback((_, response) => void response.end())
  const secret = testFile('secret', 'master-key')
  const folder = dirname(secret)
  const child = spawnConfined('server/testing/confined.ts', 'server/testing/confined.ts')
  child.stdin.end(JSON.stringify({ host: '127.0.0.1', port: server.port, secret, folder }))
  const { confinement, through } = JSON.parse(await text(child.stdout)) as Record<string, unknown>
  // Its work is made of these two.
  expect(through).toEqual(['use WebAssembly', 'use threads of its own'])
  expect(confinement).toEqual({ kernelFilter: process.platform === 'linux', ownUser: process.getuid?.() === 0 })
  expect(readdirSync(folder)).toEqual(['master-key'])
  expect(server.connections()).toBe(0)
})

test.each<[string, Caps]>([
  ['time', { seconds: 0.0001, megabytes: 640 }],
  ['time of the processor', { seconds: 0.005, megabytes: 640 }],
  // Other systems do not report on other processes, so only the heap is limited.
  ...(process.platform === 'linux' ? ([['memory', { seconds: 60, megabytes: 1 }]] as [string, Caps][]) : []),
])('R46 a check that takes more %s than it may is stopped with its process, and is refused', async (_, caps) => {
  const limited = openWithin(caps)
  const large = fileOf([...contract, [`<</Length ${9 << 20}>>`, 'x'.repeat(9 << 20)]])
  expect(await limited.check(asked(large))).toEqual(tooCostly)
})

test('R96 a file that the store does not deliver in time does not count as too costly, and delays no other', async () => {
  const limited = openWithin({ seconds: 0.2, megabytes: 640 })
  const stalled = () => new Readable({ read: () => {} })
  const broken = limited.check({ ...asked(locked), file: async () => ({ content: stalled(), bytes: 1000 }) })
  await expect(broken).rejects.toBeInstanceOf(StorageUnreachable)
  // The process went with it; another one may need more than so little time on a busy machine.
  await expect.poll(() => limited.check(asked(locked))).toMatchObject(good)
})

test('R48 the issued document is opened for a file in other bytes alone, or where its clear form is not known', async () => {
  let opened = 0
  const judged = async (file: Uint8Array, forms = asked(file).forms) => {
    opened = 0
    const read = async () => {
      opened += 1
      return inTransit(locked)
    }
    const found = await work.check({ ...asked(file), issued: read, forms })
    return found.readable ? [found.report.document, opened] : [found.reason, opened]
  }
  const clear = decryptPdf(locked, { password: 'AAAA' })
  expect(issued.clear).toEqual({ length: clear.length, sha256: sha256(clear) })
  const onClear = signPdf(clear)
  const onLocked = signPdf(openAnyPdf(locked, 'AAAA'))
  const [encryptedForm, clearForm] = asked(locked).forms as [KnownForm, KnownForm]
  const repriced = contract.map((object): (typeof contract)[number] =>
    typeof object === 'string' ? object : [object[0], object[1].replace('100', '900')],
  )
  for (const [what, expected, file, forms] of [
    ['the clear form', ['same-bytes', 0], onClear, undefined],
    ['the encrypted form', ['same-bytes', 0], onLocked, undefined],
    ['the clear form, which is not known', ['same-bytes', 1], onClear, [encryptedForm]],
    ['the encrypted form, alone known', ['same-bytes', 0], onLocked, [encryptedForm]],
    ['nothing known', ['same-bytes', 1], onLocked, []],
    ['a wrong digest', ['same-bytes', 1], onClear, [encryptedForm, { ...clearForm, sha256: encryptedForm.sha256 }]],
    ['the same in other bytes', ['same-content', 1], signPdf(contractPdf()), undefined],
    ['another document', ['other', 1], signPdf(fileOf(repriced)), undefined],
    ['what cannot be read', ['damaged', 0], onClear.subarray(0, -40), undefined],
  ] as [string, unknown, Uint8Array, KnownForm[] | undefined][])
    expect([what, await judged(file, forms)]).toEqual([what, expected])
})

test('R48 the report on an upload names no signer whose signature is broken', async () => {
  const signed = signPdf(openAnyPdf(locked, 'AAAA'))
  const signerIn = async (file: Uint8Array) => {
    const found = await work.check(asked(file))
    return found.readable && found.report.signatures.map(({ signer, intact }) => [signer, intact])
  }
  expect(await signerIn(signed)).toEqual([['Anna Nowak', true]])
  // A byte of the comment in the second line.
  expect(await signerIn(signed.map((byte, at) => (at === 11 ? byte ^ 1 : byte)))).toEqual([[null, false]])
})

test('R42 R46 more than can ever have its turn is refused at once, and what waits is not opened', async () => {
  let opened = 0
  const processes = Math.max(1, availableParallelism() - 1)
  const file = async () => {
    opened += 1
    return inTransit(locked)
  }
  const many = Array.from({ length: 25 * processes }, () => work.check({ ...asked(locked), file }))
  const all = Promise.allSettled(many)
  expect(opened).toBeLessThanOrEqual(processes)
  expect(new Set((await all).map(({ status }) => status))).toEqual(new Set(['fulfilled', 'rejected']))
})

test('R46 a file that cannot be read from the store is our error, and does not affect the next one', async () => {
  const torn = new Readable({ read: () => void torn.destroy(new Error('disk')) })
  for (const file of [{ content: torn, bytes: 100 }, inTransit(locked, 10), inTransit(locked, locked.length + 10)])
    await expect(work.check({ ...asked(locked), file: async () => file })).rejects.toThrow(/^A file/)
  expect(await work.check(asked(locked))).toMatchObject(good)
})

/** Makes ten gigabytes of zeros in ten megabytes: a piece that ends on a byte, as often as is needed. */
function bomb(): Uint8Array {
  const piece = deflateRawSync(new Uint8Array(64 << 20), { finishFlush: constants.Z_FULL_FLUSH })
  return Buffer.concat([Buffer.from([0x78, 0x9c]), ...Array.from({ length: 160 }, () => piece), Buffer.from([3, 0])])
}
const twice = deflateSync(bomb())
const stream = (dictionary: string, data: Uint8Array): [string, string] => [
  `<<${dictionary}/Length ${data.length}>>`,
  latin1(data),
]
const doubly = '/Filter[/FlateDecode/FlateDecode]'
const put = (at: number, object: [string, string]) => signPdf(fileOf(contract.with(at, object)))

function bombInObjects(): Uint8Array {
  const head = bytesOf('%PDF-1.7\n')
  const objects = joinedStream('1 0', `/Type/ObjStm/N 1/First 4${doubly}`, twice)
  const at = head.length + objects.length
  const rows = Buffer.from([0, 0, 0, 0, 0, 1, 0, 0, head.length, 0, 2, 0, 0, 1, 0])
  const table = joinedStream('3 0', '/Type/XRef/Size 3/W[1 3 1]/Root 2 0 R', rows)
  return Buffer.concat([head, objects, table, bytesOf(`startxref\n${at}\n%%EOF\n`)])
}

test.each([
  ['the page', () => put(3, stream(doubly, twice))],
  ['a stream of objects', bombInObjects],
])('R46 ten gigabytes in %s end at once, and the next file is not affected', async (_, make) => {
  expect(await work.check(asked(make()))).toEqual(tooCostly)
  expect(await work.check(asked(locked))).toMatchObject(good)
})

test('R46 a document whose metadata would unpack to ten gigabytes is locked without unpacking them', async () => {
  const catalog = '<</Type/Catalog/Pages 2 0 R/AcroForm 6 0 R/Metadata 8 0 R>>'
  const pdf = fileOf([catalog, ...contract.slice(1), stream(doubly, twice)])
  const mine = (await work.lock(pdf, { password: 'AAAA', owner: 'BBBB' })) as LockedFile
  expect(mine.file.length).toBeGreaterThan(pdf.length)
})

function joinedStream(name: string, dictionary: string, data: Uint8Array) {
  const head = bytesOf(`${name} obj\n<<${dictionary}/Length ${data.length}>>\nstream\n`)
  return Buffer.concat([head, data, bytesOf('\nendstream\nendobj\n')])
}

test.each<[string, Uint8Array]>([
  ['of pages', fileOf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[2 0 R]>>'])],
  ['of tables', bytesOf('%PDF-1.7\nxref\n0 0\ntrailer\n<</Root 1 0 R/Prev 9>>\nstartxref\n9\n%%EOF\n')],
])('R46 a circle %s ends at once', async (_, file) => {
  const found = await work.check(asked(file))
  expect(found.readable ? found.report.verdict : 'unread').not.toBe('accepted')
})

const base64 = ({ certificate }: { certificate: Uint8Array }) => Buffer.from(certificate).toString('base64')

test('R104 the signer is asked about first, however many timestamps a file has', async () => {
  const replies = chainReplies(openChains(await stampedOften()))
  expect(replies).toHaveLength(limits.revocation.certificates)
  expect(replies[0]?.path.slice(0, 2)).toEqual([base64(anna), base64(issuing)])
})

test('R104 R256 a certificate with several signatures is asked about once, at the latest time', async () => {
  const { report, times } = await signedAgain()
  const replies = chainReplies(openChains(report))
  expect(replies.map(({ path, at }) => [path[0], at])).toContainEqual([base64(anna), times.at(-1)!.toISOString()])
  expect(replies.filter(({ path }) => path[0] === base64(anna))).toHaveLength(1)
})
