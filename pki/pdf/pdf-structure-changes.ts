import type { Pdf } from './pdf-read.ts'
import type { RevisionComparison } from './pdf-revision-comparison.ts'
import { listFields, isTimestampField, numbersOf } from './pdf-signature-fields.ts'
import {
  changedKeys,
  isDictionary,
  isName,
  isReference,
  nameOf,
  pdfReference,
  isSameValue,
  type PdfDictionary,
  type PdfReference,
  type PdfValue,
} from './pdf-value.ts'

/**
 * Explains what a new signature adds to the structure tree (ISO 32000-1 §14.7): an element for its widget, and its key in the parent
 * tree. Anything else could be read aloud in place of what is signed.
 */
export function explainStructure(comparison: RevisionComparison) {
  const { before, after, catalogs, changed, explain, report } = comparison
  const reference = catalogs[0].get('StructTreeRoot')
  const [tree, grown] = [before.resolve(reference), after.resolve(catalogs[1].get('StructTreeRoot'))]
  if (!isReference(reference) || changed.size === 0 || !isDictionary(tree) || !isDictionary(grown)) return
  const isNew = newElements(comparison)
  const keepsAll = listComparer(comparison)
  const parents = parentTree(before, tree)
  const isGrown = isSameOrLonger(comparison, parents, parentTree(after, grown), keepsAll, isNew)
  let elements: ReadonlySet<number> | undefined
  const isElement = (number: number, value: PdfDictionary) => {
    const type = value.get('Type')
    if (type !== undefined || nameOf(value.get('S')) === undefined) return isName(type, 'StructElem')
    return (elements ??= elementsBelow(before, tree)).has(number)
  }
  for (const [number, [was, is]] of changed) {
    const [old, now] = [was.value, is.value]
    const isRoot = number === reference.number
    const isNode = isDictionary(old) && isDictionary(now) && (isRoot || isElement(number, old))
    const isKnown = isNode
      ? isExtendedNode(comparison, old, now, (children, more) => keepsAll(children, more, isNew), isRoot && isGrown)
      : isGrown && parents.numbers.has(number)
    if (!isKnown) continue
    const isTop = isSameValue(tree.get('ParentTree'), pdfReference(number))
    if (isNode) explain(number, 'anywhere')
    else explain(number, isTop ? [reference.number] : [], parents.numbers)
    report('structure', 'the structure tree was extended', number)
  }
}

/** Returns the objects that are elements by their place, because /Type is optional (ISO 32000-2 table 355). */
function elementsBelow(pdf: Pdf, tree: PdfDictionary): ReadonlySet<number> {
  const numbers = new Set<number>()
  const waiting = [tree.get('K')]
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (isReference(value)) {
      if (numbers.has(value.number)) continue
      numbers.add(value.number)
    }
    const node = pdf.resolve(value)
    if (Array.isArray(node)) for (const item of node) waiting.push(item)
    else if (isDictionary(node) && node.has('K')) waiting.push(node.get('K'))
  }
  return numbers
}

/** The parent tree, which leads from pages to elements (§14.7.4.4): its entries and its objects. */
type ParentTree = {
  numbers: Set<number>
  entries: Map<number, PdfValue>
  /** Whether every reader finds the same entries. */
  isPlain: boolean
}

/** Returns the keys that lead a file's pages and widgets to their elements. */
export function parentKeys(pdf: Pdf, catalog: PdfDictionary): ReadonlySet<PdfValue | undefined> {
  const tree = pdf.resolve(catalog.get('StructTreeRoot'))
  return new Set(isDictionary(tree) ? parentTree(pdf, tree).entries.keys() : [])
}

function parentTree(pdf: Pdf, tree: PdfDictionary): ParentTree {
  const found: ParentTree = { numbers: new Set(), entries: new Map(), isPlain: true }
  const { numbers, entries } = found
  const lists = new Set<PdfValue>()
  const visit = (value: PdfValue | undefined, depth: number) => {
    if (isReference(value)) {
      if (numbers.has(value.number)) return
      numbers.add(value.number)
    }
    const node = pdf.resolve(value)
    if (depth > 8) found.isPlain = false
    if (!isDictionary(node) || depth > 8) return
    const [nums, kids] = [node.get('Nums'), node.get('Kids')].map((entry) => {
      const list = pdf.resolve(entry)
      // A list that several nodes share counts once.
      if (lists.has(list)) return null
      lists.add(list)
      return list
    })
    if (Array.isArray(nums))
      for (let i = 0; i < nums.length; i += 2) {
        const [key, item] = nums.slice(i, i + 2)
        if (typeof key !== 'number' || item === undefined || entries.has(key)) found.isPlain = false
        else entries.set(key, item)
        if (isReference(item) && Array.isArray(pdf.resolve(item))) numbers.add(item.number)
      }
    if (Array.isArray(kids)) for (const kid of kids) visit(kid, depth + 1)
  }
  visit(tree.get('ParentTree'), 0)
  return found
}

