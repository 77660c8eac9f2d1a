import { hash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SigningAlgorithm } from '../../../pki/asn1/signature-algorithm.ts'
import { coveredDigest, prepareSignature } from '../../../pki/pades/pades-sign.ts'
import { validatePdf } from '../../../pki/pades/pades-validate.ts'
import { contractPdf } from '../../../pki/testing/pades-authorities.ts'
import type { KeySettings } from '../../../provider/signing-service/signing-keys.ts'
import { openSigningAlone } from '../../testing/signing.ts'
import type { SigningCredential } from '../../platform/ports.ts'
import { attributesOf, hashesToSign, signPrepared } from '../../platform/pdf/remote-signing.ts'
import { remoteSigningByCsc } from './remote-signing-csc.ts'

const { authority, signing, close } = await openSigningAlone()
beforeAll(async () => {
  for (const type of ['RSA', 'P-256', 'P-384', 'P-521'] as const)
    await signing.giveKey(`key-${type}`, `customer-${type}`, { settings: { type } })
})
afterAll(close)

const file = contractPdf()

async function credentialOf(type: KeySettings['type'], algorithms?: readonly SigningAlgorithm[]) {
  const port = remoteSigningByCsc({ ...signing.service, algorithms })
  const found = await port.credentials(`customer-${type}`)
  if (found === 'unreachable') throw new Error(found)
  return { port, credential: found[0] }
}

function prepared() {
  const field = { field: 'Podpis', signer: 'Małgorzata Wiśniewska', reason: 'Umowa', at: new Date() }
  const open = prepareSignature(file, field)
  return { ...open, sha256: hash('sha256', file), digest: coveredDigest(open) }
}

async function signedWith(type: KeySettings['type'], algorithm: SigningAlgorithm) {
  const { port, credential } = await credentialOf(type, [algorithm])
  expect(credential?.algorithm).toEqual(algorithm)
  const ports = { remoteSigning: port, timestamps: signing.ports.timestamps } as Parameters<typeof signPrepared>[0]
  const signed = await signPrepared(ports, prepared(), { credential: credential!, description: '' })
  if (typeof signed === 'string') throw new Error(signed)
  return signed
}

const schemes: [KeySettings['type'], SigningAlgorithm['scheme']][] = [
  ['RSA', 'rsa-pkcs1'],
  ['RSA', 'rsa-pss'],
  ['P-256', 'ecdsa'],
  ['P-384', 'ecdsa'],
  ['P-521', 'ecdsa'],
]
const digests = ['sha256', 'sha384', 'sha512'] as const
const all = schemes.flatMap(([type, scheme]) => digests.map((digest) => [type, { scheme, digest }] as const))

test.each(all)('SGN-6 a document that a key %s signs by %o is valid', async (type, algorithm) => {
  const signed = await signedWith(type, algorithm)
  const { signatures } = await validatePdf(signed, {
    anchors: [{ certificate: authority.certificates.root }],
    intermediates: [authority.certificates.issuing],
    crls: await Promise.all([authority.revocationList('root'), authority.revocationList('issuing')]),
    receivedAt: new Date(),
    revocation: 'required',
    signingCertificate: 'v2',
    qualified: true,
  })
  expect(signatures).toMatchObject([{ intact: true, trusted: true, coversWholeDocument: true, level: 'B-T' }])
  expect(signatures[0]!.problems.filter(({ severity }) => severity === 'refuse')).toEqual([])
})

test('SGN-6 the usual algorithm of a key fits its curve, and the operator’s order decides where there is one', async () => {
  const usual = async (type: KeySettings['type']) => (await credentialOf(type)).credential?.algorithm
  expect([await usual('RSA'), await usual('P-256'), await usual('P-384'), await usual('P-521')]).toEqual([
    { scheme: 'rsa-pkcs1', digest: 'sha256' },
    { scheme: 'ecdsa', digest: 'sha256' },
    { scheme: 'ecdsa', digest: 'sha384' },
    { scheme: 'ecdsa', digest: 'sha512' },
  ])
  const order: SigningAlgorithm[] = [
    { scheme: 'rsa-pss', digest: 'sha512' },
    { scheme: 'ecdsa', digest: 'sha512' },
  ]
  expect((await credentialOf('RSA', order)).credential?.algorithm).toEqual(order[0])
  expect((await credentialOf('P-256', order)).credential?.algorithm).toEqual(order[1])
  expect((await credentialOf('P-256', order.slice(0, 1))).credential).toBeUndefined()
})

test('SGN-6 R132 a signature by another algorithm than the requested one is refused', async () => {
  const { port, credential } = await credentialOf('RSA', [{ scheme: 'rsa-pss', digest: 'sha256' }])
  const field = prepared()
  const key = signing.keys.find(credential!.id)!
  const timestamps = signing.ports.timestamps
  const answer = (algorithm: SigningAlgorithm) => {
    const attributes = [attributesOf(field, credential as SigningCredential)]
    const [asked] = hashesToSign({ attributes, credential: credential as SigningCredential })
    const signature = signing.keys.sign(key.id, asked!, algorithm)
    const remoteSigning = { ...port, sign: async () => ({ signatures: [signature] }) }
    const ports = { remoteSigning, timestamps } as unknown as Parameters<typeof signPrepared>[0]
    return signPrepared(ports, field, { credential: credential!, description: '' })
  }
  expect(await answer({ scheme: 'rsa-pss', digest: 'sha256' })).toBeInstanceOf(Uint8Array)
  expect(await answer({ scheme: 'rsa-pkcs1', digest: 'sha256' })).toBe('refused')
})
