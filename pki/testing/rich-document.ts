import PdfKit from 'pdfkit'
import { contract, fileOf, signedAt } from './pades-authorities.ts'
import { deflated, stream, type PdfObject } from './pdf-objects.ts'

const compressed = (entries: string, data: string) => stream(`${entries}/Filter/FlateDecode`, deflated(data))

const pageOne = [
  'q 0.9 0.95 1 rg 60 640 480 150 re f Q',
  'BT /F1 24 Tf 72 750 Td (Umowa na 100 zl) Tj ET',
  'BT /F2 12 Tf 14 TL 72 720 Td (Klient moze odstapic w terminie 14 dni.) Tj T* (Kara umowna: 0 zl.) Tj ET',
  '/OC /Seen BDC BT /F1 12 Tf 72 680 Td (Warstwa widoczna: rabat 5 %) Tj ET EMC',
  '/OC /Unseen BDC BT /F1 12 Tf 72 660 Td (Warstwa ukryta: rabat 50 %) Tj ET EMC',
  'q /G1 gs 1 0 0 rg 400 660 60 40 re f Q',
  'q 120 0 0 60 72 560 cm /Im1 Do Q',
  'q 120 0 0 60 220 560 cm /Im2 Do Q',
  'q 120 0 0 60 370 560 cm /Im3 Do Q',
]
const pageTwo = [
  'q 1 0 0 1 72 500 cm /Fm1 Do Q',
  'BT /F1 14 Tf 72 400 Td [(Strona 2: ) -200 (cena calkowita 100 zl)] TJ ET',
  'q /Pattern cs /P1 scn 72 300 200 60 re f Q',
  'q 40 0 0 40 320 300 cm BI /W 4 /H 4 /BPC 8 /CS /G ID 0123456789abcdef EI Q',
]
const half = pageTwo.length / 2
const checkers = Array.from({ length: 64 }, (_, i) => (i % 2 === (i >> 3) % 2 ? '\x20' : '\xd0')).join('')
const rows = Array.from(
  { length: 8 },
  (_, y) => `\x02${Array.from({ length: 8 }, (__, x) => (y === 0 ? String.fromCharCode(x * 20) : '\x08')).join('')}`,
)
const widths = Array.from({ length: 95 }, () => '556').join(' ')

/**
 * A document of three pages with nearly every feature: layers, images with several filters, patterns, a form XObject,
 * annotations with and without appearance streams, an empty signature field, a nested page tree.
 */
