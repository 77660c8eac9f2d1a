import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { readSession } from '../../contract/account.ts'
import { listActivity } from '../../contract/activity.ts'
import { downloadDataExport, readDataExport, requestDataExport } from '../../contract/data-export.ts'
import { locales } from '../../contract/enums.ts'
import { enterStepUpCode, startStepUp } from '../../contract/step-up.ts'
import { openPdf, listPages } from '../../pki/pdf/pdf-read.ts'
import { openBrowser, type TestBrowser, expectAttachment } from '../testing/browser.ts'
import { findAccountId } from '../testing/database-state.ts'
import { manySends, openPortal } from '../testing/open-portal.ts'
import { now, openTestPortal, sampleIdentification } from '../testing/portal-nodes.ts'
import { openTestProvider } from '../testing/provider.ts'
import { fillTables, listNames } from '../testing/samples/customer-tables.ts'
import { addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import { giveObjects } from '../testing/samples/sample-objects.ts'
import { insertStepUp } from '../testing/samples/sample-seals.ts'
import { smsCode } from '../testing/sent-messages.ts'
import type { Person } from '../testing/test-customers.ts'
import { endDataExports } from './data-export-files.ts'

const portal = await openPortal({ nodes: 2, settings: manySends })

afterEach(() => portal.clock.advance(0))

const folder = portal.documentsFolder

/** Signs in a customer who has confirmed the export with a code. */
async function openCustomer(person?: Person) {
  const owner = person ?? (await addCustomer(portal))
  const browser = await signInDirectly(portal, owner)
  await insertStepUp(portal, owner, 'export-data', await findAccountId(portal, owner))
  return { person: owner, browser }
}

const order = (browser: TestBrowser, node = 0) => browser.call(requestDataExport, { body: { locale: 'pl' } }, node)
const stateOf = async (browser: TestBrowser, node = 0) => (await browser.call(readDataExport, {}, node)).body
const fetchFile = (browser: TestBrowser, format: 'json' | 'pdf') =>
  browser.raw('GET', downloadDataExport.path.replace(':format', format))
const filesOnDisk = () => readdirSync(folder, { recursive: true }).filter((name) => String(name).startsWith('exports/'))
const tidy = () => endDataExports(portal.portal)

test('DAT-6 R41 R87 the file has all stored data of its customer, of no other, and no secret', async () => {
  const provider = await openTestProvider(portal)
  const known = { identification: sampleIdentification }
  const [person, stranger] = [await addCustomer(portal, known), await addCustomer(portal, known)]
  const browser = await signInDirectly(portal, person)
  const { account } = await giveObjects(portal, provider, person, browser)
  await fillTables(portal.owner, account)
  const foreign = await signInDirectly(portal, stranger)
  await giveObjects(portal, provider, stranger, foreign)
  await order(browser)
  await portal.deliver()
  expect(await stateOf(foreign)).toEqual({ state: 'none' })
  expect((await fetchFile(foreign, 'json')).status).toBe(422)
  expect((await fetchFile(openBrowser(portal), 'json')).status).toBe(401)
  const text = await (await fetchFile(browser, 'json')).text()
  const data = JSON.parse(text)

  // Every list has rows.
  expect(listNames(data)).toEqual(listNames())
  expect(data).toMatchObject({
    account: { login: person.login, phone: person.phone, language: 'pl' },
    identification: sampleIdentification,
    consents: [{ wording: { title: 'Zgoda' } }, {}, {}],
    signatures: [
      {
        identifier: { type: 'PNO', country: 'PL', value: expect.stringMatching(/^\d{11}$/) },
        agreement: { language: 'pl', sha256: expect.any(String) },
        pairedAt: expect.any(String),
        reminders: [{ step: 30 }],
        certificate: expect.stringMatching(/^MII/),
      },
    ],
    seals: [{ access: 'active', phone: person.phone }, { access: 'pending' }],
    timestampAccounts: [{ usage: [{ day: '2026-06-01', spent: 7 }] }],
    documents: [{ signer: 'PNOPL-90010112345', files: [{ kind: 'document' }] }],
    vouchers: [
      { kind: 'voucher', code: expect.any(String) },
      { kind: 'renewal', code: null },
    ],
    renewals: [{ number: expect.stringMatching(/^R-/) }],
    passkeys: [{ name: 'Telefon' }],
  })
  const ids = data.history.map(({ id }: { id: string }) => Number(id))
  expect(ids.at(0)).toBeGreaterThan(9)
  expect(ids).toEqual(ids.toSorted((a: number, b: number) => b - a))
  const secrets = ['argon2', 'secret', 'publicKey', 'accessCode', 'Buffer']
  for (const word of [stranger.login, stranger.email, stranger.phone, ...secrets]) expect(text).not.toContain(word)
})

/** Checks the PDF with other programs, where they are installed: it has no fault, is tagged, and its text can be extracted. */
async function agreeWithPeers(bytes: Uint8Array, { login, email }: Person) {
  const path = join(folder, 'peer.pdf')
  writeFileSync(path, bytes)
  const run = (program: string, ...options: string[]) => {
    const { error, stdout } = spawnSync(program, options, { encoding: 'utf8' })
    return error ? undefined : stdout
  }
  const checked = run('qpdf', '--check', path)
  if (checked !== undefined) expect(checked).toContain('No syntax or stream encoding errors')
  const info = run('pdfinfo', path)
  if (info !== undefined) expect(info).toMatch(/Tagged: +yes/)
  const structure = run('pdfinfo', '-struct', path)
  if (structure !== undefined) for (const part of ['H1', 'H2', 'Table', 'TH', 'TD']) expect(structure).toContain(part)
  const text = run('pdftotext', path, '-')
  if (text !== undefined) for (const word of [login, email]) expect(text).toContain(word)
  rmSync(path)
}

test('DAT-6 R83 the PDF is tagged and says what the JSON says, in the requested language; both are encrypted at rest', async () => {
  for (const locale of locales) {
    const { person, browser } = await openCustomer()
    await browser.call(requestDataExport, { body: { locale } })
    await portal.deliver()
    const answer = await fetchFile(browser, 'pdf')
    expect(answer.headers.get('content-type')).toBe('application/pdf')
    expect(answer.headers.get('content-disposition')).toContain(locale === 'pl' ? 'moje-dane.pdf' : 'my-data.pdf')
    const bytes = new Uint8Array(await answer.arrayBuffer())
    const text = Buffer.from(bytes).toString('latin1')
    expect(text).toContain('/StructTreeRoot')
    expect(text).toMatch(/\/Marked true/)
    expect(text).toContain(locale === 'pl' ? '(pl-PL)' : '(en-GB)')
    expect(listPages(openPdf(bytes)).length).toBeGreaterThan(0)
    await agreeWithPeers(bytes, person)
    for (const name of filesOnDisk()) {
      const kept = readFileSync(join(folder, String(name)), 'latin1')
      expect(kept).not.toContain(person.email)
      expect(kept).not.toContain('%PDF')
    }
  }
})

test('DAT-6 AUT-7 AUT-11 request and download need a fresh code, and both are audited; the mail has no data in it', async () => {
  const person = await addCustomer(portal)
  const browser = await signInDirectly(portal, person)
  expect((await order(browser)).problem.code).toBe('step-up-required')
  const sent = await browser.call(startStepUp, { body: { purpose: 'export-data', by: 'sms' } })
  await portal.deliver()
  await browser.call(enterStepUpCode, { params: { id: sent.body.id }, body: { code: smsCode(portal, person.phone) } })
  expect((await order(browser)).body).toMatchObject({ state: 'making' })
  await portal.deliver()
  expect(await stateOf(browser, 1)).toMatchObject({ state: 'ready' })

  const mail = portal.mails.find(({ to, subject }) => to === person.email && subject.includes('jest gotowa'))!
  for (const word of [person.firstName, person.surname, person.phone, person.login])
    expect(mail.text + mail.html).not.toContain(word)
  expect(mail.text).toContain('https://portal.example/security')

  // Another session of the same customer has confirmed nothing.
  const elsewhere = await signInDirectly(portal, person)
  for (const format of ['json', 'pdf'] as const) {
    expect((await fetchFile(elsewhere, format)).status).toBe(403)
    expectAttachment(await fetchFile(browser, format))
  }
  const { items } = (await browser.call(listActivity)).body
  const rows = items.map(({ act, count }): [string, number] => [act, count])
  expect(rows.filter(([action]) => action.startsWith('data-export'))).toEqual([
    ['data-export-downloaded', 2],
    ['data-export-made', 1],
    ['data-export-requested', 1],
  ])
})

test('DAT-6 one is made at a time, on either node, and three a day', async () => {
  const { person, browser } = await openCustomer()
  const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => order(browser, i % 2)))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array(11).fill(422)])
  const id = await findAccountId(portal, person)
  const stored = (statement: 'select' | 'delete') =>
    portal.rows(`${statement} from data_exports where account_id = $1`, [id])
  expect(await stored('select')).toHaveLength(1)
  for (const left of [2, 1]) {
    await stored('delete')
    expect([left, (await order(browser)).status]).toEqual([left, 200])
  }
  await stored('delete')
  expect((await order(browser)).problem.code).toBe('too-many-attempts')
  expect(await stored('select')).toEqual([])
})

