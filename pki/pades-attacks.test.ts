import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { issuedFile } from './pades-issued.ts'
import { cmsSigner, signedAttributes, signedData } from './cms.ts'
import { coveredDigest, embedSignature, prepareDocumentTimestamp, prepareSignature } from './pades-sign.ts'
import type { ValidationPolicy } from './pades-report.ts'
import { validatePdf } from './pades-validate.ts'
import { bytesOf, joined, latin1 } from './pdf-bytes.ts'
import { nodeInflate } from './pdf-cipher-node.ts'
import { openPdf } from './pdf-read.ts'
import { pdfDictionary, pdfName, pdfReference, pdfText, type PdfDictionary, type PdfValue } from './pdf-value.ts'
import { appendIncrement, type NewObject } from './pdf-write.ts'
import { signBytes } from './signature-algorithm.ts'
import {
  anna,
  contract,
  contractPdf,
  fileOf,
  holder,
  issuing,
  person,
  personRights,
  policyOf,
  signedAt,
  signPdf,
  stampDocument,
  tokenOver,
} from './testing/pades-authorities.ts'
import { processorTime } from './testing/processor-time.ts'

/** Everything that is wrong with a file, by its codes; nothing for one that is accepted. */
async function codesOf(file: Uint8Array, changes: Partial<ValidationPolicy> = {}) {
  const { verdict, problems, signatures } = await validatePdf(file, policyOf(changes))
  const refused = [...problems, ...signatures.flatMap((one) => one.problems)].filter(
    ({ severity }) => severity === 'refuse',
  )
  expect(verdict === 'accepted').toBe(refused.length === 0)
  return refused.map(({ code }) => code)
}

const plain = contractPdf()
const signed = signPdf(plain)
const opened = (file: Uint8Array) => openPdf(file, { inflate: nodeInflate })
const valueIn = (file: Uint8Array, number: number) => opened(file).object(number)!.value as PdfDictionary
const append = (file: Uint8Array, ...objects: NewObject[]) => appendIncrement(opened(file), objects).bytes
const changed = (number: number, value: PdfValue, data?: Uint8Array): NewObject => ({
  reference: pdfReference(number),
  value,
  ...(data && { data }),
})
const withEntry = (file: Uint8Array, number: number, key: string, value: PdfValue) =>
  changed(number, new Map(valueIn(file, number)).set(key, value))
/** The same length, so that everything stays in its place. */
const replaced = (file: Uint8Array, from: string | RegExp, to: (found: string) => string) =>
  bytesOf(latin1(file).replace(from, (found) => to(found).padEnd(found.length)))

const money = bytesOf('BT /F1 24 Tf 72 720 Td (Umowa na 900 zl) Tj ET')
const annotation = (subtype: string) =>
  pdfDictionary({ Type: pdfName('Annot'), Subtype: pdfName(subtype), Rect: [0, 0, 500, 800] })

test('R48 a file signed once is accepted, and accepted again with a document timestamp behind it', async () => {
  expect(await codesOf(signed)).toEqual([])
  expect(await codesOf(stampDocument(signed))).toEqual([])
})

test.each<[string, (found: string) => string]>([
  ['no numbers', () => '/ByteRange []'],
  ['two numbers', () => '/ByteRange [0 100]'],
  ['six numbers', () => '/ByteRange [0 1 2 3 4 5]'],
  ['no array', () => '/ByteRange null'],
  ['a negative number', (found) => found.replace('[0 ', '[-1 ').trimEnd()],
  ['a first byte that is not the first', (found) => found.replace('[0 ', '[1 ').trimEnd()],
  ['an end beyond the file', (found) => found.replace(/ (\d+)\]/, ' 99999]').trimEnd()],
])('R48 universal forgery: a byte range of %s is a broken signature, and never none', async (_, change) => {
  expect(await codesOf(replaced(signed, /\/ByteRange \[[^\]]*\] */, change))).toEqual(['byte-range-malformed'])
})

