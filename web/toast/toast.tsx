import { useEffect, useRef, useSyncExternalStore } from 'react'
import { useHydrated } from '../app/hydration.tsx'
import { useText } from '../app/locale.tsx'
import { partOnDemand } from '../app/on-demand.tsx'
import { areaName, toastStore, type Toast } from './toast-store.ts'

export { toast, type ToastContent } from './toast-store.ts'

const none: Toast[] = []
const noneYet = () => none

export const useToasts = () => useSyncExternalStore(toastStore.subscribe, toastStore.read, noneYet)

const ToastView = partOnDemand<{ toasts: Toast[] }>(
  () => import('./toast-view.tsx').then((file) => file.ToastView),
  <EmptyArea />,
)

/** Shows the area in which toasts appear. Their code is loaded with the first one, and the server renders nothing (UIX-1: client only). */
export function Toaster() {
  const toasts = useToasts()
  const isHydrated = useHydrated()
  if (toasts.length) return <ToastView toasts={toasts} />
  return isHydrated && <EmptyArea />
}

/** Shows the area before the first toast, without the code of toasts; its name and its key F8 are the same as afterwards (UIX-1). */
function EmptyArea() {
  const t = useText()
  const area = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const onKey = ({ code }: KeyboardEvent) => {
      if (code === 'F8') area.current?.focus()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return (
    <div
      ref={area}
      className="no-toasts"
      role="region"
      tabIndex={-1}
      aria-label={t(areaName).replace('{hotkey}', 'F8')}
    >
      <p>{t({ pl: 'Nie ma powiadomień.', en: 'There are no notifications.' })}</p>
    </div>
  )
}
