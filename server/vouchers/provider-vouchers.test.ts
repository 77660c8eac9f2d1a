import { beforeAll, describe, expect, test } from 'vitest'
import { caseStatusVariants } from '../../contract/case-status.ts'
import {
  getProviderCase,
  getVoucherCode,
  listProviderCases,
  putCaseStatus,
  putVoucherCodes,
  type CaseReport,
  type CodeOrder,
} from '../../contract/provider/provider-vouchers.ts'
import { SealProduct } from '../../contract/seals.ts'
import { SignatureProduct } from '../../contract/signatures.ts'
import { listVoucherCases, redeemVoucher, VoucherProcess, type CaseStatus } from '../../contract/vouchers.ts'
import { openPortalWithProvider } from '../testing/open-provider.ts'
import { openBrowser, type Person, type TestBrowser } from '../testing/browser.ts'
import { addCustomer, letIn } from '../testing/samples/ready-customers.ts'
import { openVoucherCase, sampleVoucher } from '../testing/samples/sample-vouchers.ts'

let person: Person
let browser: TestBrowser
const { portal, provider } = await openPortalWithProvider({ nodes: 2 })
beforeAll(async () => {
  person = await addCustomer(portal)
  browser = await letIn(portal, person)
})

const call = () => openBrowser(portal).call
const put = (codes: CodeOrder[], node = 0) => call()(putVoucherCodes, { body: { codes } }, node)
const report = (number: string, fields: Partial<CaseReport>, node = 0) =>
  call()(
    putCaseStatus,
    { params: { case: number }, body: { status: 'W toku', at: '2026-11-21T12:00:00.000Z', note: null, ...fields } },
    node,
  )
const shown = async (number: string) =>
  (await browser.call(listVoucherCases, { query: { size: '100' } })).body.items.find((item) => item.number === number)!
const mailsAbout = async (number: string) => {
  await portal.deliver()
  return portal.mails.filter(({ subject }) => subject.includes(number)).map(({ subject, text }) => ({ subject, text }))
}

describe('OPS-4 codes', () => {
  test('OPS-4 VCH-1 codes are created in bulk for anybody, for a customer and for a certificate; unknown ones are named', async () => {
    const { providerId: signature } = await provider.give(person)
    const expiresAt = '2036-01-01T00:00:00.000Z'
    const orders: CodeOrder[] = [
      sampleVoucher({ process: 'card-seal' }),
      sampleVoucher({ customer: person.id }),
      { id: `r-${crypto.randomUUID()}`, kind: 'renewal', signature, expiresAt },
      sampleVoucher({ customer: 'nobody' }),
      { id: `r-${crypto.randomUUID()}`, kind: 'renewal', signature: 'none', expiresAt },
    ]
    const { body } = await put(orders)
    expect(body.unknown).toEqual([orders[3]!.id, orders[4]!.id])
    expect(body.codes).toMatchObject([
      { id: orders[0]!.id, kind: 'voucher', process: 'card-seal', customer: null, signature: null, status: 'unused' },
      { kind: 'voucher', customer: person.id, signature: null },
      { kind: 'renewal', process: null, customer: person.id, signature, expiresAt, case: null },
    ])
    expect((await call()(getVoucherCode, { params: { code: orders[2]!.id } })).body).toEqual(body.codes[2])
    expect((await call()(getVoucherCode, { params: { code: orders[4]!.id } })).status).toBe(404)
  })

  test('VCH-3 a voucher can be for each product of certificates and seals, and for timestamps', async () => {
    const ofSeal = { app: 'cloud-seal', card: 'card-seal', 'psd2-card': 'psd2-seal', file: 'file-seal' } as const
    const processes = [
      ...SignatureProduct.options.map((kind) => `${kind === 'app' ? 'cloud' : kind}-certificate` as const),
      ...SealProduct.options.map((kind) => ofSeal[kind]),
      'timestamps' as const,
    ]
    const { status, body } = await put(processes.map((process) => sampleVoucher({ process })))
    expect(status).toBe(200)
    expect(body.codes.map(({ process }) => process)).toEqual(processes)
    expect(VoucherProcess.options).toEqual(processes)
  })

  test('OPS-4 R55 a call repeated in any order and on both nodes at the same time creates no second code', async () => {
    const codes = Array.from({ length: 20 }, () => sampleVoucher())
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => put(i % 2 ? codes : codes.toReversed(), i % 2)),
    )
    const known = answers.map(({ body }) => body.codes.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    for (const codesOfAnswer of known) expect(codesOfAnswer).toEqual(known[0])
    expect(new Set(known[0]!.map(({ code }) => code)).size).toBe(20)
  })

  test('OPS-4 an existing code keeps its purpose and gets its new end, which can stop it', async () => {
    const order = sampleVoucher({ process: 'cloud-seal' })
    const [first] = (await put([order])).body.codes
    const later = { ...order, process: 'card-seal', expiresAt: '2026-01-01T00:00:00.000Z' } as CodeOrder
    expect((await put([later])).body.codes).toEqual([
      { ...first, expiresAt: '2026-01-01T00:00:00.000Z', status: 'expired' },
    ])
    expect((await browser.call(redeemVoucher, { body: { code: first!.code } })).problem.code).toBe('voucher-refused')
  })

  test('R70 too many codes, the same id twice and an empty list are refused', async () => {
    const many = Array.from({ length: 201 }, () => sampleVoucher())
    const voucher = sampleVoucher()
    for (const codes of [many, [voucher, voucher], []]) expect((await put(codes)).status).toBe(400)
  })
})