test.each<[string, (found: string) => string]>([
  ['empty', () => '/Contents <>'],
  ['null', () => '/Contents null'],
  ['missing', () => '/Contentz <>'],
  [
    'zeros',
    (found) =>
      found
        .replace(/[0-9a-f]/g, '0')
        .replace('/00', '/Co')
        .replace('0ont0nts', 'Contents'),
  ],
])('R48 universal forgery: contents that are %s are a broken signature, and never none', async (_, change) => {
  const codes = await codesOf(replaced(signed, /\/Contents <[0-9a-f]+>/, change))
  expect(codes).toHaveLength(1)
  expect(['byte-range-gap', 'cms-unreadable', 'damaged']).toContain(codes[0])
})

/** Signs with a gap that leaves out more or less than it should; everything else is right. */
function signedAround(
  change: (gap: { start: number; end: number }) => { start: number; end: number },
  edit: (file: Uint8Array) => Uint8Array<ArrayBuffer> = (file) => new Uint8Array(file),
) {
  const prepared = prepareSignature(plain, { field: 'Podpis', signer: 'Anna', reason: '-', at: signedAt })
  const gap = change(prepared.gap)
  const range = `/ByteRange [0 ${gap.start} ${gap.end} ${prepared.bytes.length - gap.end}]`
  const bytes = edit(replaced(prepared.bytes, /\/ByteRange \[[^\]]*\] */, () => range))
  const attributes = signedAttributes({ digest: coveredDigest({ bytes, gap }), certificate: anna.certificate })
  const message = signedData(cmsSigner({ certificate: anna.certificate, chain: [issuing.certificate] }), {
    attributes,
    signature: signBytes(anna.privateKey, attributes),
  })
  return embedSignature({ bytes, gap: prepared.gap }, message)
}

test('R48 signature wrapping: what is left out is exactly the contents of the signature', async () => {
  expect(await codesOf(signedAround((gap) => gap))).toEqual([])
  expect(await codesOf(signedAround(({ start, end }) => ({ start, end: end + 40 })))).toEqual(['byte-range-gap'])
  expect(await codesOf(signedAround(({ start, end }) => ({ start: start - 12, end })))).toEqual(['byte-range-gap'])
  // What is left out has the form of contents, and what a reader takes for the contents stands elsewhere.
  const twoTexts = (file: Uint8Array) =>
    replaced(
      replaced(file, '/Contents <', () => '/Cantents <'),
      /\/Name <[0-9a-f]+>/,
      () => '/Contents <00>',
    )
  expect(await codesOf(signedAround((gap) => gap, twoTexts))).toEqual(['byte-range-gap'])
})

test('R48 a signature that does not reach the end of its revision is refused', async () => {
  const prepared = signedAround((gap) => gap)
  const longer = append(prepared, changed(20, 7))
  const text = latin1(longer)
  const [, start, end, rest] = /\/ByteRange \[0 (\d+) (\d+) (\d+)\]/.exec(text)!
  const partial = replaced(
    longer,
    /\/ByteRange \[[^\]]*\]/,
    () => `/ByteRange [0 ${start} ${end} ${Number(rest) + 20}]`,
  )
  expect(await codesOf(partial)).toContain('byte-range-partial')
})

