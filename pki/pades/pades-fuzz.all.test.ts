import { expect, test } from 'vitest'
import { appendValidationData } from './pades-validation-data.ts'
import { validatePdf } from './pades-validate.ts'
import { joined } from '../bytes.ts'
import { openPdf } from '../pdf/pdf-read.ts'
import { pdfReference, type PdfValue } from '../pdf/pdf-value.ts'
import { appendUpdate } from '../pdf/pdf-write.ts'
import { contractPdf, policyOf, proof, seal, signedAt, signPdf, stampDocument } from '../testing/pades-authorities.ts'
import { processorTime } from '../testing/processor-time.ts'

/** Reproducible numbers, so that a file that breaks the validator breaks it in every run. */
function sequence(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const plain = contractPdf()
const alone = signPdf(plain)
const both = signPdf(signPdf(plain, { by: seal, field: 'Pieczec' }), { timestamp: true })
const archived = stampDocument(appendValidationData(both, proof()), new Date(signedAt.getTime() + 86_400_000))

/** The positions of the signatures' digits; changes there may leave the signed bytes unchanged. */
function gapsOf(file: Uint8Array) {
  const text = Buffer.from(file).toString('latin1')
  return [...text.matchAll(/\/Contents <([0-9a-f]+)>/g)].map(({ index, 1: digits }) => ({
    start: index + '/Contents <'.length,
    end: index + '/Contents <'.length + digits!.length,
  }))
}

const files = [alone, both, archived].map((bytes) => ({ bytes, gaps: gapsOf(bytes) }))
type GoodFile = (typeof files)[number]

const isInGap = ({ gaps }: GoodFile, at: number) => gaps.some(({ start, end }) => at >= start && at < end)

function outside(file: GoodFile, random: (below: number) => number) {
  for (;;) {
    const at = random(file.bytes.length)
    if (!isInGap(file, at)) return at
  }
}

/** The most processor seconds for a file. */
const slowest = 5

/** How many mutants were accepted or too slow; rejects for a crash. */
async function judged(mutants: Iterable<Uint8Array>) {
  const seen = { mutants: 0, accepted: 0, slow: 0 }
  for (const mutant of mutants) {
    const passed = processorTime()
    const { verdict } = await validatePdf(mutant, policyOf({ qualified: false }))
    seen.mutants++
    if (verdict !== 'refused') seen.accepted++
    if (passed() > slowest) seen.slow++
  }
  return seen
}

const withoutTail = (file: Uint8Array) => {
  const end = file.findLastIndex((byte) => byte !== 0x0a && byte !== 0x0d && byte !== 0x20)
  return file.subarray(0, end + 1)
}

/** Mostly the small file, which is fast, and sometimes the others, which have more features. */
const fileFor = (index: number) => files[index % 40 === 0 ? 2 : index % 8 === 1 ? 1 : 0]!

test('R44 R48 the good files are accepted', async () => {
  for (const { bytes } of files)
    expect((await validatePdf(bytes, policyOf({ qualified: false }))).verdict).toBe('accepted')
})

test('R44 R48 of thousands of files with one byte changed none is accepted, but for bytes of a signature’s own digits', async () => {
  const random = sequence(1)
  const flipped = (file: GoodFile, at: number) => {
    const mutant = file.bytes.slice()
    mutant[at]! ^= 1 + random(255)
    return mutant
  }
  function* outsideGaps() {
    for (let i = 0; i < 4500; i++) yield flipped(fileFor(i), outside(fileFor(i), random))
  }
  function* withinGaps() {
    for (let i = 0; i < 1500; i++) {
      const file = fileFor(i)
      const { start } = file.gaps[random(file.gaps.length)]!
      yield flipped(file, start + random(5000))
    }
  }
  expect(await judged(outsideGaps())).toEqual({ mutants: 4500, accepted: 0, slow: 0 })
  expect(await judged(withinGaps())).toMatchObject({ mutants: 1500, slow: 0 })
})

test('R44 R48 of hundreds of files with a piece cut, doubled, moved, filled or put in none is accepted', async () => {
  const random = sequence(2)
  function* edited() {
    for (let i = 0; i < 1500; i++) {
      const file = fileFor(i)
      const { bytes } = file
      const at = outside(file, random)
      const length = 1 + random(64)
      const [head, piece, tail] = [bytes.subarray(0, at), bytes.subarray(at, at + length), bytes.subarray(at + length)]
      const noise = Uint8Array.from({ length }, () => random(256))
      const kinds = [
        [head, tail],
        [head, piece, piece, tail],
        [head, tail, piece],
        [head, noise, tail],
        [head, noise, piece, tail],
        [head, new Uint8Array(length).fill(0x20), tail.length > 0 ? tail : noise],
      ]
      const mutant = joined(kinds[i % kinds.length]!)
      // Replaced blanks and trailing blanks change nothing.
      yield Buffer.compare(withoutTail(mutant), withoutTail(bytes)) === 0 ? joined([bytes, noise]) : mutant
    }
  }
  expect(await judged(edited())).toEqual({ mutants: 1500, accepted: 0, slow: 0 })
})

test('R44 R48 of hundreds of signed files that something was appended to, or that were cut, none is accepted', async () => {
  const random = sequence(3)
  const values: PdfValue[] = [
    null,
    7,
    [],
    [pdfReference(3)],
    new Map(),
    pdfReference(4),
    new Map([['Kids', [pdfReference(3)]]]),
  ]
  const opened = files.map(({ bytes }) => openPdf(bytes))
  function* appended() {
    for (let i = 0; i < 2000; i++) {
      const pdf = opened[i % 20 === 0 ? 1 : 0]!
      const number = 1 + random(20)
      const donor = pdf.object(1 + random(12))?.value ?? null
      const value = random(2) === 0 ? donor : values[random(values.length)]!
      const data = random(4) === 0 && value instanceof Map ? { data: Uint8Array.of(66, 84) } : {}
      yield appendUpdate(pdf, [{ reference: pdfReference(number), value, ...data }]).bytes
    }
    for (let i = 0; i < 500; i++) {
      const { bytes } = fileFor(i)
      yield bytes.subarray(0, bytes.length - 1 - random(bytes.length - 1))
    }
  }
  expect(await judged(appended())).toEqual({ mutants: 2500, accepted: 0, slow: 0 })
})
