import { useEffect, useRef, useState } from 'react'
import { saveParameters, type Expected, type Renewal, type RenewalParameters } from '../../contract/renewal.ts'
import { call, onFailure } from '../api.ts'
import { useMove } from './renewal-move.ts'

/**
 * Keeps step 1 on the server as it is entered, for a reload or another browser (REN-1). Calls go out one after the
 * other, because each makes the version that the next one names.
 */
export function useSavedParameters(renewal: Renewal, onChanged: (renewal: Renewal) => void) {
  const move = useMove()
  const latest = useRef(renewal)
  useEffect(() => void (latest.current = renewal), [renewal])
  const queue = useRef<Promise<unknown>>(Promise.resolve())
  const [failed, setFailed] = useState(false)

  function inTurn(request: (expected: Expected) => Promise<Renewal>): Promise<void> {
    const mine = queue.current.then(async () => {
      const { state, version } = latest.current
      latest.current = await move(() => request({ state, version }))
      onChanged(latest.current)
    })
    queue.current = mine.catch(() => undefined)
    return mine
  }

  /** A failure here is shown, and happens again when the step is left. */
  const save = (parameters: RenewalParameters) =>
    inTurn((expected) => call(saveParameters, { params: { uid: renewal.uid }, body: { expected, parameters } })).then(
      () => setFailed(false),
      onFailure([], ({ code }) => setFailed(code !== 'cancelled')),
    )

  return { inTurn, save, failed }
}
