import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { ContentInfo, id_data, SignedData } from '@peculiar/asn1-cms'
import { id_ce_subjectKeyIdentifier, SubjectKeyIdentifier } from '@peculiar/asn1-x509'
import { expect, test } from 'vitest'
import { checkDamaged } from '../testing/damaged-bytes.ts'
import { cn, holder, type KeyPair } from '../testing/pades-authorities.ts'
import { has, run, testFile } from '../testing/peer-programs.ts'
import { extension, keyIdentifier, signBytes } from './certificate-write.ts'
import { derToPem } from './certificate.ts'
import { CmsError, readSignedContent } from './cms-read.ts'
import { cmsSigner, signedAttributes, signedData } from './cms.ts'
import { berChildren, DerError, derIdentifier, derValue, readOctets, readDer, writeDer } from './der.ts'
import { sha256 } from './signature-algorithm.ts'

const content = new Uint8Array(Buffer.from('Prośba o znacznik\r\n'))
const type = derIdentifier(id_data)

/** Creates a holder whose certificate contains its key identifier, by which openssl may name the signer. */
const personWith = (keys: KeyPair) =>
  holder({
    name: cn('Jan'),
    extensions: [extension(id_ce_subjectKeyIdentifier, new SubjectKeyIdentifier(keyIdentifier(keys.publicKey)))],
    keys,
  })

const rsa = personWith(generateKeyPairSync('rsa', { modulusLength: 2048 }))
const ec = personWith(generateKeyPairSync('ec', { namedCurve: 'P-384' }))
const weak = personWith(generateKeyPairSync('rsa', { modulusLength: 1024 }))

type Changes = {
  digest?: Uint8Array
  type?: Uint8Array
  bytes?: Uint8Array
  signature?: Uint8Array
  withCertificates?: boolean
}

/** Creates a signed message that is correct except for the given changes. */
function messageBy({ certificate, privateKey }: typeof rsa, changes: Changes = {}) {
  const attributes = signedAttributes({
    type: changes.type ?? type,
    digest: changes.digest ?? sha256(content),
    certificate,
  })
  return signedData(cmsSigner({ certificate, chain: [] }), {
    attributes,
    signature: changes.signature ?? signBytes(privateKey, attributes),
    content: { type, bytes: changes.bytes ?? content },
    withCertificates: changes.withCertificates ?? true,
  })
}

const reasonOf = (message: Uint8Array) => {
  try {
    readSignedContent(message)
    return 'valid'
  } catch (error) {
    return error instanceof CmsError ? error.message : error
  }
}

test('TSP-4 a signed message gives its content and its signer', () => {
  for (const person of [rsa, ec]) {
    const read = readSignedContent(messageBy(person))
    expect(Buffer.from(read.content).equals(content)).toBe(true)
    expect(Buffer.from(read.certificate).equals(person.certificate)).toBe(true)
  }
})

const otherContent = new Uint8Array(Buffer.from('Inna prośba'))
const otherKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

test.each<[string, Uint8Array, string]>([
  ['of another content', messageBy(rsa, { bytes: otherContent }), 'The signature is over another content'],
  ['of another digest', messageBy(rsa, { digest: sha256(otherContent) }), 'The signature is over another content'],
  ['of another type', messageBy(rsa, { type: derIdentifier('1.2.3') }), 'The signature is over another content type'],
  ['of nothing', messageBy(rsa, { signature: new Uint8Array(256) }), 'The signature is not valid'],
  ['by anyone else', messageBy({ ...rsa, privateKey: otherKey }), 'The signature is not valid'],
  ['with a weak key', messageBy(weak), 'The key is of an unknown type or too short'],
  [
    'without its certificate',
    messageBy(rsa, { withCertificates: false }),
    'The message does not contain the certificate of its signer',
  ],
])('TSP-4 a signature %s is refused', (_, message, reason) => {
  expect(reasonOf(message)).toBe(reason)
})

test('TSP-4 a message without content, and bytes that are not a message, are refused', () => {
  const { certificate, privateKey } = rsa
  const attributes = signedAttributes({ digest: sha256(content), certificate })
  const detached = signedData(cmsSigner({ certificate, chain: [] }), {
    attributes,
    signature: signBytes(privateKey, attributes),
  })
  expect(reasonOf(detached)).toBe('The message does not contain its content, or not exactly one signature')
  const whole = messageBy(rsa)
  for (const bytes of [new Uint8Array(), content, whole.slice(0, -1), Uint8Array.of(...whole, 0)])
    expect(reasonOf(bytes)).toBe('The message cannot be read')
})

test('TSP-4 a damaged message is refused, or says what it said before', () => {
  const whole = messageBy(ec)
  checkDamaged(whole, 3, 200, (bytes) => {
    let read
    try {
      read = readSignedContent(bytes)
    } catch (error) {
      expect(error).toBeInstanceOf(CmsError)
      return
    }
    expect(Buffer.from(read.content).equals(content)).toBe(true)
  })
})