test('R48 a signature whose dictionary another object has replaced is refused', async () => {
  const number = Number(/(\d+) 0 obj\n<<\/Type \/Sig /.exec(latin1(signed))![1])
  const codes = await codesOf(append(signed, withEntry(signed, number, 'Reason', pdfText('Inny powód'))))
  expect(codes.filter((code) => ['byte-range-gap', 'signature-replaced'].includes(code))).not.toEqual([])
})

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
  [
    'a text lies over the page',
    [changed(30, annotation('FreeText')), withEntry(signed, 3, 'Annots', [pdfReference(9), pdfReference(30)])],
  ],
  ['the signature is off the page', [withEntry(signed, 3, 'Annots', [])]],
  [
    'a text field lies over the page',
    [
      changed(30, new Map(annotation('Widget')).set('FT', pdfName('Tx')).set('T', pdfText('x'))),
      withEntry(signed, 3, 'Annots', [pdfReference(9), pdfReference(30)]),
      withEntry(signed, 6, 'Fields', [pdfReference(9), pdfReference(30)]),
    ],
  ],
  [
    'a field that acts is added',
    [
      changed(
        30,
        new Map(annotation('Widget'))
          .set('FT', pdfName('Sig'))
          .set('T', pdfText('x'))
          .set('AA', pdfDictionary({ E: script })),
      ),
      withEntry(signed, 6, 'Fields', [pdfReference(9), pdfReference(30)]),
    ],
  ],
  [
    'the look of the signature is another',
    [changed(10, pdfDictionary({ Type: pdfName('XObject'), Subtype: pdfName('Form'), BBox: [0, 0, 500, 800] }), money)],
  ],
  ['the name of the field is another', [withEntry(signed, 9, 'T', pdfText('Inny'))]],
  ['opening it runs something', [catalog('OpenAction', script)]],
  ['it has names', [catalog('Names', pdfDictionary({}))]],
  ['it has layers', [catalog('OCProperties', pdfDictionary({}))]],
  ['the form asks for new looks', [withEntry(signed, 6, 'NeedAppearances', true)]],
  ['the form is a program', [withEntry(signed, 6, 'XFA', pdfText('<xdp/>'))]],
])('R48 incremental saving: after signing %s', async (_, objects) => {
  expect(await codesOf(append(signed, ...objects))).toContain('changed-after-signing')
  // Nor does a document timestamp make it good.
  expect(await codesOf(stampDocument(append(signed, ...objects)))).toContain('changed-after-signing')
})

test('R48 incremental saving: what is appended is a signature or its proof', async () => {
  expect(await codesOf(append(signed))).toEqual(['changed-after-signing'])
  expect(await codesOf(append(signed, changed(30, pdfText('?'))))).toEqual(['changed-after-signing'])
  expect(await codesOf(append(signed, changed(2, new Map(valueIn(signed, 2)).set('Kids', []))))).toEqual([
    'changed-after-signing',
  ])
})

test('R48 incremental saving without table, trailer or end is refused', async () => {
  const body = '4 0 obj\n<</Length 2>>\nstream\nBT\nendstream\nendobj\n'
  for (const tail of [
    body,
    `${body}trailer\n<</Root 1 0 R>>\n`,
    `${body}trailer\n<</Root 1 0 R>>\nstartxref\n0\n%%EOF\n`,
    '% remark\n',
    '\0',
  ])
    expect(await codesOf(joined([signed, bytesOf(tail)]))).toEqual(['damaged'])
})

test('R48 an object that stands in an increment and in no table of it is refused', async () => {
  const pdf = opened(signed)
  const evil = bytesOf('4 0 obj\n<</Length 2>>\nstream\nBT\nendstream\nendobj\n')
  const around = prepareDocumentTimestamp({ ...pdf, bytes: joined([signed, evil]) }, 'Znacznik')
  expect(await codesOf(embedSignature(around, tokenOver(coveredDigest(around))))).toEqual(['changed-after-signing'])
  const usual = prepareDocumentTimestamp(pdf, 'Znacznik')
  expect(await codesOf(embedSignature(usual, tokenOver(coveredDigest(usual))))).toEqual([])
})

test('R48 a table with an entry that leads elsewhere is refused, though nothing needs that entry', async () => {
  const spare = fileOf([...contract, '(spare)'])
  expect(await codesOf(signPdf(spare))).toEqual([])
  const at = latin1(spare).indexOf('8 0 obj')
  const broken = replaced(spare, String(at).padStart(10, '0'), () => String(at + 1).padStart(10, '0'))
  const whole = signPdf(spare)
  expect(await codesOf(joined([broken, whole.subarray(spare.length)]))).toEqual(['damaged'])
})

/** A file that was made to change its face once it is signed. */
const prepared = (change: (objects: typeof contract) => void, trailer = '') => {
  const objects = [...contract]
  change(objects)
  return signPdf(fileOf(objects, `/Info 7 0 R${trailer}`))
}

