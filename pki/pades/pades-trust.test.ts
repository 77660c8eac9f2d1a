import { generateKeyPairSync } from 'node:crypto'
import { ContentInfo, SignedData } from '@peculiar/asn1-cms'
import * as x509 from '@peculiar/asn1-x509'
import { expect, test } from 'vitest'
import type { TrustDoubt, TrustPurpose } from '../asn1/certificate-path.ts'
import { extension, signBytes } from '../asn1/certificate-write.ts'
import type { AttributeName } from '../asn1/certificate.ts'
import { cmsSigner, signedAttributes, signedData } from '../asn1/cms.ts'
import { derIdentifier, derSet, derValue, readDer, writeDer } from '../asn1/der.ts'
import { qcTypeIds } from '../asn1/qc-statements.ts'
import { sha256 } from '../asn1/signature-algorithm.ts'
import {
  anna,
  authorityRights,
  cn,
  contractPdf,
  holder,
  issuing,
  ocspAnswer,
  person,
  personRights,
  policyOf,
  proof,
  qualified,
  responder,
  revocationList,
  root,
  seal,
  signatureOver,
  signedAt,
  signPdf,
  stampDocument,
  stamper,
  timestampAuthority,
  tokenOver,
  usage,
  type Holder,
} from '../testing/pades-authorities.ts'
import type { ValidationPolicy } from './pades-report.ts'
import { coveredDigest, embedSignature, prepareSignature } from './pades-sign.ts'
import { personIdentifier } from './pades-signature.ts'
import { validatePdf } from './pades-validate.ts'
import { appendValidationData, type ValidationData } from './pades-validation-data.ts'

const plain = contractPdf()
const signed = signPdf(plain)
const hour = 3_600_000
const later = (ms: number) => new Date(signedAt.getTime() + ms)

async function reportOf(file: Uint8Array, changes: Partial<ValidationPolicy> = {}) {
  const report = await validatePdf(file, policyOf(changes))
  const signature = report.signatures.findLast(({ kind }) => kind === 'signature')!
  return {
    ...report,
    signature,
    codes: signature.problems.filter(({ severity }) => severity !== 'remark').map(({ code }) => code),
  }
}

const codesOf = async (file: Uint8Array, changes?: Partial<ValidationPolicy>) => (await reportOf(file, changes)).codes

test('DOC-8 the report says who, when, on which level, whether intact and of the whole document', async () => {
  const { verdict, signature, revisions } = await reportOf(signPdf(plain, { timestamp: true }), {
    signer: { identifier: 'PESEL 90010112345' },
  })
  expect({ verdict, revisions }).toEqual({ verdict: 'accepted', revisions: 2 })
  expect(signature).toMatchObject({
    kind: 'signature',
    fields: ['Podpis'],
    intact: true,
    coversWholeDocument: true,
    trusted: true,
    claimedAt: signedAt,
    provenAt: signedAt,
    level: 'B-T',
    changes: [],
  })
  expect(signature.signer?.subject).toContainEqual({ name: 'CN', value: 'Anna Nowak' })
  expect(signature.path.map((der) => Buffer.from(der).toString('hex'))).toEqual(
    [anna, issuing, root].map(({ certificate }) => Buffer.from(certificate).toString('hex')),
  )
})

test('DOC-8 levels B-B, B-T, B-LT and B-LTA are distinguished, each by what makes it', async () => {
  const stamped = signPdf(plain, { timestamp: true })
  const proven = appendValidationData(stamped, proof())
  const archived = stampDocument(proven, later(24 * hour))
  for (const [file, level] of [
    [signed, 'B-B'],
    [stamped, 'B-T'],
    [appendValidationData(stamped, proof({ ocsps: [] })), 'B-T'],
    [proven, 'B-LT'],
    [archived, 'B-LTA'],
  ] as const)
    expect(await reportOf(file, { receivedAt: later(25 * hour) })).toMatchObject({
      verdict: 'accepted',
      signature: { level },
    })
  expect((await reportOf(archived)).signature.provenAt).toEqual(signedAt)
  // A document timestamp alone proves a time as well.
  expect((await reportOf(stampDocument(signed, later(hour)), { receivedAt: later(hour) })).signature).toMatchObject({
    level: 'B-T',
    provenAt: later(hour),
  })
})

