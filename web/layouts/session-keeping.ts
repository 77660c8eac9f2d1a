import { useCallback, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { cameUnasked, loginPath, splitLocale, type LoginReason } from '../../contract/pages.ts'
import { CallFailed, offer } from '../api.ts'
import { firstReads } from '../first-reads.ts'
import { useLocale } from '../locale.tsx'
import { readAhead, reads } from '../reads.ts'
import { useCurrentPage } from '../route.ts'
import { dropSession, followTabs, heldSession, loadSession, reasonOfEnd, useHeldSession } from '../session.tsx'
import { keepDraftsInMemory } from '../ui/drafts.ts'

/** What happens when the session is over: the login page says why, and leads back here with what was typed (AUT-5). */
export function useEnding() {
  const navigate = useNavigate()
  const locale = useLocale()
  const { pathname, search } = useLocation()
  const back = (locale === 'en' ? '/en' : '') + pathname + search

  const left = useRef(false)
  const leave = useCallback(
    (reason: LoginReason) => {
      // The end is heard of in several ways at once: from other tabs, from a call under way, from the clock. The first knows why.
      if (left.current) return undefined
      left.current = true
      // Loaded anew, so that nothing stays in memory.
      if (!cameUnasked(reason)) return location.replace(loginPath(locale, { reason }))
      keepDraftsInMemory()
      reads.clear()
      const { pathname: login, search: query } = new URL(loginPath(locale, { reason, back }), location.origin)
      return void navigate(splitLocale(login).path + query, { replace: true })
    },
    [navigate, locale, back],
  )

  const ended = useCallback(() => {
    const reason = reasonOfEnd()
    dropSession(reason)
    leave(reason)
  }, [leave])

  useEffect(() => offer({ signedOut: ended }), [ended])
  useEffect(() => followTabs({ over: leave }), [leave])
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
