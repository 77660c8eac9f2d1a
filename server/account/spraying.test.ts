import { expect, onTestFinished, test } from 'vitest'
import { signIn } from '../../contract/account.ts'
import { limits } from '../../contract/limits.ts'
import { logger } from '../platform/observability/log.ts'
import { exhaustive } from '../testing/breadth.ts'
import { openPortal } from '../testing/open-portal.ts'
import { openTestPortal, samplePerson, type TestPortal } from '../testing/portal-nodes.ts'
import { openBrowser, passPassword, signInAs } from '../testing/browser.ts'
import { addCustomer } from '../testing/samples/ready-customers.ts'
import { fireTogether, shotOf } from '../testing/burst.ts'
import { auditEntries } from '../testing/audit-entries.ts'

const portal = await openPortal({ nodes: 2 })

const { wrongPerAddress, wrongPerSubnet } = limits.signIn
const guess = (login: string, address: string) =>
  shotOf(signIn, { body: { login, password: 'Wiosna-2026-Wiosna!' } }, { address })
async function fire(shots: ReturnType<typeof guess>[]) {
  const hits = []
  // No more at once than the queue of hashes takes (R18).
  for (let from = 0; from < shots.length; from += 50)
    hits.push(...(await fireTogether(portal, shots.slice(from, from + 50))))
  return hits
}
const judged = (hits: Awaited<ReturnType<typeof fire>>) =>
  hits.filter(({ problem }) => problem.code === 'login-refused').length
const alarms = async () => (await auditEntries(portal, { action: 'alarm-raised' })).map(({ details }) => details)

test('R28 one guess at each of many accounts is stopped by the limits of the address and its neighbourhood, is an alarm, and locks no one out', async () => {
  const owners = await Promise.all(Array.from({ length: 20 }, () => addCustomer(portal)))
  const strangers = Array.from({ length: exhaustive ? 780 : 340 }, () => samplePerson())
  const logins = [...owners, ...strangers].map(({ login }) => login)
  // Fifty addresses of ten networks; the same again from addresses of one network.
  const spread = await fire(
    logins
      .slice(0, exhaustive ? 800 : 120)
      .map((login, i) => guess(login, `10.20.${i % 10}.${Math.floor(i / 10) % 5}`)),
  )
  expect(judged(spread)).toBe(exhaustive ? 800 : 120)
  expect(await alarms()).toEqual([])
  const narrow = await fire(logins.map((login, i) => guess(login, `10.30.1.${i % 50}`)))
  expect(judged(narrow)).toBe(wrongPerSubnet.limit)
  const single = await fire(logins.slice(0, wrongPerAddress.limit + 30).map((login) => guess(login, '10.40.1.1')))
  expect(judged(single)).toBe(wrongPerAddress.limit)
  for (const { problem } of single) expect(problem.code).toMatch(/^(login-refused|bot-check-required)$/)
  expect(narrow.some(({ status }) => status === 429)).toBe(true)
  for (const { status, headers } of narrow)
    if (status === 429) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  await expect.poll(async () => (await alarms()).length).toBe(2)
  expect(await alarms()).toEqual([
    { name: 'sign-in-spraying', about: '10.30.1.0/24' },
    { name: 'sign-in-spraying', about: '10.40.1.0/24' },
  ])
  const { rows } = await portal.owner.query('select count(*)::int as n from accounts where blocked_at is not null')
  expect(rows[0].n).toBe(0)
  for (const owner of owners.slice(0, 3)) expect((await passPassword(portal, owner)).answer.status).toBe(200)
})

test('R28 R17 the owner on a known device signs in from the very network that sprays', async () => {
  const owner = await addCustomer(portal)
  const address = '10.50.1.1'
  const browser = await signInAs(portal, owner, openBrowser(portal, { address }))
  await fire(Array.from({ length: wrongPerAddress.limit + 5 }, () => guess(samplePerson().login, address)))
  const right = { login: owner.login, password: owner.password }
  const unknown = await openBrowser(portal, { address }).call(signIn, { body: right })
  expect(unknown.problem.code).toBe('bot-check-required')
  expect((await browser.call(signIn, { body: right })).status).toBe(200)
})

