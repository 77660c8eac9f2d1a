import type { Locale } from '../../contract/enums.ts'
import type { ApiError } from '../api.ts'

export const offlineText = {
  pl: 'Nie ma połączenia z\u00a0portalem. Sprawdź internet i\u00a0spróbuj ponownie.',
  en: 'There is no connection to the portal. Check your internet and try again.',
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
