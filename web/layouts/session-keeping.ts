import { useCallback, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { cameUnasked, loginPath, splitLocale, type LoginReason } from '../../contract/pages.ts'
import { failedWith, provide } from '../calls/api.ts'
import { useLocale } from '../app/locale.tsx'
import { patienceMs } from '../offline/offline-record.ts'
import { resumeKeptSession } from '../offline/offline-replies.ts'
import { reads } from '../calls/reads.ts'
import { dropSession, followTabs, currentSession, leaveToOther, loadSession, reasonOfEnd } from '../app/session.tsx'
import { keepDraftsInMemory } from '../app/drafts.ts'

/** What happens when the session is over: the login page says why, and returns here with what was typed (AUT-5). */
export function useEnding() {
  const navigate = useNavigate()
  const locale = useLocale()
  const { pathname, search } = useLocation()
  const back = (locale === 'en' ? '/en' : '') + pathname + search

  const left = useRef(false)
  const leave = useCallback(
    (reason: LoginReason) => {
      // The end is noticed in several ways at once: by other tabs, by a call, by the clock. The first one knows the reason.
      if (left.current) return undefined
      left.current = true
      // Reloaded, so that nothing stays in memory.
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

  useEffect(() => provide({ signedOut: (how) => (how === 'signed-out' ? ended() : leaveToOther()) }), [ended])
  useEffect(() => followTabs({ over: leave }), [leave])
  return ended
}

/** Reads the session when the page starts with this layout; after a sign-in it is known already. */
export function useFirstSession(ended: () => void) {
  const [fatal, setFatal] = useState<Error>()
  if (fatal) throw fatal
  useEffect(() => {
    // It may have arrived between the first render and this effect.
    if (currentSession()) return undefined
    // OFF-2: without an answer, the page continues with what was kept of the last one.
    const late = setTimeout(() => void resumeKeptSession(), patienceMs)
    loadSession()
      .catch(async (error: Error) => {
        if (failedWith(error, 'signed-out')) return ended()
        if (failedWith(error, 'offline') && (await resumeKeptSession())) return undefined
        // Access denied is already shown.
        if (!failedWith(error, 'cancelled')) setFatal(error)
        return undefined
      })
      .finally(() => clearTimeout(late))
    return () => clearTimeout(late)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- read once; later changes arrive by other ways
  }, [])
}
