import type { ReactNode } from 'react'
import { pages, type PageName } from '../../contract/pages.ts'
import type { Text } from '../../contract/enums.ts'
import { Icon, type IconName } from '../art/icons.tsx'
import { isOff } from '../config.ts'
import { useText } from '../locale.tsx'
import { useCurrentPage } from '../route.ts'
import { Link } from '../ui/link.tsx'

type Tab = { page: PageName; icon: IconName; label: Text; short: Text }

const all: readonly Tab[] = [
  {
    page: 'signatures',
    icon: 'pen',
    label: { pl: 'Podpis kwalifikowany', en: 'Qualified signature' },
    short: { pl: 'Podpis', en: 'Signature' },
  },
  {
    page: 'seals',
    icon: 'stamp',
    label: { pl: 'Pieczęć kwalifikowana', en: 'Qualified seal' },
    short: { pl: 'Pieczęć', en: 'Seal' },
  },
  {
    page: 'timestamps',
    icon: 'clock',
    label: { pl: 'Znacznik czasu', en: 'Timestamp' },
    short: { pl: 'Znacznik', en: 'Timestamp' },
  },
]

const shown = all.filter(({ page }) => !isOff(page))

/** What the three kinds of certificates share: links, not tabs in the ARIA sense, because each is a page. */
export function CertificatesHead({ action }: { action?: ReactNode }) {
  const t = useText()
  const current = useCurrentPage()
  return (
    <>
      <div className="page__head">
        <div>
          <h1>{t({ pl: 'Certyfikaty', en: 'Certificates' })}</h1>
        </div>
        {action}
      </div>
      <nav className="tabs" aria-label={t({ pl: 'Rodzaje certyfikatów', en: 'Kinds of certificates' })}>
        {shown.map(({ page, icon, label, short }) => (
          <Link
            key={page}
            to={pages[page].path}
            aria-label={t(label)}
            aria-current={page === current ? 'page' : undefined}
          >
            <Icon name={icon} />
            <span className="tabs__long">{t(label)}</span>
            <span className="tabs__short">{t(short)}</span>
          </Link>
        ))}
      </nav>
    </>
  )
}
