import { readdirSync, readFileSync, writeFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { confirmUpload, documentMoves, documentStatuses, readDocument, stageUpload } from '../../contract/documents.ts'
import { limits } from '../../contract/limits.ts'
import {
  cancelDocumentCase,
  downloadUpload,
  finishDocumentCase,
  getDocumentCase,
  putCaseDocument,
  putDocumentCase,
  refuseUpload,
} from '../../contract/provider-documents.ts'
import { contractPdf } from '../../pki/testing/pades-authorities.ts'
import { dropFile, removeOrphans } from '../document-files.ts'
import { documentsOnDisk } from '../ports/documents-disk.ts'
import { exhaustive } from '../testing/breadth.ts'
import { openPortal } from '../testing/open-portal.ts'
import { openBrowser, type Person, type TestBrowser } from '../testing/browser.ts'
import { addCustomer, letIn } from '../testing/ready-customers.ts'
import { confirmAtOnce } from '../testing/confirmations.ts'
import {
  accessCode,
  believeTestAuthorities,
  continued,
  downloadFile,
  giveDocument,
  putPdf,
  putSigned,
  sampleDocumentCase,
  sha256,
  signAs,
  stage,
  uploadSigned,
} from '../testing/sample-documents.ts'

let person: Person
let customer: TestBrowser
const folder = mkdtempSync(join(tmpdir(), 'sygnet-races-'))
const portal = await openPortal({ nodes: 2, comparesPages: false, ports: { documents: documentsOnDisk(folder) } })
beforeAll(async () => {
  await believeTestAuthorities(portal)
  person = await addCustomer(portal)
  customer = await letIn(portal, person)
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
})

const provider = openBrowserLater()
/** The portal is there once the tests run. */
function openBrowserLater() {
  let opened: TestBrowser | undefined
  return () => (opened ??= openBrowser(portal))
}

/** The budget of uploads is not what these tests are about. */
const forgetUploads = () => portal.owner.query(`delete from budgets where name = 'document-uploads'`)

async function downloaded() {
  await forgetUploads()
  const names = await giveDocument(portal, person.id)
  const { file } = await downloadFile(customer, names.documentCase)
  await portal.deliver()
  return { ...names, file, code: accessCode(portal, person.email) }
}

async function uploaded() {
  await forgetUploads()
  const names = await giveDocument(portal, person.id)
  return { ...names, signed: await uploadSigned(portal, customer, person.email, names.documentCase) }
}

const statusOf = async (id: string) => (await customer.call(readDocument, { params: { id } })).body.status
const count = async (text: string, ...values: unknown[]) =>
  (await portal.owner.query<{ count: number }>(text, values)).rows[0]!.count
const recorded = (act: string, id: string) =>
  count(`select count(*)::int as count from audit where act = $1 and details->>'documentCase' = $2`, act, id)
const filesOf = () => readdirSync(join(folder, 'documents'))

test('R51 of confirmations of two files at once, over both nodes, one wins: one move, one mail, one record', async () => {
  const [rounds, howMany] = exhaustive ? [5, 40] : [2, 12]
  for (let round = 0; round < rounds; round++)
    expect(await confirmAtOnce(portal, { browser: customer, person, howMany })).toEqual([])
})

test('R51 what was checked for one signer is not taken once the provider wants another', async () => {
  const { documentCase: id, providerDocumentCase: name, file, code } = await downloaded()
  const { body } = await stage(customer, id, await signAs(file, code, 'locked'))
  expect(body.report.verdict).toBe('accepted')
  const params = { case: name }
  const want = (over: object) =>
    provider().call(putDocumentCase, { params, body: sampleDocumentCase(person.id, over) }, 1)
  // The same words again change nothing.
  expect((await want({})).body.version).toBe(body.version)
  await want({ signer: 'PNOPL-80010112345' })
  const confirm = (version: number) =>
    customer.call(confirmUpload, { params: { id }, body: { sha256: body.sha256, version } })
  expect((await confirm(body.version)).problem).toMatchObject({
    code: 'state-passed',
    current: 'subscriber-downloaded',
  })
  expect(await statusOf(id)).toBe('subscriber-downloaded')
})

test('R51 R55 what one signer has handed over is not made another’s', async () => {
  const { documentCase: id, providerDocumentCase: name } = await uploaded()
  const want = (over: object) =>
    provider().call(putDocumentCase, { params: { case: name }, body: sampleDocumentCase(person.id, over) })
  expect((await want({ signer: 'PNOPL-80010112345', document: 'U-1' })).problem).toMatchObject({
    code: 'state-passed',
    current: 'subscriber-uploaded',
  })
  // The refused words have changed nothing; others may still come.
  expect((await customer.call(readDocument, { params: { id } })).body.document).toBe('U-20871')
  expect((await want({ document: 'U-2' })).body).toMatchObject({ document: 'U-2', signer: 'PNOPL-90010112345' })
})

test('R52 a confirmation that is repeated after its answer was lost gets that answer on the other node, and does nothing twice', async () => {
  const { documentCase: id, file, code } = await downloaded()
  const { body } = await stage(customer, id, await signAs(file, code, 'locked'))
  const idempotencyKey = crypto.randomUUID()
  const send = (version: number, node: number) =>
    customer.call(confirmUpload, { params: { id }, body: { sha256: body.sha256, version }, idempotencyKey }, node)
  const first = await send(body.version, 0)
  const again = await send(body.version, 1)
  expect([again.status, again.body]).toEqual([200, first.body])
  expect((await send(body.version + 1, 1)).problem.code).toBe('idempotency-key-reused')
  expect(await recorded('document-upload-confirmed', id)).toBe(1)
})

test('R55 DOC-2 the database makes the moves of the contract’s table and refuses every other of the 36', async () => {
  const { documentCase: id } = await giveDocument(portal, person.id)
  for (const from of documentStatuses)
    for (const to of documentStatuses.filter((one) => one !== from)) {
      // One connection may hold the setting: all of it runs in one.
      const client = await portal.owner.connect()
      await client.query(`set session_replication_role = replica`)
      await client.query('update document_cases set status = $2 where id = $1', [id, from])
      await client.query(`set session_replication_role = origin`)
      const made = await client.query('update document_cases set status = $2 where id = $1', [id, to]).then(
        () => true,
        () => false,
      )
      client.release()
      expect([from, to, made]).toEqual([from, to, documentMoves[from].includes(to)])
    }
})

test('R55 what the provider says twice, late or in another order leaves the case the same', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray(['open', 'document', 'sign', 'sign', 'finish', 'finish'], { minLength: 6 }),
      async (said) => {
        const { documentCase: id, providerDocumentCase: name, signed } = await uploaded()
        const params = { case: name }
        const before = portal.mails.length
        for (const [i, one] of said.entries()) {
          if (one === 'open')
            await provider().call(putDocumentCase, { params, body: sampleDocumentCase(person.id) }, i % 2)
          if (one === 'document') await putPdf(portal, putCaseDocument.path, name, contractPdf(), i % 2)
          if (one === 'sign') await putSigned(portal, name, continued(signed), i % 2)
          if (one === 'finish') expect((await provider().call(finishDocumentCase, { params }, i % 2)).status).toBe(200)
        }
        await portal.deliver()
        const { body } = await provider().call(getDocumentCase, { params })
        expect(body).toMatchObject({ status: 'finished', version: 5, signed: { sha256: sha256(continued(signed)) } })
        const told = portal.mails.slice(0, portal.mails.length - before).map(({ subject }) => subject)
        expect(told.filter((subject) => subject.includes('sprawdzony')).length).toBe(1)
        // Too late for anything else.
        const late = [
          await provider().call(cancelDocumentCase, { params }),
          await provider().call(refuseUpload, { params, body: { reason: 'other', note: null } }),
        ]
        for (const { problem } of late) expect(problem).toMatchObject({ code: 'state-passed', current: 'finished' })
        expect((await putSigned(portal, name, continued(signed, 'other'))).body.code).toBe('state-passed')
        expect(await statusOf(id)).toBe('finished')
      },
    ),
    // First what a finish that comes before its signature, and a signature after the end, would spoil.
    { numRuns: exhaustive ? 6 : 2, examples: [[['finish', 'sign', 'finish', 'sign', 'document', 'open']]] },
  )
})

