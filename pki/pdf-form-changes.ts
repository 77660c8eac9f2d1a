import type { ChangeNotes } from './pdf-change-notes.ts'
import { arrayAt, pagesOf, type Pdf } from './pdf-read.ts'
import {
  consistsOf,
  fieldsOf,
  isSignatureNode,
  isTimestampField,
  numbersOf,
  setBySigning,
  usesDefaults,
  type FormField,
} from './pdf-signature-fields.ts'
import { areaOf } from './pdf-widget-size.ts'
import {
  isDictionary,
  isName,
  isReference,
  pdfDictionary,
  sameEntry,
  sameValue,
  type PdfDictionary,
  type PdfValue,
} from './pdf-value.ts'

/** Explains what signing does to the form and to the pages; everything else there stays unexplained or is noted. */
export function formChanges(notes: ChangeNotes) {
  const { before, after, catalogs, changed } = notes
  const forms = catalogs.map((catalog, index) => {
    const form = (index === 0 ? before : after).resolve(catalog.get('AcroForm'))
    return isDictionary(form) ? form : pdfDictionary({})
  }) as [PdfDictionary, PdfDictionary]
  const held = catalogs[0].get('AcroForm')
  const root = notes.root === undefined ? [] : [notes.root]
  const formNumbers = isReference(held) ? [held.number] : root
  if (isReference(held) && changed.has(held.number)) notes.explain(held.number, root)
  const old = fieldsOf(before)
  for (const field of old) signedField(notes, field)
  formKeys(notes, forms, formNumbers)
  pageChanges(notes)
}

function formKeys(notes: ChangeNotes, [old, now]: [PdfDictionary, PdfDictionary], formNumbers: number[]) {
  const { before, after, changed, explain, add } = notes
  for (const key of new Set([...old.keys(), ...now.keys()])) {
    if (key === 'Fields' || key === 'SigFlags' || sameEntry(old, now, key)) continue
    // Fonts that the new field is written with; what was there under a name stays, and nothing waited for others.
    if (key === 'DR' && isSuperset(before, after, old.get(key), now.get(key), 2) && !usesDefaults(before)) continue
    if (key === 'DA' && !old.has(key) && !usesDefaults(before)) continue
    add('form', `the form's /${key} is another`)
  }
  const fields = old.get('Fields')
  if (isReference(fields) && changed.has(fields.number)) explain(fields.number, formNumbers)
  additions(notes, arrayAt(before, old, 'Fields'), arrayAt(after, now, 'Fields'), 'form')
  const resources = old.get('DR')
  const fonts = isDictionary(before.resolve(resources))
    ? (before.resolve(resources) as PdfDictionary).get('Font')
    : undefined
  for (const held of [resources, fonts])
    if (
      isReference(held) &&
      changed.has(held.number) &&
      isSuperset(before, after, held, held, 1) &&
      !usesDefaults(before)
    )
      explain(held.number, [...formNumbers, ...(isReference(resources) ? [resources.number] : [])])
}

/** Every entry of old is there, the same or (down to a depth) a superset. */
function isSuperset(
  before: Pdf,
  after: Pdf,
  old: PdfValue | undefined,
  now: PdfValue | undefined,
  depth: number,
): boolean {
  if (old === undefined) return true
  const [was, is] = [before.resolve(old), after.resolve(now)]
  if (sameValue(was, is)) return true
  if (depth === 0 || !isDictionary(was) || !isDictionary(is)) return false
  return [...was].every(([key, value]) => isSuperset(before, after, value, is.get(key), depth - 1))
}

function signedField({ changed, explain, add, after, signed }: ChangeNotes, field: FormField) {
  const touched = [...field.widgets, ...(field.number === undefined ? [] : [field.number])].filter((one) =>
    changed.has(one),
  )
  if (touched.length === 0) return
  const waited = field.isSignature && (field.value === undefined || field.value === null)
  const now = field.number === undefined ? undefined : after.object(field.number)?.value
  const isSigned = isDictionary(now) && isDictionary(after.resolve(inherited(after, now, 'V')))
  for (const number of new Set(touched)) {
    const [was, is] = changed.get(number)!
    const [old, current] = [was.value, is.value]
    if (!isDictionary(old) || !isDictionary(current)) continue
    const others = [...new Set([...old.keys(), ...current.keys()])].filter((key) => !sameEntry(old, current, key))
    if (!waited || !isSigned || !field.inForm || others.some((key) => !setBySigning.has(key))) continue
    explain(number, 'anywhere')
    signed.add(number)
    if (others.includes('V')) add('signature', `the field ${field.name} was signed`, number)
  }
}

