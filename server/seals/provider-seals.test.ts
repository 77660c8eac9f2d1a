import { expect, test } from 'vitest'
import {
  getSeal,
  getSealUser,
  listProviderSeals,
  listProviderSealUsers,
  putSeal,
  putSealUser,
  type ProviderSeal,
  type ProviderSealUser,
} from '../../contract/provider/provider-seals.ts'
import { addSealUser } from '../../contract/seal-users.ts'
import { listSeals } from '../../contract/seals.ts'
import { openBrowser } from '../testing/browser.ts'
import { manySends, openPortalWithProvider } from '../testing/open-portal.ts'
import { addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import {
  issueSeal,
  inviteTo,
  makeSeal,
  member,
  mobile,
  sealUserForm,
  signInToManage,
} from '../testing/samples/sample-seals.ts'
import { linkToken } from '../testing/sent-messages.ts'

const { portal, provider } = await openPortalWithProvider({ settings: { ...manySends, sealUsers: 200 } })

const call = () => openBrowser(portal).call
const stated = (over: Partial<ProviderSealUser> = {}): ProviderSealUser => ({
  ...sealUserForm(),
  locale: 'pl',
  status: 'pending',
  ...over,
})

test('OPS-4 SEA-1 a seal is stored, read back unchanged, and stored again without effect', async () => {
  const seal = `seal-${crypto.randomUUID()}`
  const body = await issueSeal(provider)
  const put = await call()(putSeal, { params: { seal }, body })
  expect([put.status, put.body]).toEqual([200, { ...body, psd2: null, agreement: 'generating' }])
  await call()(putSeal, { params: { seal }, body })
  expect((await call()(getSeal, { params: { seal } })).body).toEqual(put.body)
  const { rows } = await portal.owner.query(`select from seals where provider_id = $1`, [seal])
  expect(rows).toHaveLength(1)
})

const psd2 = {
  roles: ['PSP_PI' as const, 'PSP_IC' as const],
  authority: { name: 'Komisja Nadzoru Finansowego', id: 'PL-PFSA' },
}

test('SEA-8 R147 the roles of a PSD2 seal are those of its certificate, and one that states none is refused', async () => {
  const person = await addCustomer(portal)
  const seal = await makeSeal(portal, provider, [member(person, 'user')], { product: 'psd2-card', psd2 })
  const params = { seal: seal.providerId }
  const browser = await signInDirectly(portal, person)
  const shown = async () => (await browser.call(listSeals)).body.items.map(({ product, psd2: read }) => [product, read])
  expect((await call()(getSeal, { params })).body.psd2).toEqual(psd2)
  expect(await shown()).toEqual([['psd2-card', psd2]])
  const filed = async (query: { product: 'psd2-card' | 'app'; period: '1_year' }) =>
    (await call()(listProviderSeals, { query: { customer: person.id, ...query } })).body.items.map((item) => item.seal)
  expect(await filed({ product: 'psd2-card', period: '1_year' })).toEqual([seal.providerId])
  expect(await filed({ product: 'app', period: '1_year' })).toEqual([])

  // Roles that no certificate states cannot be entered.
  const without = await issueSeal(provider, { product: 'psd2-card' })
  const typed = await call()(putSeal, { params, body: { ...without, psd2 } as ProviderSeal })
  expect([typed.status, typed.problem.code]).toEqual([400, 'invalid-input'])
  const bare = [without, await issueSeal(provider, { product: 'psd2-card', psd2: { ...psd2, roles: [] } })]
  for (const body of bare) {
    const refused = await call()(putSeal, { params, body })
    expect([refused.status, refused.problem.code, refused.problem.reason]).toEqual([
      422,
      'certificate-differs',
      'psd2-roles-missing',
    ])
  }
  expect(await shown()).toEqual([['psd2-card', psd2]])

  const changed = { roles: ['PSP_AS' as const], authority: { name: 'Bundesanstalt', id: 'DE-BAFIN' } }
  await call()(putSeal, { params, body: await issueSeal(provider, { product: 'psd2-card', psd2: changed }) })
  expect(await shown()).toEqual([['psd2-card', changed]])
})

test('OPS-4 SEA-2 a user whom the provider has identified has access at once, with the given date; a user without an account is refused', async () => {
  const person = await addCustomer(portal)
  const seal = await makeSeal(portal, provider, [])
  const params = { seal: seal.providerId, user: 'first' }
  const acquiredAt = '2026-03-14T09:00:00.000Z'
  const body = stated({ email: person.email, role: 'admin', status: 'active', acquiredAt })
  const put = await call()(putSealUser, { params, body })
  expect([put.status, put.body]).toEqual([200, { user: 'first', number: 1, ...body, deletedAt: null }])
  expect((await (await signInDirectly(portal, person)).call(listSeals)).body.items.map(({ id }) => id)).toEqual([
    seal.id,
  ])
  expect((await call()(putSealUser, { params, body })).body).toEqual(put.body)
  const nobody = await call()(putSealUser, {
    params: { ...params, user: 'second' },
    body: stated({ status: 'active' }),
  })
  expect([nobody.status, nobody.problem.code]).toEqual([404, 'not-found'])
})

test('SEA-3 SEA-5 R40 nobody becomes pending again, ended access stays ended, and a changed address or number voids links and codes', async () => {
  const person = await addCustomer(portal)
  const seal = await makeSeal(portal, provider, [member(person)])
  const params = { seal: seal.providerId, user: 'one' }
  const body = stated()
  await call()(putSealUser, { params, body })
  await portal.deliver()
  const token = linkToken(portal, body.email)
  const moved = await call()(putSealUser, { params, body: { ...body, phone: mobile() } })
  expect(moved.status).toBe(200)
  await portal.deliver()
  expect(linkToken(portal, body.email)).not.toBe(token)
  const links = await portal.owner.query(
    `select from links l join accounts a on a.id = l.account_id where a.email = $1`,
    [body.email],
  )
  expect(links.rowCount).toBe(1)

  const gone = await call()(putSealUser, { params, body: { ...body, status: 'deleted' } })
  expect([gone.status, gone.body.status, gone.body.deletedAt !== null]).toEqual([200, 'deleted', true])
  for (const status of ['pending', 'active'] as const) {
    const back = await call()(putSealUser, { params, body: { ...body, email: person.email, status } })
    expect([back.status, back.problem.code]).toEqual([422, 'state-passed'])
  }
  const again = await call()(putSealUser, {
    params: { seal: seal.providerId, user: seal.users[0]!.providerId },
    body: stated({ email: person.email, role: 'admin' }),
  })
  expect([again.status, again.problem.code]).toEqual([422, 'state-passed'])
  const twice = await call()(putSealUser, { params: { ...params, user: 'two' }, body: stated({ email: person.email }) })
  expect([twice.status, twice.problem.code]).toEqual([422, 'seal-user-exists'])
})

test('SEA-3 R40 an invitation to another address gets its full time again, even after it had expired', async () => {
  const seal = await makeSeal(portal, provider, [])
  const params = { seal: seal.providerId, user: 'mistyped' }
  const body = stated()
  await call()(putSealUser, { params, body })
  await portal.owner.query(`update seal_users set expires_at = now() - interval '1 hour' where provider_id = $1`, [
    params.user,
  ])
  const { email } = sealUserForm()
  expect((await call()(putSealUser, { params, body: { ...body, email } })).status).toBe(200)
  await portal.deliver()
  expect(linkToken(portal, email)).toMatch(/^[\w-]{43}$/)
  const rows = await portal.rows(
    `select round(extract(epoch from expires_at - now()) / 86400)::int as days from seal_users where provider_id = $1`,
    [params.user],
  )
  expect(rows).toEqual([{ days: 7 }])
})

test('OPS-4 SEA-2 the provider lists all users of a seal, also those of an Administrator', async () => {
  const person = await addCustomer(portal)
  const seal = await makeSeal(portal, provider, [member(person)])
  await inviteTo(portal, seal.providerId, { status: 'deleted' })
  const manager = await signInToManage(portal, person, seal.id)
  const form = sealUserForm()
  const { body: added } = await manager.call(addSealUser, { params: { id: seal.id }, body: form })
  const params = { seal: seal.providerId }
  const { items } = (await call()(listProviderSealUsers, { params })).body
  expect(items.map(({ number, user }) => [number, user === added.id])).toEqual([
    [1, false],
    [2, false],
    [3, true],
  ])
  const known = await call()(getSealUser, { params: { ...params, user: added.id } })
  expect([known.body.phone, known.body.email]).toEqual([form.phone, form.email])
})