test('R48 shadow attack: an object that the page waited for must not come', async () => {
  const page = '<</Type/Page/Parent 2 0 R/Contents[4 0 R 12 0 R]/Resources<</Font<</F1 5 0 R>>>>>>'
  const shadow = prepared((objects) => (objects[2] = page))
  expect(await codesOf(shadow)).toEqual([])
  const stamp = stampDocument(shadow)
  expect(await codesOf(stamp)).toContain('changed-after-signing')
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
  expect(signatures[0]!.changes.filter(({ allowed }) => !allowed).map(({ kind }) => kind)).toContain('revealed')
})

test('R48 shadow attack: a harmless object that is used for the page as well must not change', async () => {
  const info = '<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>/Properties 7 0 R>>>>'
  const alias = prepared((objects) => (objects[2] = info))
  const title = withEntry(alias, 7, 'Title', pdfText('Inny'))
  expect(await codesOf(stampDocument(append(alias, title)))).toContain('changed-after-signing')
  const usual = stampDocument(append(signed, withEntry(signed, 7, 'Title', pdfText('Inny'))))
  expect(await codesOf(usual)).toEqual([])
})

test('R48 shadow attack: a list of annotations that is the list of contents too does not grow', async () => {
  const shared = prepared((objects) => {
    objects[2] = '<</Type/Page/Parent 2 0 R/Contents 8 0 R/Annots 8 0 R/Resources<</Font<</F1 5 0 R>>>>>>'
    objects[7] = '[4 0 R]'
  })
  const widget = new Map(annotation('Widget')).set('FT', pdfName('Sig')).set('T', pdfText('x'))
  const fields = withEntry(shared, 6, 'Fields', [pdfReference(10), pdfReference(30)])
  for (const data of [undefined, money]) {
    const grown = append(shared, changed(30, widget, data), changed(8, [pdfReference(4), pdfReference(30)]), fields)
    expect(await codesOf(stampDocument(grown))).toContain('changed-after-signing')
  }
})

/** A file whose font is packed in object 4, with a cross-reference stream as object 6. */
function packedFile(font: string) {
  const inner = `3 0 ${font}`
  const stream = 'BT ET'
  const parts = [
    '1 0 obj\n<</Type/Catalog/Pages 2 0 R/AcroForm 7 0 R>>\nendobj\n',
    '2 0 obj\n<</Type/Pages/Count 1/Kids[5 0 R]/MediaBox[0 0 595 842]>>\nendobj\n',
    `4 0 obj\n<</Type/ObjStm/N 1/First 4/Length ${inner.length}>>\nstream\n${inner}\nendstream\nendobj\n`,
    '5 0 obj\n<</Type/Page/Parent 2 0 R/Contents 8 0 R/Resources<</Font<</F1 3 0 R>>>>>>\nendobj\n',
    '7 0 obj\n<</Fields[]>>\nendobj\n',
    `8 0 obj\n<</Length ${stream.length}>>\nstream\n${stream}\nendstream\nendobj\n`,
  ]
  let file = '%PDF-1.7\n'
  const rows = new Map<number, number[]>([
    [0, [0, 0, 0, 0]],
    [3, [2, 0, 4, 0]],
  ])
  for (const part of parts) {
    rows.set(Number.parseInt(part, 10), [1, file.length >> 8, file.length & 255, 0])
    file += part
  }
  rows.set(6, [1, file.length >> 8, file.length & 255, 0])
  const table = Array.from({ length: 9 }, (_, number) => String.fromCharCode(...rows.get(number)!)).join('')
  const head = `6 0 obj\n<</Type/XRef/Size 9/W[1 2 1]/Root 1 0 R/Length ${table.length}>>`
  return bytesOf(`${file}${head}\nstream\n${table}\nendstream\nendobj\nstartxref\n${file.length}\n%%EOF\n`)
}

test('R48 shadow attack: what is packed in an object stream does not change with the stream', async () => {
  const font = '<</Type/Font/Subtype/Type1/BaseFont/Courier>>'
  const packed = signPdf(packedFile(font))
  expect(await codesOf(packed)).toEqual([])
  expect(await codesOf(stampDocument(packed))).toEqual([])
  const other = bytesOf(`3 0 ${font.replace('Courier', 'Symbol')}`)
  const swapped = append(packed, changed(4, valueIn(packed, 4), other))
  expect(await codesOf(stampDocument(swapped))).toContain('changed-after-signing')
})

