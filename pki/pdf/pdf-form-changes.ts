import { explainFilledFields, isForm, needsDefaultLook, needsFont, usesDefaults } from './pdf-form-filling.ts'
import { hasArea } from './pdf-geometry.ts'
import { arrayAt, inheritedKeys, listPages, type Pdf } from './pdf-read.ts'
import type { RevisionComparison } from './pdf-revision-comparison.ts'
import {
  consistsOf,
  listFields,
  formOf,
  isSignatureNode,
  isTimestampField,
  numbersOf,
  setBySigning,
  type FormField,
} from './pdf-signature-fields.ts'
import { parentKeys } from './pdf-structure-changes.ts'
import {
  changedKeys,
  isDictionary,
  isName,
  isReference,
  pdfDictionary,
  sameEntry,
  isSameValue,
  type PdfDictionary,
  type PdfValue,
} from './pdf-value.ts'

/** Explains the changes that signing makes to the form and to the pages, and reports any other. */
export function explainForm(comparison: RevisionComparison) {
  const { before, after, catalogs, changed, explain, roots } = comparison
  const reference = catalogs[0].get('AcroForm')
  if (isReference(reference) && changed.has(reference.number)) explain(reference.number, roots)
  const fields = listFields(before)
  let later: Map<number | undefined, FormField> | undefined
  const laterOf = (number: number | undefined) =>
    (later ??= new Map(listFields(after).map((field) => [field.number, field]))).get(number)
  for (const field of fields) explainSignedField(comparison, field, laterOf)
  explainFilledFields(comparison, fields)
  const forms = [formOf(before), formOf(after)] as const
  explainFormEntries(comparison, forms, isReference(reference) ? [reference.number] : roots)
  explainPages(comparison)
}

const isOff = (value: PdfValue) => value === null || value === false

function explainFormEntries(
  comparison: RevisionComparison,
  [old, now]: readonly [PdfDictionary, PdfDictionary],
  formNumbers: number[],
) {
  const { before, after, changed, explain, report } = comparison
  for (const key of changedKeys(old, now)) {
    if (key === 'Fields' || key === 'SigFlags') continue
    // False is the default (ISO 32000-1 table 218).
    if (key === 'NeedAppearances' && isOff(before.resolve(old.get(key))) && isOff(after.resolve(now.get(key)))) continue
    if (key === 'DR' && areExtendedResources(comparison, old.get(key), now.get(key))) continue
    if (key === 'DA' && !old.has(key) && !usesDefaults(before, needsDefaultLook)) continue
    report('form', `the form's /${key} has changed`)
  }
  const fields = old.get('Fields')
  if (isReference(fields) && changed.has(fields.number)) explain(fields.number, formNumbers)
  explainAdditions(comparison, arrayAt(before, old, 'Fields'), arrayAt(after, now, 'Fields'), 'form')
  explainResources(comparison, old.get('DR'), formNumbers)
}

/**
 * Checks whether a form's resources are the same except for XObjects, which nothing draws by their names there (signing programs of the
 * iText family put the frame of each signature under one name), for fonts under new names where no field needs one, and for anything under
 * new names where there is no field to fill in.
 */
function areExtendedResources(comparison: RevisionComparison, old: PdfValue | undefined, now: PdfValue | undefined) {
  const { before, after } = comparison
  const [was, is] = [withoutXObjects(before, old), withoutXObjects(after, now)]
  if (isSameValue(was, is)) return true
  const haveNewFonts = [...is.keys()].every((key) => key === 'Font' || sameEntry(was, is, key))
  return isSuperset(comparison, was, is, 2) && !usesDefaults(before, haveNewFonts ? needsFont : undefined)
}

function withoutXObjects(pdf: Pdf, resources: PdfValue | undefined) {
  const dictionary = pdf.resolve(resources)
  return isDictionary(dictionary) ? new Map([...dictionary].filter(([key]) => key !== 'XObject')) : pdfDictionary({})
}

