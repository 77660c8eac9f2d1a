import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { ContentInfo, SignedData } from '@peculiar/asn1-cms'
import { OctetString } from '@peculiar/asn1-schema'
import { AlgorithmIdentifier, Extensions } from '@peculiar/asn1-x509'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { extension } from '../asn1/certificate-write.ts'
import { derToPem, readName } from '../asn1/certificate.ts'
import { readDer, writeDer } from '../asn1/der.ts'
import { sha256 } from '../asn1/signature-algorithm.ts'
import { damagedBytes } from '../testing/damaged-bytes.ts'
import { root, timestampAuthority, type KeyPair } from '../testing/pades-authorities.ts'
import { has, run, testFile } from '../testing/peer-programs.ts'
import {
  grantTimestamp,
  rejectTimestamp,
  timestampSigner,
  readTimestampRequest,
  TimestampRequestError,
} from './timestamp-authority.ts'
import { idTstInfo, TimeStampReq, TimeStampResp, TstInfo } from './timestamp-structures.ts'

const policy = '0.4.0.2023.1.1'
const at = new Date('2026-11-21T10:05:09.870Z')
const data = Buffer.from('Zawartość, która ma datę')

function authorityWith(keys: KeyPair) {
  const { certificate, privateKey } = timestampAuthority('Znakująca', root, keys)
  return { certificate, signer: timestampSigner({ policy, certificate, chain: [root.certificate], privateKey }) }
}

const rsa = authorityWith(generateKeyPairSync('rsa', { modulusLength: 3072 }))
const ec = authorityWith(generateKeyPairSync('ec', { namedCurve: 'P-256' }))

/** Writes a request like that of openssl, except for what is changed. */
function requestWith(change: (request: TimeStampReq) => void = () => {}) {
  const request = new TimeStampReq()
  request.messageImprint.hashAlgorithm = new AlgorithmIdentifier({
    algorithm: '2.16.840.1.101.3.4.2.1',
    parameters: null,
  })
  request.messageImprint.hashedMessage = new OctetString(sha256(data))
  request.nonce = Uint8Array.of(0x12, 0x34).buffer
  request.certReq = true
  change(request)
  return writeDer(request)
}

/** Answers a request as an authority does, without its accounting. */
function answer(request: Uint8Array, { signer } = ec, serialNumber = 4711n) {
  try {
    return grantTimestamp(signer, readTimestampRequest(request, policy), { serialNumber, at })
  } catch (error) {
    if (error instanceof TimestampRequestError) return rejectTimestamp(error)
    throw error
  }
}

function failureOf(request: Uint8Array) {
  try {
    readTimestampRequest(request, policy)
    return 'granted'
  } catch (error) {
    return error instanceof TimestampRequestError ? error.code : error
  }
}

function contentOf(response: Uint8Array) {
  const { status, timeStampToken } = readDer(response, TimeStampResp)
  const signed = readDer(new Uint8Array(timeStampToken!.content), SignedData)
  const info = readDer(new Uint8Array(signed.encapContentInfo.eContent!.single!.buffer), TstInfo)
  return { status: status.status, signed, info }
}

test('TSP-4 a token says what was asked for, its serial number, whole seconds, and who signed', () => {
  const { status, signed, info } = contentOf(answer(requestWith(), rsa, 2n ** 126n + 5n))
  expect(status).toBe(0)
  expect(signed).toMatchObject({ version: 3, encapContentInfo: { eContentType: idTstInfo } })
  expect(Buffer.from(info.messageImprint.hashedMessage.buffer).equals(sha256(data))).toBe(true)
  expect(Buffer.from(info.nonce!).toString('hex')).toBe('1234')
  expect(Buffer.from(info.serialNumber).toString('hex')).toBe('40000000000000000000000000000005')
  expect(info).toMatchObject({ policy, genTime: new Date('2026-11-21T10:05:09Z'), accuracy: { seconds: 1 } })
  expect(readName(info.tsa!.directoryName!)).toEqual([{ name: 'CN', value: 'Znakująca' }])
})

test('TSP-4 a serial number is a positive integer in its fewest octets', () => {
  const written = (serialNumber: bigint) =>
    Buffer.from(contentOf(answer(requestWith(), ec, serialNumber)).info.serialNumber).toString('hex')
  const numbers = { '00': 0n, '01': 1n, '7f': 127n, '0080': 128n, '00ff': 255n, '0100': 256n, '0fff': 0xfffn }
  for (const [octets, number] of Object.entries(numbers)) expect(written(number)).toBe(octets)
})

