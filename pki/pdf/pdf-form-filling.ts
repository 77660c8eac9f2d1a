import type { RevisionComparison } from './pdf-revision-comparison.ts'
import { isDictionary, isReference, sameEntry, type PdfValue } from './pdf-value.ts'
import type { Pdf } from './pdf-read.ts'
import { inherited, numbersOf, type FormField } from './pdf-signature-fields.ts'

/** What whoever fills in a form sets: the value, which choice is on, and how it looks within the field's own rectangle (ISO 32000-1 §12.7). */
const setByFilling: ReadonlySet<string> = new Set(['V', 'I', 'RV', 'TI', 'AS', 'AP', 'M'])

const readOnly = 1

/**
 * Explains a field that was filled in, and the look of one that was signed, where that is written into the same objects. Everything else of
 * a field is what its author made, and counts as any change does.
 */
export function filledField(comparison: RevisionComparison, field: FormField): void {
  const { before, changed, signed, explain, report } = comparison
  const numbers = numbersOf(field)
  const parts = partsOf(before, field)
  const isTouched = (number: number) => changed.has(number)
  if (!field.inForm || ![...numbers, ...parts].some(isTouched)) return
  const isFilled = field.isSignature
    ? numbers.some((number) => signed.has(number)) && [...parts].some(isTouched)
    : !isReadOnly(before, field) && numbers.filter(isTouched).every((number) => isFilling(comparison, number))
  if (!isFilled) return
  if (!field.isSignature) for (const number of numbers.filter(isTouched)) explain(number, 'anywhere')
  for (const number of [...parts].filter(isTouched)) explain(number, numbers, parts)
  report('filling', `the field ${field.name} was filled in`, field.number)
}

function isFilling({ changed }: RevisionComparison, number: number) {
  const [old, now] = changed.get(number)?.map(({ value }) => value) ?? []
  if (!isDictionary(old) || !isDictionary(now)) return false
  return [...new Set([...old.keys(), ...now.keys()])].every((key) => setByFilling.has(key) || sameEntry(old, now, key))
}

function isReadOnly(pdf: Pdf, { dictionary }: FormField) {
  const flags = pdf.resolve(inherited(pdf, dictionary, 'Ff')) ?? 0
  return typeof flags !== 'number' || (flags & readOnly) !== 0
}

/** The objects that a field's value and its appearances are written in: dictionaries down to streams. */
function partsOf(pdf: Pdf, field: FormField): ReadonlySet<number> {
  const parts = new Set<number>()
  const collect = (value: PdfValue | undefined, depth: number) => {
    if (isReference(value)) parts.add(value.number)
    const object = isReference(value) ? pdf.object(value.number) : undefined
    const inner = pdf.resolve(value)
    if (depth === 0 || object?.data || !isDictionary(inner)) return
    for (const item of inner.values()) collect(item, depth - 1)
  }
  const widgets = [field.dictionary, ...field.widgets.map((number) => pdf.object(number)?.value)]
  for (const widget of widgets) if (isDictionary(widget)) collect(widget.get('AP'), 2)
  if (!field.isSignature && isReference(field.dictionary.get('V'))) collect(field.dictionary.get('V'), 0)
  return parts
}
