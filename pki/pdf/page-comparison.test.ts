import { expect, test } from 'vitest'
import { edited, type Edit } from '../testing/changed-documents.ts'
import { contractPdf, fileOf, seal, signPdf } from '../testing/pades-authorities.ts'
import { stream, type PdfObject } from '../testing/pdf-objects.ts'
import { comparePages } from './page-comparison.ts'
import { encryptPdf } from './pdf-rewrite.ts'

type PdfObjects = Record<number, PdfObject>

const line = (text: string, y: number) => `BT /F1 12 Tf 72 ${y} Td (${text}) Tj ET\n`

const page = (entries = '', contents = '[4 0 R 8 0 R]') =>
  `<</Type/Page/Parent 2 0 R/Contents ${contents}/Resources<</Font<</F1 5 0 R>>/XObject<</Scan 9 0 R/Form 12 0 R>>` +
  `/Properties<</Layer 13 0 R>>>>${entries}>>`

const secondPart = `${line('Termin 14 dni', 680)}q 1 0 0 1 72 600 cm /Form Do Q `
const look = '/Type/XObject/Subtype/Form/BBox[0 0 200 20]/Resources<</Font<</F1 5 0 R>>>>'

/** Two pages with text, a scan, a form, a layer and a field of a form. */
const issuedObjects: PdfObjects = {
  1: '<</Type/Catalog/Pages 2 0 R/AcroForm 6 0 R/OCProperties<</OCGs[13 0 R]/D<</Order[13 0 R]>>>>>>',
  2: '<</Type/Pages/Count 2/Kids[3 0 R 14 0 R]/MediaBox[0 0 595 842]>>',
  3: page('/Annots[15 0 R]'),
  4: stream(
    '',
    `${line('Umowa na 100 zl', 720)}/OC/Layer BDC ${line('Kaucja 50 zl', 700)}EMC q 100 0 0 20 72 640 cm /Scan Do Q `,
  ),
  5: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  6: '<</Fields[15 0 R]/DA(/F1 12 Tf 0 g)/DR<</Font<</F1 5 0 R>>>>>>',
  7: '<</Title(Umowa)>>',
  8: stream('', secondPart),
  9: stream(
    '/Type/XObject/Subtype/Image/Width 2/Height 2/BitsPerComponent 8/ColorSpace/DeviceGray/Filter/ASCIIHexDecode',
    '00FF00FF>',
  ),
  10: '<</Type/Annot/Subtype/Widget/FT/Sig/T(Podpis)/Rect[0 0 0 0]/F 132/V 11 0 R/P 3 0 R>>',
  11: '<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/ETSI.CAdES.detached/Contents<3000>/ByteRange[0 1 2 3]>>',
  12: stream('/Type/XObject/Subtype/Form/BBox[0 0 100 20]', '0 0 40 10 re f '),
  13: '<</Type/OCG/Name(Kaucja)>>',
  14: page('/Annots[]', '17 0 R'),
  15: '<</Type/Annot/Subtype/Widget/FT/Tx/T(Kwota)/Rect[300 700 400 720]/F 4/V(100)/DA(/F1 12 Tf 0 g)/AP<</N 16 0 R>>/P 3 0 R>>',
  16: stream(look, 'BT /F1 12 Tf 2 4 Td (100) Tj ET'),
  17: stream('', line('Strona druga', 720)),
  18: 'null',
  19: 'null',
}

const issued = fileOf(Object.values({ ...issuedObjects, 10: 'null', 11: 'null' }))
/** Creates a received file with a new signature and other changes. None of our code looks at the signed bytes. */
function received(edits: Edit[] = [], others: PdfObjects = {}) {
  const objects = {
    ...issuedObjects,
    3: page('/Annots[15 0 R 10 0 R]'),
    6: '<</Fields[15 0 R 10 0 R]/DA(/F1 12 Tf 0 g)/DR<</Font<</F1 5 0 R>>>>>>',
    ...others,
  }
  return fileOf(edited(Object.values(objects), edits)!)
}

const covering = stream(look, '1 g 0 0 200 20 re f 0 g BT /F1 12 Tf 2 4 Td (1 zl) Tj ET')
const widget = (rect: string) =>
  `<</Type/Annot/Subtype/Widget/FT/Sig/T(Podpis)/Rect[${rect}]/F 132/V 11 0 R/P 3 0 R/AP<</N 19 0 R>>>>`
const withoutLook = widget('72 715 272 735').replace('/AP<</N 19 0 R>>', '')
const annotation = (entries: string, rect = '72 715 272 735') =>
  `<</Type/Annot/Subtype${entries}/Rect[${rect}]/F 4/AP<</N 19 0 R>>>>`
const oneMore: Edit = ['/Annots[15 0 R 10 0 R', '/Annots[15 0 R 10 0 R 18 0 R']
const kids = '/Count 2/Kids[3 0 R 14 0 R]'
const parts = '[4 0 R 8 0 R]'

