import { signPdf } from './pades-authorities.ts'
import { deflated, numbered, packedFile, rewrittenFile, stream, type PdfObject } from './pdf-objects.ts'
import { issuedDocuments } from './rich-document.ts'
import { signVisibly } from './visible-signature.ts'

/** Whether a change shows: `maybe` depends on the document and on the reader. */
export type Visibility = 'yes' | 'no' | 'maybe'

export type ChangedDocument = {
  bytes: Uint8Array
  what: string
  /** Places where the signature is shown, in default user space of its page (counted from 0). */
  areas: { page: number; rect: readonly number[] }[]
}

/** Reproducible random numbers. */
export type Random = {
  below: (limit: number) => number
  pick: <T>(list: readonly T[]) => T
  chance: (part: number) => boolean
}

export function randomOf(seed: number): Random {
  let state = (seed * 2_654_435_761 + 1) >>> 0
  const next = () => {
    // A step of mulberry32, whose low bits are as random as the high ones.
    state = (state + 0x6d_2b_79_f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return { below, pick: (list) => list[below(list.length)]!, chance: (part) => next() < part }
}

/** A text of an object, or of the data of one that is not packed, and what replaces it. */
export type Edit = readonly [from: string | RegExp, to: string]

const has = (text: string, from: string | RegExp) => (typeof from === 'string' ? text.includes(from) : from.test(text))

const isPlain = (dictionary: string) => !dictionary.includes('/Filter')

export const withData = ([dictionary]: [string, string], data: string): PdfObject => [
  dictionary.replace(/\/Length \d+/, `/Length ${data.length}`),
  data,
]

function editedObject(object: PdfObject, [from, to]: Edit): PdfObject {
  if (typeof object === 'string') return object.replace(from, to)
  const [dictionary, data] = object
  return has(dictionary, from) ? [dictionary.replace(from, to), data] : withData(object, data.replace(from, to))
}

/**
 * Changes one object that has the text of each edit, and adds further objects, whose numbers are @0, @1 …; undefined if no object has a
 * text.
 */
export function edited(
  objects: readonly PdfObject[],
  edits: readonly Edit[],
  added: readonly PdfObject[] = [],
  pick: Random['pick'] = ([first]) => first!,
): PdfObject[] | undefined {
  const withNumbers = (text: string) => text.replace(/@(\d)/g, (_, index) => String(objects.length + 1 + Number(index)))
  const result = [...objects]
  for (const [from, to] of edits) {
    const found = objects.flatMap((object, index) => {
      const texts = typeof object === 'string' ? [object] : isPlain(object[0]) ? object : [object[0]]
      return texts.some((text) => has(text, from)) ? [index] : []
    })
    if (!found.length) return undefined
    const at = pick(found)
    result[at] = editedObject(result[at]!, [from, withNumbers(to)])
  }
  const further = added.map((object): PdfObject =>
    typeof object === 'string' ? withNumbers(object) : [withNumbers(object[0]), object[1]],
  )
  return [...result, ...further]
}

type Change = readonly [what: string, visible: Visibility, edits: readonly Edit[], added?: readonly PdfObject[]]

const courier = '<</Type/Font/Subtype/Type1/BaseFont/Courier-Bold>>'
const falsePrice = stream(
  `/Type/XObject/Subtype/Form/BBox[0 0 440 90]/Resources<</Font<</F1${courier}>>>>`,
  'q 1 1 1 rg 0 0 440 90 re f Q BT /F1 24 Tf 12 30 Td (Umowa na 1 zl) Tj ET',
)

/** Patterns of how the dictionaries of a kind begin, or of what they contain. */
const kinds = {
  page: '/Type/Page(?!s)',
  tree: '/Type/Pages',
  catalog: '/Type/Catalog',
  form: '^<</Fields',
  font: '/Type/Font',
  image: '/Subtype/Image',
  look: '/Subtype/Form',
  annotation: '/Type/Annot',
  state: '/Type/ExtGState',
  content: '^<<(?=/Length)',
}

/** Creates a change that adds an entry to a dictionary of a kind that did not have it. */
const entry = (kind: keyof typeof kinds, key: string, value: string, visible: Visibility = 'maybe'): Change => [
  `the ${kind} /${key} ${value}`,
  visible,
  [[new RegExp(`${kinds[kind]}(?!.*/${key}\\b)`, 's'), `$&/${key} ${value}`]],
]

const stamp = '<</Type/Annot/Subtype/Stamp/Rect[60 700 500 790]/F 4/AP<</N @1 0 R>>>>'

/** An annotation over the price, on a page and perhaps in the form. */
const annotations: Change[] = [
  '/Subtype/FreeText/FT/Sig/Contents(1 zl)',
  '/Subtype/Stamp/FT/Sig',
  '/Subtype/Widget/FT/Sig',
  '/Subtype/Widget/FT/Sig/T(x)',
  '/Subtype/Widget/FT/Sig/T(x)/V(x)',
  '/Subtype/Widget/FT/Sig/T(x)/V<<>>',
  '/Subtype/Widget/FT/Sig/T(x)/V<</Type/Sig>>',
  '/Subtype/FreeText/DA(/Helv 20 Tf)/Contents(1 zl)',
  '/Subtype/Widget/FT/Tx/T(x)/V(1 zl)',
  '/Subtype/Watermark',
  '',
].flatMap((entries): Change[] => {
  const objects: PdfObject[] = [`<</Type/Annot/Rect[60 700 500 790]/F 4/AP<</N @1 0 R>>${entries}>>`, falsePrice]
  const onPage: Edit = ['/Annots[', '/Annots[@0 0 R ']
  return [
    [`an annotation ${entries}`, 'yes', [onPage], objects],
    [`an annotation in the form ${entries}`, 'yes', [onPage, ['<</Fields[', '<</Fields[@0 0 R ']], objects],
  ]
})

export const changes: Change[] = [
  ['another digit', 'yes', [[/1(?=00 zl\))/, '9']]],
  ['a white box', 'yes', [[/^(?=BT|q )/, 'q 1 1 1 rg 0 0 595 842 re f Q\n']]],
  ['text in no mode', 'yes', [['BT ', 'BT 3 Tr ']]],
  ['a blank more', 'maybe', [[' Tf', '  Tf']]],
  ['a comment', 'maybe', [['\nq ', '\n% x\nq ']]],
  ['a font', 'yes', [['/BaseFont/Helvetica', '/BaseFont/Symbol']]],
  ['pages in another order', 'yes', [[/(?<=\/Type\/Pages.*Kids\[)(\d+ 0 R) (\d+ 0 R)/, '$2 $1']]],
  ['a page twice', 'yes', [[/(?<=\/Type\/Pages.*Kids\[)\d+ 0 R/, '$& $&']]],
  ['a page less', 'yes', [[/(?<=\/Type\/Pages.*Kids\[\d+ 0 R) \d+ 0 R/, '']]],
  ['content of another page', 'yes', [['/Contents 7 0 R', '/Contents 33 0 R']]],
  ['annotations of all pages', 'yes', [['/Type/Pages/Count', '/Type/Pages/Annots[@0 0 R]/Count']], [stamp, falsePrice]],
  entry('page', 'Rotate', '270', 'yes'),
  entry('page', 'MediaBox', '[0 0 300 400]', 'yes'),
  entry('page', 'CropBox', '[100 100 300 400]', 'yes'),
  entry('page', 'UserUnit', '2', 'yes'),
  ...annotations,
  entry('page', 'Tabs', '/S', 'no'),
  entry('page', 'Metadata', '9000 0 R', 'no'),
  entry('catalog', 'Metadata', '9000 0 R', 'no'),
  entry('catalog', 'Version', '/1.7', 'no'),
  entry('page', 'MediaBox', '[0 0 595 842]', 'no'),
  ['names with escapes', 'no', [['/Type', '/T#79pe']]],
  ['comments and blanks', 'no', [['<<', '<< %>>\n']]],
  ['an unused object', 'no', [], ['(nothing)']],
  ['a reference to an array', 'maybe', [['/Contents 4 0 R', '/Contents @0 0 R']], ['[4 0 R]']],
  ['a reference to a reference', 'maybe', [['/Contents 4 0 R', '/Contents @0 0 R']], ['4 0 R']],
  ['an empty part', 'maybe', [['/Contents 4 0 R', '/Contents[4 0 R @0 0 R]']], [stream('', '\n')]],
  ['parts in another order', 'maybe', [['[8 0 R 9 0 R]', '[9 0 R 8 0 R]']]],
  ['a part twice', 'maybe', [['[8 0 R 9 0 R]', '[8 0 R 8 0 R 9 0 R]']]],
  ['an invalid part', 'maybe', [['[8 0 R 9 0 R]', '[8 0 R null 1 0 R 9 0 R]']]],
  ['a part of another generation', 'maybe', [['[8 0 R 9 0 R]', '[8 1 R 9 0 R]']]],
  ...['DCTDecode', 'LZWDecode', 'RunLengthDecode', 'ASCII85Decode', 'JPXDecode', 'Crypt', 'Fl'].map((filter) =>
    entry('content', 'Filter', `/${filter}`),
  ),
  entry('content', 'F', '(other.txt)'),
  entry('content', 'F', '(x)/FFilter/FlateDecode'),
  entry('content', 'F', '/LZW'),
  entry('content', 'DecodeParms', '<</Predictor 12/Columns 4>>'),
  entry('content', 'DP', '<</Predictor 12/Columns 3>>'),
  [
    'an octal number beyond a byte',
    'maybe',
    [[/<0afff(.*?)>/, '(\\n\\777\\362\\002\\002\\002\\017\\362\\017\\362\\000\\n)']],
  ],
  ['fonts that changed places', 'maybe', [['/F1 10 0 R/F2 11 0 R', '/F2 10 0 R/F1 11 0 R']]],
  ['layers that changed places', 'maybe', [['/Seen 15 0 R/Unseen 16 0 R', '/Unseen 15 0 R/Seen 16 0 R']]],
  ['layers on and off', 'maybe', [['/ON[15 0 R]/OFF[16 0 R]', '/ON[16 0 R]/OFF[15 0 R]']]],
  ['layers seen by an event', 'maybe', [['/ON[15', '/AS[<</Event/View/Category[/View]/OCGs[16 0 R]>>]/ON[15']]],
  ['an encoding', 'maybe', [['Differences[65/A]', 'Differences[49/nine/one]']]],
  ['widths', 'maybe', [['556 556', '556 900']]],
  entry('font', 'ToUnicode', '9000 0 R'),
  entry('state', 'BM', '/Difference'),
  ['a soft mask', 'maybe', [['/ca 0.5', '/ca 0']]],
  ...['Decode[1 0]', 'ImageMask true', 'Mask[0 40]', 'Interpolate true', 'D[1 0]', 'BPC 1', 'W 4'].map(
    (added): Change => [`an image /${added}`, 'maybe', [['/Subtype/Image', `/Subtype/Image/${added}`]]],
  ),
  ['a wide real', 'maybe', [[/\/(?:Width|Count|Columns|BitsPerComponent|Predictor|Rows) \d+/, '$&.0']]],
  ['bits', 'maybe', [['/BitsPerComponent 8', '/BitsPerComponent 4']]],
  ['rows', 'maybe', [['/Rows 8', '/Rows 4']]],
  ['colours of a filter', 'maybe', [['/BlackIs1 true', '/BlackIs1 false']]],
  ['a predictor', 'maybe', [['/Predictor 15', '/Predictor 12']]],
  ['the box of a form', 'maybe', [[/(?<=\/Form\/BBox)\[.*?\]/, '[0 0 5 5]']]],
  entry('look', 'Matrix', '[1 0 0 1 50 0]'),
  entry('look', 'OC', '<</Type/OCMD/P/AllOff>>'),
  entry('annotation', 'OC', '<</Type/OCMD/P/AllOff>>'),
  ['an annotation hidden', 'maybe', [['/F 4', '/F 2']]],
  ['an annotation elsewhere', 'maybe', [[/(?<=\/Annot.*\/Rect)\[.*?\]/, '[60 600 300 700]']]],
  ['an annotation in another state', 'maybe', [['/AS/Off', '/AS/Yes']]],
  ['an annotation without an appearance', 'maybe', [[/\/AP<<\/N \d+ 0 R>>/, '']]],
  ['a value', 'maybe', [[/\/V\(.*?\)/, '/V(Jan)']]],
  ['annotations in another order', 'maybe', [[/(?<=\/Annots\[)(\d+ 0 R) (\d+ 0 R)/, '$2 $1']]],
  ['an annotation less', 'maybe', [[/(?<=\/Annots\[)\d+ 0 R/, '']]],
  ['another count', 'maybe', [[/(?<=\/Count )\d/, '7']]],
  ['another parent', 'maybe', [[/(?<=\/Page\/Parent )\d/, '@0']], ['<</Type/Pages/Kids[]/Count 0/Rotate 180>>']],
  ['no parent', 'maybe', [[/(?<=\/Page)\/Parent \d 0 R/, '']]],
  ['a node without a type', 'maybe', [['/Type/Page/', '/']]],
  ['a turn by a real', 'maybe', [[/\/Rotate \d+/, '$&.0']]],
  entry('tree', 'UserUnit', '3'),
  entry('tree', 'TrimBox', '[0 0 9 9]'),
  entry('page', 'Kids', '[]'),
  entry('page', 'Rotate', '90.5'),
  entry('page', 'Group', '<</S/Transparency/CS/DeviceCMYK/K true>>'),
  entry('page', 'Resources', '<<>>'),
  entry('page', 'AA', '<</O<</S/JavaScript/JS(1)>>>>'),
  entry('page', 'Rotate#00x', '90'),
  entry('page', 'Rotate', '90/Rotate 0'),
  entry('form', 'NeedAppearances', 'true'),
  entry('form', 'DA', '(/F1 30 Tf 1 0 0 rg)'),
  entry('form', 'Q', '2'),
  entry('form', 'DR', `<</Font<</F1${courier}/Helv${courier}>>>>`),
  entry('form', 'XFA', '(<xdp/>)'),
  ['no fields', 'maybe', [[/<<\/Fields\[.*?\]/, '<</Fields[]']]],
  entry('catalog', 'OpenAction', '[3 0 R/XYZ 0 0 8]'),
  entry('catalog', 'PageMode', '/FullScreen'),
  entry('catalog', 'OCProperties', '<</OCGs[]/D<</BaseState/OFF>>>>'),
  entry('catalog', 'StructTreeRoot', '<</Type/StructTreeRoot>>'),
  entry('catalog', 'Names', '<</Dests<</Names[]>>>>'),
  [
    'an object in the data of another',
    'maybe',
    [],
    [stream('', 'endstream\nendobj\n3 0 obj\n<</Type/Page>>\nendobj\n')],
  ],
  ['a trailer in the data of an object', 'maybe', [], [stream('', '\ntrailer\n<</Root 3 0 R>>\n')]],
]

export const packedStreams = (objects: readonly PdfObject[]) =>
  objects.map((object): PdfObject => {
    if (typeof object === 'string' || !isPlain(object[0])) return object
    const [dictionary, data] = withData(object, deflated(object[1]))
    return [dictionary!.replace('<<', '<</Filter/FlateDecode'), data!]
  })

/** Signs a file if it can be signed; otherwise returns it as it is. */
export function signedIfPossible(file: Uint8Array<ArrayBuffer>) {
  try {
    return signPdf(file)
  } catch {
    return file
  }
}

/**
 * Creates a signed document from an issued one by a seed: rewritten with one to three changes, or continued from its exact bytes with a
 * visible signature. The signature itself is always valid.
 */
export function changedDocument(issued: Uint8Array, seed: number): ChangedDocument {
  const random = randomOf(seed)
  if (random.chance(0.2)) return visiblySigned(issued, random)
  const document = issuedDocuments().find(({ bytes }) => Buffer.compare(bytes, issued) === 0)
  if (!document) throw new RangeError('The document is not one of those that are issued')
  let objects: PdfObject[] = document.objects
  const names: string[] = []
  for (let wanted = random.pick([1, 1, 1, 2, 3]); names.length < wanted;) {
    const [what, , edits, added] = random.pick(changes)
    const made = edited(objects, edits, added, random.pick)
    if (!made) continue
    objects = made
    names.push(what)
  }
  if (random.chance(0.2)) objects = packedStreams(objects)
  const write = random.chance(0.15) ? packedFile : rewrittenFile
  const bytes = signedIfPossible(write(numbered(objects), { trailer: document.trailer }))
  return { bytes, what: `rewritten: ${names.join(' + ')}`, areas: [] }
}

function visiblySigned(issued: Uint8Array, random: Random): ChangedDocument {
  const [left, bottom] = [random.below(500), random.below(800)]
  const rect = [left, bottom, left + 5 + random.below(300), bottom + 5 + random.below(100)]
  const content = random.pick(['q 1 1 1 rg 0 0 900 900 re f Q', 'BT /F1 10 Tf 4 8 Td (Podpisano) Tj ET', '% DSBlank'])
  const F = random.pick([4, 132, 2, 0, 36, 12, 20, 2.5, -2])
  const shape = random.pick(['one', 'apart', 'below', 'inherited'] as const)
  return {
    bytes: signVisibly(issued, { shape, widgets: [{ rect, content, widget: { F } }] }),
    what: `signature: ${content} ${F} ${shape}`,
    areas: [{ page: 0, rect }],
  }
}
