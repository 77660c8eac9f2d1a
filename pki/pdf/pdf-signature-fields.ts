import { zip } from '../zip.ts'
import type { PdfObject } from './pdf-object.ts'
import { PdfError } from './pdf-parser.ts'
import { arrayAt, catalogOf, listPages, type Pdf } from './pdf-read.ts'
import {
  isDictionary,
  isName,
  isReference,
  nameOf,
  pdfDictionary,
  readPdfText,
  isSameValue,
  type PdfDictionary,
  type PdfReference,
  type PdfValue,
} from './pdf-value.ts'

/** A terminal field of the form, or a signature widget that the form does not know (ISO 32000-1 §12.7.3). */
export type FormField = {
  /** The full name, its parts joined by full stops. */
  name: string
  dictionary: PdfDictionary
  /** The number of its object; undefined for a direct one. */
  number: number | undefined
  /** Object numbers of the field's widgets, the field itself included if it is one. */
  widgets: number[]
  isSignature: boolean
  /** /FT, /Ff and /DA, its own or those of the nearest field above. */
  type: string | undefined
  flags: PdfValue
  defaultLook: PdfValue | undefined
  value: PdfValue | undefined
  isInForm: boolean
  /** Whether only one place in the form has it and its widgets, to which /Parent leads as well: readers go either way. */
  isUnique: boolean
}

/** A signature dictionary and its fields; `dictionary` is undefined if the field leads to none. */
export type FoundSignature = {
  fields: FormField[]
  dictionary: PdfDictionary | undefined
  object: PdfObject | undefined
  /** The position of its /Contents in the file; undefined if missing or in an object stream. */
  contents: { start: number; end: number } | undefined
}

const maxFields = 20_000
const deepest = 32
/** Limits for a file: visited fields, kids and annotations, and the characters of field names. */
const maxItems = 500_000
const maxLetters = 4_000_000

/** Values that a field inherits from those above. */
type Inherited = {
  name?: string
  type?: PdfValue
  flags?: PdfValue
  defaultLook?: PdfValue
  value?: PdfValue
  reference?: PdfReference
  /** The objects above; undefined if /Parent leads elsewhere. */
  line: readonly number[] | undefined
}

/** Returns the interactive form; empty if the file has none. */
export function formOf(pdf: Pdf): PdfDictionary {
  const form = pdf.resolve(catalogOf(pdf).get('AcroForm'))
  return isDictionary(form) ? form : pdfDictionary({})
}

/** Returns every terminal field. Throws PdfError for a form that is too large. */
export function listFields(pdf: Pdf): FormField[] {
  const found: FormField[] = []
  const lines: (readonly number[] | undefined)[] = []
  const seen = new Set<number>()
  const listedBy = new Map<number, PdfDictionary>()
  const shared = new Set<number>()
  const list = (items: readonly PdfValue[], by: PdfDictionary) => {
    for (const item of items) {
      if (!isReference(item)) continue
      if ((listedBy.get(item.number) ?? by) === by) listedBy.set(item.number, by)
      else shared.add(item.number)
    }
  }
  const form = formOf(pdf)
  const limits = { items: maxItems, letters: maxLetters }
  const spend = (kind: keyof typeof limits, count: number) => {
    limits[kind] -= count
    if (limits[kind] < 0) throw new PdfError('The form is too large', 'too-costly')
  }
  const visit = (item: PdfValue, parent: Inherited, depth: number, isInForm: boolean) => {
    const number = isReference(item) ? item.number : undefined
    if (number !== undefined && seen.has(number)) return
    if (number !== undefined) seen.add(number)
    if (depth > deepest || found.length > maxFields) throw new PdfError('The form is too large', 'too-costly')
    const field = pdf.resolve(item)
    if (!isDictionary(field)) return
    const type = field.get('FT') ?? parent.type ?? null
    const flags = field.get('Ff') ?? parent.flags ?? 0
    const defaultLook = field.get('DA') ?? parent.defaultLook
    const ownName = readPdfText(pdf.resolve(field.get('T')))
    spend('letters', (parent.name?.length ?? 0) + (ownName?.length ?? 0))
    const name = [parent.name, ownName].filter(Boolean).join('.')
    const value = field.get('V') ?? parent.value
    const kids = arrayAt(pdf, field, 'Kids')
    spend('items', kids.length)
    list(kids, field)
    const widgets = kids.filter((kid) => isWidget(pdf, kid))
    const inner = kids.filter((kid) => !isWidget(pdf, kid))
    const isBelow = number !== undefined && isSameValue(field.get('Parent'), parent.reference)
    const line = isBelow ? parent.line?.concat(number) : undefined
    const passed = {
      name,
      type,
      flags,
      ...(defaultLook !== undefined && { defaultLook }),
      ...(value !== undefined && { value }),
      ...(isReference(item) && { reference: item }),
    }
    for (const kid of inner) visit(kid, { ...passed, line }, depth + 1, isInForm)
    if (inner.length > 0) return
    const numbers = widgets.flatMap((widget) => (isReference(widget) ? [widget.number] : []))
    for (const widget of numbers) seen.add(widget)
    if (isName(field.get('Subtype'), 'Widget') && number !== undefined) numbers.push(number)
    const kind = nameOf(pdf.resolve(type))
    const common = { name, dictionary: field, number, widgets: numbers, defaultLook, value, isInForm }
    found.push({ ...common, isSignature: kind === 'Sig', type: kind, flags: pdf.resolve(flags), isUnique: false })
    const areOwn = widgets.every((widget) => isSameValue(parentOf(pdf, widget), item))
    lines.push(areOwn ? line?.concat(numbers) : undefined)
  }
  const fields = arrayAt(pdf, form, 'Fields')
  list(fields, form)
  for (const field of fields) visit(field, { line: [] }, 0, true)
  // Readers show every annotation of a page, also fields that the form does not list.
  for (const { page } of listPages(pdf)) {
    const annotations = arrayAt(pdf, page, 'Annots')
    spend('items', annotations.length)
    for (const item of annotations) {
      const widget = isReference(item) && seen.has(item.number) ? null : pdf.resolve(item)
      if (isDictionary(widget) && isName(pdf.resolve(widget.get('FT')), 'Sig'))
        visit(item, { line: undefined }, 0, false)
    }
  }
  for (const [field, line] of zip(found, lines)) field.isUnique = line?.every((number) => !shared.has(number)) ?? false
  return found
}

