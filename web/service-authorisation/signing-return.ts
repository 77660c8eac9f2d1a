import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'

/** Values that the signing service's page has returned in the fragment of the address; `case` is set for a document. */
export type SigningReturn = { signing: string; state: string; code?: string; error?: string; case?: string }

function returnIn(fragment: string): SigningReturn | undefined {
  const values = Object.fromEntries(new URLSearchParams(fragment.slice(1)))
  const { signing, state, code, error, case: documentCase } = values
  if (!signing || !state) return undefined
  return { signing, state, ...(code && { code }), ...(error && { error }), ...(documentCase && { case: documentCase }) }
}

/**
 * Returns the values with which the service's page opened this one (SGN-13). They are removed from the address, because they can be used
 * only once.
 */
export function useSigningReturn(): SigningReturn | undefined {
  const { hash, search } = useLocation()
  const navigate = useNavigate()
  const [returned] = useState(() => returnIn(hash))
  const isInAddress = !!returned && returnIn(hash)?.state === returned.state
  useEffect(() => {
    if (isInAddress) void navigate({ search, hash: '' }, { replace: true })
  }, [isInAddress, navigate, search])
  return returned
}
