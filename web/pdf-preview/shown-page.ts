import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type Dispatch,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  type SetStateAction,
} from 'react'
import { requireElement } from '../app/element-refs.ts'
import { openPages, paintPicture, type OpenPages } from './page-drawing.ts'
import { useSearch } from './page-search.tsx'
import type { Paragraph } from './page-text.ts'
import type { DrawnPage, Spot } from './page-worker.ts'

/** Times the width of the place for the page, or `widest` if that is less. */
export const zooms = [0.5, 0.75, 1, 1.25, 1.5, 2, 3]
export const fitting = zooms.indexOf(1)

/** View of a document: a page, and an index of `zooms`. */
export type ReaderView = { page: number; zoom: number }
export const firstView: ReaderView = { page: 1, zoom: fitting }

/** Zoom after a double tap. */
const enlarged = zooms.indexOf(1.5)
/** A narrower place shows a page without its white margins, and never smaller than it is wide. */
const wideEnough = 560
/** Pixels; a page of the usual size is easy to read then. */
const widest = 820

export type ShownProps = {
  file: Blob
  /** The code that opens a file that is encrypted. */
  code?: string | undefined
  /** Reports the number of pages once one is shown; null while none can be. */
  onPages?: (pages: number | null) => void
  /** Readers that show the same page in the same size; by default each has its own. */
  shared?: readonly [ReaderView, Dispatch<SetStateAction<ReaderView>>]
  /** Returns what is drawn over one of `pages` pages; a page then keeps its margins, so that places on it are those of the sheet. */
  over?: ((page: number, pages: number) => ReactNode) | undefined
}

export type Painted = { page: number; text: string; paragraphs: Paragraph[] }

type Parts = {
  place: RefObject<HTMLDivElement | null>
  canvas: RefObject<HTMLCanvasElement | null>
  sheet: RefObject<HTMLDivElement | null>
}
export type ShownPage = ReturnType<typeof useShownPage>

/** Draws the current page into the elements of the reader, and provides the reader's navigation, zoom and search. */
export function useShownPage(
  { file, code, onPages, shared, over }: ShownProps,
  { place, canvas, sheet }: Parts,
  width: number,
) {
  const document = useOpenPages(file, code)
  const own = useState(firstView)
  const [view, setView] = shared ?? own
  const [pages, setPages] = useState<number>()
  // The other of two readers may have more pages.
  const page = Math.min(view.page, pages ?? view.page)
  const setPage = (to: number) => setView((now) => ({ ...now, page: to }))
  const setZoom = (to: number) => setView((now) => ({ ...now, zoom: to }))
  const [painted, setPainted] = useState<Painted>()
  const [hasFailed, setHasFailed] = useState(false)
  const search = useSearch(document, pages, page, setPage)
  const { find, here } = search
  const scale = zooms[view.zoom]!
  const isNarrow = width < wideEnough
  const smallest = isNarrow ? fitting : 0
  const isTrimmed = isNarrow && !over
  const tapped = useRef<Spot>(undefined)

  const paint = useEffectEvent((drawn: DrawnPage, hasMoved: boolean) => {
    // Which other pages there are is known only once one is shown.
    if ('failed' in drawn && !pages && page > 1) return setPage(1)
    setHasFailed('failed' in drawn)
    if ('failed' in drawn) return void (pages ?? onPages?.(null))
    const { picture, spot = tapped.current } = drawn
    tapped.current = undefined
    paintPicture(requireElement(canvas), picture)
    requireElement(sheet).style.width = `calc(${scale} * min(100%, ${widest}px))`
    setPages(drawn.pages)
    onPages?.(drawn.pages)
    setPainted({ page, text: drawn.text, paragraphs: drawn.paragraphs })
    if (spot) scrollToSpot(requireElement(place), requireElement(canvas), spot)
    else if (hasMoved) requireElement(place).scrollTo(0, 0)
  })
  const isOther = useEffectEvent(() => painted?.page !== page)
  // A layout effect is cleaned up before its page is removed, so what is drawn after that is not painted.
  useLayoutEffect(() => {
    if (!document || !width) return
    const leaving = new AbortController()
    const { signal } = leaving
    const pixels = Math.round(Math.min(width, widest) * scale * Math.max(1.5, devicePixelRatio))
    void document.draw({ page, width: pixels, isTrimmed, find, current: here }, signal).then((drawn) => {
      if (!signal.aborted) paint(drawn, isOther())
    })
    return () => leaving.abort()
  }, [document, page, width, isTrimmed, scale, find, here])

  return {
    view,
    page,
    pages,
    painted,
    failed: hasFailed,
    isNarrow,
    smallest,
    search,
    goTo: (to: number) => pages && setPage(Math.min(pages, Math.max(1, to))),
    zoomTo: (to: number) => setZoom(Math.min(zooms.length - 1, Math.max(smallest, to))),
    /** Enlarges what was tapped, or fits the width again. */
    enlarge({ clientX, clientY, currentTarget }: MouseEvent<HTMLCanvasElement>) {
      const { left, top, width: across, height } = currentTarget.getBoundingClientRect()
      tapped.current = { x: (clientX - left) / across, y: (clientY - top) / height }
      setZoom(view.zoom === fitting ? enlarged : fitting)
    },
  }
}

function scrollToSpot(place: HTMLElement, { offsetWidth, offsetHeight }: HTMLElement, { x, y }: Spot) {
  place.scrollTo(x * offsetWidth - place.clientWidth / 2, y * offsetHeight - place.clientHeight / 3)
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
