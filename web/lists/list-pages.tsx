import type { Text } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { OfList, useListName } from './list-name.tsx'
import { useText } from '../app/locale.tsx'
import { Button } from '../ui/button.tsx'
import { Select } from '../ui/select.tsx'
import './list-pages.css'

const sizes = limits.list.sizes.map((size) => ({ value: String(size), label: String(size) }))

type Props = {
  page: number
  /** How many rows the page has; undefined while it is being read. */
  count: number | undefined
  /** Null on the last page, and while a page is being read. */
  next: string | null
  size: string
  onBack: () => void
  onNext: (cursor: string) => void
  onSize: (size: string) => void
}

/** Buttons for the previous and the next page, which rows this one has, and the page size. */
export function ListPages({ page, count, next, size, onBack, onNext, onSize }: Props) {
  const t = useText()
  const rows = count ? t(rowsText(page, Number(size), count, !next)) : undefined
  const name = useListName()
  const text = t({ pl: 'Strony listy', en: 'List pages' })
  return (
    <nav className="pages" aria-label={name ? `${text} – ${name}` : text}>
      <Button aria-disabled={page === 1} onClick={onBack}>
        <span>
          {t({ pl: 'Poprzednie', en: 'Previous' })}
          <OfList />
        </span>
      </Button>
      <p className="num">
        <span>{t({ pl: `Strona ${page}`, en: `Page ${page}` })}</span>
        {rows && `: ${rows}`}
      </p>
      <Button aria-disabled={!next} onClick={() => next && onNext(next)}>
        <span>
          {t({ pl: 'Następne', en: 'Next' })}
          <OfList />
        </span>
      </Button>
      <div className="pages__size">
        <Select
          name="size"
          label={t({ pl: 'Na stronie', en: 'Per page' })}
          about={<OfList />}
          value={size}
          options={sizes}
          onChange={onSize}
        />
      </div>
    </nav>
  )
}

/**
 * `pozycje 21–40`, and on the last page `pozycje 41–53 z 53` (UIX-38). Only the last page knows how many there are: to count the rows of a
 * large list would cost more than to read a page of it.
 */
function rowsText(page: number, size: number, count: number, isLast: boolean): Text {
  const end = (page - 1) * size + count
  const rows = `${end - count + 1}–${end}`
  if (count === 1 && isLast) return { pl: `pozycja ${end} z\u00a0${end}`, en: `item ${end} of ${end}` }
  return isLast
    ? { pl: `pozycje ${rows} z\u00a0${end}`, en: `items ${rows} of ${end}` }
    : { pl: `pozycje ${rows}`, en: `items ${rows}` }
}