test('R55 a case that is canceled while it is uploaded ends canceled, whoever comes first', async () => {
  for (let round = 0; round < (exhaustive ? 5 : 2); round++) {
    const { documentCase: id, providerDocumentCase: name, file, code } = await downloaded()
    const { body } = await stage(customer, id, await signAs(file, code, 'locked'))
    const confirm = () =>
      customer.call(confirmUpload, { params: { id }, body: { sha256: body.sha256, version: body.version } }, 1)
    const cancel = () => provider().call(cancelDocumentCase, { params: { case: name } })
    const [confirmed, first, second] = await Promise.all([confirm(), cancel(), cancel()])
    expect([first.status, second.status, [200, 422].includes(confirmed.status)]).toEqual([200, 200, true])
    expect(await statusOf(id)).toBe('canceled')
    expect(await recorded('document-canceled', id)).toBe(1)
    expect((await downloadFile(customer, id)).status).toBe(422)
  }
})

test('DOC-6 R54 only the customer’s own bytes with something after them are taken back from the provider', async () => {
  const { providerDocumentCase: name, signed } = await uploaded()
  const changed = Buffer.from(continued(signed))
  changed[100]! ^= 1
  for (const [what, pdf] of [
    ['nothing added', signed],
    ['changed', changed],
    ['another', contractPdf()],
  ] as const)
    expect([what, (await putSigned(portal, name, pdf)).body.code]).toEqual([what, 'document-not-continued'])
  expect((await putSigned(portal, name, continued(signed))).body.status).toBe('issuer-uploaded')
})

