import type { Locale, Text } from '../../contract/enums.ts'
import type { ApiError } from '../calls/api.ts'
import type { ExplainedFailure } from './failure-answer.tsx'
import { offlineText } from './offline-text.ts'

const load = () => import('./failure-answer.tsx')

/** Starts loading the texts of failures: with the first request of a form, so that a page begins without them. */
export const preloadFailureTexts = () => void load().catch(() => undefined)

/** Explains a failure as `explain` does, which is loaded on demand for the login page. Without a network there is one text. */
export const explainOnDemand = (locale: Locale, failure: ApiError, what?: Text): Promise<ExplainedFailure> =>
  load().then(
    ({ explain }) => explain(locale, failure, what),
    () => ({ text: offlineText[locale], answer: null }),
  )