test('DOC-8 CHK-7 evidence from before the signature or from the future makes no B-LT, but of authorities', async () => {
  const stamped = signPdf(plain, { timestamp: true })
  const of = (changes: Partial<ValidationData>, receivedAt = signedAt) =>
    reportOf(appendValidationData(stamped, proof(changes)), { receivedAt }).then(({ signature }) => signature.level)
  const answers = (at: Date, about = anna) => [
    ...[anna, stamper].filter((each) => each !== about).map((each) => ocspAnswer(each)),
    ocspAnswer(about, { at, nextUpdate: later(48 * hour) }),
  ]
  for (const each of [anna, stamper]) {
    expect(await of({ ocsps: answers(later(-1000), each) })).toBe('B-T')
    expect(await of({ ocsps: answers(later(hour), each) })).toBe('B-T')
    expect(await of({ ocsps: answers(later(hour), each) }, later(hour))).toBe('B-LT')
  }
  expect(await of({ crls: [revocationList({ at: later(-hour) })] })).toBe('B-LT')
})

test('DOC-8 a timestamp from after the receipt proves no time, and the validation is at the receipt', async () => {
  const { signature } = await reportOf(stampDocument(signed, later(hour)))
  expect(signature).toMatchObject({ level: 'B-B', provenAt: undefined })
  // A clock that is a little ahead is no future, and what happens until then counts.
  const ahead = stampDocument(signed, later(60_000))
  expect((await reportOf(ahead)).signature.provenAt).toEqual(later(60_000))
  const list = revocationList({ issuer: issuing, revoked: [{ about: anna, at: later(30_000) }] })
  expect(await codesOf(ahead, { crls: [list] })).toEqual([])
  expect(await codesOf(ahead, { crls: [list], receivedAt: later(60_000) })).toEqual(['revoked'])
})

test('DOC-8 CHK-7 a signature without a reference to its certificate has no level', async () => {
  const untied = signPdf(plain, { timestamp: true, attributes: (digest) => derSet(contentType, digestOf(digest)) })
  const { signature } = await reportOf(appendValidationData(untied, proof()), { signingCertificate: 'any' })
  expect(signature).toMatchObject({ intact: true, provenAt: signedAt, level: undefined })
})

test('CHK-7 without evidence about the authority of its timestamp a file is B-T', async () => {
  const ofSigner = { ocsps: [ocspAnswer(anna)] }
  const stamped = appendValidationData(signPdf(plain, { timestamp: true }), proof(ofSigner))
  // The only timestamp is one of the document.
  const dated = stampDocument(appendValidationData(signed, proof(ofSigner)), signedAt)
  for (const [file, level] of [
    [stamped, 'B-LT'],
    [stampDocument(stamped), 'B-LTA'],
    [dated, 'B-LTA'],
    // No evidence yet that the timestamp of the document could cover.
    [stampDocument(signPdf(plain, { timestamp: true })), 'B-LT'],
    // Evidence that proves nothing of the signature.
    [stampDocument(appendValidationData(signPdf(plain, { timestamp: true }), proof({ ocsps: [], crls: [] }))), 'B-LT'],
    [stampDocument(signed), 'B-LT'],
  ] as const) {
    expect((await reportOf(file)).signature.level).toBe('B-T')
    // What the portal knows is not in the file.
    expect((await reportOf(file, { ocsps: [ocspAnswer(stamper)] })).signature.level).toBe('B-T')
    const proven = appendValidationData(file, proof())
    expect((await reportOf(proven)).signature.level).toBe(level)
  }
})

test('DOC-8 validation data that are there already are not written again', () => {
  const data = proof()
  const once = appendValidationData(signed, data)
  expect(once.length - signed.length).toBeGreaterThan(1500)
  expect(appendValidationData(once, data).length - once.length).toBeLessThan(700)
})

