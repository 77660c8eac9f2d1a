import type { ReactNode } from 'react'
import { pages } from '../../contract/pages.ts'
import { isOff } from '../app/config.ts'
import { useText } from '../app/locale.tsx'
import { usePage } from '../app/page-title.ts'
import { Icon } from '../art/icons.tsx'
import { serviceNames } from '../text/product-text.ts'
import { Link } from '../ui/link.tsx'

const tabs = [
  { page: 'signatures', icon: 'pen', short: { pl: 'Podpis', en: 'Signature' } },
  { page: 'seals', icon: 'stamp', short: { pl: 'Pieczęć', en: 'Seal' } },
  { page: 'timestamps', icon: 'clock', short: { pl: 'Znacznik', en: 'Timestamp' } },
] as const

/** Shows the head of the three certificate pages, with links instead of ARIA tabs, because each is a page. */
export function CertificatesHead({ page: current, action }: { page: keyof typeof serviceNames; action?: ReactNode }) {
  const t = useText()
  usePage({ title: serviceNames[current] })
  const shown = tabs.filter(({ page }) => !isOff(page))
  return (
    <>
      <div className="page__head">
        <div>
          <h1>{t(serviceNames[current])}</h1>
        </div>
        {action}
      </div>
      <nav className="tabs tabs--kinds" aria-label={t({ pl: 'Rodzaje certyfikatów', en: 'Types of certificates' })}>
        {shown.map(({ page, icon, short }) => (
          <Link
            key={page}
            to={pages[page].path}
            aria-label={t(serviceNames[page])}
            aria-current={page === current ? 'page' : undefined}
          >
            <Icon name={icon} />
            <span className="tabs__long">{t(serviceNames[page])}</span>
            <span className="tabs__short">{t(short)}</span>
          </Link>
        ))}
      </nav>
    </>
  )
}
