import { expect, test } from 'vitest'
import { bytesOf, joined } from '../bytes.ts'
import { openPdf, listPages } from '../pdf/pdf-read.ts'
import { pdfDictionary, pdfName, pdfReference, pdfText, type PdfValue } from '../pdf/pdf-value.ts'
import { appendUpdate } from '../pdf/pdf-write.ts'
import {
  contract,
  contractPdf,
  fileOf,
  policyOf,
  signPdf,
  withTransform,
  proof,
  seal,
  signedAt,
  stampDocument,
} from '../testing/pades-authorities.ts'
import { stream, type PdfObject } from '../testing/pdf-objects.ts'
import { processorTime } from '../testing/processor-time.ts'
import { append, changed, valueIn, withEntry } from '../testing/signed-contract.ts'
import { signVisibly } from '../testing/visible-signature.ts'
import { issuedFile } from './pades-issued.ts'
import { validatePdf } from './pades-validate.ts'
import { appendValidationData } from './pades-validation-data.ts'

const issued = contractPdf()
const signature = '<</Type/Sig/Filter/X/SubFilter/ETSI.CAdES.detached/ByteRange[0 1 2 3]/Contents<00>>>'
const widget = '<</Type/Annot/Subtype/Widget/FT/Sig/T(a)/V 9 0 R/Rect[300 300 400 400]/F 4/AP<</N 10 0 R>>>>'
const look = stream('/Type/XObject/Subtype/Form/BBox[0 0 9 9]', '0 0 9 9 re f')
const range = (length: number, text: (index: number) => string) => Array.from({ length }, (_, i) => text(i))

/** Time limit in seconds. Without bounds, each of these files takes more than 20 seconds, or all memory. */
const maxSeconds = 5

/** Creates the contract with changed objects, and with other objects from the eighth on. */
const fileWith = (changes: Record<number, PdfObject>, more: PdfObject[]) =>
  fileOf([...contract.slice(0, 7).map((object, index) => changes[index + 1] ?? object), ...more])

/** Creates a form in which every field lists the next one twice. */
const listedTwice = (levels: number) =>
  fileWith({ 6: '<</Fields[8 0 R]>>' }, [
    ...range(levels, (i) => `<</FT/Sig/T(a)${i ? `/Parent ${7 + i} 0 R` : ''}/Kids[${9 + i} 0 R ${9 + i} 0 R]>>`),
    `<</FT/Sig/T(b)/Parent ${7 + levels} 0 R/V ${9 + levels} 0 R>>`,
    signature,
  ])

const longName = (kids: number) =>
  fileWith({ 6: '<</Fields[8 0 R]>>' }, [
    `<</T(${'x'.repeat(3_000_000)})/Kids[${range(kids, (i) => `${9 + i} 0 R`).join(' ')}]>>`,
    ...range(kids, () => '<</FT/Tx/T(k)/Parent 8 0 R>>'),
  ])

const sharedName = (kids: number) =>
  fileWith({ 4: `(${'x'.repeat(3_000_000)})`, 6: `<</Fields[${range(kids, (i) => `${8 + i} 0 R`).join(' ')}]>>` }, [
    ...range(kids, () => '<</FT/Tx/T 4 0 R>>'),
  ])

const sharedKids = (nodes: number) =>
  fileWith(
    { 5: `[${range(nodes, (i) => `${8 + i} 0 R`).join(' ')}]`, 6: '<</Fields 5 0 R>>' },
    range(nodes, () => '<</FT/Tx/T(k)/Kids 5 0 R>>'),
  )

const sharedAnnotations = (pages: number) =>
  fileWith(
    {
      2: `<</Type/Pages/Count ${pages}/Kids[${range(pages, (i) => `${8 + i} 0 R`).join(' ')}]/MediaBox[0 0 595 842]>>`,
      3: 'null',
      5: `[${'6 0 R '.repeat(20_000)}]`,
    },
    range(pages, () => '<</Type/Page/Parent 2 0 R/Annots 5 0 R>>'),
  )

const signed = [widget, signature, look]
const plainly = ['null', 'null', 'null']

