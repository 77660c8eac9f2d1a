import { useSyncExternalStore } from 'react'
import type { Text } from '../../contract/enums.ts'
import { currentSession, followSession, useSession } from '../session.tsx'
import { askBeforeUnload } from './ask-before-unload.ts'
import type { SignedFile } from './file-signing-worker.ts'

export type Outcome = {
  /** `isComplete`: with the evidence that its certificates were not revoked (B-LT). */
  signed: readonly (SignedFile & { name: string; isComplete: boolean })[]
  /** Those whose signature was made, and is not in the file. */
  unfinished: readonly { name: string; problem: Text }[]
}

export type KeptFiles = Outcome & { owner: string; saved: ReadonlySet<number> }

/**
 * SGN-27: only this tab has what was signed. So it is no state of the screen, which the end of the session removes: the customer who
 * signs in again finds it here, as drafts (AUT-5). Another customer never does.
 */
let kept: KeptFiles | undefined
const listeners = new Set<() => void>()
let unfollow: (() => void) | undefined

const loginOf = () => currentSession()?.session.customer.login
export const isUnsaved = ({ signed, saved }: KeptFiles) => saved.size < signed.length

function set(next: KeptFiles | undefined) {
  kept = next
  unfollow?.()
  unfollow = next && follow(next)
  for (const listener of listeners) listener()
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

export const keepSigned = (owner: string, outcome: Outcome) => set({ ...outcome, owner, saved: new Set() })
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
