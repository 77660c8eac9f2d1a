import { expect, test } from 'vitest'
import { readCertificate } from '../../pki/asn1/certificate.ts'
import type { ValidationPolicy } from '../../pki/pades/pades-report.ts'
import { validatePdf } from '../../pki/pades/pades-validate.ts'
import { pdfDictionary } from '../../pki/pdf/pdf-value.ts'
import {
  anna,
  contractPdf,
  holder,
  issuing,
  personRights,
  policyOf,
  proof,
  revocationList,
  seal,
  signPdf,
  signedAt,
  stampDocument,
} from '../../pki/testing/pades-authorities.ts'
import { append, changed, money, replaced, signed } from '../../pki/testing/signed-contract.ts'
import { isOfSeal, isUnchanged, standingOf, standingOfFile } from './file-report.ts'
import { indicationOf } from './indications.ts'

/** As the page judges files, with evidence that the certificates were good. */
async function judge(file: Uint8Array, changes: Partial<ValidationPolicy> = {}) {
  const { ocsps, crls } = proof()
  const report = await validatePdf(
    file,
    policyOf({ qualified: false, revocation: 'required', signingCertificate: 'any', ocsps, crls, ...changes }),
  )
  const [first] = report.signatures
  if (!first) throw new Error('no signature')
  return {
    file: standingOfFile(report),
    first: standingOf(first),
    unchanged: isUnchanged(first),
    indication: indicationOf(first),
  }
}

const later = (years: number) => new Date(signedAt.getTime() + years * 366 * 86_400_000)
const revoked = revocationList({ issuer: issuing, revoked: [{ about: anna, at: new Date(signedAt.getTime() - 1000) }] })

test('CHK-4 CHK-7 what is wrong makes a signature invalid, and what is not known leaves it open', async () => {
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
  expect(await judge(signed, { crls: [revocationList(), revoked] })).toEqual({
    ...invalid,
    indication: 'INDETERMINATE / REVOKED_NO_POE',
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
  const organisation = { name: 'organizationIdentifier', value: 'VATPL-1234563218' } as const
  expect(isOfSeal(named(organisation, { name: 'CN', value: 'Źródło' }))).toBe(true)
  expect(isOfSeal(named(organisation, { name: 'GN', value: 'Anna' }, { name: 'CN', value: 'Anna Nowak' }))).toBe(false)
  expect(isOfSeal(readCertificate(anna.certificate))).toBe(false)
})
