import { useEffect, useEffectEvent, useId, useRef, useState, type KeyboardEvent } from 'react'
import { useText } from '../app/locale.tsx'
import { IconButton } from '../ui/button.tsx'
import type { OpenPages } from './page-drawing.ts'

/** A search begins once the typing pauses. */
const pauseMs = 200

type Search = ReturnType<typeof useSearch>

/** Shows the search field, in which Enter goes to the next match and Shift+Enter to the previous one. */
export function SearchField({ search, onClose }: { search: Search; onClose: () => void }) {
  const { find, begin, go, total } = search
  const t = useText()
  const id = useId()
  const [text, setText] = useState('')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  function type(typed: string) {
    setText(typed)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => begin(typed), pauseMs)
  }

  function press(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key !== 'Enter') return
    // The form around it signs.
    event.preventDefault()
    if (find === text.trim()) return go(event.shiftKey ? -1 : 1)
    clearTimeout(timer.current)
    begin(text)
  }

  function close() {
    onClose()
    setText('')
    begin('')
  }

  return (
    <div className="reader__group reader__search">
      <label className="unseen" htmlFor={id}>
        {t({ pl: 'Szukaj w\u00a0dokumencie', en: 'Search the document' })}
      </label>
      <input
        id={id}
        type="search"
        className="input"
        placeholder={t({ pl: 'Szukaj', en: 'Search' })}
        autoComplete="off"
        value={text}
        onChange={({ target }) => type(target.value)}
        onKeyDown={press}
      />
      <span className="reader__found number" role="status">
        {find && t(resultText(search))}
      </span>
      <IconButton
        size="s"
        icon="down"
        label={t({ pl: 'Poprzedni wynik', en: 'Previous match' })}
        aria-disabled={total < 2}
        onClick={() => go(-1)}
      />
      <IconButton
        size="s"
        icon="down"
        label={t({ pl: 'Następny wynik', en: 'Next match' })}
        aria-disabled={total < 2}
        onClick={() => go(1)}
      />
      <IconButton size="s" icon="close" label={t({ pl: 'Zakończ szukanie', en: 'Close search' })} onClick={close} />
    </div>
  )
}

function resultText({ total, at, done }: Search) {
  if (total) return { pl: `${at + 1} z\u00a0${total}${done ? '' : '…'}`, en: `${at + 1} of ${total}${done ? '' : '…'}` }
  return done ? { pl: 'Brak wyników', en: 'No matches' } : { pl: 'Szukamy…', en: 'Searching…' }
}

/** Counts what is found page by page, and shows the first place from the current page on. */
export function useSearch(
  document: OpenPages | undefined,
  pages: number | undefined,
  page: number,
  setPage: (page: number) => void,
) {
  const [find, setFind] = useState('')
  const [counts, setCounts] = useState<number[]>([])
  const [at, setAt] = useState(0)
  const total = counts.reduce((sum, count) => sum + count, 0)

  const show = (place: number, found = counts) => {
    setAt(place)
    setPage(pageOfMatch(found, place).page)
  }
  const found = useEffectEvent((all: number[], isLast: boolean) => {
    setCounts(all)
    const before = all.slice(0, page - 1).reduce((sum, count) => sum + count, 0)
    const isFirstFrom = all.length >= page && all.slice(page - 1, -1).every((count) => count === 0) && all.at(-1)! > 0
    if (isFirstFrom) show(before, all)
    else if (isLast && before > 0 && all.slice(page - 1).every((count) => count === 0)) show(0, all)
  })
  useEffect(() => {
    if (!document || !pages || !find) return
    let hasLeft = false
    void (async () => {
      const all: number[] = []
      while (all.length < pages) {
        const counted = await document.count({ page: all.length + 1, count: find })
        if (hasLeft) return
        all.push('failed' in counted ? 0 : counted.found)
        found([...all], all.length === pages)
      }
    })()
    return () => void (hasLeft = true)
  }, [document, pages, find])

  const place = total > 0 ? pageOfMatch(counts, at) : undefined
  return {
    find,
    total,
    at,
    done: counts.length === pages,
    /** The place among those of its page, if that is shown. */
    here: place?.page === page ? place.index : undefined,
    begin: (text: string) => {
      const wanted = text.trim()
      if (wanted === find) return
      setCounts([])
      setAt(0)
      setFind(wanted)
    },
    go: (by: 1 | -1) => total > 0 && show((at + by + total) % total),
  }
}

/** Finds the page of a match, and the index of the match on that page. */
function pageOfMatch(counts: readonly number[], place: number) {
  let index = place
  for (const [before, count] of counts.entries()) {
    if (index < count) return { page: before + 1, index }
    index -= count
  }
  return { page: 1, index: 0 }
}
