import { sameBytes } from '../bytes.ts'
import type { PdfObject } from './pdf-object.ts'
import { catalogOf, type Pdf } from './pdf-read.ts'
import type { Referrer } from './pdf-references.ts'
import {
  isIntegerWrittenAsReal,
  isDictionary,
  isReference,
  sameEntry,
  isSameValue,
  type PdfDictionary,
  type PdfValue,
} from './pdf-value.ts'

/**
 * The objects that may refer to a changed one, by number: `once` each, where the change is known to be harmless, or any
 * number of times from `groups` that are harmless themselves.
 */
export type AllowedReferrers = 'anywhere' | { once: Set<number>; groups: Set<ReadonlySet<number>> }

export type ChangeKind =
  /** A new signature field, signed or not, with its widget; or an existing field that was signed. */
  | 'signature'
  /** The look of a later signature, where it covers page content: allowed, but the page shows something else. */
  | 'covering'
  /** Certificates, OCSP responses and revocation lists in the document security store (DSS). */
  | 'validation-data'
  /** Titles, dates and extensions, which no page shows. */
  | 'metadata'
  /** Additions to the structure tree, for the new fields. */
  | 'structure'
  /** A form that somebody has filled in; whether that was permitted depends on the signature. */
  | 'filling'
  /** All kinds from here on change what is shown, or may do so. */
  | 'page'
  | 'annotation'
  | 'form'
  | 'catalog'
  | 'trailer'
  | 'object'
  | 'removed'
  /** An object that something referred to before it was added: prepared before signing, shown afterwards. */
  | 'revealed'
  /** Bytes that belong to no object or to two. */
  | 'unaccounted'
  /** Neither a signature nor validation data were added. */
  | 'purposeless'

/** A change by later revisions; `object` is the object's number, `detail` is for logs and experts. */
export type Change = { kind: ChangeKind; isAllowed: boolean; object?: number; detail: string }

/** Two states of a file and the differences found so far. */
export type RevisionComparison = {
  before: Pdf
  after: Pdf
  catalogs: [before: PdfDictionary, after: PdfDictionary]
  /** The catalogs of the older state and of those before it: some programs write each under a new number. */
  roots: number[]
  /** New objects. */
  added: Set<number>
  /** Objects whose value has changed. */
  changed: Map<number, [before: PdfObject, after: PdfObject]>
  removed: Set<number>
  /** Changed objects whose change is harmless if only these refer to them. */
  explained: Map<number, AllowedReferrers>
  /** Fields that were empty and are now signed, and their widgets. */
  signed: Set<number>
  found: Omit<Change, 'isAllowed'>[]
  /** Checks whether two dictionaries or arrays are equal, though they, and down to a depth those in them, may be other objects. */
  isCopy: (before: PdfValue | undefined, after: PdfValue | undefined, depth?: number) => boolean
  /** Explains a changed object that is no stream, and was none. */
  explain: (number: number, once: 'anywhere' | readonly number[], group?: ReadonlySet<number>) => void
  /** Explains a changed stream in a role that was checked. */
  explainStream: RevisionComparison['explain']
  report: (kind: Change['kind'], detail: string, object?: number) => void
}

