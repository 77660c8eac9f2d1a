import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AuditAction } from '../../contract/audit-actions.ts'
import { confirmUpload, documentMoves, DocumentStatus, readDocument } from '../../contract/documents.ts'
import * as providerDocuments from '../../contract/provider/provider-documents.ts'
import { contractPdf } from '../../pki/testing/pades-authorities.ts'
import { auditEntries } from '../testing/audit-entries.ts'
import { exhaustive } from '../testing/breadth.ts'
import { asProvider, openBrowser } from '../testing/browser.ts'
import { countRows } from '../testing/database-state.ts'
import { killPoints, nameOfPoint, openKillTest } from '../testing/faults/kills.ts'
import { openPortal } from '../testing/open-portal.ts'
import { addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import {
  accessCode,
  trustTestAuthorities,
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
} from '../testing/samples/sample-documents.ts'
import { removeUnusedFile, removeOrphans } from './document-files.ts'

const portal = await openPortal({ nodes: 2, comparesPages: false })
await trustTestAuthorities(portal)
const person = await addCustomer(portal)
const customer = await signInDirectly(portal, person)

const provider = openBrowser(portal)

/** Resets the rate limit of uploads, which these tests do not examine. */
const resetUploadLimit = () => portal.owner.query(`delete from rate_limits where name = 'document-uploads'`)

async function downloaded() {
  await resetUploadLimit()
  const names = await giveDocument(portal, person.id)
  const { file } = await downloadFile(customer, names.documentCase)
  await portal.deliver()
  return { ...names, file, code: accessCode(portal, person.email) }
}

async function uploaded() {
  await resetUploadLimit()
  const names = await giveDocument(portal, person.id)
  return { ...names, signed: await uploadSigned(portal, customer, person.email, names.documentCase) }
}

const putAgain = (name: string, over: object, node = 0) => {
  const body = sampleDocumentCase(person.id, over)
  return provider.call(providerDocuments.putDocumentCase, { params: { case: name }, body }, node)
}
const statusOf = async (id: string) => (await customer.call(readDocument, { params: { id } })).body.status
const entriesOf = (action: AuditAction, documentCase: string) =>
  auditEntries(portal, { action, details: { documentCase } })
async function fileOfCase(id: string, column: 'document_file' | 'upload_file') {
  const { rows } = await portal.owner.query(`select ${column} as file from document_cases where id = $1`, [id])
  return rows[0].file as string
}
const filesOf = () => readdirSync(join(portal.documentsFolder, 'documents'))

test('R51 of many confirmations of two files at once one wins: one move, one mail, one entry', async () => {
  const howMany = 20
  const { documentCase: id, file, code } = await downloaded()
  const staged = [
    (await stage(customer, id, await signAs(file, code, 'locked'))).body,
    (await stage(customer, id, await signAs(file, code, 'clear'))).body,
  ]
  const mails = await countRows(portal, 'outbox')
  const answers = await Promise.all(
    Array.from({ length: howMany }, (_, i) => {
      const { sha256: hash, version } = staged[i % 2]!
      return customer.call(confirmUpload, { params: { id }, body: { sha256: hash, version } }, (i >> 1) & 1)
    }),
  )
  const losers = answers.filter(({ status }) => status !== 200)
  expect(losers).toHaveLength(howMany - 1)
  for (const { status, problem } of losers)
    expect([status, problem]).toMatchObject([422, { code: 'state-passed', current: 'subscriber-uploaded' }])
  expect(await entriesOf('document-upload-confirmed', id)).toHaveLength(1)
  expect(await countRows(portal, 'outbox')).toBe(mails + 1)
})

test('R51 what was checked for one signer cannot be confirmed once the provider names another signer', async () => {
  const { documentCase: id, providerDocumentCase: name, file, code } = await downloaded()
  const { body } = await stage(customer, id, await signAs(file, code, 'locked'))
  expect(body.report.verdict).toBe('accepted')
  const want = (over: object) => putAgain(name, over, 1)
  // The same call again changes nothing.
  expect((await want({})).body.version).toBe(body.version)
  await want({ signer: 'PNOPL-80010112345' })
  const confirm = (version: number) =>
    customer.call(confirmUpload, { params: { id }, body: { sha256: body.sha256, version } })
  const { problem } = await confirm(body.version)
  expect(problem).toMatchObject({ code: 'state-passed', current: 'subscriber-downloaded' })
  expect(await statusOf(id)).toBe('subscriber-downloaded')
})

test('R51 R55 a case with a submitted upload cannot get another signer', async () => {
  const { documentCase: id, providerDocumentCase: name } = await uploaded()
  const want = (over: object) => putAgain(name, over)
  expect((await want({ signer: 'PNOPL-80010112345', document: 'U-1' })).problem).toMatchObject({
    code: 'state-passed',
    current: 'subscriber-uploaded',
  })
  // The refused call has changed nothing, and other calls are accepted.
  expect((await customer.call(readDocument, { params: { id } })).body.document).toBe('U-20871')
  expect((await want({ document: 'U-2' })).body).toMatchObject({ document: 'U-2', signer: 'PNOPL-90010112345' })
})

test('R52 a confirmation that is repeated after its answer was lost gets that answer on the other node, and takes effect once', async () => {
  const { documentCase: id, file, code } = await downloaded()
  const { body } = await stage(customer, id, await signAs(file, code, 'locked'))
  const idempotencyKey = crypto.randomUUID()
  const send = (version: number, node: number) =>
    customer.call(confirmUpload, { params: { id }, body: { sha256: body.sha256, version }, idempotencyKey }, node)
  const first = await send(body.version, 0)
  const again = await send(body.version, 1)
  expect([again.status, again.body]).toEqual([200, first.body])
  expect((await send(body.version + 1, 1)).problem.code).toBe('idempotency-key-reused')
  expect(await entriesOf('document-upload-confirmed', id)).toHaveLength(1)
})

test('R55 DOC-2 the database allows the moves of the contract’s table and refuses the rest of the 36', async () => {
  const { documentCase: id } = await giveDocument(portal, person.id)
  for (const from of DocumentStatus.options)
    for (const to of DocumentStatus.options.filter((status) => status !== from)) {
      // The setting belongs to a connection, so all statements run on the same one.
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

test('R55 repeated, late or reordered calls of the provider leave the case the same', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray(['open', 'document', 'sign', 'sign', 'finish', 'finish'], { minLength: 6 }),
      async (calls) => {
        const { documentCase: id, providerDocumentCase: name, signed } = await uploaded()
        const params = { case: name }
        const before = portal.mails.length
        for (const [i, call] of calls.entries()) {
          if (call === 'open') await putAgain(name, {}, i % 2)
          if (call === 'document')
            await putPdf(portal, providerDocuments.putCaseDocument.path, name, contractPdf(), i % 2)
          if (call === 'sign') await putSigned(portal, name, continued(signed), i % 2)
          if (call === 'finish')
            expect((await provider.call(providerDocuments.finishDocumentCase, { params }, i % 2)).status).toBe(200)
        }
        await portal.deliver()
        const { body } = await provider.call(providerDocuments.getDocumentCase, { params })
        expect(body).toMatchObject({ status: 'finished', version: 5, signed: { sha256: sha256(continued(signed)) } })
        const subjects = portal.mails.slice(0, portal.mails.length - before).map(({ subject }) => subject)
        expect(subjects.filter((subject) => subject.includes('sprawdzony')).length).toBe(1)
        // No further move is possible.
        const late = [
          await provider.call(providerDocuments.cancelDocumentCase, { params }),
          await provider.call(providerDocuments.refuseUpload, { params, body: { reason: 'other', note: null } }),
        ]
        for (const { problem } of late) expect(problem).toMatchObject({ code: 'state-passed', current: 'finished' })
        expect((await putSigned(portal, name, continued(signed, 'other'))).body.code).toBe('state-passed')
        expect(await statusOf(id)).toBe('finished')
      },
    ),
    // First a finish before its countersignature, and a countersignature after the end.
    { numRuns: exhaustive ? 6 : 2, examples: [[['finish', 'sign', 'finish', 'sign', 'document', 'open']]] },
  )
})

test('R55 a case that is canceled during an upload ends canceled, whichever call is first', async () => {
  for (let round = 0; round < (exhaustive ? 5 : 2); round++) {
    const { documentCase: id, providerDocumentCase: name, file, code } = await downloaded()
    const { body } = await stage(customer, id, await signAs(file, code, 'locked'))
    const confirm = () =>
      customer.call(confirmUpload, { params: { id }, body: { sha256: body.sha256, version: body.version } }, 1)
    const cancel = () => provider.call(providerDocuments.cancelDocumentCase, { params: { case: name } })
    const [confirmed, first, second] = await Promise.all([confirm(), cancel(), cancel()])
    expect([first.status, second.status, [200, 422].includes(confirmed.status)]).toEqual([200, 200, true])
    expect(await statusOf(id)).toBe('canceled')
    expect(await entriesOf('document-canceled', id)).toHaveLength(1)
    expect((await downloadFile(customer, id)).status).toBe(422)
  }
})

test('DOC-6 R54 a countersignature is accepted only if it appends to the customer’s own bytes', async () => {
  const { providerDocumentCase: name, signed } = await uploaded()
  const changed = Buffer.from(continued(signed))
  changed[100]! ^= 1
  for (const [content, pdf] of [
    ['nothing added', signed],
    ['changed', changed],
    ['another', contractPdf()],
  ] as const)
    expect([content, (await putSigned(portal, name, pdf)).body.code]).toEqual([content, 'document-not-continued'])
  expect((await putSigned(portal, name, continued(signed))).body.status).toBe('issuer-uploaded')
})

test('R54 a stored file of which a bit has turned is not served to anyone, and an alarm notifies the operator', async () => {
  const { documentCase: id, providerDocumentCase: name } = await uploaded()
  const file = await fileOfCase(id, 'upload_file')
  const path = join(portal.documentsFolder, 'documents', file)
  const good = readFileSync(path)
  const bad = Buffer.from(good)
  bad[bad.length - 20]! ^= 1
  writeFileSync(path, bad)
  const fetchUpload = () => asProvider(portal, 'GET', providerDocuments.downloadUpload.path.replace(':case', name))
  const refused = await fetchUpload()
  expect([refused.status, await refused.json()]).toMatchObject([422, { code: 'document-content-missing' }])
  await expect.poll(() => portal.alarms).toContainEqual({ name: 'document-damaged', about: `documents/${file}` })
  writeFileSync(path, good)
  expect((await fetchUpload()).status).toBe(200)
})

test('R53 staged uploads and the files of a crash are removed within an hour; a file that a case names never is', async () => {
  const { documentCase: id, file, code } = await downloaded()
  await stage(customer, id, await signAs(file, code, 'locked'))
  // A process that died in between leaves a row, with or without a file.
  await portal.owner.query(`insert into document_files (case_id, kind) values ($1, 'upload')`, [id])
  const { documents } = portal.portal.ports
  const orphansSql = `select from document_files where case_id = $1 and kind = 'upload'`
  const orphans = async () => (await portal.owner.query(orphansSql, [id])).rowCount
  await removeOrphans(portal.db, documents)
  expect(await orphans()).toBe(2)
  const files = filesOf().length
  await portal.clock.advance(2881)
  await removeOrphans(portal.db, documents)
  expect(await orphans()).toBe(0)
  expect(filesOf().length).toBeLessThan(files)
  const kept = await fileOfCase(id, 'document_file')
  await removeUnusedFile(portal.portal, kept)
  expect(filesOf()).toContain(kept)
  await signInDirectly(portal, person, customer)
  await trustTestAuthorities(portal)
  expect((await downloadFile(customer, id)).status).toBe(200)
})

/** Points before and after each write; `npm run test:all` has all 24. */
const few = ['stage: after rename', 'confirm: before commit', 'confirm: after commit']

test('R53 a process that is killed at a marked point leaves an upload that can be retried or was accepted once, and no orphan after an hour', async () => {
  portal.mails.length = 0
  const { kill, findOrphansAfterAnHour } = await openKillTest(portal, portal.documentsFolder)
  const points = killPoints.filter((point) => exhaustive || few.includes(nameOfPoint(point)))
  expect(points).toHaveLength(exhaustive ? 24 : few.length)
  for (const point of points) expect(await kill(point)).toEqual([])
  expect(await findOrphansAfterAnHour()).toEqual([])
}, 900_000)
