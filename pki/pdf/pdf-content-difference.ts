import { sameBytes } from '../bytes.ts'
import { zip } from '../zip.ts'
import { usesDefaults } from './pdf-form-filling.ts'
import { hasArea } from './pdf-geometry.ts'
import type { PdfObject } from './pdf-object.ts'
import { PdfError } from './pdf-parser.ts'
import { arrayAt, catalogOf, inheritedKeys, isWholeRealAt, listPages, type PageLeaf, type Pdf } from './pdf-read.ts'
import { consistsOf, listFields, formOf, numbersOf, setBySigning, type FormField } from './pdf-signature-fields.ts'
import {
  integerAt,
  isDictionary,
  isName,
  isReference,
  isWholeReal,
  isSameValue,
  type PdfDictionary,
  type PdfReference,
  type PdfValue,
} from './pdf-value.ts'

/**
 * Describes how a file differs from the issued one, for experts; undefined if it differs only in its encoding and in signatures. Both are
 * walked at once from their catalogs: each object must have exactly one counterpart, and everything must be equal except for entries that
 * are known not to be shown. Throws PdfError for a damaged file.
 */
export function contentDifference(issued: Pdf, received: Pdf): string | undefined {
  try {
    const walk = createWalk(issued, received)
    const pages = [listPages(issued), listPages(received)] as const
    for (const [file, leaves] of zip([issued, received], pages)) checkTree(file, leaves)
    if (pages[0].length !== pages[1].length) return 'it has another number of pages'
    const catalogs = [catalogOf(issued), catalogOf(received)] as const
    for (const [index, [old, now]] of zip(...pages).entries())
      walk.link(old.reference, now.reference, `page ${index + 1}`, true)
    const signatures = signaturesIn(issued, received)
    comparePages(walk, pages, signatures)
    compareForms(walk, signatures)
    walk.entries(...catalogs, catalogKeys, 'the catalog')
    walk.finish(signatures)
    return undefined
  } catch (error) {
    if (error instanceof Difference) return error.message
    throw error
  }
}

class Difference extends Error {
  override name = 'Difference'
}

function differ(path: string): never {
  throw new Difference(`${path} differs`)
}

/** Keys that describe the encoding of stream data. */
const encodingKeys = new Set(['Length', 'Filter', 'DecodeParms', 'DL', 'Metadata'])
/** Data in another file, which only some readers load. */
const externalDataKeys = ['F', 'FFilter', 'FDecodeParms', 'DP']
const neverShown = new Set(['Metadata'])
/** Entries that are compared separately or never shown. */
const catalogKeys = new Set(['Pages', 'AcroForm', 'Type', 'Version', 'Extensions', 'Metadata', 'DSS', 'Perms'])
const pageKeys = new Set([...inheritedKeys, 'Parent', 'Type', 'Contents', 'Annots', 'Metadata', 'LastModified'])
/** Keys of page tree nodes. Some readers inherit further keys, so no others are allowed; iText adds its name. */
const treeKeys = new Set([...inheritedKeys, 'Type', 'Kids', 'Count', 'Parent', 'ITXT'])
const formKeys = new Set(['Fields', 'SigFlags'])

type Walk = ReturnType<typeof createWalk>

