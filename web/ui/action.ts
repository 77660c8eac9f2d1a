import { useRef, useState, type ReactNode } from 'react'
import { useLocale } from '../app/locale.tsx'
import { ApiError, hasFailedWith } from '../calls/api.ts'
import { explainFailure } from '../text/failure-answer.tsx'

/**
 * Runs the action of a button: `run` ignores a second press while it is `isBusy`, and `failure` is why it failed, with its text and the link
 * to its answer. An action that the customer canceled has not failed. Does not use TanStack's hook for mutations, because the signed-out pages
 * have buttons too and do not load that library.
 */
export function useAction<A extends unknown[]>(
  perform: (...args: A) => unknown,
  /** Shows a failure elsewhere, such as in a toast. */
  onFailed?: (text: ReactNode) => void,
) {
  const locale = useLocale()
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<ApiError>()
  const running = useRef(false)

  function fail(error: unknown) {
    if (!hasFailedWith(error)) throw error
    if (error.code === 'canceled') return
    if (onFailed) onFailed(explainFailure(locale, error))
    else setFailure(error)
  }

  async function run(...args: A) {
    if (running.current) return
    running.current = true
    setIsBusy(true)
    setFailure(undefined)
    try {
      await perform(...args)
    } catch (error) {
      fail(error)
    } finally {
      running.current = false
      setIsBusy(false)
    }
  }

  return { run, isBusy, failure, failureText: failure && explainFailure(locale, failure), fail }
}