test('R54 a stored file of which a bit has turned is not served to anyone, and the operator is told', async () => {
  const { documentCase: id, providerDocumentCase: name } = await uploaded()
  const { rows } = await portal.owner.query<{ file: string }>(
    'select upload_file as file from document_cases where id = $1',
    [id],
  )
  const path = join(folder, 'documents', rows[0]!.file)
  const good = readFileSync(path)
  const bad = Buffer.from(good)
  bad[bad.length - 20]! ^= 1
  writeFileSync(path, bad)
  const fetchUpload = () =>
    provider().raw('GET', downloadUpload.path.replace(':case', name), undefined, {
      authorization: `Bearer ${portal.clientKey}`,
    })
  const refused = await fetchUpload()
  expect([refused.status, await refused.json()]).toMatchObject([422, { code: 'document-content-missing' }])
  await expect
    .poll(() => portal.alarms)
    .toContainEqual({ name: 'document-damaged', about: `documents/${rows[0]!.file}` })
  writeFileSync(path, good)
  expect((await fetchUpload()).status).toBe(200)
})

test('R53 what was staged, or left behind by a crash, is gone within the hour; what a case names is never dropped', async () => {
  const { documentCase: id, file, code } = await downloaded()
  await stage(customer, id, await signAs(file, code, 'locked'))
  // A process that died in the middle: a row, and a file or none.
  await portal.db.insertInto('document_files').values({ case_id: id, kind: 'upload' }).execute()
  const { documents } = portal.portal.ports
  const orphans = () =>
    count(`select count(*)::int as count from document_files where case_id = $1 and kind = 'upload'`, id)
  await removeOrphans(portal.db, documents)
  expect(await orphans()).toBe(2)
  const files = filesOf().length
  await portal.clock.advance(2881)
  await removeOrphans(portal.db, documents)
  expect(await orphans()).toBe(0)
  expect(filesOf().length).toBeLessThan(files)
  const named = await portal.db
    .selectFrom('document_cases')
    .select('document_file as file')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await dropFile(portal.portal, named.file!)
  expect(filesOf()).toContain(named.file)
  customer = await letIn(portal, person)
  await believeTestAuthorities(portal)
  expect((await downloadFile(customer, id)).status).toBe(200)
})

test('R42 R50 ten megabytes are taken and one byte more is not, and uploads are counted', async () => {
  const { documentCase: id } = await downloaded()
  const path = stageUpload.path.replace(':id', id)
  const sized = (bytes: number) => Buffer.alloc(bytes, '%PDF-1.7\n')
  const headers = { 'content-type': 'application/pdf' }
  const largest = await stage(customer, id, sized(limits.http.pdfBytes))
  expect(largest.body.code).toBe('pdf-damaged')
  expect((await customer.raw('POST', path, sized(limits.http.pdfBytes + 1), headers)).status).toBe(413)
  for (let i = 0; i < limits.documents.uploads.limit - 1; i++) await stage(customer, id, Buffer.from('%PDF-1.7'))
  expect((await stage(customer, id, Buffer.from('%PDF-1.7'))).body.code).toBe('too-many-attempts')
})
