import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { bytesOf, joined, latin1 } from '../bytes.ts'
import { openPdf } from '../pdf/pdf-read.ts'
import {
  pdfDictionary,
  pdfName,
  pdfReference,
  pdfSyntax,
  pdfText,
  type PdfReference,
  type PdfValue,
} from '../pdf/pdf-value.ts'
import { appendUpdate, nextNumber, type NewObject } from '../pdf/pdf-write.ts'
import { contract, fileOf, onePage, policyOf, signPdf, stampDocument, tokenOver } from '../testing/pades-authorities.ts'
import { deflated, numbered, packedFile, stream } from '../testing/pdf-objects.ts'
import { richDocument } from '../testing/rich-document.ts'
import {
  annotation,
  annotationsWith30,
  append,
  changed,
  listCodes,
  fieldsWith30,
  money,
  plain,
  replaced,
  signatureWidget,
  signed,
  valueIn,
  withEntry,
} from '../testing/signed-contract.ts'
import { issuedFile } from './pades-issued.ts'
import { coveredDigest, embedSignature, prepareDocumentTimestamp, type PreparedPdf } from './pades-sign.ts'
import { validatePdf } from './pades-validate.ts'

const refusal = ['changed-after-signing']
/** Returns the problem codes of a file that somebody else signs again. */
const codesOfResigned = (file: Uint8Array) => listCodes(signPdf(file, { field: 'Drugi' }))

const newPage = pdfDictionary({ Type: pdfName('Page'), Parent: pdfReference(2), Contents: pdfReference(31) })
const catalog = (key: string, value: PdfValue) => withEntry(signed, 1, key, value)
const script = pdfDictionary({ S: pdfName('JavaScript'), JS: pdfText('app.alert(1)') })

test.each<[string, NewObject[]]>([
  ['the page shows other content', [changed(4, pdfDictionary({}), money)]],
  [
    'the page leads to other content',
    [changed(31, pdfDictionary({}), money), withEntry(signed, 3, 'Contents', pdfReference(31))],
  ],
  ['the font is another', [withEntry(signed, 5, 'BaseFont', pdfName('Symbol'))]],
  ['the page has other resources', [withEntry(signed, 3, 'Resources', pdfDictionary({}))]],
  ['the page is turned', [withEntry(signed, 3, 'Rotate', 180)]],
  ['the page is smaller', [withEntry(signed, 2, 'MediaBox', [0, 0, 10, 10])]],
  [
    'there is one page more',
    [
      changed(30, newPage),
      changed(31, pdfDictionary({}), money),
      changed(2, new Map(valueIn(signed, 2)).set('Count', 2).set('Kids', [pdfReference(3), pdfReference(30)])),
    ],
  ],
  ['a text covers the page', [changed(30, annotation('FreeText')), annotationsWith30]],
  ['the signature is off the page', [withEntry(signed, 3, 'Annots', [])]],
  [
    'a text field covers the page',
    [changed(30, signatureWidget({ FT: pdfName('Tx') })), annotationsWith30, fieldsWith30],
  ],
  ['a field that acts is added', [changed(30, signatureWidget({ AA: pdfDictionary({ E: script }) })), fieldsWith30]],
  [
    'the signature has another appearance',
    [changed(10, pdfDictionary({ Type: pdfName('XObject'), Subtype: pdfName('Form'), BBox: [0, 0, 500, 800] }), money)],
  ],
  ['the name of the field is another', [withEntry(signed, 9, 'T', pdfText('Inny'))]],
  ['opening it runs something', [catalog('OpenAction', script)]],
  ['it has names', [catalog('Names', pdfDictionary({}))]],
  ['it has layers', [catalog('OCProperties', pdfDictionary({}))]],
  ['the form requests new appearances', [withEntry(signed, 6, 'NeedAppearances', true)]],
  ['the form is a program', [withEntry(signed, 6, 'XFA', pdfText('<xdp/>'))]],
])('R48 incremental saving: after signing %s', async (_, objects) => {
  expect(await listCodes(append(signed, ...objects))).toContain('changed-after-signing')
  // A document timestamp does not make it valid.
  expect(await listCodes(stampDocument(append(signed, ...objects)))).toContain('changed-after-signing')
})

