import { expect, test } from 'vitest'
import { bytesOf } from '../bytes.ts'
import { pdfDictionary, pdfName, pdfReference, pdfText, type PdfValue } from '../pdf/pdf-value.ts'
import type { NewObject } from '../pdf/pdf-write.ts'
import { contract, fileOf, signPdf, stampDocument, onePage } from '../testing/pades-authorities.ts'
import { stream, type PdfObject } from '../testing/pdf-objects.ts'
import { append, changed, listCodes, valueIn } from '../testing/signed-contract.ts'
import { issuedFile } from './pades-issued.ts'

const text = '/P <</MCID 0>> BDC BT /F1 24 Tf 72 720 Td (Umowa na 100 zl) Tj ET EMC'
const page = '/Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>'
/** Creates a tagged contract with a page and an element that its structure tree does not have. */
const taggedFile = ({ type = '/Type/StructElem', children = '[10 0 R]', content = '[0]' } = {}) =>
  fileOf([
    '<</Type/Catalog/Pages 2 0 R/AcroForm 6 0 R/MarkInfo<</Marked true>>/Lang(pl)/StructTreeRoot 8 0 R>>',
    '<</Type/Pages/Count 2/Kids[3 0 R 14 0 R]/MediaBox[0 0 595 842]>>',
    `<<${page}/StructParents 0>>`,
    [`<</Length ${text.length}>>`, text],
    ...contract.slice(4, 7),
    '<</Type/StructTreeRoot/K 9 0 R/ParentTree 11 0 R/ParentTreeNextKey 1>>',
    `<<${type}/S/Document/P 8 0 R/K ${children}>>`,
    `<<${type}/S/P/P 9 0 R/Pg 3 0 R/K ${content}>>`,
    '<</Nums[0 12 0 R]>>',
    '[10 0 R]',
    `<<${type}/S/P/P 9 0 R/ActualText(Umowa na 900 zl)>>`,
    `<<${page}>>`,
  ])
const tagged = taggedFile()

const ref = pdfReference
const set = (number: number, entries: Record<string, PdfValue>, file = tagged): NewObject =>
  changed(number, new Map([...valueIn(file, number), ...Object.entries(entries)]))

/** The widget that comes with the next signature or document timestamp, after object 60. */
const widget = 62
const toObject = (number: number, entries: Record<string, PdfValue> = {}) =>
  pdfDictionary({ Type: pdfName('OBJR'), Obj: ref(number), ...entries })
const element = (entries: Record<string, PdfValue> = {}, data?: Uint8Array) =>
  changed(
    60,
    pdfDictionary({
      Type: pdfName('StructElem'),
      S: pdfName('Form'),
      P: ref(9),
      Pg: ref(3),
      K: toObject(widget),
      ...entries,
    }),
    data,
  )
const listed = set(9, { K: [ref(10), ref(60)] })
const keyed = (...more: PdfValue[]) => set(11, { Nums: [0, ref(12), 1, ref(60), ...more] })

const bySigner = (file: Uint8Array) => signPdf(file, { field: 'Drugi' })
const signers = [bySigner, (file: Uint8Array) => stampDocument(file)]
/** Returns the problem codes of an update to the signed contract, and to the issued one, each followed by a signature. */
const problemCodes = async (objects: NewObject[], sign = bySigner, file = tagged) => [
  await listCodes(sign(append(signPdf(file), ...objects))),
  await listCodes(signPdf(append(file, ...objects), { field: 'Drugi' }), { issued: [issuedFile(file)] }),
]
const accepted = [[], []]
const refused = [['changed-after-signing'], ['changed-before-signing']]

const told = { Alt: pdfText('Podpis'), T: pdfText('Drugi'), Lang: pdfText('pl') }

test.each<[string, NewObject[], Uint8Array<ArrayBuffer>?]>([
  ['with its key', [listed, keyed(), element()]],
  ['before the others', [set(9, { K: [ref(60), ref(10)] }), element()]],
  ['beside a single one', [listed, element()], taggedFile({ children: '10 0 R' })],
  ['with objects of its own', [listed, element({ K: [ref(59)] }), changed(59, toObject(widget, { Pg: ref(3) }))]],
  [
    'and a copy of the tree',
    [
      listed,
      set(8, { ParentTree: ref(58), ParentTreeNextKey: 2 }),
      element(),
      changed(58, pdfDictionary({ Nums: [0, ref(57), 1, ref(60)] })),
      changed(57, [ref(10)]),
    ],
  ],
  ['and a key for a page without one', [listed, keyed(), element(), set(14, { StructParents: 2 })]],
  ['that has no type', [listed, element()], taggedFile({ type: '' })],
])('R270 R100 an element for the new signature: %s', async (_, objects, file = tagged) => {
  const own = objects.map((object) => (object === listed ? set(9, { K: [ref(10), ref(60)] }, file) : object))
  for (const sign of signers) expect(await problemCodes(own, sign, file)).toEqual(accepted)
})

