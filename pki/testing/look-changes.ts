import { bytesOf, hexOf } from '../pdf-bytes.ts'
import { arrayAt, pagesOf, type Pdf } from '../pdf-read.ts'
import {
  isDictionary,
  isReference,
  pdfDictionary,
  pdfName,
  pdfReference,
  pdfText,
  type PdfValue,
} from '../pdf-value.ts'
import { appendIncrement, type NewObject } from '../pdf-write.ts'
import type { ChangedDocument, Random, Visibility } from './changed-documents.ts'
import { formIn, opened } from './pdf-draft.ts'
import { signPdf, stampDocument } from './pades-authorities.ts'
import { signVisibly, type Look, type VisibleSignature } from './visible-signature.ts'

type Made = Pick<ChangedDocument, 'bytes'> & Partial<ChangedDocument>

/** A way to go on with the very bytes of a file; gives nothing where the file has no place for it. */
type LookChange = { name: string; visible: Visibility; make: (issued: Uint8Array, random: Random) => Made | undefined }

const white = 'q 1 1 1 rg 0 0 900 900 re f Q'
const price = `${white} BT /F1 20 Tf 4 8 Td (Umowa na 1 zl) Tj ET`
const signedBy = 'BT /F1 10 Tf 4 8 Td (Podpisano: Anna Nowak) Tj ET'
/** A place of the first page that nothing is in, in the files that tests use. */
export const blank = [330, 130, 530, 170]
/** Where the first page says the price. */
const overPrice = [60, 700, 500, 790]

const number = (value: PdfValue | undefined) => (typeof value === 'number' ? value : 0)

function sign(issued: Uint8Array, signature: VisibleSignature): Made {
  const areas = signature.looks.flatMap(({ page = 0, alsoOn = [], rect }) =>
    [page, ...alsoOn].map((one) => ({ page: one, rect: Array.isArray(rect) ? rect.map(number) : [] })),
  )
  return { bytes: signVisibly(issued, signature), areas }
}

const look = (rect: number[], content: string | undefined, more: Partial<Look> = {}): Look => ({
  rect,
  ...(content !== undefined && { content }),
  ...more,
})

const one = (name: string, visible: Visibility, ...looks: Look[]): LookChange => ({
  name,
  visible,
  make: (issued) => sign(issued, { looks, shape: looks.length > 1 ? 'apart' : 'one' }),
})

/** What is put into the widget, or the look, of a signature over the price. */
const over = (name: string, visible: Visibility, more: Partial<Look>, content = price) =>
  one(name, visible, look(overPrice, content, more))

const besides = (name: string, visible: Visibility, signature: Partial<VisibleSignature>): LookChange => ({
  name,
  visible,
  make: (issued) => sign(issued, { looks: [look([0, 0, 0, 0], undefined)], ...signature }),
})

/** An object of the file, changed before signing. */
const edited = (name: string, change: (pdf: Pdf, random: Random) => NewObject[] | undefined): LookChange => ({
  name,
  visible: 'yes',
  make: (issued, random) => {
    const pdf = opened(issued)
    const objects = change(pdf, random)
    return objects && { bytes: signPdf(appendIncrement(pdf, objects).bytes) }
  },
})

const entry = (pdf: Pdf, reference: PdfValue | undefined, key: string, value: PdfValue): NewObject[] | undefined => {
  const held = pdf.resolve(reference)
  if (!isReference(reference) || !isDictionary(held)) return undefined
  const data = pdf.object(reference.number)?.data
  return [{ reference, value: new Map(held).set(key, value), ...(data && { data }) }]
}

/** A value as it is written in the file, which `pdfSyntax` would write in another way. */
const written = (text: string) =>
  ({ kind: 'reference', number: `${text} /Unknown 9`, generation: 0 }) as unknown as PdfValue

const unclearPrograms = [
  `W n ${price}`,
  `0 0 0 0 0 0 500 100 re W n ${price}`,
  'BT /F1 0 /F1 20 Tf 4 8 Td (Umowa na 1 zl) Tj ET',
  `q 0 0 0 0 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID xEI Q ${price} q BI /W 1 /H 1 /BPC 8 /CS /G ID x EI Q`,
  `0 0 0 0 re W n ${price}`,
]

const picture = pdfDictionary({ Type: pdfName('XObject'), Subtype: pdfName('Form'), BBox: [0, 0, 500, 100] })