test.skipIf(!has('openssl'))(
  'TSP-4 messages of openssl (skipped without it) are read, however it names its signer',
  async () => {
    for (const [person, options] of [
      [rsa, []],
      [rsa, ['-md', 'sha512', '-keyid']],
      [rsa, ['-cades']],
      [ec, ['-md', 'sha384']],
    ] as const) {
      const key = testFile(person.privateKey.export({ format: 'pem', type: 'pkcs8' }))
      const signer = ['-signer', testFile(derToPem(person.certificate)), '-inkey', key, ...options]
      const out = testFile('')
      const files = ['-in', testFile(content), '-out', out]
      const command = ['cms', '-sign', '-nodetach', '-binary', '-outform', 'DER', ...files, ...signer]
      const { code, output } = await run('openssl', command)
      expect({ code, output }).toMatchObject({ code: 0 })
      const read = readSignedContent(readFileSync(out))
      expect(Buffer.from(read.content).equals(content)).toBe(true)
      expect(Buffer.from(read.certificate).equals(person.certificate)).toBe(true)
    }
  },
)

test('R100 attributes that are signed in another order than that of DER are valid', () => {
  const sorted = signedAttributes({ type, digest: sha256(content), certificate: ec.certificate })
  const asSent = derValue(0x31, ...berChildren(sorted).toReversed())
  expect(asSent).not.toEqual(sorted)
  const messageOf = (attributes: Uint8Array<ArrayBuffer>, signature: Uint8Array) =>
    signedData(cmsSigner({ certificate: ec.certificate, chain: [] }), {
      attributes,
      signature,
      content: { type, bytes: content },
    })
  expect(readSignedContent(messageOf(asSent, signBytes(ec.privateKey, asSent))).content).toEqual(content)
  expect(readSignedContent(messageOf(asSent, signBytes(ec.privateKey, sorted))).content).toEqual(content)
  const another = derValue(0x31, ...berChildren(sorted).slice(1))
  expect(() => readSignedContent(messageOf(asSent, signBytes(ec.privateKey, another)))).toThrow(
    expect.objectContaining({ code: 'cms-signature' }),
  )
})

test.each([
  ['an extended certificate', 0xa0],
  ['an attribute certificate of version 1', 0xa1],
])('R100 %s among the certificates is passed over (RFC 5652 §10.2.2)', (_, tag) => {
  const obsolete = derValue(tag, derValue(0x30), derValue(0x30), derValue(0x03, Uint8Array.of(0)))
  const signer = cmsSigner({ certificate: ec.certificate, chain: [] })
  const attributes = signedAttributes({ type, digest: sha256(content), certificate: ec.certificate })
  const message = signedData(
    { ...signer, certificates: derValue(0xa0, ...berChildren(signer.certificates), obsolete) },
    { attributes, signature: signBytes(ec.privateKey, attributes), content: { type, bytes: content } },
  )
  expect(readSignedContent(message).content).toEqual(content)
})

test.each([
  ['SHAKE256', '2.16.840.1.101.3.4.2.12', 'valid'],
  ['SHAKE256 of a stated length', '2.16.840.1.101.3.4.2.18', 'valid'],
  ['SHA-512', '2.16.840.1.101.3.4.2.3', 'The algorithm is unknown'],
])('CHK-1 RFC 8419 an Ed448 signature with %s', (_, id, expected) => {
  const { publicKey, privateKey } = generateKeyPairSync('ed448')
  const { certificate } = holder({ name: [], extensions: [], keys: { publicKey, privateKey: ec.privateKey } })
  const digest = id.endsWith('.3')
    ? createHash('sha512').update(content).digest()
    : createHash('shake256', { outputLength: 64 }).update(content).digest()
  const attributes = signedAttributes({ type, digest, certificate })
  const signer = cmsSigner({ certificate, chain: [], algorithm: { scheme: 'ecdsa', digest: 'sha256' } })
  const signature = new Uint8Array(sign(null, attributes, privateKey))
  const message = readDer(signedData(signer, { attributes, signature, content: { type, bytes: content } }), ContentInfo)
  const data = readDer(new Uint8Array(message.content), SignedData)
  data.signerInfos[0]!.digestAlgorithm.algorithm = id
  data.signerInfos[0]!.signatureAlgorithm.algorithm = '1.3.101.113'
  message.content = writeDer(data).buffer
  expect(reasonOf(writeDer(message))).toBe(expected)
})

test('CHK-4 a content that is split into parts is read, and nothing beside it', () => {
  const octets = (...parts: Uint8Array[]) => derValue(0x24, ...parts)
  const part = (text: string) => derValue(0x04, new Uint8Array(Buffer.from(text)))
  const indefinite = (...parts: Uint8Array[]) =>
    new Uint8Array(Buffer.concat([Buffer.of(0x24, 0x80), ...parts, Buffer.of(0, 0)]))
  const read = (bytes: Uint8Array) => Buffer.from(readOctets(bytes)).toString()
  for (const split of [
    part('abc'),
    octets(part('a'), part(''), part('bc')),
    indefinite(part('ab'), octets(indefinite(part('c')))),
  ])
    expect(read(split)).toBe('abc')
  for (const wrong of [
    derValue(0x05),
    octets(derValue(0x0c)),
    Buffer.concat([octets(part('a')), part('b')]),
    Buffer.of(0x24, 0x80),
  ])
    expect(() => readOctets(new Uint8Array(wrong))).toThrow(DerError)
})
