import { bytesOf, hexOf } from '../bytes.ts'
import { arrayAt, pagesOf, type Pdf } from '../pdf/pdf-read.ts'
import {
  isDictionary,
  isReference,
  pdfDictionary,
  pdfName,
  pdfReference,
  pdfText,
  type PdfValue,
} from '../pdf/pdf-value.ts'
import { appendUpdate, type NewObject } from '../pdf/pdf-write.ts'
import type { ChangedDocument, Random, Visibility } from './document-change.ts'
import { formIn, opened } from './pdf-draft.ts'
import { signPdf, stampDocument } from './pades-authorities.ts'
import { signVisibly, type ShownWidget, type VisibleSignature } from './visible-signature.ts'

type Made = Pick<ChangedDocument, 'bytes'> & Partial<ChangedDocument>

/** A signature appended to the exact bytes of a file; undefined if the file has nothing to apply it to. */
type AppearanceChange = {
  name: string
  visible: Visibility
  make: (issued: Uint8Array, random: Random) => Made | undefined
}

const white = 'q 1 1 1 rg 0 0 900 900 re f Q'
const price = `${white} BT /F1 20 Tf 4 8 Td (Umowa na 1 zl) Tj ET`
const signedBy = 'BT /F1 10 Tf 4 8 Td (Podpisano: Anna Nowak) Tj ET'
/** An area of the first page that is blank in all test files. */
export const blank = [330, 130, 530, 170]
/** The area of the price on the first page. */
const overPrice = [60, 700, 500, 790]

const number = (value: PdfValue | undefined) => (typeof value === 'number' ? value : 0)

function sign(issued: Uint8Array, signature: VisibleSignature): Made {
  const areas = signature.widgets.flatMap(({ page = 0, alsoOn = [], rect }) =>
    [page, ...alsoOn].map((index) => ({ page: index, rect: Array.isArray(rect) ? rect.map(number) : [] })),
  )
  return { bytes: signVisibly(issued, signature), areas }
}

const widgetAt = (rect: number[], content: string | undefined, more: Partial<ShownWidget> = {}): ShownWidget => ({
  rect,
  ...(content !== undefined && { content }),
  ...more,
})

const signed = (name: string, visible: Visibility, ...widgets: ShownWidget[]): AppearanceChange => ({
  name,
  visible,
  make: (issued) => sign(issued, { widgets, shape: widgets.length > 1 ? 'apart' : 'one' }),
})

/** A signature over the price with further entries of its widget or appearance stream. */
const over = (name: string, visible: Visibility, more: Partial<ShownWidget>, content = price) =>
  signed(name, visible, widgetAt(overPrice, content, more))

const structured = (name: string, visible: Visibility, signature: Partial<VisibleSignature>): AppearanceChange => ({
  name,
  visible,
  make: (issued) => sign(issued, { widgets: [widgetAt([0, 0, 0, 0], undefined)], ...signature }),
})

/** An object of the file, changed before signing. */
const edited = (name: string, change: (pdf: Pdf, random: Random) => NewObject[] | undefined): AppearanceChange => ({
  name,
  visible: 'yes',
  make: (issued, random) => {
    const pdf = opened(issued)
    const objects = change(pdf, random)
    return objects && { bytes: signPdf(appendUpdate(pdf, objects).bytes) }
  },
})

const entry = (pdf: Pdf, reference: PdfValue | undefined, key: string, value: PdfValue): NewObject[] | undefined => {
  const held = pdf.resolve(reference)
  if (!isReference(reference) || !isDictionary(held)) return undefined
  const data = pdf.object(reference.number)?.data
  return [{ reference, value: new Map(held).set(key, value), ...(data && { data }) }]
}

/** A value with exactly this syntax, which `pdfSyntax` would write differently. */
const written = (text: string) =>
  ({ kind: 'reference', number: `${text} /Unknown 9`, generation: 0 }) as unknown as PdfValue

const ambiguousStreams = [
  `W n ${price}`,
  `0 0 0 0 0 0 500 100 re W n ${price}`,
  'BT /F1 0 /F1 20 Tf 4 8 Td (Umowa na 1 zl) Tj ET',
  `q 0 0 0 0 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID xEI Q ${price} q BI /W 1 /H 1 /BPC 8 /CS /G ID x EI Q`,
  `0 0 0 0 re W n ${price}`,
]

const picture = pdfDictionary({ Type: pdfName('XObject'), Subtype: pdfName('Form'), BBox: [0, 0, 500, 100] })

