import { X509Certificate } from 'node:crypto'
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
import type { Input } from '../../contract/endpoint.ts'
import { Period } from '../../contract/enums.ts'
import { listSeals, SealProduct } from '../../contract/seals.ts'
import { addSealUser } from '../../contract/seal-users.ts'
import { readCertificate } from '../../pki/asn1/certificate.ts'
import { manySends } from '../testing/open-portal.ts'
import { openPortalWithProvider } from '../testing/open-provider.ts'
import { linkToken, openBrowser } from '../testing/browser.ts'
import { addCustomer, letIn } from '../testing/samples/ready-customers.ts'
import { drawSeal, inviteTo, makeSeal, mobile, sealUserForm, signInToManage } from '../testing/samples/sample-seals.ts'
import { exhaustive } from '../testing/breadth.ts'

const { portal, provider } = await openPortalWithProvider({
  settings: { ...manySends, sealUsers: 200 },
})

const call = () => openBrowser(portal).call
const stated = (over: Partial<ProviderSealUser> = {}): ProviderSealUser => ({
  ...sealUserForm(),
  locale: 'pl',
  status: 'pending',
  ...over,
})

test('OPS-4 SEA-1 a seal is stored with a certificate of a legal person, read back unchanged, and stored again without effect', async () => {
  const seal = `seal-${crypto.randomUUID()}`
  const body = await drawSeal(provider)
  // EN 319 412-3: the embedded provider's certificate states the kind of its holder and its own kind.
  const read = readCertificate(Buffer.from(body.certificate, 'base64'))
  expect(read.subject).toEqual([
    { name: 'C', value: 'PL' },
    { name: 'O', value: 'Stowarzyszenie Łączność' },
    { name: 'organizationIdentifier', value: 'VATPL-5250001090' },
    { name: 'CN', value: 'Stowarzyszenie Łączność – pieczęć' },
  ])
  expect([read.qualified.compliance, read.qualified.types, read.policies, read.keyUsage]).toEqual([
    true,
    ['eseal'],
    ['0.4.0.194112.1.3'],
    ['nonRepudiation'],
  ])
  const issuer = new X509Certificate(Buffer.from(body.chain[0]!, 'base64'))
  expect(new X509Certificate(Buffer.from(body.certificate, 'base64')).verify(issuer.publicKey)).toBe(true)

  const put = await call()(putSeal, { params: { seal }, body })
  expect([put.status, put.body]).toEqual([200, { ...body, psd2: null, agreement: 'generating' }])
  await call()(putSeal, { params: { seal }, body })
  expect((await call()(getSeal, { params: { seal } })).body).toEqual(put.body)
  const { rows } = await portal.owner.query(`select from seals where provider_id = $1`, [seal])
  expect(rows).toHaveLength(1)
})

test('OPS-4 a certificate of a natural person, or an unreadable one, is refused', async () => {
  const seal = `seal-${crypto.randomUUID()}`
  const body = await drawSeal(provider)
  const person = await addCustomer(portal)
  const ofPerson = (await provider.draw(person.id)).certificate
  for (const [certificate, code] of [
    [ofPerson, 'certificate-refused'],
    [Buffer.from('no certificate').toString('base64'), 'certificate-unreadable'],
  ] as const) {
    const refused = await call()(putSeal, { params: { seal }, body: { ...body, certificate } })
    expect([refused.status, refused.problem.code]).toEqual([422, code])
  }
  expect((await call()(getSeal, { params: { seal } })).status).toBe(404)
})

const psd2 = {
  roles: ['PSP_PI' as const, 'PSP_IC' as const],
  authority: { name: 'Komisja Nadzoru Finansowego', id: 'PL-PFSA' },
}

test('SEA-8 R147 the roles of a PSD2 seal are those of its certificate, and one that states none is refused', async () => {
  const person = await addCustomer(portal)
  const seal = await makeSeal(portal, provider, [{ person, role: 'user', status: 'active' }], {
    product: 'psd2-card',
    psd2,
  })
  const params = { seal: seal.providerId }
  const browser = await letIn(portal, person)
  const shown = async () => (await browser.call(listSeals)).body.items.map(({ product, psd2: read }) => [product, read])
  expect((await call()(getSeal, { params })).body.psd2).toEqual(psd2)
  expect(await shown()).toEqual([['psd2-card', psd2]])

  // Roles that no certificate states cannot be entered.
  const without = await drawSeal(provider, { product: 'psd2-card' })
  const typed = await call()(putSeal, { params, body: { ...without, psd2 } as ProviderSeal })
  expect([typed.status, typed.problem.code]).toEqual([400, 'invalid-input'])
  const bare = [without, await drawSeal(provider, { product: 'psd2-card', psd2: { ...psd2, roles: [] } })]
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
  await call()(putSeal, { params, body: await drawSeal(provider, { product: 'psd2-card', psd2: changed }) })
  expect(await shown()).toEqual([['psd2-card', changed]])
})

