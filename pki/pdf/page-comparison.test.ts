import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { comparePages, pageReaders, type PageReaderName } from './page-comparison.ts'
import { encryptPdf } from './pdf-rewrite.ts'
import { contractPdf, fileOf, seal, signPdf } from '../testing/pades-authorities.ts'
import { exhaustive } from '../../server/testing/breadth.ts'

const readers = Object.keys(pageReaders) as PageReaderName[]
type PdfObjects = Record<number, string | [dictionary: string, data: string]>

const stream = (data: string, entries = ''): [string, string] => [`<<${entries}/Length ${data.length}>>`, data]
const line = (text: string, y: number) => `BT /F1 12 Tf 72 ${y} Td (${text}) Tj ET\n`

const page = (entries = '', contents = '[4 0 R 8 0 R]') =>
  `<</Type/Page/Parent 2 0 R/Contents ${contents}/Resources<</Font<</F1 5 0 R>>/XObject<</Scan 9 0 R/Form 12 0 R>>` +
  `/Properties<</Layer 13 0 R>>>>${entries}>>`

/** Two pages with text, a scan, a form, a layer and a field of a form. */
const issuedObjects: PdfObjects = {
  1: '<</Type/Catalog/Pages 2 0 R/AcroForm 6 0 R/OCProperties<</OCGs[13 0 R]/D<</Order[13 0 R]>>>>>>',
  2: '<</Type/Pages/Count 2/Kids[3 0 R 14 0 R]/MediaBox[0 0 595 842]>>',
  3: page('/Annots[15 0 R]'),
  4: stream(
    line('Umowa na 100 zl', 720) +
      '/OC/Layer BDC ' +
      line('Kaucja 50 zl', 700) +
      'EMC q 100 0 0 20 72 640 cm /Scan Do Q ',
  ),
  5: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  6: '<</Fields[15 0 R]/DA(/F1 12 Tf 0 g)/DR<</Font<</F1 5 0 R>>>>>>',
  7: '<</Title(Umowa)>>',
  8: stream(line('Termin 14 dni', 680) + 'q 1 0 0 1 72 600 cm /Form Do Q '),
  9: stream(
    '00FF00FF>',
    '/Type/XObject/Subtype/Image/Width 2/Height 2/BitsPerComponent 8/ColorSpace/DeviceGray/Filter/ASCIIHexDecode',
  ),
  10: '<</Type/Annot/Subtype/Widget/FT/Sig/T(Podpis)/Rect[0 0 0 0]/F 132/V 11 0 R/P 3 0 R>>',
  11: '<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/ETSI.CAdES.detached/Contents<3000>/ByteRange[0 1 2 3]>>',
  12: stream('0 0 40 10 re f ', '/Type/XObject/Subtype/Form/BBox[0 0 100 20]'),
  13: '<</Type/OCG/Name(Kaucja)>>',
  14: page('/Annots[]', '17 0 R'),
  15: '<</Type/Annot/Subtype/Widget/FT/Tx/T(Kwota)/Rect[300 700 400 720]/F 4/V(100)/DA(/F1 12 Tf 0 g)/AP<</N 16 0 R>>/P 3 0 R>>',
  16: stream(
    'BT /F1 12 Tf 2 4 Td (100) Tj ET',
    '/Type/XObject/Subtype/Form/BBox[0 0 100 20]/Resources<</Font<</F1 5 0 R>>>>',
  ),
  17: stream(line('Strona druga', 720)),
  18: 'null',
  19: 'null',
}

const pdfOf = (objects: PdfObjects) => fileOf(Object.values(objects))
const issued = pdfOf({ ...issuedObjects, 10: 'null', 11: 'null' })
/** With a new signature and other changes. Nothing of ours looks at the signed bytes. */
const received = (changes: PdfObjects = {}) =>
  pdfOf({
    ...issuedObjects,
    3: page('/Annots[15 0 R 10 0 R]'),
    6: '<</Fields[15 0 R 10 0 R]/DA(/F1 12 Tf 0 g)/DR<</Font<</F1 5 0 R>>>>>>',
    ...changes,
  })

const look = '/Type/XObject/Subtype/Form/BBox[0 0 200 20]/Resources<</Font<</F1 5 0 R>>>>'
const covering = stream('1 g 0 0 200 20 re f 0 g BT /F1 12 Tf 2 4 Td (1 zl) Tj ET', look)
const text = issuedObjects[4]![1]
const widget = (rect: string, more = '') =>
  `<</Type/Annot/Subtype/Widget/FT/Sig/T(Podpis)/Rect[${rect}]/F 132/V 11 0 R/P 3 0 R/AP<</N 19 0 R>>${more}>>`