export function compareRevisions(before: Pdf, after: Pdf, touched: ReadonlySet<number>): RevisionComparison {
  const added = new Set<number>()
  const removed = new Set<number>()
  const changed: RevisionComparison['changed'] = new Map()
  for (const number of touched) {
    const [old, now] = [before.object(number), after.object(number)]
    if (old === now || (!old && !now)) continue
    if (!old) added.add(number)
    else if (!now) removed.add(number)
    else if (old.generation !== now.generation || !isSameObject(old, now)) changed.set(number, [old, now])
  }
  const explained: RevisionComparison['explained'] = new Map()
  const found: RevisionComparison['found'] = []
  const explainStream: RevisionComparison['explain'] = (number, once, group) => {
    const known = explained.get(number)
    if (known === 'anywhere') return
    if (once === 'anywhere') {
      explained.set(number, once)
      return
    }
    // An object with two roles is harmless in both.
    const allowed = known ?? { once: new Set(), groups: new Set() }
    for (const referrer of once) allowed.once.add(referrer)
    if (group) allowed.groups.add(group)
    explained.set(number, allowed)
  }
  const trailers = before.revisions.slice(0, before.revision + 1).map(({ trailer }) => trailer)
  return {
    before,
    after,
    catalogs: [catalogOf(before), catalogOf(after)],
    roots: [...new Set(trailers.flatMap((trailer) => mentioned(trailer.get('Root') ?? null)))],
    added,
    changed,
    removed,
    explained,
    signed: new Set(),
    found,
    isCopy: copyComparer(before, after),
    explain: (number, once, group) => {
      if (!changed.get(number)?.some(({ data }) => data)) explainStream(number, once, group)
    },
    explainStream,
    report: (kind, detail, object) => found.push({ kind, detail, ...(object !== undefined && { object }) }),
  }
}

/**
 * Creates `isCopy`. Only dictionaries and arrays may be copies, down to a depth; whatever else they lead to has to be the very same
 * objects.
 */
function copyComparer(before: Pdf, after: Pdf) {
  const known = new Map<string, boolean>()
  const isCopy: RevisionComparison['isCopy'] = (old, now, depth = 0) => {
    if (!isReference(old) || !isReference(now)) return compared(old, now, depth)
    // Many pages share their resources.
    const pair = `${old.number} ${old.generation} ${now.number} ${now.generation} ${depth}`
    const result = known.get(pair) ?? compared(old, now, depth)
    known.set(pair, result)
    return result
  }
  const compared = (old: PdfValue | undefined, now: PdfValue | undefined, depth: number): boolean => {
    const [was, is] = [containerIn(before, old), containerIn(after, now)]
    if (!was || !is) return false
    if (depth === 0 || !isDictionary(was) || !isDictionary(is)) return isSameValue(was, is)
    return (
      was.size === is.size &&
      [...was].every(([key, item]) => sameEntry(was, is, key) || isCopy(item, is.get(key), depth - 1))
    )
  }
  return isCopy
}

function containerIn(pdf: Pdf, value: PdfValue | undefined) {
  if (isReference(value) && pdf.object(value.number)?.data) return undefined
  const inner = pdf.resolve(value)
  return isDictionary(inner) || Array.isArray(inner) ? inner : undefined
}

const sameData = (a: Uint8Array | undefined, b: Uint8Array | undefined) =>
  a === undefined || b === undefined ? a === b : sameBytes(a, b)

const isSameObject = (a: PdfObject, b: PdfObject) =>
  isSameValue(a.value, b.value) && !isIntegerWrittenAsReal(a, b, 'value') && sameData(a.data, b.data)

/** Checks whether anything refers to an object that its change does not allow to refer to it. */
export function isUsedElsewhere(
  before: Pdf,
  number: number,
  referrers: ReadonlySet<Referrer> | undefined,
  allowed: Exclude<AllowedReferrers, 'anywhere'>,
) {
  const groups = [...allowed.groups]
  return [...(referrers ?? ['unknown' as const])].some((referrer) => {
    if (referrer === 'unknown') return true
    if (groups.some((group) => group.has(referrer))) return false
    if (!allowed.once.has(referrer)) return true
    return mentioned(before.object(referrer)?.value ?? null).filter((each) => each === number).length > 1
  })
}

/** Returns the number of the object in each reference of a value. */
export function mentioned(value: PdfValue, numbers: number[] = []): number[] {
  if (isReference(value)) numbers.push(value.number)
  else if (Array.isArray(value) || value instanceof Map) for (const item of value.values()) mentioned(item, numbers)
  return numbers
}