/** Compares values of two files. Pairs of referenced objects are queued and compared once. */
function createWalk(issued: Pdf, received: Pdf) {
  const counterparts = new Map<number, number>()
  const origins = new Map<number, number>()
  const queue: { a: number; b: number; path: string }[] = []

  /** Pairs an object with its only counterpart: two equal layers are distinguished only by their objects. */
  const link = (a: PdfReference, b: PdfReference, path: string, isPage = false) => {
    const [known, origin] = [counterparts.get(a.number), origins.get(b.number)]
    if (known !== undefined || origin !== undefined) return known === b.number ? undefined : differ(path)
    counterparts.set(a.number, b.number)
    origins.set(b.number, a.number)
    if (a.generation !== (issued.object(a.number)?.generation ?? a.generation)) differ(path)
    if (b.generation !== (received.object(b.number)?.generation ?? b.generation)) differ(path)
    if (!isPage) queue.push({ a: a.number, b: b.number, path })
  }
  const compareValues = (a: PdfValue, b: PdfValue, path: string): void => {
    if (isReference(a) && isReference(b)) return link(a, b, path)
    if (Array.isArray(a) && Array.isArray(b)) {
      if (a.length !== b.length) differ(path)
      for (const [index, [old, now]] of zip(a, b).entries()) {
        if (isWholeReal(a, index) !== isWholeReal(b, index)) differ(path)
        compareValues(old, now, path)
      }
    } else if (isDictionary(a) && isDictionary(b)) entries(a, b, neverShown, path)
    else if (!isSameValue(a, b)) differ(path)
  }
  const entries = (a: PdfDictionary, b: PdfDictionary, skipped: ReadonlySet<string>, path: string) => {
    for (const key of new Set([...a.keys(), ...b.keys()])) {
      if (skipped.has(key)) continue
      const [old, now] = [a.get(key), b.get(key)]
      const entryPath = `${path} /${key}`
      // §7.3.9: a null entry is the same as a missing one, and programs omit it.
      if (old === null && now === undefined) continue
      if (old === undefined || now === undefined || isWholeReal(a, key) !== isWholeReal(b, key))
        return differ(entryPath)
      compareValues(old, now, entryPath)
    }
  }
  /** Compares entries as `compareValues` does, but a direct value may have become an indirect object. */
  const resolved = (old: PdfDictionary, now: PdfDictionary, key: string, path: string) => {
    const [a, b] = [old.get(key), now.get(key)]
    if ((a === undefined) !== (b === undefined)) differ(path)
    if (isReference(a) && isReference(b)) return link(a, b, path)
    compareValues(issued.resolve(a), received.resolve(b), path)
    if (isWholeRealAt(issued, old, key) !== isWholeRealAt(received, now, key)) differ(path)
  }
  const compareObjects = (a: PdfObject, b: PdfObject, skipped: ReadonlySet<string>, path: string) => {
    if ((a.data === undefined) !== (b.data === undefined) || isWholeReal(a, 'value') !== isWholeReal(b, 'value'))
      differ(path)
    const [old, now] = [a.value, b.value]
    if (!isDictionary(old) || !isDictionary(now)) return compareValues(old, now, path)
    if (a.data === undefined) return entries(old, now, skipped, path)
    if (externalDataKeys.some((key) => old.has(key) || now.has(key))) differ(`${path}, with external data,`)
    entries(old, now, encodingKeys, path)
    if (isEncodedAlike(old, now) && b.data && sameBytes(a.data, b.data)) return
    const [was, is] = [issued.decode(a), received.decode(b)]
    const haveSameRest = was.rest.length === is.rest.length && was.rest.every((name, index) => name === is.rest[index])
    if (!haveSameRest || !sameBytes(was.data, is.data)) differ(path)
    compareValues(was.parameters, is.parameters, path)
  }
  const finish = (signatures: Signatures) => {
    for (let pair = queue.pop(); pair; pair = queue.pop()) {
      const { a, b, path } = pair
      const [old, now] = [issued.object(a), received.object(b)]
      if (old && now) compareObjects(old, now, signatures.filled.has(b) ? setBySigning : neverShown, path)
      else if (old || now) differ(path)
    }
  }
  return { issued, received, link, values: compareValues, entries, resolved, finish }
}

/**
 * Checks whether two streams are encoded alike: a shortcut for direct filters without parameters; everything else is decoded and compared.
 */
const isEncodedAlike = (a: PdfDictionary, b: PdfDictionary) =>
  isSameValue(a.get('Filter'), b.get('Filter')) &&
  ![a.get('Filter')].flat().some((filter) => isReference(filter)) &&
  !a.has('DecodeParms') &&
  !b.has('DecodeParms')

/** Throws PdfError if readers that use /Kids, /Parent or /Count would see different pages. */
function checkTree(pdf: Pdf, leaves: PageLeaf[]) {
  const isLeaf = new Set(leaves.map(({ reference }) => reference.number))
  const visit = (reference: PdfValue | undefined, parent: PdfReference | undefined): number => {
    const node = pdf.resolve(reference)
    if (!isReference(reference) || !isDictionary(node)) throw new PdfError('The page tree is broken')
    if (!isSameValue(node.get('Parent'), parent)) throw new PdfError('A page has another parent than the tree')
    if (isLeaf.has(reference.number)) return 1
    const count = arrayAt(pdf, node, 'Kids').reduce((sum: number, kid) => sum + visit(kid, reference), 0)
    if (!isName(pdf.resolve(node.get('Type')), 'Pages') || integerAt(node, 'Count') !== count)
      throw new PdfError('The page tree has other pages than it counts')
    for (const key of node.keys()) if (!treeKeys.has(key)) throw new PdfError(`The page tree has a /${key}`)
    return count
  }
  visit(catalogOf(pdf).get('Pages'), undefined)
}

