import { explainForm } from './pdf-form-changes.ts'
import type { PdfObject } from './pdf-object.ts'
import { PdfParser } from './pdf-parser.ts'
import { catalogOf, isBlank, type Pdf } from './pdf-read.ts'
import { findReferrers, usedAsResources } from './pdf-references.ts'
import {
  compareRevisions,
  isUsedElsewhere,
  mentioned,
  type RevisionComparison,
  type Change,
  type ChangeKind,
} from './pdf-revision-comparison.ts'
import { explainStructure } from './pdf-structure-changes.ts'
import {
  changedKeys,
  isDictionary,
  isName,
  isReference,
  isString,
  nameOf,
  sameEntry,
  type PdfValue,
} from './pdf-value.ts'
import { numbersIn } from './pdf-xref.ts'

const allowedKinds: ReadonlySet<ChangeKind> = new Set(['signature', 'validation-data', 'metadata', 'structure'])

const purposes: ReadonlySet<ChangeKind> = new Set(['signature', 'validation-data', 'filling'])

/**
 * Returns the changes by the revisions after `older` up to `newer` (both counted from 0). An object that no revision touches is unchanged
 * in its bytes; any other is refused unless its change is known to be harmless and nothing else uses it (EN 319 142-1 §5.5; attacks:
 * shadow, evil annotation, incremental saving). Throws PdfError for a damaged file.
 */
export function changesBetween(pdf: Pdf, older: number, newer: number): Change[] {
  if (older >= newer) return []
  const [before, after] = [pdf.at(older), pdf.at(newer)]
  const comparison = compareRevisions(before, after, touchedNumbers(pdf, older, newer))
  const { changed, removed, explained, found, report } = comparison
  explainTrailer(comparison)
  explainCatalog(comparison)
  explainForm(comparison)
  explainStructure(comparison)
  explainMetadata(comparison)
  for (const [number] of changed)
    if (!explained.has(number)) report('object', `object ${number} has another value`, number)
  for (const number of removed) report('removed', `object ${number} was removed`, number)
  reportReferences(comparison)
  for (let revision = older + 1; revision <= newer; revision++) reportUnaccountedBytes(pdf.at(revision), comparison)
  // A signed file may only be updated to add a signature or its validation data, or to fill in its form.
  if (!found.some(({ kind }) => purposes.has(kind)))
    report('purposeless', 'something was appended that is neither a signature nor its validation data')
  return found.map((change) => ({ ...change, isAllowed: allowedKinds.has(change.kind) }))
}

function touchedNumbers(pdf: Pdf, older: number, newer: number) {
  const sections = pdf.revisions.slice(older + 1, newer + 1).flatMap((revision) => revision.sections)
  return new Set(sections.flatMap((section) => [...numbersIn(section)]))
}

/** Trailer entries about their own revision (ISO 32000-1 tables 15 and 17). */
const ofOneRevision = new Set([
  'Size',
  'Prev',
  'XRefStm',
  'Type',
  'W',
  'Index',
  'Length',
  'Filter',
  'DecodeParms',
  'DocChecksum',
])

function explainTrailer({ before, after, report }: RevisionComparison) {
  const [old, now] = [before.trailer, after.trailer]
  for (const key of changedKeys(old, now)) {
    if (ofOneRevision.has(key)) continue
    // The catalogs are compared themselves.
    if (key === 'Root' && isReference(now.get(key))) continue
    if (key === 'Info') report('metadata', 'the document information has changed')
    // The source document that LibreOffice embeds: it may be removed, but not replaced.
    else if (key === 'AdditionalStreams' && leadsToNothing(after, now.get(key))) continue
    else if (key === 'ID' && isIdentifier(now.get('ID'))) report('metadata', 'the identifiers have changed')
    else report('trailer', `the trailer's /${key} has changed`)
  }
}

/**
 * Checks whether a value leads to nothing: PDFBox writes the number of a missing object, which a later revision uses for something else.
 */
