import {
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type Dispatch,
  type ReactNode,
  type SetStateAction,
} from 'react'
import { flushSync } from 'react-dom'
import type { Text } from '../../contract/enums.ts'
import { Icon } from '../art/icons.tsx'
import { elementOf } from '../element.ts'
import { useText } from '../locale.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { BlankPage } from './blank-page.tsx'
import { PageAsText } from './page-as-text.tsx'
import { openPages, type OpenPages } from './page-drawing.ts'
import './page-reader.css'
import type { Paragraph } from './page-text.ts'
import type { DrawnPage, Spot } from './page-worker.ts'

type Props = {
  file: Blob
  /** Opens a file that is encrypted. */
  code?: string | undefined
  /** What the document is called. */
  name: string
  /** The customer has the file, so there is nothing to download. */
  isLocal?: boolean
  /** The number of pages, once one is shown; null while none can be. */
  onPages?: (pages: number | null) => void
  /** Readers that show the same page in the same size; by default each has its own. */
  shared?: readonly [ReaderView, Dispatch<SetStateAction<ReaderView>>]
  /** Drawn over a page, of which there are `pages`; the page then keeps its margins, so that places on it are those of the sheet. */
  over?: ((page: number, pages: number) => ReactNode) | undefined
  /** What else can be done with the document. */
  children?: ReactNode
}

/** Times the width of the place for the page, or `widest` if that is less. */
const zooms = [0.5, 0.75, 1, 1.25, 1.5, 2, 3]
const fitting = zooms.indexOf(1)

/** What is seen of a document: a page, in one of `zooms`. */
export type ReaderView = { page: number; zoom: number }
export const firstView: ReaderView = { page: 1, zoom: fitting }

/** After two taps at once. */
const enlarged = zooms.indexOf(1.5)
/** A narrower place shows a page without its white margins, and never smaller than it is wide. */
const wideEnough = 560
/** Pixels; a page of the usual size is easy to read then. */
const widest = 820
/** A search begins once the typing pauses. */
const pauseMs = 200

