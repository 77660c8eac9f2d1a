import { expect, test } from 'vitest'
import { bytesOf } from '../bytes.ts'
import { pdfDictionary, pdfName, pdfReference, type PdfValue } from '../pdf/pdf-value.ts'
import type { NewObject } from '../pdf/pdf-write.ts'
import { onePage, signPdf } from '../testing/pades-authorities.ts'
import { stream, type PdfObject } from '../testing/pdf-objects.ts'
import { append, changed, codesOf, valueIn } from '../testing/signed-contract.ts'

/** Objects that have a second role, in which readers draw what the first one permits to change. */

const refused = ['changed-after-signing']
const form = '/Type/XObject/Subtype/Form/BBox[0 0 595 842]'

type Roles = {
  catalog?: string
  page?: string
  resources?: string
  element?: PdfObject
  field?: PdfObject
}

/** A document whose page draws by a name, and whose objects have these further entries. */
const documentOf = ({ catalog = '', page = '', resources = '<<>>', element, field }: Roles) =>
  signPdf(
    onePage(`/Contents 4 0 R/Annots[8 0 R]${page}`, {
      catalog: `/StructTreeRoot 5 0 R/AcroForm 7 0 R${catalog}`,
      objects: [
        stream('', 'q /Name Do Q'),
        '<</Type/StructTreeRoot/K 6 0 R>>',
        element ?? '<</Type/StructElem/S/P/P 5 0 R>>',
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
const drawsCatalog = { page: '/Resources<</XObject 1 0 R>>' }

test.each<[string, Roles, number, Record<string, PdfValue>?]>([
  ['validation data', drawsCatalog, 1, { DSS: drawn }],
  ['extensions', drawsCatalog, 1, { Extensions: drawn }],
  ['a key with an escape', { page: '/Resources 10 0 R', resources: '<</XOb#6aect 1 0 R>>' }, 1, { DSS: drawn }],
  ['behind a comment', { page: '/Resources 10 0 R', resources: '<</XObject% 9 0 R\n1 0 R>>' }, 1, { DSS: drawn }],
  ['the resources themselves', { page: '/Resources 1 0 R' }, 1, { DSS: drawn }],
  ['a font', { page: '/Resources<</Font 1 0 R>>' }, 1, { DSS: drawn }],
  ['the look of an annotation', { page: '/Xx<</AP<</N 1 0 R>>/AS/DSS>>' }, 1, { DSS: drawn }],
  ['metadata', { catalog: '/Metadata 9 0 R', ...drawsCatalog }, 9],
  ['metadata that is drawn', { catalog: '/Metadata 6 0 R', element: stream(form, 'q') }, 6],
  ['a page', { page: '/Resources<</XObject 3 0 R>>' }, 3, { StructParents: drawn }],
  ['an element', { page: '/Resources<</XObject 6 0 R>>' }, 6, { K: drawn }],
  [
    'an element that is drawn',
    {
      element: stream(`${form.replace('XObject', 'StructElem')}/S/P/P 5 0 R`, 'q'),
      page: '/Resources<</XObject<</X 6 0 R>>>>',
    },
    6,
  ],
  ['a field', { page: '/Resources<</XObject 8 0 R>>' }, 8, { MK: drawn }],
  [
    'a field that is drawn',
    { field: stream(`${form}/FT/Tx/T(a)`, 'q'), page: '/Resources<</XObject<</X 8 0 R>>>>' },
    8,
  ],
])(
  'R268 what may change in one role may not in another, in which it is drawn: %s',
  async (_, roles, number, entries) => {
    const file = documentOf(roles)
    const update = append(file, ...withNew(file, number, entries))
    expect(await codesOf(update)).toEqual(refused)
    expect(await codesOf(signPdf(update, { field: 'Drugi' }))).toEqual(refused)
  },
)

test('R268 a document without a second role of any object may be signed again', async () => {
  const file = documentOf({ catalog: '/Metadata 9 0 R', page: '/Resources<</XObject<</Name 40 0 R>>>>' })
  expect(await codesOf(signPdf(append(file, ...withNew(file, 9)), { field: 'Drugi' }))).toEqual([])
})
