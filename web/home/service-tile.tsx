import { useEffect, useRef, useState } from 'react'
import { pages } from '../../contract/pages.ts'
import { isOff } from '../app/config.ts'
import { useText } from '../app/locale.tsx'
import { Icon } from '../art/icons.tsx'
import { Medallion } from '../art/medallion.tsx'
import { hasFailedWith } from '../calls/api.ts'
import { failureText } from '../text/failure-text.ts'
import { serviceNames } from '../text/product-text.ts'
import { Link } from '../ui/link.tsx'

type ReadResult<T> = { data: T | undefined; error: Error | null; isFetching: boolean; refetch: () => unknown }

type Props<T> = {
  service: keyof typeof services
  read: ReadResult<T>
  /** Returns the amount as text; empty if there is none. */
  textOf: (data: T) => string
}

const services = {
  signatures: { family: 'signature', see: { pl: 'Zobacz swoje podpisy', en: 'View your signatures' } },
  seals: { family: 'seal', see: { pl: 'Zobacz swoje pieczęcie', en: 'View your seals' } },
  timestamps: { family: 'timestamp', see: { pl: 'Zobacz swoje znaczniki', en: 'View your timestamps' } },
} as const

type Counts = { active: number; remaining?: number | null }

/**
 * Shows a service and its count as one link, or as one button that reads again what failed. It is grey if nothing of the service
 * can be used.
 */
export function ServiceTile<T extends Counts>({ service, read, textOf }: Props<T>) {
  const t = useText()
  const { family, see } = services[service]
  const name = t(serviceNames[service])
  const { data, error, isFetching, refetch } = read
  // While it is read again it has no error, and must not become a link meanwhile.
  const [failure, setFailure] = useState<Error>()
  if (error && !data && error !== failure) setFailure(error)
  const tile = useRef<HTMLLIElement>(null)
  const retried = useRef(false)

  useEffect(() => {
    if (!data || !retried.current) return
    retried.current = false
    // The button is a link now, and the focus moves to it (WCAG 2.4.3).
    if (document.activeElement === document.body) tile.current?.querySelector('a')?.focus()
  }, [data])

  function retry() {
    if (isFetching) return
    retried.current = true
    refetch()
  }

  if (isOff(`/api/${service}`)) return null
  if (failure && !data) {
    const why = hasFailedWith(failure, 'unavailable')
      ? t(failureText.unavailable)
      : t({ pl: 'Nie udało się wczytać. Spróbuj ponownie', en: 'We couldn’t load this. Try again' })
    return (
      <li ref={tile}>
        <button type="button" className="tile" aria-disabled={isFetching || undefined} onClick={retry}>
          <Medallion family={family} size={64} isOff />
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
    <li ref={tile}>
      <Link className="tile" to={pages[service].path}>
        <Medallion family={family} size={64} isOff={!!data && (!data.active || data.remaining === 0)} />
        <span>
          <b>{name}</b>
          <span>{(data && textOf(data)) || t(see)}</span>
        </span>
        <Icon name="right" />
      </Link>
    </li>
  )
}
