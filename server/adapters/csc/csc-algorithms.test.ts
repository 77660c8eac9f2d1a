import { hash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SigningAlgorithm } from '../../../pki/asn1/signature-algorithm.ts'
import { coveredDigest, prepareSignature } from '../../../pki/pades/pades-sign.ts'
import { validatePdf } from '../../../pki/pades/pades-validate.ts'
import { contractPdf } from '../../../pki/testing/pades-authorities.ts'
import type { KeySettings } from '../../../provider/signing-service/signing-keys.ts'
import { firstCredential, openSigningAlone } from '../../testing/signing.ts'
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
  return { port, credential: await firstCredential(port, `customer-${type}`) }
}

function prepared() {
  const field = { field: 'Podpis', signer: 'Małgorzata Wiśniewska', reason: 'Umowa', at: new Date() }
  const open = prepareSignature(file, field)
  return { ...open, sha256: hash('sha256', file), digest: coveredDigest(open) }
}

async function signedWith(type: KeySettings['type'], algorithm: SigningAlgorithm) {
  const { port, credential } = await credentialOf(type, [algorithm])
  expect(credential.algorithm).toEqual(algorithm)
  const ports = { remoteSigning: port, timestamps: signing.ports.timestamps } as Parameters<typeof signPrepared>[0]
  const signed = await signPrepared(ports, prepared(), { credential, description: '' })
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
  const usual = async (type: KeySettings['type']) => (await credentialOf(type)).credential.algorithm
  expect(await usual('RSA')).toEqual({ scheme: 'rsa-pkcs1', digest: 'sha256' })
  for (const [type, digest] of [
    ['P-256', 'sha256'],
    ['P-384', 'sha384'],
    ['P-521', 'sha512'],
  ] as const)
    expect([type, await usual(type)]).toEqual([type, { scheme: 'ecdsa', digest }])
  const order: SigningAlgorithm[] = [
    { scheme: 'rsa-pss', digest: 'sha512' },
    { scheme: 'ecdsa', digest: 'sha512' },
  ]
  expect((await credentialOf('RSA', order)).credential.algorithm).toEqual(order[0])
  expect((await credentialOf('P-256', order)).credential.algorithm).toEqual(order[1])
  const pssAlone = remoteSigningByCsc({ ...signing.service, algorithms: order.slice(0, 1) })
  expect(await pssAlone.credentials('customer-P-256')).toEqual([])
})

test('SGN-6 R132 a signature by another algorithm than the requested one is refused', async () => {
  const { port, credential } = await credentialOf('RSA', [{ scheme: 'rsa-pss', digest: 'sha256' }])
  const field = prepared()
  const answer = (algorithm: SigningAlgorithm) => {
    const [asked] = hashesToSign({ attributes: [attributesOf(field, credential)], credential })
    const signature = signing.keys.sign(credential.id, asked!, algorithm)
    const remoteSigning = { ...port, sign: async () => ({ signatures: [signature] }) }
    const ports = { ...signing.ports, remoteSigning } as unknown as Parameters<typeof signPrepared>[0]
    return signPrepared(ports, field, { credential, description: '' })
  }
  expect(await answer({ scheme: 'rsa-pss', digest: 'sha256' })).toBeInstanceOf(Uint8Array)
  expect(await answer({ scheme: 'rsa-pkcs1', digest: 'sha256' })).toBe('refused')
})
