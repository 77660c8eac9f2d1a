import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { enterSignInCode, signIn } from '../../../contract/account.ts'
import { changePassword, requestPasswordReset } from '../../../contract/passwords.ts'
import { checkPasswordLink, setPassword } from '../../../contract/password-link.ts'
import { putCustomer } from '../../../contract/provider/provider-api.ts'
import { limits } from '../../../contract/limits.ts'
import { findLink, makeLink, passwordPurposes, spendLink, voidLinks } from './links.ts'
import { exhaustive } from '../../testing/breadth.ts'
import { openTestPortal, type TestPortal } from '../../testing/portal-nodes.ts'
import { accountIdOf } from './testing/account-id.ts'
import { linkToken, makeCustomer, openBrowser, smsCode, type Person, type TestBrowser } from '../../testing/browser.ts'

let portal: TestPortal
beforeAll(async () => {
  // Where a customer's mailbox moves, a reset goes to the new one at once: its delay is tried in contact-change.test.ts.
  portal = await openTestPortal({ nodes: 2, settings: { resetDelay: 0 } })
})
afterAll(() => portal.close())

const make = (accountId: string, node = 0) =>
  portal.nodes[node]!.db.transaction().execute((tx) => makeLink(tx, accountId, 'reset'))
const states = (tokens: string[]) =>
  Promise.all(tokens.map(async (token) => (await findLink(portal.db, token, passwordPurposes))?.state))

test('R10 a link’s token is 256 random bits, and the database holds its hash only', async () => {
  const id = await accountIdOf(portal, await makeCustomer(portal))
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
  const id = await accountIdOf(portal, await makeCustomer(portal))
  for (let round = 0; round < (exhaustive ? 5 : 2); round++) {
    const made = await Promise.all(Array.from({ length: 8 }, (_, i) => make(id, i % 2)))
    const good = (await states(made.map(({ token }) => token))).filter((state) => state === 'good')
    expect(good).toHaveLength(1)
  }
  const { rows } = await portal.owner.query(
    'select count(*)::int as n from links where account_id = $1 and used_at is null and voided_at is null',
    [id],
  )
  expect(rows).toEqual([{ n: 1 }])
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
  expect((await states(tokens)).map(String).toSorted((a, b) => a.localeCompare(b))).toEqual([
    'good',
    'good',
    'good',
    'used',
  ])
  const password = { newPassword: 'Nowe-Haslo-2027?', repeatPassword: 'Nowe-Haslo-2027?' }
  expect((await openBrowser(portal).call(setPassword, { body: { token: tokens[1]!, password } })).status).toBe(204)
  expect((await states(tokens)).filter((state) => state === 'good')).toEqual([])
})

test('R10 of twenty uses of a link at once one succeeds, and a link that is undone can be used again', async () => {
  const id = await accountIdOf(portal, await makeCustomer(portal))
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
  const [anna, jan] = [
    await accountIdOf(portal, await makeCustomer(portal)),
    await accountIdOf(portal, await makeCustomer(portal)),
  ]
  const [annas, jans] = [await make(anna), await make(jan)]
  await portal.db.transaction().execute((tx) => voidLinks(tx, [anna]))
  expect(await states([annas.token, jans.token])).toEqual(['expired', 'good'])
})

/** What the customer knows and what the model says of each link that was ever mailed. */
type Model = { good: { token: string; endsAt: number }[]; dead: string[] }
type World = { person: Person; browser: TestBrowser; now: number; password: string; mailbox: string; tries: number }

const steps = [
  'ask',
  'look',
  'set-good',
  'set-dead',
  'set-made-up',
  'sign-in',
  'pass-password',
  'change',
  'move-mailbox',
  'wait',
  'wait-long',
] as const
type Step = (typeof steps)[number]

test.runIf(exhaustive)('R11 in no order of steps does a password change without a living, unused link', async () => {
  onTestFinished(() => portal.clock.advance(0))
  let runs = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom<Step>(...steps, 'ask', 'set-good'), { minLength: 4, maxLength: 14 }),
      async (path) => {
        const world: World = {
          person: await makeCustomer(portal),
          browser: openBrowser(portal),
          now: Date.UTC(2028, 0, 1) + ++runs * 86_400_000 * 400,
          password: '',
          mailbox: '',
          tries: 0,
        }
        world.password = world.person.password
        world.mailbox = world.person.email
        const model: Model = { good: [], dead: [linkToken(portal, world.mailbox)] }
        for (const step of path) {
          // Limits of requests and SMS are not what is tried here: every step has its own day of them, but half an hour of link.
          await portal.owner.query(`delete from budgets`)
          await portal.clock.stopAt(new Date((world.now += 1000)))
          kill(model, ({ endsAt }) => world.now >= endsAt)
          await take(step, world, model)
          await expectPassword(world)
        }
      },
    ),
    { numRuns: 25 },
  )
})

