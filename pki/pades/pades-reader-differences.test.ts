import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { exhaustive } from '../../server/testing/breadth.ts'
import { bytesOf, latin1 } from '../bytes.ts'
import { openPdf } from '../pdf/pdf-read.ts'
import { pdfDictionary, pdfReference, pdfText } from '../pdf/pdf-value.ts'
import { appendUpdate, type NewObject } from '../pdf/pdf-write.ts'
import { edited, type Edit } from '../testing/changed-documents.ts'
import { contract, contractPdf, fileOf, onePage, signPdf } from '../testing/pades-authorities.ts'
import { deflated, numbered, packedFile, rewrittenFile, stream, type PdfObject } from '../testing/pdf-objects.ts'
import { processorTime } from '../testing/processor-time.ts'
import { valueIn, judge } from '../testing/signed-contract.ts'
import { signVisibly } from '../testing/visible-signature.ts'

const trailer = '/Info 7 0 R'
const plain = contractPdf()
const accepted = { verdict: 'accepted' }
const refused = { verdict: 'refused' }

/** Replaces texts in objects, all of them required to occur. */
function changed(edits: readonly Edit[], added: readonly PdfObject[] = [], objects: readonly PdfObject[] = contract) {
  const result = edited(objects, edits, added)
  expect(result).toBeDefined()
  return result!
}

/** Signs other objects in place of the issued ones, and returns the outcome. */
const rewritten = (objects: readonly PdfObject[], issued: readonly PdfObject[] = contract) =>
  judge(signPdf(rewrittenFile(numbered(objects), { trailer })), fileOf([...issued], trailer))

/** Returns the contract with the page's content in rows of a predictor, whose parameters have the given syntax. */
function predicted(parameters: string) {
  const [, text] = contract[3] as [string, string]
  return contract.with(3, stream(`/Filter/FlateDecode/DecodeParms<<${parameters}>>`, deflated(`\0${text}`)))
}

test.each(['Predictor', 'Colors', 'BitsPerComponent', 'Columns', 'EarlyChange'])(
  'R98 a parameter of a decoded filter must not be a real number: %s',
  async (key) => {
    const columns = contract[3]![1].length
    const parameters = `/Predictor 15/Colors 1/BitsPerComponent 8/Columns ${columns}/EarlyChange 1`
    expect(await rewritten(predicted(parameters))).toMatchObject(accepted)
    expect(await rewritten(predicted(parameters.replace(new RegExp(`/${key} \\d+`), '$&.0')))).toMatchObject(refused)
  },
)

test.each<[string, Edit]>([
  ['the page', ['/Contents', '/Rotate 90/Contents']],
  ['the page tree', ['/Count', '/Rotate 90/Count']],
])('R98 a page is not turned by a real, wherever it is turned: %s', async (_, turn) => {
  const issued = changed([turn])
  expect(await rewritten(issued, issued)).toMatchObject(accepted)
  // The signer rewrites the page itself.
  if (turn[0] === '/Count')
    expect(await rewritten(changed([['/Rotate 90', '/Rotate 90.0']], [], issued), issued)).toMatchObject(refused)
  const apart = (raw: string) => rewritten(changed([['/Rotate 90', '/Rotate @0 0 R']], [raw], issued), issued)
  expect(await apart('90')).toMatchObject(accepted)
  expect(await apart('90.')).toMatchObject(refused)
})

test('R98 an object that is nothing but a reference is read by some and not by others', async () => {
  const twice = changed([['/Contents 4 0 R', '/Contents @0 0 R']], ['9 0 R', '[4 0 R]'])
  expect(await rewritten(twice)).toMatchObject(refused)
})

test('R48 R98 a page that is turned by a real in an increment is refused', async () => {
  const issued = fileOf(changed([['/Contents', '/Rotate 90/Contents']]), trailer)
  const again = (syntax: string) =>
    signVisibly(issued, {
      widgets: [{ rect: [0, 0, 0, 0] }],
      extra: () => [
        {
          reference: pdfReference(3),
          // With its original syntax, which values do not have.
          value: valueIn(issued, 3).set('Rotate', {
            kind: 'reference',
            number: `${syntax} /Xx 9` as unknown as number,
            generation: 0,
          }),
        },
      ],
    })
  expect((await judge(again('90'), issued)).details.join()).toContain('/Xx')
  expect((await judge(again('90.0'), issued)).details.join()).toContain('/Rotate')
})

