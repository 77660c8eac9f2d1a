import type { Locale } from '../../contract/enums.ts'
import type { ApiError } from '../api.ts'

export const offlineText = {
  pl: 'Nie ma połączenia z\u00a0portalem. Sprawdź połączenie z\u00a0internetem i\u00a0spróbuj ponownie.',
  en: 'We can’t reach the portal. Check your internet connection and try again.',
}

const load = () => import('./failure-text.ts')

/** Starts loading the texts of failures: with the first request of a form, so that a page begins without them. */
export const preloadFailureTexts = () => void load().catch(() => undefined)

/** As `describeFailure`, for what is on the login page. Without a network there is one text. */
export const describeOnDemand = (locale: Locale, failure: ApiError) =>
  load().then(
    ({ describeFailure }) => describeFailure(locale, failure),
    () => offlineText[locale],
  )