const manyOperators = (pages: number, isSigned = true) =>
  fileWith(
    {
      2: `<</Type/Pages/Count ${pages}/Kids[${range(pages, (i) => `${12 + i} 0 R`).join(' ')}]/MediaBox[0 0 595 842]>>`,
      3: 'null',
      4: stream('', '0 0 1 1 re f\n'.repeat(190_000)),
      6: `<</Fields${isSigned ? '[8 0 R]' : '[]'}>>`,
    },
    [
      ...(isSigned ? signed : plainly),
      isSigned ? '[8 0 R]' : '[]',
      ...range(pages, () => '<</Type/Page/Parent 2 0 R/Contents 4 0 R/Annots 11 0 R>>'),
    ],
  )

const page = (more: string, isSigned: boolean) =>
  `<</Type/Page/Parent 2 0 R${more}${isSigned ? '/Annots[8 0 R]' : ''}>>`

const manyParts = (parts: number, isSigned = true) =>
  fileWith(
    {
      3: page(`/Contents[${'4 0 R '.repeat(parts)}]`, isSigned),
      4: stream('', ' '.repeat(3_000_000)),
      6: `<</Fields${isSigned ? '[8 0 R]' : '[]'}>>`,
    },
    isSigned ? signed : plainly,
  )

const manyWidths = (times: number, isSigned = true) =>
  fileWith(
    {
      3: page('/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>', isSigned),
      4: stream('', `BT ${'/F1 1 Tf\n'.repeat(times)} ET`),
      5: `<</Type/Font/Subtype/Type0/Encoding/Identity-H/DescendantFonts[<</DW 1/W[${'0 65535 1 '.repeat(20)}]>>]>>`,
      6: `<</Fields${isSigned ? '[8 0 R]' : '[]'}>>`,
    },
    isSigned ? signed : plainly,
  )

test.each<[string, () => Uint8Array]>([
  ['a form whose fields list others twice', () => listedTwice(31)],
  ['a long name that many fields have a part in', () => longName(3000)],
  ['a long name that many fields share', () => sharedName(60)],
  ['fields that share their list of parts', () => sharedKids(20_000)],
  ['pages that share a long list of annotations', () => sharedAnnotations(2000)],
  ['pages that share a long content', () => manyOperators(40)],
  ['a page that lists a content many times', () => manyParts(700)],
  ['a font with many widths that is chosen many times', () => manyWidths(300)],
])('R46 R99 a file is refused in bounded time: %s', async (_, make) => {
  const file = make()
  for (const policy of [policyOf({ issued: [issuedFile(issued)] }), policyOf()]) {
    const spent = processorTime()
    const { verdict } = await validatePdf(file, policy)
    expect(verdict).toBe('refused')
    expect(spent()).toBeLessThan(maxSeconds)
  }
})

/** Documents that are honest but for their size, with a signature in a blank place of each page. */
test.each<[string, () => Uint8Array]>([
  ['pages that share a long content', () => manyOperators(60, false)],
  ['a page that lists a content many times', () => manyParts(150, false)],
  ['a font with many widths that is chosen many times', () => manyWidths(1000, false)],
])('R46 R99 where the content of a signed file costs too much to read, all of it counts: %s', async (_, make) => {
  const document = make()
  const alsoOn = listPages(openPdf(document)).map((__, index) => index)
  const rect = [330, 130, 530, 170]
  const file = signVisibly(document, { widgets: [{ rect, content: '0 0 9 9 re f', alsoOn: alsoOn.slice(1) }] })
  const spent = processorTime()
  const { verdict, problems } = await validatePdf(file, policyOf({ issued: [issuedFile(document)] }))
  expect({ verdict, codes: problems.map(({ code }) => code) }).toEqual({
    verdict: 'pending',
    codes: ['covers-content'],
  })
  expect(spent()).toBeLessThan(maxSeconds)
})

const numbersFrom = (first: number, count: number) => range(count, (i) => `${first + i} 0 R`).join(' ')
const field = (more: string) => `<</Type/Annot/Subtype/Widget/Rect[1 1 9 9]${more}>>`

