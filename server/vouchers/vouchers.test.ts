import { describe, expect, test } from 'vitest'
import { signOut } from '../../contract/account.ts'
import { caseStatusVariants } from '../../contract/case-status.ts'
import * as api from '../../contract/provider/provider-vouchers.ts'
import { SealProduct } from '../../contract/seals.ts'
import { SignatureProduct } from '../../contract/signatures.ts'
import {
  listVoucherCases,
  readVoucherLimit,
  redeemVoucher,
  VoucherProcess,
  type CaseStatus,
} from '../../contract/vouchers.ts'
import { readAuditedActions } from '../testing/audit-entries.ts'
import { openBrowser, type TestBrowser } from '../testing/browser.ts'
import { manySends, openPortalWithProvider } from '../testing/open-portal.ts'
import { now } from '../testing/portal-nodes.ts'
import { addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import {
  giveRenewalCode,
  addVoucher,
  openVoucherCase,
  sampleVoucher,
  wrongCode,
} from '../testing/samples/sample-vouchers.ts'
import { makeCustomer, signInAs } from '../testing/test-customers.ts'

const { portal, provider } = await openPortalWithProvider({ nodes: 2, settings: manySends })

let addresses = 0
/** Opens a browser with an address of its own, so that the limit of an address does not interfere. */
const newBrowser = () => openBrowser(portal, { address: `10.0.0.${++addresses}` })

async function makeSignedIn() {
  const person = await makeCustomer(portal)
  return { person, browser: await signInAs(portal, person, newBrowser()) }
}
const redeem = (browser: TestBrowser, code: string, node = 0) => browser.call(redeemVoucher, { body: { code } }, node)
const casesOf = async (browser: TestBrowser) => (await browser.call(listVoucherCases)).body.items

describe('VCH-1 VCH-3 redeeming', () => {
  test('VCH-1 VCH-3 VCH-4 a voucher, however it is spelled, opens one case of its process, in the list and by e-mail', async () => {
    const { person, browser } = await makeSignedIn()
    for (const process of VoucherProcess.options) {
      const { code, id } = await addVoucher(portal, { process })
      const spelled = ` ${code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')}\u00a0`
      const { body } = await redeem(browser, spelled)
      const fresh = { code, process, status: 'in-progress', providerStatus: null }
      expect(body).toMatchObject({ kind: 'voucher', case: fresh })
      if (body.kind !== 'voucher') return
      const { number } = body.case
      expect((await casesOf(browser))[0]).toEqual(body.case)
      await portal.deliver()
      const mail = portal.mails.find(({ to }) => to === person.email)!
      expect([mail.subject, mail.text]).toEqual([expect.stringContaining(number), expect.stringContaining('/my-cases')])
      const { body: known } = await openBrowser(portal).call(api.getVoucherCode, { params: { code: id } })
      expect(known).toMatchObject({ code, status: 'used', case: number })
      const { body: opened } = await openBrowser(portal).call(api.getProviderCase, { params: { case: number } })
      expect(opened).toMatchObject({ customer: person.id, email: person.email, code: id, process, at: null })
    }
    expect(await casesOf(browser)).toHaveLength(VoucherProcess.options.length)
  })

  test('R30 R52 the customer who redeemed a voucher gets the same case again, and nothing is counted or opened', async () => {
    const { browser } = await makeSignedIn()
    const { voucher, opened } = await openVoucherCase(portal, browser)
    for (const node of [0, 1, 0, 1, 0, 1])
      expect((await redeem(browser, voucher.code, node)).body).toEqual({ kind: 'voucher', case: opened })
    expect(await casesOf(browser)).toEqual([opened])
  })

  test('VCH-1 R30 unknown, used, expired and foreign codes are refused in the same way', async () => {
    const { person: owner, browser: ownerBrowser } = await makeSignedIn()
    const { providerId } = await provider.give(owner)
    const used = await openVoucherCase(portal, ownerBrowser)
    const expired = await addVoucher(portal, { expiresAt: (await now(portal.db)).toISOString() })
    const foreign = await addVoucher(portal, { customer: owner.id })
    const renewal = await giveRenewalCode(portal, providerId)
    const answers: unknown[] = []
    for (const code of [wrongCode, used.voucher.code, expired.code, foreign.code, renewal.code]) {
      const { browser } = await makeSignedIn()
      const { status, problem, headers } = await redeem(browser, code)
      answers.push([status, problem, headers.get('content-length')])
      expect(await casesOf(browser)).toEqual([])
    }
    expect(answers[0]).toMatchObject([422, { code: 'voucher-refused' }, expect.any(String)])
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    // The refused codes still work for their owner (R31).
    expect((await redeem(ownerBrowser, foreign.code)).status).toBe(200)
    expect((await redeem(ownerBrowser, renewal.code)).body).toEqual({ kind: 'renewal' })
  })

  test('VCH-1 R31 a renewal code is recognised for its owner, stays unused, and does not count as a wrong code', async () => {
    const { person, browser } = await makeSignedIn()
    const { providerId } = await provider.give(person)
    const { code, id } = await giveRenewalCode(portal, providerId)
    for (let i = 0; i < 6; i++) expect((await redeem(browser, code, i % 2)).body).toEqual({ kind: 'renewal' })
    const { body } = await openBrowser(portal).call(api.getVoucherCode, { params: { code: id } })
    expect(body).toMatchObject({ status: 'unused', customer: person.id, signature: providerId, case: null })
    expect(await casesOf(browser)).toEqual([])
  })

  test('VCH-3 R30 two dozen redemptions of one code by two customers on two nodes open one case', async () => {
    const [first, second] = [await makeSignedIn(), await makeSignedIn()]
    const { code, id } = await addVoucher(portal)
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, i) => redeem((i % 2 ? first : second).browser, code, Math.floor(i / 2) % 2)),
    )
    const opened = [await casesOf(first.browser), await casesOf(second.browser)]
    expect(opened.flat()).toHaveLength(1)
    const loser = opened[0]!.length ? 0 : 1
    // Five entries are refused as an unknown code is, all later ones by the limit.
    const refusals = answers.filter((_, i) => i % 2 === loser).map(({ status, problem }) => [status, problem.code])
    for (const refused of refusals)
      expect(['422 voucher-refused', '429 too-many-attempts']).toContain(refused.join(' '))
    expect((await openBrowser(portal).call(api.getVoucherCode, { params: { code: id } })).body.status).toBe('used')
  })
})

