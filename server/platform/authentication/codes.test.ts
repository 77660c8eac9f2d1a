import { hash } from 'node:crypto'
import { expect, onTestFinished, test, vi } from 'vitest'
import { enterSignInCode, readSession, resendSignInCode, signIn } from '../../../contract/account.ts'
import { limits } from '../../../contract/limits.ts'
import { setPassword } from '../../../contract/password-link.ts'
import { requestPasswordReset } from '../../../contract/passwords.ts'
import { enterStepUpCode, resendStepUpCode, startStepUp } from '../../../contract/step-up.ts'
import { type TestBrowser, openBrowser } from '../../testing/browser.ts'
import { sendTogether, preparedCall } from '../../testing/burst.ts'
import { countRows, findAccountId } from '../../testing/database-state.ts'
import { openPortalWithProvider } from '../../testing/open-portal.ts'
import { now } from '../../testing/portal-nodes.ts'
import { addCustomer, signInDirectly } from '../../testing/samples/ready-customers.ts'
import { smsCode } from '../../testing/sent-messages.ts'
import { passPassword, signInAs, type Person, makeCustomer } from '../../testing/test-customers.ts'
import { single } from '../database/database.ts'
import { maskPhone } from '../messages/masks.ts'
import { textBySms, unsendableSms } from '../messages/sms-text.ts'
import { drawCode, spendCode } from './codes.ts'
import { findLink, makeLink, passwordPurposes, spendLink, voidLinks } from './links.ts'

const { portal, provider } = await openPortalWithProvider({ nodes: 2 })

const day = 86_400
const wrongCodes = (right: string, count: number) =>
  Array.from({ length: count }, (_, i) => String((Number(right) + 1 + i) % 1_000_000).padStart(6, '0'))

/** Counts the wrong entries of a person that were judged, according to the audit trail. */
const judgedWrong = async (person: Person) => {
  const isJudged = `account_id = $1 and act in ('code-refused', 'code-limit-reached')`
  return countRows(portal, `audit where ${isJudged}`, await findAccountId(portal, person))
}
const textsTo = ({ phone }: Person) => portal.texts.filter(({ to }) => to === phone)

async function codesOf(person: Person, columns: string) {
  const accountId = await findAccountId(portal, person)
  return (await portal.owner.query(`select ${columns} from codes where account_id = $1`, [accountId])).rows
}

/** Creates a customer who has entered the password, with the code that was sent. */
async function makePending() {
  const person = await addCustomer(portal)
  const { browser } = await passPassword(portal, person)
  return { person, browser, right: smsCode(portal, person.phone) }
}

/** Begins a step-up for a new signature of the person; its code has been sent. */
async function beginStepUp(browser: TestBrowser, person: Person) {
  const { id: object } = await provider.give(person)
  const { body } = await browser.call(startStepUp, { body: { purpose: 'pair-app', object } })
  await portal.deliver()
  const params = { id: body.id }
  const enter = (code: string, node = 0) => browser.call(enterStepUpCode, { params, body: { code } }, node)
  return { body, params, code: smsCode(portal, person.phone), enter }
}

test('R23 codes are uniform over all six digits, leading zeros kept', () => {
  const draws = 200_000
  /** Returns chi-square over `cells` values of a part of the code, as a distance from the mean in standard deviations. */
  const deviation = (part: (code: string) => number, cells: number) => {
    const counts = new Float64Array(cells)
    for (let i = 0; i < draws; i++) counts[part(drawCode())]!++
    const expected = draws / cells
    const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
    // Wilson and Hilferty: the cube root of chi-square over its freedom is nearly normal.
    const freedom = cells - 1
    return (Math.cbrt(chiSquare / freedom) - (1 - 2 / (9 * freedom))) / Math.sqrt(2 / (9 * freedom))
  }
  // Fair codes miss it once in a million runs.
  expect(Math.abs(deviation((code) => Number(code.slice(0, 3)), 1000))).toBeLessThan(4.9)
  expect(Math.abs(deviation((code) => Number(code.slice(3)), 1000))).toBeLessThan(4.9)
  for (let i = 0; i < 1000; i++) expect(drawCode()).toMatch(/^\d{6}$/)
})

test('R23 codes do not come from Math.random', () => {
  const seeded = vi.spyOn(Math, 'random').mockReturnValue(0.271828)
  onTestFinished(() => seeded.mockRestore())
  expect(new Set(Array.from({ length: 20 }, drawCode)).size).toBeGreaterThan(1)
  expect(seeded).not.toHaveBeenCalled()
})

