import { expect, test } from 'vitest'
import { bytesOf } from '../bytes.ts'
import { openPdf, listPages } from '../pdf/pdf-read.ts'
import { pdfDictionary, pdfName, pdfReference, pdfText, type PdfValue } from '../pdf/pdf-value.ts'
import { appendUpdate } from '../pdf/pdf-write.ts'
import { contractPdf, onePage, signPdf, stampDocument } from '../testing/pades-authorities.ts'
import { stream } from '../testing/pdf-objects.ts'
import { issuedDocuments, richDocument } from '../testing/rich-document.ts'
import { judge } from '../testing/signed-contract.ts'
import { signVisibly, type ShownWidget, type VisibleSignature } from '../testing/visible-signature.ts'

const plain = contractPdf()
const rich = richDocument.bytes
/** An area of the first page that is blank in all documents. */
const blank = [330, 130, 530, 170]
const overPrice = [70, 712, 520, 752]
const line = 'BT /F1 10 Tf 4 8 Td (Podpisano: Anna) Tj ET'

const signed = (issued: Uint8Array, widgets: ShownWidget[], more: Partial<VisibleSignature> = {}) =>
  judge(signVisibly(issued, { widgets, shape: widgets.length > 1 ? 'apart' : 'one', ...more }), issued)

const accepted = { verdict: 'accepted', codes: [] }
const covering = { verdict: 'pending', codes: ['covers-content'] }

test('R99 a signature in a blank place is accepted, wherever its field and widget are', async () => {
  for (const { bytes } of issuedDocuments())
    for (const shape of ['one', 'apart', 'below', 'inherited'] as const) {
      expect(await signed(bytes, [{ rect: blank, content: line }], { shape })).toMatchObject(accepted)
      expect(await signed(bytes, [{ rect: [0, 0, 595, 842], content: line }], { shape })).toMatchObject({
        verdict: 'pending',
      })
    }
})

test('R99 a signature over content waits, whatever the content is', async () => {
  const places: [page: number, rect: number[]][] = [
    [0, [72, 745, 100, 760]],
    [0, [240, 716, 250, 722]],
    [0, [410, 670, 420, 680]],
    [0, [80, 570, 90, 580]],
    [0, [230, 570, 240, 580]],
    [0, [80, 505, 90, 510]],
    [0, [305, 505, 310, 510]],
    [0, [80, 445, 90, 450]],
    [1, [100, 515, 110, 525]],
    [1, [300, 402, 310, 404]],
    [1, [100, 310, 110, 320]],
    [1, [330, 310, 340, 320]],
    [1, [310, 190, 320, 200]],
    [2, [80, 755, 90, 765]],
  ]
  for (const [page, rect] of places)
    expect({ page, rect, ...(await signed(rich, [{ page, rect, content: line }])) }).toMatchObject(covering)
})

test('R99 widgets of one signature are summed: pieces over content, and many in blank places', async () => {
  const pieces = [0, 1, 2, 3, 4].map((i) => ({ rect: [60 + i * 90, 700, 145 + i * 90, 740], content: line }))
  expect(await signed(plain, pieces)).toMatchObject(covering)
  expect(await signed(plain, [{ rect: blank, content: line }, pieces[0]!])).toMatchObject(covering)
  const blanks = [0, 1, 2, 3, 4].map((i) => ({ rect: [20, 20 + i * 120, 580, 80 + i * 120], content: line }))
  expect(await signed(plain, blanks.slice(0, 2))).toMatchObject(accepted)
  expect(await signed(plain, blanks)).toMatchObject({ verdict: 'pending', codes: ['large-field'] })
})

/** The number 2 with syntax that values do not have. */
const realTwo = { kind: 'reference', number: '2.0 /Unknown 9', generation: 0 } as unknown as PdfValue

