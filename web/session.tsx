import { useCallback, useEffect, useSyncExternalStore } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { readSession, signOut, type Session } from '../contract/account.ts'
import { inLocale, loginPath, safeReturnPath, splitLocale, type LoginReason } from '../contract/pages.ts'
import { call, CallFailed } from './api.ts'
import { useLocale } from './locale.tsx'
import { forgetNote, isRemembered, remember } from './storage.ts'
import { claimDrafts, passDraftsOn } from './ui/drafts.ts'

/** The session as it was told to this page, and when by this page's clock, because only differences of clocks count. */
export type HeldSession = { session: Session; receivedAt: number }

let held: HeldSession | undefined
let reading: Promise<Session> | undefined
const listeners = new Set<() => void>()

/** That somebody is signed in, which only the server knows for certain; pages for everyone ask it only then. */
const note = 'signed-in'
export const mayBeSignedIn = () => isRemembered(note)

function hold(session: Session | undefined) {
  if (session) claimDrafts(session.customer.login)
  held = session && { session, receivedAt: Date.now() }
  if (session) remember(note)
  else forgetNote(note)
  // A question that the end of a session left without an answer is not waited for again.
  if (!session) reading = undefined
  for (const listener of listeners) listener()
}

/** Every tab of this browser hears of a session that was extended or is over (AUT-5, AUT-6). */
type Message = { session: Session } | { over: LoginReason }
const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('session')
;(channel as { unref?: () => void } | undefined)?.unref?.()

/** Takes over a session that the server has told: at sign-in, when it was extended or confirmed by a code. */
export function setSession(session: Session) {
  hold(session)
  channel?.postMessage({ session } satisfies Message)
}

/** Forgets the session in this tab and tells the others. */
export function dropSession(reason: LoginReason) {
  hold(undefined)
  channel?.postMessage({ over: reason } satisfies Message)
}

type Hearing = { over?: (reason: LoginReason) => void; entered?: () => void }

/** Hears of the other tabs, for as long as a page that goes by the session is shown. */
export function followTabs({ over, entered }: Hearing) {
  const hear = ({ data }: MessageEvent<Message>) => {
    if ('over' in data) {
      hold(undefined)
      over?.(data.over)
    } else if (held && held.session.customer.login !== data.session.customer.login) {
      // Someone else has signed in, and this page shows what was the former customer's.
      location.reload()
    } else {
      hold(data.session)
      entered?.()
    }
  }
  channel?.addEventListener('message', hear)
  return () => channel?.removeEventListener('message', hear)
}

/** A page that the browser kept for its back button must not show what a customer signed out of (R8). */
export function distrustKeptPages() {
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted || !held) return
    document.body.hidden = true
    location.reload()
  })
}

/** Reads the session from the server, once at a time. Throws CallFailed `signed-out`. */
export function loadSession(): Promise<Session> {
  reading ??= call(readSession).finally(() => (reading = undefined))
  return reading.then(
    (session) => {
      hold(session)
      return session
    },
    (error: unknown) => {
      if (error instanceof CallFailed && error.code === 'signed-out') forgetNote(note)
      throw error
    },
  )
}

/** What is held now, for code that is no component. */
export const heldSession = () => held
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Undefined while it is not known, and on signed-out pages. */
export const useHeldSession = () => useSyncExternalStore(subscribe, heldSession, () => undefined)

/** The session of a signed-in screen; there always is one, because the layout shows no screen without. */
export function useSession(): Session {
  const current = useHeldSession()
  if (!current) throw new Error('A signed-in screen was shown outside of the signed-in layout.')
  return current.session
}

/** Seconds until the session ends, by the server's clock. */
export const secondsLeft = ({ session, receivedAt }: HeldSession, now = Date.now()) =>
  (Date.parse(session.endsAt) - Date.parse(session.now) - (now - receivedAt)) / 1000

/** Why the session is over, as far as this page knows: it knows when it would have ended by itself (AUT-5). */
export function reasonOfEnd(): LoginReason {
  if (!held) return 'session-gone'
  if (secondsLeft(held) > 0) return 'session-gone'
  return Date.parse(held.session.endsAt) >= Date.parse(held.session.absoluteEndsAt) ? 'session-full' : 'session-ended'
}

/**
 * After a sign-in: takes the session over and goes to the place that was asked for, or home (RTE-7). A sign-in in one tab
 * brings back every tab that waits for one, each to its own place (AUT-5).
 */
export function useEnterPortal() {
  const navigate = useNavigate()
  const locale = useLocale()
  const wanted = safeReturnPath(new URLSearchParams(useLocation().search).get('returnTo'))
  const go = useCallback(() => {
    const back = splitLocale(wanted ?? inLocale(locale, '/home'))
    if (back.locale === locale) return navigate(back.path, { replace: true })
    passDraftsOn()
    location.assign(wanted!)
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

/** Ends the session on the server and in every tab, and loads the login page anew, so nothing stays in memory (AUT-6, R8). */
export async function signOutEverywhere(locale: 'pl' | 'en', reason: LoginReason = 'signed-out') {
  await call(signOut)
  dropSession(reason)
  location.replace(loginPath(locale, { reason }))
}
