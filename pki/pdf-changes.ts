import { isUsedElsewhere, mentioned, notesOf, type ChangeNotes } from './pdf-change-notes.ts'
import { formChanges } from './pdf-form-changes.ts'
import type { PdfObject } from './pdf-object.ts'
import { PdfParser } from './pdf-parser.ts'
import { isBlank, type Pdf } from './pdf-read.ts'
import { referrersOf } from './pdf-references.ts'
import { storeObjects, structureChanges } from './pdf-side-changes.ts'
import { isDictionary, isName, isReference, isString, nameOf, sameEntry, type PdfValue } from './pdf-value.ts'
import { numbersIn } from './pdf-xref.ts'

export type ChangeKind =
  /** A signature field, filled or not, with its widget; or a field that waited for its signature and got it. */
  | 'signature'
  /** Certificates, answers and lists for later validation (DSS). */
  | 'validation-data'
  /** Titles, dates and extensions, which nothing on a page shows. */
  | 'metadata'
  /** Additions to the structure tree, for the new fields. */
  | 'structure'
  /** Everything from here on changes what is seen, or may change it. */
  | 'page'
  | 'annotation'
  | 'form'
  | 'catalog'
  | 'trailer'
  | 'object'
  | 'removed'
  /** An object that something referred to before it was there: prepared beforehand, shown afterwards. */
  | 'revealed'
  /** Bytes that belong to no object, or to two. */
  | 'unaccounted'
  /** Neither a signature nor validation data were added. */
  | 'purposeless'

/** One thing that later revisions have changed; `object` is its number, `detail` is for logs and experts. */
export type Change = { kind: ChangeKind; allowed: boolean; object?: number; detail: string }

const allowedKinds: ReadonlySet<ChangeKind> = new Set(['signature', 'validation-data', 'metadata', 'structure'])

/**
 * What the revisions behind `older` have changed, up to `newer` (both counted from 0). An object that no revision
 * touches is the same in its bytes; of the others everything is refused that is not known to be harmless, and to be
 * used in no other place than the harmless one (EN 319 142-1 §5.5; attacks: shadow, evil annotation, incremental
 * saving). Throws PdfError for a file that is damaged.
 */
export function changesBetween(pdf: Pdf, older: number, newer: number): Change[] {
  if (older >= newer) return []
  const [before, after] = [pdf.at(older), pdf.at(newer)]
  const notes = notesOf(before, after, touchedNumbers(pdf, older, newer))
  trailerChanges(notes)
  catalogChanges(notes)
  formChanges(notes)
  structureChanges(notes)
  sideObjects(notes)
  for (const [number] of notes.changed)
    if (!notes.explained.has(number)) notes.add('object', `object ${number} has another value`, number)
  for (const number of notes.gone) notes.add('removed', `object ${number} was removed`, number)
  references(notes)
  for (let revision = older + 1; revision <= newer; revision++) unaccounted(pdf.at(revision), notes)
  // Signing and its proofs are the only reasons to go on with a signed file.
  if (!notes.found.some(({ kind }) => kind === 'signature' || kind === 'validation-data'))
    notes.add('purposeless', 'something was appended that is neither a signature nor its proof')
  return notes.found.map((one) => ({ ...one, allowed: allowedKinds.has(one.kind) }))
}

function touchedNumbers(pdf: Pdf, older: number, newer: number) {
  const sections = pdf.revisions.slice(older + 1, newer + 1).flatMap((one) => one.sections)
  return new Set(sections.flatMap((one) => [...numbersIn(one)]))
}

/** What a trailer says of its own revision alone (ISO 32000-1 tables 15 and 17). */
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

function trailerChanges(notes: ChangeNotes) {
  const [old, now] = [notes.before.trailer, notes.after.trailer]
  for (const key of new Set([...old.keys(), ...now.keys()])) {
    if (ofOneRevision.has(key) || sameEntry(old, now, key)) continue
    if (key === 'Info') notes.add('metadata', 'the document information is another')
    // LibreOffice's own document, which rides in the PDF: it may go, but must not become another one.
    else if (key === 'AdditionalStreams' && leadsToNothing(notes, now.get(key))) continue
    else if (key === 'ID' && isIdentifier(now.get('ID'))) notes.add('metadata', 'the identifiers are others')
    else notes.add('trailer', `the trailer's /${key} is another`)
  }
}

/** PDFBox writes the number of an object that is not there, and that later becomes something else than a document. */
const leadsToNothing = ({ after }: ChangeNotes, value: PdfValue | undefined) =>
  value === undefined ||
  (Array.isArray(value) && value.every((item) => !isReference(item) || !after.object(item.number)?.data))

/** §14.4: the first one should stay for the life of a file. Programs write it anew, and it is nothing that is shown. */
const isIdentifier = (value: PdfValue | undefined) =>
  Array.isArray(value) && value.length === 2 && value.every((item) => isString(item))

