import { limits } from '../../contract/limits.ts'
import { useText } from '../locale.tsx'
import { Button } from '../ui/button.tsx'
import { useWish } from './signature-search.tsx'

type Props = { page: number; next: string | null; size: string; onBack: () => void; onNext: (cursor: string) => void }

/** Back and on by cursor, and how many to a page; nothing while one page holds all. */
export function ListPages({ page, next, size, onBack, onNext }: Props) {
  const t = useText()
  const { ask } = useWish()
  if (page === 1 && !next && size === String(limits.list.size)) return null
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
        <select className="select" value={size} onChange={(event) => ask({ size: event.target.value })}>
          {limits.list.sizes.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
    </nav>
  )
}