/**
 * The objects of fields that the form knows and that carry a signature which was not there before: whatever they show,
 * a signature answers for it, and is judged like any other. A document timestamp shows nothing.
 */
function newlySigned({ after, fresh }: ChangeNotes) {
  const numbers = new Set<number>()
  for (const field of fieldsOf(after)) {
    const { inForm, isSignature, value, number, widgets } = field
    const isNew = isReference(value) ? fresh.has(value.number) : number !== undefined && fresh.has(number)
    if (!inForm || !isSignature || !isNew || !isDictionary(after.resolve(value))) continue
    if (isTimestampField(after, field) && widgets.some((widget) => areaOf(after, widget) > 0)) continue
    for (const one of numbersOf(field)) numbers.add(one)
  }
  return numbers
}

/** Old items in their order, and new ones that are signature fields of new objects. */
function additions(notes: ChangeNotes, old: PdfValue[], now: PdfValue[], kind: 'form' | 'annotation', page?: number) {
  const { after, fresh, signed, add } = notes
  let kept = 0
  // Only asked for where something was added.
  let answered: Set<number> | undefined
  const met = new Set<number>()
  const isAnswered = (item: PdfValue) => {
    answered ??= newlySigned(notes)
    return kind === 'form' ? consistsOf(after, item, answered, met) : isWidgetOf(after, item, answered)
  }
  for (const item of now) {
    if (kept < old.length && sameValue(old[kept], item)) kept++
    else if (isReference(item) && (fresh.has(item.number) || signed.has(item.number)) && isAnswered(item)) {
      if (kind === 'form') add('signature', 'there is a new signature field', item.number)
    } else add(kind, 'something was added that is no signature', page ?? (isReference(item) ? item.number : undefined))
  }
  if (kept < old.length) add(kind, 'something was taken away, or stands in another order', page)
}

/** The look of a field that is not signed would be a picture over the page, and so would that of any other annotation. */
function isWidgetOf(pdf: Pdf, item: PdfValue, fields: ReadonlySet<number>) {
  if (!isSignatureNode(pdf, item) || !fields.has(item.number)) return false
  const widget = pdf.resolve(item)
  return isDictionary(widget) && isName(pdf.resolve(widget.get('Subtype')), 'Widget')
}

/** What a field says itself, or the field that it is a part of (ISO 32000-1 §12.7.3.1). */
function inherited(pdf: Pdf, field: PdfDictionary, key: string) {
  const parent = pdf.resolve(field.get('Parent'))
  return field.get(key) ?? (isDictionary(parent) ? parent.get(key) : undefined)
}

/** Pages get the widgets of new signature fields, and nothing else. */
function pageChanges(notes: ChangeNotes) {
  const { before, after, changed, explain, add } = notes
  for (const { reference, page } of pagesOf(before)) {
    const { number } = reference
    const list = page.get('Annots')
    const listed = isReference(list) && changed.has(list.number)
    if (!changed.has(number) && !listed) continue
    if (listed) explain(list.number, [number])
    const now = after.resolve(reference)
    if (!isDictionary(now)) {
      add('page', 'a page is none any more', number)
      continue
    }
    if (changed.has(number)) explain(number, 'anywhere')
    for (const key of new Set([...page.keys(), ...now.keys()])) {
      if (key === 'Annots' || sameEntry(page, now, key)) continue
      // The order of the tab key, and the number under which the structure tree knows the page.
      if ((key === 'Tabs' || key === 'StructParents') && !page.has(key)) continue
      add('page', `a page's /${key} is another`, number)
    }
    additions(notes, arrayAt(before, page, 'Annots'), arrayAt(after, now, 'Annots'), 'annotation', number)
  }
}