function catalogChanges({ catalogs: [old, now], root, changed, explain, add }: ChangeNotes) {
  if (root !== undefined && changed.has(root)) explain(root, 'anywhere')
  for (const key of new Set([...old.keys(), ...now.keys()])) {
    if (key === 'AcroForm' || sameEntry(old, now, key)) continue
    if (key === 'DSS') add('validation-data', 'the validation data are others')
    else if (key === 'Extensions' || key === 'Metadata') add('metadata', `the catalog's /${key} is another`)
    else if (key === 'StructTreeRoot' && !old.has(key)) add('structure', 'there is a structure tree')
    else if (key === 'Version' && nameOf(now.get(key)) !== undefined) add('metadata', 'the version is another')
    else if (key === 'Perms' && !old.has(key) && isOnlyDocMdp(now.get(key)))
      add('signature', 'a signature certifies the document')
    else add('catalog', `the catalog's /${key} is another`)
  }
}

const isOnlyDocMdp = (value: PdfValue | undefined) => isDictionary(value) && value.size === 1 && value.has('DocMDP')

/** Objects that changed and that nothing shows: information, metadata, validation data, and the file's own structure. */
function sideObjects({ before, catalogs: [old], root, changed, explain, add }: ChangeNotes) {
  const info = before.trailer.get('Info')
  const states = isReference(info) ? changed.get(info.number) : undefined
  if (isReference(info) && states?.every(isInformation)) {
    // A cross-reference stream is the trailer too, and the trailers were compared.
    explain(info.number, [...numbersOfXref(before)])
    add('metadata', 'the document information is another', info.number)
  }
  for (const key of ['Metadata', 'Extensions']) {
    const side = old.get(key)
    if (!isReference(side) || !changed.has(side.number)) continue
    explain(side.number, root === undefined ? [] : [root])
    add('metadata', `the catalog's /${key} is another`, side.number)
  }
  const held = old.get('DSS')
  const store = storeObjects(before)
  for (const number of store) {
    if (!changed.has(number)) continue
    // The catalog leads to the store, or to its parts where the store stands in the catalog itself.
    const isOuter = !isReference(held) || held.number === number
    explain(number, isOuter && root !== undefined ? [root] : [], store)
    add('validation-data', 'the validation data are others', number)
  }
  for (const [number, both] of changed) if (both.every(isXref)) explain(number, [])
}

/** Texts and nothing else, so that it can be nothing else as well. */
const isInformation = ({ value, data }: PdfObject) =>
  !data && isDictionary(value) && [...value].every(([key, item]) => isString(item) || key === 'Trapped')

function numbersOfXref({ revisions, revision, bytes }: Pdf) {
  return revisions
    .slice(0, revision + 1)
    .flatMap(({ sections }) => sections.flatMap(({ offset, hidden }) => [offset, hidden?.start ?? offset]))
    .map((at) => (bytes[at] === 0x78 ? -1 : new PdfParser(bytes, at).integer()))
}

/** An object stream is not: what is packed in it would change without being touched. */
const isXref = ({ value }: PdfObject) => isDictionary(value) && isName(value.get('Type'), 'XRef')

/** New objects must have been led to by nothing, changed ones by nothing but where their change is harmless. */
function references(notes: ChangeNotes) {
  const { before, fresh, explained } = notes
  const limited = [...explained].flatMap(([number, places]) => (places === 'anywhere' ? [] : [number]))
  const referrers = referrersOf(before, new Set([...fresh, ...limited]))
  const awaited = awaitedNumbers(notes)
  for (const number of fresh)
    if (referrers.get(number)!.size > 0 || awaited.has(number))
      notes.add('revealed', `object ${number} was referred to before it was there`, number)
  for (const number of limited) {
    if (isUsedElsewhere(before, number, referrers.get(number)!, explained.get(number)!))
      notes.add('object', `object ${number} has another value, and is used elsewhere as well`, number)
  }
}

/** What the trailer refers to. */
function awaitedNumbers({ before, after }: ChangeNotes) {
  const numbers = new Set<number>()
  for (const [key, value] of before.trailer)
    for (const number of key === 'Info' ? [] : mentioned(value))
      if (key !== 'AdditionalStreams' || after.object(number)?.data) numbers.add(number)
  return numbers
}

/** Whatever a reader that rebuilds a broken file would find there, the strict reader has to have found as well. */
function unaccounted(pdf: Pdf, { add }: ChangeNotes) {
  const { start, end, sections } = pdf.revisions[pdf.revision]!
  const parts = new Map<number, number>()
  for (const section of sections) {
    parts.set(section.offset, section.end)
    if (section.hidden) parts.set(section.hidden.start, section.hidden.end)
    for (const number of numbersIn(section)) {
      const object = pdf.object(number)
      if (object && object.packedIn === undefined && object.start >= start && !parts.has(object.start))
        parts.set(object.start, object.end)
    }
  }
  let at = start
  for (const [from, to] of [...parts].toSorted(([a], [b]) => a - b)) {
    if (from < at || !isBlank(pdf.bytes, at, from))
      return add('unaccounted', `bytes ${at} to ${from} belong to no object`)
    at = to
  }
  if (at !== end) add('unaccounted', `bytes ${at} to ${end} belong to no object`)
}