test.each<[string, Partial<ShownWidget>]>([
  ['turned', { appearance: { Matrix: [0, 1, -1, 0, 0, 0] } }],
  ['without a box', { appearance: { BBox: [0, 0, 0, 0] } }],
  ['larger than its box', { appearance: { BBox: [0, 0, 1, 1] } }],
  ['of another order of corners', { rect: [520, 752, 70, 712] }],
  ['of a malformed rectangle', { rect: [70, 712, 520] }],
  ['that no zoom changes', { rect: blank, widget: { F: 12 } }],
  ['that does not turn', { rect: blank, widget: { F: 20 } }],
  ['of the screen alone', { widget: { F: 0 } }],
  ['of print alone', { widget: { F: 36 } }],
  ['in a layer', { widget: { OC: pdfDictionary({ Type: pdfName('OCG'), Name: pdfText('x') }) } }],
  ['with content that cannot be read', { content: 'q 1 1 1 rg 0 0 9 9 re what' }],
  ['with a picture', { content: 'BI /W 1 /H 1 /BPC 8 /CS /G ID \xff EI' }],
  ['that is hidden', { widget: { F: 2 } }],
  ['that only clips', { content: 'q 0 0 10 10 re W n Q' }],
  ['with a comment of bytes', { content: '%\u008a' }],
  ['with a comment that is long', { content: `%${'x'.repeat(5000)}` }],
  ['with an appearance for a pressed button', { content: '', widget: { AP: pdfDictionary({ D: pdfReference(12) }) } }],
  ['with malformed appearances', { widget: { AP: [pdfReference(12)] } }],
  ['with appearances of another generation', { widget: { AP: pdfReference(12, 3) } }],
  ['packed as nothing', { content: '>31>', appearance: { Filter: pdfName('ASCIIHexDecode') } }],
  ['with flags beyond their size', { rect: blank, widget: { F: 4_294_967_300 } }],
  ['with flags that are no whole number', { rect: blank, widget: { F: 2.5 } }],
  ['with flags as a real', { rect: blank, widget: { F: realTwo } }],
  ['whose appearance is of another generation', { widget: { AP: pdfDictionary({ N: pdfReference(11, 3) }) } }],
  ['with flags below nothing', { rect: blank, widget: { F: -28 } }],
  ['with malformed flags', { rect: blank, widget: { F: pdfName('x') } }],
  ['that readers draw', { content: '', widget: { MK: pdfDictionary({ BG: [1, 1, 1] }) } }],
  ['that readers frame', { content: '', widget: { MK: pdfDictionary({ BC: [0] }) } }],
])('R99 an appearance over content waits: one %s', async (_, look) => {
  const { verdict, codes } = await signed(plain, [{ rect: overPrice, content: line, ...look }])
  expect(verdict).toBe('pending')
  expect(codes).toContain('covers-content')
})

test.each<[string, Partial<ShownWidget>]>([
  ['of no size', { rect: [100, 700, 100, 800] }],
  ['outside the page', { rect: [-300, 0, -100, 100] }],
  ['of no appearance', { content: undefined }],
  ['of no appearance, and hidden', { content: undefined, widget: { F: 2 } }],
  ['that is hidden and empty', { content: '', widget: { F: 2 } }],
  ['that paints nothing', { content: '% DSBlank' }],
  ['of blanks and comments', { content: ' \r\n% one\r%two\n\t\0% three' }],
])('R99 a look that is not seen is accepted: one %s', async (_, look) => {
  expect(await signed(plain, [{ rect: overPrice, content: line, ...look }])).toMatchObject(accepted)
})

test('R99 a look over content waits on each page that lists its widget', async () => {
  const rect = [320, 470, 330, 480]
  expect(await signed(rich, [{ rect, content: line }])).toMatchObject(accepted)
  expect(await signed(rich, [{ rect: [320, 340, 330, 350], content: line }])).toMatchObject(accepted)
  expect(await signed(rich, [{ rect: [320, 310, 330, 320], content: line, alsoOn: [1] }])).toMatchObject(covering)
})

test('R99 more widgets than anybody needs wait', async () => {
  const many = Array.from({ length: 300 }, () => ({ rect: [0, 0, 0, 0] }))
  expect(await signed(plain, many)).toMatchObject(covering)
})