/** Explains the changed objects of which the form's resources consist, each by the one that lists it. */
function explainResources(
  comparison: RevisionComparison,
  resources: PdfValue | undefined,
  formNumbers: readonly number[],
) {
  const { before, after, changed, explain, explainStream } = comparison
  const dictionary = before.resolve(resources)
  if (!isDictionary(dictionary)) return
  const own = isReference(resources) ? [resources.number] : [...formNumbers]
  if (isReference(resources) && areExtendedResources(comparison, resources, resources))
    explain(resources.number, [...formNumbers])
  const fonts = dictionary.get('Font')
  if (
    isReference(fonts) &&
    isSuperset(comparison, before.resolve(fonts), after.resolve(fonts), 1) &&
    !usesDefaults(before, needsFont)
  )
    explain(fonts.number, own)
  const xObjects = dictionary.get('XObject')
  if (isReference(xObjects)) explain(xObjects.number, own)
  const named = before.resolve(xObjects)
  for (const item of isDictionary(named) ? named.values() : [])
    if (isReference(item) && changed.get(item.number)?.every(isForm))
      explainStream(item.number, isReference(xObjects) ? [xObjects.number] : own)
}

/** Checks whether every old entry exists, unchanged or (down to a depth) as a superset. */
function isSuperset(
  comparison: RevisionComparison,
  old: PdfValue | undefined,
  now: PdfValue | undefined,
  depth: number,
): boolean {
  const { before, after } = comparison
  if (old === undefined || isSameValue(old, now)) return true
  const [was, is] = [before.resolve(old), after.resolve(now)]
  if (depth === 0 || !isDictionary(was) || !isDictionary(is)) return false
  return [...was].every(([key, value]) => isSuperset(comparison, value, is.get(key), depth - 1))
}

const valueOnly: ReadonlySet<string> = new Set(['V'])

/** Checks whether a field with a place on a page has a document timestamp. */
const isShownTimestamp = (pdf: Pdf, field: FormField) =>
  isTimestampField(pdf, field) && field.widgets.some((widget) => hasArea(pdf, widget))

function explainSignedField(
  { changed, explain, report, after, signed }: RevisionComparison,
  field: FormField,
  laterOf: (number: number | undefined) => FormField | undefined,
) {
  const touched = numbersOf(field).filter((number) => changed.has(number))
  const { isSignature, value, isInForm, isUnique } = field
  if (touched.length === 0 || !isSignature || (value ?? null) !== null || !isInForm || !isUnique) return
  const filled = laterOf(field.number)
  if (!filled || !isDictionary(after.resolve(filled.value))) return
  // A timestamp says nothing that could be shown, so the field keeps its look.
  const settable = isShownTimestamp(after, filled) ? valueOnly : setBySigning
  for (const number of new Set(touched)) {
    const [old, current] = changed.get(number)?.map((object) => object.value) ?? []
    if (!isDictionary(old) || !isDictionary(current)) continue
    const keys = changedKeys(old, current)
    if (keys.some((key) => !settable.has(key))) continue
    explain(number, 'anywhere')
    signed.add(number)
    if (keys.includes('V')) report('signature', `the field ${field.name} was signed`, number)
  }
}

/**
 * Returns the objects of the form's fields with a new signature, which covers everything they show and is validated like any other.
 * Document timestamps with a place on a page are left out, because a timestamp shows nothing.
 */
function newlySigned({ after, added }: RevisionComparison) {
  const numbers = new Set<number>()
  for (const field of listFields(after)) {
    const { isInForm, isSignature, value, number } = field
    const isNew = isReference(value) ? added.has(value.number) : number !== undefined && added.has(number)
    if (!isInForm || !isSignature || !isNew || !isDictionary(after.resolve(value))) continue
    if (isShownTimestamp(after, field)) continue
    for (const object of numbersOf(field)) numbers.add(object)
  }
  return numbers
}

