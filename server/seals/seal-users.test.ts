import { expect, test } from 'vitest'
import { putSealUser } from '../../contract/provider/provider-seals.ts'
import { nameSealRecipient, readSealRecipient, removeSealRecipient } from '../../contract/seal-recipients.ts'
import {
  addSealUser,
  exportSealUsers,
  inviteSealUserAgain,
  listSealUsers,
  removeSealUser,
  showSealUserPhone,
  type SealUserStatus,
} from '../../contract/seal-users.ts'
import {
  downloadSealAgreement,
  listSeals,
  startSealPairing,
  summariseSeals,
  type SealUserRole,
} from '../../contract/seals.ts'
import { encryptInvitedPhone } from '../platform/encrypted-data/encrypted-fields.ts'
import { auditEntries } from '../testing/audit-entries.ts'
import { exhaustive } from '../testing/breadth.ts'
import { codesOf, openBrowser, type TestBrowser } from '../testing/browser.ts'
import { sendTogether, preparedCall } from '../testing/burst.ts'
import { manySends, openPortalWithProvider } from '../testing/open-portal.ts'
import { addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import {
  insertStepUp,
  invite,
  inviteTo,
  makeSeal,
  member,
  putSealPdf,
  sealUserForm,
  sealUserOf,
  signInToManage,
} from '../testing/samples/sample-seals.ts'
import type { Person } from '../testing/test-customers.ts'

const { portal, provider } = await openPortalWithProvider({ nodes: 2, settings: { ...manySends, sealUsers: 5 } })
const admin = await addCustomer(portal)

const sealOf = (person: Person = admin) => makeSeal(portal, provider, [member(person)])
/** Makes a seal, and a browser in which its Administrator may change its users. */
async function makeManagedSeal() {
  const seal = await sealOf()
  return { seal, params: { id: seal.id }, browser: await signInToManage(portal, admin, seal.id) }
}

const rowsOf = async (seal: string) =>
  (await portal.owner.query(`select * from seal_users where seal_id = $1 order by number`, [seal])).rows as {
    id: string
    status: string
    number: number
  }[]

test('R38 R34 who may do what in a seal: the table of roles, states and two seals, exactly', async () => {
  const seal = await sealOf()
  const otherSeal = await sealOf(await addCustomer(portal))
  await putSealPdf(portal, seal.providerId)
  const victim = await inviteTo(portal, seal.providerId)
  const table: [string, SealUserRole, SealUserStatus | 'of the other seal', { sees: boolean; manages: boolean }][] = [
    ['admin', 'admin', 'active', { sees: true, manages: true }],
    ['administrator who has not activated', 'admin', 'pending', { sees: false, manages: false }],
    ['removed administrator', 'admin', 'deleted', { sees: false, manages: false }],
    ['user', 'user', 'active', { sees: true, manages: false }],
    ['user who has not activated', 'user', 'pending', { sees: false, manages: false }],
    ['removed user', 'user', 'deleted', { sees: false, manages: false }],
    ['administrator of another seal', 'admin', 'of the other seal', { sees: false, manages: false }],
  ]
  for (const [who, role, status, { sees, manages }] of table) {
    const person = await addCustomer(portal)
    const [usedSeal, stated] = status === 'of the other seal' ? ([otherSeal, 'active'] as const) : [seal, status]
    const user = await inviteTo(portal, usedSeal.providerId, { ...sealUserOf(person), role, status: stated })
    const browser = await signInDirectly(portal, person)
    await insertStepUp(portal, person, 'manage-seal-users', seal.id)
    const params = { id: seal.id }
    const before = await rowsOf(seal.id)

    const listed = (await browser.call(listSeals)).body.items.map(({ id }) => id)
    expect([who, listed.includes(seal.id)]).toEqual([who, sees])
    expect([who, (await browser.call(summariseSeals)).body.active]).toEqual([who, listed.length])
    const paper = await browser.raw('GET', downloadSealAgreement.path.replace(':id', seal.id))
    expect([who, paper.status, paper.headers.get('cache-control')]).toEqual([who, sees ? 200 : 404, 'no-store'])
    expect([who, (await browser.call(startSealPairing, { params })).problem.code]).toEqual([who, 'step-up-required'])

    const expected = manages ? 200 : 404
    expect([who, (await browser.call(listSealUsers, { params })).status]).toEqual([who, expected])
    const file = await browser.raw('GET', `${exportSealUsers.path.replace(':id', seal.id)}?locale=pl`)
    expect([who, file.status]).toEqual([who, expected])
    if (!manages) {
      const refused = [
        await browser.call(addSealUser, { params, body: sealUserForm() }),
        await browser.call(removeSealUser, { params: { ...params, user: victim.id } }),
        await browser.call(removeSealUser, { params: { ...params, user: user.id } }),
        await browser.call(inviteSealUserAgain, { params: { ...params, user: victim.id } }),
        await browser.call(showSealUserPhone, { params: { ...params, user: victim.id } }),
        await browser.call(showSealUserPhone, { params: { ...params, user: user.id } }),
        await browser.call(readSealRecipient, { params }),
        await browser.call(nameSealRecipient, { params, body: { email: person.email, locale: 'pl' } }),
        await browser.call(removeSealRecipient, { params }),
      ]
      expect([who, refused.map(({ problem }) => problem.code)]).toEqual([who, refused.map(() => 'not-found')])
      expect([who, await rowsOf(seal.id)]).toEqual([who, before])
    }
    // A freed membership is used by the next row of the table.
    await portal.owner.query(`delete from seal_users where id = $1`, [user.id])
  }
})

test('SEA-2 SEA-3 SEA-5 an Administrator adds a user, sees the required fields of the list, and removes the user with a date', async () => {
  const { seal, params, browser } = await makeManagedSeal()
  const { body: added, form } = await invite(portal, browser, seal.id)
  expect(added).toMatchObject({
    number: 2,
    email: form.email,
    phone: `+48 ••• ••• ${form.phone.slice(-3)}`,
    firstName: 'Łukasz',
    surname: 'Dąbrowski',
    role: 'user',
    status: 'pending',
    acquiredAt: null,
    deletedAt: null,
    isOwn: false,
  })
  const { body: page } = await browser.call(listSealUsers, { params })
  expect(page.items.map(({ status, isOwn }) => [status, isOwn])).toEqual([
    ['active', true],
    ['pending', false],
  ])
  const user = { id: seal.id, user: added.id }
  const removed = await browser.call(removeSealUser, { params: user })
  expect([removed.status, removed.body.status]).toEqual([200, 'deleted'])
  expect(removed.body.deletedAt).not.toBeNull()
  // HTT-1 may repeat the call: the same answer, and no second audit entry.
  expect((await browser.call(removeSealUser, { params: user })).body).toEqual(removed.body)
  expect(await auditEntries(portal, { action: 'seal-user-removed', details: { user: added.id } })).toHaveLength(1)
  expect((await browser.call(listSealUsers, { params })).body.items).toHaveLength(1)
  const gone = await browser.call(listSealUsers, { params, query: { status: 'deleted' } })
  expect(gone.body.items.map(({ id }) => id)).toEqual([added.id])
  expect((await browser.call(listSeals)).body.items.find(({ id }) => id === seal.id)!.hasRemovedUsers).toBe(true)
  // The same person can be added again, as a new user.
  const again = await browser.call(addSealUser, { params, body: form })
  expect([again.status, again.body.number]).toEqual([200, 3])
})

test('SEA-10 R143 an Administrator sees the number with which a user was invited, one at a time and audited, and no list has it', async () => {
  const { seal, browser } = await makeManagedSeal()
  const otherSeal = await sealOf()
  const { body: added, form } = await invite(portal, browser, seal.id)
  const show = (id: string, user: string) => browser.call(showSealUserPhone, { params: { id, user } })
  expect((await show(seal.id, added.id)).body).toEqual({ phone: form.phone })
  const shown = await auditEntries(portal, { action: 'personal-data-revealed', details: { user: added.id } })
  expect(shown).toMatchObject([{ details: { seal: seal.id, user: added.id } }])
  expect(JSON.stringify(shown)).not.toContain(form.phone.slice(3))
  // The user of one seal is not found in another one of the same Administrator.
  expect((await show(otherSeal.id, added.id)).problem.code).toBe('not-found')
  const { body: listed } = await browser.call(listSealUsers, { params: { id: seal.id } })
  expect(JSON.stringify(listed)).not.toContain(form.phone.slice(3))
  // A removed user stays in the list with their number; of an erased customer none is left.
  await browser.call(removeSealUser, { params: { id: seal.id, user: added.id } })
  expect((await show(seal.id, added.id)).body).toEqual({ phone: form.phone })
  await portal.owner.query(`update seal_users set phone = $2 where id = $1`, [
    added.id,
    encryptInvitedPhone(portal.portal.keys, added.id, ''),
  ])
  expect((await show(seal.id, added.id)).problem.code).toBe('not-found')
})

test('AUT-7 SEA-3 SEA-5 users are added and removed only after a new code for this seal', async () => {
  const [seal, otherSeal] = [await sealOf(), await sealOf()]
  const browser = await signInToManage(portal, admin, otherSeal.id)
  const victim = await inviteTo(portal, seal.providerId)
  const before = await rowsOf(seal.id)
  for (const answer of [
    await browser.call(addSealUser, { params: { id: seal.id }, body: sealUserForm() }),
    await browser.call(removeSealUser, { params: { id: seal.id, user: victim.id } }),
  ])
    expect([answer.status, answer.problem.code]).toEqual([403, 'step-up-required'])
  expect(await rowsOf(seal.id)).toEqual(before)
})

test('SEA-3 one e-mail has one membership of a seal, in any spelling, and a seal has no more users than allowed', async () => {
  const { seal, params, browser } = await makeManagedSeal()
  const { form } = await invite(portal, browser, seal.id)
  const twice = await invite(portal, browser, seal.id, { ...form, email: form.email.toUpperCase() })
  expect([twice.status, twice.problem.code]).toEqual([422, 'seal-user-exists'])
  // Five at a time are allowed here; ten at once on two nodes make no sixth.
  const many = await Promise.all(
    Array.from({ length: 10 }, (_, i) => browser.call(addSealUser, { params, body: sealUserForm() }, i % 2)),
  )
  const full = codesOf(many).filter((code) => code !== 'ok')
  expect(full).toEqual(Array(7).fill('seal-users-full'))
  expect((await rowsOf(seal.id)).map(({ number }) => number)).toEqual([1, 2, 3, 4, 5])
})

test('R52 an invitation sent twice with one key is one user and one mail', async () => {
  const { seal, params, browser } = await makeManagedSeal()
  const body = sealUserForm()
  const idempotencyKey = crypto.randomUUID()
  const [first, second] = await Promise.all(
    [0, 1].map((node) => browser.call(addSealUser, { params, body, idempotencyKey }, node)),
  )
  expect(first!.body).toEqual(second!.body)
  await portal.deliver()
  expect([(await rowsOf(seal.id)).length, portal.mails.filter(({ to }) => to === body.email).length]).toEqual([2, 1])
})

test('SEA-3 R74 an address gets three invitations a day, a minute apart, for all seals and across removals', async () => {
  const { seal, browser } = await makeManagedSeal()
  const { body: added, form } = await invite(portal, browser, seal.id)
  const again = () => browser.call(inviteSealUserAgain, { params: { id: seal.id, user: added.id } })
  const early = await again()
  expect([early.problem.code, early.problem.retryAfter! <= 60]).toEqual(['resend-too-early', true])
  await portal.clock.advance(61)
  expect((await again()).status).toBe(200)
  await portal.deliver()
  await browser.call(removeSealUser, { params: { id: seal.id, user: added.id } })
  expect((await invite(portal, browser, seal.id, form)).status).toBe(200)
  const { seal: fourth, browser: elsewhere } = await makeManagedSeal()
  const spent = await invite(portal, elsewhere, fourth.id, form)
  expect([spent.status, spent.problem.code]).toEqual([429, 'sends-spent'])
  expect(portal.mails.filter(({ to }) => to === form.email)).toHaveLength(3)
  expect(await rowsOf(fourth.id)).toHaveLength(1)
})

test('SEA-3 R14 the answer to an invitation is the same for a person with an account and for a person without', async () => {
  const { params, browser } = await makeManagedSeal()
  const { email } = await addCustomer(portal)
  const withAccount = await browser.call(addSealUser, { params, body: sealUserForm({ email }) })
  const withoutAccount = await browser.call(addSealUser, { params, body: sealUserForm() })
  const shape = ({ status, body }: typeof withAccount) => [status, Object.keys(body), body.status, body.role]
  expect(shape(withAccount)).toEqual(shape(withoutAccount))
})

test('R40 a removal acts on the very next request of both nodes, during calls of the removed user', async () => {
  const person = await addCustomer(portal)
  const seal = await makeSeal(portal, provider, [member(admin), member(person)])
  const manager = await signInToManage(portal, admin, seal.id)
  const removed = await signInDirectly(portal, person)
  const calls: { began: number; ok: boolean }[] = []
  let done = false
  const list = async (node: number) => {
    const began = performance.now()
    const { status } = await removed.call(listSealUsers, { params: { id: seal.id } }, node)
    calls.push({ began, ok: status === 200 })
  }
  const busy = [0, 1].map(async (node) => {
    while (!done) await list(node)
  })
  while (calls.filter(({ ok }) => ok).length < 20) await list(0)
  expect((await manager.call(removeSealUser, { params: { id: seal.id, user: seal.users[1]!.id } })).status).toBe(200)
  const committed = performance.now()
  for (let i = 0; i < 10; i++) await list(i % 2)
  done = true
  await Promise.all(busy)
  const after = calls.filter(({ began }) => began > committed)
  expect([after.length >= 10, after.filter(({ ok }) => ok).length]).toEqual([true, 0])
  expect((await removed.call(listSeals)).body.items.map(({ id }) => id)).not.toContain(seal.id)
})

test('SEA-2 R36 the list is paged without gap or repetition, in both orders, and refuses a cursor of another seal, order or person', async () => {
  const seal = await sealOf()
  const first = seal.users[0]!.id
  await portal.owner.query(
    `insert into seal_users (seal_id, provider_id, number, email, email_key, phone, first_name, surname, role, status, locale, expires_at, deleted_at)
     select seal_id, 'n' || n, n, n || '@x.example', n || '@x.example', phone, 'Imię' || (n * 7 % 65), 'Łoś', 'user',
       case when n % 3 = 0 then 'deleted' else 'pending' end, 'pl', expires_at, case when n % 3 = 0 then now() end
     from seal_users, generate_series(2, 65) n where id = $1`,
    [first],
  )
  const browser = await signInDirectly(portal, admin)
  const params = { id: seal.id }
  const open = (query: object) => browser.call(listSealUsers, { params, query })
  await resealPhones(seal.id)
  for (const sort of ['standing', 'name'] as const) {
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const { status, body } = await open({ sort, ...(cursor ? { cursor } : {}) })
      expect(status).toBe(200)
      seen.push(...body.items.map(({ id }) => id))
      cursor = body.next ?? undefined
    } while (cursor)
    expect([sort, seen.length, new Set(seen).size]).toEqual([sort, 44, 44])
  }
  const { body: page } = await open({})
  const otherSeal = await sealOf()
  const refused = [
    await browser.call(listSealUsers, { params: { id: otherSeal.id }, query: { cursor: page.next! } }),
    await open({ sort: 'name', cursor: page.next! }),
    await open({ cursor: page.next!.replace(/^./, (letter) => (letter === 'A' ? 'B' : 'A')) }),
  ]
  expect(refused.map(({ problem }) => problem.code)).toEqual(refused.map(() => 'cursor-refused'))
  const found = await open({ search: 'los imie58' })
  expect(found.body.items.map(({ firstName }) => firstName)).toEqual(['Imię58'])
})