/** Signs with wrong parts, or changes the finished message. */
const cms = (
  by: Holder,
  file: Uint8Array,
  { change, ...parts }: Parameters<typeof signatureOver>[1] & { change?: (data: SignedData) => unknown },
) => {
  const prepared = prepareSignature(file, { field: 'Podpis', signer: '-', reason: '-', at: signedAt })
  const message = signatureOver(prepared, { by, ...parts })
  if (!change) return embedSignature(prepared, message)
  const data = readDer(new Uint8Array(readDer(message, ContentInfo).content), SignedData)
  change(data)
  const content = writeDer(data).buffer
  return embedSignature(prepared, writeDer(new ContentInfo({ contentType: '1.2.840.113549.1.7.2', content })))
}

const attribute = (id: string, value: Uint8Array) => derValue(0x30, derIdentifier(id), derSet(value))
const contentType = attribute('1.2.840.113549.1.9.3', derIdentifier('1.2.840.113549.1.7.1'))
const digestOf = (digest: Uint8Array) => attribute('1.2.840.113549.1.9.4', derValue(0x04, digest))
const jan = holder({ name: person('Jan Kos', 'PNOPL-80010112345'), extensions: personRights() }, issuing)
const tie = (certificate: Uint8Array) =>
  attribute(
    '1.2.840.113549.1.9.16.2.47',
    derValue(0x30, derValue(0x30, derValue(0x30, derValue(0x04, sha256(certificate))))),
  )

test.each<[string, Parameters<typeof cms>[2], string]>([
  [
    'the digest of something else',
    { attributes: () => signedAttributes({ digest: sha256(plain), certificate: anna.certificate }) },
    'cms-digest',
  ],
  ['the key of someone else', { key: jan.privateKey }, 'cms-signature'],
  [
    'a certificate of someone else in the attribute',
    { attributes: (digest) => signedAttributes({ digest, certificate: jan.certificate }) },
    'cms-signing-certificate',
  ],
  [
    'no certificate in an attribute',
    { attributes: (digest) => derSet(contentType, digestOf(digest)) },
    'signing-certificate-missing',
  ],
  ['no content type', { attributes: (digest) => derSet(digestOf(digest), tie(anna.certificate)) }, 'cms-attributes'],
  [
    'another content type',
    {
      attributes: (digest) => signedAttributes({ type: derIdentifier('1.2.3'), digest, certificate: anna.certificate }),
    },
    'cms-attributes',
  ],
  [
    'an attribute twice',
    { attributes: (digest) => derSet(contentType, digestOf(digest), digestOf(digest), tie(anna.certificate)) },
    'cms-attributes',
  ],
  ['two signers', { change: (data) => data.signerInfos.push(data.signerInfos[0]!) }, 'cms-signers'],
  ['no signer', { change: (data) => data.signerInfos.splice(0) }, 'cms-signers'],
  ['no signed attributes', { change: (data) => delete data.signerInfos[0]!.signedAttrs }, 'cms-signature'],
  [
    'another digest algorithm',
    { change: (data) => (data.signerInfos[0]!.digestAlgorithm.algorithm = '2.16.840.1.101.3.4.2.2') },
    'cms-digest',
  ],
  ['SHA-1', { change: (data) => (data.signerInfos[0]!.digestAlgorithm.algorithm = '1.3.14.3.2.26') }, 'cms-algorithm'],
  [
    'an algorithm that is not of its key',
    { change: (data) => (data.signerInfos[0]!.signatureAlgorithm.algorithm = '1.2.840.113549.1.1.11') },
    'cms-algorithm',
  ],
  [
    'an algorithm that is not of its digest',
    { change: (data) => (data.signerInfos[0]!.signatureAlgorithm.algorithm = '1.2.840.10045.4.3.3') },
    'cms-algorithm',
  ],
  ['no certificate', { change: (data) => delete data.certificates }, 'cms-no-certificate'],
])('R48 a message with %s is refused', async (_, change, code) => {
  expect(await codesOf(cms(anna, plain, change))).toEqual([code])
})