/** Appends objects as a program does that writes its catalog under a new number each time. */
function movedCatalog(file: Uint8Array, entries: Record<string, PdfValue> = {}, ...objects: NewObject[]) {
  const pdf = openPdf(file)
  const root = pdf.trailer.get('Root') as PdfReference
  const moved = pdfReference(Math.max(60, nextNumber(pdf)))
  const value = new Map([...valueIn(file, root.number), ...Object.entries(entries)])
  const trailer = new Map(pdf.trailer).set('Root', moved)
  return appendUpdate({ ...pdf, trailer }, [{ reference: moved, value }, ...objects]).bytes
}

test('R48 R267 a catalog under another number in each revision is compared with the former one', async () => {
  const second = signPdf(movedCatalog(signed), { field: 'Drugi' })
  expect(await listCodes(second)).toEqual([])
  expect(await listCodes(signPdf(movedCatalog(second), { field: 'Trzeci' }))).toEqual([])
  for (const entries of [{ OpenAction: script }, { Names: pdfDictionary({}) }, { Pages: pdfReference(40) }])
    expect(await codesOfResigned(movedCatalog(signed, entries, pageTree))).toEqual(refusal)
  // The former one is changed as well.
  expect(await codesOfResigned(movedCatalog(signed, {}, catalog('Names', pdfDictionary({}))))).toEqual(refusal)
})

const pageTree = changed(40, new Map(valueIn(signed, 2)).set('MediaBox', [0, 0, 9, 9]))

test('R48 R267 resources of a page in other objects have to list the same ones', async () => {
  const font = valueIn(signed, 5)
  const codesUnder = (resources: Record<string, PdfValue>) =>
    codesOfResigned(
      append(
        signed,
        withEntry(signed, 3, 'Resources', pdfReference(40)),
        changed(40, pdfDictionary(resources)),
        changed(41, pdfDictionary({ F1: pdfReference(5) })),
        changed(42, font),
      ),
    )
  const fonts = (entries: Record<string, PdfValue>) => ({ Font: pdfDictionary(entries) })
  expect(await codesUnder(fonts({ F1: pdfReference(5) }))).toEqual([])
  expect(await codesUnder({ Font: pdfReference(41) })).toEqual([])
  for (const others of [
    { Font: pdfReference(41, 7) },
    fonts({ F1: pdfReference(42) }),
    fonts({ F1: font }),
    fonts({ F1: pdfReference(5), F2: pdfReference(5) }),
    { ...fonts({ F1: pdfReference(5) }), XObject: pdfDictionary({}) },
    {},
  ])
    expect(await codesUnder(others)).toEqual(refusal)
})

/** Signs a file whose page inherits from the tree, may lead to another node (10), and may have entries of its own. */
const inheriting = (tree: string, page = '', parent = '2 0 R', node = '') =>
  signPdf(
    fileOf([
      contract[0]!,
      `<</Type/Pages/Count 1/Kids[3 0 R]${tree}>>`,
      `<</Type/Page/Parent ${parent}/Contents 4 0 R${page}>>`,
      ...contract.slice(3, 7),
      '<</Font<</F1 5 0 R>>>>',
      '[0 0 595 842]',
      `<</Type/Pages/Count 1/Kids[3 0 R]${node}>>`,
    ]),
  )
const box = '/MediaBox[0 0 595 842]'
const fromAbove = inheriting(`${box}/CropBox 9 0 R/Resources 8 0 R/Rotate 90`)
const ofItself = inheriting(`${box}/Rotate 90`, `${box}/Rotate 90`)
const led = inheriting(`${box}/Rotate 90`, '', '10 0 R', `${box}/Rotate 180`)
const ledBack = inheriting(`${box}/Rotate 180`, '/Rotate 90', '10 0 R', `${box}/Rotate 90`)
const inPage = (file: Uint8Array, entries: Record<string, PdfValue | undefined>) => {
  const all = Object.entries({ ...Object.fromEntries(valueIn(file, 3)), ...entries })
  return changed(3, new Map(all.flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]))))
}
const wholePage = [0, 0, 595, 842]
const fontAt = (number: number) => pdfDictionary({ Font: pdfDictionary({ F1: pdfReference(number) }) })

