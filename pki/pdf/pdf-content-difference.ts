import { sameBytes } from './pdf-bytes.ts'
import { PdfError } from './pdf-parser.ts'
import type { PdfObject } from './pdf-object.ts'
import { arrayAt, dictionaryAt, inheritedKeys, isWholeRealAt, pagesOf, type PageLeaf, type Pdf } from './pdf-read.ts'
import { consistsOf, fieldsOf, numbersOf, setBySigning, usesDefaults, type FormField } from './pdf-signature-fields.ts'
import { areaOf } from './pdf-widget-size.ts'
import {
  integerAt,
  isDictionary,
  isName,
  isReference,
  isWholeReal,
  pdfDictionary,
  sameValue,
  type PdfDictionary,
  type PdfReference,
  type PdfValue,
} from './pdf-value.ts'

/**
 * In what a file differs from the one that was issued, in words for experts; undefined if only in how it is put into
 * bytes, and in signatures. Both are walked at once from their catalogs: each object has to have its one counterpart,
 * and everything that is not known to show nothing has to be equal. Throws PdfError for a file that is damaged.
 */
export function contentDifference(issued: Pdf, received: Pdf): string | undefined {
  try {
    const walk = walkOf(issued, received)
    const pages = [pagesOf(issued), pagesOf(received)] as const
    for (const [index, file] of [issued, received].entries()) checkTree(file, pages[index]!)
    if (pages[0].length !== pages[1].length) return 'it has another number of pages'
    const catalogs = [catalogOf(issued), catalogOf(received)] as const
    for (const [index, { reference }] of pages[0].entries())
      walk.link(reference, pages[1][index]!.reference, `page ${index + 1}`, true)
    const signatures = signaturesIn(issued, received)
    comparePages(walk, pages, signatures)
    compareForms(walk, catalogs, signatures)
    walk.entries(...catalogs, ofTheCatalog, 'the catalog')
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
  throw new Difference(`${path} is another`)
}

const catalogOf = (pdf: Pdf) => dictionaryAt(pdf, pdf.trailer, 'Root')

/** How data are packed. */
const ofTheFile = new Set(['Length', 'Filter', 'DecodeParms', 'DL', 'Metadata'])
/** Readers differ in whether they take data from another file, and in how these would be packed. */
const ofOtherFiles = ['F', 'FFilter', 'FDecodeParms', 'DP']
const shownNowhere = new Set(['Metadata'])
/** What is compared in another way, or shown nowhere. */
const ofTheCatalog = new Set(['Pages', 'AcroForm', 'Type', 'Version', 'Extensions', 'Metadata', 'DSS', 'Perms'])
const ofThePage = new Set([...inheritedKeys, 'Parent', 'Type', 'Contents', 'Annots', 'Metadata', 'LastModified'])
/** Some readers inherit other keys too; iText signs the tree with its name. */
const ofTheTree = new Set([...inheritedKeys, 'Type', 'Kids', 'Count', 'Parent', 'ITXT'])
const ofTheForm = new Set(['Fields', 'SigFlags'])

type Walk = ReturnType<typeof walkOf>

/** Compares values of two files. References that lead to each other are looked into later, and then once. */
function walkOf(issued: Pdf, received: Pdf) {
  const counterparts = new Map<number, number>()
  const origins = new Map<number, number>()
  const waiting: { a: number; b: number; path: string }[] = []

  /** Each object has one counterpart: which of two equal layers is meant is seen by the object alone. */
  const link = (a: PdfReference, b: PdfReference, path: string, isPage = false) => {
    const [known, origin] = [counterparts.get(a.number), origins.get(b.number)]
    if (known !== undefined || origin !== undefined) return known === b.number ? undefined : differ(path)
    counterparts.set(a.number, b.number)
    origins.set(b.number, a.number)
    if (a.generation !== (issued.object(a.number)?.generation ?? a.generation)) differ(path)
    if (b.generation !== (received.object(b.number)?.generation ?? b.generation)) differ(path)
    if (!isPage) waiting.push({ a: a.number, b: b.number, path })
  }
  const values = (a: PdfValue, b: PdfValue, path: string): void => {
    if (isReference(a) && isReference(b)) return link(a, b, path)
    if (Array.isArray(a) && Array.isArray(b)) {
      if (a.length !== b.length) differ(path)
      for (const [index, item] of a.entries()) {
        if (isWholeReal(a, index) !== isWholeReal(b, index)) differ(path)
        values(item, b[index]!, path)
      }
    } else if (isDictionary(a) && isDictionary(b)) entries(a, b, shownNowhere, path)
    else if (!sameValue(a, b)) differ(path)
  }
  const entries = (a: PdfDictionary, b: PdfDictionary, skipped: ReadonlySet<string>, path: string) => {
    for (const key of new Set([...a.keys(), ...b.keys()])) {
      if (skipped.has(key)) continue
      const [old, now] = [a.get(key), b.get(key)]
      const place = `${path} /${key}`
      // §7.3.9: an entry that is null is none, and programs leave it away.
      if (old === null && now === undefined) continue
      if (old === undefined || now === undefined || isWholeReal(a, key) !== isWholeReal(b, key)) return differ(place)
      values(old, now, place)
    }
  }
  /** As `values`, where programs put what was direct into an object of its own. */
  const loosely = (old: PdfDictionary, now: PdfDictionary, key: string, path: string) => {
    const [a, b] = [old.get(key), now.get(key)]
    if ((a === undefined) !== (b === undefined)) differ(path)
    if (isReference(a) && isReference(b)) return link(a, b, path)
    values(issued.resolve(a), received.resolve(b), path)
    if (isWholeRealAt(issued, old, key) !== isWholeRealAt(received, now, key)) differ(path)
  }
  const objects = (a: PdfObject, b: PdfObject, skipped: ReadonlySet<string>, path: string) => {
    if ((a.data === undefined) !== (b.data === undefined) || isWholeReal(a, 'value') !== isWholeReal(b, 'value'))
      differ(path)
    const [old, now] = [a.value, b.value]
    if (!isDictionary(old) || !isDictionary(now)) return values(old, now, path)
    if (a.data === undefined) return entries(old, now, skipped, path)
    if (ofOtherFiles.some((key) => old.has(key) || now.has(key))) differ(`${path}, with data of another file,`)
    entries(old, now, ofTheFile, path)
    if (isPackedAlike(old, now) && sameBytes(a.data, b.data!)) return
    const [was, is] = [issued.decode(a), received.decode(b)]
    const isLeftAlike = was.rest.length === is.rest.length && was.rest.every((name, index) => name === is.rest[index])
    if (!isLeftAlike || !sameBytes(was.data, is.data)) differ(path)
    values(was.parameters, is.parameters, path)
  }
  const finish = (signatures: Signatures) => {
    for (let pair = waiting.pop(); pair; pair = waiting.pop()) {
      const { a, b, path } = pair
      const [old, now] = [issued.object(a), received.object(b)]
      if (old && now) objects(old, now, signatures.filled.has(b) ? setBySigning : shownNowhere, path)
      else if (old || now) differ(path)
    }
  }
  return { issued, received, link, values, entries, loosely, finish }
}

/** Only what is plain to see: a reference may lead to other filters, and parameters are compared one by one. */
const isPackedAlike = (a: PdfDictionary, b: PdfDictionary) =>
  sameValue(a.get('Filter'), b.get('Filter')) &&
  ![a.get('Filter')].flat().some((one) => isReference(one)) &&
  !a.has('DecodeParms') &&
  !b.has('DecodeParms')

/** Throws PdfError where readers that go down the tree by /Kids, up by /Parent or along by /Count would see other pages. */
function checkTree(pdf: Pdf, leaves: PageLeaf[]) {
  const isLeaf = new Set(leaves.map(({ reference }) => reference.number))
  const visit = (reference: PdfValue | undefined, parent: PdfReference | undefined): number => {
    const node = pdf.resolve(reference)
    if (!isReference(reference) || !isDictionary(node)) throw new PdfError('The page tree is broken')
    if (!sameValue(node.get('Parent'), parent)) throw new PdfError('A page has another parent than the tree')
    if (isLeaf.has(reference.number)) return 1
    const count = arrayAt(pdf, node, 'Kids').reduce((sum: number, kid) => sum + visit(kid, reference), 0)
    if (!isName(pdf.resolve(node.get('Type')), 'Pages') || integerAt(node, 'Count') !== count)
      throw new PdfError('The page tree has other pages than it counts')
    for (const key of node.keys()) if (!ofTheTree.has(key)) throw new PdfError(`The page tree itself has a /${key}`)
    return count
  }
  visit(catalogOf(pdf).get('Pages'), undefined)
}

type Signatures = {
  /** The objects of fields that are left out of the comparison. */
  left: [issued: ReadonlySet<number>, received: ReadonlySet<number>]
  /** The objects of fields that waited for a signature, and got it. */
  filled: ReadonlySet<number>
}

/**
 * Signatures that the issued file has not are left out of it: those that the form knows, and which are judged
 * therefore. One of the issued file may have gone, if it showed nothing.
 */
function signaturesIn(issued: Pdf, received: Pdf): Signatures {
  const isSigned = ({ isSignature, inForm, value }: FormField, pdf: Pdf) =>
    isSignature && inForm && isDictionary(pdf.resolve(value))
  const old = fieldsOf(issued)
  const waiting = new Set(
    old.filter((field) => field.isSignature && field.inForm && (field.value ?? null) === null).map(({ name }) => name),
  )
  const gone = old.filter(
    (field) => isSigned(field, issued) && field.widgets.every((widget) => areaOf(issued, widget) === 0),
  )
  const signed = fieldsOf(received).filter((field) => isSigned(field, received))
  const numbers = (fields: FormField[]) => new Set(fields.flatMap(numbersOf))
  const isFilled = ({ name }: FormField) => waiting.has(name)
  return {
    left: [numbers(gone), numbers(signed.filter((field) => !isFilled(field)))],
    filled: numbers(signed.filter(isFilled)),
  }
}

function comparePages(walk: Walk, [old, now]: readonly [PageLeaf[], PageLeaf[]], { left }: Signatures) {
  const { issued, received } = walk
  for (const [index, was] of old.entries()) {
    const is = now[index]!
    const path = `page ${index + 1}`
    for (const key of inheritedKeys) walk.loosely(was.inherited, is.inherited, key, `${path} /${key}`)
    // The order of the tab key, and the number under which the structure tree knows the page.
    const added = ['Tabs', 'StructParents'].filter((key) => !was.page.has(key))
    walk.entries(was.page, is.page, new Set([...ofThePage, ...added]), path)
    walk.values(partsOf(issued, was.page), partsOf(received, is.page), `${path} /Contents`)
    walk.values(
      unsigned(arrayAt(issued, was.page, 'Annots'), left[0]),
      unsigned(arrayAt(received, is.page, 'Annots'), left[1]),
      `${path} /Annots`,
    )
  }
}

const unsigned = (list: PdfValue[], left: ReadonlySet<number>) =>
  list.filter((item) => !isReference(item) || !left.has(item.number))

/**
 * The parts of a page's content, each of which has to be what it was: some readers join them with white space, some
 * without, so that the same bytes cut in another place may be other words.
 */
function partsOf(pdf: Pdf, page: PdfDictionary): PdfReference[] {
  const contents = page.get('Contents')
  const held = pdf.resolve(contents)
  if (held === null && !isReference(contents)) return []
  return (Array.isArray(held) ? held : [contents]).map((part) => {
    if (!isReference(part) || !pdf.object(part.number)?.data) throw new PdfError('A part of a page is no stream')
    return part
  })
}

function compareForms(walk: Walk, catalogs: readonly [PdfDictionary, PdfDictionary], { left }: Signatures) {
  const { issued, received } = walk
  const forms = [formOf(issued, catalogs[0]), formOf(received, catalogs[1])] as const
  const skipped = new Set(ofTheForm)
  // With what a new field is written, where nothing else is written with it.
  if (!usesDefaults(issued)) for (const key of ['DR', 'DA']) if (!forms[0].has(key)) skipped.add(key)
  walk.entries(...forms, skipped, 'the form')
  const fields = [issued, received].map((pdf, index) => {
    const met = new Set<number>()
    return arrayAt(pdf, forms[index]!, 'Fields').filter((item) => !consistsOf(pdf, item, left[index]!, met))
  })
  walk.values(fields[0]!, fields[1]!, 'the form /Fields')
}

function formOf(pdf: Pdf, catalog: PdfDictionary) {
  const form = pdf.resolve(catalog.get('AcroForm'))
  if (form !== null && !isDictionary(form)) throw new PdfError('The form is none')
  return form ?? pdfDictionary({})
}