describe('VCH-2 the limit', () => {
  test('VCH-2 R30 the fifth wrong code in a day blocks for 24 h to the second, on every session and node', async () => {
    const person = await makeCustomer(portal)
    const { code } = await addVoucher(portal)
    await portal.clock.stopAt(new Date('2027-03-01T10:00:00.000Z'))
    const fresh = await signInAs(portal, person, newBrowser())
    const refusals: unknown[] = []
    // A minute apart: the block runs from the last, not from the first.
    for (let i = 0; i < 5; i++) {
      await portal.clock.stopAt(new Date(Date.UTC(2027, 2, 1, 10, i)))
      const { problem } = await redeem(fresh, wrongCode, i % 2)
      refusals.push([problem.code, problem.retryAfter])
    }
    expect(refusals).toEqual([
      ...Array.from({ length: 4 }, () => ['voucher-refused', undefined]),
      ['too-many-attempts', 86_400],
    ])
    const { body } = await fresh.call(readVoucherLimit, {}, 1)
    expect(body).toEqual({ blockedUntil: '2027-03-02T10:04:00.000Z' })
    await fresh.call(signOut)
    await portal.clock.stopAt(new Date('2027-03-02T10:03:59.000Z'))
    const again = await signInAs(portal, person, newBrowser())
    for (const node of [0, 1])
      expect((await redeem(again, code, node)).problem).toMatchObject({ code: 'too-many-attempts', retryAfter: 1 })
    await portal.clock.stopAt(new Date('2027-03-02T10:04:00.000Z'))
    expect((await again.call(readVoucherLimit)).body).toEqual({ blockedUntil: null })
    expect((await redeem(again, code)).body).toMatchObject({ kind: 'voucher' })
    expect(await readAuditedActions(portal, {})).toContain('voucher-limit-reached')
    await portal.clock.advance(0)
  })

  test('R30 a correct code between wrong ones does not count, and the wrong ones stay counted', async () => {
    const { browser } = await makeSignedIn()
    const [first, second] = [await addVoucher(portal), await addVoucher(portal)]
    for (let i = 0; i < 4; i++) await redeem(browser, wrongCode)
    expect((await redeem(browser, first.code)).status).toBe(200)
    expect((await redeem(browser, second.code)).status).toBe(200)
    expect((await redeem(browser, wrongCode)).problem.code).toBe('too-many-attempts')
  })

  test('R30 at most twenty wrong codes an hour are accepted from one address, whichever customers enter them', async () => {
    const { code } = await addVoucher(portal)
    const signInFrom = async (address: string) =>
      signInAs(portal, await makeCustomer(portal), openBrowser(portal, { address }))
    const counted: string[] = []
    for (let person = 0; person < 5; person++) {
      const browser = await signInFrom('192.0.2.1')
      for (let i = 0; i < 4; i++) counted.push((await redeem(browser, wrongCode)).problem.code)
    }
    expect(counted).toEqual([...Array.from({ length: 19 }, () => 'voucher-refused'), 'too-many-attempts'])
    expect((await redeem(await signInFrom('192.0.2.1'), code, 1)).problem.code).toBe('too-many-attempts')
    expect((await redeem(await signInFrom('192.0.2.2'), code)).status).toBe(200)
  })

  test('VCH-1 a malformed code is reported at its field and does not count', async () => {
    const { browser } = await makeSignedIn()
    const problems: unknown[] = []
    for (const code of ['', ' - ', 'ABC', `${wrongCode}-0`, 'UUUU-0000-0000-0000', 'ĄĄĄĄ-0000-0000-0000'])
      for (let i = 0; i < 2; i++) problems.push((await redeem(browser, code)).problem.fields)
    expect(problems).toEqual([
      ...Array.from({ length: 4 }, () => [{ name: 'code', problem: 'required' }]),
      ...Array.from({ length: 8 }, () => [{ name: 'code', problem: 'access-code-format' }]),
    ])
    expect((await browser.call(readVoucherLimit)).body).toEqual({ blockedUntil: null })
  })
})