test.each<[string, Uint8Array, Record<string, PdfValue | undefined>, string[]]>([
  ['its size is written into it', fromAbove, { MediaBox: wholePage, CropBox: wholePage }, []],
  ['its turn is written into it', fromAbove, { Rotate: 90 }, []],
  ['its resources are written into it', fromAbove, { Resources: fontAt(5) }, []],
  ['its resources are named by it', fromAbove, { Resources: pdfReference(8) }, []],
  ['its own turn and size are those from above', ofItself, { Rotate: undefined, MediaBox: undefined }, []],
  ['another size is written into it', fromAbove, { CropBox: [0, 0, 5, 5] }, refusal],
  ['another turn is written into it', fromAbove, { Rotate: 0 }, refusal],
  ['no turn is written into it', fromAbove, { Rotate: null }, refusal],
  ['other resources are written into it', fromAbove, { Resources: fontAt(4) }, refusal],
  ['another entry is written into it', fromAbove, { UserUnit: 2 }, refusal],
  ['its own turn goes where there is none above', inheriting(box, '/Rotate 90'), { Rotate: undefined }, refusal],
  ['it gets the turn of the tree, and leads to another', led, { Rotate: 90 }, refusal],
  ['it gets the turn to which it leads, and not of the tree', led, { Rotate: 180 }, refusal],
  ['it has the turn to which it leads, and not of the tree', ledBack, { Rotate: undefined }, refusal],
])('R48 R267 what a page inherits: %s', async (_, file, entries, codes) => {
  expect(await codesOfResigned(append(file, inPage(file, entries)))).toEqual(codes)
})

/** A price in a layer that is hidden, which is an object of its own: an equal one is another layer, and shown. */
const layered = signPdf(
  onePage('/Contents 4 0 R/Resources<</Properties<</M0 5 0 R/M1 6 0 R>>>>', {
    catalog: '/OCProperties<</OCGs[5 0 R 6 0 R]/D<</OFF[5 0 R]>>>>',
    objects: [stream('', '/OC /M0 BDC 9 9 99 99 re f EMC'), '<</Type/OCG/Name(a)>>', '<</Type/OCG/Name(a)>>'],
  }),
)
const off = (number: number) =>
  pdfDictionary({ OCGs: [pdfReference(5), pdfReference(6)], D: pdfDictionary({ OFF: [pdfReference(number)] }) })
const layers = (number: number) =>
  pdfDictionary({ Properties: pdfDictionary({ M0: pdfReference(number), M1: pdfReference(6) }) })

test.each<[string, NewObject[], string[]]>([
  ['listed in other objects', [withEntry(layered, 3, 'Resources', pdfReference(41)), changed(41, layers(5))], []],
  ['copied by the page', [withEntry(layered, 3, 'Resources', layers(40))], refusal],
  ['exchanged by the page', [withEntry(layered, 3, 'Resources', layers(6))], refusal],
  ['copied by the catalog', [withEntry(layered, 1, 'OCProperties', off(40))], refusal],
  ['exchanged by the catalog', [withEntry(layered, 1, 'OCProperties', off(6))], refusal],
])('R48 R267 a layer that is %s', async (_, objects, codes) => {
  expect(await codesOfResigned(append(layered, ...objects, changed(40, valueIn(layered, 5))))).toEqual(codes)
})

/** Signs a form whose default resources are an object and may be used, with a frame as programs of the iText family write it. */
const withFrame = (page = '', form = '', resources = '<</XObject<</FRM 4 0 R>>/Font<</F1 5 0 R>>>>') =>
  signPdf(
    onePage(`/Annots[7 0 R]${page}`, {
      catalog: '/AcroForm 6 0 R',
      objects: [
        stream('/Type/XObject/Subtype/Form/BBox[0 0 9 9]', 'q'),
        '<</Type/Font/Subtype/Type1/BaseFont/Courier>>',
        `<</Fields[7 0 R]/DR 8 0 R${form}>>`,
        '<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/V(x)/Rect[0 0 9 9]/DA(/F1 9 Tf)>>',
        resources,
        '<</F1 5 0 R>>',
      ],
    }),
  )
const frame = (number: number) =>
  changed(
    number,
    pdfDictionary({ Type: pdfName('XObject'), Subtype: pdfName('Form'), BBox: [0, 0, 9, 9] }),
    bytesOf('Q'),
  )
const frameAt = (number: number) => pdfDictionary({ FRM: pdfReference(number) })

