import { PdfError } from './pdf-parser.ts'
import type { PdfObject } from './pdf-object.ts'
import { arrayAt, dictionaryAt, pagesOf, type Pdf } from './pdf-read.ts'
import { isDictionary, isName, isReference, readPdfText, type PdfDictionary, type PdfValue } from './pdf-value.ts'

/** A terminal field of the form, or a signature widget that the form does not know (ISO 32000-1 §12.7.3). */
export type FormField = {
  /** The full name, its parts joined by full stops. */
  name: string
  dictionary: PdfDictionary
  /** The object that the field is; undefined for one that stands directly in its parent. */
  number: number | undefined
  /** Its widgets, itself among them if it is one. */
  widgets: number[]
  isSignature: boolean
  value: PdfValue | undefined
  inForm: boolean
}

/** A signature dictionary and what holds it; `dictionary` is undefined where the field leads to none. */
export type FoundSignature = {
  fields: FormField[]
  dictionary: PdfDictionary | undefined
  object: PdfObject | undefined
  /** Where its /Contents stand in the file; undefined for one that is packed or has none. */
  contents: { start: number; end: number } | undefined
}

const mostFields = 20_000
const deepest = 32

/** Every terminal field. Throws PdfError for a form that goes round in circles. */
export function fieldsOf(pdf: Pdf): FormField[] {
  const found: FormField[] = []
  const seen = new Set<number>()
  const catalog = dictionaryAt(pdf, pdf.trailer, 'Root')
  const form = pdf.resolve(catalog.get('AcroForm'))
  const visit = (item: PdfValue, parent: Partial<FormField> & { type?: PdfValue }, depth: number, inForm: boolean) => {
    const number = isReference(item) ? item.number : undefined
    if (number !== undefined && seen.has(number)) return
    if (number !== undefined) seen.add(number)
    if (depth > deepest || found.length > mostFields) throw new PdfError('The form is too large', 'too-costly')
    const field = pdf.resolve(item)
    if (!isDictionary(field)) return
    const type = field.get('FT') ?? parent.type ?? null
    const name = [parent.name, readPdfText(pdf.resolve(field.get('T')))].filter(Boolean).join('.')
    const value = field.get('V') ?? parent.value
    const kids = arrayAt(pdf, field, 'Kids')
    const widgets = kids.filter((kid) => isWidget(pdf, kid))
    const inner = kids.filter((kid) => !isWidget(pdf, kid))
    for (const kid of inner) visit(kid, { name, type, ...(value !== undefined && { value }) }, depth + 1, inForm)
    if (inner.length > 0) return
    const numbers = widgets.flatMap((widget) => (isReference(widget) ? [widget.number] : []))
    for (const one of numbers) seen.add(one)
    if (isName(field.get('Subtype'), 'Widget') && number !== undefined) numbers.push(number)
    const isSignature = isName(pdf.resolve(type), 'Sig')
    found.push({ name, dictionary: field, number, widgets: numbers, isSignature, value, inForm })
  }
  if (isDictionary(form)) for (const field of arrayAt(pdf, form, 'Fields')) visit(field, {}, 0, true)
  // Readers show what stands on a page, whether the form knows it or not.
  for (const { page } of pagesOf(pdf))
    for (const item of arrayAt(pdf, page, 'Annots')) {
      const widget = isReference(item) && seen.has(item.number) ? null : pdf.resolve(item)
      if (isDictionary(widget) && isName(pdf.resolve(widget.get('FT')), 'Sig')) visit(item, {}, 0, false)
    }
  return found
}

/** A kid without a name of its own is a place where its parent is shown (§12.7.3.1). */
function isWidget(pdf: Pdf, kid: PdfValue) {
  const value = pdf.resolve(kid)
  return isDictionary(value) && !value.has('T') && isName(value.get('Subtype'), 'Widget')
}

/** The signatures of a file, one for each dictionary: a damaged one is found as well as a good one. */
export function signaturesOf(pdf: Pdf): FoundSignature[] {
  const byPlace = new Map<number | PdfDictionary, FoundSignature>()
  for (const field of fieldsOf(pdf)) {
    if (!field.isSignature || field.value === undefined || field.value === null) continue
    const key = isReference(field.value) ? field.value.number : field.dictionary
    const known = byPlace.get(key)
    if (known) known.fields.push(field)
    else byPlace.set(key, { fields: [field], ...holderOf(pdf, field) })
  }
  return [...byPlace.values()]
}

function holderOf(pdf: Pdf, { value, number }: FormField): Omit<FoundSignature, 'fields'> {
  const direct = isReference(value) ? value.number : number
  const object = direct === undefined ? undefined : pdf.object(direct)
  const dictionary = pdf.resolve(value)
  if (!isDictionary(dictionary)) return { dictionary: undefined, object, contents: undefined }
  return { dictionary, object, contents: object?.contents.get(dictionary) }
}
