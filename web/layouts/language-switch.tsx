import type { MouseEvent } from 'react'
import { useLocation } from 'react-router'
import { changeLocale } from '../../contract/account.ts'
import { locales, type Locale } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { findPage, inLocale, pages } from '../../contract/pages.ts'
import { call } from '../api.ts'
import { useHydrated } from '../hydrated.ts'
import { useLocale } from '../locale.tsx'
import { useHeldSession } from '../session.tsx'
import { passDraftsOn } from '../ui/drafts.ts'

const names = { pl: 'Polski', en: 'English' }

/** Plain links to the same place in the other language (RTE-1); the choice is kept for 365 days (UIX-4). */
export function LanguageSwitch() {
  const current = useLocale()
  const place = usePlace()
  const signedIn = !!useHeldSession()

  function choose(event: MouseEvent<HTMLAnchorElement>, locale: Locale) {
    passDraftsOn()
    document.cookie = `locale=${locale}; path=/; max-age=${limits.localeCookieDays * 86_400}; samesite=lax; secure`
    if (!signedIn || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    const { href } = event.currentTarget
    // Messages follow the switch; if they cannot, the page still does.
    const go = () => location.assign(href)
    call(changeLocale, { body: { locale } }).then(go, go)
  }

  return (
    <nav className="lang" aria-label="Język / Language">
      {locales.map((locale) => (
        <a
          key={locale}
          href={inLocale(locale, place)}
          lang={locale}
          hrefLang={locale}
          aria-current={locale === current ? 'true' : undefined}
          onClick={(event) => choose(event, locale)}
        >
          <span aria-hidden="true">{locale.toUpperCase()}</span>
          <span className="vh">{names[locale]}</span>
        </a>
      ))}
    </nav>
  )
}

/** Where one is, without the language. Prerendered pages know only their own path, and React must find that one first. */
function usePlace() {
  const { pathname, search, hash } = useLocation()
  const name = findPage(pathname)
  const page = name && pages[name]
  if (useHydrated()) return pathname + search + hash
  return page && !page.protected && !page.path.includes(':') ? page.path : '/'
}
