/** Pairs the items at the same index, up to the end of the shorter list. */
export function zip<A, B>(first: readonly A[], second: readonly B[]): [A, B][] {
  return first.flatMap((item, index) => {
    const partner = second[index]
    return partner === undefined ? [] : [[item, partner]]
  })
}
