import { cmsSigner, signedAttributes, signedData } from '../cms.ts'
import { coveredDigest, embedSignature } from '../pades-sign.ts'
import { bytesOf } from '../pdf-bytes.ts'
import { arrayAt, dictionaryAt, pagesOf, type Pdf } from '../pdf-read.ts'
import {
  isReference,
  pdfDate,
  pdfDictionary,
  pdfName,
  pdfReference,
  pdfSyntax,
  pdfText,
  type PdfDictionary,
  type PdfReference,
  type PdfValue,
} from '../pdf-value.ts'
import { appendIncrement, nextNumber, type NewObject } from '../pdf-write.ts'
import { signBytes } from '../signature-algorithm.ts'
import { opened } from './pdf-draft.ts'
import { anna, issuing, signedAt } from './pades-authorities.ts'

const room = 6000
const openRange = [0, 9_999_999_999, 9_999_999_999, 9_999_999_999]

/** Where a signature is shown, and how. */
export type Look = {
  page?: number
  /** More pages that list the same widget. */
  alsoOn?: number[]
  rect: PdfValue
  /** The stream of its appearance; without one there is none. */
  content?: string
  /** What the appearance's dictionary and the widget say besides. */
  appearance?: Record<string, PdfValue>
  widget?: Record<string, PdfValue>
}

export type VisibleSignature = {
  looks: Look[]
  /** `one` object for field and widget, two `apart`, or a parent above (`below`), which may hold the type (`inherited`). */
  shape?: 'one' | 'apart' | 'below' | 'inherited'
  /** What the topmost field says besides. */
  field?: Record<string, PdfValue>
  /** What the form, and which objects the file, gets besides. */
  form?: Record<string, PdfValue>
  besides?: (pdf: Pdf, first: number) => NewObject[]
}

/** Signs as programs with a look of their own do, in each way that fields and widgets may be put together. */
export function signVisibly(file: Uint8Array, signature: VisibleSignature) {
  const pdf = opened(file)
  const first = nextNumber(pdf)
  const { objects, value } = objectsOf(pdf, first, signature)
  const increment = appendIncrement(pdf, objects)
  const bytes = new Uint8Array(increment.bytes)
  const whole = Buffer.from(bytes.buffer)
  const start = whole.indexOf('/Contents <', increment.offsetOf(value), 'latin1') + '/Contents '.length
  const end = start + room * 2 + 2
  const range = pdfSyntax(openRange)
  const closed = pdfSyntax([0, start, end, bytes.length - end]).padEnd(range.length)
  bytes.set(bytesOf(closed), whole.indexOf(range, increment.offsetOf(value), 'latin1'))
  const gap = { start, end }
  const digest = coveredDigest({ bytes, gap })
  const attributes = signedAttributes({ digest, certificate: anna.certificate })
  const signer = cmsSigner({ certificate: anna.certificate, chain: [issuing.certificate] })
  return embedSignature(
    { bytes, gap },
    signedData(signer, { attributes, signature: signBytes(anna.privateKey, attributes) }),
  )
}

function objectsOf(
  pdf: Pdf,
  first: number,
  { looks, shape = 'one', field = {}, form = {}, besides }: VisibleSignature,
) {
  const value = pdfReference(first)
  const top = pdfReference(first + 1)
  const middle = pdfReference(first + 2)
  let next = first + 3
  const objects: NewObject[] = [{ reference: value, value: signatureDictionary() }]
  const isOne = shape === 'one' && looks.length === 1
  const holder = shape === 'below' || shape === 'inherited' ? middle : top
  const widgets: PdfReference[] = []
  const pages = pagesOf(pdf)
  const onPages = new Map<number, PdfReference[]>()
  for (const look of looks) {
    const widget = isOne ? top : pdfReference(next++)
    widgets.push(widget)
    const appearance = pdfReference(next++)
    const { page = 0, alsoOn = [] } = look
    const own = isOne ? { ...fieldEntries(value, field) } : { Parent: holder }
    objects.push({
      reference: widget,
      value: pdfDictionary({
        Type: pdfName('Annot'),
        Subtype: pdfName('Widget'),
        ...own,
        P: pages[page]!.reference,
        F: 132,
        Rect: look.rect,
        ...(look.content !== undefined && { AP: pdfDictionary({ N: appearance }) }),
        ...look.widget,
      }),
    })
    if (look.content !== undefined) objects.push(appearanceOf(appearance, look))
    for (const index of [page, ...alsoOn]) onPages.set(index, [...(onPages.get(index) ?? []), widget])
  }
  if (!isOne) objects.push(...fieldsAbove({ shape, top, middle, value, widgets, field }))
  for (const [index, list] of onPages) {
    const { reference, page } = pages[index]!
    objects.push({ reference, value: new Map(page).set('Annots', [...arrayAt(pdf, page, 'Annots'), ...list]) })
  }
  objects.push(...formWith(pdf, top, form, next++))
  return { objects: withBesides(objects, besides?.(pdf, next) ?? []), value }
}

