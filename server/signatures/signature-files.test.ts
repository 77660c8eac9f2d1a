import { createHash, X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { downloadAgreement, downloadCertificate, readCertificate } from '../../contract/signatures.ts'
import { decryptCertificates } from '../platform/encrypted-data/encrypted-fields.ts'
import { addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import { pdfWith } from '../testing/provider.ts'
import { auditEntries } from '../testing/audit-entries.ts'
import type { AuditAction } from '../../contract/audit-actions.ts'
import { openPortalWithProvider } from '../testing/open-portal.ts'

const { portal, provider } = await openPortalWithProvider()
const person = await addCustomer(portal)
const customer = await signInDirectly(portal, person)

/** Downloads a file as a browser does. */
async function download(path: string) {
  const response = await customer.raw('GET', path)
  return { status: response.status, headers: response.headers, content: Buffer.from(await response.arrayBuffer()) }
}

const agreementPath = (id: string) => downloadAgreement.path.replace(':id', id)
const entriesOf = (action: AuditAction, signature: string) => auditEntries(portal, { action, details: { signature } })

/** The DER of the stored certificates of a signature. */
async function certificatesOf(id: string) {
  const { rows } = await portal.owner.query<{ certificates: Buffer }>(
    'select certificates from signatures where id = $1',
    [id],
  )
  const { certificate, chain } = decryptCertificates(portal.portal.keys, id, rows[0]!.certificates)
  return [certificate, ...chain].map((der) => Buffer.from(der, 'base64'))
}

test('SIG-2 the agreement downloads as the PDF that the provider stored, under a name in its language, and is audited', async () => {
  for (const [agreementLanguage, name] of [
    ['pl', 'umowa.pdf'],
    ['en', 'agreement.pdf'],
  ] as const) {
    const { id, providerId } = await provider.give(person, { agreementLanguage })
    const pdf = pdfWith(crypto.randomUUID())
    await provider.putAgreement(providerId, pdf)
    const { status, headers, content } = await download(agreementPath(id))
    expect([status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      200,
      'application/pdf',
      `attachment; filename="${name}"; filename*=UTF-8''${name}`,
    ])
    expect(content).toEqual(pdf)
    expect(await entriesOf('agreement-downloaded', id)).toHaveLength(1)
  }
})

test('SIG-2 DOC-7 an agreement that is not there yet is answered with a time to try again', async () => {
  const { id, providerId } = await provider.give(person)
  const early = await customer.call(downloadAgreement, { params: { id } })
  expect(early).toMatchObject({ status: 422, problem: { code: 'agreement-not-ready', retryAfter: 60 } })
  expect(early.headers.get('retry-after')).toBe('60')
  expect(await entriesOf('agreement-downloaded', id)).toHaveLength(0)
  await provider.putAgreement(providerId)
  expect((await download(agreementPath(id))).status).toBe(200)
})

test('SIG-2 a newer agreement replaces the earlier one, whose file is removed from the store', async () => {
  const { id, providerId } = await provider.give(person)
  await provider.putAgreement(providerId)
  const keyOf = async () => {
    const { rows } = await portal.owner.query('select agreement_key as key from signatures where id = $1', [id])
    return rows[0].key as string
  }
  const first = await keyOf()
  const newer = pdfWith('newer')
  await provider.putAgreement(providerId, newer)
  expect((await download(agreementPath(id))).content).toEqual(newer)
  expect(await portal.portal.ports.documents.read(first)).toBe(undefined)
  // Two at once: the last agreement is kept, and the first leaves no file behind.
  const removed: string[] = [await keyOf()]
  const { documents } = portal.portal.ports
  const remove = documents.remove.bind(documents)
  documents.remove = (key) => {
    removed.push(key)
    return remove(key)
  }
  await Promise.all(Array.from({ length: 6 }, (_, i) => provider.putAgreement(providerId, pdfWith(String(i)))))
  documents.remove = remove
  expect(new Set(removed).size).toBe(6)
  expect(removed).not.toContain(await keyOf())
  expect((await download(agreementPath(id))).status).toBe(200)
})

test('SIG-5 the certificate is shown as it is, and downloads as DER, and with its chain as PEM', async () => {
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
  expect(body.chain.map((issuing) => issuing.subject)).toEqual(['Sygnet TEST Qualified CA', 'Sygnet TEST Root CA'])

  const path = (format: string) => downloadCertificate.path.replace(':id', id).replace(':format', format)
  const der = await download(path('der'))
  expect([der.headers.get('content-type'), der.content]).toEqual(['application/pkix-cert', certificate])
  const pem = await download(path('pem'))
  expect([pem.status, pem.headers.get('content-type')]).toEqual([200, 'application/x-pem-file'])
  const blocks = pem.content.toString().match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)!
  expect(blocks.map((block) => new X509Certificate(block).raw)).toEqual(await certificatesOf(id))
  expect(await entriesOf('certificate-downloaded', id)).toHaveLength(2)
  for (const format of ['txt', 'PEM', 'p12', 'pem%00'])
    expect([format, (await download(path(format))).status]).toEqual([format, 400])
})