test('R21 five entries of a code are judged, exactly, however many come at once on both nodes', async () => {
  for (let round = 0; round < 2; round++) {
    const { person, browser, right } = await makePending()
    const shots = wrongCodes(right, 40).map((code) =>
      preparedCall(enterSignInCode, { body: { code } }, { cookie: browser.cookie }),
    )
    const hits = await sendTogether(portal, shots)
    expect(await judgedWrong(person)).toBe(5)
    expect(hits.filter(({ problem }) => problem.code === 'code-wrong')).toHaveLength(4)
    expect(await codesOf(person, 'entries')).toEqual([{ entries: 5 }])
    expect((await browser.call(enterSignInCode, { body: { code: right } })).problem.code).toBe('code-void')
    expect((await browser.call(resendSignInCode)).problem.code).toBe('code-void')
  }
})

test('R22 a code is used up by one operation only, regardless of its other guards', async () => {
  const { person } = await makePending()
  const accountId = await findAccountId(portal, person)
  const { id } = single(await codesOf(person, 'id'))
  const use = (node: number) =>
    portal.nodes[node]!.db.transaction().execute((tx) =>
      spendCode(tx, portal.portal, { codeId: id, accountId, purpose: 'sign-in', object: '' }),
    )
  const uses = await Promise.all(Array.from({ length: 20 }, (_, i) => use(i % 2)))
  expect(uses.filter(Boolean)).toHaveLength(1)
})

test('R22 the database keeps nothing by which a million plain hashes find a code', async () => {
  const { person, right } = await makePending()
  const { id, code_mac: kept } = single(await codesOf(person, 'id, code_mac')) as { id: string; code_mac: Buffer }
  // With the other columns of the row, only the correct code could match.
  const guesses = [right, id + right, right + id, `${id}:${right}`, `${id.length}:${id}${right.length}:${right}`]
  for (const algorithm of ['sha256', 'sha3-256', 'blake2s256'])
    expect(guesses.map((guess) => hash(algorithm, guess))).not.toContain(kept.toString('hex'))
  expect(kept).toHaveLength(32)
})

test('R20 ten wrong entries in a day, over all operations, lock the purpose for a day, even for the right code', async () => {
  const person = await addCustomer(portal)
  const insider = await signInAs(portal, person)
  const operations: { browser: TestBrowser; right: string }[] = []
  for (let i = 0; i < 6; i++) {
    const { browser } = await passPassword(portal, person)
    operations.push({ browser, right: smsCode(portal, person.phone) })
  }
  const before = await judgedWrong(person)
  const shots = operations.flatMap(({ browser, right }) =>
    wrongCodes(right, 5).map((code) => preparedCall(enterSignInCode, { body: { code } }, { cookie: browser.cookie })),
  )
  await sendTogether(portal, shots)
  expect((await judgedWrong(person)) - before).toBe(10)
  for (const [i, { browser, right }] of operations.entries()) {
    const answer = await browser.call(enterSignInCode, { body: { code: right } }, i % 2)
    expect(answer.problem.code).toBe('too-many-attempts')
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(day - 60)
  }
  const rows = await portal.rows(
    'select sum(entries)::int as entries, count(used_at)::int as used from codes where account_id = $1 and session_id in (select id from sessions where stage = $2)',
    [await findAccountId(portal, person), 'pending'],
  )
  expect(rows).toEqual([{ entries: 10, used: 0 }])
  // No new code is sent for a locked purpose either, and none is paid for.
  const sent = textsTo(person).length
  const { answer } = await passPassword(portal, person)
  expect(answer).toMatchObject({ status: 429, problem: { code: 'too-many-attempts' } })
  expect(textsTo(person)).toHaveLength(sent)

  // Another purpose has a count of its own.
  const step = await beginStepUp(insider, person)
  expect((await step.enter(step.code)).status).toBe(200)

  await portal.clock.advance(day - 30)
  expect((await passPassword(portal, person)).answer.problem.code).toBe('too-many-attempts')
  await portal.clock.advance(31)
  const again = await signInAs(portal, person)
  expect((await again.call(readSession)).status).toBe(200)
})