test('R30 R83 codes are 80 bits, all different, and are stored only as a keyed hash and encrypted', async () => {
  const codes = Array.from({ length: 200 }, () => sampleVoucher())
  const { body } = await openBrowser(portal).call(api.putVoucherCodes, { body: { codes } })
  const drawn = body.codes.map(({ code }) => code)
  expect(new Set(drawn).size).toBe(200)
  for (const code of drawn) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/)
  const { rows } = await portal.owner.query<{ row: string }>('select v::text as row from voucher_codes v')
  const stored = rows.map(({ row }) => row).join('\n')
  const hex = (text: string) => Buffer.from(text).toString('hex')
  for (const code of drawn)
    for (const trace of [code, hex(code), hex(code.replaceAll('-', ''))]) expect(stored).not.toContain(trace)
})

describe('VCH-4 the list', () => {
  test('VCH-4 VCH-5 cases are listed by pages, those in progress first, to their owner', async () => {
    const [{ browser }, { browser: stranger }] = [await makeSignedIn(), await makeSignedIn()]
    const numbers: string[] = []
    for (let i = 0; i < 22; i++) numbers.unshift((await openVoucherCase(portal, browser)).opened.number)
    const pages = async () => {
      const first = (await browser.call(listVoucherCases)).body
      const second = (await browser.call(listVoucherCases, { query: { cursor: first.next! } })).body
      expect([first.items.length, second.next]).toEqual([20, null])
      const foreign = await stranger.call(listVoucherCases, { query: { cursor: first.next! } })
      expect(foreign.problem.code).toBe('cursor-refused')
      return [...first.items, ...second.items].map(({ number }) => number)
    }
    expect(await pages()).toEqual(numbers)
    const finished = { query: { status: 'finished-successfully' } } as const
    expect((await browser.call(listVoucherCases, finished)).body.items).toEqual([])
    expect(await casesOf(stranger)).toEqual([])
    const ended = numbers.filter((_, i) => i % 3 === 0)
    for (const number of ended) {
      const body = { status: 'Zakończona pomyślnie', at: '2026-11-21T12:00:00.000Z', note: null }
      expect((await openBrowser(portal).call(api.putCaseStatus, { params: { case: number }, body })).status).toBe(200)
    }
    expect(await pages()).toEqual([...numbers.filter((number) => !ended.includes(number)), ...ended])
  })

  test('VCH-5 cases are found by name in both languages, by number, and by the whole voucher code in any spelling', async () => {
    const { browser } = await makeSignedIn()
    const seal = await openVoucherCase(portal, browser, { process: 'psd2-seal' })
    const card = await openVoucherCase(portal, browser, { process: 'card-certificate' })
    const { browser: stranger } = await makeSignedIn()
    await openVoucherCase(portal, stranger, { process: 'psd2-seal' })
    const found = async (search: string, status?: 'finished-successfully') => {
      const { body } = await browser.call(listVoucherCases, { query: { search, ...(status && { status }) } })
      return body.items.map(({ id }) => id)
    }
    expect(await found(' pieczec psd2 NA karcie ')).toEqual([seal.opened.id])
    // The name has a no-break space, which nobody types.
    expect(await found('wniosek o certyfikat')).toEqual([card.opened.id])
    expect(await found('card certificate')).toEqual([card.opened.id])
    expect(await found('na karcie')).toEqual([card.opened.id, seal.opened.id])
    expect(await found(seal.opened.number.toLowerCase())).toEqual([seal.opened.id])
    const { code } = card.voucher
    expect(await found(code)).toEqual([card.opened.id])
    expect(await found(code.toLowerCase().replaceAll('-', ' '))).toEqual([card.opened.id])
    expect(await found(code.slice(0, 9))).toEqual([])
    expect(await found('karcie', 'finished-successfully')).toEqual([])
    expect((await stranger.call(listVoucherCases, { query: { search: code } })).body.items).toEqual([])
  })
})

