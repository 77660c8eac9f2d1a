import { useSyncExternalStore } from 'react'
import { currentSession, followSession, useSession } from '../app/session.tsx'
import type { Outcome } from './completed-files.ts'

export type KeptFiles = Outcome & { owner: string; saved: ReadonlySet<number> }

/**
 * SGN-27: only this tab has what was signed. So it is no state of the screen, which the end of the session removes: the customer who
 * signs in again finds it here, as drafts (AUT-5). Another customer never does.
 */
let kept: KeptFiles | undefined
const listeners = new Set<() => void>()
let unfollow: (() => void) | undefined

const loginOf = () => currentSession()?.session.customer.login
/** Checks whether leaving would lose a signed file, or a signature that can still be put into its file. */
export const isUnsaved = ({ signed, unfinished, saved }: KeptFiles) =>
  saved.size < signed.length || unfinished.length > 0

function set(next: KeptFiles | undefined) {
  kept = next
  unfollow?.()
  unfollow = next && follow(next)
  for (const listener of listeners) listener()
}

/** Time, in milliseconds, within which a sign-out loads the login page after the end of the session. */
const signOutMs = 1000

/** Makes the browser ask before the page is closed or loaded again, except at a sign-out, after which nothing may stay (R8). */
export function askBeforeUnload(): () => void {
  let endedAt = -Infinity
  const stop = followSession(() => {
    if (!currentSession()) endedAt = performance.now()
  })
  const ask = (event: BeforeUnloadEvent) => {
    if (performance.now() - endedAt > signOutMs) event.preventDefault()
  }
  addEventListener('beforeunload', ask)
  return () => {
    stop()
    removeEventListener('beforeunload', ask)
  }
}

function follow(one: KeptFiles) {
  const unask = isUnsaved(one) ? askBeforeUnload() : undefined
  const unlisten = followSession(() => {
    const login = loginOf()
    if (login !== undefined && login !== one.owner) set(undefined)
  })
  return () => {
    unask?.()
    unlisten()
  }
}

export function keepSigned(owner: string, outcome: Outcome) {
  const login = loginOf()
  // Another customer may have signed in while the files were completed, and has files of their own here.
  if (login !== undefined && login !== owner) return
  set({ ...outcome, owner, saved: new Set() })
}

/** Replaces the files after another attempt. One that is complete only now has to be saved again. */
export function replaceSigned(outcome: Outcome) {
  // The customer may have left these files meanwhile.
  if (kept?.id !== outcome.id) return
  const { owner, saved, signed } = kept
  const isAsSaved = (index: number) => signed[index]?.lacks === 'nothing' || outcome.signed[index]?.lacks !== 'nothing'
  set({ ...outcome, owner, saved: new Set([...saved].filter(isAsSaved)) })
}

export const noteSaved = (indexes: readonly number[]) =>
  kept && set({ ...kept, saved: new Set([...kept.saved, ...indexes]) })
export const dropSigned = () => set(undefined)

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function useSigned(): KeptFiles | undefined {
  const { login } = useSession().customer
  const found = useSyncExternalStore(
    subscribe,
    () => kept,
    () => undefined,
  )
  return found?.owner === login ? found : undefined
}