test('TSP-4 certificates are carried only where they are asked for (RFC 3161 §2.4.1)', () => {
  const carried = (certReq: boolean) =>
    contentOf(answer(requestWith((request) => (request.certReq = certReq)))).signed.certificates?.length
  expect([carried(true), carried(false)]).toEqual([2, undefined])
})

test('TSP-4 each digest is taken at its own length alone; weak and unknown ones are refused', () => {
  const failureWith = (algorithm: string, length: number) =>
    failureOf(
      requestWith(({ messageImprint }) => {
        messageImprint.hashAlgorithm.algorithm = algorithm
        messageImprint.hashedMessage = new OctetString(new Uint8Array(length))
      }),
    )
  const lengths = { 1: 32, 2: 48, 3: 64, 8: 32, 9: 48, 10: 64 }
  for (const [arc, length] of Object.entries(lengths))
    expect(
      [length - 1, length, length + 1, 0].map((octets) => failureWith(`2.16.840.1.101.3.4.2.${arc}`, octets)),
    ).toEqual(['badDataFormat', 'granted', 'badDataFormat', 'badDataFormat'])
  for (const [refused, length] of [
    ['1.2.840.113549.2.5', 16], // MD5
    ['1.3.14.3.2.26', 20], // SHA-1
    ['2.16.840.1.101.3.4.2.4', 28], // SHA-224
    ['1.2.3.4', 32],
  ] as const)
    expect([refused, failureWith(refused, length)]).toEqual([refused, 'badAlg'])
})

test('TSP-4 parameters of a digest are absent or NULL, and come back as they were', () => {
  const withParameters = (parameters: ArrayBuffer | null | undefined) =>
    requestWith((request) => {
      const algorithm = request.messageImprint.hashAlgorithm.algorithm
      request.messageImprint.hashAlgorithm = new AlgorithmIdentifier(
        parameters === undefined ? { algorithm } : { algorithm, parameters },
      )
    })
  for (const parameters of [null, undefined]) {
    const request = withParameters(parameters)
    const imprint = writeDer(readDer(request, TimeStampReq).messageImprint)
    expect(Buffer.from(writeDer(contentOf(answer(request)).info.messageImprint)).equals(imprint)).toBe(true)
  }
  expect(failureOf(withParameters(Uint8Array.of(0x02, 0x01, 0x05).buffer))).toBe('badAlg')
})

test('TSP-4 another version, policy or any extension is refused by its own name', () => {
  expect(failureOf(requestWith((request) => (request.version = 2)))).toBe('badRequest')
  expect(failureOf(requestWith((request) => (request.version = 0)))).toBe('badRequest')
  expect(failureOf(requestWith((request) => (request.reqPolicy = policy)))).toBe('granted')
  expect(failureOf(requestWith((request) => (request.reqPolicy = '1.2.3')))).toBe('unacceptedPolicy')
  for (const critical of [true, false]) {
    const unknown = extension('1.2.3', new OctetString(Uint8Array.of(1)), critical)
    expect(failureOf(requestWith((request) => (request.extensions = new Extensions([unknown]))))).toBe(
      'unacceptedExtension',
    )
  }
})

test('TSP-4 a nonce of any size comes back as it was, and none if none was sent', () => {
  const large = Uint8Array.from({ length: 64 }, (_, index) => index + 1)
  for (const nonce of [Uint8Array.of(0), Uint8Array.of(0xff), Uint8Array.of(0, 0x80), large]) {
    const { info } = contentOf(answer(requestWith((request) => (request.nonce = nonce.slice().buffer))))
    expect(new Uint8Array(info.nonce!)).toEqual(nonce)
  }
  expect(contentOf(answer(requestWith((request) => delete request.nonce))).info.nonce).toBeUndefined()
})