test('R99 all of the page counts if the position of its content is unknown', async () => {
  const page = (content: string, resources = '<<>>') =>
    onePage(`/Contents 4 0 R/Resources${resources}`, { objects: [stream('', content)] })
  const look = [{ rect: blank, content: line }]
  expect(await signed(page('q 1 0 0 1 0 0 cm Q'), look)).toMatchObject(accepted)
  // A background of one colour is nothing that could be covered.
  expect(await signed(page('1 1 0.9 rg 0 0 595 842 re f'), look)).toMatchObject(accepted)
  expect(await signed(page('0 0 595 842 re S'), look)).toMatchObject(accepted)
  for (const content of ['/S sh', 'q what Q', '(', 'BI /W 1', '0 0 m 595 842 l 0 842 l f', '1 0 0 cm'])
    expect({ content, ...(await signed(page(content), look)) }).toMatchObject(covering)
  // What readers understand in more than one way may hide what they show.
  const price = '1 0 0 rg 330 130 200 40 re f'
  for (const content of [
    `W n ${price}`,
    `5 5 m W n ${price}`,
    `0 0 0 0 re W n ${price}`,
    `0 0 0 0 0 0 595 842 re W n ${price}`,
    `0 0 0 0 0 0 1 0 0 1 0 0 cm ${price}`,
    `(x) 1 0 0 1 0 0 cm ${price}`,
    'BT /F1 0 /F1 20 Tf 330 140 Td (Umowa) Tj ET',
    `q 0 0 0 0 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID xEI Q ${price} q BI /W 1 /H 1 /BPC 8 /CS /G ID x EI Q`,
    'toString',
    '/Im1 Do',
    '/State gs',
    'BT /F1 20 Tf ET',
  ])
    expect({ content, ...(await signed(page(content), look)) }).toMatchObject(covering)
  const image = 'q 9 0 0 9 9 9 cm BI /W 1 /H 1 /BPC 8 /CS /G ID x EI Q'
  expect(await signed(page(`${image} ${image}`), look)).toMatchObject(accepted)
  const type3 = '<</Font<</F<</Type/Font/Subtype/Type3>>>>>>'
  expect(await signed(page('BT /F 1 Tf (a) Tj ET', type3), look)).toMatchObject(covering)
  const after = 'BT /F 10 Tf 72 150 Td (WWWWWWWWWWWWWWWW) Tj (WWWWWWWWWWWWWWWW) Tj (cena) Tj ET'
  expect(await signed(page(after), look)).toMatchObject(covering)
})

test('R99 annotations whose flags are unclear are content, and boxes of no size cut nothing away', async () => {
  const page = (annotation: string, more = '') =>
    onePage(`/Annots[4 0 R]${more}`, {
      objects: [
        `<</Type/Annot/Subtype/Stamp/Rect[330 130 530 170]/AP<</N 5 0 R>>${annotation}>>`,
        stream('/Type/XObject/Subtype/Form/BBox[0 0 9 9]', '0 0 9 9 re f'),
      ],
    })
  const look = [{ rect: blank, content: line }]
  expect(await signed(page('/F 2'), look)).toMatchObject(accepted)
  for (const flags of ['2.5', '2.0', '-2', '4294967298', '/x', '4'])
    expect({ flags, ...(await signed(page(`/F ${flags}`), look)) }).toMatchObject(covering)
  expect(await signed(page('', '/CropBox[900 900 990 990]'), look)).toMatchObject(covering)
})

