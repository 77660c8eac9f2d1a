import { useState, type MouseEvent } from 'react'
import { useLocation } from 'react-router'
import { changeLocale } from '../../contract/account.ts'
import { locales, type Locale } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { findPage, inLocale, pages } from '../../contract/pages.ts'
import { call } from '../api.ts'
import { useHydrated } from '../hydrated.ts'
import { useLocale, useText } from '../locale.tsx'
import { useHeldSession } from '../session.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { passDraftsOn, secretsWereTyped } from '../ui/drafts.ts'

const names = { pl: 'Polski', en: 'English' }

/** Plain links to the same place in the other language (RTE-1); the choice is kept for 365 days (UIX-4). */
export function LanguageSwitch() {
  const current = useLocale()
  const place = usePlace()
  const signedIn = !!useHeldSession()
  const [asked, setAsked] = useState<Locale>()

  function choose(event: MouseEvent<HTMLAnchorElement>, locale: Locale) {
    // A new tab or window leaves this page, and what is typed in it, as it is.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return keepChoice(locale)
    event.preventDefault()
    if (locale === current) keepChoice(locale)
    else if (secretsWereTyped()) setAsked(locale)
    else change(locale)
  }

  function change(locale: Locale) {
    keepChoice(locale)
    const go = () => {
      passDraftsOn()
      location.assign(inLocale(locale, place))
    }
    // Messages follow the switch; if they cannot, the page still does.
    if (signedIn) call(changeLocale, { body: { locale } }).then(go, go)
    else go()
  }

  return (
    <>
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
      {asked && <LostPasswordDialog onStay={() => setAsked(undefined)} onGo={() => change(asked)} />}
    </>
  )
}

/** Nothing typed is lost without a warning, and a password is never carried along (RTE-1). */
function LostPasswordDialog({ onStay, onGo }: { onStay: () => void; onGo: () => void }) {
  const t = useText()
  return (
    <Dialog
      role="alertdialog"
      width="s"
      initialFocus="safe"
      title={t({ pl: 'Czy zmienić język na angielski?', en: 'Do you want to change the language to Polish?' })}
      description={t({
        pl: 'Wpisane hasło zniknie, bo dla bezpieczeństwa nigdzie go nie zapisujemy. Pozostałe wpisy zostaną.',
        en: 'The password you have entered will be gone, because for safety we never store it. Everything else stays.',
      })}
      onClose={onStay}
      footer={
        <>
          <Button variant="quiet" data-safe onClick={onStay}>
            {t({ pl: 'Anuluj', en: 'Cancel' })}
          </Button>
          <Button variant="primary" onClick={onGo}>
            {t({ pl: 'Zmień język', en: 'Change the language' })}
          </Button>
        </>
      }
    />
  )
}

const keepChoice = (locale: Locale) => {
  document.cookie = `locale=${locale}; path=/; max-age=${limits.localeCookieDays * 86_400}; samesite=lax; secure`
}

/** Where one is, without the language. Prerendered pages know only their own path, and React must find that one first. */
function usePlace() {
  const { pathname, search, hash } = useLocation()
  const name = findPage(pathname)
  const page = name && pages[name]
  if (useHydrated()) return pathname + search + hash
  return page && !page.protected && !page.path.includes(':') ? page.path : '/'
}