test('TSP-4 what is not one value in DER is refused', () => {
  const whole = requestWith()
  const [, length] = whole
  const rest = whole.subarray(2)
  const withEnd = (bytes: number[]) =>
    Uint8Array.of(0x30, length! - 3 + bytes.length, ...rest.subarray(0, -3), ...bytes)
  expect(failureOf(withEnd([0x01, 0x01, 0xff]))).toBe('granted')
  const broken = {
    nothing: new Uint8Array(),
    cut: whole.slice(0, -1),
    continued: Uint8Array.of(...whole, 0),
    'a long length': Uint8Array.of(0x30, 0x81, length!, ...rest),
    'an indefinite length': Uint8Array.of(0x30, 0x80, ...rest, 0, 0),
    'certReq false, which is the default': withEnd([0x01, 0x01, 0x00]),
    'certReq true as another octet': withEnd([0x01, 0x01, 0x01]),
    'certReq of two octets': withEnd([0x01, 0x02, 0xff, 0xff]),
    'a nonce with an octet too many': requestWith((request) => (request.nonce = Uint8Array.of(0, 0x12).buffer)),
    'a negative nonce with an octet too many': requestWith(
      (request) => (request.nonce = Uint8Array.of(0xff, 0x82).buffer),
    ),
    'an empty nonce': Uint8Array.of(0x30, length! - 2, ...rest.subarray(0, -7), 0x02, 0x00, 0x01, 0x01, 0xff),
    'a version of two octets': Uint8Array.of(0x30, length! + 1, 0x02, 0x02, 0x00, 0x01, ...rest.subarray(3)),
    'a list of no extensions': requestWith((request) => (request.extensions = new Extensions([]))),
  }
  expect(Object.entries(broken).map(([name, bytes]) => [name, failureOf(bytes)])).toEqual(
    Object.keys(broken).map((name) => [name, 'badDataFormat']),
  )
})

test('TSP-4 a refusal is DER with its one bit of PKIFailureInfo and no token', () => {
  const bits = {
    badAlg: '03020780',
    badRequest: '03020520',
    badDataFormat: '03020204',
    timeNotAvailable: '0303010002',
    unacceptedPolicy: '0303000001',
    unacceptedExtension: '030407000080',
    systemFailure: '03050600000040',
  } as const
  for (const [failure, bitString] of Object.entries(bits)) {
    const der = Buffer.from(rejectTimestamp({ code: failure as keyof typeof bits, message: 'ż' }))
    const length = (9 + bitString.length / 2).toString(16).padStart(2, '0')
    expect(der.subarray(2).toString('hex')).toBe(`30${length}02010230040c02c5bc${bitString}`)
    expect(readDer(der, TimeStampResp).timeStampToken).toBeUndefined()
  }
})

/** Checks whether an answer is a complete TimeStampResp: granted with a token, or rejected without one. */
function isAnswer(response: Uint8Array) {
  const { status, timeStampToken } = readDer(response, TimeStampResp)
  return status.status === 0 ? timeStampToken instanceof ContentInfo : status.status === 2 && !timeStampToken
}

test('TSP-4 any damaged request is answered in DER, and never breaks the authority', () => {
  const whole = requestWith((request) => (request.reqPolicy = policy))
  const damage = fc.record({
    bytes: damagedBytes(whole, 4),
    keep: fc.nat(whole.length),
    insert: fc.uint8Array({ maxLength: 4 }),
  })
  fc.assert(
    fc.property(damage, ({ bytes, keep, insert }) => {
      for (const request of [bytes, Uint8Array.of(...bytes.subarray(0, keep), ...insert, ...bytes.subarray(keep))])
        expect(isAnswer(answer(request))).toBe(true)
    }),
    { numRuns: 200 },
  )
})

/** Writes openssl's own request about the data, with the given options. */
async function opensslQuery(...options: string[]) {
  const out = testFile('')
  const { code, output } = await run('openssl', ['ts', '-query', '-data', testFile(data), ...options, '-out', out])
  expect({ code, output }).toMatchObject({ code: 0 })
  return out
}

test.skipIf(!has('openssl'))('TSP-4 openssl (skipped without it) verifies tokens by data and by query', async () => {
  const trusted = testFile(derToPem(root.certificate))
  for (const signer of [rsa, ec])
    for (const options of [
      ['-sha256', '-cert'],
      ['-sha512'],
      ['-sha3-256', '-no_nonce', '-cert'],
      ['-sha384', '-tspolicy', policy],
    ]) {
      const query = await opensslQuery(...options)
      const response = testFile(answer(readFileSync(query), signer))
      const trust = ['-CAfile', trusted, '-untrusted', testFile(derToPem(signer.certificate))]
      for (const about of [
        ['-queryfile', query],
        ['-data', testFile(data)],
      ]) {
        const { code, output } = await run('openssl', ['ts', '-verify', '-in', response, ...about, ...trust])
        expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('Verification: OK') })
      }
      const mismatch = await run('openssl', ['ts', '-verify', '-in', response, '-data', testFile('x'), ...trust])
      expect(mismatch.output).toContain('message imprint mismatch')
    }
})