const lookShared = () => {
  const fields = range(4000, (i) => field(`/FT/Btn/T(${i})/AP 7 0 R`))
  const states = range(20_000, (i) => `/${i} 4 0 R`).join('')
  const file = signPdf(fileWith({ 6: `<</Fields[${numbersFrom(8, 4000)}]>>`, 7: `<</N<<${states}>>>>` }, fields))
  return append(file, withEntry(file, 8, 'AS', pdfName('1')))
}
const allFilled = () => {
  const fields = range(3000, (i) => field(`/FT/Tx/T(f${i})`))
  const lock = withTransform('FieldMDP', '/Action/Include/Fields 7 0 R')
  const file = signPdf(
    fileWith({ 6: `<</Fields[${numbersFrom(8, 3000)}]>>`, 7: `[${'(a)'.repeat(20_000)}]` }, fields),
    lock,
  )
  return append(file, ...Array.from({ length: 3000 }, (_, i) => withEntry(file, 8 + i, 'V', pdfText('x'))))
}
const parentsExtended = () => {
  const nums = range(12_000, (i) => `${i} ${8 + i} 0 R`).join(' ')
  const file = signPdf(
    fileWith(
      {
        1: '<</Type/Catalog/Pages 2 0 R/StructTreeRoot 6 0 R>>',
        6: '<</Type/StructTreeRoot/ParentTree 7 0 R>>',
        7: `<</Nums[${nums}]>>`,
      },
      range(12_000, () => '[1]'),
    ),
  )
  return append(file, ...Array.from({ length: 12_000 }, (_, i) => changed(8 + i, [1, 2])))
}
const elementsListed = () => {
  const root = '<</Type/Catalog/Pages 2 0 R/AcroForm 6 0 R/StructTreeRoot 7 0 R>>'
  const file = signPdf(fileWith({ 1: root, 7: '<</Type/StructTreeRoot>>' }, []))
  // The widget of the next signature.
  const widgets = Array.from({ length: 40_000 }, () => pdfDictionary({ Type: pdfName('OBJR'), Obj: pdfReference(92) }))
  const children = Array.from({ length: 40_000 }, () => pdfReference(90))
  const grown = append(file, withEntry(file, 7, 'K', children), changed(90, pdfDictionary({ K: widgets })))
  return signPdf(grown, { field: 'Drugi' })
}
const informationShared = () => {
  const entries = range(60_000, (i) => `/a${i} 8 0 R`).join('')
  const objects = [...contract.slice(0, 6), `<<${entries}>>`, `[${'(a)'.repeat(60_000)}]`]
  const file = signPdf(fileOf(objects, '/Info 7 0 R'))
  return append(file, withEntry(file, 7, 'ModDate', pdfText('D:20261122')))
}
const framesNamed = () => {
  const names = range(40_000, (i) => `/a${i} 7 0 R`).join('')
  const frame = stream('/Subtype/Form', 'q')
  const file = signPdf(fileWith({ 6: `<</Fields[]/DR<</XObject<<${names}>>>>>>`, 7: frame }, []))
  return append(file, changed(7, pdfDictionary({ Subtype: pdfName('Form') }), bytesOf('Q')))
}
const resourcesMoved = () => {
  const fonts = range(20_000, (i) => `/a${i} 5 0 R`).join('')
  const pages = range(2000, () => '<</Type/Page/Parent 2 0 R/Resources 7 0 R>>')
  const tree = `<</Type/Pages/Count 2000/Kids[${numbersFrom(8, 2000)}]/MediaBox[0 0 595 842]>>`
  const file = signPdf(fileWith({ 2: tree, 3: 'null', 7: `<</Font<<${fonts}>>>>` }, pages))
  const moved = changed(90_000, valueIn(file, 7))
  return append(file, moved, ...pages.map((_, i) => withEntry(file, 8 + i, 'Resources', pdfReference(90_000))))
}

const commented = () => {
  const file = signPdf(fileWith({ 5: `[${'1%\n0 R '.repeat(60_000)}]` }, []))
  return append(file, withEntry(file, 1, 'DSS', pdfDictionary({})))
}

test.each([
  ['references with comments', commented],
  ['fields that share their looks', lookShared],
  ['all fields of a form, and a long lock', allFilled],
  ['all parts of the parent tree', parentsExtended],
  ['elements that are listed many times', elementsListed],
  ['document information that shares a list', informationShared],
  ['a frame of many names', framesNamed],
  ['resources that many pages share', resourcesMoved],
])('R46 R266 what changed after a signature is judged in bounded time: %s', async (_, make) => {
  const file = make()
  const spent = processorTime()
  const { signatures } = await validatePdf(file, policyOf())
  expect(signatures[0]!.changes.length).toBeGreaterThan(0)
  expect(spent()).toBeLessThan(maxSeconds)
})

/** Creates a source of reproducible numbers, so that a file that breaks the validator breaks it in every run. */
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

/** Returns the positions of the signatures' digits; changes there may leave the signed bytes unchanged. */
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

/** Chooses a file: mostly the small one, which is fast, and sometimes the others, which have more features. */
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
