import { CRLReasons } from '@peculiar/asn1-x509'
import { expect, test } from 'vitest'
import { readCertificate } from '../../pki/asn1/certificate.ts'
import type { ValidationPolicy } from '../../pki/pades/pades-report.ts'
import { embedSignature } from '../../pki/pades/pades-sign.ts'
import { pdfDictionary } from '../../pki/pdf/pdf-value.ts'
import {
  anna,
  contractPdf,
  holder,
  issuing,
  ocspAnswer,
  person,
  personRights,
  proof,
  revocationList,
  root,
  seal,
  signPdf,
  signatureOver,
  signedAt,
  stampDocument,
} from '../../pki/testing/pades-authorities.ts'
import { append, changed, money, replaced, signed } from '../../pki/testing/signed-contract.ts'
import { coverableContract, preparedOverThePrice } from '../../pki/testing/visible-signature.ts'
import { isCovered, isOfSeal, isUnchanged, nameIn, standingOf, standingOfFile } from './file-report.ts'
import { laterAdditions } from './later-additions.tsx'
import { problemTexts } from './signature-problems.ts'
import { judgeForTest } from './testing/judged-file.ts'
import { writeValidationReport, indicationOf } from './validation-report.ts'

async function judgeFirst(file: Uint8Array, changes: Partial<ValidationPolicy> = {}) {
  const report = await judgeForTest(file, changes)
  const [first] = report.signatures
  if (!first) throw new Error('no signature')
  return { report, first: { ...first, certificates: [] } }
}

async function judge(file: Uint8Array, changes: Partial<ValidationPolicy> = {}) {
  const { report, first } = await judgeFirst(file, changes)
  return {
    file: standingOfFile(report),
    first: standingOf(first),
    unchanged: isUnchanged(first),
    indication: indicationOf(first),
  }
}

const organisation = { name: 'organizationIdentifier', value: 'VATPL-1234563218' } as const
const company = holder(
  { name: [organisation, { name: 'CN', value: 'Źródło S.A.' }], extensions: personRights().slice(0, 1) },
  issuing,
)

const later = (years: number) => new Date(signedAt.getTime() + years * 366 * 86_400_000)
const stopped = { about: anna, at: new Date(signedAt.getTime() - 1000) }
const revoked = revocationList({ issuer: issuing, revoked: [stopped] })
const suspended = revocationList({ issuer: issuing, revoked: [{ ...stopped, reason: CRLReasons.certificateHold }] })

test('CHK-4 R99 a later signature over page content is noted with those before it, so nothing says that their document is unchanged', async () => {
  const other = holder({ name: person('Jan Inny', 'PNOPL-44051401458'), extensions: personRights() }, issuing)
  const signedOnce = signPdf(coverableContract())
  const prepared = preparedOverThePrice(signedOnce, 'Podpis 2')
  const covered = embedSignature(prepared, signatureOver(prepared, { by: other }))
  const ocsps = [...proof().ocsps, ocspAnswer(other)]
  const reportOn = (file: Uint8Array, changes: Partial<ValidationPolicy> = {}) =>
    judgeForTest(file, { ocsps, ...changes })
  const once = await reportOn(signedOnce)
  expect(once.signatures.map(isUnchanged)).toEqual([true])
  const twice = await reportOn(covered)
  expect(twice.signatures.map((each) => [standingOf(each), isUnchanged(each), isCovered(each)])).toEqual([
    ['valid', undefined, true],
    ['valid', true, false],
  ])
  // Whoever signs need not be known.
  const stranger = await reportOn(covered, { anchors: [] })
  expect(stranger.signatures.map(isUnchanged)).toEqual([undefined, true])
  // A second signature without a look covers nothing.
  const beside = await reportOn(signPdf(signedOnce, { field: 'Podpis 2', by: other }))
  expect(beside.signatures.map(isUnchanged)).toEqual([true, true])
})

test('CHK-4 a broken signature names the certificate in the file, which is not its signer', async () => {
  const subjectOf = async (file: Uint8Array) => {
    const { first } = await judgeFirst(file)
    return [first.signer, first.claimedSigner].map((each) => nameIn(each?.subject))
  }
  expect(await subjectOf(signed)).toEqual(['Anna Nowak', undefined])
  for (const broken of [
    replaced(signed, '100 zl', () => '900 zl'),
    replaced(signed, '/ByteRange', () => '/ByteRangy'),
    replaced(signed, '/ETSI.CAdES.detached', () => '/ETSI.CAdES.detachee'),
  ])
    expect(await subjectOf(broken)).toEqual([undefined, 'Anna Nowak'])
  const { first } = await judgeFirst(replaced(signed, '100 zl', () => '900 zl'))
  expect(
    await writeValidationReport(new Blob([]), { ...(await judgeFirst(signed)).report, signatures: [first] }, signedAt),
  ).toMatch(/^(?!.*<SignerInformation>)[^]*not verified: Anna Nowak/)
})

