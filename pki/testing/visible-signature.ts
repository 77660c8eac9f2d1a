import { bytesOf, latin1 } from '../bytes.ts'
import { embedSignature, prepareSignature, type PreparedPdf } from '../pades/pades-sign.ts'
import { arrayAt, dictionaryAt, openPdf, listPages, type Pdf } from '../pdf/pdf-read.ts'
import * as values from '../pdf/pdf-value.ts'
import { appendUpdate, nextNumber, type NewObject } from '../pdf/pdf-write.ts'
import { signatureOver, signedAt, contract, fileOf } from './pades-authorities.ts'

type Entries = Record<string, values.PdfValue>

const room = 6000
const openRange = [0, 9_999_999_999, 9_999_999_999, 9_999_999_999]

export type ShownWidget = {
  page?: number
  /** Other pages that list the same widget. */
  alsoOn?: number[]
  rect: values.PdfValue
  /** The content of its appearance stream; none if missing. */
  content?: string | undefined
  /** Further entries of the appearance stream's dictionary and of the widget. */
  appearance?: Entries
  widget?: Entries
}

export type VisibleSignature = {
  widgets: ShownWidget[]
  /** `one` object for field and widget, two `apart`, or a parent above (`below`), which may hold the type (`inherited`). */
  shape?: 'one' | 'apart' | 'below' | 'inherited'
  /** Further entries of the topmost field. */
  field?: Entries
  /** Further entries of the form, and further objects. */
  form?: Entries
  extra?: (pdf: Pdf, first: number) => NewObject[]
}

/** Signs like programs with visible signatures, in every structure of fields and widgets. */
export function signVisibly(file: Uint8Array, signature: VisibleSignature) {
  const pdf = openPdf(file)
  const first = nextNumber(pdf)
  const { objects, value } = objectsOf(pdf, first, signature)
  const increment = appendUpdate(pdf, objects)
  const bytes = new Uint8Array(increment.bytes)
  const whole = Buffer.from(bytes.buffer)
  const start = whole.indexOf('/Contents <', increment.offsetOf(value), 'latin1') + '/Contents '.length
  const end = start + room * 2 + 2
  const range = values.pdfSyntax(openRange)
  const closed = values.pdfSyntax([0, start, end, bytes.length - end]).padEnd(range.length)
  bytes.set(bytesOf(closed), whole.indexOf(range, increment.offsetOf(value), 'latin1'))
  const prepared = { bytes, gap: { start, end } }
  return embedSignature(prepared, signatureOver(prepared))
}

function objectsOf(
  pdf: Pdf,
  first: number,
  { widgets, shape = 'one', field = {}, form = {}, extra }: VisibleSignature,
) {
  const value = values.pdfReference(first)
  const top = values.pdfReference(first + 1)
  const middle = values.pdfReference(first + 2)
  let next = first + 3
  const objects: NewObject[] = [{ reference: value, value: signatureDictionary() }]
  const isOne = shape === 'one' && widgets.length === 1
  const holder = shape === 'below' || shape === 'inherited' ? middle : top
  const references: values.PdfReference[] = []
  const pages = listPages(pdf)
  const onPages = new Map<number, values.PdfReference[]>()
  for (const shown of widgets) {
    const widget = isOne ? top : values.pdfReference(next++)
    references.push(widget)
    const appearance = values.pdfReference(next++)
    const { page = 0, alsoOn = [] } = shown
    const own = isOne ? { ...fieldEntries(value, field) } : { Parent: holder }
    objects.push({
      reference: widget,
      value: values.pdfDictionary({
        Type: values.pdfName('Annot'),
        Subtype: values.pdfName('Widget'),
        ...own,
        P: pages[page]!.reference,
        F: 132,
        Rect: shown.rect,
        ...(shown.content !== undefined && { AP: values.pdfDictionary({ N: appearance }) }),
        ...shown.widget,
      }),
    })
    if (shown.content !== undefined) objects.push(appearanceOf(appearance, shown))
    for (const index of [page, ...alsoOn]) onPages.set(index, [...(onPages.get(index) ?? []), widget])
  }
  if (!isOne) objects.push(...fieldsAbove(shape, [top, middle, value], references, field))
  for (const [index, list] of onPages) {
    const { reference, page } = pages[index]!
    objects.push({ reference, value: new Map(page).set('Annots', [...arrayAt(pdf, page, 'Annots'), ...list]) })
  }
  objects.push(...formWith(pdf, top, form, next++))
  return { objects: withExtra(objects, extra?.(pdf, next) ?? []), value }
}

/** Adds further objects, which replace those with the same number. */
const withExtra = (objects: NewObject[], extra: NewObject[]) => [
  ...objects.filter(({ reference }) => !extra.some((added) => added.reference.number === reference.number)),
  ...extra,
]

const fieldEntries = (value: values.PdfReference, more: Entries): Entries => ({
  FT: values.pdfName('Sig'),
  T: values.pdfText('Podpis'),
  V: value,
  ...more,
})