const leadsToNothing = (after: Pdf, value: PdfValue | undefined) =>
  value === undefined ||
  (Array.isArray(value) && value.every((item) => !isReference(item) || !after.object(item.number)?.data))

/**
 * Checks whether a value is an identifier of the file (§14.4), which is not shown. The first identifier should be permanent, but programs
 * rewrite it.
 */
const isIdentifier = (value: PdfValue | undefined) =>
  Array.isArray(value) && value.length === 2 && value.every((item) => isString(item))

function explainCatalog(comparison: RevisionComparison) {
  const {
    before,
    after,
    catalogs: [old, now],
    changed,
    explain,
    isCopy,
    report,
  } = comparison
  const [root] = mentioned(before.trailer.get('Root') ?? null)
  // Under another number the old one is of no use any more.
  if (root !== undefined && changed.has(root) && sameEntry(before.trailer, after.trailer, 'Root'))
    explain(root, 'anywhere')
  for (const key of changedKeys(old, now)) {
    if (key === 'AcroForm') continue
    if (key === 'DSS') report('validation-data', 'the validation data have changed')
    else if (key === 'Extensions' || key === 'Metadata') report('metadata', `the catalog's /${key} has changed`)
    else if (key === 'Version' && nameOf(now.get(key)) !== undefined) report('metadata', 'the version has changed')
    else if (key === 'Perms' && !old.has(key) && isOnlyDocMdp(now.get(key)))
      report('signature', 'a signature certifies the document')
    else if (!isCopy(old.get(key), now.get(key))) report('catalog', `the catalog's /${key} has changed`)
  }
}

const isOnlyDocMdp = (value: PdfValue | undefined) => isDictionary(value) && value.size === 1 && value.has('DocMDP')

/** Explains changed objects that are not shown: information, metadata, validation data and cross-reference streams. */
function explainMetadata({
  before,
  after,
  catalogs: [old],
  roots,
  changed,
  explain,
  explainStream,
  report,
}: RevisionComparison) {
  const info = before.trailer.get('Info')
  const states = isReference(info) ? changed.get(info.number) : undefined
  if (isReference(info) && states && isInformation(before, states[0]) && isInformation(after, states[1])) {
    // A cross-reference stream is also the trailer, and the trailers were compared.
    explain(info.number, [...numbersOfXref(before)])
    report('metadata', 'the document information has changed', info.number)
  }
  for (const key of ['Metadata', 'Extensions']) {
    const reference = old.get(key)
    if (!isReference(reference) || !changed.has(reference.number)) continue
    if (changed.get(reference.number)!.every(isMetadata)) explainStream(reference.number, roots)
    else explain(reference.number, roots)
    report('metadata', `the catalog's /${key} has changed`, reference.number)
  }
  const dss = old.get('DSS')
  const store = securityStoreObjects(before)
  for (const number of store) {
    if (!changed.has(number)) continue
    // The catalog refers to the store, or to its parts if it contains the store directly.
    const isOuter = !isReference(dss) || dss.number === number
    const explainPart = changed.get(number)!.every(isEvidence) ? explainStream : explain
    explainPart(number, isOuter ? roots : [], store)
    report('validation-data', 'the validation data have changed', number)
  }
  for (const [number, both] of changed) if (both.every(isXref)) explainStream(number, [])
}

const maxStoreObjects = 2000

/** Returns the numbers of all objects of a file's document security store (EN 319 142-1 §5.4.2). */
export function securityStoreObjects(pdf: Pdf): Set<number> {
  const numbers = new Set<number>()
  const visit = (value: PdfValue | undefined, depth: number) => {
    if (depth > 6 || numbers.size > maxStoreObjects) return
    if (isReference(value)) {
      if (numbers.has(value.number)) return
      numbers.add(value.number)
    }
    const inner = pdf.resolve(value)
    if (Array.isArray(inner)) for (const item of inner) visit(item, depth + 1)
    else if (isDictionary(inner)) for (const item of inner.values()) visit(item, depth + 1)
  }
  visit(catalogOf(pdf).get('DSS'), 0)
  return numbers
}