const richObjects: PdfObject[] = [
  `<</Type/Catalog/Pages 2 0 R/AcroForm 20 0 R/OCProperties<</OCGs[15 0 R 16 0 R]/D<</ON[15 0 R]/OFF[16 0 R]/Order[15 0 R 16 0 R]>>>>
/PageLabels<</Nums[0<</S/D>>]>>/Outlines 28 0 R/Lang(pl)/ViewerPreferences<</DisplayDocTitle true>>>>`,
  '<</Type/Pages/Count 3/Kids[3 0 R 30 0 R]/MediaBox[0 0 595 842]/Resources 5 0 R>>',
  '<</Type/Pages/Parent 2 0 R/Count 2/Kids[4 0 R 6 0 R]>>',
  '<</Type/Page/Parent 3 0 R/Contents 7 0 R/Annots[21 0 R 22 0 R 23 0 R 24 0 R]>>',
  `<</Font<</F1 10 0 R/F2 11 0 R>>/XObject<</Im1 12 0 R/Im2 13 0 R/Im3 14 0 R/Fm1 17 0 R>>/ExtGState<</G1 18 0 R>>
/Properties<</Seen 15 0 R/Unseen 16 0 R>>/Pattern<</P1 19 0 R>>>>`,
  '<</Type/Page/Parent 3 0 R/Contents[8 0 R 9 0 R]/Rotate 0/Annots[25 0 R]>>',
  compressed('', pageOne.join('\n')),
  stream('', pageTwo.slice(0, half).join('\n')),
  stream('', pageTwo.slice(half).join('\n')),
  '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  `<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/FirstChar 32/LastChar 126/Widths[${widths}]/Encoding<</Type/Encoding/Differences[65/A]>>>>`,
  compressed('/Type/XObject/Subtype/Image/Width 8/Height 8/BitsPerComponent 8/ColorSpace/DeviceGray', checkers),
  stream(
    '/Type/XObject/Subtype/Image/Width 32/Height 8/BitsPerComponent 1/ColorSpace/DeviceGray/Filter/CCITTFaxDecode/DecodeParms<</K -1/Columns 32/Rows 8/BlackIs1 true>>',
    '\xff\xf0\x01\x00\x10\x01',
  ),
  compressed(
    '/Type/XObject/Subtype/Image/Width 8/Height 8/BitsPerComponent 8/ColorSpace/DeviceGray/DecodeParms<</Predictor 15/Columns 8>>',
    rows.join(''),
  ),
  '<</Type/OCG/Name(Warstwa)>>',
  '<</Type/OCG/Name(Warstwa)>>',
  stream(
    '/Type/XObject/Subtype/Form/BBox[0 0 300 60]/Resources<</Font<</F1 10 0 R>>>>',
    'BT /F1 12 Tf 4 20 Td (Tabela: rata 10 zl, liczba rat 10) Tj ET 0 0 300 60 re S',
  ),
  '<</Type/ExtGState/ca 0.5>>',
  stream(
    '/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 10 10]/XStep 10/YStep 10/Resources<<>>',
    '0 0.5 0 rg 0 0 5 5 re f',
  ),
  '<</Fields[21 0 R 22 0 R 24 0 R]/DA(/F1 12 Tf 0 g)/DR<</Font<</F1 10 0 R>>>>>>',
  '<</Type/Annot/Subtype/Widget/FT/Tx/T(imie)/V(Anna)/Rect[72 500 272 520]/F 4/DA(/F1 12 Tf 0 g)/AP<</N 26 0 R>>>>',
  '<</Type/Annot/Subtype/Widget/FT/Btn/T(zgoda)/V/Off/AS/Off/Rect[300 500 320 520]/F 4/AP<</N<</Yes 27 0 R/Off 31 0 R>>>>>>',
  '<</Type/Annot/Subtype/Link/Rect[72 440 200 460]/Border[0 0 0]/Dest[6 0 R/Fit]>>',
  '<</Type/Annot/Subtype/Widget/FT/Sig/T(Klient)/Rect[350 60 540 110]/F 4/P 4 0 R>>',
  '<</Type/Annot/Subtype/Square/Rect[300 180 400 240]/C[1 0 0]/F 4/AP<</N 32 0 R>>/Contents(uwaga)>>',
  stream(
    '/Type/XObject/Subtype/Form/BBox[0 0 200 20]/Resources<</Font<</F1 10 0 R>>>>',
    '/Tx BMC q BT /F1 12 Tf 0 g 2 5 Td (Anna) Tj ET Q EMC',
  ),
  stream('/Type/XObject/Subtype/Form/BBox[0 0 20 20]', '0 0 20 20 re f'),
  '<</Type/Outlines/First 29 0 R/Last 29 0 R/Count 1>>',
  '<</Title(Rozdzial)/Parent 28 0 R/Dest[4 0 R/Fit]>>',
  '<</Type/Page/Parent 2 0 R/Contents 33 0 R/CropBox[0 0 595 842]>>',
  stream('/Type/XObject/Subtype/Form/BBox[0 0 20 20]', '0 0 20 20 re S'),
  stream('/Type/XObject/Subtype/Form/BBox[0 0 100 60]', '1 0 0 RG 1 1 98 58 re S'),
  stream('', 'BT /F2 11 Tf 72 760 Td (Strona 3: podpisy stron) Tj ET'),
]

const field = 'BT /F1 12 Tf 0 g 2 5 Td (100 zl) Tj ET'

/** A page rotated by the page tree, colours in a string, and a text field in a form without defaults. */
const turnedObjects: PdfObject[] = [
  '<</Type/Catalog/Pages 2 0 R/AcroForm 6 0 R>>',
  '<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 595 842]/Rotate 90>>',
  '<</Type/Page/Parent 2 0 R/Contents 4 0 R/Annots[7 0 R]/Resources<</Font<</F1 5 0 R>>/XObject<</Im 9 0 R>>>>>>',
  stream('', 'BT /F1 24 Tf 72 750 Td (Umowa na 100 zl) Tj ET\nq 300 0 0 100 72 500 cm /Im Do Q'),
  '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  '<</Fields[7 0 R]>>',
  '<</Type/Annot/Subtype/Widget/FT/Tx/T(cena)/V(100 zl)/Rect[72 400 272 420]/F 4/AP<</N 8 0 R>>>>',
  stream('/Type/XObject/Subtype/Form/BBox[0 0 200 20]/Resources<</Font<</F1 5 0 R>>>>', field),
  stream(
    '/Type/XObject/Subtype/Image/Width 4/Height 1/BitsPerComponent 8/ColorSpace[/Indexed/DeviceRGB 3 <0affff202020ffff20ff200a>]',
    '\0\x01\x02\x03',
  ),
]

/** Returns a document as objects and as the issued file. */
const documentOf = (name: string, objects: PdfObject[], trailer = '') => ({
  name,
  objects,
  trailer,
  bytes: fileOf(objects, trailer),
})
export type IssuedDocument = ReturnType<typeof documentOf>

export const plainDocument = documentOf('plain', contract, '/Info 7 0 R')
export const richDocument = documentOf('rich', richObjects, `/ID[${'<00112233445566778899aabbccddeeff>'.repeat(2)}]`)

export const issuedDocuments = () => [plainDocument, richDocument, documentOf('turned', turnedObjects)]

/** Creates a file with pdfkit, with a text on each page. */
export async function printedPdf(title: string, ...pages: string[]) {
  const pdf = new PdfKit({ pdfVersion: '1.7', info: { CreationDate: signedAt, Title: title }, autoFirstPage: false })
  for (const text of pages) pdf.addPage().text(text)
  pdf.end()
  return new Uint8Array(Buffer.concat(await pdf.toArray()))
}
