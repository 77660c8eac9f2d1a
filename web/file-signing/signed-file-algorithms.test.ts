import { expect, test } from 'vitest'
import { confirmFileSigning, listFileSigners, signFiles, startFileSigning } from '../../contract/file-signing.ts'
import type { SigningAlgorithm } from '../../pki/asn1/signature-algorithm.ts'
import { base64Of } from '../../pki/bytes.ts'
import { validatePdf } from '../../pki/pades/pades-validate.ts'
import { contractPdf } from '../../pki/testing/pades-authorities.ts'
import { manySends, openPortal } from '../../server/testing/open-portal.ts'
import { smsCode } from '../../server/testing/sent-messages.ts'
import { giveCloudSignature, openSigningPortal } from '../../server/testing/signing.ts'
import { embedSigned, prepareFile } from './signed-file.ts'

/** A portal for what the browser makes of the signatures of a service, over HTTP (SGN-6, for files). */
const portal = await openPortal({ settings: manySends })
const { provider, signing, person, customer } = await openSigningPortal(portal)
const file = contractPdf()

type KeyType = 'RSA' | 'P-384'
const given = new Map<KeyType, ReturnType<typeof giveCloudSignature>>()
function signatureOf(type: KeyType) {
  const signature = given.get(type) ?? giveCloudSignature(signing, provider, person, { settings: { type } })
  given.set(type, signature)
  return signature
}
const accept = (algorithms?: readonly SigningAlgorithm[]) => {
  for (const node of portal.nodes) node.portal.ports.remoteSigning = signing.remoteSigningBy(algorithms)
}
const listed = async () => (await customer.call(listFileSigners)).body

/** Returns a file as the browser makes it, signed by a key of this type. */
async function signedBy(type: KeyType) {
  await portal.owner.query('delete from rate_limits')
  const { id } = await signatureOf(type)
  const signer = (await listed()).signers.find((shown) => shown.id === id)!
  const field = { signer: signer.name, reason: 'Umowa', at: new Date() }
  const prepared = prepareFile({ bytes: file, password: '' }, field, signer)
  const body = { signer: id, digests: [base64Of(prepared.digest)] }
  const { body: started } = await customer.call(startFileSigning, { body })
  await portal.deliver()
  const params = { id: started.signing.id }
  await customer.call(confirmFileSigning, { params, body: { code: smsCode(portal, person.phone) } })
  const { body: signed } = await customer.call(signFiles, { params })
  return { algorithm: signer.algorithm, bytes: embedSigned(prepared, signer, signed.signatures![0]!) }
}

test.each<[KeyType, SigningAlgorithm]>([
  ['RSA', { scheme: 'rsa-pss', digest: 'sha512' }],
  ['P-384', { scheme: 'ecdsa', digest: 'sha384' }],
])('SGN-6 SGN-21 a file signed by a key %s with %o is valid', async (type, algorithm) => {
  accept([algorithm])
  const { algorithm: used, bytes } = await signedBy(type)
  expect(used).toEqual(algorithm)
  const { certificates } = provider.authority
  const { signatures } = await validatePdf(bytes, {
    anchors: [{ certificate: certificates.root }],
    intermediates: [certificates.issuing],
    crls: await Promise.all([
      provider.authority.readRevocationList('root'),
      provider.authority.readRevocationList('issuing'),
    ]),
    receivedAt: new Date(),
    revocation: 'required',
    signingCertificate: 'v2',
    qualified: true,
  })
  const { digest } = algorithm
  expect(signatures).toMatchObject([{ intact: true, trusted: true, coversWholeDocument: true, level: 'B-T', digest }])
  expect(signatures[0]!.problems.filter(({ severity }) => severity !== 'remark')).toEqual([])
})

test('SGN-6 SGN-23 a key with none of the accepted algorithms is named and cannot be chosen', async () => {
  const { id } = await signatureOf('P-384')
  accept([{ scheme: 'rsa-pss', digest: 'sha256' }])
  const { signers, unusable } = await listed()
  expect(signers.map((shown) => shown.id)).not.toContain(id)
  expect(unusable).toContainEqual({
    id,
    kind: 'signature',
    name: 'Małgorzata Wiśniewska',
    organisation: null,
    validTo: expect.any(String),
    reason: 'no-key',
  })
  const sent = portal.texts.length
  const body = { signer: id, digests: [base64Of(new Uint8Array(48))] }
  const { status, problem } = await customer.call(startFileSigning, { body })
  await portal.deliver()
  expect([status, problem.code, portal.texts.length]).toEqual([422, 'signer-unknown', sent])
})