test('R48 a message that carries a content of its own is refused', async () => {
  const digest = sha256(plain)
  const message = (found: Uint8Array) => {
    expect(found.length).toBeGreaterThan(0)
    const attributes = signedAttributes({ digest, certificate: anna.certificate })
    return signedData(cmsSigner({ certificate: anna.certificate, chain: [] }), {
      attributes,
      signature: signBytes(anna.privateKey, attributes),
      content: { type: derIdentifier('1.2.840.113549.1.7.1'), bytes: plain },
    })
  }
  expect(await codesOf(signPdf(plain, { message: (found) => message(found).slice(0, 12_000) }))).toEqual([
    'cms-content',
  ])
})

test('R48 a weak key is refused', async () => {
  const weak = holder(
    {
      name: person('Anna', 'PNOPL-90010112345'),
      extensions: personRights(),
      keys: generateKeyPairSync('rsa', { modulusLength: 1024 }),
    },
    issuing,
  )
  expect(await codesOf(signPdf(plain, { by: weak }))).toEqual(['cms-algorithm'])
})

const rogue = holder({ name: cn('Root'), extensions: authorityRights() })
const rogueIssuing = holder({ name: cn('Issuing'), extensions: authorityRights(0) }, rogue)
const by = (issuer: Holder, extensions = personRights(), dates: { notBefore?: Date; notAfter?: Date } = {}) =>
  holder({ name: person('Anna Nowak', 'PNOPL-90010112345'), extensions, ...dates }, issuer)
const ewa = holder({ name: person('Ewa Kos', 'PNOPL-70010112345'), extensions: personRights() }, root)
const below = holder({ name: cn('Below'), extensions: authorityRights() }, issuing)
const constrained = holder(
  {
    name: cn('Constrained'),
    extensions: [...authorityRights(), extension(x509.id_ce_nameConstraints, derValue(0x30), true)],
  },
  root,
)

test.each<[string, Holder, Holder[], string]>([
  ['by authorities of the same names', by(rogueIssuing), [rogueIssuing, rogue], 'path-untrusted'],
  ['by a person', by(ewa), [ewa], 'path-not-authority'],
  ['by an authority that may have none below it', by(below), [below, issuing], 'path-not-authority'],
  ['by an authority with constraints', by(constrained), [constrained], 'path-constrained'],
  ['not yet valid', by(issuing, personRights(), { notBefore: later(hour) }), [issuing], 'path-expired'],
  ['no longer valid', by(issuing, personRights(), { notAfter: later(-hour) }), [issuing], 'path-expired'],
  [
    'with an extension that is critical and unknown',
    by(issuing, [...personRights(), extension('1.2.3.4', derValue(0x05), true)]),
    [issuing],
    'path-constrained',
  ],
  [
    'for sites and mail',
    by(issuing, [usage(x509.KeyUsageFlags.digitalSignature), ...personRights().slice(1)]),
    [issuing],
    'key-usage',
  ],
  ['that is not qualified', by(issuing, [usage(x509.KeyUsageFlags.nonRepudiation)]), [issuing], 'not-qualified'],
])('R48 a certificate %s is refused', async (_, signer, chain, code) => {
  const file = signPdf(plain, { by: signer })
  expect(await codesOf(file, { intermediates: chain.map(({ certificate }) => certificate) })).toEqual([code])
})

test('R48 an anchor is believed for what it is given for, while it is granted', async () => {
  const certificate = issuing.certificate
  const anchored = (anchor: object) => codesOf(signed, { anchors: [{ certificate, ...anchor }] })
  expect(await anchored({})).toEqual([])
  const issued = new Date('2026-01-01')
  expect(await anchored({ purposes: ['signatures'], from: issued, to: later(hour) })).toEqual([])
  // Not when the certificate was issued (R192).
  expect(await anchored({ from: later(-hour), to: later(hour) })).toEqual(['path-not-granted'])
  expect(await anchored({ purposes: ['timestamps'] })).toEqual(['path-untrusted'])
  // The certificate says itself that it is for signatures.
  expect(await anchored({ doubts: ['device', 'signatures'] })).toEqual([])
  expect(await anchored({ to: later(-hour) })).toEqual(['path-not-granted'])
  expect(await anchored({ from: later(hour) })).toEqual(['path-not-granted'])
  expect(await codesOf(signed, { anchors: [] })).toEqual(['path-untrusted'])
})

