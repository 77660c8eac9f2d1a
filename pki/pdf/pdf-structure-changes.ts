import type { RevisionComparison } from './pdf-revision-comparison.ts'
import type { Pdf } from './pdf-read.ts'
import {
  isDictionary,
  isName,
  isReference,
  pdfReference,
  sameEntry,
  sameValue,
  type PdfDictionary,
  type PdfValue,
} from './pdf-value.ts'

/**
 * Explains additions to the structure tree (ISO 32000-1 §14.7): children of elements and entries of the parent tree;
 * existing ones may neither change nor disappear.
 */
export function structureChanges(comparison: RevisionComparison) {
  const { before, after, catalogs, changed, explain, report } = comparison
  const reference = catalogs[0].get('StructTreeRoot')
  const [tree, grown] = [before.resolve(reference), after.resolve(reference)]
  if (!isReference(reference) || changed.size === 0 || !isDictionary(tree) || !isDictionary(grown)) return
  const parents = parentTree(before, tree)
  const isLonger = childComparer(comparison)
  const isGrown = isSameOrLonger(isLonger, parents.entries, parentTree(after, grown).entries)
  for (const [number, [was, is]] of changed) {
    const [old, now] = [was.value, is.value]
    const isRoot = number === reference.number
    const isElement = isDictionary(old) && isName(old.get('Type'), 'StructElem')
    const isKnown =
      isDictionary(old) && isDictionary(now) && (isRoot || isElement)
        ? isExtended(comparison, isLonger, old, now, isRoot ? isGrown : false)
        : isGrown && parents.numbers.has(number)
    if (!isKnown) continue
    const isTop = sameValue(tree.get('ParentTree'), pdfReference(number))
    if (isRoot || isElement) explain(number, 'anywhere')
    else explain(number, isTop ? [reference.number] : [], parents.numbers)
    report('structure', 'the structure tree was extended', number)
  }
}

/** The parent tree, which leads from pages to elements (§14.7.4.4): its entries and its objects. */
function parentTree(pdf: Pdf, tree: PdfDictionary) {
  const numbers = new Set<number>()
  const entries = new Map<number, PdfValue>()
  const lists = new Set<PdfValue>()
  const visit = (value: PdfValue | undefined, depth: number) => {
    if (isReference(value)) {
      if (numbers.has(value.number)) return
      numbers.add(value.number)
    }
    const node = pdf.resolve(value)
    if (!isDictionary(node) || depth > 8) return
    const [nums, kids] = [node.get('Nums'), node.get('Kids')].map((entry) => {
      const list = pdf.resolve(entry)
      // A list that several nodes share counts once.
      if (lists.has(list)) return null
      lists.add(list)
      return list
    })
    if (Array.isArray(nums))
      for (let i = 0; i + 1 < nums.length; i += 2) {
        const [key, item] = nums.slice(i, i + 2)
        if (typeof key === 'number' && item !== undefined) entries.set(key, item)
        if (isReference(item) && Array.isArray(pdf.resolve(item))) numbers.add(item.number)
      }
    if (Array.isArray(kids)) for (const kid of kids) visit(kid, depth + 1)
  }
  visit(tree.get('ParentTree'), 0)
  return { numbers, entries }
}

function isSameOrLonger(isLonger: IsLonger, old: Map<number, PdfValue>, now: Map<number, PdfValue>) {
  return [...old].every(([key, value]) => {
    const item = now.get(key)
    return item !== undefined && (sameValue(value, item) || isLonger(value, item))
  })
}

/** Equal except for more children; the root may also have a longer parent tree and more roles. */
function isExtended(
  { before, after }: RevisionComparison,
  isLonger: IsLonger,
  old: PdfDictionary,
  now: PdfDictionary,
  grown: boolean,
) {
  return [...new Set([...old.keys(), ...now.keys()])].every((key) => {
    const [was, is] = [before.resolve(old.get(key)), after.resolve(now.get(key))]
    if (sameEntry(old, now, key)) return true
    const children = old.get('K')
    if (key === 'K') return children === undefined || isLonger(children, now.get(key) ?? null)
    if (!grown) return false
    if (key === 'ParentTree') return true
    if (key === 'ParentTreeNextKey')
      return was === null || (typeof was === 'number' && typeof is === 'number' && is >= was)
    if (key !== 'RoleMap') return false
    return !isDictionary(was) || (isDictionary(is) && [...was].every(([role, name]) => sameValue(name, is.get(role))))
  })
}

type IsLonger = (old: PdfValue, now: PdfValue) => boolean

/**
 * Compares lists of children; a single child counts as a list of one (§14.7.2, table 323). Each list belongs to one
 * element and is compared once, because comparing a shared list for each of many elements would be expensive.
 */
function childComparer({ before, after }: RevisionComparison): IsLonger {
  const used = [new Set<number>(), new Set<number>()] as const
  const listOf = (pdf: Pdf, value: PdfValue, known: Set<number>) => {
    if (isReference(value) && known.has(value.number)) return undefined
    if (isReference(value)) known.add(value.number)
    const list = pdf.resolve(value)
    return Array.isArray(list) ? list : [list]
  }
  return (old, now) => {
    const [items, more] = [listOf(before, old, used[0]), listOf(after, now, used[1])]
    if (!items || !more) return false
    let kept = 0
    for (const item of more) if (kept < items.length && sameValue(items[kept], item)) kept++
    return kept === items.length
  }
}
