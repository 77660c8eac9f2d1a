import { expect, test } from 'vitest'
import { enterSignInCode, readSession } from '../../contract/account.ts'
import { limits } from '../../contract/limits.ts'
import { maxSessions } from '../platform/authentication/session.ts'
import { exhaustive } from '../testing/breadth.ts'
import { manySends, openPortal } from '../testing/open-portal.ts'
import { openBrowser, passPassword, signInAs, smsCode, type Person, type TestBrowser } from '../testing/browser.ts'
import { addCustomer } from '../testing/samples/ready-customers.ts'
import { fireTogether, shotOf } from '../testing/burst.ts'
import { auditEntries, auditedActions } from '../testing/audit-entries.ts'
import { untilWaiting } from '../testing/lock-waits.ts'

const portal = await openPortal({ nodes: 2, settings: manySends })

const isAlive = async (browser: TestBrowser, node = 0) => (await browser.call(readSession, {}, node)).status === 200
async function live({ login }: Person, stage = 'signed-in') {
  const { rows } = await portal.owner.query(
    `select count(*)::int as n from sessions s join accounts a on a.id = s.account_id
      where a.login = $1 and stage = $2 and s.ends_at > portal_now()`,
    [login, stage],
  )
  return rows[0].n as number
}

/** So many sign-ins that wait for their code. */
async function pendings(person: Person, count: number) {
  const waiting: { cookie: string | undefined; code: string }[] = []
  for (let i = 0; i < count; i++) {
    const { browser } = await passPassword(portal, person, openBrowser(portal, { node: i % 2 }))
    waiting.push({ cookie: browser.cookie, code: smsCode(portal, person.phone) })
  }
  return waiting
}
const entry = ({ cookie, code }: { cookie: string | undefined; code: string }) =>
  shotOf(enterSignInCode, { body: { code } }, { cookie })

test('R19 with the sixth sign-in the oldest session ends, on both nodes, and neither is a failure', async () => {
  expect(maxSessions).toBe(5)
  const person = await addCustomer(portal)
  // Begun first and finished last: it counts from when it has full rights.
  const { browser: late } = await passPassword(portal, person, openBrowser(portal))
  const code = smsCode(portal, person.phone)
  const browsers: TestBrowser[] = []
  for (let i = 0; i < 7; i++) {
    const browser = await signInAs(portal, person, openBrowser(portal, { node: i % 2 }))
    expect(await isAlive(browser, 1)).toBe(true)
    browsers.push(browser)
  }
  for (const node of [0, 1])
    expect(await Promise.all(browsers.map((browser) => isAlive(browser, node)))).toEqual([
      false,
      false,
      ...Array.from({ length: 5 }, () => true),
    ])
  expect((await late.call(enterSignInCode, { body: { code } })).status).toBe(200)
  expect(await Promise.all([late, ...browsers].map((browser) => isAlive(browser)))).toEqual([
    true,
    false,
    false,
    false,
    ...Array.from({ length: 4 }, () => true),
  ])
  const actions = await auditedActions(portal, { login: person.login })
  expect(actions.filter((action) => /sign-in|code-refused|blocked/.test(action))).toEqual(
    Array.from({ length: 8 }, () => 'sign-in-finished'),
  )
})

test('R19 OPS-5 a session that the cap ended is audited, by its id and once; one that expired is not', async () => {
  const person = await addCustomer(portal)
  const idOf = async () => {
    const { rows } = await portal.owner.query(
      'select s.id from sessions s join accounts a on a.id = s.account_id where a.login = $1 order by started_at desc limit 1',
      [person.login],
    )
    return rows[0].id as string
  }
  const ids: string[] = []
  const ended = () => auditEntries(portal, { login: person.login, action: 'session-ended' })
  for (let i = 0; i < 5; i++) {
    await signInAs(portal, person, openBrowser(portal, { node: i % 2 }))
    ids.push(await idOf())
  }
  expect(await ended()).toEqual([])
  for (let i = 0; i < 2; i++) await signInAs(portal, person, openBrowser(portal, { node: i }))
  const byCap = (session: string | undefined) => ({ actor: 'system', details: { session, by: 'newer-sign-in' } })
  expect(await ended()).toMatchObject([byCap(ids[0]), byCap(ids[1])])
  await portal.clock.advance(limits.session.idle + 1)
  await signInAs(portal, person)
  expect(await ended()).toHaveLength(2)
})

test('R19 a sign-in that is only begun ends nobody’s session, and one that has expired no longer counts', async () => {
  const person = await addCustomer(portal)
  const otherBrowser = await signInAs(portal, await addCustomer(portal))
  const old = [await signInAs(portal, person), await signInAs(portal, person)]
  await portal.clock.advance(limits.session.idle / 2)
  const browsers: TestBrowser[] = []
  for (let i = 0; i < 3; i++) browsers.push(await signInAs(portal, person))
  await pendings(person, 3)
  for (const browser of [...old, ...browsers]) expect(await isAlive(browser)).toBe(true)
  await portal.clock.advance(limits.session.idle / 2 + 1)
  for (let i = 0; i < 2; i++) browsers.push(await signInAs(portal, person))
  expect(await Promise.all(browsers.map((browser) => isAlive(browser)))).toEqual(Array.from({ length: 5 }, () => true))
  expect(await isAlive(otherBrowser)).toBe(false)
})

test('R19 of a hundred sign-ins at once over two nodes every one succeeds and five sessions live', async () => {
  const person = await addCustomer(portal)
  const howMany = exhaustive ? 100 : 20
  let waiting = await pendings(person, howMany)
  const cookies: string[] = []
  while (waiting.length) {
    const hits = await fireTogether(portal, waiting.map(entry))
    // Ten entries are judged at a time; the others are refused for now, and repeat.
    for (const { status } of hits) expect([200, 429]).toContain(status)
    cookies.push(
      ...hits.flatMap(({ status, headers }) => (status === 200 ? [headers['set-cookie']!.split(';')[0]!] : [])),
    )
    waiting = waiting.filter((_, i) => hits[i]!.status === 429)
    expect(await live(person)).toBeLessThanOrEqual(maxSessions)
  }
  expect(cookies).toHaveLength(howMany)
  const alive = await Promise.all(
    cookies.map((cookie, i) => {
      const browser = openBrowser(portal)
      browser.cookie = cookie
      return isAlive(browser, i % 2)
    }),
  )
  expect(alive.filter(Boolean)).toHaveLength(maxSessions)
})

test('R19 eight sign-ins that rise in the same moment do not overlook each other', async () => {
  for (let round = 0; round < (exhaustive ? 5 : 2); round++) {
    const person = await addCustomer(portal)
    const waiting = await pendings(person, 8)
    const gate = await portal.owner.connect()
    await gate.query('begin')
    await gate.query('lock table sessions in share row exclusive mode')
    const burst = fireTogether(portal, waiting.map(entry))
    await untilWaiting(portal, 8)
    await gate.query('commit')
    gate.release()
    expect((await burst).map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
    expect(await live(person)).toBe(maxSessions)
  }
})