test('R28 right passwords do not count as a network’s wrong ones, however many sign in there', async () => {
  const people = await Promise.all(Array.from({ length: 5 }, () => addCustomer(portal)))
  const address = '10.60.1.1'
  for (let i = 0; i < wrongPerAddress.limit - 1; i++) await fire([guess(samplePerson().login, address)])
  for (const person of people)
    expect((await passPassword(portal, person, openBrowser(portal, { address }))).answer.status).toBe(200)
  expect(judged(await fire([guess(samplePerson().login, address)]))).toBe(1)
  const { login, password } = people[0]!
  const unknown = () => openBrowser(portal, { address }).call(signIn, { body: { login, password } })
  expect((await unknown()).problem.code).toBe('bot-check-required')
  await portal.clock.advance(wrongPerAddress.window)
  expect((await unknown()).status).toBe(200)
})

test.skipIf(exhaustive)(
  'R28 R78 addresses of one /64 are one address, and those of one /48 are neighbours',
  async () => {
    const from = (i: number) => `2001:db8:5:${(i % 8).toString(16)}:${i.toString(16)}::1`
    const hits = await fire(
      Array.from({ length: wrongPerSubnet.limit + 50 }, (_, i) => guess(samplePerson().login, from(i))),
    )
    expect(judged(hits)).toBe(wrongPerSubnet.limit)
    const fromOneNetwork = await fire(
      Array.from({ length: wrongPerAddress.limit + 20 }, (_, i) =>
        guess(samplePerson().login, `2001:db8:6:6:${i.toString(16)}::1`),
      ),
    )
    expect(judged(fromOneNetwork)).toBe(wrongPerAddress.limit)
  },
)

test('R28 R86 an alarm that lasts is one line an hour in the log, at warn, with a network in it and no address', async () => {
  const lines: string[] = []
  const stream = { write: (line: string) => void lines.push(line) }
  const logging: TestPortal = await openTestPortal({
    logger: { ...(logger as object), stream },
    ports: {
      alarms: { raise: (alarm) => logging.app.log.warn({ alarm: { ...alarm, address: '10.70.1.9' } }, 'alarm') },
    },
  })
  onTestFinished(() => logging.close())
  const half = wrongPerAddress.limit / 2
  const fireFrom = (address: string, howMany: number) =>
    fireTogether(
      logging,
      Array.from({ length: howMany }, () => guess(samplePerson().login, address)),
    )
  const linesAbout = (network: string) =>
    lines.filter((line) => line.includes(network)).map((line) => JSON.parse(line) as object)
  await fireFrom('10.70.1.9', half)
  await logging.clock.advance(1800)
  await fireFrom('10.70.1.9', half)
  await expect.poll(() => linesAbout('10.70.1.')).toHaveLength(1)
  expect(linesAbout('10.70.1.')[0]).toMatchObject({
    level: 40,
    msg: 'alarm',
    alarm: { name: 'sign-in-spraying', about: '10.70.1.0/24' },
  })
  expect(lines.join('')).not.toContain('10.70.1.9')
  // The first half is an hour old, so that the limit is reached again; another network's alarm comes after this one would.
  await logging.clock.advance(1801)
  await fireFrom('10.70.1.9', half)
  await fireFrom('10.71.1.9', wrongPerAddress.limit)
  await expect.poll(() => linesAbout('10.71.1.')).toHaveLength(1)
  expect(linesAbout('10.70.1.')).toHaveLength(1)
  await logging.clock.advance(1801)
  await fireFrom('10.70.1.9', half)
  await expect.poll(() => linesAbout('10.70.1.')).toHaveLength(2)
})
