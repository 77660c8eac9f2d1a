import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { issuedFile } from '../../pki/pades/pades-issued.ts'
import { validatePdf } from '../../pki/pades/pades-validate.ts'
import { policyOf } from '../../pki/testing/pades-authorities.ts'
import { isFilled, isUnchanged, standingOf, type Standing } from './file-report.ts'

/** Files as other programs make them, signed with keys of tests (docs/guides/pades.md). */
const folder = join(import.meta.dirname, '../../pki/samples/honest')
const bytesOf = (name: string) => new Uint8Array(readFileSync(join(folder, name)))

const policy = policyOf({
  anchors: [{ certificate: bytesOf('root.der') }],
  receivedAt: new Date('2026-11-29T12:00:00Z'),
  signingCertificate: 'any',
  qualified: false,
})

type Said = [standing: Standing, unchanged: boolean | undefined, filled: boolean]
const valid: Said = ['valid', true, false]
const filled: Said = ['valid', undefined, true]

const files: Record<string, Said[]> = {
  '00-control.pdf': [valid],
  '00-control-after-our-second-signature.pdf': [valid, valid],
  '01-lf-before-xref.pdf': [valid],
  '02-catalog-under-new-number.pdf': [valid],
  '03-resources-under-new-number.pdf': [valid, valid],
  '04-dr-frm-replaced-by-second-signature.pdf': [valid, valid],
  '05-waiting-field-appearance-rewritten.pdf': [filled, valid],
  '06-certified-p2-form-filled.pdf': [filled],
  '07-no-signed-attributes.pdf': [['unknown', true, false]],
  '08-control-der-timestamp.pdf': [valid, valid],
  '08-timestamp-content-constructed.pdf': [valid, valid],
  '09-foreign-signed-long-decimals.pdf': [valid],
  // Signed a second time by a version that rounded the page's size.
  '09-same-after-our-second-signature.pdf': [['invalid', false, false], valid],
  // Not signed.
  '10-size-8388607.pdf': [],
  '10-size-4294967295.pdf': [],
}

test('CHK-4 each file of the folder is in the table', () => {
  expect(readdirSync(folder).filter((name) => name.endsWith('.pdf'))).toEqual(Object.keys(files).toSorted())
})

test.each(Object.entries(files))('CHK-4 what is said of %s', async (name, expected) => {
  const { signatures } = await validatePdf(bytesOf(name), policy)
  expect(signatures.map((each): Said => [standingOf(each), isUnchanged(each), isFilled(each)])).toEqual(expected)
})

test('R48 a form that was filled in after an issued document was signed is refused', async () => {
  for (const name of ['05-waiting-field-appearance-rewritten.pdf', '06-certified-p2-form-filled.pdf']) {
    const file = bytesOf(name)
    const { signatures } = await validatePdf(file, policy)
    const issued = [issuedFile(file.subarray(0, signatures[0]!.end))]
    const report = await validatePdf(file, { ...policy, issued })
    expect([report.verdict, report.signatures[0]!.problems[0]!.code]).toEqual(['refused', 'changed-after-signing'])
  }
})
