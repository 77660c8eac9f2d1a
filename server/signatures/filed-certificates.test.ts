import { generateKeyPairSync } from 'node:crypto'
import { KeyUsageFlags } from '@peculiar/asn1-x509'
import { describe, expect, test } from 'vitest'
import { putCustomer } from '../../contract/provider/provider-customers.ts'
import { getSeal, putSeal, type ProviderSeal } from '../../contract/provider/provider-seals.ts'
import { getSignature, putSignature, type ProviderSignature } from '../../contract/provider/provider-signatures.ts'
import { certificateMoves, CertificateStatus } from '../../contract/signatures-and-seals.ts'
import { berChildren, derValue } from '../../pki/asn1/der.ts'
import { openBrowser } from '../testing/browser.ts'
import { openPortalWithProvider } from '../testing/open-portal.ts'
import { sampleIdentification } from '../testing/portal-nodes.ts'
import { craftAuthority, ofOrganisation, ofPerson, type CraftedParts } from '../testing/samples/crafted-certificates.ts'
import { addCustomer } from '../testing/samples/ready-customers.ts'
import { issueSeal } from '../testing/samples/sample-seals.ts'

const { portal, provider } = await openPortalWithProvider({ nodes: 2 })
const person = await addCustomer(portal)
const { draw, chain } = craftAuthority('Crafted')

const newId = () => `o-${crypto.randomUUID()}`
const call = openBrowser(portal).call
const sign = (certificate: string, over: Partial<ProviderSignature> = {}) => ({
  customer: person.id,
  product: 'app' as const,
  identifierType: 'PNO' as const,
  period: '1_year' as const,
  certificate,
  chain,
  status: 'good' as const,
  agreementLanguage: 'pl' as const,
  ...over,
})
const seal = (certificate: string, over: Partial<ProviderSeal> = {}): ProviderSeal => {
  const { customer: _, identifierType: __, ...body } = sign(certificate)
  return { ...body, ...over }
}
const put = (body: ProviderSignature, signature = newId()) => call(putSignature, { params: { signature }, body })
const file = (body: ProviderSeal, id = newId()) => call(putSeal, { params: { seal: id }, body })

describe('PRV-1 R139 statuses of certificates', () => {
  test.each(CertificateStatus.options.flatMap((from) => CertificateStatus.options.map((to) => [from, to] as const)))(
    'PRV-1 R139 from %s to %s, as the table of the contract says, for signatures and seals, in the database too',
    async (from, to) => {
      const isAllowed = from === to || (certificateMoves[from] as readonly string[]).includes(to)
      const [id, body] = [newId(), await provider.signedBody(person.id, { status: from })]
      const [sealId, sealBody] = [newId(), await issueSeal(provider, { status: from })]
      expect([(await put(body, id)).status, (await file(sealBody, sealId)).status]).toEqual([200, 200])
      const answers = [await put({ ...body, status: to }, id), await file({ ...sealBody, status: to }, sealId)]
      for (const answer of answers)
        if (isAllowed) expect(answer.body.status).toBe(to)
        else expect(answer.problem).toMatchObject({ status: 422, code: 'state-passed', current: from })
      for (const [table, provided] of Object.entries({ signatures: id, seals: sealId })) {
        const change = portal.owner.query(`update ${table} set status = $2 where provider_id = $1`, [provided, to])
        if (isAllowed) await change
        else await expect(change).rejects.toThrow(`a certificate cannot go from ${from} to ${to}`)
      }
    },
  )

  test('PRV-1 another certificate does not bring a revoked signature or seal back', async () => {
    const [id, sealId] = [newId(), newId()]
    await put(await provider.signedBody(person.id, { status: 'revoked' }), id)
    await file(await issueSeal(provider, { status: 'revoked' }), sealId)
    for (const status of CertificateStatus.options) {
      expect((await put(await provider.signedBody(person.id, { status }), id)).problem.code).toBe('state-passed')
      expect((await file(await issueSeal(provider, { status }), sealId)).problem.code).toBe('state-passed')
    }
  })
})

