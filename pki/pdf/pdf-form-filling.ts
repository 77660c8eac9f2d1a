import { hasArea } from './pdf-geometry.ts'
import type { PdfObject } from './pdf-object.ts'
import { type Pdf, arrayAt, listPages } from './pdf-read.ts'
import type { RevisionComparison } from './pdf-revision-comparison.ts'
import { numbersOf, type FormField, listFields, formOf } from './pdf-signature-fields.ts'
import {
  changedKeys,
  isDictionary,
  isName,
  isReference,
  isString,
  type PdfValue,
  type PdfDictionary,
} from './pdf-value.ts'

/**
 * Entries that filling in a form sets: the value, the choice that is on, and the look within the field's own rectangle (ISO 32000-1 §12.7).
 */
const setByFilling: ReadonlySet<string> = new Set(['V', 'I', 'RV', 'TI', 'AS', 'AP', 'M'])

const readOnly = 1
const pushButton = 1 << 16

/**
 * Explains fields that were filled in, and the look of one that was signed, where that is written into the same objects. Everything else of
 * a field is what its author made, and counts as any change does.
 */
export function explainFilledFields(comparison: RevisionComparison, fields: readonly FormField[]): void {
  const { before, changed, signed, explain, explainStream, report } = comparison
  if (changed.size === 0) return
  const partsOf = partsOnce(comparison)
  for (const field of fields.filter(({ isInForm, isUnique }) => isInForm && isUnique)) {
    const touched = numbersOf(field).filter((number) => changed.has(number))
    const parts = partsOf(field)
    if (touched.length + parts.length === 0) continue
    const isSigned = field.isSignature && touched.some((number) => signed.has(number)) && parts.length > 0
    if (!isSigned && !(isFillable(before, field) && touched.every((number) => isFilling(comparison, number)))) continue
    if (!isSigned) for (const number of touched) explain(number, 'anywhere')
    for (const { number, holder } of parts) explainStream(number, [holder])
    report('filling', `the field ${field.name} was filled in`, field.number)
  }
}

/** Checks whether a field can be filled in: a text, choice or box that is shown, that does not act, and that its author has not closed. */
function isFillable(pdf: Pdf, { type, flags, widgets }: FormField) {
  // Some readers take those of a widget for its field's.
  const all = [flags, ...widgets.map((number) => flagsOf(pdf, number))]
  const isClosed = all.some((each) => typeof each !== 'number' || (each & (readOnly | pushButton)) !== 0)
  return !isClosed && widgets.length > 0 && (type === 'Tx' || type === 'Ch' || type === 'Btn')
}

function flagsOf(pdf: Pdf, number: number) {
  const widget = pdf.object(number)?.value
  return pdf.resolve((isDictionary(widget) && widget.get('Ff')) || 0)
}

function isFilling({ changed }: RevisionComparison, number: number) {
  const [old, now] = changed.get(number)?.map(({ value }) => value) ?? []
  return isDictionary(old) && isDictionary(now) && changedKeys(old, now).every((key) => setByFilling.has(key))
}

/** Checks whether an object is a form XObject, which readers draw as a field's appearance. */
export const isForm = ({ value, data }: PdfObject) =>
  data !== undefined && isDictionary(value) && isName(value.get('Subtype'), 'Form')

const isText = ({ value, data }: PdfObject) => data === undefined && isString(value)

/** A changed object in which a part of a field is written, and the only one that may refer to it. */
type Part = { number: number; holder: number }

/**
 * Creates a function that returns the changed objects of a field's look and value, each only for the first field that has it: nothing else
 * may have it.
 */
function partsOnce({ before, changed }: RevisionComparison) {
  const visited = new Set<number>()
  return (field: FormField): Part[] => {
    const parts: Part[] = []
    /** Collects the objects of a look: the dictionaries /AP and /N, and streams. */
    const collect = (value: PdfValue | undefined, holder: number, depth: number) => {
      const number = isReference(value) ? value.number : undefined
      if (number !== undefined) {
        if (visited.has(number)) return
        visited.add(number)
        const both = changed.get(number)
        const isLook =
          both?.every(isForm) || (depth > 0 && both?.every(({ value: each, data }) => !data && isDictionary(each)))
        if (isLook) parts.push({ number, holder })
      }
      const inner = before.resolve(value)
      if (depth > 0 && isDictionary(inner) && (number === undefined || !before.object(number)?.data))
        for (const item of inner.values()) collect(item, number ?? holder, depth - 1)
    }
    for (const number of field.widgets) {
      const widget = before.object(number)?.value
      if (isDictionary(widget)) collect(widget.get('AP'), number, 2)
    }
    const value = field.dictionary.get('V')
    if (isReference(value) && field.number !== undefined && changed.get(value.number)?.every(isText))
      parts.push({ number: value.number, holder: field.number })
    return parts
  }
}

/**
 * Checks whether readers draw anything with the form's defaults (/DR, /DA): fields that use them, by default all that can be filled in,
 * annotations without an appearance stream, or all fields if NeedAppearances is set.
 */
export function usesDefaults(pdf: Pdf, usesThem: (field: FormField, pdf: Pdf) => boolean = () => true) {
  if (pdf.resolve(formOf(pdf).get('NeedAppearances')) === true) return true
  const fields = listFields(pdf)
  if (fields.some((field) => !field.isSignature && (!field.isUnique || usesThem(field, pdf)))) return true
  const known = new Set(fields.flatMap(numbersOf))
  return listPages(pdf).some(({ page }) =>
    arrayAt(pdf, page, 'Annots').some((item) => {
      const annotation = pdf.resolve(item)
      if (!isDictionary(annotation) || (isReference(item) && known.has(item.number))) return false
      const kind = pdf.resolve(annotation.get('Subtype'))
      return isName(kind, 'Widget') || (!annotation.has('AP') && !isName(kind, 'Link'))
    }),
  )
}

const widgetsOf = (pdf: Pdf, { widgets }: FormField) =>
  widgets.flatMap((number) => {
    const widget = pdf.object(number)?.value
    return isDictionary(widget) && hasArea(pdf, number) ? [widget] : []
  })

/** Checks whether readers look for a font of a field, because it has no look of its own. */
export const needsFont = (field: FormField, pdf: Pdf) =>
  widgetsOf(pdf, field).some((widget) => !hasLook(pdf, widget, field))

function hasLook(pdf: Pdf, widget: PdfDictionary, { type, flags }: FormField) {
  const looks = pdf.resolve(widget.get('AP'))
  const normal = isDictionary(looks) ? looks.get('N') : undefined
  if (isReference(normal) && pdf.object(normal.number)?.data) return true
  // A look for each state of a box.
  const isBox = type === 'Btn' && typeof flags === 'number' && (flags & pushButton) === 0
  return isBox && isDictionary(pdf.resolve(normal))
}

/**
 * Checks whether readers take the colour and size of a field's text from the form, because the field has none of its own; they do so for a
 * text that has a look too.
 */
export const needsDefaultLook = (field: FormField, pdf: Pdf) =>
  widgetsOf(pdf, field).some((widget) => {
    const own = pdf.resolve(widget.get('DA') ?? field.defaultLook)
    return (field.type !== 'Btn' || hasCaption(pdf, widget)) && !(isString(own) && own.bytes.length > 0)
  })

function hasCaption(pdf: Pdf, widget: PdfDictionary) {
  const characteristics = pdf.resolve(widget.get('MK'))
  return isDictionary(characteristics) && ['CA', 'RC', 'AC'].some((key) => characteristics.has(key))
}
