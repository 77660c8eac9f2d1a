import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { caseStatusVariants } from '../../contract/case-status.ts'
import {
  getProviderCase,
  getVoucherCode,
  listProviderCases,
  putCaseStatus,
  putVoucherCodes,
  type CaseReport,
  type CodeOrder,
} from '../../contract/provider-vouchers.ts'
import { listVoucherCases, redeemVoucher, type CaseStatus } from '../../contract/vouchers.ts'
import { openPortal } from '../testing/open-portal.ts'
import { openBrowser, type Person, type TestBrowser } from '../testing/browser.ts'
import { addCustomer, letIn } from '../testing/ready-customers.ts'
import { openTestProvider, type TestProvider } from '../testing/provider.ts'
import { openVoucherCase, sampleVoucher } from '../testing/sample-vouchers.ts'

let provider: TestProvider
let person: Person
let browser: TestBrowser
const portal = await openPortal({ nodes: 2 })
beforeAll(async () => {
  provider = await openTestProvider(portal)
  person = await addCustomer(portal)
  browser = await letIn(portal, person)
})
afterAll(async () => {
  provider.close()
})

const call = () => openBrowser(portal).call
const put = (codes: CodeOrder[], node = 0) => call()(putVoucherCodes, { body: { codes } }, node)
const say = (number: string, report: Partial<CaseReport>, node = 0) =>
  call()(
    putCaseStatus,
    { params: { case: number }, body: { status: 'W toku', at: '2026-11-21T12:00:00.000Z', note: null, ...report } },
    node,
  )
const shown = async (number: string) =>
  (await browser.call(listVoucherCases, { query: { size: '100' } })).body.items.find((one) => one.number === number)!
const mailsAbout = async (number: string) => {
  await portal.deliver()
  return portal.mails.filter(({ subject }) => subject.includes(number)).map(({ subject, text }) => ({ subject, text }))
}