test('R48 R192 a certificate without a type is for signatures, unless its list says otherwise', async () => {
  const untyped = signPdf(plain, { by: by(issuing, [usage(x509.KeyUsageFlags.nonRepudiation), qualified(null)]) })
  const judged = async (doubts: TrustDoubt[]) => {
    const anchors = [{ certificate: issuing.certificate, doubts }]
    const { codes, signature } = await reportOf(untyped, { anchors })
    return [codes, signature.doubts]
  }
  expect(await judged([])).toEqual([[], []])
  expect(await judged(['device', 'seals'])).toEqual([[], ['device', 'seals']])
  expect(await judged(['signatures'])).toEqual([['not-qualified'], ['signatures']])
})

test('CHK-1 where no signer is required, the certificate of a seal needs an anchor for seals', async () => {
  const sealed = signPdf(plain, {
    by: by(issuing, [usage(x509.KeyUsageFlags.nonRepudiation), qualified(qcTypeIds.eseal)]),
  })
  const anchored = (changes: Partial<ValidationPolicy>, ...purposes: TrustPurpose[]) => {
    const anchors = [{ certificate: issuing.certificate, purposes }]
    return codesOf(sealed, { anchors, qualified: false, ...changes })
  }
  expect(await anchored({}, 'seals')).toEqual([])
  expect(await anchored({}, 'signatures')).toEqual(['path-untrusted'])
  expect(await anchored({ signer: { identifier: 'PNOPL-90010112345' } }, 'seals')).toContain('path-untrusted')
})

test('R48 the time that counts is the one that a timestamp proves, and else when the file came', async () => {
  const short = by(issuing, personRights(), { notAfter: later(hour) })
  const late = { receivedAt: later(2 * hour) }
  expect(await codesOf(signPdf(plain, { by: short }), late)).toEqual(['path-expired'])
  expect(await codesOf(signPdf(plain, { by: short, timestamp: true }), late)).toEqual([])
})

test('R48 a timestamp over something else, or by somebody else, proves nothing', async () => {
  const stampedBy = (tokenFor: (signature: Uint8Array) => Uint8Array<ArrayBuffer>) => {
    const prepared = prepareSignature(plain, { field: 'Podpis', signer: '-', reason: '-', at: signedAt })
    const attributes = signedAttributes({ digest: coveredDigest(prepared), certificate: anna.certificate })
    const signature = signBytes(anna.privateKey, attributes)
    const signer = cmsSigner({ certificate: anna.certificate, chain: [issuing.certificate] })
    return reportOf(
      embedSignature(prepared, signedData(signer, { attributes, signature, timestamp: tokenFor(signature) })),
    )
  }
  for (const token of [
    () => tokenOver(sha256(plain)),
    ...[timestampAuthority('Stamper', rogueIssuing), seal, responder].map(
      (stranger) => (signature: Uint8Array) => tokenOver(sha256(signature), signedAt, stranger),
    ),
    (signature: Uint8Array) => tokenOver(sha256(signature), new Date('2025-01-01')),
  ]) {
    const { signature } = await stampedBy(token)
    expect(signature).toMatchObject({ provenAt: undefined, level: 'B-B' })
    expect(signature.problems.map(({ code }) => code)).toContain('timestamp-invalid')
  }
  expect((await stampedBy((signature) => tokenOver(sha256(signature)))).signature.level).toBe('B-T')
})

const required = { revocation: 'required' } as const
const good = { ocsps: [ocspAnswer(anna)], crls: [revocationList()] }

