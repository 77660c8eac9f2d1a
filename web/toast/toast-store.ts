import type { ReactNode } from 'react'
import { limits } from '../../contract/limits.ts'

/** The name of the area with its key, as Radix takes it. */
export const areaName = { pl: 'Powiadomienia ({hotkey})', en: 'Notifications ({hotkey})' }

export type ToastVariant = 'default' | 'destructive'

export type Toast = {
  id: string
  title: ReactNode
  description?: ReactNode
  /** One action: `{ label, onClick }`. A toast with an action never closes by itself. */
  action?: { label: string; onClick: () => void }
  variant?: ToastVariant
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}

export type ToastContent = Omit<Toast, 'id' | 'isOpen' | 'onOpenChange'>

/** One toast at a time, the newest wins; a dismissed one is closed at once and removed long after, so its exit can be shown (UIX-1). */
const visible = 1

let counter = 0
let toasts: Toast[] = []
const listeners = new Set<() => void>()
const removals = new Map<string, ReturnType<typeof setTimeout>>()

function set(next: Toast[]) {
  toasts = next
  for (const listener of listeners) listener()
}

export function toast(content: ToastContent) {
  const id = String((counter = (counter + 1) % Number.MAX_SAFE_INTEGER))
  const dismiss = () => dismissToasts(id)
  const onOpenChange = (isOpen: boolean) => {
    if (!isOpen) dismiss()
  }
  set([{ ...content, id, isOpen: true, onOpenChange }, ...toasts].slice(0, visible))
  return { id, dismiss }
}

/** Closes one toast, or all of them. */
export function dismissToasts(id?: string) {
  for (const each of toasts.filter((candidate) => !id || candidate.id === id)) {
    if (removals.has(each.id)) continue
    const removal = setTimeout(() => removeToasts(each.id), limits.toast.removeAfterMs)
    // A timer must not keep a process alive that only ran the store.
    ;(removal as { unref?: () => void }).unref?.()
    removals.set(each.id, removal)
  }
  set(toasts.map((each) => (!id || each.id === id ? { ...each, isOpen: false } : each)))
}

/** Takes one toast off the list; without an id, all of them. */
export function removeToasts(id?: string) {
  for (const [each, removal] of removals)
    if (!id || each === id) {
      clearTimeout(removal)
      removals.delete(each)
    }
  set(id ? toasts.filter((each) => each.id !== id) : [])
}

export const toastStore = {
  read: () => toasts,
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
}