/** Checks whether an object has only texts and lists of them, also in objects of their own, so that it cannot have another role too. */
function isInformation(pdf: Pdf, { value, data }: PdfObject) {
  if (data || !isDictionary(value)) return false
  // A list that many entries share counts once.
  const texts = new Set([...value].flatMap(([key, item]) => (key === 'Trapped' ? [] : [pdf.resolve(item)])))
  return [...texts].every((text) => (Array.isArray(text) ? text : [text]).every(isString))
}

function numbersOfXref({ revisions, revision, bytes }: Pdf) {
  return revisions
    .slice(0, revision + 1)
    .flatMap(({ sections }) => sections.flatMap(({ offset, hidden }) => [offset, hidden?.start ?? offset]))
    .map((at) => (bytes[at] === 0x78 ? -1 : new PdfParser(bytes, at).integer()))
}

/** Checks whether an object is a stream of metadata, which no reader draws, whatever leads to it. */
const isMetadata = ({ value, data }: PdfObject) =>
  data !== undefined &&
  isDictionary(value) &&
  isName(value.get('Type'), 'Metadata') &&
  isName(value.get('Subtype'), 'XML')
const isEvidence = ({ value, data }: PdfObject) => data !== undefined && isDictionary(value) && !value.has('Subtype')

/**
 * Checks whether an object is a cross-reference stream. Object streams are not accepted: their objects would change without being touched.
 */
const isXref = ({ value }: PdfObject) => isDictionary(value) && isName(value.get('Type'), 'XRef')

/** Reports new objects that something referred to before, and changed objects to which more refers than their change allows. */
function reportReferences(comparison: RevisionComparison) {
  const { before, added, explained, roots, report } = comparison
  const limited = [...explained].flatMap(([number, allowed]) =>
    allowed === 'anywhere' ? [] : [[number, allowed] as const],
  )
  const referrers = findReferrers(before, new Set([...added, ...limited.map(([number]) => number)]))
  const inTrailer = numbersInTrailer(comparison)
  const anywhere = [...explained].flatMap(([number, allowed]) => (allowed === 'anywhere' ? [number] : []))
  for (const number of usedAsResources(before, new Set([...roots, ...anywhere])))
    report('object', `the entries of object ${number} are drawn by their names`, number)
  for (const number of added)
    if (referrers.get(number)?.size !== 0 || inTrailer.has(number))
      report('revealed', `object ${number} was referred to before it was added`, number)
  for (const [number, allowed] of limited)
    if (isUsedElsewhere(before, number, referrers.get(number), allowed))
      report('object', `object ${number} has another value, and is used elsewhere as well`, number)
}

/** Returns the numbers of the objects that the trailer refers to. */
function numbersInTrailer({ before, after }: RevisionComparison) {
  const numbers = new Set<number>()
  for (const [key, value] of before.trailer)
    for (const number of key === 'Info' ? [] : mentioned(value))
      if (key !== 'AdditionalStreams' || after.object(number)?.data) numbers.add(number)
  return numbers
}

/** Reports bytes that do not belong to exactly one known object, so that a reader that rebuilds a broken file finds no others. */
function reportUnaccountedBytes(pdf: Pdf, { report }: RevisionComparison) {
  const { start, end, sections } = pdf.current
  const parts = new Map<number, number>()
  for (const section of sections) {
    parts.set(section.offset, section.end)
    if (section.hidden) parts.set(section.hidden.start, section.hidden.end)
    for (const number of numbersIn(section)) {
      const object = pdf.object(number)
      if (object && object.objectStream === undefined && object.start >= start && !parts.has(object.start))
        parts.set(object.start, object.end)
    }
  }
  let at = start
  for (const [from, to] of [...parts].toSorted(([a], [b]) => a - b)) {
    if (from < at || !isBlank(pdf.bytes, at, from))
      return report('unaccounted', `bytes ${at} to ${from} belong to no object`)
    at = to
  }
  if (at !== end) report('unaccounted', `bytes ${at} to ${end} belong to no object`)
}