test.each<[string, string, (file: Uint8Array) => NewObject[], string[]]>([
  ['another frame under its name', '', (file) => [withEntry(file, 8, 'XObject', frameAt(40)), frame(40)], []],
  ['another frame in its object', '', () => [frame(4)], []],
  ['a frame that the page shows', '/Resources<</XObject<</X 4 0 R>>>>', () => [frame(4)], refusal],
  [
    'another font',
    '',
    (file) => [withEntry(file, 8, 'Font', pdfDictionary({ F1: pdfReference(40) })), changed(40, pdfText('?'))],
    refusal,
  ],
  [
    'another frame and a colour space',
    '',
    (file) => [
      changed(8, new Map(valueIn(file, 8)).set('XObject', frameAt(40)).set('ColorSpace', pdfDictionary({}))),
      frame(40),
    ],
    refusal,
  ],
])('R267 of the default resources of a form that is filled in: %s', async (_, page, change, codes) => {
  const file = withFrame(page)
  expect(await codesOfResigned(append(file, ...change(file)))).toEqual(codes)
})

test('R267 what the default resources name as an XObject, and is something else too, may not change', async () => {
  const otherFont = [changed(5, pdfDictionary({ Type: pdfName('Font'), BaseFont: pdfName('Symbol') }))]
  const otherFonts = [changed(9, pdfDictionary({ F1: pdfReference(40) })), changed(40, pdfText('?'))]
  for (const [file, objects] of [
    [withFrame('', '', '<</Font 9 0 R/XObject 9 0 R>>'), otherFont],
    [withFrame('', '', '<</Font 9 0 R/XObject 9 0 R>>'), otherFonts],
    [withFrame('', '', '<</Font 9 0 R/XObject<</X 9 0 R>>>>'), otherFonts],
    [withFrame('', '/XFA 4 0 R'), [frame(4)]],
  ] as const)
    expect(await codesOfResigned(append(file, ...objects))).toEqual(refusal)
})

/** Signs a form with a field of these entries, whose group is the field 8; `note` adds annotations to the page. */
const withField = (field: string, form = '', group = '', note = '') =>
  signPdf(
    onePage(`/Annots[7 0 R${note}]`, {
      catalog: '/AcroForm 6 0 R',
      objects: [
        stream('/Type/XObject/Subtype/Form/BBox[0 0 9 9]', 'q'),
        '<</Type/Font/Subtype/Type1/BaseFont/Courier>>',
        `<</Fields[8 0 R]/DR<</Font<</F1 5 0 R>>>>${form}>>`,
        `<</Type/Annot/Subtype/Widget/T(a)/Parent 8 0 R${field}${field.includes('/Rect') ? '' : '/Rect[0 0 9 9]'}>>`,
        `<</T(b)/Kids[7 0 R]${group}>>`,
      ],
    }),
  )
const shownText = '/FT/Tx/AP<</N 4 0 R>>'
const style = { DA: pdfText('/Helv 0 Tf 0 g') }
const resourcesOf = (names: Record<string, number>, more: Record<string, PdfValue> = {}) => ({
  DR: pdfDictionary({
    Font: pdfDictionary(
      Object.fromEntries(Object.entries(names).map(([name, number]) => [name, pdfReference(number)])),
    ),
    ...more,
  }),
})
const newFont = resourcesOf({ F1: 5, ZaDb: 40 })

test.each<[string, Uint8Array, Record<string, PdfValue>, string[]]>([
  ['a font where each text is shown', withField(shownText), newFont, []],
  ['a font where each state is shown', withField('/FT/Btn/AP<</N<</Tak 4 0 R>>>>'), newFont, []],
  ['a font where nothing is shown', withField('/FT/Tx/Rect[9 9 9 9]'), newFont, []],
  ['a font where a text is not shown', withField('/FT/Tx'), newFont, refusal],
  ['a font where a text has states', withField('/FT/Tx/AP<</N<</Tak 4 0 R>>>>'), newFont, refusal],
  ['a font where a button has states', withField('/FT/Btn/Ff 65536/AP<</N<</Tak 4 0 R>>>>'), newFont, refusal],
  ['a font where a choice has an empty look', withField('/FT/Ch/AP<<>>'), newFont, refusal],
  ['a font where new looks are requested', withField(shownText, '/NeedAppearances true'), newFont, refusal],
  ['a font for a note', withField(shownText, '', '', '<</Subtype/FreeText/Rect[0 0 9 9]>>'), newFont, refusal],
  ['another font', withField(shownText), resourcesOf({ F1: 40 }), refusal],
  ['no font', withField(shownText), resourcesOf({}), refusal],
  [
    'a colour space',
    withField(shownText),
    resourcesOf({ F1: 5 }, { ColorSpace: pdfDictionary({ C: pdfReference(40) }) }),
    refusal,
  ],
  ['a style where each text has one', withField('/FT/Tx/DA(/F1 9 Tf)'), style, []],
  ['a style where a group has one', withField(shownText, '', '/DA(/F1 9 Tf)'), style, []],
  ['a style where boxes have no text', withField('/FT/Btn/MK<</R 90>>'), style, []],
  ['a style where a text has none', withField(shownText), style, refusal],
  ['a style where a text has an empty one', withField('/FT/Ch/DA()'), style, refusal],
  ['a style where a button has a caption', withField('/FT/Btn/MK<</CA(x)>>'), style, refusal],
  ['another style', withField('/FT/Tx/DA(/F1 9 Tf)', '/DA(/F1 9 Tf)'), style, refusal],
])('R48 R100 R267 the form gets for the next signature %s', async (_, file, entries, codes) => {
  const font = changed(40, pdfDictionary({ Type: pdfName('Font'), BaseFont: pdfName('Symbol') }))
  const update = append(file, changed(6, new Map([...valueIn(file, 6), ...Object.entries(entries)])), font)
  expect(await codesOfResigned(update)).toEqual(codes)
})