describe('OPS-4 codes', () => {
  test('OPS-4 VCH-1 codes are made in bulk for anybody, for a customer and for a certificate; what is unknown is named', async () => {
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

  test('OPS-4 R55 repeated in any order and on both nodes at once, a call makes no second code', async () => {
    const codes = Array.from({ length: 20 }, () => sampleVoucher())
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => put(i % 2 ? codes : codes.toReversed(), i % 2)),
    )
    const known = answers.map(({ body }) => body.codes.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    for (const one of known) expect(one).toEqual(known[0])
    expect(new Set(known[0]!.map(({ code }) => code)).size).toBe(20)
  })

  test('OPS-4 a known code keeps what it is for and gets its new end, by which it can be stopped', async () => {
    const order = sampleVoucher({ process: 'cloud-seal' })
    const [first] = (await put([order])).body.codes
    const later = { ...order, process: 'card-seal', expiresAt: '2026-01-01T00:00:00.000Z' } as CodeOrder
    expect((await put([later])).body.codes).toEqual([
      { ...first, expiresAt: '2026-01-01T00:00:00.000Z', status: 'expired' },
    ])
    expect((await browser.call(redeemVoucher, { body: { code: first!.code } })).problem.code).toBe('voucher-refused')
  })

  test('R70 more codes than a call may have, the same id twice and none are refused', async () => {
    const many = Array.from({ length: 201 }, () => sampleVoucher())
    const one = sampleVoucher()
    for (const codes of [many, [one, one], []]) expect((await put(codes)).status).toBe(400)
  })
})

describe('VCH-4 states of cases', () => {
  test('VCH-4 every word of the table becomes the status that it stands for, whatever its spelling', async () => {
    const { opened } = await openVoucherCase(portal, browser)
    let minute = 0
    const spellings = (word: string) => [word, word.toUpperCase().replaceAll(' ', '_'), ` ${word.toLowerCase()}.`]
    for (const status of Object.keys(caseStatusVariants) as CaseStatus[])
      for (const word of caseStatusVariants[status].slice(0, 6).flatMap(spellings)) {
        const at = new Date(Date.UTC(2026, 10, 21, 12, ++minute)).toISOString()
        const { body } = await say(opened.number, { status: word, at }, minute % 2)
        expect([word, body.status, body.known]).toEqual([word, status, true])
      }
    expect(portal.alarms).toEqual([])
  })

  test('VCH-4 the table has no word twice, however it is spelled', () => {
    const all = Object.values(caseStatusVariants).flat()
    const plain = all.map((word) => word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase())
    expect(new Set(plain).size).toBe(all.length)
  })

  test('VCH-4 an unknown word shows as in progress with the word beside it, and raises one alarm that names no person', async () => {
    const { opened } = await openVoucherCase(portal, browser)
    for (const minute of [1, 2]) {
      const at = `2026-11-21T12:0${minute}:00.000Z`
      expect((await say(opened.number, { status: 'Zakończona', at })).body).toMatchObject({
        status: 'in-progress',
        known: false,
        providerStatus: 'Zakończona',
      })
    }
    expect(await shown(opened.number)).toMatchObject({ status: 'in-progress', providerStatus: 'Zakończona' })
    const { body } = await call()(listProviderCases, { query: { known: 'false' } })
    expect(body.items.map((one) => one.case)).toEqual([opened.number])
    await expect.poll(() => portal.alarms).toEqual([{ name: 'case-status-unknown', about: 'test' }])
    await say(opened.number, { status: 'Zrealizowana', at: '2026-11-21T12:03:00.000Z' })
    expect((await call()(listProviderCases, { query: { known: 'false' } })).body.items).toEqual([])
  })

  test('VCH-4 R55 the latest word stands in whatever order words come, and its mail goes once', async () => {
    const { opened } = await openVoucherCase(portal, browser)
    const { number } = opened
    const note = { pl: 'Certyfikat czeka w\u00a0aplikacji.', en: 'The certificate is in the app.' }
    const reports = [
      { status: 'W toku', at: '2026-11-21T12:00:00.000Z' },
      { status: 'W realizacji', at: '2026-11-21T13:00:00.000Z' },
      { status: 'Zakończona pomyślnie', at: '2026-11-21T14:00:00.000Z', note },
    ]
    const all = Array.from({ length: 4 }, () => reports.toReversed()).flat()
    for (const [i, report] of all.entries()) await say(number, report, i % 2)
    expect(await shown(number)).toMatchObject({
      status: 'finished-successfully',
      providerStatus: 'Zakończona pomyślnie',
      note,
    })
    const told = await mailsAbout(number)
    const end = told.filter(({ subject }) => subject.includes('zakończona pomyślnie'))
    expect([told.length, end.length]).toEqual([2, 1])
    expect(end[0]!.text).toContain(note.pl)
    expect((await call()(getProviderCase, { params: { case: number } })).body.at).toBe('2026-11-21T14:00:00.000Z')
  })

  test('VCH-4 an unsuccessful end is told with what to do, in the language of the customer', async () => {
    const english = await addCustomer(portal, { locale: 'en' })
    const { opened } = await openVoucherCase(portal, await letIn(portal, english))
    await say(opened.number, { status: 'Odmowa wydania' })
    const mail = (await mailsAbout(opened.number)).find(({ subject }) => subject.includes('finished unsuccessfully'))
    expect(mail!.text).toContain(`with the number of the case`)
  })

  test('OPS-4 cases are listed by pages, of one status where it is asked for', async () => {
    const { opened } = await openVoucherCase(portal, browser)
    await say(opened.number, { status: 'Anulowano' })
    const { body } = await call()(listProviderCases, { query: { status: 'finished-unsuccessfully' } })
    expect(body.items).toContainEqual((await call()(getProviderCase, { params: { case: opened.number } })).body)
    expect(new Set(body.items.map(({ status }) => status))).toEqual(new Set(['finished-unsuccessfully']))
    expect((await call()(getProviderCase, { params: { case: 'S-0000' } })).status).toBe(404)
    expect((await say('S-0000', {})).status).toBe(404)
  })
})