test('R114 orders of one customer, more at a time than the node has connections, block no one else', async () => {
  const small = await openTestPortal({ connections: 3, statementTimeoutMs: 30_000 })
  onTestFinished(() => small.close())
  const person = await addCustomer(small)
  const browser = await signInDirectly(small, person)
  await insertStepUp(small, person, 'export-data', await findAccountId(small, person))
  const visitor = await signInDirectly(small, await addCustomer(small))
  const [answers, others] = await Promise.all([
    Promise.all(Array.from({ length: 12 }, () => order(browser))),
    Promise.all(Array.from({ length: 12 }, () => visitor.call(readSession))),
  ])
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array(11).fill(422)])
  for (const { status, problem } of answers)
    if (status === 422) expect(problem).toMatchObject({ code: 'state-passed', current: 'making' })
  expect(new Set(others.map(({ status }) => status))).toEqual(new Set([200]))
})

test('DAT-6 R87 to the second after 24 hours it is no longer offered, its files are removed, and another can be made', async () => {
  const start = await now(portal.db)
  const at = (seconds: number) => portal.clock.stopAt(new Date(start.getTime() + seconds * 1000))
  await at(0)
  const { person, browser } = await openCustomer()
  await order(browser)
  await portal.deliver()
  const before = filesOnDisk().length
  await at(86_399)
  await tidy()
  const again = await openCustomer(person)
  expect((await fetchFile(again.browser, 'json')).status).toBe(200)
  await at(86_400)
  expect(await stateOf(again.browser)).toEqual({ state: 'none' })
  expect((await fetchFile(again.browser, 'json')).status).toBe(422)
  expect((await order(again.browser)).status).toBe(200)
  await tidy()
  expect(filesOnDisk().length).toBeLessThanOrEqual(before - 2)
  const keys = await portal.rows(`select from document_keys where document like 'exports/%'`)
  expect(keys).toHaveLength(filesOnDisk().length)
})

