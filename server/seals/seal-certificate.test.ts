import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { removeSealUser } from '../../contract/seal-users.ts'
import { downloadSealCertificate, readSealCertificate } from '../../contract/seals.ts'
import { auditEntries } from '../testing/audit-entries.ts'
import { manySends, openPortalWithProvider } from '../testing/open-portal.ts'
import { addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import { makeSeal, member, signInToManage } from '../testing/samples/sample-seals.ts'

const { portal, provider } = await openPortalWithProvider({ settings: manySends })

const filePath = (id: string, format: string) =>
  downloadSealCertificate.path.replace(':id', id).replace(':format', format)

async function certificatesOf(id: string) {
  const { rows } = await portal.owner.query<{ certificate: Buffer; chain: Buffer[] }>(
    'select certificate, chain from seals where id = $1',
    [id],
  )
  return [rows[0]!.certificate, ...rows[0]!.chain]
}

test('SEA-14 a seal’s certificate is shown to its users, and each download is in their history', async () => {
  const [administrator, user] = [await addCustomer(portal), await addCustomer(portal)]
  const options = { organisation: 'Zażółć Gęślą S.A.', identifier: 'VATPL-1234563218' }
  const { id } = await makeSeal(portal, provider, [member(administrator), member(user, 'user')], options)
  const certificates = await certificatesOf(id)
  for (const person of [administrator, user]) {
    const { body } = await (await signInDirectly(portal, person)).call(readSealCertificate, { params: { id } })
    expect(body).toMatchObject({ serialNumber: new X509Certificate(certificates[0]!).serialNumber, qualified: true })
    expect(body.subject).toContainEqual(expect.objectContaining({ name: 'O', value: 'Zażółć Gęślą S.A.' }))
    expect(body.chain.map(({ subject }) => subject)).toEqual(['Sygnet TEST Qualified CA', 'Sygnet TEST Root CA'])
  }
  const browser = await signInDirectly(portal, user)
  const download = async (format: string) =>
    Buffer.from(await (await browser.raw('GET', filePath(id, format))).arrayBuffer())
  expect(await download('der')).toEqual(certificates[0])
  const blocks = (await download('pem')).toString().match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)!
  expect(blocks.map((block) => new X509Certificate(block).raw)).toEqual(certificates)
  const entries = (login: string) =>
    auditEntries(portal, { login, action: 'certificate-downloaded', details: { seal: id } })
  expect((await entries(user.login)).map(({ details }) => details['format'])).toEqual(['der', 'pem'])
  expect(await entries(administrator.login)).toEqual([])
})

test('SEA-14 R34 R40 whoever is only invited, was removed, or never had access gets neither', async () => {
  const [administrator, removed, invited, stranger] = await Promise.all(
    Array.from({ length: 4 }, () => addCustomer(portal)),
  )
  const { id, users } = await makeSeal(portal, provider, [
    member(administrator!),
    member(removed!, 'user'),
    member(invited!, 'user', 'pending'),
  ])
  const before = await signInDirectly(portal, removed!)
  expect((await before.call(readSealCertificate, { params: { id } })).status).toBe(200)
  const manager = await signInToManage(portal, administrator!, id)
  expect((await manager.call(removeSealUser, { params: { id, user: users[1]!.id } })).status).toBe(200)
  for (const browser of [before, await signInDirectly(portal, invited!), await signInDirectly(portal, stranger!)]) {
    const { status, problem } = await browser.call(readSealCertificate, { params: { id } })
    expect([status, problem.code]).toEqual([404, 'not-found'])
    expect((await browser.raw('GET', filePath(id, 'pem'))).status).toBe(404)
  }
  expect(await auditEntries(portal, { action: 'certificate-downloaded', details: { seal: id } })).toEqual([])
})