const both = readers
/** What is changed, and which of the two readers shows it (docs/decisions/0076). */
const changes: [what: string, objects: PdfObjects, shownBy: PageReaderName[]][] = [
  ['a price', { 4: stream(text.replace('100', '1')) }, both],
  ['a comma', { 4: stream(text.replace('100 zl', '100, zl')) }, both],
  [
    'a page added',
    { 2: '<</Type/Pages/Count 3/Kids[3 0 R 14 0 R 18 0 R]/MediaBox[0 0 595 842]>>', 18: page('', '17 0 R') },
    both,
  ],
  [
    'two pages merged',
    {
      2: '<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 595 842]>>',
      3: page('/Annots[15 0 R 10 0 R]', '[4 0 R 8 0 R 17 0 R]'),
    },
    both,
  ],
  ['a page turned', { 14: page('/Annots[]/Rotate 90', '17 0 R') }, both],
  ['a page cut', { 14: page('/Annots[]/CropBox[0 0 595 700]', '17 0 R') }, both],
  [
    'a layer that is off',
    { 1: '<</Type/Catalog/Pages 2 0 R/AcroForm 6 0 R/OCProperties<</OCGs[13 0 R]/D<</Order[13 0 R]/OFF[13 0 R]>>>>>>' },
    both,
  ],
  [
    'an image turned round',
    {
      9: stream(
        '00FF00FF>',
        '/Type/XObject/Subtype/Image/Width 2/Height 2/BitsPerComponent 8/ColorSpace/DeviceGray/Filter/ASCIIHexDecode/Decode[1 0]',
      ),
    },
    both,
  ],
  ['a form', { 12: stream('0 0 40 11 re f ', '/Type/XObject/Subtype/Form/BBox[0 0 100 20]') }, both],
  [
    'a font',
    { 5: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Type/Encoding/Differences[49/seven]>>>>' },
    both,
  ],
  [
    'the look of a field',
    {
      16: stream(
        'BT /F1 12 Tf 2 4 Td (999) Tj ET',
        '/Type/XObject/Subtype/Form/BBox[0 0 100 20]/Resources<</Font<</F1 5 0 R>>>>',
      ),
    },
    both,
  ],
  [
    'an annotation that says it is a signature',
    {
      3: page('/Annots[15 0 R 10 0 R 18 0 R]'),
      18: '<</Type/Annot/Subtype/FreeText/FT/Sig/Rect[72 715 272 735]/F 4/AP<</N 19 0 R>>>>',
      19: covering,
    },
    both,
  ],
  [
    'a widget that the form does not know',
    { 3: page('/Annots[15 0 R 10 0 R 18 0 R]'), 18: widget('72 715 272 735'), 19: covering },
    both,
  ],
  [
    'a stamp that reaches beyond the signature',
    {
      3: page('/Annots[15 0 R 10 0 R 18 0 R]'),
      10: widget('72 400 272 420'),
      18: '<</Type/Annot/Subtype/Stamp/Rect[72 415 272 435]/F 4/AP<</N 19 0 R>>>>',
      19: covering,
    },
    both,
  ],
  // Chrome goes by the form alone; Firefox shows the value when the field is entered.
  [
    'the value of a field below its look',
    { 15: String(issuedObjects[15]).replace('/V(100)', '/V(999)') },
    ['displayList'],
  ],
  [
    'a part that pdf.js skips',
    {
      3: page('/Annots[15 0 R 10 0 R]', '[4 0 R 18 0 R]'),
      18: stream(issuedObjects[8]![1], '/Filter/DCTDecode'),
    },
    ['displayList'],
  ],
  [
    'a part more that PDFium shows',
    {
      3: page('/Annots[15 0 R 10 0 R]', '[4 0 R 8 0 R 18 0 R]'),
      18: stream(line('Kara 1000 zl', 500), '/Filter/DCTDecode'),
    },
    ['pixels'],
  ],
  // Where a signature paints nothing, nothing is left out.
  [
    'a stamp where the signature paints nothing',
    {
      10: widget('72 715 272 735').replace('/AP<</N 19 0 R>>', ''),
      18: '<</Type/Annot/Subtype/Stamp/Rect[72 715 272 735]/F 4/AP<</N 19 0 R>>>>',
      3: page('/Annots[15 0 R 10 0 R 18 0 R]'),
      19: covering,
    },
    both,
  ],
  ['the look of the signature, over the price', { 10: widget('72 715 272 735'), 19: covering }, ['pixels']],
  [
    'another colour of what is typed into a field',
    {
      15: String(issuedObjects[15]).replace('/DA(/F1 12 Tf 0 g)', '/DA(/F1 30 Tf 1 g)'),
    },
    ['displayList'],
  ],
  // No reader tried shows it: it is for the check of the objects.
  ['a part with a reference to another file', { 8: stream(issuedObjects[8]![1], '/F(clause.txt)') }, []],
]

test.each(changes)(
  'R107 without the check of objects, %s is seen by the readers that show it',
  async (_, objects, shownBy) => {
    const file = received(objects)
    for (const reader of readers)
      expect({ reader, said: await comparePages({ issued, received: file }, reader) }).toEqual({
        reader,
        said: shownBy.includes(reader) ? 'different' : 'same',
      })
  },
)

const encrypted = encryptPdf(issued, { password: 'KOD-123', owner: 'x' })
const good: [what: string, files: { issued: Uint8Array; received: Uint8Array; password?: string }][] = [
  ['an invisible signature', { issued, received: received() }],
  [
    'a signature that shows itself where nothing was',
    { issued, received: received({ 10: widget('72 400 272 420'), 19: covering }) },
  ],
  [
    'a widget without an appearance',
    { issued, received: received({ 10: widget('72 715 272 735').replace('/AP<</N 19 0 R>>', '') }) },
  ],
  [
    'an empty look over the price',
    { issued, received: received({ 10: widget('72 715 272 735'), 19: stream('', look) }) },
  ],
  ['a signature half beyond the page', { issued, received: received({ 10: widget('500 -10 700 10'), 19: covering }) }],
  ['a field of the issued file that was signed', { issued: received({ 11: 'null' }), received: received() }],
  ['a signature that goes on from the issued file', { issued: contractPdf(), received: signPdf(contractPdf()) }],
  [
    'a signature after a seal',
    {
      issued: signPdf(contractPdf(), { by: seal, field: 'Pieczec' }),
      received: signPdf(signPdf(contractPdf(), { by: seal, field: 'Pieczec' })),
    },
  ],
  ['what was saved of an encrypted file in clear', { issued: encrypted, received: received(), password: 'KOD-123' }],
]
test.each(good)('R107 %s changes no page', async (_, files) => {
  for (const reader of readers) expect(await comparePages(files, reader)).toBe('same')
})

test('R107 what a reader does not open is incomparable', async () => {
  for (const reader of readers) {
    expect(await comparePages({ issued, received: new TextEncoder().encode('%PDF-1.7 nothing') }, reader)).toBe(
      'incomparable',
    )
    expect(await comparePages({ issued: encrypted, received: received(), password: 'wrong' }, reader)).toBe(
      'incomparable',
    )
  }
})

/** Files of the kinds that were once accepted; they are not in this repository (docs/guides/pades-corpus.md). */
const folder = `${import.meta.dirname}/../../../shared/corpus/pades-changed/`
type CorpusFile = { name: string; issued?: string; password?: string }
const { files } = existsSync(`${folder}manifest.json`)
  ? (JSON.parse(readFileSync(`${folder}manifest.json`, 'utf8')) as { files: CorpusFile[] })
  : { files: [] }

test.runIf(exhaustive && files.length)(
  'R107 of the corpus (skipped where it is missing) every class that a reader shows is seen',
  async () => {
    const seen: Record<string, string> = {}
    for (const { name, issued: from = '00-issued.pdf', password } of files) {
      const [before, after] = [from, name].map((file) => new Uint8Array(readFileSync(`${folder}${file}`))) as [
        Uint8Array,
        Uint8Array,
      ]
      for (const reader of readers) {
        const said = await comparePages({ issued: before, received: after, ...(password && { password }) }, reader)
        if (said === 'different') seen[name.slice(0, 4)] = `${seen[name.slice(0, 4)] ?? ''}${reader[0]}`
      }
    }
    // n088, a stream with a reference to another file, looks the same everywhere.
    expect(seen).toEqual({ n033: 'p', n034: 'p', n082: 'pd', n086: 'd', n090: 'pd', n091: 'pd' })
  },
)