test('R100 the first frame may come with another signature, also where a form is to be filled in', async () => {
  const file = fileOf(
    contract
      .map((object, index) => (index === 5 ? '<</Fields[8 0 R]>>' : object))
      .concat('<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/Rect[0 0 9 9]>>'),
  )
  const first = signPdf(file)
  const update = append(first, withEntry(first, 6, 'DR', pdfDictionary({ XObject: frameAt(40) })), frame(40))
  expect(await codesOfResigned(update)).toEqual([])
})

test('R48 incremental saving: what is appended is a signature or its proof', async () => {
  for (const objects of [[], [changed(30, pdfText('?'))], [withEntry(signed, 2, 'Kids', [])]])
    expect(await listCodes(append(signed, ...objects))).toEqual(refusal)
})

test('R48 incremental saving without table, trailer or end is refused', async () => {
  const body = '4 0 obj\n<</Length 2>>\nstream\nBT\nendstream\nendobj\n'
  for (const [tail, code] of [
    [body, 'stray-bytes'],
    [`${body}trailer\n<</Root 1 0 R>>\n`, 'stray-bytes'],
    [`${body}trailer\n<</Root 1 0 R>>\nstartxref\n0\n%%EOF\n`, 'damaged'],
    ['% remark\n', 'stray-bytes'],
    ['\0', 'stray-bytes'],
  ] as const)
    expect(await listCodes(joined([signed, bytesOf(tail)]))).toEqual([code])
})

const stampedAround = (prepared: PreparedPdf) => embedSignature(prepared, tokenOver(coveredDigest(prepared)))

test('R48 an object in an increment that none of its tables lists is refused', async () => {
  const pdf = openPdf(signed)
  const evil = bytesOf('4 0 obj\n<</Length 2>>\nstream\nBT\nendstream\nendobj\n')
  const around = prepareDocumentTimestamp({ ...pdf, bytes: joined([signed, evil]) }, 'Znacznik')
  expect(await listCodes(stampedAround(around))).toEqual(refusal)
  expect(await listCodes(stampedAround(prepareDocumentTimestamp(pdf, 'Znacznik')))).toEqual([])
})

test('R48 a table with an entry that leads elsewhere is refused, though nothing needs that entry', async () => {
  const spare = fileOf([...contract, '(spare)'])
  expect(await listCodes(signPdf(spare))).toEqual([])
  const at = latin1(spare).indexOf('8 0 obj')
  const broken = replaced(spare, String(at).padStart(10, '0'), () => String(at + 1).padStart(10, '0'))
  const whole = signPdf(spare)
  expect(await listCodes(joined([broken, whole.subarray(spare.length)]))).toEqual(['damaged'])
})

/** Signs a file that was prepared to look different after signing. */
const prepared = (change: (objects: typeof contract) => void, trailer = '') => {
  const objects = [...contract]
  change(objects)
  return signPdf(fileOf(objects, `/Info 7 0 R${trailer}`))
}

test('R48 shadow attack: an object that the page waited for must not come', async () => {
  const page = '<</Type/Page/Parent 2 0 R/Contents[4 0 R 12 0 R]/Resources<</Font<</F1 5 0 R>>>>>>'
  const shadow = prepared((objects) => (objects[2] = page))
  expect(await listCodes(shadow)).toEqual([])
  const stamp = stampDocument(shadow)
  expect(await listCodes(stamp)).toContain('changed-after-signing')
  expect((await validatePdf(stamp, policyOf())).signatures[0]!.changes).toContainEqual(
    expect.objectContaining({ kind: 'revealed', object: 12 }),
  )
})