/** Allows the old items in their order, and new signature fields in new objects. */
function explainAdditions(
  comparison: RevisionComparison,
  old: PdfValue[],
  now: PdfValue[],
  kind: 'form' | 'annotation',
  page?: number,
) {
  const { after, added, signed, report } = comparison
  let kept = 0
  // Computed only if something was added.
  let signedNumbers: Set<number> | undefined
  const visited = new Set<number>()
  const isSigned = (item: PdfValue) => {
    signedNumbers ??= newlySigned(comparison)
    return kind === 'form' ? consistsOf(after, item, signedNumbers, visited) : isWidgetOf(after, item, signedNumbers)
  }
  for (const item of now) {
    if (kept < old.length && isSameValue(old[kept], item)) kept++
    else if (isReference(item) && (added.has(item.number) || signed.has(item.number)) && isSigned(item)) {
      if (kind === 'form') report('signature', 'a signature field was added', item.number)
    } else
      report(kind, 'something other than a signature was added', page ?? (isReference(item) ? item.number : undefined))
  }
  if (kept < old.length) report(kind, 'something was removed or reordered', page)
}

/**
 * Checks whether an annotation is a widget of one of these fields: the appearance of an unsigned field, or of any other annotation, could
 * cover the page without a signature.
 */
function isWidgetOf(pdf: Pdf, item: PdfValue, fields: ReadonlySet<number>) {
  if (!isSignatureNode(pdf, item) || !fields.has(item.number)) return false
  const widget = pdf.resolve(item)
  return isDictionary(widget) && isName(pdf.resolve(widget.get('Subtype')), 'Widget')
}

/** Finds the page with an entry, or the node above it, which some readers find by /Parent (ISO 32000-1 §7.7.3.4). */
function holderOf(pdf: Pdf, page: PdfDictionary, key: string) {
  let node: PdfValue = page
  for (let depth = 0; isDictionary(node) && depth < 50; depth++) {
    if (node.has(key)) return node
    node = pdf.resolve(node.get('Parent'))
  }
  return page
}

/** Allows only widgets of new signature fields to be added to pages. */
function explainPages(comparison: RevisionComparison) {
  const { before, after, catalogs, changed, explain, isCopy, report } = comparison
  let taken: ReturnType<typeof parentKeys> | undefined
  let later: Map<number, PdfDictionary> | undefined
  const laterOf = (number: number) =>
    (later ??= new Map(listPages(after).map((leaf) => [leaf.reference.number, leaf.inherited]))).get(number)
  for (const { reference, page, inherited: entries } of listPages(before)) {
    const { number } = reference
    const list = page.get('Annots')
    const isListed = isReference(list) && changed.has(list.number)
    if (!changed.has(number) && !isListed) continue
    if (isListed) explain(list.number, [number])
    const now = after.resolve(reference)
    if (!isDictionary(now)) {
      report('page', 'a page is no longer a dictionary', number)
      continue
    }
    if (changed.has(number)) explain(number, 'anywhere')
    for (const key of changedKeys(page, now)) {
      if (key === 'Annots') continue
      // The same by itself or from above, and for resources, listed in other objects.
      const isSame = (old: PdfDictionary, is: PdfDictionary | undefined) =>
        is !== undefined && (sameEntry(old, is, key) || isCopy(old.get(key), is.get(key), 1))
      if (
        inheritedKeys.includes(key) &&
        isSame(entries, laterOf(number)) &&
        isSame(holderOf(before, page, key), holderOf(after, now, key))
      )
        continue
      // The tab order, and a key in the structure tree, which must not be that of other content.
      if (key === 'Tabs' && !page.has(key)) continue
      if (key === 'StructParents' && !page.has(key) && !(taken ??= parentKeys(before, catalogs[0])).has(now.get(key)))
        continue
      report('page', `a page's /${key} has changed`, number)
    }
    explainAdditions(comparison, arrayAt(before, page, 'Annots'), arrayAt(after, now, 'Annots'), 'annotation', number)
  }
}