test.runIf(exhaustive)(
  'SEA-7 SIG-7 SEA-12 PRV-7 seals of every product and period are stored, read back, listed and found by product, status and period',
  async () => {
    const person = await addCustomer(portal)
    const made = SealProduct.options.flatMap((product) => Period.options.map((period) => ({ product, period })))
    for (const { product, period } of made) {
      const seal = await makeSeal(portal, provider, [{ person, role: 'user', status: 'active' }], {
        product,
        period,
        psd2,
      })
      expect((await call()(getSeal, { params: { seal: seal.providerId } })).body).toMatchObject({ product, period })
    }
    const browser = await letIn(portal, person)
    const { items } = (await browser.call(listSeals)).body
    expect(items.map(({ product, period, pairable }) => `${product} ${period} ${pairable}`).toSorted()).toEqual(
      made.map(({ product, period }) => `${product} ${period} ${product === 'app'}`).toSorted(),
    )
    const names = made.map(({ product, period }) => `${product} ${period}`)
    const named = (listed: { product: string; period: string }[]) =>
      listed.map(({ product, period }) => `${product} ${period}`).toSorted()
    const own = async (query: Required<Input<typeof listSeals>>['query']) =>
      named((await browser.call(listSeals, { query })).body.items)
    const filed = async (query: Required<Input<typeof listProviderSeals>>['query']) =>
      named((await call()(listProviderSeals, { query: { customer: person.id, ...query } })).body.items)
    for (const list of [own, filed]) {
      for (const product of SealProduct.options)
        expect(await list({ product })).toEqual(names.filter((name) => name.startsWith(`${product} `)).toSorted())
      for (const period of Period.options)
        expect(await list({ period })).toEqual(names.filter((name) => name.endsWith(period)).toSorted())
      expect(await list({ product: 'psd2-card', period: '30_days' })).toEqual(['psd2-card 30_days'])
    }
    expect(await own({ status: 'active' })).toEqual(names.toSorted())
    expect(await own({ status: 'inactive' })).toEqual([])
    expect(await filed({ status: 'revoked' })).toEqual([])
    for (const over of [{ product: 'psd2' }, { product: 'psd2-file' }, { period: '10_years' }, { years: 1 }]) {
      const body = { ...(await drawSeal(provider)), ...over } as ProviderSeal
      expect((await call()(putSeal, { params: { seal: 's' }, body })).status).toBe(400)
    }
  },
)

test('OPS-4 SEA-2 a user whom the provider has identified has access at once, with the given date; a user without an account is refused', async () => {
  const person = await addCustomer(portal)
  const seal = await makeSeal(portal, provider, [])
  const params = { seal: seal.providerId, user: 'first' }
  const body = stated({
    email: person.email,
    role: 'administrator',
    status: 'active',
    acquiredAt: '2026-03-14T09:00:00.000Z',
  })
  const put = await call()(putSealUser, { params, body })
  expect([put.status, put.body]).toEqual([
    200,
    {
      user: 'first',
      number: 1,
      ...sealUserFormOf(body),
      status: 'active',
      acquiredAt: body.acquiredAt,
      deletedAt: null,
    },
  ])
  expect((await (await letIn(portal, person)).call(listSeals)).body.items.map(({ id }) => id)).toEqual([seal.id])
  expect((await call()(putSealUser, { params, body })).body).toEqual(put.body)
  const nobody = await call()(putSealUser, {
    params: { ...params, user: 'second' },
    body: stated({ status: 'active' }),
  })
  expect([nobody.status, nobody.problem.code]).toEqual([404, 'not-found'])
})

const sealUserFormOf = ({ email, phone, firstName, surname, role, locale }: ProviderSealUser) => ({
  email,
  phone,
  firstName,
  surname,
  role,
  locale,
})

test('SEA-3 SEA-5 R40 nobody becomes pending again, ended access stays ended, and a changed address or number voids links and codes', async () => {
  const person = await addCustomer(portal)
  const seal = await makeSeal(portal, provider, [{ person, role: 'administrator', status: 'active' }])
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
  const first = { seal: seal.providerId, user: seal.users[0]!.providerId }
  const again = await call()(putSealUser, {
    params: first,
    body: stated({ email: person.email, role: 'administrator' }),
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
  const { rows } = await portal.owner.query<{ days: number }>(
    `select round(extract(epoch from expires_at - now()) / 86400)::int as days from seal_users where provider_id = $1`,
    [params.user],
  )
  expect(rows).toEqual([{ days: 7 }])
})

test.runIf(exhaustive)(
  'OPS-4 R36 the provider pages through all users of a seal, including those invited by an Administrator',
  async () => {
    const person = await addCustomer(portal)
    const seal = await makeSeal(portal, provider, [{ person, role: 'administrator', status: 'active' }])
    for (let i = 0; i < 100; i++) await inviteTo(portal, seal.providerId, { status: 'deleted' })
    const manager = await signInToManage(portal, person, seal.id)
    const form = sealUserForm()
    const { body: added } = await manager.call(addSealUser, { params: { id: seal.id }, body: form })
    const params = { seal: seal.providerId }
    const { body: first } = await call()(listProviderSealUsers, { params })
    const { body: second } = await call()(listProviderSealUsers, { params, query: { cursor: first.next! } })
    expect([first.items.length, second.items.length, second.next]).toEqual([100, 2, null])
    expect([...first.items, ...second.items].map(({ number }) => number)).toEqual(
      Array.from({ length: 102 }, (_, i) => i + 1),
    )
    const known = await call()(getSealUser, { params: { ...params, user: second.items[1]!.user } })
    expect([second.items[1]!.user, known.body.phone, known.body.email]).toEqual([added.id, form.phone, form.email])
  },
)