/** Checks whether each key keeps its elements, and a new one leads to a new element only. */
function isSameOrLonger(
  { before, changed }: RevisionComparison,
  old: ParentTree,
  now: ParentTree,
  keepsAll: KeepsAll,
  isNew: IsNew,
) {
  const isChangedList = (value: PdfValue) =>
    isReference(value) && changed.has(value.number) && Array.isArray(before.resolve(value))
  const isKept = ([key, value]: [number, PdfValue]) => {
    const item = now.entries.get(key)
    if (item === undefined) return false
    return (isSameValue(value, item) && !isChangedList(value)) || keepsAll(value, item, () => false)
  }
  const isAddition = ([key, item]: [number, PdfValue]) => old.entries.has(key) || isNew(item)
  return old.isPlain && now.isPlain && [...old.entries].every(isKept) && [...now.entries].every(isAddition)
}

/** Checks whether a node is equal except for more children; the root may also have a longer parent tree. */
function isExtendedNode(
  { before, after, isCopy }: RevisionComparison,
  old: PdfDictionary,
  now: PdfDictionary,
  isLonger: (old: PdfValue, now: PdfValue) => boolean,
  isGrownRoot: boolean,
) {
  return changedKeys(old, now).every((key) => {
    const [was, is] = [before.resolve(old.get(key)), after.resolve(now.get(key))]
    // One piece of content alone is left so: a number would mean something else where a filter or a group has it too.
    if (key === 'K')
      return typeof was !== 'number' && typeof was !== 'boolean' && isLonger(old.get(key) ?? [], now.get(key) ?? null)
    if (!isGrownRoot) return false
    if (key === 'ParentTree') return true
    if (key === 'ParentTreeNextKey')
      return was === null || (typeof was === 'number' && typeof is === 'number' && is >= was)
    return key === 'RoleMap' && isCopy(old.get(key), now.get(key))
  })
}

type IsNew = (item: PdfValue) => boolean
type KeepsAll = (old: PdfValue, now: PdfValue, isNew: IsNew) => boolean

/**
 * Compares lists of elements, in which new items may come between the old ones; a single one counts as a list of one (§14.7.2, table
 * 323). Each list has one holder and is compared once, because comparing a shared list for each of many would be expensive.
 */
function listComparer({ before, after }: RevisionComparison): KeepsAll {
  const used = [new Set<number>(), new Set<number>()] as const
  const listOf = (pdf: Pdf, value: PdfValue, known: Set<number>) => {
    if (isReference(value) && known.has(value.number)) return undefined
    if (isReference(value)) known.add(value.number)
    const list = pdf.resolve(value)
    return Array.isArray(list) ? list : [value]
  }
  return (old, now, isNew) => {
    const [items, more] = [listOf(before, old, used[0]), listOf(after, now, used[1])]
    if (!items || !more) return false
    let kept = 0
    for (const item of more)
      if (kept < items.length && isSameValue(items[kept], item)) kept++
      else if (!isNew(item)) return false
    return kept === items.length
  }
}

/** Entries of an element that place it in the tree. */
const placing: ReadonlySet<string> = new Set(['Type', 'S', 'P', 'Pg', 'K', 'NS'])
/** Entries that say what a signature is, in words of its signer, as its look does. */
const telling: ReadonlySet<string> = new Set(['Alt', 'T', 'Lang'])
const placingObject: ReadonlySet<string> = new Set(['Type', 'Pg', 'Obj'])

/**
 * Creates a function that checks whether a new object is an element with nothing but widgets of new signatures. An element of a document
 * timestamp, which nobody signs, must have no texts.
 */
function newElements({ after, added }: RevisionComparison): IsNew {
  let widgets: Map<number, boolean> | undefined
  const mayTell = (content: PdfValue) => {
    const object = dictionaryIn(content)
    const target = object?.get('Obj')
    if (!object || !isName(object.get('Type'), 'OBJR') || !isReference(target)) return undefined
    if ([...object.keys()].some((key) => !placingObject.has(key))) return undefined
    return (widgets ??= newWidgets()).get(target.number)
  }
  const newWidgets = () =>
    new Map(
      listFields(after).flatMap((field) => {
        const isSigned = field.isInForm && field.isSignature && isDictionary(after.resolve(field.value))
        const numbers = isSigned ? numbersOf(field).filter((number) => added.has(number)) : []
        return numbers.map((number) => [number, !isTimestampField(after, field)] as const)
      }),
    )
  const dictionaryIn = (value: PdfValue) => {
    if (isReference(value) && (!added.has(value.number) || after.object(value.number)?.data)) return undefined
    const inner = after.resolve(value)
    return isDictionary(inner) ? inner : undefined
  }
  const isNewElement = (item: PdfReference) => {
    const element = dictionaryIn(item)
    const type = element?.get('Type')
    if (!element || (type !== undefined && !isName(type, 'StructElem'))) return false
    const content = element.get('K')
    const parts = (Array.isArray(content) ? content : [content ?? null]).map(mayTell)
    if (parts.length === 0 || parts.includes(undefined)) return false
    return [...element.keys()].every((key) => placing.has(key) || (telling.has(key) && !parts.includes(false)))
  }
  const known = new Map<number, boolean>()
  return (item) => {
    if (!isReference(item)) return false
    const isNew = known.get(item.number) ?? isNewElement(item)
    known.set(item.number, isNew)
    return isNew
  }
}