test('DAT-6 R87 R92 an export that could not be made within a day is reported to its customer by mail, leaves no file, and can be requested again', async () => {
  const start = await now(portal.db)
  await portal.clock.stopAt(start)
  const { person, browser } = await openCustomer()
  // Nothing but this order may meet the broken disk.
  await portal.deliver()
  await order(browser)
  // The PDF cannot be written.
  const { documents } = portal.portal.ports
  const write = documents.write.bind(documents)
  let written = 0
  documents.write = (...args) => (++written % 2 ? write(...args) : Promise.reject(new Error('EIO')))
  await portal.deliver()
  documents.write = write
  expect(await stateOf(browser)).toMatchObject({ state: 'making' })
  const [{ files }] = (await portal.rows('select files from data_exports where account_id = $1', [
    await findAccountId(portal, person),
  ])) as [{ files: string[] }]
  expect(files.filter((file) => filesOnDisk().includes(file))).toHaveLength(1)
  await portal.clock.stopAt(new Date(start.getTime() + 86_400_000))
  await tidy()
  await tidy()
  await portal.deliver()
  const mails = portal.mails.filter(
    ({ to, subject }) => to === person.email && subject.includes('nie udało się przygotować'),
  )
  expect(mails).toHaveLength(1)
  expect(mails[0]!.text).not.toContain(person.surname)
  expect(files.filter((file) => filesOnDisk().includes(file))).toEqual([])
  const again = await openCustomer(person)
  expect((await order(again.browser)).status).toBe(200)
  await portal.deliver()
  expect(await stateOf(again.browser)).toMatchObject({ state: 'ready' })
})
