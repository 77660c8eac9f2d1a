import { useCallback, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { loginPath, splitLocale } from '../../contract/pages.ts'
import { CallFailed, offer } from '../api.ts'
import { firstReads } from '../first-reads.ts'
import { useLocale } from '../locale.tsx'
import { readAhead, reads } from '../reads.ts'
import { useCurrentPage } from '../route.ts'
import { dropSession, followTabs, heldSession, loadSession, useHeldSession } from '../session.tsx'
import { keepDraftsInMemory } from '../ui/drafts.ts'

/** What happens when the session is over: the login page says why, and leads back here with what was typed (AUT-5). */
export function useEnding() {
  const navigate = useNavigate()
  const locale = useLocale()
  const { pathname, search } = useLocation()
  const back = (locale === 'en' ? '/en' : '') + pathname + search

  const leave = useCallback(() => {
    keepDraftsInMemory()
    reads.clear()
    const { pathname: login, search: query } = new URL(
      loginPath(locale, { reason: 'session-ended', back }),
      location.origin,
    )
    void navigate(splitLocale(login).path + query, { replace: true })
  }, [navigate, locale, back])

  const ended = useCallback(() => {
    dropSession('session-ended')
    leave()
  }, [leave])

  useEffect(() => offer({ signedOut: ended }), [ended])
  useEffect(
    () =>
      followTabs((reason) => {
        if (reason === 'session-ended') leave()
        else location.replace(loginPath(locale, { reason }))
      }),
    [leave, locale],
  )
  useEffect(() => {
    // A page that the browser kept for its back button must not show what a customer signed out of (R8).
    const shown = (event: PageTransitionEvent) => event.persisted && location.reload()
    addEventListener('pageshow', shown)
    return () => removeEventListener('pageshow', shown)
  }, [])
  return ended
}

/** Reads the session when the page begins with this layout; signing in has brought it along otherwise. */
export function useFirstSession(ended: () => void) {
  const [fatal, setFatal] = useState<Error>()
  if (fatal) throw fatal
  useEffect(() => {
    // It may have come between the first drawing and this.
    if (heldSession()) return
    loadSession().catch((error: Error) => {
      if (error instanceof CallFailed && error.code === 'signed-out') ended()
      else setFatal(error)
    })
    // eslint-disable-next-line react/exhaustive-deps -- read once; what comes later is held
  }, [])
}

/** How long a screen waits for what it reads first before it shows itself without. */
const patienceMs = 150

/**
 * True once the screen can be shown: the session is known and what its page reads first is there, or is late. Both have
 * been asked for together, so the screen mostly appears complete and nothing on it moves.
 */
export function useFirstScreen(): boolean {
  const known = !!useHeldSession()
  const page = useCurrentPage()
  const { search } = useLocation()
  const wanted = search ? [] : ((page && firstReads[page]) ?? [])
  const first = useRef(wanted)
  const reading = useRef<Promise<unknown>>(undefined)
  // Nothing to read and nobody to wait for: the screen that is there stays.
  const [ready, setReady] = useState(known && !wanted.length)

  useEffect(() => {
    reading.current = Promise.all(first.current.map(readAhead))
  }, [])
  useEffect(() => {
    if (!known) return
    const patience = setTimeout(() => setReady(true), patienceMs)
    void reading.current!.then(() => setReady(true))
    return () => clearTimeout(patience)
  }, [known])
  return known && ready
}
