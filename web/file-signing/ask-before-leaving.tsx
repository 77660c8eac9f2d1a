import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { splitLocale } from '../../contract/pages.ts'
import { useLocale, useText } from '../app/locale.tsx'
import { provide } from '../calls/api.ts'
import { ChoiceDialog } from '../ui/confirm-dialog.tsx'

/** Action that the customer wanted to take. */
type Departure = { go: () => void; stay?: () => void }

/**
 * Asks before the customer follows a link, goes back or forward in the history, or signs out, because only this tab has the files (SGN-27).
 * `askBeforeUnload` covers the rest.
 */
export function AskBeforeLeaving({ onLeave }: { onLeave: () => void }) {
  const t = useText()
  const [wanted, setWanted] = useState<Departure>()
  useAskAtLinks(setWanted)
  useAskInHistory(setWanted)
  useEffect(
    () =>
      provide({
        mayLeave: () => new Promise((resolve) => setWanted({ go: () => resolve(true), stay: () => resolve(false) })),
      }),
    [],
  )
  if (!wanted) return null
  return (
    <ChoiceDialog
      title={t({ pl: 'Wyjść z\u00a0tej strony?', en: 'Leave this page?' })}
      cancel={t({ pl: 'Zostań', en: 'Stay' })}
      confirm={t({ pl: 'Wyjdź', en: 'Leave' })}
      onCancel={() => {
        setWanted(undefined)
        wanted.stay?.()
      }}
      onConfirm={() => {
        setWanted(undefined)
        onLeave()
        wanted.go()
      }}
    >
      <p>
        {t({
          pl: 'Te pliki są tylko na tej stronie. Gdy wyjdziesz, znikną, także podpisane, ale jeszcze niezapisane.',
          en: 'These files are only on this page. Once you leave, they’re gone, including signed files you haven’t saved.',
        })}
      </p>
    </ChoiceDialog>
  )
}

function useAskAtLinks(ask: (wanted: Departure) => void) {
  const locale = useLocale()
  const navigate = useNavigate()
  const press = useEffectEvent((event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!link?.href || link.target || link.download || event.ctrlKey || event.metaKey || event.shiftKey) return
    const url = new URL(link.href)
    // Another language reloads the page, and links to elsewhere leave it, which the browser asks about.
    const isOfRouter = url.origin === location.origin && splitLocale(url.pathname).locale === locale
    if (!isOfRouter || url.pathname === location.pathname) return
    event.preventDefault()
    ask({ go: () => void navigate(splitLocale(url.pathname).path + url.search + url.hash) })
  })
  useEffect(() => {
    // Before the router handles it.
    document.addEventListener('click', press, { capture: true })
    return () => document.removeEventListener('click', press, { capture: true })
  }, [])
}

/**
 * Asks before a move in the history, which only browsers with the Navigation API can do. In others the chosen files are then lost; signed
 * ones stay in the tab (`signed-files-store.ts`).
 */
function useAskInHistory(ask: (wanted: Departure) => void) {
  const isAgreed = useRef(false)
  const move = useEffectEvent((event: NavigateEvent) => {
    if (event.navigationType !== 'traverse' || !event.cancelable || isAgreed.current) return
    const { url, index } = event.destination
    const by = index - (navigation.currentEntry?.index ?? index)
    if (new URL(url).pathname === location.pathname) return
    event.preventDefault()
    ask({
      go() {
        isAgreed.current = true
        history.go(by)
      },
    })
  })
  useEffect(() => {
    if (!('navigation' in window)) return undefined
    navigation.addEventListener('navigate', move)
    return () => navigation.removeEventListener('navigate', move)
  }, [])
}
