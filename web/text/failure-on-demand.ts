import type { ReactNode } from 'react'
import type { Locale, Text } from '../../contract/enums.ts'
import type { ApiError } from '../api.ts'

/** The text of a failure, and the link to its answer. */
export type ExplainedFailure = { text: string; answer: ReactNode }

export const offlineText = {
  pl: 'Nie ma połączenia z\u00a0portalem. Sprawdź połączenie z\u00a0internetem i\u00a0spróbuj ponownie.',
  en: 'We can’t reach the portal. Check your internet connection and try again.',
}

const load = () => import('./failure-answer.tsx')

/** Starts loading the texts of failures: with the first request of a form, so that a page begins without them. */
export const preloadFailureTexts = () => void load().catch(() => undefined)

/** As `explain`, for what is on the login page. Without a network there is one text. */
export const explainOnDemand = (locale: Locale, failure: ApiError, what?: Text): Promise<ExplainedFailure> =>
  load().then(
    ({ explain }) => explain(locale, failure, what),
    () => ({ text: offlineText[locale], answer: null }),
  )
