import { X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  getSeal,
  getSealUser,
  listProviderSealUsers,
  putSeal,
  putSealUser,
  type ProviderSealUser,
} from '../../contract/provider-seals.ts'
import { listSeals } from '../../contract/seals.ts'
import { addSealUser } from '../../contract/seal-users.ts'
import { readCertificate } from '../../pki/certificate.ts'
import { openPortal } from '../testing/open-portal.ts'
import { linkToken, openBrowser } from '../testing/browser.ts'
import { addCustomer, letIn } from '../testing/ready-customers.ts'
import { openTestProvider, type TestProvider } from '../testing/provider.ts'
import { drawSeal, inviteTo, makeSeal, mobile, sealUserForm, signInToManage } from '../testing/sample-seals.ts'

let provider: TestProvider
const portal = await openPortal({ settings: { sends: { perNumber: 1000, perAddress: 1000 }, sealUsers: 200 } })
beforeAll(async () => {
  provider = await openTestProvider(portal)
})
afterAll(async () => {
  provider.close()
})

const call = () => openBrowser(portal).call
const stated = (over: Partial<ProviderSealUser> = {}): ProviderSealUser => ({
  ...sealUserForm(),
  locale: 'pl',
  status: 'pending',
  ...over,
})

test('OPS-4 SEA-1 a seal is put with a certificate of a legal person, read back as it was, and put again without a change', async () => {
  const seal = `seal-${crypto.randomUUID()}`
  const body = await drawSeal(provider)
  // EN 319 412-3: the embedded provider's certificate says what kind of holder and of certificate it is.
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
  expect([put.status, put.body]).toEqual([200, { ...body, agreement: 'generating' }])
  await call()(putSeal, { params: { seal }, body })
  expect((await call()(getSeal, { params: { seal } })).body).toEqual(put.body)
  const { rows } = await portal.owner.query(`select from seals where provider_id = $1`, [seal])
  expect(rows).toHaveLength(1)
})

test('OPS-4 a certificate of a person, or none at all, makes no seal', async () => {
  const seal = `seal-${crypto.randomUUID()}`
  const body = await drawSeal(provider)
  const person = await addCustomer(portal)
  const ofPerson = (await provider.draw(person.id)).certificate
  for (const certificate of [ofPerson, Buffer.from('no certificate').toString('base64')]) {
    const refused = await call()(putSeal, { params: { seal }, body: { ...body, certificate } })
    expect([refused.status, refused.problem.code]).toEqual([422, 'certificate-unreadable'])
  }
  expect((await call()(getSeal, { params: { seal } })).status).toBe(404)
})

test('OPS-4 SEA-2 a user whom the provider vouches for has the access at once, with the date it says; one without an account is refused', async () => {
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

test('SEA-3 SEA-5 R40 nobody becomes pending again, what has ended stays so, and a changed address or number ends what was sent before', async () => {
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

test('SEA-3 R40 an invitation to another address begins its time anew, also one that had run out', async () => {
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

test('OPS-4 R36 the provider follows every user of a seal by pages, those too whom an Administrator has invited', async () => {
  const person = await addCustomer(portal)
  const seal = await makeSeal(portal, provider, [{ person, role: 'administrator', status: 'active' }])
  for (let i = 0; i < 100; i++) await inviteTo(portal, seal.providerId, { status: 'deleted' })
  const manager = await signInToManage(portal, person, seal.id)
  const form = sealUserForm()
  const { body: added } = await manager.call(addSealUser, { params: { id: seal.id }, body: form })
  const params = { seal: seal.providerId }
  const { body: one } = await call()(listProviderSealUsers, { params })
  const { body: two } = await call()(listProviderSealUsers, { params, query: { cursor: one.next! } })
  expect([one.items.length, two.items.length, two.next]).toEqual([100, 2, null])
  expect([...one.items, ...two.items].map(({ number }) => number)).toEqual(Array.from({ length: 102 }, (_, i) => i + 1))
  const known = await call()(getSealUser, { params: { ...params, user: two.items[1]!.user } })
  expect([two.items[1]!.user, known.body.phone, known.body.email]).toEqual([added.id, form.phone, form.email])
})
