import { expect, test } from 'vitest'
import { requestPasswordReset } from '../../../contract/passwords.ts'
import { setPassword } from '../../../contract/password-link.ts'
import { findLink, makeLink, passwordPurposes, spendLink, voidLinks } from './links.ts'
import { openPortal } from '../../testing/open-portal.ts'
import { makeCustomer, openBrowser } from '../../testing/browser.ts'
import { countRows, accountIdOf } from '../../testing/database-state.ts'

const portal = await openPortal({ nodes: 2 })

const makeAccount = async () => accountIdOf(portal, await makeCustomer(portal))
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