test.each([
  ['W', '/Type /XRef /W [1 4 2]', '/Type/XRef/W[1. 4. 2.]'],
  ['Size', /\/Size (\d+) \/Type \/XRef/, '/Size $1./Type/XRef '],
] as const)('R98 a cross-reference stream is built of integers: %s', async (_, from, to) => {
  const file = latin1(packedFile(numbered(contract), { trailer }))
  const real = file.replace(from, to)
  expect(real).not.toBe(file)
  expect(real).toHaveLength(file.length)
  expect((await judge(bytesOf(file), plain)).details.join()).not.toContain('bad number')
  expect((await judge(bytesOf(real), plain)).details.join()).toContain('number')
})

test('R98 nodes of the page tree have nothing that a page inherits in one reader alone', async () => {
  const stamp = '<</Type/Annot/Subtype/Stamp/Rect[60 700 500 790]/F 4/AP<</N @1 0 R>>>>'
  const look = stream('/Type/XObject/Subtype/Form/BBox[0 0 440 90]', '0 0 440 90 re f')
  expect(await rewritten(changed([['/Count', '/Annots[@0 0 R]/Count']], [stamp, look]))).toMatchObject(refused)
  for (const key of ['UserUnit', 'Contents', 'Group'])
    expect(await rewritten(changed([['/Count', `/${key} 4 0 R/Count`]]))).toMatchObject(refused)
})

const withField = (entries: string) =>
  changed(
    [
      ['<</Fields[]>>', '<</Fields[8 0 R]>>'],
      ['/Contents', '/Annots[8 0 R]/Contents'],
    ],
    [
      `<</Type/Annot/Subtype/Widget${entries}/T(cena)/Rect[72 500 272 520]/F 4/AP<</N 9 0 R>>>>`,
      stream(
        '/Type/XObject/Subtype/Form/BBox[0 0 200 20]/Resources<</Font<</F1 5 0 R>>>>',
        'BT /F1 12 Tf 0 g 2 5 Td (100 zl) Tj ET',
      ),
    ],
  )

test.each(['/FT/Tx/V(100 zl)', '/FT/Ch/V(100 zl)', '/FT/Btn/MK<</CA(100 zl)>>'])(
  'R98 R100 a form with fields to fill in gets no defaults for their input: %s',
  async (entries) => {
    const issued = withField(entries)
    expect(await rewritten(issued, issued)).toMatchObject(accepted)
    const withDefaults = changed([['<</Fields', '<</DA(/F1 300 Tf 1 1 1 rg)/Fields']], [], issued)
    expect(await rewritten(withDefaults, issued)).toMatchObject(refused)
    const file = fileOf(issued, trailer)
    const appended = (form: object) =>
      judge(signVisibly(file, { widgets: [{ rect: [0, 0, 0, 0] }], form: { ...form } }), file)
    expect(await appended({})).toMatchObject(accepted)
    expect(await appended({ DA: pdfText('/F1 300 Tf 1 1 1 rg') })).toMatchObject(refused)
  },
)

test('R98 R100 a form with nothing but signatures gets defaults', async () => {
  expect(await rewritten(changed([['<</Fields', '<</DA(/F1 30 Tf 1 1 1 rg)/Fields']]))).toMatchObject(accepted)
})

const indexed = (lookup: string) =>
  onePage('/Contents 4 0 R/Resources<</XObject<</Im 6 0 R>>>>', {
    catalog: '/AcroForm 5 0 R',
    objects: [
      stream('', 'q 300 0 0 100 72 500 cm /Im Do Q'),
      '<</Fields[]>>',
      stream(
        `/Type/XObject/Subtype/Image/Width 4/Height 1/BitsPerComponent 8/ColorSpace[/Indexed/DeviceRGB 1 ${lookup}]`,
        '\0\x01\0\x01',
      ),
    ],
  })

test.each([
  ['a line end of one byte', '(\nabcde)', '(\rabcde)'],
  ['a line end of two bytes', '(\nabcde)', '(\r\nabcde)'],
  ['an octal number beyond a byte', '(\\377abcde)', '(\\777abcde)'],
])('R98 strings that readers read differently are not equal: %s', async (_, was, is) => {
  expect(await judge(signPdf(indexed(was)), indexed(was))).toMatchObject(accepted)
  expect(await judge(signPdf(indexed(`${is} `)), indexed(was))).toMatchObject(refused)
  expect(await judge(signPdf(indexed(`${is} `)), indexed(is))).toMatchObject(accepted)
  expect(await judge(signPdf(indexed(is)), indexed(is))).toMatchObject(accepted)
})