export const appearanceChanges: AppearanceChange[] = [
  { name: 'an invisible one', visible: 'no', make: (issued) => ({ bytes: signPdf(issued) }) },
  {
    name: 'with trailing blanks',
    visible: 'no',
    make: (issued, random) => ({ bytes: withTail(signPdf(issued), random.pick(['\n', '\r\n', '\n\n  \n'])) }),
  },
  signed('a line in a blank place', 'maybe', widgetAt(blank, signedBy)),
  signed('a line in a blank place of another order', 'maybe', widgetAt([530, 170, 330, 130], signedBy)),
  signed('an empty appearance over the price', 'no', widgetAt(overPrice, '% DSBlank')),
  signed('no appearance over the price', 'no', widgetAt(overPrice, undefined)),
  signed('an appearance of zero size', 'no', widgetAt([100, 700, 100, 800], price)),
  signed('an appearance outside the page', 'no', widgetAt([-500, -500, -100, -100], price)),
  over('another price', 'yes', {}),
  signed('a white page', 'yes', widgetAt([0, 0, 595, 842], price)),
  signed('a small price', 'yes', widgetAt([200, 735, 280, 775], white)),
  signed('five pieces', 'yes', ...[0, 1, 2, 3, 4].map((i) => widgetAt([60 + i * 90, 700, 145 + i * 90, 790], white))),
  signed('one over the price, one in a blank place', 'yes', widgetAt(blank, signedBy), widgetAt(overPrice, price)),
  over('a turned appearance', 'yes', { appearance: { Matrix: [0, 1, -1, 0, 0, 0] } }),
  over('an appearance without a box', 'yes', { appearance: { BBox: [0, 0, 0, 0] } }),
  over('an appearance larger than its box', 'yes', { appearance: { BBox: [0, 0, 10, 10] } }),
  over('an appearance that no zoom changes', 'yes', { widget: { F: 4 | 8 } }),
  signed('an appearance that does not turn', 'maybe', widgetAt(blank, signedBy, { widget: { F: 4 | 16 } })),
  over('a hidden appearance', 'maybe', { widget: { F: 2 } }),
  signed('no appearance that is hidden', 'no', widgetAt(overPrice, undefined, { widget: { F: 2 } })),
  over('an empty appearance that is hidden', 'no', { widget: { F: 2 } }, ''),
  // Some readers read them as the number 2, others ignore them.
  ...[2.5, -2, 4_294_967_298].map((F) => over(`an appearance with the flags ${F}`, 'yes', { widget: { F } })),
  over('an appearance with the flags 2.0', 'yes', { widget: { F: written('2.0') } }),
  // Streams that paint nothing according to the standard, but that readers paint.
  ...ambiguousStreams.map((content) => over(`the appearance ${content}`, 'yes', {}, content)),
  signed(
    'an appearance that paints with what the page has',
    'maybe',
    widgetAt([60, 505, 500, 590], 'q 440 0 0 90 0 0 cm /Im1 Do Q', { appearance: { Resources: pdfDictionary({}) } }),
  ),
  over('an appearance of another generation', 'yes', { widget: { AP: pdfDictionary({ N: pdfReference(11, 3) }) } }),
  over(
    'an appearance packed as nothing',
    'maybe',
    { appearance: { Filter: pdfName('ASCIIHexDecode') } },
    `>${hexOf(bytesOf(price))}>`,
  ),
  over('an appearance for the screen alone', 'yes', { widget: { F: 0 } }),
  over('an appearance for print alone', 'maybe', { widget: { F: 4 | 32 } }),
  signed(
    'a background that readers draw',
    'maybe',
    widgetAt(overPrice, undefined, { widget: { MK: pdfDictionary({ BG: [1, 1, 1] }) } }),
  ),
  signed(
    'a frame that readers draw',
    'maybe',
    widgetAt(overPrice, undefined, { widget: { MK: pdfDictionary({ BC: [1, 0, 0] }), BS: pdfDictionary({ W: 40 }) } }),
  ),
  over('an appearance of several states', 'maybe', { widget: { AS: pdfName('On') } }),
  over('a text field below a signature', 'maybe', { widget: { FT: pdfName('Tx'), V: pdfText('1 zl') } }),
  over('no widget but a text', 'maybe', {
    widget: { Subtype: pdfName('FreeText'), DA: pdfText('/Helv 20 Tf'), Contents: pdfText('1 zl') },
  }),
  over('an appearance in a layer', 'maybe', {
    widget: { OC: pdfDictionary({ Type: pdfName('OCG'), Name: pdfText('x') }) },
  }),
  structured('an invalid rectangle', 'maybe', { widgets: [{ rect: [60, 700, 500], content: price }] }),
  structured('below a parent', 'no', { shape: 'below' }),
  structured('with its widget apart', 'no', { shape: 'apart' }),
  structured('with an inherited type', 'no', { shape: 'inherited' }),
  structured('below a parent, over the price', 'yes', { shape: 'inherited', widgets: [widgetAt(overPrice, price)] }),
  structured('apart, and the widget has another type', 'maybe', {
    shape: 'apart',
    widgets: [
      widgetAt(overPrice, undefined, { widget: { FT: pdfName('Tx'), V: pdfText('1 zl'), DA: pdfText('/F1 20 Tf') } }),
    ],
  }),
  structured('with an action', 'maybe', {
    field: { A: pdfDictionary({ S: pdfName('URI'), URI: pdfText('http://x') }) },
  }),
  structured('with new fonts of the form', 'maybe', {
    form: {
      DR: pdfDictionary({
        Font: pdfDictionary({
          F1: pdfDictionary({ Type: pdfName('Font'), Subtype: pdfName('Type1'), BaseFont: pdfName('Symbol') }),
        }),
      }),
    },
  }),
  structured('with a new default', 'maybe', { form: { DA: pdfText('/F1 30 Tf 1 0 0 rg') } }),
  structured('and new appearances wanted', 'maybe', { form: { NeedAppearances: true } }),
  structured('and other fields', 'maybe', { form: { Fields: [] } }),
  structured('and an unsigned one with an appearance', 'yes', {
    extra: (pdf, first) => {
      const [leaf] = pagesOf(pdf)
      const widget = pdfDictionary({
        Type: pdfName('Annot'),
        Subtype: pdfName('Widget'),
        FT: pdfName('Sig'),
        T: pdfText('drugi'),
        Rect: overPrice,
        F: 4,
        AP: pdfDictionary({ N: pdfReference(first + 1) }),
      })
      const list = arrayAt(pdf, leaf!.page, 'Annots')
      return [
        { reference: pdfReference(first), value: widget },
        { reference: pdfReference(first + 1), value: picture, data: bytesOf(price) },
        { reference: leaf!.reference, value: new Map(leaf!.page).set('Annots', [...list, pdfReference(first)]) },
      ]
    },
  }),
  {
    name: 'on several pages',
    visible: 'maybe',
    make: (issued) => {
      const pages = pagesOf(opened(issued)).length
      return sign(issued, {
        widgets: [widgetAt([60, 380, 500, 430], white, { alsoOn: Array.from({ length: pages - 1 }, (_, i) => i + 1) })],
      })
    },
  },
  {
    name: 'in a random place',
    visible: 'maybe',
    make: (issued, random) => {
      const page = random.below(pagesOf(opened(issued)).length)
      const [left, bottom] = [random.below(500), random.below(800)]
      const rect = [left, bottom, left + 5 + random.below(300), bottom + 5 + random.below(100)]
      return sign(issued, { widgets: [widgetAt(rect, random.pick([price, white, signedBy]), { page })] })
    },
  },
  {
    name: 'a document timestamp behind it',
    visible: 'no',
    make: (issued) => ({ bytes: stampDocument(signPdf(issued)) }),
  },
  edited('a page with other content', (pdf) => {
    const [leaf] = pagesOf(pdf)
    const contents = leaf!.page.get('Contents')
    return isReference(contents) && pdf.object(contents.number)?.data
      ? [
          {
            reference: contents,
            value: pdfDictionary({}),
            data: bytesOf('BT /F1 24 Tf 72 750 Td (Umowa na 1 zl) Tj ET'),
          },
        ]
      : undefined
  }),
  edited('a turned page', (pdf) => entry(pdf, pagesOf(pdf)[0]!.reference, 'Rotate', 180)),
  edited('a font', (pdf) => {
    for (const { inherited } of pagesOf(pdf)) {
      const resources = pdf.resolve(inherited.get('Resources'))
      const fonts = isDictionary(resources) ? pdf.resolve(resources.get('Font')) : null
      if (isDictionary(fonts)) return entry(pdf, [...fonts.values()][0], 'BaseFont', pdfName('Symbol'))
    }
    return undefined
  }),
  edited('a field filled in', (pdf, random) => {
    const field = random.pick([...arrayAt(pdf, formIn(pdf), 'Fields'), null])
    return isReference(field) ? entry(pdf, field, 'V', pdfText('Jan')) : undefined
  }),
  edited('an annotation with another flag', (pdf) => {
    const item = pagesOf(pdf).flatMap(({ page }) => arrayAt(pdf, page, 'Annots'))[0]
    return entry(pdf, item, 'F', 2)
  }),
]

function withTail(file: Uint8Array, tail: string) {
  const bytes = new Uint8Array(file.length + tail.length)
  bytes.set(file)
  bytes.set(bytesOf(tail), file.length)
  return bytes
}