test('CHK-4 what was added later is listed with its name, and whether that is known', async () => {
  const both = stampDocument(signPdf(signed, { by: company, field: 'Pieczec' }))
  const additions = async (changes: Partial<ValidationPolicy> = {}) => {
    const { report } = await judgeFirst(both, changes)
    const all = report.signatures.map((each) => ({ ...each, certificates: [] }))
    return laterAdditions(all[0]!, all.slice(1))?.map(({ what, name, doubt }) => [what.en, name, doubt?.en])
  }
  const expected = (doubt?: string) => [
    ['a seal of', 'Źródło S.A.', doubt],
    ['a timestamp', undefined, doubt],
  ]
  expect(await additions()).toEqual(expected())
  expect(await additions({ anchors: [] })).toEqual(expected('not confirmed'))
})

test('CHK-4 CHK-7 CHK-10 what is wrong makes a signature invalid, and what is not known leaves it open', async () => {
  const valid = { file: 'valid', first: 'valid', unchanged: true, indication: 'TOTAL-PASSED' }
  const open = { ...valid, file: 'unknown', first: 'unknown' }
  const invalid = { ...valid, file: 'invalid', first: 'invalid' }
  expect(await judge(signed)).toEqual(valid)
  expect(await judge(signed, { anchors: [] })).toEqual({
    ...open,
    indication: 'INDETERMINATE / NO_CERTIFICATE_CHAIN_FOUND',
  })
  expect(await judge(signed, { ocsps: [] })).toEqual({ ...open, indication: 'INDETERMINATE / TRY_LATER' })
  expect(await judge(signed, { receivedAt: later(20) })).toEqual({
    ...open,
    indication: 'INDETERMINATE / OUT_OF_BOUNDS_NO_POE',
  })
  // An authority that was not trusted then is another reason than a certificate that was not valid (CHK-10).
  const withdrawn = { certificate: root.certificate, to: signedAt }
  expect(await judge(signed, { anchors: [withdrawn] })).toEqual({
    ...open,
    indication: 'INDETERMINATE / NO_CERTIFICATE_CHAIN_FOUND_NO_POE',
  })
  expect(await judge(signed, { crls: [revocationList(), revoked] })).toEqual({
    ...invalid,
    indication: 'INDETERMINATE / REVOKED_NO_POE',
  })
  // A suspension may end (ETSI EN 319 102-1 §5.2.6).
  expect(await judge(signed, { crls: [revocationList(), suspended] })).toEqual({
    ...invalid,
    indication: 'INDETERMINATE / TRY_LATER',
  })
  expect(await judge(append(signed, changed(4, pdfDictionary({}), money)))).toEqual({
    ...invalid,
    unchanged: false,
    indication: 'INDETERMINATE / SIG_CONSTRAINTS_FAILURE',
  })
  expect(await judge(replaced(signed, '100 zl', () => '900 zl'))).toEqual({
    ...invalid,
    unchanged: false,
    indication: 'TOTAL-FAILED / HASH_FAILURE',
  })
})

test('CHK-4 CHK-8 a revoked certificate of an authority is told from the signature’s own', async () => {
  const { at } = stopped
  const answers = [
    [revocationList(), revoked],
    [revocationList(), suspended],
    [revocationList({ revoked: [{ about: issuing, at }] })],
    [revocationList({ revoked: [{ about: issuing, at, reason: CRLReasons.certificateHold }] })],
    [revocationList({ revoked: [{ about: issuing, at }] }), suspended],
  ].map(async (crls) => {
    const { first } = await judgeFirst(signed, { crls })
    return [indicationOf(first), ...problemTexts(first).map(({ en }) => en)]
  })
  expect(await Promise.all(answers)).toEqual([
    ['INDETERMINATE / REVOKED_NO_POE', 'The signature’s certificate was revoked.'],
    ['INDETERMINATE / TRY_LATER', 'The signature’s certificate was suspended at the time.'],
    ['INDETERMINATE / REVOKED_CA_NO_POE', 'The issuer’s certificate was revoked.'],
    ['INDETERMINATE / TRY_LATER', 'The issuer’s certificate was suspended at the time.'],
    ['INDETERMINATE / REVOKED_CA_NO_POE', 'The issuer’s certificate was revoked.'],
  ])
})

test('CHK-4 one wrong signature decides about the file, and a timestamp alone is no signature', async () => {
  const both = signPdf(signed, { by: seal, field: 'Pieczec', signer: 'Seal' })
  expect(await judge(both, { ocsps: [] })).toMatchObject({ file: 'unknown' })
  expect(await judge(append(both, changed(4, pdfDictionary({}), money)))).toMatchObject({ file: 'invalid' })
  expect(await judge(stampDocument(contractPdf()))).toMatchObject({ file: 'unknown', first: 'valid' })
  expect(await judge(stampDocument(contractPdf()), { anchors: [] })).toMatchObject({
    first: 'unknown',
    indication: 'INDETERMINATE / NO_CERTIFICATE_CHAIN_FOUND',
  })
})

test('CHK-4 a certificate is a seal’s by its type, or because it names an organisation and no person', () => {
  const named = (...name: Parameters<typeof holder>[0]['name']) =>
    readCertificate(holder({ name, extensions: personRights().slice(0, 1) }, issuing).certificate)
  expect(isOfSeal(readCertificate(company.certificate))).toBe(true)
  expect(isOfSeal(named(organisation, { name: 'GN', value: 'Anna' }, { name: 'CN', value: 'Anna Nowak' }))).toBe(false)
  expect(isOfSeal(readCertificate(anna.certificate))).toBe(false)
})
