import { beforeAll, expect, test } from 'vitest'
import { putSealUser } from '../../contract/provider/provider-seals.ts'
import { removeSealUser } from '../../contract/seal-users.ts'
import { manySends } from '../testing/open-portal.ts'
import { exhaustive } from '../testing/breadth.ts'
import { openPortalWithProvider } from '../testing/open-provider.ts'
import { openBrowser, type Person, type TestBrowser } from '../testing/browser.ts'
import { addCustomer } from '../testing/samples/ready-customers.ts'
import { fireTogether, shotOf } from '../testing/burst.ts'
import { makeSeal, signInToManage } from '../testing/samples/sample-seals.ts'

let people: Person[]
let seal: Awaited<ReturnType<typeof makeSeal>>
let browsers: TestBrowser[]
const { portal, provider } = await openPortalWithProvider({ nodes: 2, settings: manySends })
beforeAll(async () => {
  people = await Promise.all([addCustomer(portal), addCustomer(portal)])
  seal = await makeSeal(
    portal,
    provider,
    people.map((person) => ({ person, role: 'admin', status: 'active' })),
  )
  browsers = await Promise.all(people.map((person) => signInToManage(portal, person, seal.id)))
})

const restore = () =>
  portal.owner.query(`update seal_users set status = 'active', deleted_at = null, role = 'admin' where seal_id = $1`, [
    seal.id,
  ])

async function administrators() {
  const { rows } = await portal.owner.query<{ id: string }>(
    `select id from seal_users where seal_id = $1 and status = 'active' and role = 'admin'`,
    [seal.id],
  )
  return rows.map(({ id }) => id)
}

const remove = (browser: number, user: number) =>
  shotOf(
    removeSealUser,
    { params: { id: seal.id, user: seal.users[user]!.id } },
    { cookie: browsers[browser]!.cookie, node: browser },
  )

test('SEA-5 R39 of two Administrators who remove each other at the same time on two nodes, one remains, in a hundred attempts', async () => {
  const ends = new Map<string, number>()
  const rounds = exhaustive ? 100 : 12
  for (let round = 0; round < rounds; round++) {
    await restore()
    const hits = await fireTogether(portal, [remove(0, 1), remove(1, 0)])
    const left = await administrators()
    // One Administrator was removed, and could not remove anybody any more.
    expect([round, left.length, hits.map(({ status }) => status).toSorted((a, b) => a - b)]).toEqual([
      round,
      1,
      [200, 404],
    ])
    ends.set(left[0]!, (ends.get(left[0]!) ?? 0) + 1)
  }
  expect([...ends.values()].reduce((sum, count) => sum + count)).toBe(rounds)
})

test('SEA-5 R39 nobody can remove themselves, and the last Administrator is shown why', async () => {
  await restore()
  const self = { params: { id: seal.id, user: seal.users[0]!.id } }
  const own = await browsers[0]!.call(removeSealUser, self)
  expect([own.status, own.problem.code]).toEqual([422, 'own-access'])
  await browsers[0]!.call(removeSealUser, { params: { id: seal.id, user: seal.users[1]!.id } })
  const last = await browsers[0]!.call(removeSealUser, self)
  expect([last.status, last.problem.code]).toEqual([422, 'last-admin'])
  expect(await administrators()).toEqual([seal.users[0]!.id])
})

test('SEA-5 R39 the provider can neither remove the last Administrator nor make them a user, also while they remove the second Administrator', async () => {
  const body = ({ email, phone, firstName, surname, locale }: Person) => ({ email, phone, firstName, surname, locale })
  const put = (user: number, over: { role: 'admin' | 'user'; status: 'active' | 'deleted' }) =>
    openBrowser(portal).call(putSealUser, {
      params: { seal: seal.providerId, user: seal.users[user]!.providerId },
      body: { ...body(people[user]!), ...over },
    })
  for (let round = 0; round < (exhaustive ? 20 : 6); round++) {
    await restore()
    const over =
      round % 2 ? ({ role: 'user', status: 'active' } as const) : ({ role: 'admin', status: 'deleted' } as const)
    await Promise.all([
      put(0, over),
      browsers[0]!.call(removeSealUser, { params: { id: seal.id, user: seal.users[1]!.id } }),
    ])
    expect([round, (await administrators()).length]).toEqual([round, 1])
  }
  await restore()
  await browsers[0]!.call(removeSealUser, { params: { id: seal.id, user: seal.users[1]!.id } })
  for (const over of [
    { role: 'user', status: 'active' },
    { role: 'admin', status: 'deleted' },
  ] as const) {
    const refused = await put(0, over)
    expect([refused.status, refused.problem.code]).toEqual([422, 'last-admin'])
  }
  expect(await administrators()).toEqual([seal.users[0]!.id])
})