/** Returns the objects above the widgets: one field, or a parent and its child. */
function fieldsAbove(
  shape: VisibleSignature['shape'],
  [top, middle, value]: readonly [values.PdfReference, values.PdfReference, values.PdfReference],
  widgets: values.PdfReference[],
  field: Entries,
): NewObject[] {
  const object = (reference: values.PdfReference, entries: Entries) => ({
    reference,
    value: values.pdfDictionary(entries),
  })
  if (shape !== 'below' && shape !== 'inherited') return [object(top, { ...fieldEntries(value, field), Kids: widgets })]
  const type: Entries = { FT: values.pdfName('Sig') }
  const child = { T: values.pdfText('podpis'), Parent: top, V: value, Kids: widgets }
  return [
    object(top, { T: values.pdfText('umowa'), Kids: [middle], ...(shape === 'inherited' && type), ...field }),
    object(middle, { ...child, ...(shape === 'below' && type) }),
  ]
}

function signatureDictionary() {
  return values.pdfDictionary({
    Type: values.pdfName('Sig'),
    Filter: values.pdfName('Adobe.PPKLite'),
    SubFilter: values.pdfName('ETSI.CAdES.detached'),
    M: values.pdfDate(signedAt),
    ByteRange: openRange,
    Contents: { kind: 'string', bytes: new Uint8Array(room) },
  })
}

function appearanceOf(reference: values.PdfReference, { rect, content = '', appearance = {} }: ShownWidget): NewObject {
  const [left = 0, bottom = 0, right = 0, top = 0] = Array.isArray(rect) ? rect.map(Number) : []
  const font = values.pdfDictionary({
    Type: values.pdfName('Font'),
    Subtype: values.pdfName('Type1'),
    BaseFont: values.pdfName('Helvetica'),
  })
  const value: values.PdfDictionary = values.pdfDictionary({
    Type: values.pdfName('XObject'),
    Subtype: values.pdfName('Form'),
    BBox: [0, 0, Math.abs(right - left), Math.abs(top - bottom)],
    Resources: values.pdfDictionary({ Font: values.pdfDictionary({ F1: font }) }),
    ...appearance,
  })
  return { reference, value, data: bytesOf(content) }
}

function formWith(pdf: Pdf, field: values.PdfReference, more: Entries, fresh: number): NewObject[] {
  const root = pdf.trailer.get('Root') as values.PdfReference
  const catalog = dictionaryAt(pdf, pdf.trailer, 'Root')
  const found = catalog.get('AcroForm')
  const form = catalog.has('AcroForm') ? dictionaryAt(pdf, catalog, 'AcroForm') : new Map<string, values.PdfValue>()
  const value = new Map(form).set('Fields', [...arrayAt(pdf, form, 'Fields'), field]).set('SigFlags', 3)
  for (const [key, item] of Object.entries(more)) value.set(key, item)
  if (values.isReference(found)) return [{ reference: found, value }]
  const reference = values.pdfReference(fresh)
  return [
    { reference, value },
    { reference: root, value: new Map(catalog).set('AcroForm', reference) },
  ]
}

const content = '1 g 0 0 200 30 re f 0 g BT /F1 24 Tf 2 6 Td (Umowa na 1 zl) Tj ET'
const number = contract.length + 1

/** Writes the contract for 100 zl, with an unused form XObject in its resources that says 1 zl. */
export const coverableContract = () =>
  fileOf([
    ...contract.map((object, index) =>
      index === 2 ? String(object).replace('/Resources<<', `/Resources<</XObject<</Cover ${number} 0 R>>`) : object,
    ),
    [
      `<</Type/XObject/Subtype/Form/BBox[0 0 200 30]/Resources<</Font<</F1 5 0 R>>>>/Length ${content.length}>>`,
      content,
    ],
  ])

/** Prepares such a contract, unencrypted, for a signature that shows that form over the price. */
export function preparedOverThePrice(plain: Uint8Array, name = 'Podpis'): PreparedPdf {
  const field = { field: name, signer: 'Anna Nowak', reason: 'Zgadzam się', at: signedAt }
  const { bytes, gap } = prepareSignature(plain, field)
  const text = latin1(bytes)
  const form = /\/Cover (\d+ 0 R)/.exec(text)![1]!
  // An earlier signature keeps its look.
  const added = text
    .slice(plain.length)
    .replace('/F 132 /Rect [0 0 0 0]', '/Rect[70 712 270 742] ')
    .replace(/\/AP <<\/N \d+ 0 R>>/, (found) => `/AP<</N ${form}>>`.padEnd(found.length))
  return { bytes: bytesOf(text.slice(0, plain.length) + added), gap }
}

/** Signs such a contract with a valid signature by Anna. */
export function signedOverThePrice(plain: Uint8Array) {
  const prepared = preparedOverThePrice(plain)
  return embedSignature(prepared, signatureOver(prepared))
}
