import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { callingCode, type Country } from '../../contract/rules/phone.ts'
import { useHydrated } from '../app/hydration.tsx'
import { useText } from '../app/locale.tsx'
import { Icon } from '../art/icons.tsx'
import { plural } from '../text/format.ts'
import { countryName, countryRows, searchCountries, type CountryRow } from './country-names.ts'

type Props = { country: Country; onOpen: () => void; onChoose: (country: Country) => void }

const isLetter = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) =>
  key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey

/**
 * Shows the country of a phone number as a button, which opens a list with a search above it. A letter typed on the button starts the
 * search.
 */
export function CountrySelect({ country, onOpen, onChoose }: Props) {
  const t = useText()
  const isHydrated = useHydrated()
  const panel = useId()
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  /** Initial text of the search; undefined while the list is closed. */
  const [begun, setBegun] = useState<string>()
  const isOpen = begun !== undefined
  const code = `+${callingCode(country)}`

  useEffect(() => {
    if (!isOpen) return
    const leave = (event: Event) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setBegun(undefined)
    }
    document.addEventListener('pointerdown', leave)
    document.addEventListener('focusin', leave)
    return () => {
      document.removeEventListener('pointerdown', leave)
      document.removeEventListener('focusin', leave)
    }
  }, [isOpen])

  const show = (query: string) => {
    onOpen()
    setBegun(query)
  }
  const close = () => {
    setBegun(undefined)
    button.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp' && !isLetter(event)) return
    event.preventDefault()
    show(isLetter(event) ? event.key : '')
  }

  return (
    <div ref={root} className="country-select">
      <button
        ref={button}
        type="button"
        className="input country-code"
        disabled={!isHydrated}
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        aria-controls={isOpen ? panel : undefined}
        aria-label={`${t({ pl: 'Kraj numeru', en: 'Country code' })}: ${countryName(t.locale, country)}, ${code}`}
        onClick={() => (isOpen ? setBegun(undefined) : show(''))}
        onKeyDown={onKeyDown}
      >
        <CountryFlag country={country} />
        {code}
        <Icon name="down" size="s" />
      </button>
      {isOpen && (
        <CountryList
          id={panel}
          country={country}
          query={begun}
          onClose={close}
          onChoose={(chosen) => {
            close()
            onChoose(chosen)
          }}
        />
      )}
    </div>
  )
}

type ListProps = {
  id: string
  country: Country
  query: string
  onClose: () => void
  onChoose: (country: Country) => void
}

/**
 * Shows the list, with the keys of the ARIA combobox pattern: the focus stays in the search, and the active row is referenced by its id.
 */
function CountryList({ id, country, query: begun, onClose, onChoose }: ListProps) {
  const t = useText()
  const list = useRef<HTMLDivElement>(null)
  const search = useRef<HTMLInputElement>(null)
  const [query, setQuery] = useState(begun)
  const rows = searchCountries(countryRows(t.locale), query)
  const [active, setActive] = useState(() => Math.max(0, begun ? 0 : rows.findIndex((row) => row.country === country)))
  const current = rows[active]

  useEffect(() => search.current?.focus(), [])
  useEffect(() => {
    list.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' })
  }, [active, query])

  const onKeyDown = (event: KeyboardEvent) => {
    const last = rows.length - 1
    const keys: Record<string, () => void> = {
      ArrowDown: () => setActive(active < last ? active + 1 : 0),
      ArrowUp: () => setActive(active > 0 ? active - 1 : last),
      Home: () => setActive(0),
      End: () => setActive(last),
      // The form is not to be sent, nor the dialog around it closed.
      Enter: () => current && onChoose(current.country),
      Escape: onClose,
    }
    const handle = keys[event.key]
    if (!handle) return
    event.preventDefault()
    handle()
  }

  return (
    <div className="countries">
      <input
        ref={search}
        type="text"
        className="input"
        role="combobox"
        aria-label={t({ pl: 'Szukaj kraju: nazwa lub kod', en: 'Search for a country by name or code' })}
        placeholder={t({ pl: 'Nazwa lub kod', en: 'Name or code' })}
        aria-expanded="true"
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={current && `${id}-${current.country}`}
        autoComplete="off"
        spellCheck={false}
        maxLength={50}
        value={query}
        onChange={(event) => {
          setQuery(event.target.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div ref={list} id={id} role="listbox" tabIndex={-1} aria-label={t({ pl: 'Kraje', en: 'Countries' })}>
        {rows.map((row, index) => (
          <Row
            key={row.country}
            id={`${id}-${row.country}`}
            row={row}
            isSelected={row.country === country}
            isActive={index === active}
            onChoose={() => onChoose(row.country)}
          />
        ))}
      </div>
      <p className={rows.length ? 'unseen' : 'countries__none'} role="status">
        {rows.length
          ? `${rows.length} ${plural(t.locale, rows.length, countryForms[t.locale])}`
          : t({ pl: 'Nie znaleziono kraju', en: 'No country found' })}
      </p>
    </div>
  )
}

const countryForms = {
  pl: { one: 'kraj', few: 'kraje', many: 'krajów', other: 'kraju' },
  en: { one: 'country', other: 'countries' },
}

type RowProps = {
  id: string
  row: CountryRow
  isSelected: boolean
  isActive: boolean
  onChoose: () => void
}

const Row = ({ id, row, isSelected, isActive, onChoose }: RowProps) => (
  <button
    type="button"
    tabIndex={-1}
    id={id}
    role="option"
    className="options__item"
    aria-selected={isSelected}
    data-active={isActive ? '' : undefined}
    onClick={onChoose}
  >
    <CountryFlag country={row.country} />
    <span className="countries__name">
      {row.name}{' '}
      {row.native && (
        <span lang={row.language} className="muted">
          {row.native}
        </span>
      )}
    </span>
    <span className="number">+{row.code}</span>
  </button>
)

/** Shows the flag as a decoration, because the country's name and code are always next to it. The image is loaded lazily. */
const CountryFlag = ({ country }: { country: Country }) => (
  <img className="flag" src={`/flags/${country}.svg`} alt="" loading="lazy" />
)
