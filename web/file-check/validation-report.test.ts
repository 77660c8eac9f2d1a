import { expect, test } from 'vitest'
import { readCertificate } from '../../pki/asn1/certificate.ts'
import type { ValidationPolicy } from '../../pki/pades/pades-report.ts'
import {
  anna,
  issuing,
  policyOf,
  revocationList,
  seal,
  signPdf,
  signedAt,
  stampDocument,
} from '../../pki/testing/pades-authorities.ts'
import { signed } from '../../pki/testing/signed-contract.ts'
import { allAt, parseXml, textOf } from '../../pki/trusted-lists/xml.ts'
import type { FileReport } from './file-report.ts'
import { judgeForTest } from './testing/judged-file.ts'
import { writeValidationReport } from './validation-report.ts'

const vr = 'http://uri.etsi.org/19102/v1.4.1#'
const ds = 'http://www.w3.org/2000/09/xmldsig#'
const at = new Date('2026-11-26T12:00:00.000Z')

async function judged(file: Uint8Array<ArrayBuffer>, changes: Partial<ValidationPolicy> = {}): Promise<FileReport> {
  const report = await judgeForTest(file, changes)
  const certificatesOf = (path: Uint8Array[]) => path.map((der) => readCertificate(der))
  const signatures = report.signatures.map((each) => ({
    ...each,
    certificates: each.path.length ? certificatesOf(each.path) : [each.signer ?? []].flat(),
  }))
  return { ...report, signatures }
}

const xmlOf = async (file: Uint8Array<ArrayBuffer>, report: FileReport) =>
  parseXml(await writeValidationReport(new Blob([file]), report, at))

const texts = (root: Element, ...names: string[]) => allAt(root, vr, ...names).map(textOf)
const status = ['SignatureValidationReport', 'SignatureValidationStatus'] as const

test('CHK-8 each signature and document timestamp has its indication, the proven time, the digest of what it covers, and its signer', async () => {
  const file = stampDocument(signPdf(signed, { by: seal, field: 'Pieczec', signer: 'Seal' }))
  const report = await judged(file)
  const root = await xmlOf(file, report)
  // There is no evidence about the seal.
  const mains = texts(root, ...status, 'MainIndication').map((uri) =>
    uri.replace('urn:etsi:019102:mainindication:', ''),
  )
  expect(mains).toEqual(['total-passed', 'indeterminate', 'total-passed'])
  const stamp = report.signatures.at(-1)!
  expect(stamp.certificates.map(({ subject }) => subject.at(-1)?.value)).toEqual(['Stamper', 'Issuing', 'Root'])
  expect(stamp.revocations.map((each) => each.status)).toEqual(['good', 'good'])
  expect(texts(root, ...status, 'SubIndication')).toEqual(['urn:etsi:019102:subindication:TRY_LATER'])
  expect(texts(root, 'SignatureValidationReport', 'ValidationTimeInfo', 'ValidationTime')).toEqual(
    Array.from({ length: 3 }, () => '2026-11-26T12:00:00Z'),
  )
  const proven = report.signatures.map(({ provenAt }) => (provenAt ?? at).toISOString().replace('.000', ''))
  expect(texts(root, 'SignatureValidationReport', 'ValidationTimeInfo', 'BestSignatureTime', 'POETime')).toEqual(proven)
  const covered = await Promise.all(
    report.signatures.map(async ({ end }) =>
      Buffer.from(await crypto.subtle.digest('SHA-256', file.slice(0, end))).toString('base64'),
    ),
  )
  const digests = allAt(root, vr, 'SignatureValidationReport', 'SignersDocument', 'DigestAlgAndValue')
  expect(digests.flatMap((each) => allAt(each, ds, 'DigestValue')).map(textOf)).toEqual(covered)
  const signers = allAt(root, vr, 'SignatureValidationReport', 'SignerInformation', 'SignerCertificate')
  expect(signers.map((each) => each.getAttribute('VOReference'))).toEqual(
    report.signatures.map(({ signer }) => `C-${signer!.fingerprint}`),
  )
})

test('CHK-8 every reference leads to one object, which has the certificate', async () => {
  const report = await judged(signed)
  const root = await xmlOf(signed, report)
  const objects = allAt(root, vr, 'SignatureValidationObjects', 'ValidationObject')
  const ids = objects.map((each) => each.getAttribute('id') ?? '')
  expect(new Set(ids).size).toBe(ids.length)
  const all = Array.from(root.getElementsByTagName('*'))
  const references = all.flatMap((each) => each.getAttribute('VOReference') || [])
  expect([...new Set(references)].toSorted()).toEqual(ids.toSorted())
  const contents = objects.flatMap((each) => texts(each, 'ValidationObjectRepresentation', 'base64'))
  expect(contents.map((content) => `C-${readCertificate(Buffer.from(content, 'base64')).fingerprint}`)).toEqual(ids)
  const chain = allAt(root, vr, ...status, 'AssociatedValidationReportData', 'CertificateChain', 'TrustAnchor')
  expect(chain.map((each) => each.getAttribute('VOReference'))).toEqual([ids.at(-1)])
})

test('CHK-8 what is not valid has its sub-indication, and a revocation its time and reason', async () => {
  const unproven = await judged(signed, { ocsps: [], crls: [] })
  expect(texts(await xmlOf(signed, unproven), ...status, 'SubIndication')).toEqual([
    'urn:etsi:019102:subindication:TRY_LATER',
  ])
  const since = new Date(signedAt.getTime() - 1000)
  const crls = [revocationList(), revocationList({ issuer: issuing, revoked: [{ about: anna, at: since }] })]
  const root = await xmlOf(signed, await judged(signed, { crls }))
  expect(texts(root, ...status, 'MainIndication')).toEqual(['urn:etsi:019102:mainindication:indeterminate'])
  expect(texts(root, ...status, 'SubIndication')).toEqual(['urn:etsi:019102:subindication:REVOKED_NO_POE'])
  const data = [...status, 'AssociatedValidationReportData', 'RevocationStatusInformation'] as const
  expect(texts(root, ...data, 'RevocationTime')).toEqual([`${since.toISOString().slice(0, 19)}Z`])
})

test('CHK-8 CHK-10 an authority that was not granted is named as such', async () => {
  const { anchors } = policyOf()
  const report = await judged(signed, { anchors: anchors.map((anchor) => ({ ...anchor, to: signedAt })) })
  expect(texts(await xmlOf(signed, report), 'SignatureValidationReport', 'OtherInformation')).toEqual([
    expect.stringContaining('The certificate’s issuer didn’t have trusted status when it issued it'),
  ])
})

test('CHK-8 names from a certificate stay text, also with characters that XML does not have', async () => {
  const report = await judged(signed)
  const [first] = report.signatures
  const name = 'A</Signer><Signer>"B" & \u0000\ud800'
  first!.signer = { ...first!.signer!, subject: [{ name: 'CN', value: name }] }
  const root = await xmlOf(signed, report)
  expect(texts(root, 'SignatureValidationReport', 'SignerInformation', 'Signer')).toEqual([
    'A</Signer><Signer>"B" & \ufffd\ufffd',
  ])
})