test.each([
  ['in a comment', '12%\n0 R'],
  ['behind a comment that has numbers', '12 0 %7 7\nR'],
  ['over lines', '12\r\n\t0\f\nR'],
  ['with zeros', '0012 0 R'],
])('R48 shadow attack: a reference %s is one', async (_, reference) => {
  const font = `<</Type/Font/Subtype/Type1/BaseFont/Helvetica/FontDescriptor ${reference}>>`
  const { signatures } = await validatePdf(stampDocument(prepared((objects) => (objects[4] = font))), policyOf())
  expect(signatures[0]!.changes.filter(({ isAllowed }) => !isAllowed).map(({ kind }) => kind)).toContain('revealed')
})

test('R48 shadow attack: a harmless object that is used for the page as well must not change', async () => {
  const info = '<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>/Properties 7 0 R>>>>'
  const alias = prepared((objects) => (objects[2] = info))
  const title = withEntry(alias, 7, 'Title', pdfText('Inny'))
  expect(await listCodes(stampDocument(append(alias, title)))).toContain('changed-after-signing')
  const usual = stampDocument(append(signed, withEntry(signed, 7, 'Title', pdfText('Inny'))))
  expect(await listCodes(usual)).toEqual([])
})

/** Signs a file with document information in objects of its own, as Quartz writes it. */
const informed = (entries: string, root = contract[0]!) =>
  signPdf(fileOf([root, ...contract.slice(1, 6), `<<${entries}>>`, '(Umowa)', '[(a)(b)]'], '/Info 7 0 R'))
const asProperties = String(contract[0]).replace('>>', '/PieceInfo 7 0 R>>')

test.each<[string, Uint8Array, string[]]>([
  ['in objects', informed('/Title 8 0 R/AAPL:Keywords 9 0 R'), []],
  ['in a list', informed('/Title(Umowa)/AAPL:Keywords[(a)(b)]'), []],
  ['in objects, used elsewhere', informed('/Title 8 0 R', asProperties), refusal],
  ['with a page', informed('/Title 8 0 R/Page 3 0 R'), refusal],
  ['with a list of pages', informed('/Title 8 0 R/Kids[3 0 R]'), refusal],
  ['with a stream', informed('/Title 4 0 R'), refusal],
])('R48 R100 document information %s, changed by the next signer', async (_, file, codes) => {
  const later = append(file, withEntry(file, 7, 'ModDate', pdfText('D:20261122')))
  expect(await codesOfResigned(later)).toEqual(codes)
  expect(await listCodes(stampDocument(later))).toEqual(codes)
})

test('R48 shadow attack: a list of annotations that is the list of contents too does not grow', async () => {
  const shared = prepared((objects) => {
    objects[2] = '<</Type/Page/Parent 2 0 R/Contents 8 0 R/Annots 8 0 R/Resources<</Font<</F1 5 0 R>>>>>>'
    objects[7] = '[4 0 R]'
  })
  const widget = signatureWidget({})
  const fields = withEntry(shared, 6, 'Fields', [pdfReference(10), pdfReference(30)])
  for (const data of [undefined, money]) {
    const grown = append(shared, changed(30, widget, data), changed(8, [pdfReference(4), pdfReference(30)]), fields)
    expect(await listCodes(stampDocument(grown))).toContain('changed-after-signing')
  }
})

test('R48 shadow attack: what is packed in an object stream does not change with the stream', async () => {
  const packed = signPdf(packedFile(numbered(contract)))
  expect(await listCodes(packed)).toEqual([])
  expect(await listCodes(stampDocument(packed))).toEqual([])
  const container = contract.length + 1
  const inner = latin1(new Uint8Array(inflateSync(openPdf(packed).object(container)!.data!)))
  const otherFont = bytesOf(deflated(inner.replace('Helvetica', 'Symbol   ')))
  const swapped = append(packed, changed(container, valueIn(packed, container), otherFont))
  expect(await listCodes(stampDocument(swapped))).toContain('changed-after-signing')
})

