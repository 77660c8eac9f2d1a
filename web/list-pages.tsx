import { limits } from '../../contract/limits.ts'
import { useText } from '../locale.tsx'
import { Button } from './button.tsx'
import './list-pages.css'

type Props = {
  page: number
  /** None at the last page, and none yet while a page is being read. */
  next: string | null
  size: string
  onBack: () => void
  onNext: (cursor: string) => void
  onSize: (size: string) => void
}

/** Back and on by cursor, and how many to a page. */
export function ListPages({ page, next, size, onBack, onNext, onSize }: Props) {
  const t = useText()
  return (
    <nav className="pages" aria-label={t({ pl: 'Strony listy', en: 'Pages of the list' })}>
      <Button icon="back" aria-disabled={page === 1} onClick={onBack}>
        {t({ pl: 'Poprzednie', en: 'Previous' })}
      </Button>
      <span className="num">{t({ pl: `Strona ${page}`, en: `Page ${page}` })}</span>
      <Button aria-disabled={!next} onClick={() => next && onNext(next)}>
        {t({ pl: 'Następne', en: 'Next' })}
      </Button>
      <label className="pages__size">
        {t({ pl: 'Na stronie', en: 'Per page' })}
        <select className="select" value={size} onChange={(event) => onSize(event.target.value)}>
          {limits.list.sizes.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
    </nav>
  )
}