test('R44 more signatures or revisions than a document has are not judged one by one', async () => {
  const field = (i: number) => `<</FT/Sig/T(${i})/V<</Type/Sig/ByteRange[0 1 2 3]>>>>`
  const many = [
    ...contract.slice(0, 5),
    `<</Fields[${Array.from({ length: 60 }, (_, i) => `${i + 8} 0 R`).join(' ')}]>>`,
    contract[6]!,
  ]
  expect(await codesOf(fileOf([...many, ...Array.from({ length: 60 }, (_, i) => field(i))]))).toEqual(['too-costly'])
  let file: Uint8Array = plain
  for (let i = 0; i < 100; i++) file = append(file)
  expect(await codesOf(file)).toEqual(['damaged'])
})

test('R48 evil annotation: a field that waits for a signature shows nothing new until it gets one', async () => {
  const waiting = prepared((objects) => {
    objects[2] = '<</Type/Page/Parent 2 0 R/Contents 4 0 R/Annots[8 0 R]/Resources<</Font<</F1 5 0 R>>>>>>'
    objects[5] = '<</Fields[8 0 R]>>'
    objects[7] = '<</Type/Annot/Subtype/Widget/FT/Sig/T(Wystawca)/Rect[0 0 595 842]>>'
  })
  const look = pdfDictionary({ Type: pdfName('XObject'), Subtype: pdfName('Form'), BBox: [0, 0, 595, 842] })
  const shown = withEntry(waiting, 8, 'AP', pdfDictionary({ N: pdfReference(30) }))
  expect(await codesOf(stampDocument(waiting))).toEqual([])
  expect(await codesOf(stampDocument(append(waiting, changed(30, look, money), shown)))).toContain(
    'changed-after-signing',
  )
})

test('R48 evil annotation: neither an unsigned field nor a document timestamp brings a look with it', async () => {
  const widget = new Map(annotation('Widget')).set('FT', pdfName('Sig')).set('T', pdfText('x'))
  const fields = withEntry(signed, 6, 'Fields', [pdfReference(9), pdfReference(30)])
  const annotations = withEntry(signed, 3, 'Annots', [pdfReference(9), pdfReference(30)])
  expect(await codesOf(stampDocument(append(signed, changed(30, widget), fields, annotations)))).toContain(
    'changed-after-signing',
  )
  const around = prepareDocumentTimestamp(signed, 'Znacznik')
  const bytes = new Uint8Array(around.bytes)
  bytes.set(
    replaced(bytes.slice(signed.length), /\/F 132 \/Rect \[0 0 0 0\]/, () => '/Rect [0 0 595 842]'),
    signed.length,
  )
  const visible = { bytes, gap: around.gap }
  expect(await codesOf(embedSignature(visible, tokenOver(coveredDigest(visible))))).toContain('changed-after-signing')
})

test('R48 evil annotation: a new field, signed as it is, does nothing when it is looked at', async () => {
  const around = prepareDocumentTimestamp(signed, 'Znacznik')
  const bytes = new Uint8Array(around.bytes)
  const acting = replaced(bytes.slice(signed.length), '/F 132 /Rect [0 0 0 0]', () => '/Rect[0 0 0 0]/A 7 0 R')
  bytes.set(acting, signed.length)
  const active = { bytes, gap: around.gap }
  expect(await codesOf(embedSignature(active, tokenOver(coveredDigest(active))))).toEqual(['changed-after-signing'])
})