/** A contract with a field that waits for a signature, and the look that it gets. */
const waiting = prepared((objects) => {
  objects[2] = '<</Type/Page/Parent 2 0 R/Contents 4 0 R/Annots[8 0 R]/Resources<</Font<</F1 5 0 R>>>>>>'
  objects[5] = '<</Fields[8 0 R]>>'
  objects[7] = '<</Type/Annot/Subtype/Widget/FT/Sig/T(Dyrektor)/Rect[72 72 372 122]>>'
})
const appearance = pdfDictionary({ Type: pdfName('XObject'), Subtype: pdfName('Form'), BBox: [0, 0, 300, 50] })

test('R48 evil annotation: a field that waits for a signature shows nothing new before', async () => {
  const shown = withEntry(waiting, 8, 'AP', pdfDictionary({ N: pdfReference(30) }))
  expect(await listCodes(stampDocument(waiting))).toEqual([])
  expect(await listCodes(stampDocument(append(waiting, changed(30, appearance, money), shown)))).toContain(
    'changed-after-signing',
  )
})

test('R48 evil annotation: a waiting field gets no look with a document timestamp', async () => {
  const filled = (subFilter: string, entries: Record<string, PdfValue>) =>
    listCodes(
      append(
        waiting,
        changed(30, appearance, money),
        changed(31, pdfDictionary({ Type: pdfName('Sig'), SubFilter: pdfName(subFilter) })),
        changed(8, new Map([...valueIn(waiting, 8), ...pdfDictionary({ V: pdfReference(31), ...entries })])),
      ),
    )
  const look = { AP: pdfDictionary({ N: pdfReference(30) }) }
  // A signature covers its own look, so only its own validity counts, and this one has none.
  expect(await filled('ETSI.CAdES.detached', look)).not.toContain('changed-after-signing')
  expect(await filled('ETSI.RFC3161', look)).toContain('changed-after-signing')
})

test('R98 shadow attack: nothing is added by which readers rebuild the file with other objects', async () => {
  const hidden = bytesOf(`\n4 0 obj\n<</Length ${money.length}>>\nstream\n${latin1(money)}\nendstream\nendobj\n`)
  /** Appends an update that contains only validation data. */
  const updated = (data: Uint8Array) =>
    latin1(
      append(
        signed,
        changed(30, pdfDictionary({ Certs: [pdfReference(31)] })),
        changed(31, pdfDictionary({}), data),
        catalog('DSS', pdfReference(30)),
      ),
    )
  const plainUpdate = updated(bytesOf('certificate'))
  const last = (text: string, from: string, to: string) => {
    const at = text.lastIndexOf(from)
    expect(at).toBeGreaterThan(signed.length)
    return bytesOf(text.slice(0, at) + to + text.slice(at + from.length))
  }
  const size = /\/Size \d+/.exec(plainUpdate.slice(signed.length))![0]
  expect(await listCodes(bytesOf(plainUpdate))).toEqual([])
  expect(await listCodes(bytesOf(updated(hidden)))).toEqual(refusal)
  expect(await listCodes(last(plainUpdate, '\nxref\n', '\nxref%\n'))).toEqual(['damaged'])
  for (const other of ['', '/Size 31 0 R', '/Size (32)'])
    expect(await listCodes(last(plainUpdate, size, other))).toEqual(['damaged'])
  expect(await listCodes(withStream(0))).toEqual([])
  for (const type of [3, 255]) expect(await listCodes(withStream(type))).toEqual(['damaged'])
})

/** Appends validation data to the signed contract in an update whose cross-reference stream ends with an entry of this type. */
function withStream(type: number) {
  const number = (value: number, bytes: number) =>
    Array.from({ length: bytes }, (_, at) => (value >> (8 * (bytes - 1 - at))) & 255)
  const offsets: number[] = []
  let file = latin1(signed)
  const object = (reference: number, value: PdfValue) => {
    offsets.push(file.length)
    file += `${reference} 0 obj\n${pdfSyntax(value)}\nendobj\n`
  }
  object(1, catalog('DSS', pdfReference(30)).value)
  object(30, pdfDictionary({}))
  const startxref = file.length
  const rows = [...offsets, startxref].flatMap((offset) => [1, ...number(offset, 4), 0])
  // A free entry leads to nothing, as one of an unknown type would.
  rows.push(type, ...number(0, 4), 0)
  const data = String.fromCharCode(...rows)
  const entries = `/Type/XRef/Size 41/W[1 4 1]/Index[1 1 30 2 40 1]/Root 1 0 R/Info 7 0 R/Prev ${openPdf(signed).startxref}`
  return bytesOf(
    `${file}31 0 obj\n<<${entries}/Length ${data.length}>>\nstream\n${data}\nendstream\nendobj\nstartxref\n${startxref}\n%%EOF\n`,
  )
}

