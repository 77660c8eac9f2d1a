import { useRef } from 'react'

/** Letters typed within this time belong together. */
const pauseMs = 1000

/** The next label from `from` on that begins with the text; the same letter again goes to the next such label. */
export function findLabel(labels: readonly string[], typed: string, from: number): number | undefined {
  const text = typed.toLocaleLowerCase()
  const letter = text.charAt(0)
  const isRepeated = text === letter.repeat(text.length)
  const start = isRepeated ? from + 1 : Math.max(0, from)
  const indexes = labels.map((_, index) => (start + index) % labels.length)
  // A no-break space, as in `2 lata`, is typed as any other.
  const shown = (index: number) => labels[index]?.replaceAll('\u00a0', ' ').toLocaleLowerCase()
  return indexes.find((index) => shown(index)?.startsWith(isRepeated ? letter : text))
}

/** Finds an option by what is typed. */
export function useTypeAhead(labels: readonly string[]) {
  const typed = useRef({ text: '', at: 0 })
  const isTyping = () => Date.now() - typed.current.at < pauseMs

  function find(key: string, from: number) {
    const text = (isTyping() ? typed.current.text : '') + key
    typed.current = { text, at: Date.now() }
    return findLabel(labels, text, from)
  }

  return { find, isTyping }
}