test('R48 evil annotation: nothing borrows the signature of another field for its look', async () => {
  const annotations = withEntry(signed, 3, 'Annots', [pdfReference(9), pdfReference(30)])
  const fields = withEntry(signed, 6, 'Fields', [pdfReference(9), pdfReference(30)])
  const old = valueIn(signed, 9).get('V')!
  const child = new Map(annotation('Widget')).set('Parent', pdfReference(9))
  const twin = new Map(annotation('Widget')).set('FT', pdfName('Sig')).set('T', pdfText('x')).set('V', old)
  const orphan = new Map(annotation('Widget')).set('Parent', pdfReference(31))
  const parent = pdfDictionary({ FT: pdfName('Sig'), T: pdfText('x'), V: pdfReference(32) })
  const value = pdfDictionary({ Type: pdfName('Sig'), SubFilter: pdfName('ETSI.CAdES.detached') })
  for (const objects of [
    [changed(30, child), annotations],
    [changed(30, twin), annotations],
    [changed(30, twin), annotations, fields],
    [changed(30, orphan), changed(31, parent), changed(32, value), annotations],
  ])
    expect(await codesOf(stampDocument(append(signed, ...objects)))).toContain('changed-after-signing')
})

test('R48 another catalog, and other encryption, are refused', async () => {
  const tail = (file: Uint8Array, change: (trailer: string) => string) => {
    const text = latin1(stampDocument(file))
    const at = text.lastIndexOf('trailer')
    return bytesOf(text.slice(0, at) + text.slice(at).replace(/<<.*>>/, change))
  }
  expect(await codesOf(tail(signed, (found) => found.replace('/Root 1 0 R', '/Root 3 0 R')))).not.toEqual([])
  expect(await codesOf(tail(signed, (found) => found.replace('>>', '/Encrypt<<>>>>')))).toEqual(['encrypted'])
  expect(await codesOf(tail(signed, (found) => found.replace('>>', '/Extra 3 0 R>>')))).toContain(
    'changed-after-signing',
  )
})

test('R48 two fields never share a signature', async () => {
  const value = valueIn(signed, 9).get('V')!
  const twin = new Map(annotation('Widget')).set('FT', pdfName('Sig')).set('T', pdfText('Drugi')).set('V', value)
  expect(
    await codesOf(
      append(signed, changed(30, twin), withEntry(signed, 6, 'Fields', [pdfReference(9), pdfReference(30)])),
    ),
  ).toContain('shared-field')
})

test('R48 sneaky signature: a second one is not taken for the issued document', async () => {
  const twice = signPdf(signed, { field: 'Drugi' })
  expect(await codesOf(twice)).toEqual([])
  expect(await codesOf(twice, { issued: [issuedFile(plain)] })).toEqual(['several-signatures'])
})

test('R48 step 12: the issued document, edited in an increment and then signed, is refused', async () => {
  expect(await codesOf(signed, { issued: [issuedFile(plain)] })).toEqual([])
  const edited = signPdf(append(plain, changed(4, pdfDictionary({}), money)))
  expect(await codesOf(edited)).toEqual([])
  expect(await codesOf(edited, { issued: [issuedFile(plain)] })).toContain('changed-before-signing')
})

test('R48 another document, the issued one unsigned, and one with a timestamp alone are refused', async () => {
  const other = fileOf(contract.map((one) => (typeof one === 'string' ? one : [one[0], one[1].replace('100', '900')])))
  expect(await codesOf(signPdf(other), { issued: [issuedFile(plain)] })).toEqual(['other-document'])
  expect(await codesOf(plain, { issued: [issuedFile(plain)] })).toEqual(['no-signature'])
  expect(await codesOf(stampDocument(plain), { issued: [issuedFile(plain)] })).toEqual(['no-signature'])
})

test('R47 a file that is not the very one that was issued must not run, open, send or carry anything', async () => {
  const variants = [
    '/OpenAction<</S/JavaScript/JS(1)>>',
    '/AA<</WC<</S/Launch/F(cmd)>>>>',
    '/Names<</EmbeddedFiles<</Names[]>>>>',
    '/OpenAction<</S/GoToR/F(x)>>',
    '/OpenAction<</S/Submit#46orm/F(x)>>',
  ]
  for (const extra of variants) {
    const objects = [...contract]
    objects[0] = `<</Type/Catalog/Pages 2 0 R/AcroForm 6 0 R${extra}>>`
    expect(await codesOf(signPdf(fileOf(objects)), { issued: [issuedFile(plain)] })).toEqual(['active-content'])
  }
})