/** What a test puts in takes the place of what is there. */
const withBesides = (objects: NewObject[], besides: NewObject[]) => [
  ...objects.filter(({ reference }) => !besides.some((one) => one.reference.number === reference.number)),
  ...besides,
]

const fieldEntries = (value: PdfReference, more: Record<string, PdfValue>): Record<string, PdfValue> => ({
  FT: pdfName('Sig'),
  T: pdfText('Podpis'),
  V: value,
  ...more,
})

function fieldsAbove({
  shape,
  top,
  middle,
  value,
  widgets,
  field,
}: {
  shape: VisibleSignature['shape']
  top: PdfReference
  middle: PdfReference
  value: PdfReference
  widgets: PdfReference[]
  field: Record<string, PdfValue>
}): NewObject[] {
  if (shape === 'one' || shape === 'apart')
    return [{ reference: top, value: pdfDictionary({ ...fieldEntries(value, field), Kids: widgets }) }]
  const type: Record<string, PdfValue> = { FT: pdfName('Sig') }
  return [
    {
      reference: top,
      value: pdfDictionary({ T: pdfText('umowa'), Kids: [middle], ...(shape === 'inherited' && type), ...field }),
    },
    {
      reference: middle,
      value: pdfDictionary({
        T: pdfText('podpis'),
        Parent: top,
        V: value,
        Kids: widgets,
        ...(shape === 'below' && type),
      }),
    },
  ]
}

function signatureDictionary() {
  return pdfDictionary({
    Type: pdfName('Sig'),
    Filter: pdfName('Adobe.PPKLite'),
    SubFilter: pdfName('ETSI.CAdES.detached'),
    M: pdfDate(signedAt),
    ByteRange: openRange,
    Contents: { kind: 'string', bytes: new Uint8Array(room) },
  })
}

function appearanceOf(reference: PdfReference, { rect, content = '', appearance = {} }: Look): NewObject {
  const [left = 0, bottom = 0, right = 0, top = 0] = Array.isArray(rect) ? rect.map(Number) : []
  const font = pdfDictionary({ Type: pdfName('Font'), Subtype: pdfName('Type1'), BaseFont: pdfName('Helvetica') })
  const value: PdfDictionary = pdfDictionary({
    Type: pdfName('XObject'),
    Subtype: pdfName('Form'),
    BBox: [0, 0, Math.abs(right - left), Math.abs(top - bottom)],
    Resources: pdfDictionary({ Font: pdfDictionary({ F1: font }) }),
    ...appearance,
  })
  return { reference, value, data: bytesOf(content) }
}

function formWith(pdf: Pdf, field: PdfReference, more: Record<string, PdfValue>, fresh: number): NewObject[] {
  const root = pdf.trailer.get('Root') as PdfReference
  const catalog = dictionaryAt(pdf, pdf.trailer, 'Root')
  const found = catalog.get('AcroForm')
  const form = catalog.has('AcroForm') ? dictionaryAt(pdf, catalog, 'AcroForm') : new Map<string, PdfValue>()
  const value = new Map(form).set('Fields', [...arrayAt(pdf, form, 'Fields'), field]).set('SigFlags', 3)
  for (const [key, item] of Object.entries(more)) value.set(key, item)
  if (isReference(found)) return [{ reference: found, value }]
  const reference = pdfReference(fresh)
  return [
    { reference, value },
    { reference: root, value: new Map(catalog).set('AcroForm', reference) },
  ]
}