export const lookChanges: LookChange[] = [
  { name: 'none that is seen', visible: 'no', make: (issued) => ({ bytes: signPdf(issued) }) },
  {
    name: 'with blanks behind it',
    visible: 'no',
    make: (issued, random) => ({ bytes: withTail(signPdf(issued), random.pick(['\n', '\r\n', '\n\n  \n'])) }),
  },
  one('a line in a blank place', 'maybe', look(blank, signedBy)),
  one('a line in a blank place of another order', 'maybe', look([530, 170, 330, 130], signedBy)),
  one('an empty look over the price', 'no', look(overPrice, '% DSBlank')),
  one('no look over the price', 'no', look(overPrice, undefined)),
  one('a look of no size', 'no', look([100, 700, 100, 800], price)),
  one('a look outside the page', 'no', look([-500, -500, -100, -100], price)),
  over('another price', 'yes', {}),
  one('a white page', 'yes', look([0, 0, 595, 842], price)),
  one('a small price', 'yes', look([200, 735, 280, 775], white)),
  one('five pieces', 'yes', ...[0, 1, 2, 3, 4].map((i) => look([60 + i * 90, 700, 145 + i * 90, 790], white))),
  one('one over the price, one in a blank place', 'yes', look(blank, signedBy), look(overPrice, price)),
  over('a turned look', 'yes', { appearance: { Matrix: [0, 1, -1, 0, 0, 0] } }),
  over('a look without a box', 'yes', { appearance: { BBox: [0, 0, 0, 0] } }),
  over('a look larger than its box', 'yes', { appearance: { BBox: [0, 0, 10, 10] } }),
  over('a look that no zoom changes', 'yes', { widget: { F: 4 | 8 } }),
  one('a look that does not turn', 'maybe', look(blank, signedBy, { widget: { F: 4 | 16 } })),
  over('a hidden look', 'maybe', { widget: { F: 2 } }),
  one('no look that is hidden', 'no', look(overPrice, undefined, { widget: { F: 2 } })),
  over('an empty look that is hidden', 'no', { widget: { F: 2 } }, ''),
  // Some readers take them for the number 2, others for none.
  ...[2.5, -2, 4_294_967_298].map((F) => over(`a look with the flags ${F}`, 'yes', { widget: { F } })),
  over('a look with the flags 2.0', 'yes', { widget: { F: written('2.0') } }),
  // Programs that paint nothing by the letter, but that readers paint.
  ...unclearPrograms.map((content) => over(`the look ${content}`, 'yes', {}, content)),
  one(
    'a look that paints with what the page has',
    'maybe',
    look([60, 505, 500, 590], 'q 440 0 0 90 0 0 cm /Im1 Do Q', { appearance: { Resources: pdfDictionary({}) } }),
  ),
  over('a look of another generation', 'yes', { widget: { AP: pdfDictionary({ N: pdfReference(11, 3) }) } }),
  over(
    'a look packed as nothing',
    'maybe',
    { appearance: { Filter: pdfName('ASCIIHexDecode') } },
    `>${hexOf(bytesOf(price))}>`,
  ),
  over('a look for the screen alone', 'yes', { widget: { F: 0 } }),
  over('a look for print alone', 'maybe', { widget: { F: 4 | 32 } }),
  one(
    'a background that readers draw',
    'maybe',
    look(overPrice, undefined, { widget: { MK: pdfDictionary({ BG: [1, 1, 1] }) } }),
  ),
  one(
    'a frame that readers draw',
    'maybe',
    look(overPrice, undefined, { widget: { MK: pdfDictionary({ BC: [1, 0, 0] }), BS: pdfDictionary({ W: 40 }) } }),
  ),
  over('a look of several states', 'maybe', { widget: { AS: pdfName('On') } }),
  over('a text field below a signature', 'maybe', { widget: { FT: pdfName('Tx'), V: pdfText('1 zl') } }),
  over('no widget but a text', 'maybe', {
    widget: { Subtype: pdfName('FreeText'), DA: pdfText('/Helv 20 Tf'), Contents: pdfText('1 zl') },
  }),
  over('a look in a layer', 'maybe', { widget: { OC: pdfDictionary({ Type: pdfName('OCG'), Name: pdfText('x') }) } }),
  besides('a rectangle that is none', 'maybe', { looks: [{ rect: [60, 700, 500], content: price }] }),
  besides('below a parent', 'no', { shape: 'below' }),
  besides('with its widget apart', 'no', { shape: 'apart' }),
  besides('with an inherited type', 'no', { shape: 'inherited' }),
  besides('below a parent, over the price', 'yes', { shape: 'inherited', looks: [look(overPrice, price)] }),
  besides('apart, and the widget says another type', 'maybe', {
    shape: 'apart',
    looks: [
      look(overPrice, undefined, { widget: { FT: pdfName('Tx'), V: pdfText('1 zl'), DA: pdfText('/F1 20 Tf') } }),
    ],
  }),
  besides('with an action', 'maybe', { field: { A: pdfDictionary({ S: pdfName('URI'), URI: pdfText('http://x') }) } }),
  besides('with new fonts of the form', 'maybe', {
    form: {
      DR: pdfDictionary({
        Font: pdfDictionary({
          F1: pdfDictionary({ Type: pdfName('Font'), Subtype: pdfName('Type1'), BaseFont: pdfName('Symbol') }),
        }),
      }),
    },
  }),
  besides('with a new default', 'maybe', { form: { DA: pdfText('/F1 30 Tf 1 0 0 rg') } }),
  besides('and new looks wanted', 'maybe', { form: { NeedAppearances: true } }),
  besides('and other fields', 'maybe', { form: { Fields: [] } }),
  besides('and an unsigned one with a look', 'yes', {
    besides: (pdf, first) => {
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
        looks: [look([60, 380, 500, 430], white, { alsoOn: Array.from({ length: pages - 1 }, (_, i) => i + 1) })],
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
      return sign(issued, { looks: [look(rect, random.pick([price, white, signedBy]), { page })] })
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