test('R2 the correct code of one operation is a wrong entry in every other', async () => {
  const [anna, jan] = [await addCustomer(portal), await addCustomer(portal)]
  type Operation = {
    name: string
    code: string
    enter: (code: string) => Promise<{ status: number; problem: { code: string } }>
  }
  const operations: Operation[] = []
  for (const person of [anna, jan]) {
    const { browser: pending } = await passPassword(portal, person)
    operations.push({
      name: `sign-in of ${person.login}`,
      code: smsCode(portal, person.phone),
      enter: (code) => pending.call(enterSignInCode, { body: { code } }),
    })
    const insider = await signInAs(portal, person)
    for (let i = 0; i < 2; i++)
      operations.push({ name: `step-up ${i} of ${person.login}`, ...(await beginStepUp(insider, person)) })
  }
  expect(operations).toHaveLength(6)
  // Four codes of other operations in each: of the same person and of the other one.
  let wrong = 0
  for (const [i, operation] of operations.entries())
    for (const foreign of [1, 2, 3, 4].map((step) => operations[(i + step) % 6]!)) {
      expect((await operation.enter(foreign.code)).problem.code, operation.name).toBe('code-wrong')
      wrong++
    }
  expect((await judgedWrong(anna)) + (await judgedWrong(jan))).toBe(wrong)
  for (const { name, code, enter } of operations) expect((await enter(code)).status, name).toBe(200)
})

test('R2 the operation of another session is not there, and a code of the sign-in confirms nothing else', async () => {
  const [anna, jan] = [await addCustomer(portal), await addCustomer(portal)]
  const [owner, stranger] = [await signInAs(portal, anna), await signInAs(portal, jan)]
  const secondSession = await signInAs(portal, anna)
  const { params: own, code, enter } = await beginStepUp(owner, anna)
  const missing = { status: 404, problem: { code: 'not-found' } }
  for (const thief of [stranger, secondSession])
    for (const params of [own, { id: crypto.randomUUID() }]) {
      expect(await thief.call(enterStepUpCode, { params, body: { code } })).toMatchObject(missing)
      expect(await thief.call(resendStepUpCode, { params })).toMatchObject(missing)
    }
  const signIns = (await codesOf(anna, 'id, purpose')).filter(({ purpose }) => purpose === 'sign-in')
  for (const { id } of signIns)
    expect([404, 422]).toContain((await owner.call(enterStepUpCode, { params: { id }, body: { code } })).status)
  expect((await enter(code)).status).toBe(200)
})

test('R24 a code dies ten minutes after its operation began, by the database’s time, on every node', async () => {
  // In clock-skew.test.ts the clocks of nodes are wrong.
  const person = await addCustomer(portal)
  const start = await now(portal.db)
  const at = (seconds: number) => portal.clock.stopAt(new Date(start.getTime() + seconds * 1000))
  onTestFinished(() => portal.clock.advance(0))
  await at(0)
  const browser = await signInDirectly(portal, person)
  const steps = [await beginStepUp(browser, person), await beginStepUp(browser, person)]
  for (const { body } of steps)
    expect(new Date(body.expiresAt).getTime()).toBe(start.getTime() + limits.code.life * 1000)
  const judge = (type: (code: string) => string) =>
    Promise.all(steps.map(async ({ code, enter }, node) => (await enter(type(code), node)).problem.code))
  await at(limits.code.life - 1)
  expect(await judge((code) => wrongCodes(code, 1)[0]!)).toEqual(['code-wrong', 'code-wrong'])
  for (const late of [0, 1]) {
    await at(limits.code.life + late)
    expect(await judge((code) => code)).toEqual(['code-expired', 'code-expired'])
  }
})

test('R24 neither a resend nor a wrong entry prolongs a code, and the code before is void', async () => {
  const person = await addCustomer(portal)
  const browser = await signInAs(portal, person)
  const { body, params, code: first, enter } = await beginStepUp(browser, person)
  await portal.clock.advance(9 * 60)
  const second = await browser.call(resendStepUpCode, { params })
  await portal.deliver()
  expect(second.body.expiresAt).toBe(body.expiresAt)
  const newest = smsCode(portal, person.phone)
  if (first !== newest) expect((await enter(first)).problem.code).toBe('code-wrong')
  await portal.clock.advance(61)
  expect((await enter(newest)).problem.code).toBe('code-expired')
  expect((await browser.call(resendStepUpCode, { params })).problem.code).toBe('code-expired')
})