test('R270 an element says what a signature is, and nothing for a document timestamp, which nobody signs', async () => {
  const objects = [listed, keyed(), element(told)]
  expect(await problemCodes(objects)).toEqual(accepted)
  expect(await listCodes(stampDocument(append(signPdf(tagged), ...objects)))).toEqual(['changed-after-signing'])
})

const spoken = { S: pdfName('Figure'), K: 0, Alt: pdfText('Umowa na 900 zl') }
const below10 = set(10, { K: [0, ref(60)] })

test.each<[string, NewObject[], Uint8Array<ArrayBuffer>?]>([
  ['a text before a paragraph', [set(9, { K: [ref(60), ref(10)] }), element(spoken)]],
  ['a text in the parent tree too', [listed, set(11, { Nums: [0, [ref(10), ref(60)]] }), element(spoken)]],
  ['a text in place of content', [listed, element({ K: 0, ActualText: pdfText('900') })]],
  ['a text of nothing', [listed, changed(60, pdfDictionary({ S: pdfName('P'), P: ref(9), ...told }))]],
  ['a text of an empty list', [listed, element({ ...told, K: [] })]],
  ['a text in place of the signature', [listed, element({ ActualText: pdfText('900') })]],
  ['an expansion of the signature', [listed, element({ E: pdfText('900') })]],
  ['a text within a paragraph', [below10, element({ K: 0, ...told })]],
  ['content next to the signature', [listed, element({ K: [toObject(widget), 0] })]],
  ['a paragraph within the signature', [listed, element({ K: [toObject(widget), ref(10)] })]],
  ['a paragraph taken over', [set(9, { K: [ref(60)] }), element({ K: [ref(10)] })]],
  ['what is no widget', [listed, element({ K: toObject(3) })]],
  ['the content of a widget', [listed, element({ K: toObject(widget, { MCID: 0 }) })]],
  ['a type of its own', [listed, element({ Type: pdfName('Annot') })]],
  ['a stream', [listed, element({}, new Uint8Array([113]))]],
  ['content of a list', [set(10, { K: [0, 1] })]],
  ['an element that waited', [set(9, { K: [ref(10), ref(13)] })]],
  ['a single child that is a number', [below10, element()], taggedFile({ content: '0' })],
  ['another order', [set(9, { K: [ref(60)] }), element()]],
  ['a text that an element gets', [set(10, { ActualText: pdfText('900') })]],
  ['a key that leads elsewhere', [listed, set(11, { Nums: [0, ref(60)] }), element()]],
  ['a longer list of a key', [listed, changed(12, [ref(10), ref(60)]), element()]],
  ['a key twice', [listed, keyed(0, ref(60)), element()]],
  ['a key that is no number', [listed, keyed(ref(5), ref(60)), element()]],
  ['a new key of an old element', [listed, keyed(2, ref(13)), element()]],
  ['a key that has gone', [listed, set(11, { Nums: [1, ref(60)] }), element()]],
  ['a page with the key of another', [set(14, { StructParents: 0 })]],
  ['a role', [set(8, { RoleMap: pdfDictionary({ P: pdfName('Artifact') }) })]],
])('R48 R270 what would be read aloud is no part of a signature: %s', async (_, objects, file = tagged) => {
  for (const sign of signers) expect(await problemCodes(objects, sign, file)).toEqual(refused)
})

test('R48 R270 the tree that counts is the one of the new catalog', async () => {
  const evil = [
    set(1, { StructTreeRoot: ref(58) }),
    changed(58, valueIn(tagged, 8)),
    set(8, { ParentTree: ref(57) }),
    changed(57, valueIn(tagged, 11)),
    set(11, { Nums: [0, ref(60)] }),
    element(),
  ]
  expect(await problemCodes(evil)).toEqual(refused)
})

test('R48 R270 a document without a structure tree gets none', async () => {
  const plain = fileOf(contract)
  const tree = [
    set(1, { StructTreeRoot: ref(59) }, plain),
    changed(59, pdfDictionary({ Type: pdfName('StructTreeRoot'), K: ref(60) })),
    element(),
  ]
  expect(await problemCodes(tree, bySigner, plain)).toEqual(refused)
})