function kill(model: Model, which: (link: Model['good'][number]) => boolean = () => true) {
  model.dead.push(...model.good.filter(which).map(({ token }) => token))
  model.good = model.good.filter((link) => !which(link))
}

const enter = (world: World, password: string, browser = openBrowser(portal)) =>
  browser.call(signIn, { body: { login: world.person.login, password } })

/** The oracle after each step: the password is the model's, and the one that an attacker would have set is not. */
async function expectPassword(world: World) {
  expect((await enter(world, world.password)).status).toBe(200)
  expect((await enter(world, attackers)).problem.code).toBe('login-refused')
}
const attackers = 'Haslo-Zlodzieja-1!'

async function take(step: Step, world: World, model: Model) {
  const set = (token: string, password: string) =>
    openBrowser(portal).call(setPassword, {
      body: { token, password: { newPassword: password, repeatPassword: password } },
    })
  const next = () => `Kolejne-Haslo-${++world.tries}!`
  switch (step) {
    case 'ask': {
      await openBrowser(portal).call(requestPasswordReset, {
        body: { email: world.mailbox, locale: 'pl', botProof: crypto.randomUUID() },
      })
      await portal.deliver()
      model.good.push({ token: linkToken(portal, world.mailbox), endsAt: world.now + limits.link.reset * 1000 })
      return
    }
    case 'look': {
      const look = async (token: string) =>
        (await openBrowser(portal).call(checkPasswordLink, { body: { token } })).status
      for (const token of model.dead) expect(await look(token)).toBe(422)
      for (const { token } of model.good) expect(await look(token)).toBe(200)
      return
    }
    case 'set-good': {
      // The oldest is as good as the newest.
      const link = model.good[0]
      if (!link) return
      const password = next()
      expect((await set(link.token, password)).status).toBe(204)
      world.password = password
      kill(model)
      return
    }
    case 'set-dead': {
      for (const token of model.dead)
        expect((await set(token, attackers)).problem.code).toMatch(/^link-(?:used|expired)$/)
      return
    }
    case 'set-made-up': {
      for (const token of ['x'.repeat(43), model.dead[0]!.split('').toReversed().join('')])
        expect((await set(token, attackers)).problem.code).toBe('link-unknown')
      // Without a session, and with a pending one, the other way to sign in is closed too.
      const pending = openBrowser(portal)
      const body = { currentPassword: world.password, newPassword: attackers, repeatPassword: attackers }
      expect((await pending.call(changePassword, { body })).status).toBe(401)
      await enter(world, world.password, pending)
      expect((await pending.call(changePassword, { body })).status).toBe(401)
      return
    }
    case 'pass-password': {
      // The password alone does not make a link void: its owner may be the one who asked for it.
      await enter(world, world.password)
      return
    }
    case 'sign-in': {
      // Of several SMS that leave together none is the newest, so the earlier ones go first.
      await portal.deliver()
      await enter(world, world.password, world.browser)
      await portal.deliver()
      expect(
        (await world.browser.call(enterSignInCode, { body: { code: smsCode(portal, world.person.phone) } })).status,
      ).toBe(200)
      kill(model)
      return
    }
    case 'change': {
      const password = next()
      const { status } = await world.browser.call(changePassword, {
        body: { currentPassword: world.password, newPassword: password, repeatPassword: password },
      })
      if (status !== 204) return
      world.password = password
      kill(model)
      return
    }
    case 'move-mailbox': {
      const { id, password: _, ...particulars } = world.person
      world.mailbox = `moved-${++world.tries}-${crypto.randomUUID().slice(0, 8)}@mail.example`
      expect(
        (
          await openBrowser(portal).call(putCustomer, {
            params: { customer: id },
            body: { ...particulars, email: world.mailbox },
          })
        ).status,
      ).toBe(200)
      kill(model)
      return
    }
    case 'wait':
      world.now += 600_000
      return
    case 'wait-long':
      world.now += limits.link.reset * 1000
      return
  }
}
