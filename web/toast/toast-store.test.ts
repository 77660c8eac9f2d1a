import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dismissToasts, removeToasts, toast, toastStore } from './toast-store.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  removeToasts()
  vi.useRealTimers()
})

test('UIX-1 one toast at a time, and the newest wins', () => {
  toast({ title: 'first' })
  toast({ title: 'second', description: 'more', variant: 'destructive' })
  expect(toastStore.read()).toMatchObject([
    { title: 'second', description: 'more', variant: 'destructive', isOpen: true },
  ])
})

test('UIX-1 ids come from a counter', () => {
  const [first, second] = [toast({ title: 'a' }), toast({ title: 'b' })]
  expect(Number(second.id)).toBe(Number(first.id) + 1)
})

test('UIX-1 a dismissed toast is closed at once and removed after 1,000,000 ms', () => {
  toast({ title: 'a' }).dismiss()
  expect(toastStore.read()).toMatchObject([{ title: 'a', isOpen: false }])
  vi.advanceTimersByTime(999_999)
  expect(toastStore.read()).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(toastStore.read()).toHaveLength(0)
})

test('UIX-1 closing through on-open-change is a dismissal, opening is not', () => {
  toast({ title: 'a' })
  toastStore.read()[0]!.onOpenChange(true)
  expect(toastStore.read()[0]!.isOpen).toBe(true)
  toastStore.read()[0]!.onOpenChange(false)
  expect(toastStore.read()[0]!.isOpen).toBe(false)
})

test('UIX-1 dismissing without an id closes what there is, and removal without an id clears all', () => {
  toast({ title: 'a' })
  dismissToasts()
  expect(toastStore.read()).toMatchObject([{ isOpen: false }])
  removeToasts()
  expect(toastStore.read()).toEqual([])
  // The timer of the removed one must not touch what comes after it.
  toast({ title: 'b' })
  vi.advanceTimersByTime(2_000_000)
  expect(toastStore.read()).toMatchObject([{ title: 'b', isOpen: true }])
})

test('UIX-1 a subscriber is notified of every change until it unsubscribes', () => {
  const listener = vi.fn<() => void>()
  const stop = toastStore.subscribe(listener)
  toast({ title: 'a' }).dismiss()
  expect(listener).toHaveBeenCalledTimes(2)
  stop()
  removeToasts()
  expect(listener).toHaveBeenCalledTimes(2)
})