test('R48 evil annotation: neither an unsigned field nor a document timestamp brings a look', async () => {
  const widget = signatureWidget({})
  expect(
    await listCodes(stampDocument(append(signed, changed(30, widget), fieldsWith30, annotationsWith30))),
  ).toContain('changed-after-signing')
  const around = prepareDocumentTimestamp(signed, 'Znacznik')
  const bytes = new Uint8Array(around.bytes)
  bytes.set(
    replaced(bytes.slice(signed.length), /\/F 132 \/Rect \[0 0 0 0\]/, () => '/Rect [0 0 595 842]'),
    signed.length,
  )
  expect(await listCodes(stampedAround({ bytes, gap: around.gap }))).toContain('changed-after-signing')
})

test('R48 evil annotation: a new field, signed as it is, does nothing when it is looked at', async () => {
  const around = prepareDocumentTimestamp(signed, 'Znacznik')
  const bytes = new Uint8Array(around.bytes)
  const acting = replaced(bytes.slice(signed.length), '/F 132 /Rect [0 0 0 0]', () => '/Rect[0 0 0 0]/A 7 0 R')
  bytes.set(acting, signed.length)
  expect(await listCodes(stampedAround({ bytes, gap: around.gap }))).toEqual(refusal)
})

test('R48 evil annotation: nothing borrows the signature of another field for its look', async () => {
  const old = valueIn(signed, 9).get('V')!
  const child = new Map(annotation('Widget')).set('Parent', pdfReference(9))
  const twin = signatureWidget({ V: old })
  const orphan = new Map(annotation('Widget')).set('Parent', pdfReference(31))
  const parent = pdfDictionary({ FT: pdfName('Sig'), T: pdfText('x'), V: pdfReference(32) })
  const value = pdfDictionary({ Type: pdfName('Sig'), SubFilter: pdfName('ETSI.CAdES.detached') })
  for (const objects of [
    [changed(30, child), annotationsWith30],
    [changed(30, twin), annotationsWith30],
    [changed(30, twin), annotationsWith30, fieldsWith30],
    [changed(30, orphan), changed(31, parent), changed(32, value), annotationsWith30],
  ])
    expect(await listCodes(stampDocument(append(signed, ...objects)))).toContain('changed-after-signing')
})

test('R48 another catalog, and other encryption, are refused', async () => {
  const tail = (file: Uint8Array, change: (trailer: string) => string) => {
    const text = latin1(stampDocument(file))
    const at = text.lastIndexOf('trailer')
    return bytesOf(text.slice(0, at) + text.slice(at).replace(/<<.*>>/, change))
  }
  expect(await listCodes(tail(signed, (found) => found.replace('/Root 1 0 R', '/Root 3 0 R')))).not.toEqual([])
  expect(await listCodes(tail(signed, (found) => found.replace('>>', '/Encrypt<<>>>>')))).toEqual(['encrypted'])
  expect(await listCodes(tail(signed, (found) => found.replace('>>', '/Extra 3 0 R>>')))).toContain(
    'changed-after-signing',
  )
})

test('R48 two fields never share a signature', async () => {
  const value = valueIn(signed, 9).get('V')!
  const twin = signatureWidget({ T: pdfText('Drugi'), V: value })
  expect(await listCodes(append(signed, changed(30, twin), fieldsWith30))).toContain('shared-field')
})

test('R48 the issued document, edited in an increment and then signed, is refused', async () => {
  expect(await listCodes(signed, { issued: [issuedFile(plain)] })).toEqual([])
  const rich = richDocument.bytes
  for (const [issued, change] of [
    [plain, changed(4, pdfDictionary({}), money)],
    [plain, withEntry(plain, 3, 'Rotate', 180)],
    [plain, withEntry(plain, 5, 'BaseFont', pdfName('Symbol'))],
    [rich, withEntry(rich, 21, 'V', pdfText('Jan'))],
    [rich, withEntry(rich, 25, 'F', 2)],
  ] as const) {
    const edited = signPdf(append(issued, change))
    expect(await listCodes(edited)).toEqual([])
    expect(await listCodes(edited, { issued: [issuedFile(issued)] })).toContain('changed-before-signing')
  }
})