type Signatures = {
  /** The objects of fields that are not compared. */
  ignored: [issued: ReadonlySet<number>, received: ReadonlySet<number>]
  /** The objects of empty signature fields that were signed. */
  filled: ReadonlySet<number>
}

/**
 * Finds the fields that are exempt from the comparison. New signatures are exempt if they are fields of the form, because these are
 * validated. An issued signature may be missing if it showed nothing.
 */
function signaturesIn(issued: Pdf, received: Pdf): Signatures {
  const isSigned = ({ isSignature, isInForm, value }: FormField, pdf: Pdf) =>
    isSignature && isInForm && isDictionary(pdf.resolve(value))
  const old = listFields(issued)
  const empty = new Set(
    old
      .filter((field) => field.isSignature && field.isInForm && (field.value ?? null) === null)
      .map(({ name }) => name),
  )
  const invisible = old.filter(
    (field) => isSigned(field, issued) && !field.widgets.some((widget) => hasArea(issued, widget)),
  )
  const signed = listFields(received).filter((field) => isSigned(field, received))
  const numbers = (fields: FormField[]) => new Set(fields.flatMap(numbersOf))
  const isFilled = ({ name }: FormField) => empty.has(name)
  return {
    ignored: [numbers(invisible), numbers(signed.filter((field) => !isFilled(field)))],
    filled: numbers(signed.filter(isFilled)),
  }
}

function comparePages(walk: Walk, pages: readonly [PageLeaf[], PageLeaf[]], { ignored }: Signatures) {
  const { issued, received } = walk
  for (const [index, [was, is]] of zip(...pages).entries()) {
    const path = `page ${index + 1}`
    for (const key of inheritedKeys) walk.resolved(was.inherited, is.inherited, key, `${path} /${key}`)
    // The tab order, and the page's key in the structure tree.
    const added = ['Tabs', 'StructParents'].filter((key) => !was.page.has(key))
    walk.entries(was.page, is.page, new Set([...pageKeys, ...added]), path)
    walk.values(contentStreams(issued, was.page), contentStreams(received, is.page), `${path} /Contents`)
    walk.values(
      without(ignored[0], arrayAt(issued, was.page, 'Annots')),
      without(ignored[1], arrayAt(received, is.page, 'Annots')),
      `${path} /Annots`,
    )
  }
}

const without = (ignored: ReadonlySet<number>, list: PdfValue[]) =>
  list.filter((item) => !isReference(item) || !ignored.has(item.number))

/**
 * Returns the content streams of a page, which are compared one by one: some readers join them with white space, some without, so the same
 * bytes split at another position may be other operators.
 */
function contentStreams(pdf: Pdf, page: PdfDictionary): PdfReference[] {
  const contents = page.get('Contents')
  const value = pdf.resolve(contents)
  if (value === null && !isReference(contents)) return []
  return (Array.isArray(value) ? value : [contents]).map((part) => {
    if (!isReference(part) || !pdf.object(part.number)?.data) throw new PdfError('A part of /Contents is not a stream')
    return part
  })
}

function compareForms(walk: Walk, { ignored }: Signatures) {
  const { issued, received } = walk
  const forms = [formOf(issued), formOf(received)] as const
  const skipped = new Set(formKeys)
  // Resources of a new signature field, if nothing else uses them.
  if (!usesDefaults(issued)) for (const key of ['DR', 'DA']) if (!forms[0].has(key)) skipped.add(key)
  walk.entries(...forms, skipped, 'the form')
  const comparedFields = (pdf: Pdf, form: PdfDictionary, ignoredNumbers: ReadonlySet<number>) => {
    const visited = new Set<number>()
    return arrayAt(pdf, form, 'Fields').filter((item) => !consistsOf(pdf, item, ignoredNumbers, visited))
  }
  const fields = comparedFields(issued, forms[0], ignored[0])
  walk.values(fields, comparedFields(received, forms[1], ignored[1]), 'the form /Fields')
}