// Objects that have a second role, in which readers draw what the first one permits to change.

const form = '/Type/XObject/Subtype/Form/BBox[0 0 595 842]'

type Roles = { catalog?: string; onPage?: string; resources?: string; child?: PdfObject; field?: PdfObject }

/** Signs a document whose page draws by a name, and whose objects have these further entries. */
const documentOf = ({ catalog = '', onPage = '', resources = '<<>>', child, field }: Roles) =>
  signPdf(
    onePage(`/Contents 4 0 R/Annots[8 0 R]${onPage}`, {
      catalog: `/StructTreeRoot 5 0 R/AcroForm 7 0 R${catalog}`,
      objects: [
        stream('', 'q /Name Do Q'),
        '<</Type/StructTreeRoot/K 6 0 R>>',
        child ?? '<</Type/StructElem/S/P/P 5 0 R>>',
        '<</Fields[8 0 R]>>',
        field ?? '<</Type/Annot/Subtype/Widget/FT/Sig/T(Czeka)/Rect[0 0 9 9]>>',
        stream('/Type/Metadata/Subtype/XML', 'q'),
        // Signing writes the page again, but not this.
        resources,
      ],
    }),
  )

const shown = changed(
  40,
  pdfDictionary({ Type: pdfName('XObject'), Subtype: pdfName('Form'), BBox: [0, 0, 595, 842] }),
  bytesOf('0 0 595 842 re f'),
)
const drawn = pdfReference(40)

/** Gives an object new entries, or other data with the same ones. */
const withNew = (file: Uint8Array, number: number, entries?: Record<string, PdfValue>): NewObject[] =>
  entries
    ? [changed(number, new Map([...valueIn(file, number), ...Object.entries(entries)])), shown]
    : [changed(number, valueIn(file, number), bytesOf('Q'))]
const drawsCatalog = { onPage: '/Resources<</XObject 1 0 R>>' }

test.each<[string, Roles, number, Record<string, PdfValue>?]>([
  ['validation data', drawsCatalog, 1, { DSS: drawn }],
  ['extensions', drawsCatalog, 1, { Extensions: drawn }],
  ['a key with an escape', { onPage: '/Resources 10 0 R', resources: '<</XOb#6aect 1 0 R>>' }, 1, { DSS: drawn }],
  ['behind a comment', { onPage: '/Resources 10 0 R', resources: '<</XObject% 9 0 R\n1 0 R>>' }, 1, { DSS: drawn }],
  ['the resources themselves', { onPage: '/Resources 1 0 R' }, 1, { DSS: drawn }],
  ['a font', { onPage: '/Resources<</Font 1 0 R>>' }, 1, { DSS: drawn }],
  ['the look of an annotation', { onPage: '/Xx<</AP<</N 1 0 R>>/AS/DSS>>' }, 1, { DSS: drawn }],
  ['metadata', { catalog: '/Metadata 9 0 R', ...drawsCatalog }, 9],
  ['metadata that is drawn', { catalog: '/Metadata 6 0 R', child: stream(form, 'q') }, 6],
  ['a page', { onPage: '/Resources<</XObject 3 0 R>>' }, 3, { StructParents: drawn }],
  ['an element', { onPage: '/Resources<</XObject 6 0 R>>' }, 6, { K: drawn }],
  [
    'an element that is drawn',
    {
      child: stream(`${form.replace('XObject', 'StructElem')}/S/P/P 5 0 R`, 'q'),
      onPage: '/Resources<</XObject<</X 6 0 R>>>>',
    },
    6,
  ],
  ['a field', { onPage: '/Resources<</XObject 8 0 R>>' }, 8, { MK: drawn }],
  [
    'a field that is drawn',
    { field: stream(`${form}/FT/Tx/T(a)`, 'q'), onPage: '/Resources<</XObject<</X 8 0 R>>>>' },
    8,
  ],
])(
  'R268 what may change in one role may not in another, in which it is drawn: %s',
  async (_, roles, number, entries) => {
    const file = documentOf(roles)
    const update = append(file, ...withNew(file, number, entries))
    expect(await listCodes(update)).toEqual(['changed-after-signing'])
    expect(await listCodes(signPdf(update, { field: 'Drugi' }))).toEqual(['changed-after-signing'])
  },
)

test('R268 a document without a second role of any object may be signed again', async () => {
  const file = documentOf({ catalog: '/Metadata 9 0 R', onPage: '/Resources<</XObject<</Name 40 0 R>>>>' })
  expect(await listCodes(signPdf(append(file, ...withNew(file, 9)), { field: 'Drugi' }))).toEqual([])
})