const person = await addCustomer(portal)
const browser = await signInDirectly(portal, person)
const call = () => openBrowser(portal).call
const put = (codes: api.CodeOrder[], node = 0) => call()(api.putVoucherCodes, { body: { codes } }, node)
const report = (number: string, fields: Partial<api.CaseReport>, node = 0) => {
  const body = { status: 'W toku', at: '2026-11-21T12:00:00.000Z', note: null, ...fields }
  return call()(api.putCaseStatus, { params: { case: number }, body }, node)
}
const shown = async (number: string) =>
  (await browser.call(listVoucherCases, { query: { size: '100' } })).body.items.find((item) => item.number === number)!
const mailsAbout = async (number: string) => {
  await portal.deliver()
  return portal.mails.filter(({ subject }) => subject.includes(number)).map(({ subject, text }) => ({ subject, text }))
}

describe('OPS-4 codes', () => {
  test('OPS-4 VCH-1 codes are created in bulk for anybody, a customer or a certificate', async () => {
    const { providerId: signature } = await provider.give(person)
    const expiresAt = '2036-01-01T00:00:00.000Z'
    const orders: api.CodeOrder[] = [
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
    expect((await call()(api.getVoucherCode, { params: { code: orders[2]!.id } })).body).toEqual(body.codes[2])
    expect((await call()(api.getVoucherCode, { params: { code: orders[4]!.id } })).status).toBe(404)
  })

  test('VCH-3 a voucher can be for each product of certificates and seals, and for timestamps', () => {
    const ofSeal = { app: 'cloud-seal', card: 'card-seal', 'psd2-card': 'psd2-seal', file: 'file-seal' } as const
    expect(VoucherProcess.options).toEqual([
      ...SignatureProduct.options.map((kind) => `${kind === 'app' ? 'cloud' : kind}-certificate`),
      ...SealProduct.options.map((kind) => ofSeal[kind]),
      'timestamps',
    ])
  })

  test('OPS-4 R55 a call repeated in any order and on both nodes at once creates no second code', async () => {
    const codes = Array.from({ length: 20 }, () => sampleVoucher())
    const repeat = (_: unknown, i: number) => put(i % 2 ? codes : codes.toReversed(), i % 2)
    const answers = await Promise.all(Array.from({ length: 12 }, repeat))
    const known = answers.map(({ body }) => body.codes.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    for (const codesOfAnswer of known) expect(codesOfAnswer).toEqual(known[0])
    expect(new Set(known[0]!.map(({ code }) => code)).size).toBe(20)
  })

  test('OPS-4 an existing code keeps its purpose and gets its new end, which can stop it', async () => {
    const order = sampleVoucher({ process: 'cloud-seal' })
    const [first] = (await put([order])).body.codes
    const expiresAt = '2026-01-01T00:00:00.000Z'
    const later = { ...order, process: 'card-seal', expiresAt } as api.CodeOrder
    expect((await put([later])).body.codes).toEqual([{ ...first, expiresAt, status: 'expired' }])
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
    portal.alarms.splice(0)
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

  test('VCH-4 an unknown word shows as in progress, and raises one alarm that names no person', async () => {
    portal.alarms.splice(0)
    const { opened } = await openVoucherCase(portal, browser)
    const inProgress = { status: 'in-progress', providerStatus: 'Zakończona' }
    for (const minute of [1, 2]) {
      const at = `2026-11-21T12:0${minute}:00.000Z`
      const { body } = await report(opened.number, { status: 'Zakończona', at })
      expect(body).toMatchObject({ ...inProgress, known: false })
    }
    expect(await shown(opened.number)).toMatchObject(inProgress)
    const { body } = await call()(api.listProviderCases, { query: { known: 'false' } })
    expect(body.items.map((item) => item.case)).toEqual([opened.number])
    await expect.poll(() => portal.alarms).toEqual([{ name: 'case-status-unknown', about: 'test' }])
    await report(opened.number, { status: 'Zrealizowana', at: '2026-11-21T12:03:00.000Z' })
    expect((await call()(api.listProviderCases, { query: { known: 'false' } })).body.items).toEqual([])
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
    const end = { status: 'finished-successfully', providerStatus: 'Zakończona pomyślnie', note }
    expect(await shown(number)).toMatchObject(end)
    const mails = await mailsAbout(number)
    const ofEnd = mails.filter(({ subject }) => subject.includes('jest zakończona'))
    expect([mails.length, ofEnd.length]).toEqual([2, 1])
    expect(ofEnd[0]!.text).toContain(note.pl)
    expect((await call()(api.getProviderCase, { params: { case: number } })).body.at).toBe('2026-11-21T14:00:00.000Z')
  })

  test('OPS-4 VCH-4 an unsuccessful end has a mail, and cases are listed by status on request', async () => {
    const english = await signInDirectly(portal, await addCustomer(portal, { locale: 'en' }))
    const { opened } = await openVoucherCase(portal, english)
    await report(opened.number, { status: 'Odmowa wydania' })
    // Its mail says what to do, in the language of the customer.
    const mail = (await mailsAbout(opened.number)).find(({ subject }) => subject.includes('was unsuccessful'))
    expect(mail!.text).toContain('give the case number')
    const { body } = await call()(api.listProviderCases, { query: { status: 'finished-unsuccessfully' } })
    expect(body.items).toContainEqual((await call()(api.getProviderCase, { params: { case: opened.number } })).body)
    expect(new Set(body.items.map(({ status }) => status))).toEqual(new Set(['finished-unsuccessfully']))
    expect((await call()(api.getProviderCase, { params: { case: 'S-0000' } })).status).toBe(404)
    expect((await report('S-0000', {})).status).toBe(404)
  })
})
