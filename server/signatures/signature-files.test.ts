import { createHash, X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { downloadAgreement, downloadCertificate, readCertificate } from '../../contract/signatures.ts'
import { openCertificates } from '../sealed-fields.ts'
import { openPortal } from '../testing/open-portal.ts'
import { type Person, type TestBrowser } from '../testing/browser.ts'
import { addCustomer, letIn } from '../testing/ready-customers.ts'
import { openTestProvider, samplePdf, type TestProvider } from '../testing/provider.ts'

let provider: TestProvider
let person: Person
let customer: TestBrowser
const portal = await openPortal()
beforeAll(async () => {
  provider = await openTestProvider(portal)
  person = await addCustomer(portal)
  customer = await letIn(portal, person)
})
afterAll(async () => {
  provider.close()
})

/** A file as the browser gets it. */
async function download(path: string) {
  const response = await customer.raw('GET', path)
  return { status: response.status, headers: response.headers, content: Buffer.from(await response.arrayBuffer()) }
}

const agreementPath = (id: string) => downloadAgreement.path.replace(':id', id)
const recorded = async (act: string, id: string) => {
  const { rows } = await portal.owner.query<{ count: number }>(
    `select count(*)::int as count from audit where act = $1 and details->>'signature' = $2 and account_id is not null`,
    [act, id],
  )
  return rows[0]!.count
}

/** The DER of what was filed for a signature. */
async function certificatesOf(id: string) {
  const { certificates } = await portal.db
    .selectFrom('signatures')
    .select('certificates')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const { certificate, chain } = openCertificates(portal.portal.keys, id, certificates)
  return [certificate, ...chain].map((der) => Buffer.from(der, 'base64'))
}

test('SIG-2 the agreement comes as the PDF that the provider filed, under a name in its language, and is recorded', async () => {
  for (const [agreementLanguage, name] of [
    ['pl', 'umowa.pdf'],
    ['en', 'agreement.pdf'],
  ] as const) {
    const { id, providerId } = await provider.give(person, { agreementLanguage })
    const pdf = Buffer.concat([samplePdf, Buffer.from(crypto.randomUUID())])
    await provider.putAgreement(providerId, new Uint8Array(pdf))
    const { status, headers, content } = await download(agreementPath(id))
    expect([status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      200,
      'application/pdf',
      `attachment; filename="${name}"; filename*=UTF-8''${name}`,
    ])
    expect(content).toEqual(pdf)
    expect(await recorded('agreement-downloaded', id)).toBe(1)
  }
})

test('SIG-2 DOC-7 an agreement that is not there yet is told so, with a time to try again', async () => {
  const { id, providerId } = await provider.give(person)
  const early = await customer.call(downloadAgreement, { params: { id } })
  expect(early).toMatchObject({ status: 422, problem: { code: 'agreement-not-ready', retryAfter: 60 } })
  expect(early.headers.get('retry-after')).toBe('60')
  expect(await recorded('agreement-downloaded', id)).toBe(0)
  await provider.putAgreement(providerId)
  expect((await download(agreementPath(id))).status).toBe(200)
})

test('SIG-2 a newer agreement takes the place of the one before, and nothing of that stays in the store', async () => {
  const { id, providerId } = await provider.give(person)
  await provider.putAgreement(providerId)
  const keyOf = async () =>
    (
      await portal.db
        .selectFrom('signatures')
        .select('agreement_key as key')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).key!
  const first = await keyOf()
  const newer = Buffer.concat([samplePdf, Buffer.from('newer')])
  await provider.putAgreement(providerId, new Uint8Array(newer))
  expect((await download(agreementPath(id))).content).toEqual(newer)
  expect(await portal.portal.ports.documents.read(first)).toBe(undefined)
  // Two at once: whichever comes last is the one that is kept, and the other leaves nothing either.
  const removed: string[] = [await keyOf()]
  const { documents } = portal.portal.ports
  const remove = documents.remove.bind(documents)
  documents.remove = (key) => {
    removed.push(key)
    return remove(key)
  }
  await Promise.all(
    Array.from({ length: 6 }, (_, i) =>
      provider.putAgreement(providerId, new Uint8Array(Buffer.concat([samplePdf, Buffer.from([i])]))),
    ),
  )
  documents.remove = remove
  expect(new Set(removed).size).toBe(6)
  expect(removed).not.toContain(await keyOf())
  expect((await download(agreementPath(id))).status).toBe(200)
})

test('SIG-5 the certificate is shown as it is: subject, issuer, number, use and chain', async () => {
  const subject = {
    givenName: 'Zażółć',
    surname: 'Gęślą',
    serialNumber: 'PNOPL-44051401458',
    organisation: { name: 'Jaźń', identifier: 'VATPL-1234563218', unit: 'Dział', position: 'Prezes' },
  }
  const { id } = await provider.give(person, { subject })
  const [certificate] = (await certificatesOf(id)) as [Buffer]
  const read = new X509Certificate(certificate)
  const { status, body } = await customer.call(readCertificate, { params: { id } })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    signature: { id, name: 'Zażółć Gęślą' },
    serialNumber: read.serialNumber,
    sha256: createHash('sha256').update(certificate).digest('hex').toUpperCase(),
    qualified: true,
    publicKey: expect.stringMatching(/256/) as string,
  })
  expect(Object.fromEntries(body.subject.map(({ name, value }) => [name, value]))).toMatchObject({
    CN: 'Zażółć Gęślą',
    O: 'Jaźń',
    OU: 'Dział',
    serialNumber: 'PNOPL-44051401458',
  })
  expect(body.issuer.find(({ name }) => name === 'CN')!.value).toBe('Sygnet TEST Qualified CA')
  expect(body.keyUsage.length).toBeGreaterThan(0)
  expect(body.chain.map((one) => one.subject)).toEqual(['Sygnet TEST Qualified CA', 'Sygnet TEST Root CA'])
})

test('SIG-5 the certificate downloads as DER, and with its chain as PEM, and each is recorded', async () => {
  const { id } = await provider.give(person)
  const certificates = await certificatesOf(id)
  const path = (format: string) => downloadCertificate.path.replace(':id', id).replace(':format', format)
  const der = await download(path('der'))
  expect([der.status, der.headers.get('content-type'), der.content]).toEqual([
    200,
    'application/pkix-cert',
    certificates[0],
  ])
  const pem = await download(path('pem'))
  expect([pem.status, pem.headers.get('content-type')]).toEqual([200, 'application/x-pem-file'])
  const blocks = pem.content.toString().match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)!
  expect(blocks.map((block) => new X509Certificate(block).raw)).toEqual(certificates)
  expect(await recorded('certificate-downloaded', id)).toBe(2)
  for (const format of ['txt', 'PEM', 'p12', 'pem%00'])
    expect([format, (await download(path(format))).status]).toEqual([format, 400])
})