describe('VCH-4 states of cases', () => {
  test('VCH-4 every word of the table gives its status, however it is spelled', async () => {
    const { opened } = await openVoucherCase(portal, browser)
    let minute = 0
    const spellings = (word: string) => [word, word.toUpperCase().replaceAll(' ', '_'), ` ${word.toLowerCase()}.`]
    for (const status of Object.keys(caseStatusVariants) as CaseStatus[])
      for (const word of Object.values(caseStatusVariants[status]).flat().slice(0, 6).flatMap(spellings)) {
        const at = new Date(Date.UTC(2026, 10, 21, 12, ++minute)).toISOString()
        const { body } = await report(opened.number, { status: word, at }, minute % 2)
        expect([word, body.status, body.known]).toEqual([word, status, true])
      }
    expect(portal.alarms).toEqual([])
  })

  test('VCH-4 the table has no word twice, in any spelling', () => {
    const all = Object.values(caseStatusVariants).flatMap((names) => Object.values(names).flat())
    const plain = all.map((word) => word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase())
    expect(new Set(plain).size).toBe(all.length)
  })

  test('VCH-4 an unknown word shows as in progress with that word, and raises one alarm that names no person', async () => {
    const { opened } = await openVoucherCase(portal, browser)
    for (const minute of [1, 2]) {
      const at = `2026-11-21T12:0${minute}:00.000Z`
      expect((await report(opened.number, { status: 'Zakończona', at })).body).toMatchObject({
        status: 'in-progress',
        known: false,
        providerStatus: 'Zakończona',
      })
    }
    expect(await shown(opened.number)).toMatchObject({ status: 'in-progress', providerStatus: 'Zakończona' })
    const { body } = await call()(listProviderCases, { query: { known: 'false' } })
    expect(body.items.map((item) => item.case)).toEqual([opened.number])
    await expect.poll(() => portal.alarms).toEqual([{ name: 'case-status-unknown', about: 'test' }])
    await report(opened.number, { status: 'Zrealizowana', at: '2026-11-21T12:03:00.000Z' })
    expect((await call()(listProviderCases, { query: { known: 'false' } })).body.items).toEqual([])
  })

  test('VCH-4 R55 the latest report is kept in any order of arrival, and its mail is sent once', async () => {
    const { opened } = await openVoucherCase(portal, browser)
    const { number } = opened
    const note = { pl: 'Certyfikat czeka w\u00a0aplikacji.', en: 'The certificate is in the app.' }
    const reports = [
      { status: 'W toku', at: '2026-11-21T12:00:00.000Z' },
      { status: 'W realizacji', at: '2026-11-21T13:00:00.000Z' },
      { status: 'Zakończona pomyślnie', at: '2026-11-21T14:00:00.000Z', note },
    ]
    const all = Array.from({ length: 4 }, () => reports.toReversed()).flat()
    for (const [i, fields] of all.entries()) await report(number, fields, i % 2)
    expect(await shown(number)).toMatchObject({
      status: 'finished-successfully',
      providerStatus: 'Zakończona pomyślnie',
      note,
    })
    const mails = await mailsAbout(number)
    const end = mails.filter(({ subject }) => subject.includes('jest zakończona'))
    expect([mails.length, end.length]).toEqual([2, 1])
    expect(end[0]!.text).toContain(note.pl)
    expect((await call()(getProviderCase, { params: { case: number } })).body.at).toBe('2026-11-21T14:00:00.000Z')
  })

  test('VCH-4 the mail of an unsuccessful end says what to do, in the language of the customer', async () => {
    const english = await addCustomer(portal, { locale: 'en' })
    const { opened } = await openVoucherCase(portal, await letIn(portal, english))
    await report(opened.number, { status: 'Odmowa wydania' })
    const mail = (await mailsAbout(opened.number)).find(({ subject }) => subject.includes('was unsuccessful'))
    expect(mail!.text).toContain('give the case number')
  })

  test('OPS-4 cases are listed by pages, of one status on request', async () => {
    const { opened } = await openVoucherCase(portal, browser)
    await report(opened.number, { status: 'Anulowano' })
    const { body } = await call()(listProviderCases, { query: { status: 'finished-unsuccessfully' } })
    expect(body.items).toContainEqual((await call()(getProviderCase, { params: { case: opened.number } })).body)
    expect(new Set(body.items.map(({ status }) => status))).toEqual(new Set(['finished-unsuccessfully']))
    expect((await call()(getProviderCase, { params: { case: 'S-0000' } })).status).toBe(404)
    expect((await report('S-0000', {})).status).toBe(404)
  })
})
