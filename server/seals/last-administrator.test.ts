import { expect, test } from 'vitest'
import { putSealUser } from '../../contract/provider/provider-seals.ts'
import { removeSealUser } from '../../contract/seal-users.ts'
import { manySends, openPortalWithProvider } from '../testing/open-portal.ts'
import { exhaustive } from '../testing/breadth.ts'
import { openBrowser } from '../testing/browser.ts'
import { addCustomer } from '../testing/samples/ready-customers.ts'
import { sendTogether, preparedCall } from '../testing/burst.ts'
import { makeSeal, member, sealUserOf, signInToManage } from '../testing/samples/sample-seals.ts'

const { portal, provider } = await openPortalWithProvider({ nodes: 2, settings: manySends })
const people = [await addCustomer(portal), await addCustomer(portal)]
const members = people.map((person) => member(person))
const seal = await makeSeal(portal, provider, members)
const browsers = await Promise.all(people.map((person) => signInToManage(portal, person, seal.id)))
const paramsOf = (user: number) => ({ params: { id: seal.id, user: seal.users[user]!.id } })

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
  preparedCall(removeSealUser, paramsOf(user), { cookie: browsers[browser]!.cookie, node: browser })

test('SEA-5 R39 of two Administrators who remove each other at the same time on two nodes, one remains, in a hundred attempts', async () => {
  for (let round = 0; round < (exhaustive ? 100 : 12); round++) {
    await restore()
    const hits = await sendTogether(portal, [remove(0, 1), remove(1, 0)])
    const statuses = hits.map(({ status }) => status).toSorted((a, b) => a - b)
    // One Administrator was removed, and could not remove anybody any more.
    expect([round, (await administrators()).length, statuses]).toEqual([round, 1, [200, 404]])
  }
})

test('SEA-5 R39 nobody can remove themselves, and the last Administrator is shown why', async () => {
  await restore()
  const own = await browsers[0]!.call(removeSealUser, paramsOf(0))
  expect([own.status, own.problem.code]).toEqual([422, 'own-access'])
  await browsers[0]!.call(removeSealUser, paramsOf(1))
  const last = await browsers[0]!.call(removeSealUser, paramsOf(0))
  expect([last.status, last.problem.code]).toEqual([422, 'last-admin'])
  expect(await administrators()).toEqual([seal.users[0]!.id])
})

test('SEA-5 R39 the provider can neither remove the last Administrator nor make them a user, also while they remove the second Administrator', async () => {
  const changes = [
    { role: 'user', status: 'active' },
    { role: 'admin', status: 'deleted' },
  ] as const
  const putFirst = (change: (typeof changes)[number]) =>
    openBrowser(portal).call(putSealUser, {
      params: { seal: seal.providerId, user: seal.users[0]!.providerId },
      body: { ...sealUserOf(people[0]!), ...change },
    })
  for (let round = 0; round < (exhaustive ? 20 : 6); round++) {
    await restore()
    await Promise.all([putFirst(changes[round % 2]!), browsers[0]!.call(removeSealUser, paramsOf(1))])
    expect([round, (await administrators()).length]).toEqual([round, 1])
  }
  await restore()
  await browsers[0]!.call(removeSealUser, paramsOf(1))
  for (const change of changes) {
    const refused = await putFirst(change)
    expect([refused.status, refused.problem.code]).toEqual([422, 'last-admin'])
  }
  expect(await administrators()).toEqual([seal.users[0]!.id])
})
