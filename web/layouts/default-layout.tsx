import { type ReactNode, useId, useState } from 'react'
import { isOff } from '../app/config.ts'
import { useHydrated } from '../app/hydration.tsx'
import { useText } from '../app/locale.tsx'
import { useCurrentPage } from '../app/route.ts'
import { supportHours, SupportPhone } from '../app/support-line.tsx'
import { BrandMark, WaxMark } from '../art/brand-mark.tsx'
import { Icon } from '../art/icons.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Link } from '../ui/link.tsx'
import { AccountMenu } from './account-menu.tsx'
import { LanguageSwitch } from './language-switch.tsx'
import { isUnderMore, menu, pathOf, positionInMenu, tabs } from './menu-items.ts'
import { OfflineBar } from './offline-bar.tsx'
import { useSignOut } from './sign-out.ts'
import { SignedInFrame, SignedInMain } from './signed-in-frame.tsx'

/** Shows the menu around every signed-in screen (RTE-2), and the screen only once the session is known. */
export function DefaultLayout({ children }: { children: ReactNode }) {
  return (
    <SignedInFrame className="app">
      <SideMenu />
      <div className="main">
        <OfflineBar />
        <header className="topbar">
          <div className="mobile-top">
            <Link className="brand" to="/home">
              <BrandMark />
            </Link>
          </div>
          <Breadcrumbs />
          <div className="topbar__end">
            <LanguageSwitch />
            <AccountMenu />
          </div>
        </header>
        <SignedInMain className="page">{children}</SignedInMain>
      </div>
      <TabBar />
    </SignedInFrame>
  )
}

/** Returns the groups with entries, without pages that are off (ERR-5). */
const offeredMenu = () =>
  menu
    .map(({ entries, ...group }) => ({ ...group, entries: entries.filter(({ page }) => !isOff(page)) }))
    .filter(({ entries }) => entries.length)

/** Shows the whole menu, with a list for each group, so that a screen reader says how many entries it has. */
function MainMenu({ className, onFollow, mark }: { className: string; onFollow?: () => void; mark?: ReactNode }) {
  const t = useText()
  const id = useId()
  const current = useCurrentPage()
  return (
    <nav className={className} aria-label={t({ pl: 'Menu główne', en: 'Main menu' })}>
      {offeredMenu().map(({ label, entries }, group) => (
        <div key={entries[0]?.page} className="nav__group">
          {label && (
            <p className="nav__label" id={id + group}>
              {t(label)}
            </p>
          )}
          <ul className="nav__list" aria-labelledby={label && id + group}>
            {entries.map(({ page, icon, label: name }) => (
              <li key={page}>
                <Link to={pathOf(page)} aria-current={page === current ? 'page' : undefined} onClick={onFollow}>
                  <Icon name={icon} />
                  {t(name)}
                  {page === current && mark}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

function SideMenu() {
  const t = useText()
  return (
    <aside className="side" aria-label={t({ pl: 'Menu i\u00a0pomoc', en: 'Menu and help' })}>
      <Link className="brand" to="/home">
        <BrandMark />
      </Link>
      <MainMenu className="nav" mark={<WaxMark />} />
      <MenuHelp />
    </aside>
  )
}

/** Shows the support number with its hours on two lines, because it is too long for one. */
function MenuHelp() {
  const t = useText()
  const { pl, en } = supportHours()
  return (
    <p className="side__help">
      <span className="muted">{t({ pl: `Pomoc, ${pl}`, en: `Help, ${en}` })}</span>
      <SupportPhone />
    </p>
  )
}

function Breadcrumbs() {
  const t = useText()
  const position = positionInMenu(useCurrentPage())
  if (!position) return null
  return (
    <nav className="crumbs" aria-label={t({ pl: 'Ścieżka', en: 'Breadcrumbs' })}>
      <ol>
        <li>{t(position.group)}</li>
        <li aria-hidden="true">/</li>
        <li aria-current="page">{t(position.entry)}</li>
      </ol>
    </nav>
  )
}

/** Shows the bottom bar of phones and tablets; „Więcej” opens the whole menu as a sheet. */
function TabBar() {
  const t = useText()
  const current = useCurrentPage()
  const isHydrated = useHydrated()
  const [isMoreOpen, setIsMoreOpen] = useState(false)
  return (
    <nav className="tabbar" aria-label={t({ pl: 'Skróty', en: 'Shortcuts' })}>
      <ul className="tabbar__in">
        {tabs
          .filter(({ covers }) => !covers.every(isOff))
          .map(({ page, icon, label, covers, marks }) => (
            <li key={page}>
              <Link
                to={pathOf(covers.find((covered) => !isOff(covered)) ?? page)}
                aria-current={current && (covers.includes(current) || current === marks) ? 'page' : undefined}
              >
                <Icon name={icon} size="l" />
                <span>{t(label)}</span>
              </Link>
            </li>
          ))}
        <li>
          <button
            type="button"
            aria-haspopup="dialog"
            aria-current={isUnderMore(current) || undefined}
            disabled={!isHydrated}
            onClick={() => setIsMoreOpen(true)}
          >
            <Icon name="menu" size="l" />
            <span>{t({ pl: 'Więcej', en: 'More' })}</span>
          </button>
        </li>
      </ul>
      {isMoreOpen && <MoreSheet onClose={() => setIsMoreOpen(false)} />}
    </nav>
  )
}

function MoreSheet({ onClose }: { onClose: () => void }) {
  const t = useText()
  const leave = useSignOut()
  return (
    <Dialog
      title={t({ pl: 'Menu', en: 'Menu' })}
      onClose={onClose}
      initialFocus="title"
      footer={
        <Button variant="secondary" icon="sign-out" isWide onClick={() => void leave()}>
          {t({ pl: 'Wyloguj się', en: 'Sign out' })}
        </Button>
      }
    >
      <MainMenu className="nav nav--sheet" onFollow={onClose} />
      <MenuHelp />
    </Dialog>
  )
}
