import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CertID, OCSPRequest, OCSPResponse, OCSPResponseStatus, Request, TBSRequest } from '@peculiar/asn1-ocsp'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import { AlgorithmIdentifier, Certificate } from '@peculiar/asn1-x509'
import * as fc from 'fast-check'
import fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { extension } from '../../pki/asn1/certificate-write.ts'
import { derToPem } from '../../pki/asn1/certificate.ts'
import { writeDer } from '../../pki/asn1/der.ts'
import { checkDamaged } from '../../pki/testing/damaged-bytes.ts'
import { fileFolder, has, run, testFolder } from '../../pki/testing/peer-programs.ts'
import { openTestAuthority, testPerson } from '../testing/test-authority.ts'
import { serveAuthority } from './authority-http.ts'
import { openAuthority, type Authority, type IssuedCertificate } from './authority.ts'

const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
/** openssl uses its own clock. */
const aDayAgo = new Date(Date.now() - 24 * 60 * 60 * 1000)
const inAYear = new Date(Date.now() + 365 * 24 * 60 * 60 * 1000)

/** An authority reached over HTTP, with three certificates: good, suspended, revoked. */
const authority = await openTestAuthority({
  directory: fileFolder(),
  baseUrl: 'http://pki.example',
  now: () => new Date(),
})
const app = fastify()
await app.register(serveAuthority, { prefix: '/pki', authority })
const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/pki`
const issue = () =>
  authority.issue({ subject: testPerson, publicKey, notBefore: aDayAgo, notAfter: inAYear, device: true })
const [good, suspended, revoked] = [await issue(), await issue(), await issue()]
await authority.suspend(suspended.serialNumber, aDayAgo)
await authority.revoke(revoked.serialNumber, 'keyCompromise', aDayAgo)

afterAll(() => app.close())

const post = (body: Uint8Array<ArrayBuffer>, type = 'application/ocsp-request') =>
  fetch(`${url}/ocsp`, { method: 'POST', headers: { 'content-type': type }, body })

const serial = ({ serialNumber }: IssuedCertificate) => `0x${serialNumber}`

const statusOf = (answer: ArrayBuffer | Uint8Array) =>
  OCSPResponseStatus[AsnConvert.parse(answer, OCSPResponse).responseStatus]

/** Writes a request for one certificate like that of openssl, but without a nonce. */
function requestAbout(by: Authority, serialNumber: string, change?: (request: TBSRequest) => void) {
  const { tbsCertificate: issuer } = AsnConvert.parse(by.certificates.issuing, Certificate)
  const hash = (bytes: ArrayBuffer) => new OctetString(createHash('sha1').update(new Uint8Array(bytes)).digest())
  const reqCert = new CertID({
    hashAlgorithm: new AlgorithmIdentifier({ algorithm: '1.3.14.3.2.26', parameters: null }),
    issuerNameHash: hash(AsnConvert.serialize(issuer.subject)),
    issuerKeyHash: hash(issuer.subjectPublicKeyInfo.subjectPublicKey),
    serialNumber: Uint8Array.from(Buffer.from(serialNumber, 'hex')).buffer,
  })
  const tbsRequest = new TBSRequest({ requestList: [new Request({ reqCert })] })
  change?.(tbsRequest)
  return writeDer(new OCSPRequest({ tbsRequest }))
}

test.skipIf(!has('openssl'))(
  'SIG-1 openssl (skipped without it) asks for each status over HTTP and trusts the answer',
  async () => {
    const folder = testFolder()
    const pemFile = (name: 'root' | 'issuing') => {
      writeFileSync(join(folder, name), derToPem(authority.certificates[name]))
      return join(folder, name)
    }
    const trust = ['-issuer', pemFile('issuing'), '-verify_other', pemFile('issuing'), '-CAfile', pemFile('root')]
    const serials = [serial(good), serial(suspended), serial(revoked), '0x4711']
    for (const digest of ['-sha1', '-sha256', '-sha512']) {
      const questions = [digest, ...serials.flatMap((number) => ['-serial', number])]
      const { code, output } = await run('openssl', ['ocsp', '-url', `${url}/ocsp`, ...trust, ...questions])
      expect(code).toBe(0)
      expect(output).toContain('Response verify OK')
      // openssl sends a nonce and warns if the answer has none, or another one.
      expect(output).not.toMatch(/nonce/i)
      expect(output.match(/^0x\w+: \w+|Reason: \w+/gm)).toEqual([
        `${serial(good)}: good`,
        `${serial(suspended)}: revoked`,
        'Reason: certificateHold',
        `${serial(revoked)}: revoked`,
        'Reason: keyCompromise',
        '0x4711: unknown',
      ])
    }
  },
)

test('SIG-1 a GET request is read with its slashes escaped or not, and nothing else is', async () => {
  const base64 = Buffer.from(requestAbout(authority, good.serialNumber)).toString('base64')
  const get = async (path: string) => {
    const answer = await fetch(`${url}/ocsp/${path}`)
    expect(answer.headers.get('content-type')).toBe('application/ocsp-response')
    return statusOf(await answer.arrayBuffer())
  }
  expect(await get(encodeURIComponent(base64))).toBe('successful')
  expect(await get(base64)).toBe('successful')
  expect(await get(encodeURIComponent(base64.slice(4)))).toBe('malformedRequest')
  expect(await get('%00%C5%BC')).toBe('malformedRequest')
  expect(await get('')).toBe('malformedRequest')
})

test('SIG-1 a nonce comes back as it was, and one of a wrong length is refused (RFC 9654)', async () => {
  const answerTo = (length: number) => {
    const nonce = extension('1.3.6.1.5.5.7.48.1.2', new OctetString(randomBytes(length)))
    const request = requestAbout(authority, good.serialNumber, (tbs) =>
      Object.assign(tbs, { requestExtensions: [nonce] }),
    )
    const answer = authority.answerOcsp(request)
    return { status: statusOf(answer), echoed: Buffer.from(answer).includes(Buffer.from(nonce.extnValue.buffer)) }
  }
  expect([1, 32, 128].map(answerTo)).toEqual(Array.from({ length: 3 }, () => ({ status: 'successful', echoed: true })))
  expect([0, 129].map((length) => answerTo(length).status)).toEqual(['malformedRequest', 'malformedRequest'])
})

test('SIG-1 no status is given for another authority, too many, or unknown and critical', async () => {
  const statusFor = (change: (tbs: TBSRequest) => void, by = authority) =>
    statusOf(authority.answerOcsp(requestAbout(by, good.serialNumber, change)))
  const withExtension = (critical: boolean) => (tbs: TBSRequest) =>
    Object.assign(tbs, { requestExtensions: [extension('1.2.3', new OctetString([1]), critical)] })
  const foreignAuthority = await openAuthority({
    directory: testFolder(),
    baseUrl: 'http://other.example',
    now: () => new Date(),
  })
  expect(statusFor(() => {}, foreignAuthority)).toBe('unauthorized')
  expect(statusFor((tbs) => tbs.requestList.pop())).toBe('malformedRequest')
  expect(statusFor((tbs) => (tbs.requestList = Array.from({ length: 21 }, () => tbs.requestList[0]!)))).toBe(
    'malformedRequest',
  )
  expect(statusFor((tbs) => (tbs.requestList = Array.from({ length: 20 }, () => tbs.requestList[0]!)))).toBe(
    'successful',
  )
  expect(statusFor(withExtension(true))).toBe('malformedRequest')
  expect(statusFor(withExtension(false))).toBe('successful')
})

test('SIG-1 bytes that are not a request are called malformed', async () => {
  const whole = requestAbout(authority, good.serialNumber)
  const broken = [new Uint8Array(), whole.slice(0, -1), Uint8Array.of(...whole, 0), Uint8Array.of(0x30, 0x80, 0, 0)]
  expect(broken.map((bytes) => statusOf(authority.answerOcsp(bytes)))).toEqual(broken.map(() => 'malformedRequest'))
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(statusOf(authority.answerOcsp(bytes))).toBe('malformedRequest')
    }),
    { numRuns: 300 },
  )
})

test('SIG-1 a digest with parameters is called malformed, because the response would repeat them', () => {
  const request = Buffer.from(requestAbout(authority, good.serialNumber))
  const sha1WithNull = Buffer.from('06052b0e03021a0500', 'hex')
  request[request.indexOf(sha1WithNull) + sha1WithNull.length - 2] = 0x17 // a UTCTime without contents
  expect(statusOf(authority.answerOcsp(request))).toBe('malformedRequest')
  const withoutNull = requestAbout(authority, good.serialNumber, ({ requestList }) => {
    delete requestList[0]!.reqCert.hashAlgorithm.parameters
  })
  expect(statusOf(authority.answerOcsp(withoutNull))).toBe('successful')
})

test('SIG-1 a damaged request is refused or answered, and never breaks the responder', async () => {
  const whole = requestAbout(authority, good.serialNumber)
  checkDamaged(whole, 4, 200, (bytes) => {
    expect(['malformedRequest', 'unauthorized', 'successful']).toContain(statusOf(authority.answerOcsp(bytes)))
  })
})

test('R70 a request of another type or beyond 8 kB is not read', async () => {
  const request = requestAbout(authority, good.serialNumber)
  expect((await post(request)).status).toBe(200)
  expect((await post(request, 'application/json')).status).toBe(415)
  expect((await post(new Uint8Array(8193))).status).toBe(413)
  const empty = await post(new Uint8Array())
  expect(statusOf(await empty.arrayBuffer())).toBe('malformedRequest')
})

test('SIG-5 lists and the authorities’ certificates are where certificates say', async () => {
  const expected = {
    'crl/root.crl': ['application/pkix-crl', await authority.readRevocationList('root')],
    'crl/issuing.crl': ['application/pkix-crl', await authority.readRevocationList('issuing')],
    'ca/root.cer': ['application/pkix-cert', authority.certificates.root],
    'ca/issuing.cer': ['application/pkix-cert', authority.certificates.issuing],
  } as const
  for (const [path, [type, bytes]] of Object.entries(expected)) {
    const answer = await fetch(`${url}/${path}`)
    expect(answer.headers.get('content-type')).toBe(type)
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(new Uint8Array(bytes))
  }
  expect((await fetch(`${url}/crl/other.crl`)).status).toBe(404)
})

test.each(['pl', 'en'])('SIG-5 the disclosure statement that certificates link to is there in %s', async (language) => {
  const answer = await fetch(`${url}/pds/${language}.pdf`)
  expect(answer.headers.get('content-type')).toBe('application/pdf')
  expect((await answer.text()).startsWith('%PDF-1.7')).toBe(true)
})
