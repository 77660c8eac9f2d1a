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

/** Mostly the small file, which is fast, and sometimes the others, which have more features. */
const fileFor = (index: number) => files[index % 40 === 0 ? 2 : index % 8 === 1 ? 1 : 0]!

type Random = ReturnType<typeof sequence>

const flipped = ({ bytes }: GoodFile, at: number, random: Random) => bytes.with(at, bytes[at]! ^ (1 + random(255)))

const withoutTail = (file: Uint8Array) =>
  file.subarray(0, 1 + file.findLastIndex((byte) => ![0x0a, 0x0d, 0x20].includes(byte)))

function edited(file: GoodFile, random: Random, index: number) {
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
  const mutant = joined(kinds[index % kinds.length]!)
  // Replaced blanks and trailing blanks change nothing.
  return Buffer.compare(withoutTail(mutant), withoutTail(bytes)) === 0 ? joined([bytes, noise]) : mutant
}

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

function appended(random: Random, index: number) {
  const pdf = opened[index % 20 === 0 ? 1 : 0]!
  const donor = pdf.object(1 + random(12))?.value ?? null
  const value = random(2) === 0 ? donor : values[random(values.length)]!
  const data = random(4) === 0 && value instanceof Map ? { data: Uint8Array.of(66, 84) } : {}
  return appendUpdate(pdf, [{ reference: pdfReference(1 + random(20)), value, ...data }]).bytes
}

test('R44 R48 the good files are accepted', async () => {
  for (const { bytes } of files)
    expect((await validatePdf(bytes, policyOf({ qualified: false }))).verdict).toBe('accepted')
})

test.each<[string, number, (random: Random, index: number) => Uint8Array]>([
  ['one byte changed', 4500, (random, i) => flipped(fileFor(i), outside(fileFor(i), random), random)],
  ['a piece cut, doubled, moved, filled or put in', 1500, (random, i) => edited(fileFor(i), random, i)],
  ['something appended', 2000, appended],
  ['the end cut off', 500, (random, i) => fileFor(i).bytes.subarray(0, -1 - random(fileFor(i).bytes.length - 1))],
])('R44 R48 of many signed files with %s none is accepted, and all are judged in time', async (_, count, mutant) => {
  const random = sequence(count)
  for (let index = 0; index < count; index++) {
    const passed = processorTime()
    const { verdict } = await validatePdf(mutant(random, index), policyOf({ qualified: false }))
    expect({ index, verdict, isSlow: passed() > slowest }).toEqual({ index, verdict: 'refused', isSlow: false })
  }
})

test('R44 R48 a byte changed in the digits of a signature breaks nothing', async () => {
  const random = sequence(1)
  for (let index = 0; index < 1500; index++) {
    const file = fileFor(index)
    const { start } = file.gaps[random(file.gaps.length)]!
    const passed = processorTime()
    await validatePdf(flipped(file, start + random(5000), random), policyOf({ qualified: false }))
    expect(passed()).toBeLessThan(slowest)
  }
})