test('R99 a look without a signature is refused, and so is one of a document timestamp', async () => {
  for (const isInForm of [false, true]) {
    const unsigned = signVisibly(plain, {
      widgets: [{ rect: [0, 0, 0, 0] }],
      extra: (pdf, first) => {
        const [leaf] = listPages(pdf)
        const own = { Type: pdfName('Annot'), Subtype: pdfName('Widget'), FT: pdfName('Sig'), T: pdfText('x') }
        const widget = pdfDictionary({ ...own, Rect: blank, F: 4, AP: pdfDictionary({ N: pdfReference(first + 1) }) })
        const look = pdfDictionary({ Type: pdfName('XObject'), Subtype: pdfName('Form'), BBox: [0, 0, 200, 40] })
        const top = pdfReference(first - 3)
        const list: PdfValue[] = [top, pdfReference(first)]
        return [
          { reference: pdfReference(first), value: widget },
          { reference: pdfReference(first + 1), value: look, data: bytesOf(line) },
          { reference: leaf!.reference, value: new Map(leaf!.page).set('Annots', list) },
          ...(isInForm ? [{ reference: pdfReference(6), value: pdfDictionary({ Fields: list }) }] : []),
        ]
      },
    })
    expect(await judge(unsigned, plain)).toMatchObject({ verdict: 'refused' })
  }
  const stamp = stampDocument(signPdf(plain))
  const seen = Buffer.from(stamp)
    .toString('latin1')
    .replace(/(Znacznik|5a6e61637a6e696b)(.*)\/Rect \[0 0 0 0\]/s, '$1$2/Rect [0 0 9 9]')
  expect(await judge(bytesOf(seen), plain)).toMatchObject({ verdict: 'refused' })
})

test.each([
  ['an annotation of no kind', { Subtype: null }],
  ['a text', { Subtype: pdfName('FreeText') }],
  ['a widget of another type', { FT: pdfName('Tx') }],
  ['one that acts', { A: pdfDictionary({ S: pdfName('URI'), URI: pdfText('x') }) }],
  ['one with another parent', { Parent: pdfReference(6) }],
] as [string, Record<string, PdfValue>][])(
  'R99 R100 what is put into a signature’s place is refused: %s',
  async (_, widget) => {
    for (const shape of ['one', 'apart', 'inherited'] as const) {
      const { verdict } = await signed(plain, [{ rect: blank, content: line, widget }], { shape })
      expect({ shape, verdict }).toEqual({ shape, verdict: 'refused' })
    }
  },
)

test('R100 other identifiers, and blanks behind the end, do not count as a change', async () => {
  const file = signPdf(plain)
  for (const tail of ['\n', '\r\n\r\n', ' \n', '\n'.repeat(200)])
    expect(await judge(Uint8Array.from([...file, ...bytesOf(tail)]), plain)).toMatchObject(accepted)
  for (const tail of ['\n'.repeat(2000), '\n\0', '\n%', '\nx'])
    expect(await judge(Uint8Array.from([...file, ...bytesOf(tail)]), plain)).toMatchObject({ verdict: 'refused' })
  const identified = onePage('', { trailer: '/ID[<01><02>]' })
  const pdf = openPdf(identified)
  const withId = (id: PdfValue) =>
    signPdf(appendUpdate({ ...pdf, trailer: new Map(pdf.trailer).set('ID', id) }, []).bytes)
  const two: PdfValue = [pdfText('x'), pdfText('y')]
  expect(await judge(withId(two), identified)).toMatchObject(accepted)
  expect(await judge(withId([pdfReference(3), pdfText('x')]), identified)).toMatchObject({ verdict: 'refused' })
})

test('R100 a new font or default of the form is refused where something waited for it', async () => {
  const looks = [{ rect: [0, 0, 0, 0] }]
  const font = pdfDictionary({ Font: pdfDictionary({ F2: pdfReference(5) }) })
  for (const [form, style] of [
    [{ DR: font }, '/DA(/F2 9 Tf)'],
    [{ DA: pdfText('/F2 9 Tf') }, ''],
  ] as [Record<string, PdfValue>, string][]) {
    expect(await signed(plain, looks, { form })).toMatchObject(accepted)
    const text = `<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/V(x)/Rect[0 0 9 9]${style}>>`
    const waiting = onePage('/Annots[4 0 R]', {
      catalog: '/AcroForm 6 0 R',
      objects: [text, '<</Type/Font/Subtype/Type1/BaseFont/Courier>>', '<</Fields[4 0 R]>>'],
    })
    expect(await signed(waiting, looks, { form })).toMatchObject({ verdict: 'refused' })
  }
})
