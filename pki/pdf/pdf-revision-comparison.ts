import { sameBytes } from '../bytes.ts'
import type { Change } from './pdf-change.ts'
import type { PdfObject } from './pdf-object.ts'
import { catalogOf, type Pdf } from './pdf-read.ts'
import type { Referrer } from './pdf-references.ts'
import { isReference, isWholeReal, sameValue, type PdfDictionary, type PdfValue } from './pdf-value.ts'

/**
 * The objects that may refer to a changed one, by number: `once` each, where the change is known to be harmless, or any
 * number of times from a `group` that is harmless itself.
 */
export type AllowedReferrers = 'anywhere' | { once: number[]; group: Iterable<number> }

/** Two states of a file and the differences found so far. */
export type RevisionComparison = {
  before: Pdf
  after: Pdf
  catalogs: [before: PdfDictionary, after: PdfDictionary]
  root: number | undefined
  /** New objects. */
  added: Set<number>
  /** Objects whose value has changed. */
  changed: Map<number, [before: PdfObject, after: PdfObject]>
  removed: Set<number>
  /** Changed objects whose change is harmless if only these refer to them. */
  explained: Map<number, AllowedReferrers>
  /** Fields that were empty and are now signed, and their widgets. */
  signed: Set<number>
  found: Omit<Change, 'allowed'>[]
  explain: (number: number, once: 'anywhere' | number[], group?: Iterable<number>) => void
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
  const root = before.trailer.get('Root')
  return {
    before,
    after,
    catalogs: [catalogOf(before), catalogOf(after)],
    root: isReference(root) ? root.number : undefined,
    added,
    changed,
    removed,
    explained,
    signed: new Set(),
    found,
    explain: (number, once, group = []) => {
      const known = explained.get(number)
      if (once === 'anywhere' || known === 'anywhere') explained.set(number, 'anywhere')
      // An object with two roles is harmless in both.
      else
        explained.set(number, { once: [...(known?.once ?? []), ...once], group: [...(known?.group ?? []), ...group] })
    },
    report: (kind, detail, object) => found.push({ kind, detail, ...(object !== undefined && { object }) }),
  }
}

function isSameObject(a: PdfObject, b: PdfObject) {
  if (!sameValue(a.value, b.value) || (isWholeReal(b, 'value') && !isWholeReal(a, 'value'))) return false
  return a.data === undefined ? b.data === undefined : b.data !== undefined && sameBytes(a.data, b.data)
}

/** Whether anything else refers to an object than its change allows. */
export function isUsedElsewhere(
  before: Pdf,
  number: number,
  referrers: ReadonlySet<Referrer> | undefined,
  allowed: Exclude<AllowedReferrers, 'anywhere'>,
) {
  const group = new Set(allowed.group)
  return [...(referrers ?? ['unknown' as const])].some((referrer) => {
    if (referrer === 'unknown') return true
    if (group.has(referrer)) return false
    return !allowed.once.includes(referrer) || mentions(before.object(referrer)?.value ?? null, number) > 1
  })
}

/** How often a value directly refers to an object. */
export function mentions(value: PdfValue, number: number): number {
  if (isReference(value)) return value.number === number ? 1 : 0
  if (typeof value !== 'object' || value === null) return 0
  const items = Array.isArray(value) ? value : value instanceof Map ? [...value.values()] : []
  return items.reduce((sum: number, item) => sum + mentions(item, number), 0)
}

/** The numbers of all objects that a value directly refers to. */
export function mentioned(value: PdfValue, numbers = new Set<number>()) {
  if (isReference(value)) numbers.add(value.number)
  else if (Array.isArray(value) || value instanceof Map) for (const item of value.values()) mentioned(item, numbers)
  return numbers
}