test('R48 without an answer about every certificate the verdict waits', async () => {
  expect(await reportOf(signed, required)).toMatchObject({ verdict: 'pending', codes: ['revocation-unknown'] })
  expect(await reportOf(signed, { ...required, ocsps: good.ocsps })).toMatchObject({ verdict: 'pending' })
  expect(await reportOf(signed, { ...required, ...good })).toMatchObject({ verdict: 'accepted', codes: [] })
  expect(await reportOf(appendValidationData(signed, { certificates: [], ...good }), required)).toMatchObject({
    verdict: 'accepted',
  })
})

test('R48 a revoked certificate is refused, by answer or list, from its revocation on', async () => {
  const before = later(-hour)
  const [answer, list] = [
    ocspAnswer(anna, { status: { revokedAt: before } }),
    revocationList({ issuer: issuing, revoked: [{ about: anna, at: before }] }),
  ]
  expect(await codesOf(signed, { ocsps: [answer] })).toEqual(['revoked'])
  expect(await codesOf(signed, { crls: [list] })).toEqual(['revoked'])
  // One "revoked" outweighs any "good".
  expect(await codesOf(signed, { ocsps: [...good.ocsps, answer], crls: good.crls })).toEqual(['revoked'])
  expect(await codesOf(signed, { crls: [revocationList({ revoked: [{ about: issuing, at: before }] })] })).toEqual([
    'revoked',
  ])
  const afterwards = [anna, stamper].map((about) =>
    ocspAnswer(about, { status: { revokedAt: later(hour) }, at: later(2 * hour) }),
  )
  const stamped = signPdf(plain, { timestamp: true })
  const since = { ...required, ocsps: afterwards, crls: good.crls, receivedAt: later(2 * hour) }
  expect(await codesOf(stamped, since)).toEqual([])
})

test('R256 of evidence from before the signature the newest counts, and newer is asked for', async () => {
  const [early, newer] = [-hour / 2, -hour / 4].map((ms) => ocspAnswer(anna, { at: later(ms) })) as [
    Uint8Array,
    Uint8Array,
  ]
  const file = appendValidationData(signed, { certificates: [], ocsps: [newer, early], crls: good.crls })
  const outdated = [{ path: [anna, issuing, root].map(({ certificate }) => certificate), at: signedAt }]
  const before = await reportOf(file, required)
  expect(before).toMatchObject({ verdict: 'accepted', unproven: [] })
  expect(before.outdated.map(({ path, at }) => ({ path: path.map(plainBytes), at }))).toEqual(
    outdated.map(({ path, at }) => ({ path: path.map(plainBytes), at })),
  )
  expect(before.signature.revocations[0]).toMatchObject({ source: { issuedAt: later(-hour / 4), isEarlier: true } })
  const after = await reportOf(file, { ...required, ocsps: [ocspAnswer(anna, { at: later(1000) })] })
  expect(after).toMatchObject({ verdict: 'accepted', unproven: [], outdated: [] })
  const stopped = ocspAnswer(anna, { at: later(1000), status: { revokedAt: later(-60_000) } })
  expect(await reportOf(file, { ...required, ocsps: [stopped] })).toMatchObject({
    verdict: 'refused',
    codes: ['revoked'],
    outdated: [],
  })
})

const plainBytes = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

const ocspSigning = [extension(x509.id_ce_extKeyUsage, new x509.ExtendedKeyUsage([x509.id_kp_OCSPSigning]))]
/** Creates lists that are complete, except that an extension may restrict the list of the signers. */
const listsWith = (id: string, value: Parameters<typeof extension>[1]) => [
  revocationList(),
  revocationList({ issuer: issuing, extensions: [extension(id, value, true)] }),
]

