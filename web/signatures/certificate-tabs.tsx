import { NavLink } from 'react-router'
import { pages } from '../../contract/pages.ts'
import { Icon } from '../art/icons.tsx'
import { useText } from '../locale.tsx'

const tabs = [
  { page: pages.signatures, icon: 'pen', label: { pl: 'Podpis kwalifikowany', en: 'Qualified signature' }, short: { pl: 'Podpis', en: 'Signature' } },
  { page: pages.seals, icon: 'stamp', label: { pl: 'Pieczęć kwalifikowana', en: 'Qualified seal' }, short: { pl: 'Pieczęć', en: 'Seal' } },
  { page: pages.timestamps, icon: 'clock', label: { pl: 'Znacznik czasu', en: 'Timestamp' }, short: { pl: 'Znacznik', en: 'Timestamp' } },
] as const

/** The three kinds of certificates: links, not tabs in the ARIA sense, because each is a page. */
export function CertificateTabs() {
  const t = useText()
  return (
    <nav className="tabs" aria-label={t({ pl: 'Rodzaje certyfikatów', en: 'Kinds of certificates' })}>
      {tabs.map(({ page, icon, label, short }) => (
        <NavLink key={page.path} to={page.path} aria-label={t(label)}>
          <Icon name={icon} />
          <span className="tabs__long">{t(label)}</span>
          <span className="tabs__short">{t(short)}</span>
        </NavLink>
      ))}
    </nav>
  )
}
