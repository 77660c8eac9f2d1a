import { sameBytes } from './pdf-bytes.ts'
import type { Change } from './pdf-changes.ts'
import type { PdfObject } from './pdf-object.ts'
import { dictionaryAt, type Pdf } from './pdf-read.ts'
import type { Referrer } from './pdf-references.ts'
import { isReference, isWholeReal, sameValue, type PdfDictionary, type PdfValue } from './pdf-value.ts'

/**
 * Objects that may refer to a changed one without harm, by their numbers: `once` each, which is where its role lies, or
 * as often as they like among a `group` that is harmless itself.
 */
export type HarmlessPlaces = 'anywhere' | { once: number[]; group: Iterable<number> }

/** What is known of two states of a file while they are compared. */
export type ChangeNotes = {
  before: Pdf
  after: Pdf
  catalogs: [before: PdfDictionary, after: PdfDictionary]
  root: number | undefined
  /** Objects that are there now and were not. */
  fresh: Set<number>
  /** Objects that have another value now. */
  changed: Map<number, [before: PdfObject, after: PdfObject]>
  gone: Set<number>
  /** Changed objects whose change is known, and where it is harmless. */
  explained: Map<number, HarmlessPlaces>
  /** Fields that waited for their signature, and their widgets. */
  signed: Set<number>
  found: Omit<Change, 'allowed'>[]
  explain: (number: number, once: 'anywhere' | number[], group?: Iterable<number>) => void
  add: (kind: Change['kind'], detail: string, object?: number) => void
}

export function notesOf(before: Pdf, after: Pdf, touched: ReadonlySet<number>): ChangeNotes {
  const fresh = new Set<number>()
  const gone = new Set<number>()
  const changed: ChangeNotes['changed'] = new Map()
  for (const number of touched) {
    const [old, now] = [before.object(number), after.object(number)]
    if (old === now || (!old && !now)) continue
    if (!old) fresh.add(number)
    else if (!now) gone.add(number)
    else if (old.generation !== now.generation || !isSameObject(old, now)) changed.set(number, [old, now])
  }
  const explained: ChangeNotes['explained'] = new Map()
  const found: ChangeNotes['found'] = []
  const root = before.trailer.get('Root')
  return {
    before,
    after,
    catalogs: [dictionaryAt(before, before.trailer, 'Root'), dictionaryAt(after, after.trailer, 'Root')],
    root: isReference(root) ? root.number : undefined,
    fresh,
    changed,
    gone,
    explained,
    signed: new Set(),
    found,
    explain: (number, once, group = []) => {
      const known = explained.get(number)
      if (once === 'anywhere' || known === 'anywhere') explained.set(number, 'anywhere')
      // An object in two roles is harmless in both.
      else
        explained.set(number, { once: [...(known?.once ?? []), ...once], group: [...(known?.group ?? []), ...group] })
    },
    add: (kind, detail, object) => found.push({ kind, detail, ...(object !== undefined && { object }) }),
  }
}

function isSameObject(a: PdfObject, b: PdfObject) {
  if (!sameValue(a.value, b.value) || (isWholeReal(b, 'value') && !isWholeReal(a, 'value'))) return false
  return a.data === undefined ? b.data === undefined : b.data !== undefined && sameBytes(a.data, b.data)
}

/** Whether anything refers to an object besides the places where its change is harmless. */
export function isUsedElsewhere(before: Pdf, number: number, referrers: ReadonlySet<Referrer>, places: HarmlessPlaces) {
  if (places === 'anywhere') return false
  const group = new Set(places.group)
  return [...referrers].some((referrer) => {
    if (referrer === 'unclear') return true
    if (group.has(referrer)) return false
    return !places.once.includes(referrer) || mentions(before.object(referrer)?.value ?? null, number) > 1
  })
}

/** How often a value itself refers to an object. */
export function mentions(value: PdfValue, number: number): number {
  if (isReference(value)) return value.number === number ? 1 : 0
  if (typeof value !== 'object' || value === null) return 0
  const items = Array.isArray(value) ? value : value instanceof Map ? [...value.values()] : []
  return items.reduce((sum: number, item) => sum + mentions(item, number), 0)
}

/** The numbers of all objects that a value itself refers to. */
export function mentioned(value: PdfValue, numbers = new Set<number>()) {
  if (isReference(value)) numbers.add(value.number)
  else if (Array.isArray(value) || value instanceof Map) for (const item of value.values()) mentioned(item, numbers)
  return numbers
}
