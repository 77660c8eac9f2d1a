import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { splitLocale } from '../../contract/pages.ts'
import { useLocale, useText } from '../locale.tsx'
import { ChoiceDialog } from '../ui/choice-dialog.tsx'

/** SGN-27: only this page has the files, so following a link, a reload and closing the tab ask first. */
export function AskBeforeLeaving() {
  const t = useText()
  const locale = useLocale()
  const navigate = useNavigate()
  const [target, setTarget] = useState<URL>()
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    // Before the router handles it.
    const askAtLink = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      if (!link?.href || link.target || link.download || event.ctrlKey || event.metaKey || event.shiftKey) return
      const url = new URL(link.href)
      // Another language reloads the page, and links to elsewhere leave it, which the browser asks about.
      const isOfRouter = url.origin === location.origin && splitLocale(url.pathname).locale === locale
      if (!isOfRouter || url.pathname === location.pathname) return
      event.preventDefault()
      setTarget(url)
    }
    addEventListener('beforeunload', ask)
    document.addEventListener('click', askAtLink, { capture: true })
    return () => {
      removeEventListener('beforeunload', ask)
      document.removeEventListener('click', askAtLink, { capture: true })
    }
  }, [locale])
  if (!target) return null
  return (
    <ChoiceDialog
      title={t({ pl: 'Wyjść z\u00a0tej strony?', en: 'Leave this page?' })}
      cancel={t({ pl: 'Zostań', en: 'Stay' })}
      confirm={t({ pl: 'Wyjdź', en: 'Leave' })}
      onCancel={() => setTarget(undefined)}
      onConfirm={() => void navigate(splitLocale(target.pathname).path + target.search + target.hash)}
    >
      <p>
        {t({
          pl: 'Pliki, które tu są, ma tylko ta strona. Gdy wyjdziesz, znikną, także podpisane, ale jeszcze niezapisane.',
          en: 'Only this page has the files that are here. Once you leave, they’ll be gone, including signed files you haven’t saved.',
        })}
      </p>
    </ChoiceDialog>
  )
}
