import { limits } from '../contract/limits.ts'
import { OfList, useListName } from './list-name.tsx'
import { useText } from './locale.tsx'
import { Button } from './ui/button.tsx'
import { Select } from './ui/select.tsx'
import './list-pages.css'

const sizes = limits.list.sizes.map((size) => ({ value: String(size), label: String(size) }))

type Props = {
  page: number
  /** Null on the last page, and while a page is being read. */
  next: string | null
  size: string
  onBack: () => void
  onNext: (cursor: string) => void
  onSize: (size: string) => void
}

/** Buttons for the previous and the next page, and the page size. */
export function ListPages({ page, next, size, onBack, onNext, onSize }: Props) {
  const t = useText()
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
      <span className="num">{t({ pl: `Strona ${page}`, en: `Page ${page}` })}</span>
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
