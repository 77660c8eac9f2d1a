import { useSyncExternalStore } from 'react'
import { partOnDemand } from '../on-demand.tsx'
import { toastStore, type Toast } from './toast-store.ts'

export { toast } from './toast-store.ts'

const none: Toast[] = []
const noneYet = () => none

export const useToasts = () => useSyncExternalStore(toastStore.subscribe, toastStore.read, noneYet)

const ToastView = partOnDemand<{ toasts: Toast[] }>(() => import('./toast-view.tsx').then((file) => file.ToastView))

/** Where toasts appear. Their code is loaded with the first one, and nothing is prerendered (UIX-1: client only). */
export function Toaster() {
  const toasts = useToasts()
  if (!toasts.length) return null
  return <ToastView toasts={toasts} />
}
