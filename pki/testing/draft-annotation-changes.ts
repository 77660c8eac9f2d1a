import { pdfDictionary, pdfName, pdfText, type PdfValue } from '../pdf/pdf-value.ts'
import { type DraftChange, hasKey, on, pageAt, inKind, picture, formOf } from './draft-change.ts'
import { added, resolved } from './pdf-draft.ts'

/** An annotation over the price with the given entries. */
const annotation = (name: string, entries: Record<string, PdfValue>, { appearance = true, inForm = false } = {}) =>
  on(`an annotation: ${name}`, appearance ? 'yes' : 'maybe', (draft, random) => {
    const page = pageAt(draft, random)
    const value = pdfDictionary({ Type: pdfName('Annot'), Rect: [60, 700, 500, 790], F: 4, ...entries })
    if (appearance) value.set('AP', pdfDictionary({ N: picture(draft) }))
    const reference = added(draft, value)
    const list = resolved(draft, page.get('Annots'))
    page.set('Annots', [...(Array.isArray(list) ? list : []), reference])
    if (!inForm) return
    const form = formOf(draft)
    const fields = resolved(draft, form.get('Fields'))
    form.set('Fields', [...(Array.isArray(fields) ? fields : []), reference])
  })

const isAnnotation = hasKey('Rect')

/** A change of a page's list of annotations with a minimum length. */
const listed = (name: string, least: number, change: (list: PdfValue[]) => PdfValue[]) =>
  inKind(
    name,
    'maybe',
    (value) => Array.isArray(value.get('Annots')),
    (value) => {
      const list = value.get('Annots')
      return Array.isArray(list) && list.length >= least && value.set('Annots', change(list))
    },
  )

const sig = { FT: pdfName('Sig') }

const widget = { Subtype: pdfName('Widget') }

export const annotationChanges: DraftChange[] = [
  annotation('a text that says it is a signature', { Subtype: pdfName('FreeText'), ...sig, Contents: pdfText('1 zl') }),
  annotation('a stamp that says it is a signature', { Subtype: pdfName('Stamp'), ...sig }),
  annotation('an unsigned signature', { ...widget, ...sig }),
  annotation('an unsigned signature of the form', { ...widget, ...sig, T: pdfText('x') }, { inForm: true }),
  annotation(
    'an invalid signature of the form',
    { ...widget, ...sig, T: pdfText('x'), V: pdfDictionary({ Type: pdfName('Sig') }) },
    { inForm: true },
  ),
  annotation(
    'a signature that is a text',
    { Subtype: pdfName('FreeText'), ...sig, T: pdfText('x'), V: pdfText('x') },
    { inForm: true },
  ),
  annotation('a text', { Subtype: pdfName('FreeText'), DA: pdfText('/Helv 20 Tf'), Contents: pdfText('1 zl') }),
  annotation(
    'a text without an appearance',
    { Subtype: pdfName('FreeText'), DA: pdfText('/Helv 20 Tf'), Contents: pdfText('1 zl') },
    { appearance: false },
  ),
  annotation('a square', { Subtype: pdfName('Square'), C: [1, 0, 0], IC: [1, 1, 1] }, { appearance: false }),
  annotation(
    'a highlight',
    { Subtype: pdfName('Highlight'), C: [1, 1, 0], QuadPoints: [60, 790, 500, 790, 60, 700, 500, 700] },
    { appearance: false },
  ),
  annotation('a text field', { ...widget, FT: pdfName('Tx'), T: pdfText('x'), V: pdfText('1 zl') }, { inForm: true }),
  annotation('of no kind', {}),
  annotation(
    'a link',
    { Subtype: pdfName('Link'), A: pdfDictionary({ S: pdfName('URI'), URI: pdfText('http://x') }) },
    { appearance: false },
  ),
  annotation('a watermark', { Subtype: pdfName('Watermark') }),
  inKind('an annotation hidden', 'maybe', isAnnotation, (value) => value.set('F', 2)),
  inKind('an annotation elsewhere', 'maybe', isAnnotation, (value) => value.set('Rect', [60, 600, 300, 700])),
  inKind('an annotation in another state', 'maybe', hasKey('AS'), (value) => value.set('AS', pdfName('Yes'))),
  inKind('an annotation without an appearance', 'maybe', hasKey('AP'), (value) => value.delete('AP')),
  inKind('an annotation of another kind', 'maybe', isAnnotation, (value) => value.set('FT', pdfName('Sig'))),
  inKind('a value', 'maybe', hasKey('V'), (value) => value.set('V', pdfText('Jan'))),
  listed('annotations in another order', 2, (list) => list.toReversed()),
  listed('an annotation less', 0, (list) => list.slice(1)),
  inKind('an annotation in a layer', 'maybe', isAnnotation, (value, _, draft) =>
    value.set('OC', added(draft, pdfDictionary({ Type: pdfName('OCMD'), P: pdfName('AllOff') }))),
  ),
]
