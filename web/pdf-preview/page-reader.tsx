import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import type { Text } from '../../contract/enums.ts'
import { requireElement } from '../app/element-refs.ts'
import { useText } from '../app/locale.tsx'
import { Icon } from '../art/icons.tsx'
import { Button } from '../ui/button.tsx'
import { BlankPage } from './blank-page.tsx'
import './page-reader.css'
import { ReaderBar } from './reader-bar.tsx'
import { fitting, useShownPage, zooms, type Painted, type ShownPage, type ShownProps } from './shown-page.ts'

type Props = ShownProps & {
  /** Name of the document. */
  name: string
  /** Whether the customer has the file, so that there is nothing to download. */
  isLocal?: boolean
  /** Other actions on the document. */
  children?: ReactNode
}

/** Shows every page of a PDF, one at a time, with zoom and search (DOC-12); each is drawn in a worker, as the first page is (R50). */
export function PageReader(props: Props) {
  const { name, isLocal, over, children } = props
  const t = useText()
  const place = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const sheet = useRef<HTMLDivElement>(null)
  const [rest, setRest] = useState<HiddenPart>()
  // A taller window leaves less to scroll.
  const width = useWidth(place, (around) => setRest((before) => before && restOf(around)))
  const shown = useShownPage(props, { place, canvas, sheet }, width)
  const { page, pages, view, painted, failed, isNarrow, goTo } = shown
  const scale = zooms[view.zoom]!
  const [showsText, setShowsText] = useState(false)
  const isText = isNarrow && showsText && !failed && !!painted
  // Once the page is laid out.
  useLayoutEffect(() => setRest(painted && restOf(requireElement(place))), [painted, isText, scale])

  const isBusy = !failed && painted?.page !== page
  const isUnreadable = failed && !pages
  return (
    <div className="reader">
      {!isUnreadable && (
        <ReaderBar
          shown={shown}
          showsText={showsText}
          onAsText={(isOn) => {
            setShowsText(isOn)
            requireElement(place).scrollTo(0, 0)
          }}
          // What is found is marked on the page.
          onSearch={() => setShowsText(false)}
        >
          {children}
        </ReaderBar>
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
        onKeyDown={(event) => press(event, shown)}
        onScroll={({ currentTarget }) => setRest(restOf(currentTarget))}
      >
        <div className="reader__sheet" ref={sheet}>
          <canvas
            ref={canvas}
            hidden={!painted || failed || isText}
            role="img"
            onDoubleClick={shown.enlarge}
            aria-label={t({ pl: `Strona ${page}: ${name}`, en: `Page ${page}: ${name}` })}
          />
          {over && pages && painted && !failed && !isText && over(painted.page, pages)}
        </div>
        {failed ? (
          <NoPage text={isLocal ? (isUnreadable ? noLocalFile : noLocalPage) : isUnreadable ? noDocument : noPage} />
        ) : (
          <PageText painted={painted} isText={isText} scale={scale} />
        )}
      </div>
      <div className="reader__foot">
        {!isBusy && !failed && rest && (
          <ScrollHint
            rest={rest}
            next={pages && page < pages ? { page: page + 1, pages } : undefined}
            onNext={() => {
              goTo(page + 1)
              requireElement(place).focus()
            }}
            // What is over the page takes the taps.
            hasHint={isNarrow && view.zoom === fitting && !isText && !over}
          />
        )}
      </div>
    </div>
  )
}

function NoPage({ text }: { text: Text }) {
  const t = useText()
  return (
    <p className="reader__none">
      <Icon name="document" size="l" />
      <span>{t(text)}</span>
    </p>
  )
}

/**
 * Shows the page's text alone, in lines that fit a phone, or next to the page for screen readers (DOC-12); the page itself is what is
 * signed.
 */
function PageText({ painted, isText, scale }: { painted: Painted | undefined; isText: boolean; scale: number }) {
  const t = useText()
  if (!painted)
    return (
      <div className="reader__blank">
        <BlankPage />
      </div>
    )
  const { text, paragraphs } = painted
  if (!isText)
    return (
      <p className="unseen" translate="no">
        {text}
      </p>
    )
  return (
    <div className="reader__text" style={{ fontSize: `${scale * 1.0625}rem` }}>
      <p className="reader__about">
        {paragraphs.length > 0
          ? t({
              pl: 'Sam tekst strony. Jej układ i\u00a0ilustracje pokazuje podgląd.',
              en: 'Text only. Switch back to see the layout and pictures.',
            })
          : t({ pl: 'Na tej stronie nie ma tekstu.', en: 'There’s no text on this page.' })}
      </p>
      <div translate="no">
        {paragraphs.map(({ text: paragraph, isLarge }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- paragraphs may be equal, and never move
          <p key={index}>{isLarge ? <b>{paragraph}</b> : paragraph}</p>
        ))}
      </div>
    </div>
  )
}

/** Turns and enlarges the page by keys. What the browser itself would scroll is left to it. */
function press(event: KeyboardEvent<HTMLDivElement>, { page, pages = 1, view: { zoom }, goTo, zoomTo }: ShownPage) {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const { scrollTop, scrollHeight, clientHeight, scrollWidth, clientWidth } = event.currentTarget
  const isWide = scrollWidth > clientWidth + 1
  const acts: Record<string, false | (() => void)> = {
    ArrowLeft: !isWide && (() => goTo(page - 1)),
    ArrowRight: !isWide && (() => goTo(page + 1)),
    PageUp: scrollTop <= 1 && (() => goTo(page - 1)),
    PageDown: scrollTop + clientHeight >= scrollHeight - 1 && (() => goTo(page + 1)),
    Home: () => goTo(1),
    End: () => goTo(pages),
    '+': () => zoomTo(zoom + 1),
    '=': () => zoomTo(zoom + 1),
    '-': () => zoomTo(zoom - 1),
    '0': () => zoomTo(fitting),
  }
  const act = acts[event.key]
  if (!act) return
  event.preventDefault()
  act()
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

/** Part of the page that is scrolled out of view. */
type HiddenPart = 'below' | 'below-and-beside' | 'nothing'

function restOf({ scrollTop, scrollHeight, clientHeight, scrollWidth, clientWidth }: Element): HiddenPart {
  if (scrollTop + clientHeight >= scrollHeight - 24) return 'nothing'
  return scrollWidth > clientWidth + 1 ? 'below-and-beside' : 'below'
}

type ReadOnProps = {
  rest: HiddenPart
  next: { page: number; pages: number } | undefined
  onNext: () => void
  /** Whether to say how the page is enlarged. */
  hasHint: boolean
}

/** Shows how to read on, or that the document ends, so that nobody takes the visible part for the whole document (DOC-12). */
function ScrollHint({ rest, next, onNext, hasHint }: ReadOnProps) {
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
        {t(hasHint && rest === 'below' ? shortRest : restText[rest])}
        {hasHint && t({ pl: '. Stuknij dwa razy, aby powiększyć.', en: '. Double-tap to enlarge.' })}
      </span>
    </p>
  )
}

/** Fits one line of a phone with the hint. */
const shortRest: Text = { pl: 'Przewiń dalej', en: 'Scroll to read on' }
const restText: Record<HiddenPart, Text> = {
  below: { pl: 'Przewiń, aby czytać dalej', en: 'Scroll to read on' },
  'below-and-beside': {
    pl: 'Przewiń w\u00a0dół i\u00a0w\u00a0bok, aby czytać',
    en: 'Scroll down and sideways to read',
  },
  nothing: { pl: 'Koniec dokumentu', en: 'End of the document' },
}

/** Returns the inner width of the page's container, without its padding and the scrollbar. */
function useWidth(place: RefObject<HTMLDivElement | null>, onResize: (place: Element) => void) {
  const [width, setWidth] = useState(0)
  const resized = useEffectEvent(onResize)
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      setWidth(Math.round(entry!.contentRect.width))
      resized(entry!.target)
    })
    observer.observe(requireElement(place))
    return () => observer.disconnect()
  }, [place])
  return width
}