test.each<[string, Partial<ValidationPolicy>]>([
  ['of a stranger', { ocsps: [ocspAnswer(anna, { by: jan })] }],
  [
    'of a responder of another authority',
    { ocsps: [ocspAnswer(anna, { by: holder({ name: cn('Responder'), extensions: ocspSigning }, rogueIssuing) })] },
  ],
  ['about someone else', { ocsps: [ocspAnswer(jan)] }],
  ['that had expired', { ocsps: [ocspAnswer(anna, { at: later(-3 * hour) })] }],
  ['of a list of another authority', { crls: [revocationList(), revocationList({ issuer: rogueIssuing })] }],
  [
    'of a list for authorities alone',
    {
      crls: listsWith(
        x509.id_ce_issuingDistributionPoint,
        new x509.IssuingDistributionPoint({ onlyContainsCACerts: true }),
      ),
    },
  ],
  ['of an incomplete list', { crls: listsWith('2.5.29.27', derValue(0x02, Uint8Array.of(1))) }],
  ['that cannot be read', { ocsps: [plain], crls: [revocationList(), plain] }],
])('R48 an answer %s proves nothing', async (_, evidence) => {
  expect(await reportOf(signed, { ...required, crls: good.crls, ...evidence })).toMatchObject({ verdict: 'pending' })
})

test('R48 a responder that the configuration believes is believed', async () => {
  const foreign = holder({ name: cn('Foreign'), extensions: [] })
  const evidence = { ...required, ocsps: [ocspAnswer(anna, { by: foreign })], crls: good.crls }
  expect((await reportOf(signed, evidence)).verdict).toBe('pending')
  expect((await reportOf(signed, { ...evidence, responders: [foreign.certificate] })).verdict).toBe('accepted')
})

test.each([
  ['PNOPL-90010112345', 'PNOPL-90010112345'],
  ['90010112345', 'PNOPL-90010112345'],
  ['PESEL: 90010112345', 'PNOPL-90010112345'],
  ['pesel 90010112345', 'PNOPL-90010112345'],
  ['IDCPL-ABC123456', 'IDCPL-ABC123456'],
  ['TINPL-90010112345', 'TINPL-90010112345'],
])('R48 the identifier %s is %s', (written, normal) => {
  expect(personIdentifier(written, true)).toBe(normal)
})

const wanted = { signer: { identifier: 'PNOPL-90010112345' } }
const called = (...attributes: [AttributeName, string][]) =>
  holder({ name: attributes.map(([name, value]) => ({ name, value })), extensions: personRights() }, issuing)

test.each([
  ['eleven digits of Poland', called(['C', 'PL'], ['serialNumber', '90010112345'])],
  ['the PESEL by its name, of Poland', called(['C', 'pl'], ['serialNumber', 'PESEL: 90010112345'])],
  ['the semantic identifier, of whichever country', called(['C', 'RO'], ['serialNumber', 'PNOPL-90010112345'])],
])('R48 R101 a certificate with %s names the customer', async (_, signer) => {
  expect(await codesOf(signPdf(plain, { by: signer }), wanted)).toEqual([])
})

test.each([
  ['the number of another person', called(['C', 'PL'], ['serialNumber', 'PNOPL-80010112345'])],
  ['eleven digits of Romania', called(['C', 'RO'], ['serialNumber', '90010112345'])],
  ['eleven digits of no country', called(['serialNumber', '90010112345'])],
  ['eleven digits of two countries', called(['C', 'PL'], ['C', 'EE'], ['serialNumber', '90010112345'])],
  ['a PESEL of Estonia', called(['C', 'EE'], ['serialNumber', 'PESEL: 90010112345'])],
  ['the identifier of another country', called(['C', 'PL'], ['serialNumber', 'PNOEE-90010112345'])],
  [
    'two numbers, one of them the customer’s',
    called(['C', 'PL'], ['serialNumber', 'PNOPL-90010112345'], ['serialNumber', 'PNOPL-80010112345']),
  ],
  ['a pseudonym', called(['C', 'PL'], ['serialNumber', 'PNOPL-90010112345'], ['pseudonym', 'Ania'])],
  ['no number', called(['C', 'PL'], ['CN', 'PNOPL-90010112345'])],
])('R48 R101 a certificate with %s is refused', async (_, signer) => {
  expect(await codesOf(signPdf(plain, { by: signer }), wanted)).toEqual(['other-signer'])
})