/** Encodes data in base 85 as ReportLab writes it. */
function base85(data: Uint8Array) {
  let text = ''
  for (let at = 0; at < data.length; at += 4) {
    const part = data.subarray(at, at + 4)
    let value = 0
    for (let i = 0; i < 4; i++) value = value * 256 + (part[i] ?? 0)
    let digits = ''
    for (let i = 0; i < 5; i++, value = Math.floor(value / 85)) digits = String.fromCharCode(33 + (value % 85)) + digits
    text += digits === '!!!!!' && part.length === 4 ? 'z' : digits.slice(0, part.length + 1)
  }
  return `${text.replace(/.{60}/g, '$&\n')}~>`
}

const content = 'BT /F1 24 Tf 72 720 Td (Umowa na 100 zl) Tj ET'
const withContent = (text: string, filter = '') => contract.with(3, stream(filter && `/Filter${filter}`, text))

test('R98 R100 content in base 85 is decoded, and nothing else is accepted', async () => {
  const issued = withContent(base85(new Uint8Array(deflateSync(bytesOf(content)))), '[/ASCII85Decode/FlateDecode]')
  expect(await rewritten(withContent(content), issued)).toMatchObject(accepted)
  expect(await rewritten(withContent(content.replace('100', '900')), issued)).toMatchObject(refused)
  const zeros = `${content}\n%${'\0'.repeat(8)}.`
  for (const text of [content, `${content} `, `${content}  `, `${content}   `, zeros])
    expect(await rewritten(withContent(text), withContent(base85(bytesOf(text)), '/ASCII85Decode'))).toMatchObject(
      accepted,
    )
})

test.each(['', '~>x', '!', '!~>', 'uuuuu~>', '!!z!!~>', '\x7f!!!!~>', '!!\f!!!~>', '!!\0!!!~>', 'vvvvv~>'])(
  'R98 data that are not in base 85 are refused: %j',
  async (text) => {
    expect(await rewritten(withContent(''), withContent(text, '/ASCII85Decode'))).toMatchObject(refused)
  },
)

test('R98 R100 an entry that is null may go, and none may come', async () => {
  const withNull = changed([['/Contents', '/Group null/Contents']])
  expect(await rewritten(contract, withNull)).toMatchObject(accepted)
  expect(await rewritten(withNull)).toMatchObject(refused)
})

const many = 20_000
const elements = [
  `<</Type/Catalog/Pages 2 0 R/AcroForm 6 0 R/StructTreeRoot 8 0 R>>`,
  '<</Type/StructTreeRoot/ParentTree 9 0 R>>',
  `<</Nums[${Array.from({ length: many }, (_, i) => `${i} 10 0 R`).join(' ')}]>>`,
  `[${'0 '.repeat(many)}]`,
] as const

test.each<[string, Uint8Array, (next: number) => NewObject[]]>([
  [
    'elements with one list',
    fileOf([elements[0], ...contract.slice(1, 7), ...elements.slice(1)], trailer),
    (next) => {
      const reference = pdfReference(next)
      const nums = Array.from({ length: many }, (_, i) => [i, reference]).flat()
      return [
        { reference: pdfReference(9), value: pdfDictionary({ Nums: nums }) },
        { reference, value: Array.from({ length: many }, () => 0) },
      ]
    },
  ],
  [
    'entries of the trailer',
    fileOf(contract.slice(0, 7), `${trailer}/Foo[${'0 '.repeat(many)}]`),
    (next) => Array.from({ length: many }, (_, i) => ({ reference: pdfReference(next + i), value: pdfDictionary({}) })),
  ],
])('R44 an increment costs what it is long: %s', async (_, issued, objects) => {
  const pdf = openPdf(issued)
  const file = appendUpdate(pdf, objects(Number(pdf.trailer.get('Size')))).bytes
  const spent = processorTime()
  expect(await judge(file, issued)).toMatchObject(refused)
  expect(spent()).toBeLessThan(exhaustive ? 4 : 60)
})
