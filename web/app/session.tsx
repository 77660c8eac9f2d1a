import { useCallback, useEffect, useSyncExternalStore } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { readSession } from '../../contract/account.ts'
import { inLocale, safeReturnPath, splitLocale, type LoginReason } from '../../contract/pages.ts'
import type { Session } from '../../contract/session.ts'
import { call, hasFailedWith, setPageCustomer } from '../calls/api.ts'
import { claimDrafts, storeDrafts } from './drafts.ts'
import { useLocale } from './locale.tsx'
import { clearFlag, hasFlag, readFlag, setFlag } from './storage.ts'

/** The session as received from the server, and when by this page's clock, because only differences of clocks count. */
export type CurrentSession = { session: Session; receivedAt: number }

let current: CurrentSession | undefined
/** The session that came with the document, with which hydration starts. */
let initial: CurrentSession | undefined
let reading: Promise<Session> | undefined
const listeners = new Set<() => void>()

/** Notes that somebody is probably signed in; only then do pages for everyone ask the server. */
const note = 'signed-in'
export const mayBeSignedIn = () => hasFlag(note)

function setCurrent(session: Session | undefined, receivedAt = Date.now()) {
  if (session) claimDrafts(session.customer.login)
  current = session && { session, receivedAt }
  setPageCustomer(session?.customer.id)
  if (session) setFlag(note)
  else clearFlag(note)
  // A request that the end of the session left unanswered is not reused.
  if (!session) reading = undefined
  for (const listener of listeners) listener()
}

/** Sets the session that came with the document. */
export function startSession(session: Session | undefined, receivedAt: number) {
  if (import.meta.env.SSR) current = session && { session, receivedAt }
  else if (session) setCurrent(session, receivedAt)
  // The same object, or React would render the page again at once.
  initial = current
}

/** The message to every tab of this browser about a session that was extended or has ended (AUT-5, AUT-6). */
type Message = { session: Session } | { over: LoginReason }
const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('session')
;(channel as { unref?: () => void } | undefined)?.unref?.()

/** Key of the flag that says when and why the last session ended, for a tab that was still loading then and was not notified (AUT-6). */
const endNote = 'session-over'

/** Returns the reason why a session has ended since this page was requested; undefined if none has. */
function missedEnd(): LoginReason | undefined {
  const [at, reason] = readFlag(endNote)?.split(' ') ?? []
  return Number(at) > performance.timeOrigin ? (reason as LoginReason) : undefined
}

/** Sets the session that the server has returned: at sign-in, when it was extended or confirmed by a code. */
export function setSession(session: Session) {
  setCurrent(session)
  clearFlag(endNote)
  channel?.postMessage({ session } satisfies Message)
}

/** Notes the end before the server knows it, so that a tab whose call it refuses meanwhile knows the reason. */
export const noteEnd = (reason: LoginReason) => setFlag(endNote, `${Date.now()} ${reason}`)
/** Removes the note of the end, because the session goes on. */
export const forgetEnd = () => clearFlag(endNote)

/** Drops the session in this tab and notifies the others. */
export function dropSession(reason: LoginReason) {
  setCurrent(undefined)
  noteEnd(reason)
  channel?.postMessage({ over: reason } satisfies Message)
}

/**
 * Leaves the page to another customer, who has signed in: it is hidden and loaded again, and nothing of the former
 * customer is kept, because without a network it would be what the new page shows (R160).
 */
export function leaveToOther() {
  document.body.hidden = true
  setCurrent(undefined)
  setFlag(note)
  location.reload()
}

/** Checks whether a session is of the customer of this page; if not, leaves the page. */
function isOurs({ customer }: Session): boolean {
  if (!current || current.session.customer.login === customer.login) return true
  leaveToOther()
  return false
}

type TabListeners = { over?: (reason: LoginReason) => void; entered?: () => void }

/** Follows the other tabs, for as long as a page that depends on the session is shown. */
export function followTabs({ over, entered }: TabListeners) {
  const end = (reason: LoginReason) => {
    setCurrent(undefined)
    over?.(reason)
  }
  const missed = current && missedEnd()
  if (missed) end(missed)
  const onMessage = ({ data }: MessageEvent<Message>) => {
    if ('over' in data) end(data.over)
    else if (isOurs(data.session)) {
      setCurrent(data.session)
      entered?.()
    }
  }
  channel?.addEventListener('message', onMessage)
  return () => channel?.removeEventListener('message', onMessage)
}

/** Reloads a page that the browser kept for its back button, so that it does not show what a customer signed out of (R8). */
export function distrustKeptPages() {
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted || !current) return
    document.body.hidden = true
    location.reload()
  })
}

/** Reads the session from the server, once at a time. Throws ApiError `signed-out`. */
export function loadSession(manner?: { optional: true }): Promise<Session> {
  reading ??= call(readSession, manner).finally(() => (reading = undefined))
  return reading.then(
    (session) => {
      // The page is about to change, so the caller never gets an answer.
      if (!isOurs(session)) return new Promise<never>(() => {})
      setCurrent(session)
      return session
    },
    (error: unknown) => {
      if (hasFailedWith(error, 'signed-out')) clearFlag(note)
      throw error
    },
  )
}

/** Returns the current session, for code outside of components. */
export const currentSession = () => current
/** Calls back at every change of the session. */
export const followSession = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Returns the current session; undefined until it is known, and on signed-out pages. */
export const useCurrentSession = () => useSyncExternalStore(followSession, currentSession, () => initial)

/** Returns the session of a signed-in screen, which always exists, because the layout shows no screen without one. */
export function useSession(): Session {
  const found = useCurrentSession()
  if (!found) throw new Error('No session')
  return found.session
}

/** Returns the seconds until the session ends, by the server's clock. */
export const secondsLeft = ({ session, receivedAt }: CurrentSession, now = Date.now()) =>
  (Date.parse(session.endsAt) - Date.parse(session.now) - (now - receivedAt)) / 1000

/** Returns why the session is over, as far as this page knows; the page knows when the session would have ended by itself (AUT-5). */
export function reasonOfEnd(): LoginReason {
  const noted = missedEnd()
  if (noted) return noted
  if (!current || secondsLeft(current) > 0) return 'session-gone'
  return Date.parse(current.session.endsAt) >= Date.parse(current.session.absoluteEndsAt)
    ? 'session-full'
    : 'session-ended'
}

/**
 * Returns a function that, after a sign-in, sets the session and goes to the requested page, or home (RTE-7). A sign-in in one tab returns
 * every tab that waits for one to its own page (AUT-5).
 */
export function useEnterPortal() {
  const navigate = useNavigate()
  const locale = useLocale()
  const wanted = safeReturnPath(new URLSearchParams(useLocation().search).get('returnTo'))
  const go = useCallback(() => {
    const path = wanted ?? inLocale(locale, '/home')
    const back = splitLocale(path)
    if (back.locale === locale) return navigate(back.path, { replace: true })
    storeDrafts()
    location.assign(path)
    return undefined
  }, [navigate, locale, wanted])

  useEffect(() => followTabs({ entered: () => void go() }), [go])
  return useCallback(
    (session: Session) => {
      setSession(session)
      return go()
    },
    [go],
  )
}
