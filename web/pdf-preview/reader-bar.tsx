import { useRef, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import type { Text } from '../../contract/enums.ts'
import { requireElement } from '../app/element-refs.ts'
import { useText } from '../app/locale.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { SearchField } from './page-search.tsx'
import { fitting, zooms, type ShownPage } from './shown-page.ts'

type BarProps = {
  shown: ShownPage
  showsText: boolean
  onAsText: (isOn: boolean) => void
  onSearch: () => void
  children: ReactNode
}

export function ReaderBar({ shown, showsText, onAsText, onSearch, children }: BarProps) {
  const t = useText()
  const bar = useRef<HTMLDivElement>(null)
  const [isSearching, setIsSearching] = useState(false)
  const { pages, search } = shown

  /** Shows or hides the search in place of other tools, and moves the focus to the search field or back to its button. */
  function showSearch(isOn: boolean) {
    if (isOn) onSearch()
    flushSync(() => setIsSearching(isOn))
    requireElement(bar)
      .querySelector<HTMLElement>(isOn ? 'input' : '.reader__find button')
      ?.focus()
  }

  return (
    <div className={isSearching ? 'reader__bar is-searching' : 'reader__bar'} ref={bar}>
      <PageButtons {...shown} />
      <ZoomButtons {...shown} />
      <div className="reader__group reader__tools">
        <Button
          size="s"
          variant="quiet"
          className="reader__letters"
          aria-label={t({ pl: 'Pokaż sam tekst', en: 'Show text only' })}
          aria-pressed={showsText}
          aria-disabled={!pages}
          onClick={() => onAsText(!showsText)}
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
      <SearchField search={search} onClose={() => showSearch(false)} />
    </div>
  )
}

function PageButtons({ page, pages, goTo }: ShownPage) {
  const t = useText()
  return (
    <div className="reader__group reader__pages">
      <IconButton
        size="s"
        icon="right"
        label={t({ pl: 'Poprzednia strona', en: 'Previous page' })}
        aria-disabled={page <= 1}
        onClick={() => goTo(page - 1)}
      />
      <span className="reader__at number" role="status">
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
        onClick={() => goTo(page + 1)}
      />
    </div>
  )
}

function ZoomButtons({ pages, view: { zoom }, smallest, zoomTo }: ShownPage) {
  const t = useText()
  const percent = `${zooms[zoom]! * 100}%`
  return (
    <div className="reader__group">
      <Zoom
        sign="−"
        label={{ pl: 'Pomniejsz', en: 'Zoom out' }}
        isStill={!pages || zoom <= smallest}
        onPress={() => zoomTo(zoom - 1)}
      />
      <Button
        size="s"
        variant="quiet"
        className="number reader__percent"
        aria-label={t({ pl: `${percent}, dopasuj do szerokości`, en: `${percent}, fit the width` })}
        onClick={() => zoomTo(fitting)}
      >
        {percent}
      </Button>
      <Zoom
        sign="+"
        label={{ pl: 'Powiększ', en: 'Zoom in' }}
        isStill={!pages || zoom === zooms.length - 1}
        onPress={() => zoomTo(zoom + 1)}
      />
    </div>
  )
}

function Zoom({ sign, label, isStill, onPress }: { sign: string; label: Text; isStill: boolean; onPress: () => void }) {
  const t = useText()
  return (
    <Button
      size="s"
      variant="quiet"
      className="button--icon reader__sign"
      aria-label={t(label)}
      title={t(label)}
      aria-disabled={isStill}
      onClick={onPress}
    >
      {sign}
    </Button>
  )
}
