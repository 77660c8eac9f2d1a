/** The pairs of items at the same index, as far as both lists have one. */
export function zip<A, B>(first: readonly A[], second: readonly B[]): [A, B][] {
  return first.flatMap((item, index) => {
    const partner = second[index]
    return partner === undefined ? [] : [[item, partner]]
  })
}
