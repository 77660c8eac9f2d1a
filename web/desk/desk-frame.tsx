import type { ReactNode } from 'react'
import { searchDesk } from '../../contract/desk/desk-customers.ts'
import { mayCall } from '../../contract/desk/desk-permissions.ts'
import { endDeskSession, type DeskSession } from '../../contract/desk/desk-session.ts'
import { call } from '../api.ts'
import { Brand } from '../art/brand-mark.tsx'
import { useText } from '../locale.tsx'
import { Link } from '../ui/link.tsx'
import { Menu } from '../ui/menu.tsx'
import { Icon } from '../art/icons.tsx'
import { DeskSearch } from './desk-search.tsx'
import { DeskLanguage } from './desk-locale.tsx'
import { roleText } from './role-text.ts'

/** The bar above every screen: where it is, who works, and the way out. */
export function DeskFrame({ session, children }: { session: DeskSession; children: ReactNode }) {
  const t = useText()
  return (
    <div className="desk">
      <header className="desk__bar">
        <Link className="brand" to="/">
          <Brand />
          <span className="desk__name">{t({ pl: 'Konsola', en: 'Desk' })}</span>
        </Link>
        <div className="desk__end">
          <DeskLanguage />
          <StaffMenu session={session} />
        </div>
      </header>
      <main className="desk__main">
        {mayCall(searchDesk, session.roles) && <DeskSearch />}
        {children}
      </main>
    </div>
  )
}

function StaffMenu({ session: { name, roles } }: { session: DeskSession }) {
  const t = useText()
  const leave = async () => {
    await call(endDeskSession)
    // A new document: nothing of a customer stays in the memory of this one.
    location.replace('/desk')
  }
  return (
    <Menu
      className="who"
      button={
        <>
          <span className="who__name" translate="no">
            {name}
          </span>
          <Icon name="down" size="s" />
        </>
      }
      heading={
        <>
          <b translate="no">{name}</b>
          <span>{roles.map((role) => t(roleText[role])).join(', ')}</span>
        </>
      }
      items={[
        { icon: 'lock', label: t({ pl: 'Sesje', en: 'Sessions' }), to: '/sessions' },
        { icon: 'out', label: t({ pl: 'Wyloguj się', en: 'Sign out' }), onSelect: () => void leave() },
      ]}
    />
  )
}
