import { useState, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { searchDesk } from '../../contract/desk/desk-customers.ts'
import { mayCall, type DeskRole } from '../../contract/desk/desk-permissions.ts'
import { endDeskSession, type DeskSession } from '../../contract/desk/desk-session.ts'
import type { Text } from '../../contract/enums.ts'
import { useText } from '../app/locale.tsx'
import { clearFlag, hasFlag, setFlag } from '../app/storage.ts'
import { BrandMark } from '../art/brand-mark.tsx'
import { Icon } from '../art/icons.tsx'
import { call } from '../calls/api.ts'
import { Link } from '../ui/link.tsx'
import { Menu, type MenuItem } from '../ui/menu.tsx'
import { DeskLanguage } from './desk-locale.tsx'
import { DeskSearch } from './desk-search.tsx'
import { deskSections, isOpenTo } from './desk-sections.ts'

/** Shows every screen below a bar with the sections of the desk, the signed-in person and sign-out. */
export function DeskFrame({ session, children }: { session: DeskSession; children: ReactNode }) {
  const t = useText()
  const maySearch = mayCall(searchDesk, session.roles)
  const searchKey = useSearchKey()
  return (
    <div className="desk">
      <header className="desk__bar">
        <Link className="brand" to="/">
          <BrandMark />
          <span className="desk__name">{t({ pl: 'Konsola', en: 'Desk' })}</span>
        </Link>
        <Sections session={session} />
        <div className="desk__end">
          <DeskLanguage />
          <StaffMenu session={session} items={maySearch ? [searchKey.item] : []} />
        </div>
      </header>
      <main className="desk__main">
        {maySearch && <DeskSearch hasKey={searchKey.isOn} />}
        {children}
      </main>
    </div>
  )
}

/** Shows the parts of the desk that this person’s roles open. */
function Sections({ session }: { session: DeskSession }) {
  const t = useText()
  const { pathname } = useLocation()
  const open = deskSections.filter(({ endpoint }) => isOpenTo(session, endpoint))
  // Staff with only the start page need no bar.
  if (open.every(({ path }) => path === '/')) return null
  return (
    <nav className="desk__sections" aria-label={t({ pl: 'Części konsoli', en: 'Parts of the desk' })}>
      {open.map(({ path, pathPrefix, label, Count }) => {
        const isHere = pathname === path || pathname.startsWith(pathPrefix ?? `${path}/`)
        return (
          <Link key={path} to={path} aria-current={isHere ? 'page' : undefined}>
            {t(label)}
            {Count && <Count />}
          </Link>
        )
      })}
    </nav>
  )
}

const searchKeyOff = 'desk-search-key-off'

/**
 * Returns whether `/` leads to the search on this machine, and the menu item that switches it, because dictating text can press keys
 * unintentionally (DSK-23, WCAG 2.1.4).
 */
function useSearchKey(): { isOn: boolean; item: MenuItem } {
  const t = useText()
  const [isOn, setIsOn] = useState(() => !hasFlag(searchKeyOff))
  const change = () => {
    if (isOn) setFlag(searchKeyOff)
    else clearFlag(searchKeyOff)
    setIsOn(!isOn)
  }
  const label = isOn
    ? t({ pl: 'Wyłącz skrót „/”', en: 'Turn off the “/” key' })
    : t({ pl: 'Włącz skrót „/”', en: 'Turn on the “/” key' })
  return { isOn, item: { icon: 'search', label, onSelect: change } }
}

export const staffRoleText: Record<DeskRole, Text> = {
  reader: { pl: 'podgląd', en: 'reader' },
  agent: { pl: 'obsługa', en: 'agent' },
  auditor: { pl: 'audyt', en: 'auditor' },
  administrator: { pl: 'administracja', en: 'administrator' },
}

function StaffMenu({ session: { name, roles }, items }: { session: DeskSession; items: readonly MenuItem[] }) {
  const t = useText()
  const leave = async () => {
    const { url } = await call(endDeskSession)
    // A new document: nothing of a customer stays in the memory of this one.
    location.replace(url ?? '/desk')
  }
  return (
    <Menu
      className="account-button"
      button={
        <>
          <span className="account-button__name" translate="no">
            {name}
          </span>
          <Icon name="down" size="s" />
        </>
      }
      heading={
        <>
          <b translate="no">{name}</b>
          <span>{roles.map((role) => t(staffRoleText[role])).join(', ')}</span>
        </>
      }
      items={[
        { icon: 'lock', label: t({ pl: 'Sesje', en: 'Sessions' }), to: '/sessions' },
        ...items,
        { icon: 'sign-out', label: t({ pl: 'Wyloguj się', en: 'Sign out' }), onSelect: () => void leave() },
      ]}
    />
  )
}
