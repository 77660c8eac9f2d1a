/**
 * Lets a browser's translator change the page without breaking it (ERR-6). A translator such as Google's puts a
 * `<font>` in the place of each text node, while React keeps the node: it would remove it from where it no longer is,
 * which throws, or change it where nobody sees it.
 */
export function followTranslator() {
  /** React's text nodes, with what is shown instead of them. */
  const replacements = new WeakMap<Node, Element>()
  const taken = new WeakSet<Node>()
  const observer = new MutationObserver(follow)
  observer.observe(document, { subtree: true, childList: true, characterData: true })

  function follow(records: MutationRecord[]) {
    for (const { type, target, addedNodes, removedNodes, previousSibling, nextSibling } of records) {
      // React changed a text that is not shown: it takes its place again, and the translator finds it there.
      if (type === 'characterData') replacements.get(target)?.replaceWith(target)
      for (const node of addedNodes) {
        replacements.get(node)?.remove()
        replacements.delete(node)
      }
      for (const node of removedNodes) {
        if (node.nodeType !== Node.TEXT_NODE || node.isConnected) continue
        const font = [addedNodes[0], previousSibling, nextSibling].find(
          (near): near is Element => near?.nodeName === 'FONT' && !taken.has(near),
        )
        if (!font) continue
        taken.add(font)
        replacements.set(node, font)
        observer.observe(node, { characterData: true })
      }
    }
  }

  /** Returns the child of `parent` that shows `node`: its replacement, or the element that it was moved into. */
  function childShowing(parent: Node, node: Node): Node | null {
    follow(observer.takeRecords())
    let shown: Node | null = node.parentNode ? node : (replacements.get(node) ?? null)
    while (shown && shown.parentNode !== parent) shown = shown.parentNode
    return shown
  }

  // oxlint-disable-next-line typescript/unbound-method
  const { removeChild, insertBefore } = Node.prototype
  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T) {
    const shown = child.parentNode === this ? child : childShowing(this, child)
    if (shown) removeChild.call(this, shown)
    return child
  }
  Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, before: Node | null) {
    const shown = before && before.parentNode !== this ? childShowing(this, before) : before
    insertBefore.call(this, node, shown)
    return node
  }
}