describe('PRV-2 R140 one certificate has one id', () => {
  test('PRV-2 R140 a certificate that is filed is refused under another id, and the answer reveals nothing else', async () => {
    const [first, stranger] = [newId(), await addCustomer(portal)]
    const body = await provider.signedBody(person.id)
    await put(body, first)
    for (const customer of [person.id, stranger.id]) {
      const { problem } = await put({ ...body, customer })
      expect(problem).toMatchObject({ status: 422, code: 'certificate-filed', current: first })
      expect(JSON.stringify(problem)).not.toContain(person.id)
    }
    const [sealId, sealBody] = [newId(), await issueSeal(provider)]
    await file(sealBody, sealId)
    expect((await file(sealBody)).problem).toMatchObject({ code: 'certificate-filed', current: sealId })
  })

  test('PRV-2 R140 of twenty calls at once for one certificate under as many ids, one files it', async () => {
    const body = await provider.signedBody(person.id)
    const ids = Array.from({ length: 20 }, newId)
    const answers = await Promise.all(
      ids.map((signature, i) => call(putSignature, { params: { signature }, body }, i % 2)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ problem }) => problem.code === 'certificate-filed')).toHaveLength(19)
  })

  test('PRV-2 R140 the other valid form of an ECDSA signature makes no other certificate of it', async () => {
    const certificate = draw()
    await put(sign(certificate))
    const other = withOtherSignature(certificate)
    expect(other).not.toBe(certificate)
    expect((await put(sign(other))).problem.code).toBe('certificate-filed')
  })
})

/** Returns the same certificate with (r, n − s) instead of (r, s), which verifies as well. */
function withOtherSignature(certificate: string) {
  const order = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551')
  const [body, algorithm, bits] = berChildren(Buffer.from(certificate, 'base64'))
  // The bit string of a P-256 signature: tag, length and unused bits, then SEQUENCE { INTEGER r, INTEGER s }.
  const [r, s] = berChildren(bits!.subarray(3))
  const digits = (order - BigInt(`0x${Buffer.from(s!.subarray(2)).toString('hex')}`)).toString(16)
  // A DER INTEGER has as few bytes as can say that it is positive (X.690 §8.3.2).
  const padded = digits.length % 2 ? `0${digits}` : digits < '8' ? digits : `00${digits}`
  const signature = derValue(0x30, r!, derValue(2, Buffer.from(padded, 'hex')))
  return Buffer.from(derValue(0x30, body!, algorithm!, derValue(3, Buffer.of(0), signature))).toString('base64')
}