/** Returns the given name with the first number that makes it new to the form. Fields without a value and parents have names too. */
export function newFieldName(pdf: Pdf, name: string): string {
  const taken = new Set(listFields(pdf).map((field) => field.name.split('.')[0]))
  let number = 1
  while (taken.has(`${name} ${number}`)) number += 1
  return `${name} ${number}`
}

/** The entries that signing an empty field changes. */
export const setBySigning: ReadonlySet<string> = new Set(['V', 'AP', 'M', 'MK', 'DA', 'F', 'P', 'Lock'])

/** Returns the object numbers of a field and its widgets. */
export const numbersOf = ({ number, widgets }: FormField) => (number === undefined ? widgets : [number, ...widgets])

/**
 * Checks whether an object has only the entries of a signature field: an action would run, stream data could also be used as page content,
 * and another type of field would show its value.
 */
export function isSignatureNode(pdf: Pdf, item: PdfValue): item is PdfReference {
  const object = isReference(item) ? pdf.object(item.number) : undefined
  if (!isReference(item) || object?.generation !== item.generation || object.data) return false
  const node = object.value
  if (!isDictionary(node) || node.has('A') || node.has('AA')) return false
  const [type, kind] = [node.get('FT'), node.get('Subtype')]
  return (
    (type === undefined || isName(pdf.resolve(type), 'Sig')) &&
    (kind === undefined || isName(pdf.resolve(kind), 'Widget'))
  )
}

/**
 * Checks whether an item of the form's list is, or consists of, signature fields of the given numbers, none of them visited before. Readers
 * inherit from /Parent, so it must match /Kids.
 */
export function consistsOf(
  pdf: Pdf,
  item: PdfValue,
  numbers: ReadonlySet<number>,
  visited: Set<number>,
  parent?: PdfReference,
): boolean {
  if (!isSignatureNode(pdf, item) || visited.has(item.number)) return false
  visited.add(item.number)
  const node = pdf.resolve(item)
  if (!isDictionary(node) || !isSameValue(node.get('Parent'), parent)) return false
  const kids = arrayAt(pdf, node, 'Kids')
  if (kids.length === 0) return numbers.has(item.number)
  return kids.every((kid) => consistsOf(pdf, kid, numbers, visited, item))
}

/** Checks whether a field has a document timestamp, which must not show anything. */
export function isTimestampField(pdf: Pdf, { value }: FormField) {
  const dictionary = pdf.resolve(value)
  return isDictionary(dictionary) && isName(pdf.resolve(dictionary.get('SubFilter')), 'ETSI.RFC3161')
}

function parentOf(pdf: Pdf, widget: PdfValue) {
  const value = pdf.resolve(widget)
  return isDictionary(value) ? value.get('Parent') : undefined
}

/** Checks whether a kid is a widget of its parent: it has no partial field name (§12.7.3.1). */
function isWidget(pdf: Pdf, kid: PdfValue) {
  const value = pdf.resolve(kid)
  return isDictionary(value) && !value.has('T') && isName(value.get('Subtype'), 'Widget')
}

/** Returns the signatures of a file, one for each dictionary, damaged ones included. */
export function findSignatures(pdf: Pdf): FoundSignature[] {
  const byDictionary = new Map<number | PdfDictionary, FoundSignature>()
  for (const field of listFields(pdf)) {
    if (!field.isSignature || field.value === undefined || field.value === null) continue
    const key = isReference(field.value) ? field.value.number : field.dictionary
    const known = byDictionary.get(key)
    if (known) known.fields.push(field)
    else byDictionary.set(key, { fields: [field], ...holderOf(pdf, field) })
  }
  return [...byDictionary.values()]
}

function holderOf(pdf: Pdf, { value, number }: FormField): Omit<FoundSignature, 'fields'> {
  const direct = isReference(value) ? value.number : number
  const object = direct === undefined ? undefined : pdf.object(direct)
  const dictionary = pdf.resolve(value)
  if (!isDictionary(dictionary)) return { dictionary: undefined, object, contents: undefined }
  return { dictionary, object, contents: object?.contents.get(dictionary) }
}