/** Changes, and whether PDFium shows them (docs/decisions/0076). */
const changes: [what: string, edits: Edit[], isShown: boolean, others?: PdfObjects][] = [
  ['a price', [['100 zl', '1 zl']], true],
  ['a comma', [['100 zl', '100, zl']], true],
  ['a page added', [[kids, '/Count 3/Kids[3 0 R 14 0 R 18 0 R]']], true, { 18: page('', '17 0 R') }],
  [
    'two pages merged',
    [
      [kids, '/Count 1/Kids[3 0 R]'],
      [parts, '[4 0 R 8 0 R 17 0 R]'],
    ],
    true,
  ],
  ['a page turned', [['/Annots[]', '/Annots[]/Rotate 90']], true],
  ['a page cut', [['/Annots[]', '/Annots[]/CropBox[0 0 595 700]']], true],
  ['a layer that is off', [['/Order[13 0 R]', '/Order[13 0 R]/OFF[13 0 R]']], true],
  ['an image turned round', [['/ASCIIHexDecode', '/ASCIIHexDecode/Decode[1 0]']], true],
  ['a form', [['0 0 40 10 re', '0 0 40 11 re']], true],
  ['a font', [['/Helvetica', '/Helvetica/Encoding<</Type/Encoding/Differences[49/seven]>>']], true],
  ['the look of a field', [['(100) Tj', '(999) Tj']], true],
  ['an annotation that says it is a signature', [oneMore], true, { 18: annotation('/FreeText/FT/Sig'), 19: covering }],
  ['a widget that the form does not know', [oneMore], true, { 18: widget('72 715 272 735'), 19: covering }],
  [
    'a stamp that reaches beyond the signature',
    [oneMore],
    true,
    { 10: widget('72 400 272 420'), 18: annotation('/Stamp', '72 415 272 435'), 19: covering },
  ],
  // Firefox shows the value when the field is entered.
  ['the value of a field below its look', [['/V(100)', '/V(999)']], false],
  ['a part that pdf.js skips', [[parts, '[4 0 R 18 0 R]']], false, { 18: stream('/Filter/DCTDecode', secondPart) }],
  [
    'a part more that PDFium shows',
    [[parts, '[4 0 R 8 0 R 18 0 R]']],
    true,
    { 18: stream('/Filter/DCTDecode', line('Kara 1000 zl', 500)) },
  ],
  // Where a signature paints nothing, nothing is left out.
  [
    'a stamp where the signature paints nothing',
    [oneMore],
    true,
    { 10: withoutLook, 18: annotation('/Stamp'), 19: covering },
  ],
  ['the look of the signature, over the price', [], true, { 10: widget('72 715 272 735'), 19: covering }],
  ['another colour of what is typed into a field', [['/DA(/F1 12 Tf 0 g)/AP', '/DA(/F1 30 Tf 1 g)/AP']], false],
  ['a part with a reference to another file', [], false, { 8: stream('/F(clause.txt)', secondPart) }],
]

test.each(changes)(
  'R107 without the check of objects, what PDFium shows decides: %s',
  async (_, edits, isShown, others) => {
    const file = received(edits, others)
    expect(await comparePages({ issued, received: file })).toBe(isShown ? 'different' : 'same')
  },
)

const encrypted = encryptPdf(issued, { password: 'KOD-123', owner: 'x' })
const sealed = signPdf(contractPdf(), { by: seal, field: 'Pieczec' })
const shown = (signature: string, appearance = covering) => received([], { 10: signature, 19: appearance })
const good: [what: string, files: { issued: Uint8Array; received: Uint8Array; password?: string }][] = [
  ['an invisible signature', { issued, received: received() }],
  ['a signature that shows itself where nothing was', { issued, received: shown(widget('72 400 272 420')) }],
  ['a widget without an appearance', { issued, received: shown(withoutLook) }],
  ['an empty look over the price', { issued, received: shown(widget('72 715 272 735'), stream(look, '')) }],
  ['a signature half beyond the page', { issued, received: shown(widget('500 -10 700 10')) }],
  ['a field of the issued file that was signed', { issued: received([], { 11: 'null' }), received: received() }],
  ['a signature that goes on from the issued file', { issued: contractPdf(), received: signPdf(contractPdf()) }],
  ['a signature after a seal', { issued: sealed, received: signPdf(sealed) }],
  ['what was saved of an encrypted file in clear', { issued: encrypted, received: received(), password: 'KOD-123' }],
]
test.each(good)('R107 %s changes no page', async (_, files) => {
  expect(await comparePages(files)).toBe('same')
})

test('R107 what a reader does not open is incomparable', async () => {
  const nothing = new TextEncoder().encode('%PDF-1.7 nothing')
  expect(await comparePages({ issued, received: nothing })).toBe('incomparable')
  expect(await comparePages({ issued: encrypted, received: received(), password: 'wrong' })).toBe('incomparable')
})