describe('PRV-2 R139 what the certificate says', () => {
  const strange = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const numbered = (serialNumber: string) => ({ subject: { ...ofPerson, serialNumber } })
  const people: [string, Partial<CraftedParts>, RegExp, field?: string][] = [
    ['of an authority', { authority: true }, /an authority’s/],
    ['for key agreement', { usage: KeyUsageFlags.keyAgreement }, /key usage.*nonRepudiation/],
    ['for authentication', { usage: KeyUsageFlags.digitalSignature }, /key usage.*nonRepudiation/],
    ['of a seal by its type', { types: ['eseal'] }, /QcType.*esign/],
    ['of a website', { types: ['web'] }, /QcType.*esign/],
    ['of an organisation', { subject: ofOrganisation }, /not a person/],
    ['without a number', { subject: { SN: 'Nowak', GN: 'Anna', CN: 'Anna Nowak' } }, /no serialNumber/],
    ['with another type of number', numbered('TINPL-1234563218'), /type TIN/, 'identifierType'],
    ['with the provider’s own number', numbered('4711'), /type ECN/, 'identifierType'],
    ['with a short key', { rsa: 1024 }, /too weak/],
    ['that ends before it begins', { notAfter: new Date('2020-01-01') }, /ends before it begins/],
    ['signed by somebody else', { signedBy: strange }, /not signed by its key/, 'chain.0'],
  ]
  test.each(people)(
    'PRV-2 R139 a signature’s certificate %s is refused, with its field and a sentence',
    async (_, parts, detail, name = 'certificate') => {
      const id = newId()
      const { problem } = await put(sign(draw(parts)), id)
      expect(problem).toMatchObject({ status: 422, code: 'certificate-refused' })
      expect(problem.fields).toContainEqual({ name, problem: 'format', detail: expect.stringMatching(detail) })
      expect((await call(getSignature, { params: { signature: id } })).status).toBe(404)
    },
  )

  const organisations: [string, Partial<CraftedParts>, RegExp][] = [
    ['of a person', { subject: { ...ofPerson, O: 'Znak', organizationIdentifier: 'VATPL-1234563218' } }, /is a person/],
    ['for signatures', { types: ['esign'] }, /QcType.*eseal/],
    ['qualified without a type', { types: [] }, /QcType.*eseal/],
    ['without an organisation’s number', { subject: { C: 'PL', O: 'Znak', CN: 'Znak' } }, /organizationIdentifier/],
    ['for key agreement', { usage: KeyUsageFlags.keyAgreement }, /key usage/],
  ]
  const ofSeal = { subject: ofOrganisation, types: ['eseal' as const] }
  test.each(organisations)('PRV-2 R139 a seal’s certificate %s is refused', async (_, parts, detail) => {
    const id = newId()
    const { problem } = await file(seal(draw({ ...ofSeal, ...parts })), id)
    const expected = { name: 'certificate', problem: 'format', detail: expect.stringMatching(detail) }
    expect(problem.fields).toContainEqual(expected)
    expect((await call(getSeal, { params: { seal: id } })).status).toBe(404)
  })

  test('PRV-2 what fits is accepted: not qualified, without a device, for seals also with digitalSignature only', async () => {
    const answers = [
      await put(sign(draw({ types: [], compliance: false, device: false }), { product: 'file' })),
      await put(sign(draw({ types: [] }))),
      await file(seal(draw({ ...ofSeal, usage: KeyUsageFlags.digitalSignature }))),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  })

  test('PRV-2 SIG-7 a certificate is not valid for longer than its period, also when only the period of a known one changes; a shorter one is', async () => {
    const day = 86_400_000
    const lasting = (days: number) => ({ notBefore: new Date(), notAfter: new Date(Date.now() + days * day) })
    const cases = [
      [30, '1_day'],
      [365, '30_days'],
      [730, '1_year'],
      [1096, '2_year'],
    ] as const
    for (const [days, period] of cases) {
      const [id, sealId] = [newId(), newId()]
      const body = sign(draw(lasting(days)), { period: '3_year' })
      const sealBody = seal(draw({ ...ofSeal, ...lasting(days) }), { period: '3_year' })
      const expected = {
        code: 'certificate-refused',
        fields: [{ name: 'period', problem: 'format', detail: expect.stringContaining(`${days} days`) }],
      }
      const refuses = async () => {
        expect((await put({ ...body, period }, id)).problem).toMatchObject(expected)
        expect((await file({ ...sealBody, period }, sealId)).problem).toMatchObject(expected)
      }
      await refuses()
      expect([(await put(body, id)).status, (await file(sealBody, sealId)).status]).toEqual([200, 200])
      await refuses()
      expect((await call(getSignature, { params: { signature: id } })).body.period).toBe('3_year')
    }
    for (const [days, period] of [
      [2, '1_day'],
      [31, '30_days'],
      [366 + 30, '1_year'],
      [731, '2_year'],
    ] as const)
      expect((await put(sign(draw(lasting(days)), { period }))).status).toBe(200)
  })

  test('PRV-2 R139 a key in a qualified device is not in a file', async () => {
    const expected = [{ name: 'product', problem: 'format', detail: expect.stringMatching(/cannot be in a file/) }]
    expect((await put(sign(draw(), { product: 'file' }))).problem.fields).toEqual(expected)
    expect((await file(seal(draw(ofSeal), { product: 'file' }))).problem.fields).toEqual(expected)
  })

  test('PRV-2 R139 a chain is refused where it breaks: another authority’s, in another order, or through a certificate that is not an authority’s', async () => {
    const other = craftAuthority('Crafted')
    const noAuthority = craftAuthority('None', { issuingIsAuthority: false })
    const cases: [string, string[], string, RegExp][] = [
      [draw(), other.chain, 'chain.0', /not signed by its key/],
      [draw(), chain.toReversed(), 'chain.0', /not the issuer/],
      [draw(), [chain[0]!, other.chain[1]!], 'chain.1', /not signed by its key/],
      [noAuthority.draw(), noAuthority.chain, 'chain.0', /not an authority/],
    ]
    for (const [certificate, given, name, detail] of cases) {
      const { problem } = await put(sign(certificate, { chain: given }))
      expect(problem.fields).toEqual([{ name, problem: 'format', detail: expect.stringMatching(detail) }])
    }
  })
})

describe('PRV-2 R139 whose certificate it is', () => {
  test('PRV-2 R139 the number in the certificate is the customer’s, or that of the document; a later status is taken even if the number is not theirs any more', async () => {
    const { id: customer, password: _, ...owner } = await addCustomer(portal)
    const identify = (identificationNumber: string, birthDate: string) =>
      call(putCustomer, {
        params: { customer },
        body: { ...owner, identification: { ...sampleIdentification, identificationNumber, birthDate } },
      })
    expect((await identify('44051401458', '1944-05-14')).status).toBe(200)
    const other = draw({ subject: { ...ofPerson, serialNumber: 'PNOPL-90010112349' } })
    expect((await put(sign(other, { customer }))).problem).toMatchObject({
      code: 'certificate-refused',
      fields: [{ name: 'certificate', detail: expect.stringMatching(/neither the identification number/) }],
    })
    const [id, body] = [newId(), sign(draw(), { customer })]
    expect((await put(body, id)).status).toBe(200)
    expect((await identify('02070803628', '1902-07-08')).status).toBe(200)
    expect((await put({ ...body, status: 'suspended' }, id)).status).toBe(200)
    expect((await put(sign(draw(), { customer }))).problem.code).toBe('certificate-refused')
  })

  test('PRV-2 the number of a customer’s former or renewed passport or card is not refused, with the customer’s name', async () => {
    const { id: customer, password: _, ...owner } = await addCustomer(portal, { firstName: 'Anna', surname: 'Nowak' })
    const foreign = {
      ...sampleIdentification,
      nationality: 'UA',
      identifierType: 'PAS' as const,
      issuingCountry: 'UA',
      identificationNumber: 'FA111111',
      birthDate: '1990-01-01',
      document: { type: 'PA' as const, number: 'FB222222', validTo: '2034-01-01', issuedBy: '8010' },
    }
    const answer = async (identifierType: 'PAS' | 'IDC', serialNumber: string, over = {}) =>
      put(sign(draw({ subject: { ...ofPerson, serialNumber, ...over } }), { customer, identifierType }))
    for (const identification of [foreign, sampleIdentification]) {
      await call(putCustomer, { params: { customer }, body: { ...owner, identification } })
      for (const number of ['PASUA-FA111111', 'PASUA-FB222222', 'PASUA-EE000009'])
        expect((await answer('PAS', number)).status).toBe(200)
    }
    expect((await answer('IDC', 'IDCPL-ABA300000', { CN: 'dr Anna Nowak-Lis', SN: 'Nowak-Lis' })).status).toBe(200)
    expect((await answer('IDC', 'IDCPL-ABA900002', { CN: 'dr Anna Nowak' })).status).toBe(200)
    expect((await answer('IDC', 'IDCPL-ABA900002', { CN: 'Jan Obcy', SN: 'Obcy', GN: 'Jan' })).problem).toMatchObject({
      code: 'certificate-refused',
      fields: [{ name: 'certificate', detail: expect.stringMatching(/the customer’s names/) }],
    })
  })

  test.each([
    ['TIN', 'TINPL-5260250274', 'certificate'],
    ['PAS', 'PASUA-FA000000', 'certificate'],
    ['ECN', 'PI:PL-80010112345', 'certificate'],
    ['ECN', 'pnopl-80010112345', 'identifierType'],
    ['PNO', 'pnopl-80010112345', 'certificate'],
  ] as const)(
    'PRV-2 R139 another person’s certificate is refused as %s with %s',
    async (identifierType, serialNumber, name) => {
      const { id: customer, password: _, ...owner } = await addCustomer(portal)
      await call(putCustomer, { params: { customer }, body: { ...owner, identification: sampleIdentification } })
      const subject = { ...ofPerson, SN: 'Obcy', GN: 'Jan', CN: 'Jan Obcy', serialNumber }
      const { problem } = await put(sign(draw({ subject }), { customer, identifierType }))
      expect(problem).toMatchObject({ code: 'certificate-refused', fields: [{ name }] })
    },
  )

  test('PRV-2 R139 a seal is renewed under its id with its organisation’s number, not with another’s', async () => {
    const id = newId()
    await file(await issueSeal(provider, { identifier: 'VATPL-5250001090' }), id)
    const stranger = await issueSeal(provider, { identifier: 'NTRPL-0000123456', organisation: 'Inna Sp. z o.o.' })
    expect((await file(stranger, id)).problem).toMatchObject({
      code: 'certificate-refused',
      fields: [{ name: 'certificate', detail: expect.stringMatching(/organizationIdentifier/) }],
    })
    expect((await file(await issueSeal(provider, { identifier: 'NTRPL-0000123456' }), id)).status).toBe(200)
    expect((await file(await issueSeal(provider, { identifier: 'NTRPL-0000654321' }), id)).status).toBe(422)
  })
})
