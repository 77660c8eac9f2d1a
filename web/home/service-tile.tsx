import { useEffect, useRef, useState } from 'react'
import { pages } from '../../contract/pages.ts'
import { CallFailed } from '../api.ts'
import { Icon } from '../art/icons.tsx'
import { Medallion, type Family } from '../art/medallion.tsx'
import { isOff } from '../config.ts'
import { useText } from '../locale.tsx'
import { failureText } from '../text/failure-text.ts'
import { Link } from '../ui/link.tsx'

type Read<T> = { data: T | undefined; error: Error | null; isFetching: boolean; refetch: () => unknown }

type Props<T> = {
  page: 'signatures' | 'seals' | 'timestamps'
  family: Family
  name: string
  read: Read<T>
  /** What there is of it; nothing where there is none. */
  says: (data: T) => string
  /** In place of that. */
  otherwise: string
}

/** A service and how much there is of it: one link, or one button that asks again for what could not be read (ux 8.2). */
export function ServiceTile<T>({ page, family, name, read, says, otherwise }: Props<T>) {
  const t = useText()
  const { data, error, isFetching, refetch } = read
  // Asked for again it has no error until it answers, and must not become a link meanwhile.
  const [failure, setFailure] = useState<Error>()
  if (error && !data && error !== failure) setFailure(error)
  const place = useRef<HTMLLIElement>(null)
  const asked = useRef(false)

  useEffect(() => {
    if (!data || !asked.current) return
    asked.current = false
    // The button is a link now, and the focus stays in its place (WCAG 2.4.3).
    if (document.activeElement === document.body) place.current?.querySelector('a')?.focus()
  }, [data])

  function askAgain() {
    if (isFetching) return
    asked.current = true
    refetch()
  }

  if (isOff(`/api/${page}`)) return null
  if (failure && !data) {
    const why =
      failure instanceof CallFailed && failure.code === 'unavailable'
        ? t(failureText.unavailable)
        : t({ pl: 'Nie udało się tego wczytać. Spróbuj ponownie', en: 'This could not be loaded. Try again' })
    return (
      <li ref={place}>
        <button type="button" className="tile" aria-disabled={isFetching || undefined} onClick={askAgain}>
          <Medallion family={family} size={64} off />
          <span>
            <b>{name}</b>
            <span>{isFetching ? t({ pl: 'Wczytujemy…', en: 'Loading…' }) : why}</span>
          </span>
          <Icon name="refresh" />
        </button>
      </li>
    )
  }
  return (
    <li ref={place}>
      <Link className="tile" to={pages[page].path}>
        <Medallion family={family} size={64} />
        <span>
          <b>{name}</b>
          <span>{(data && says(data)) || otherwise}</span>
        </span>
        <Icon name="right" />
      </Link>
    </li>
  )
}
