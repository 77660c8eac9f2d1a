import { useState, type MouseEvent } from 'react'
import { useLocation } from 'react-router'
import { changeLocale } from '../../contract/account.ts'
import type { Locale } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { findPage, inLocale, pages } from '../../contract/pages.ts'
import { storeDrafts, secretsWereTyped } from '../app/drafts.ts'
import { useHydrated } from '../app/hydration.tsx'
import { useLocale } from '../app/locale.tsx'
import { partOnDemand } from '../app/on-demand.tsx'
import { useCurrentSession } from '../app/session.tsx'
import { call } from '../calls/api.ts'
import { LanguageLinks } from '../ui/language-links.tsx'

/** Loaded when needed, because no page begins with it. */
const LostPasswordDialog = partOnDemand(() =>
  import('./lost-password-dialog.tsx').then((file) => file.LostPasswordDialog),
)

/** Shows plain links to the same page in the other language (RTE-1); the choice is kept for 365 days (UIX-4). */
export function LanguageSwitch() {
  const current = useLocale()
  const path = usePathWithQuery()
  const isSignedIn = !!useCurrentSession()
  const [chosen, setChosen] = useState<Locale>()

  function choose(event: MouseEvent<HTMLAnchorElement>, locale: Locale) {
    // A new tab or window does not change this page or what is typed in it.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return keepChoice(locale)
    event.preventDefault()
    if (locale === current) keepChoice(locale)
    else if (secretsWereTyped()) setChosen(locale)
    else change(locale)
  }

  function change(locale: Locale) {
    keepChoice(locale)
    const go = () => {
      storeDrafts()
      location.assign(inLocale(locale, path))
    }
    // Mails and text messages follow the switch; if that fails, the page still changes.
    if (isSignedIn) call(changeLocale, { body: { locale } }).then(go, go)
    else go()
  }

  return (
    <>
      <LanguageLinks hrefOf={(locale) => inLocale(locale, path)} onChoose={choose} />
      {chosen && <LostPasswordDialog onCancel={() => setChosen(undefined)} onConfirm={() => change(chosen)} />}
    </>
  )
}

const keepChoice = (locale: Locale) => {
  document.cookie = `locale=${locale}; path=/; max-age=${limits.localeCookieDays * 86_400}; samesite=lax; secure`
}

/**
 * Returns the current path without the language. A page without anybody's data is rendered for its own path, and hydration must start with
 * that.
 */
function usePathWithQuery() {
  const { pathname, search, hash } = useLocation()
  const name = findPage(pathname)
  const page = name && pages[name]
  if (useHydrated()) return pathname + search + hash
  return page && !page.path.includes(':') ? page.path : '/'
}