/** Encrypts each copied number for its own row. */
async function resealPhones(seal: string) {
  for (const { id } of await rowsOf(seal))
    await portal.owner.query(`update seal_users set phone = $2 where id = $1`, [
      id,
      encryptInvitedPhone(portal.portal.keys, id, '+48600100200'),
    ])
}

test('R41 the agreement of a seal is fetched again each time: not after the sign-out, not by another person, and never from a cache', async () => {
  const seal = await sealOf()
  await putSealPdf(portal, seal.providerId)
  const path = downloadSealAgreement.path.replace(':id', seal.id)
  const answerTo = async (browser: TestBrowser) => {
    const { status, headers } = await browser.raw('GET', path)
    return [status, headers.get('cache-control')]
  }
  const owner = await signInDirectly(portal, admin)
  expect(await answerTo(owner)).toEqual([200, 'no-store'])
  const cookie = owner.cookie
  await owner.raw('POST', '/api/sign-out', {})
  owner.cookie = cookie
  expect(await answerTo(owner)).toEqual([401, 'no-store'])
  expect(await answerTo(await signInDirectly(portal, await addCustomer(portal)))).toEqual([404, 'no-store'])
  expect(await answerTo(openBrowser(portal))).toEqual([401, 'no-store'])
})

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
  const rows = await portal.rows(
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
