import { createHash, hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { bytesOf, joined, latin1 } from '../bytes.ts'
import { openPdf } from '../pdf/pdf-read.ts'
import { contract, contractPdf, fileOf, policyOf, seal, signPdf, stampDocument } from '../testing/pades-authorities.ts'
import { fileDigests } from './pades-coverage.ts'
import { issuedFile } from './pades-issued.ts'
import type { KnownForm } from './pades-report.ts'
import { validatePdf } from './pades-validate.ts'

const plain = contractPdf()
const sealed = signPdf(plain, { by: seal, field: 'Seal' })
const formOf = (bytes: Uint8Array, length = bytes.length): KnownForm => ({ length, sha256: hash('sha256', bytes) })
const judged = (file: Uint8Array, ...issued: KnownForm[]) => validatePdf(file, policyOf({ issued }))
const undecided = {
  verdict: 'refused',
  issued: 'undecided',
  problems: [{ code: 'other-document', severity: 'refuse' }],
  signatures: [],
}
const dearer = contract.map((object): (typeof contract)[number] =>
  typeof object === 'string' ? object : [object[0], object[1].replace('100 zl', '900 zl')],
)

/** Appends another document as a whole to bytes that no reader of it looks at. */
function behind(bytes: Uint8Array, file: Uint8Array) {
  const moved = (digits: string) => String(Number(digits) + bytes.length)
  const text = latin1(file)
    .replace(/\d{10}(?= 00000 n)/g, (digits) => moved(digits).padStart(10, '0'))
    .replace(/(?<=startxref\n)\d+/, moved)
  return joined([bytes, bytesOf(text)])
}

test.each<[string, Uint8Array, Uint8Array]>([
  ['a signature', plain, signPdf(plain)],
  ['a signature behind blanks', joined([plain, bytesOf('\n \n')]), signPdf(joined([plain, bytesOf('\n \n')]))],
  ['blanks, and a signature behind them', plain, signPdf(joined([plain, bytesOf('\n\n')]))],
  ['a signature behind a seal', sealed, signPdf(sealed)],
  ['two signatures', plain, signPdf(signPdf(plain), { field: 'Second' })],
  ['a signature and a timestamp of the document', plain, stampDocument(signPdf(plain))],
  ['nothing', plain, plain],
])('R48 a form that is known by its digest alone is judged as one that is there: %s', async (_, issued, file) => {
  const report = await judged(file, formOf(issued))
  expect(report.issued).toBe('same-bytes')
  expect(report).toEqual(await judged(file, issuedFile(issued)))
})

test('R48 the bytes of the issued document before a whole other one are not a revision of it, and identify nothing', async () => {
  const file = signPdf(behind(plain, fileOf(dearer)))
  expect(file.subarray(0, plain.length)).toEqual(plain)
  expect(await judged(file, formOf(plain))).toMatchObject(undecided)
  // Held against the content, it is another document.
  expect(await judged(file, issuedFile(plain))).toMatchObject({ verdict: 'refused', issued: 'other' })
})

test('R48 a part of the issued document, a digest of another length, and another digest recognise nothing', async () => {
  const file = signPdf(plain)
  const long = joined([file, bytesOf('\n')])
  for (const form of [
    formOf(plain.subarray(0, 100)),
    formOf(plain.subarray(0, -2)),
    formOf(plain, plain.length - 1),
    formOf(plain, file.length),
    // Behind the end there is nothing to hash.
    formOf(file, file.length + 1),
    formOf(long),
    formOf(signPdf(plain, { field: 'Other' })),
    { length: plain.length, sha256: '' },
    { length: 0, sha256: hash('sha256', '') },
  ])
    expect(await judged(file, form), String(form.length)).toMatchObject(undecided)
  expect(await judged(file)).toMatchObject(undecided)
})

test('R48 a file in other bytes is compared with what is there, and refused at once if it is active', async () => {
  const rewritten = signPdf(fileOf([...contract, 'null'], '/Info 7 0 R'))
  expect(await judged(rewritten, formOf(plain))).toMatchObject(undecided)
  expect(await judged(rewritten, formOf(plain), issuedFile(plain))).toMatchObject({ issued: 'same-content' })
  expect(await judged(signPdf(fileOf(dearer)), issuedFile(plain))).toMatchObject({ issued: 'other' })
  const script = fileOf([
    String(contract[0]).replace('>>', '/OpenAction<</S/JavaScript/JS(1)>>>>'),
    ...contract.slice(1),
  ])
  expect(await judged(signPdf(script), formOf(plain))).toMatchObject({
    issued: 'other',
    problems: [{ code: 'active-content' }],
  })
})

test('R48 digests of one file are right in any order of the calls', () => {
  const bytes = signPdf(signPdf(plain), { field: 'Second' })
  const pdf = openPdf(bytes)
  const ends = pdf.revisions.map(({ end }) => end)
  const digests = fileDigests(pdf)
  for (const length of [bytes.length, 10, ends[1]!, ends[0]!, 0, ends[0]! + 7, ends[1]! - 7, 10, bytes.length]) {
    expect(digests.ofFirst(length), String(length)).toBe(hash('sha256', bytes.subarray(0, length)))
    for (const name of ['sha256', 'sha512']) {
      const gap = { start: length, end: Math.min(length + 5, bytes.length) }
      const hashed = createHash(name).update(bytes.subarray(0, length)).update(bytes.subarray(gap.end))
      const expected = new Uint8Array(hashed.digest())
      for (let i = 0; i < 2; i++)
        expect(digests.ofCoverage({ gap, end: bytes.length })(name), `${name} ${length}`).toEqual(expected)
    }
  }
})
