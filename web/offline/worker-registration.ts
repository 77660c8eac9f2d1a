import type { Locale } from '../../contract/enums.ts'
import { config, isOff } from '../app/config.ts'

/** The page itself is loaded and read first. */
const restMs = 3000

let isStarted = false

/**
 * Registers the service worker (OFF-1) once the page has nothing else to do, and lets it fetch what it keeps, which is several
 * hundred kilobytes the first time. Where it is blocked, or the customer saves data or has a very slow connection, everything works as without it.
 */
export function startServiceWorker(locale: Locale) {
  const { serviceWorker, connection } = navigator as Navigator & {
    connection?: { saveData?: boolean; effectiveType?: string }
  }
  // oxlint-disable-next-line typescript/no-unnecessary-condition -- on a page without HTTPS there is none
  if (isStarted || !serviceWorker || isOff('offline')) return
  if (connection?.saveData || connection?.effectiveType?.endsWith('2g')) return
  isStarted = true
  const start = async () => {
    await serviceWorker.register('/service-worker.js')
    const { active } = await serviceWorker.ready
    active?.postMessage({ locale, assets: config.assets })
  }
  const rest = () => setTimeout(() => void start().catch(() => undefined), restMs)
  if (document.readyState === 'complete') rest()
  else addEventListener('load', rest, { once: true })
}