const loop = (text: string) => bytesOf(text)
const bomb = deflateSync(new Uint8Array(200 << 20))

test.each<[string, Uint8Array, string]>([
  [
    'a chain of tables in a circle',
    loop('%PDF-1.7\nxref\n0 0\ntrailer\n<</Root 1 0 R/Prev 9>>\nstartxref\n9\n%%EOF\n'),
    'damaged',
  ],
  ['values nested too deeply', fileOf(['['.repeat(100_000)]), 'damaged'],
  [
    'a table of a billion objects',
    loop('%PDF-1.7\nxref\n0 999999999\ntrailer\n<</Root 1 0 R>>\nstartxref\n9\n%%EOF\n'),
    'too-costly',
  ],
  ['pages in a circle', fileOf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[2 0 R]>>']), 'damaged'],
  [
    'a stream that needs itself for its length',
    fileOf(['<</Type/Catalog/Pages 2 0 R>>', ['<</Length 2 0 R>>', 'x']]),
    'damaged',
  ],
  ['references in a circle', fileOf(['<</Type/Catalog/Pages 2 0 R>>', '3 0 R', '2 0 R']), 'damaged'],
  ['objects within one another', nested(), 'too-costly'],
  [
    'objects in one another’s strings',
    fileOf(['<</Type/Catalog/Pages 2 0 R>>', ...Array.from({ length: 3000 }, (_, i) => `(${i}`)]),
    'damaged',
  ],
  ['a table in a bomb', bombed(), 'too-costly'],
])('R44 R46 %s ends at once', async (_, file, code) => {
  const passed = processorTime()
  expect(await codesOf(file)).toEqual([code])
  expect(passed()).toBeLessThan(5)
})

/** Each object stands in the text of the one before: to read them all is to read the file as often as there are objects. */
function nested() {
  const count = 2000
  const heads = Array.from({ length: count }, (_, i) => `${i + 4} 0 obj\n(`)
  const references = heads.map((_, i) => `${i + 4} 0 R`).join(' ')
  const before = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    `<</Type/Page/Parent 2 0 R/Annots[${references}]>>`,
  ]
  let file = '%PDF-1.7\n'
  const offsets: number[] = []
  for (const [i, head] of [...before.map((value, k) => `${k + 1} 0 obj\n${value}\nendobj\n`), ...heads].entries()) {
    offsets[i] = file.length
    file += head
  }
  file += ')\nendobj\n'.repeat(count)
  const lines = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const table = `xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${lines}trailer\n<</Size ${offsets.length + 1}/Root 1 0 R>>\n`
  return bytesOf(`${file}${table}startxref\n${file.length}\n%%EOF\n`)
}

function bombed() {
  const head = bytesOf(
    `%PDF-1.7\n1 0 obj\n<</Type/XRef/Size 1/W[1 4 1]/Root 1 0 R/Filter/FlateDecode/Length ${bomb.length}>>\nstream\n`,
  )
  return joined([head, new Uint8Array(bomb), bytesOf('\nendstream\nendobj\nstartxref\n9\n%%EOF\n')])
}

test('R42 R43 R45 what is too large, no PDF or locked says so', async () => {
  expect(await codesOf(signed, { largest: signed.length - 1 })).toEqual(['too-large'])
  expect(await codesOf(signed, { largest: signed.length })).toEqual([])
  expect(await codesOf(joined([bytesOf('\n'), signed]))).toEqual(['not-pdf'])
  expect(await codesOf(bytesOf('MZ'))).toEqual(['not-pdf'])
  expect(await codesOf(new Uint8Array())).toEqual(['not-pdf'])
})

test('R48 the signature of another person is seen', async () => {
  const jan = holder({ name: person('Jan Nowak', 'PNOPL-80010112345'), extensions: personRights() }, issuing)
  const wanted = { signer: { identifier: '90010112345' } }
  expect(await codesOf(signed, wanted)).toEqual([])
  expect(await codesOf(signPdf(plain, { by: jan }), wanted)).toEqual(['other-signer'])
})
