import { useEffect, useState } from 'react'
import { ApiError, hasFailedWith } from '../calls/api.ts'

/**
 * Checks the link of a mail when the page opens, and again by `retry`; a later refusal is shown by `setFailed`. The functions must be the
 * same at each render.
 */
export function useLinkCheck<Link>(check: (token: string) => Promise<Link>, readToken: () => string | null) {
  const [link, setLink] = useState<Link>()
  const [failed, setFailed] = useState<ApiError>()
  const [round, setRound] = useState(0)

  useEffect(() => {
    const token = readToken()
    if (!token) return setFailed(new ApiError('link-unknown'))
    let hasLeft = false
    check(token).then(
      (found) => hasLeft || setLink(found),
      (error: unknown) => hasLeft || setFailed(asLinkFailure(error)),
    )
    return () => {
      hasLeft = true
    }
  }, [check, readToken, round])

  function retry() {
    setFailed(undefined)
    setRound(round + 1)
  }
  return { link, failed, setFailed, retry }
}

/** Converts a token of the wrong form, which was cut off somewhere, to a link that does not work, as the customer sees it. */
function asLinkFailure(error: unknown) {
  if (!hasFailedWith(error)) throw error
  return error.code === 'invalid-input' ? new ApiError('link-unknown') : error
}