test('R25 a burst of resends sends once, and an operation three times in all, before a pause', async () => {
  const { person, browser } = await makePending()
  const shots = Array.from({ length: 30 }, () => preparedCall(resendSignInCode, {}, { cookie: browser.cookie }))
  const burst = () => sendTogether(portal, shots)
  expect((await burst()).every(({ problem }) => problem.code === 'resend-too-early')).toBe(true)
  for (const total of [2, 3]) {
    await portal.clock.advance(limits.code.resendAfter)
    const hits = await burst()
    await portal.deliver()
    expect(hits.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(textsTo(person)).toHaveLength(total)
    for (const { status, headers } of hits)
      if (status === 429) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  }
  await portal.clock.advance(limits.code.resendAfter)
  expect((await burst()).every(({ problem }) => problem.code === 'sends-spent')).toBe(true)
  // A new sign-in is another operation, but not a way around the pause.
  expect((await passPassword(portal, person)).answer).toMatchObject({ status: 429, problem: { code: 'sends-spent' } })
  expect(textsTo(person)).toHaveLength(3)
  await portal.clock.advance(limits.code.pauseAfterSends)
  expect((await passPassword(portal, person)).answer.status).toBe(200)
})

test('R25 R115 one number gets ten SMS a day of its account, and another account takes none of them', async () => {
  const phone = '+48600700800'
  const [person, neighbour] = [await addCustomer(portal, { phone }), await addCustomer(portal, { phone })]
  const { login, password } = person
  const asked = 25
  const shots = Array.from({ length: asked }, (_, i) =>
    preparedCall(signIn, { body: { login, password, botProof: crypto.randomUUID() } }, { address: `203.0.113.${i}` }),
  )
  const hits = await sendTogether(portal, shots)
  await portal.deliver()
  expect(portal.texts.filter(({ to }) => to === phone)).toHaveLength(10)
  expect(hits.filter(({ status }) => status === 200)).toHaveLength(10)
  expect(hits.filter(({ problem }) => problem?.code === 'sends-spent')).toHaveLength(asked - 10)
  // A refused send leaves nothing behind: no session, no code.
  expect(await countRows(portal, 'sessions where account_id = $1', await findAccountId(portal, person))).toBe(10)
  expect((await passPassword(portal, neighbour)).answer.status).toBe(200)
  await portal.clock.advance(day)
  expect((await passPassword(portal, person)).answer.status).toBe(200)
})

test('R3 AUT-2 the answer shows the number masked and never the code', async () => {
  expect(maskPhone('+48501502503')).toBe('+48 ••• ••• 503')
  expect(maskPhone('+380501234567')).toBe('+380 ••• ••• 567')
  expect(maskPhone('+12125550123')).toBe('+1 ••• ••• 123')
  const person = await addCustomer(portal)
  const { answer } = await passPassword(portal, person)
  const text = JSON.stringify(answer.body)
  expect(text).not.toContain(smsCode(portal, person.phone))
  expect(text).not.toContain(person.phone.slice(3, -3))
  expect(answer.body.to).toBe(maskPhone(person.phone))
})

const gsm7 = /^[\n\r A-Za-z0-9@£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ!"#¤%&'()*+,./:;<=>?¡ÄÖÑÜ§¿äöñüà-]*$/

test('R75 an SMS has the same text for every name: one part, no diacritics, the origin and code in its last line', async () => {
  const hostile = ['http://evil.example/login', "'; drop table codes; --"]
  for (const locale of ['pl', 'en'] as const) {
    const texts: string[] = []
    for (const firstName of ['Zażółć Gęślą', '😀'.repeat(100), 'x'.repeat(100), ...hostile]) {
      const person = await addCustomer(portal, { firstName, surname: firstName, secondName: firstName, locale })
      await passPassword(portal, person)
      const { text } = textsTo(person)[0]!
      texts.push(text.replaceAll(smsCode(portal, person.phone), '######'))
      expect(text).toMatch(gsm7)
      expect(text.length).toBeLessThanOrEqual(160)
    }
    expect(new Set(texts).size).toBe(1)
    expect(texts[0]).toMatch(/\n@portal\.example #######$/)
  }
})

test('R75 Polish letters of the provider’s name cost no part of an SMS', () => {
  // configuration.test.ts has the names that the start refuses.
  const { brand, publicUrl } = portal.portal.settings
  const named = { brand: { ...brand, product: 'Zażółć „Łódź” –' }, publicUrl }
  expect(unsendableSms(named)).toBeUndefined()
  const text = (ordinal: number) => textBySms(named, 'pl', { purpose: 'do zalogowania sie', code: '000000', ordinal })
  expect(text(1)).toMatch(/^Zazolc .{0,4}Lodz.{0,4}: kod do zalogowania sie: /)
  expect(text(2)).toContain(': kod nr 2 do zalogowania sie: ')
})

const makeAccount = async () => findAccountId(portal, await makeCustomer(portal))
const make = (accountId: string, node = 0) =>
  portal.nodes[node]!.db.transaction().execute((tx) => makeLink(tx, accountId, 'reset'))
const states = (tokens: string[]) =>
  Promise.all(tokens.map(async (token) => (await findLink(portal.db, token, passwordPurposes))?.state))

test('R10 a link’s token is 256 random bits, and the database holds its hash only', async () => {
  const id = await makeAccount()
  const tokens: string[] = []
  for (let i = 0; i < 20; i++) tokens.push((await make(id)).token)
  expect(new Set(tokens).size).toBe(20)
  for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(32)
  const { rows } = await portal.owner.query('select * from links where account_id = $1', [id])
  const stored = rows
    .flatMap((row: Record<string, unknown>) => Object.values(row))
    .map((value) => (Buffer.isBuffer(value) ? value : Buffer.from(String(value))))
  const spellings = new Set(
    stored.flatMap((value) =>
      (['latin1', 'hex', 'base64', 'base64url'] as const).map((encoding) => value.toString(encoding)),
    ),
  )
  for (const token of tokens) expect([...spellings].filter((spelling) => spelling.includes(token))).toEqual([])
  // Nor does anything that is stored open as a link.
  expect(new Set(await states([...spellings]))).toEqual(new Set([undefined]))
})

test('R11 an invitation’s newest link is the only valid one, also of many created at once on both nodes', async () => {
  const id = await makeAccount()
  for (let round = 0; round < 2; round++) {
    const made = await Promise.all(Array.from({ length: 8 }, (_, i) => make(id, i % 2)))
    const good = (await states(made.map(({ token }) => token))).filter((state) => state === 'good')
    expect(good).toHaveLength(1)
  }
  expect(await countRows(portal, 'links where account_id = $1 and used_at is null and voided_at is null', id)).toBe(1)
})

test('R11 R119 reset requests that are answered together leave links that all work, until one is used', async () => {
  const person = await makeCustomer(portal)
  for (let i = 0; i < 3; i++)
    await openBrowser(portal, { address: `192.0.2.${i}` }).call(requestPasswordReset, {
      body: { email: person.email, locale: 'pl', botProof: crypto.randomUUID() },
    })
  await portal.deliver()
  const tokens = portal.mails.flatMap(({ to, text }) =>
    to === person.email ? (/setup-password\/([\w-]{43})/.exec(text)?.[1] ?? []) : [],
  )
  expect(tokens).toHaveLength(4)
  expect((await states(tokens)).map(String).toSorted()).toEqual(['good', 'good', 'good', 'used'])
  const password = { newPassword: 'Nowe-Haslo-2027?', repeatPassword: 'Nowe-Haslo-2027?' }
  expect((await openBrowser(portal).call(setPassword, { body: { token: tokens[1]!, password } })).status).toBe(204)
  expect((await states(tokens)).filter((state) => state === 'good')).toEqual([])
})

test('R10 of twenty uses of a link at once one succeeds, and a link that is undone can be used again', async () => {
  const id = await makeAccount()
  const { token } = await make(id)
  const undone = portal.db.transaction().execute(async (tx) => {
    expect(await spendLink(tx, token, passwordPurposes)).toMatchObject({ accountId: id })
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  const uses = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      portal.nodes[i % 2]!.db.transaction().execute((tx) => spendLink(tx, token, passwordPurposes)),
    ),
  )
  expect(uses.filter(Boolean)).toEqual([{ accountId: id, purpose: 'reset' }])
})

test('R11 voiding touches the links of one account only', async () => {
  const [anna, jan] = [await makeAccount(), await makeAccount()]
  const [annas, jans] = [await make(anna), await make(jan)]
  await portal.db.transaction().execute((tx) => voidLinks(tx, [anna]))
  expect(await states([annas.token, jans.token])).toEqual(['expired', 'good'])
})