/** DOC-12: every page of a PDF, one at a time, drawn in a worker as the first page is (R50), with zoom and search. */
export function PageReader({ file, code, name, isLocal, onPages, shared, over, children }: Props) {
  const t = useText()
  const place = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const sheet = useRef<HTMLDivElement>(null)
  const document = useOpenPages(file, code)
  const [rest, setRest] = useState<Rest>()
  // A taller window leaves less to scroll.
  const width = useWidth(place, (around) => setRest((before) => before && restOf(around)))
  const own = useState(firstView)
  const [view, setView] = shared ?? own
  const { zoom } = view
  const [pages, setPages] = useState<number>()
  // The other of two readers may have more pages.
  const page = Math.min(view.page, pages ?? view.page)
  const setPage = (to: number) => setView((now) => ({ ...now, page: to }))
  const setZoom = (to: number) => setView((now) => ({ ...now, zoom: to }))
  const [text, setText] = useState('')
  const [painted, setPainted] = useState<{ page: number; text: string; paragraphs: Paragraph[] }>()
  const [asText, setAsText] = useState(false)
  const [failed, setFailed] = useState(false)
  const [isSearching, setIsSearching] = useState(false)
  const bar = useRef<HTMLDivElement>(null)
  const search = useSearch(document, pages, page, setPage)
  const { find, here } = search
  const scale = zooms[zoom]!
  const isNarrow = width < wideEnough
  const smallest = isNarrow ? fitting : 0
  const trim = isNarrow && !over
  const tapped = useRef<Spot>(undefined)

  const paint = useEffectEvent((drawn: DrawnPage, moved: boolean) => {
    // Which other pages there are is known only once one is shown.
    if ('failed' in drawn && !pages && page > 1) return setPage(1)
    setFailed('failed' in drawn)
    if ('failed' in drawn) return void (pages ?? onPages?.(null))
    const target = elementOf(canvas)
    const { picture, spot = tapped.current } = drawn
    tapped.current = undefined
    Object.assign(target, { width: picture.width, height: picture.height })
    target.getContext('bitmaprenderer')?.transferFromImageBitmap(picture)
    elementOf(sheet).style.width = `calc(${scale} * min(100%, ${widest}px))`
    setPages(drawn.pages)
    onPages?.(drawn.pages)
    setPainted({ page, text: drawn.text, paragraphs: drawn.paragraphs })
    const around = elementOf(place)
    if (spot)
      around.scrollTo(
        spot.x * target.offsetWidth - around.clientWidth / 2,
        spot.y * target.offsetHeight - around.clientHeight / 3,
      )
    else if (moved) around.scrollTo(0, 0)
  })
  const shownPage = painted?.page
  const isOther = useEffectEvent(() => shownPage !== page)
  // A layout effect is cleaned up before its page is removed, so what is drawn after that is not painted.
  useLayoutEffect(() => {
    if (!document || !width) return
    const leaving = new AbortController()
    const { signal } = leaving
    const pixels = Math.round(Math.min(width, widest) * scale * Math.max(1.5, devicePixelRatio))
    void document.draw({ page, width: pixels, trim, find, current: here }, signal).then((drawn) => {
      if (!signal.aborted) paint(drawn, isOther())
    })
    return () => leaving.abort()
  }, [document, page, width, trim, scale, find, here])

  const isText = isNarrow && asText && !failed && !!painted
  // Once the page is laid out.
  useLayoutEffect(() => setRest(painted && restOf(elementOf(place))), [painted, isText, scale])

  function readOn() {
    go(page + 1)
    elementOf(place).focus()
  }
  const go = (to: number) => pages && setPage(Math.min(pages, Math.max(1, to)))
  const resize = (to: number) => setZoom(Math.min(zooms.length - 1, Math.max(smallest, to)))

  /** Enlarges what was tapped, or fits the width again. */
  function enlarge({ clientX, clientY, currentTarget }: MouseEvent<HTMLCanvasElement>) {
    const { left, top, width: across, height } = currentTarget.getBoundingClientRect()
    tapped.current = { x: (clientX - left) / across, y: (clientY - top) / height }
    setZoom(zoom === fitting ? enlarged : fitting)
  }

  /** The search takes the place of other tools; the focus goes to where the pressed button has led. */
  function showSearch(on: boolean) {
    // What is found is marked on the page.
    if (on) setAsText(false)
    flushSync(() => setIsSearching(on))
    if (!on) {
      setText('')
      search.begin('')
    }
    elementOf(bar)
      .querySelector<HTMLElement>(on ? 'input' : '.reader__find button')
      ?.focus()
  }

  /** What the browser itself would scroll is left to it. */
  function press(event: KeyboardEvent<HTMLDivElement>) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const { scrollTop, scrollHeight, clientHeight, scrollWidth, clientWidth } = event.currentTarget
    const isWide = scrollWidth > clientWidth + 1
    const acts: Record<string, false | (() => void)> = {
      ArrowLeft: !isWide && (() => go(page - 1)),
      ArrowRight: !isWide && (() => go(page + 1)),
      PageUp: scrollTop <= 1 && (() => go(page - 1)),
      PageDown: scrollTop + clientHeight >= scrollHeight - 1 && (() => go(page + 1)),
      Home: () => go(1),
      End: () => go(pages ?? 1),
      '+': () => resize(zoom + 1),
      '=': () => resize(zoom + 1),
      '-': () => resize(zoom - 1),
      '0': () => resize(fitting),
    }
    const act = acts[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }

  const isBusy = !failed && painted?.page !== page
  const isUnreadable = failed && !pages
  return (
    <div className="reader">
      {!isUnreadable && (
        <div className={isSearching ? 'reader__bar is-searching' : 'reader__bar'} ref={bar}>
          <div className="reader__group reader__pages">
            <IconButton
              size="s"
              icon="right"
              label={t({ pl: 'Poprzednia strona', en: 'Previous page' })}
              aria-disabled={page <= 1}
              onClick={() => go(page - 1)}
            />
            <span className="reader__at num" role="status">
              {pages ? (
                <>
                  <span className="reader__word">{t({ pl: 'Strona ', en: 'Page ' })}</span>
                  {t({ pl: `${page} z\u00a0${pages}`, en: `${page} of ${pages}` })}
                </>
              ) : (
                <>
                  <span className="reader__word">{t({ pl: 'Otwieramy', en: 'Opening' })}</span>…
                </>
              )}
            </span>
            <IconButton
              size="s"
              icon="right"
              label={t({ pl: 'Następna strona', en: 'Next page' })}
              aria-disabled={!pages || page >= pages}
              onClick={() => go(page + 1)}
            />
          </div>
          <div className="reader__group reader__zoom">
            <Zoom
              sign="−"
              label={{ pl: 'Pomniejsz', en: 'Zoom out' }}
              still={!pages || zoom <= smallest}
              onPress={() => resize(zoom - 1)}
            />
            <Button
              size="s"
              variant="quiet"
              className="num reader__percent"
              aria-label={t({ pl: `${scale * 100}%, dopasuj do szerokości`, en: `${scale * 100}%, fit the width` })}
              onClick={() => resize(fitting)}
            >
              {scale * 100}%
            </Button>
            <Zoom
              sign="+"
              label={{ pl: 'Powiększ', en: 'Zoom in' }}
              still={!pages || zoom === zooms.length - 1}
              onPress={() => resize(zoom + 1)}
            />
          </div>
          <div className="reader__group reader__tools">
            <Button
              size="s"
              variant="quiet"
              className="reader__letters"
              aria-label={t({ pl: 'Pokaż sam tekst', en: 'Show text only' })}
              aria-pressed={asText}
              aria-disabled={!pages}
              onClick={() => {
                setAsText(!asText)
                elementOf(place).scrollTo(0, 0)
              }}
            >
              {t({ pl: 'Tekst', en: 'Text' })}
            </Button>
            <span className="reader__find">
              <IconButton
                size="s"
                icon="search"
                label={t({ pl: 'Szukaj w\u00a0dokumencie', en: 'Search the document' })}
                aria-disabled={!pages}
                onClick={() => showSearch(true)}
              />
            </span>
            {children}
          </div>
          <SearchField text={text} setText={setText} search={search} onClose={() => showSearch(false)} />
        </div>
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- its keys turn the pages, as its buttons do */}
      <div
        className="reader__place"
        ref={place}
        role="region"
        aria-label={t({ pl: `Strony dokumentu: ${name}`, en: `Pages of the document: ${name}` })}
        aria-busy={isBusy || undefined}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and its keys turn the pages
        tabIndex={0}
        onKeyDown={press}
        onScroll={({ currentTarget }) => setRest(restOf(currentTarget))}
      >
        <div className="reader__sheet" ref={sheet}>
          <canvas
            ref={canvas}
            hidden={!painted || failed || isText}
            role="img"
            onDoubleClick={enlarge}
            aria-label={t({ pl: `Strona ${page}: ${name}`, en: `Page ${page}: ${name}` })}
          />
          {over && pages && shownPage && !failed && !isText && over(shownPage, pages)}
        </div>
        {!painted && !failed && (
          <div className="reader__blank">
            <BlankPage />
          </div>
        )}
        {isText ? (
          <PageAsText paragraphs={painted.paragraphs} scale={scale} />
        ) : (
          !failed &&
          painted && (
            <p className="vh" translate="no">
              {painted.text}
            </p>
          )
        )}
        {failed && (
          <p className="reader__none">
            <Icon name="doc" size="l" />
            <span>{t(isLocal ? (isUnreadable ? noLocalFile : noLocalPage) : isUnreadable ? noDocument : noPage)}</span>
          </p>
        )}
      </div>
      <div className="reader__foot">
        {!isBusy && !failed && rest && (
          <ReadOn
            rest={rest}
            next={pages && page < pages ? { page: page + 1, pages } : undefined}
            onNext={readOn}
            // What is over the page takes the taps.
            hint={isNarrow && zoom === fitting && !isText && !over}
          />
        )}
      </div>
    </div>
  )
}

const noPage = {
  pl: 'Nie możemy pokazać tej strony. Pobierz dokument i\u00a0przeczytaj ją w\u00a0swoim programie.',
  en: 'We can’t show this page. Download the document and read it in your own software.',
}
const noDocument = {
  pl: 'Nie możemy pokazać tego dokumentu. Pobierz go i\u00a0przeczytaj w\u00a0swoim programie.',
  en: 'We can’t show this document. Download it and read it in your own software.',
}

const noLocalPage = {
  pl: 'Nie możemy pokazać tej strony. Przeczytaj ją w\u00a0swoim programie.',
  en: 'We can’t show this page. Read it in your own software.',
}
const noLocalFile = {
  pl: 'Nie możemy pokazać tego pliku. Przeczytaj go w\u00a0swoim programie.',
  en: 'We can’t show this file. Read it in your own software.',
}

/** What is left of the page outside of its place. */
type Rest = 'below' | 'below-and-beside' | 'nothing'

function restOf({ scrollTop, scrollHeight, clientHeight, scrollWidth, clientWidth }: Element): Rest {
  if (scrollTop + clientHeight >= scrollHeight - 24) return 'nothing'
  return scrollWidth > clientWidth + 1 ? 'below-and-beside' : 'below'
}

type ReadOnProps = {
  rest: Rest
  next: { page: number; pages: number } | undefined
  onNext: () => void
  /** Whether to say how the page is enlarged. */
  hint: boolean
}

/** DOC-12: nobody takes what is seen first for the whole document. */
function ReadOn({ rest, next, onNext, hint }: ReadOnProps) {
  const t = useText()
  if (rest === 'nothing' && next)
    return (
      <Button size="s" variant="quiet" icon="right" onClick={onNext}>
        {t({ pl: `Czytaj stronę ${next.page} z\u00a0${next.pages}`, en: `Read page ${next.page} of ${next.pages}` })}
      </Button>
    )
  return (
    <p>
      {rest !== 'nothing' && <Icon name="down" size="s" />}
      <span>
        {t(hint && rest === 'below' ? shortRest : restText[rest])}
        {hint && t({ pl: '. Stuknij dwa razy, aby powiększyć.', en: '. Double-tap to enlarge.' })}
      </span>
    </p>
  )
}

/** Fits one line of a phone with the hint. */
const shortRest: Text = { pl: 'Przewiń dalej', en: 'Scroll to read on' }
const restText: Record<Rest, Text> = {
  below: { pl: 'Przewiń, aby czytać dalej', en: 'Scroll to read on' },
  'below-and-beside': {
    pl: 'Przewiń w\u00a0dół i\u00a0w\u00a0bok, aby czytać',
    en: 'Scroll down and sideways to read',
  },
  nothing: { pl: 'Koniec dokumentu', en: 'End of the document' },
}

type ZoomProps = { sign: string; label: Text; still: boolean; onPress: () => void }

function Zoom({ sign, label, still, onPress }: ZoomProps) {
  const t = useText()
  return (
    <Button
      size="s"
      variant="quiet"
      className="btn--icon reader__sign"
      aria-label={t(label)}
      title={t(label)}
      aria-disabled={still}
      onClick={onPress}
    >
      {sign}
    </Button>
  )
}

type SearchProps = {
  text: string
  setText: (text: string) => void
  search: ReturnType<typeof useSearch>
  onClose: () => void
}

/** Enter shows the next place, with Shift the one before. */
function SearchField({ text, setText, search: { find, begin, go, total, at, done }, onClose }: SearchProps) {
  const t = useText()
  const id = useId()
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

  const result = !find
    ? undefined
    : total
      ? { pl: `${at + 1} z\u00a0${total}${done ? '' : '…'}`, en: `${at + 1} of ${total}${done ? '' : '…'}` }
      : done
        ? { pl: 'Brak wyników', en: 'No matches' }
        : { pl: 'Szukamy…', en: 'Searching…' }
  return (
    <div className="reader__group reader__search">
      <label className="vh" htmlFor={id}>
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
      <span className="reader__found num" role="status">
        {result && t(result)}
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
      <IconButton size="s" icon="x" label={t({ pl: 'Zakończ szukanie', en: 'Close search' })} onClick={onClose} />
    </div>
  )
}

/** Counts what is found page by page, and shows the first place from the current page on. */
function useSearch(
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
    setPage(placeOf(found, place).page)
  }
  const found = useEffectEvent((all: number[], last: boolean) => {
    setCounts(all)
    const before = all.slice(0, page - 1).reduce((sum, count) => sum + count, 0)
    const isFirstFrom = all.length >= page && all.slice(page - 1, -1).every((count) => count === 0) && all.at(-1)! > 0
    if (isFirstFrom) show(before, all)
    else if (last && before > 0 && all.slice(page - 1).every((count) => count === 0)) show(0, all)
  })
  useEffect(() => {
    if (!document || !pages || !find) return
    let left = false
    void (async () => {
      const all: number[] = []
      while (all.length < pages) {
        const counted = await document.count({ page: all.length + 1, count: find })
        if (left) return
        all.push('failed' in counted ? 0 : counted.found)
        found([...all], all.length === pages)
      }
    })()
    return () => void (left = true)
  }, [document, pages, find])

  const place = total > 0 ? placeOf(counts, at) : undefined
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

/** The page of a place, and which one it is there. */
function placeOf(counts: readonly number[], place: number) {
  let index = place
  for (const [before, count] of counts.entries()) {
    if (index < count) return { page: before + 1, index }
    index -= count
  }
  return { page: 1, index: 0 }
}

function useOpenPages(file: Blob, code: string | undefined) {
  const [document, setDocument] = useState<OpenPages>()
  useEffect(() => {
    const opened = openPages({ file, ...(code !== undefined && { code }) })
    setDocument(opened)
    return opened.close
  }, [file, code])
  return document
}

/** The inner width of the place for the page, without its padding and the scrollbar. */
function useWidth(place: React.RefObject<HTMLDivElement | null>, onResize: (place: Element) => void) {
  const [width, setWidth] = useState(0)
  const resized = useEffectEvent(onResize)
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      setWidth(Math.round(entry!.contentRect.width))
      resized(entry!.target)
    })
    observer.observe(elementOf(place))
    return () => observer.disconnect()
  }, [place])
  return width
}
