import { useState } from 'react'
import type { CodeSent } from '../../contract/one-time-code.ts'
import {
  readRenewal,
  resendAgreementCode,
  signAgreement,
  startAgreementSigning,
  type Renewal,
} from '../../contract/renewal.ts'
import type { ServiceAuthorisation } from '../../contract/service-authorisation.ts'
import { call, hasFailedWith, onFailure, type ApiError, type FailureCode } from '../calls/api.ts'
import { useAction } from '../ui/action.ts'
import { useRenewalCall } from './renewal-move.ts'
import { useSigningReadiness } from './signing-obstacle.tsx'

/** Failures after which the sent code is void, and another one must be requested. */
const voidsCode: ReadonlySet<FailureCode> = new Set([
  'code-void',
  'too-many-attempts',
  'signing-changed',
  'agreement-not-ready',
  'renewal-refused',
  'renewal-changed',
])

/** Reads the current renewal, because the reply to a change may have been lost. */
const readCurrentRenewal = (uid: string) =>
  call(readRenewal, { params: { uid }, optional: true }).catch(() => undefined)

/** Holds the authorisation by the signing service that is awaited; `known` is the one from before this page. */
function useAuthorisation(known: ServiceAuthorisation | null | undefined) {
  const [authorisation, setAuthorisation] = useState<ServiceAuthorisation>()
  /** The authorisation that has ended, or was replaced by a new code of the portal. */
  const [endedId, setEndedId] = useState<string>()
  const usedAuthorisation = authorisation ?? known
  const awaited = usedAuthorisation?.id === endedId ? undefined : usedAuthorisation
  return { awaited, setAuthorisation, endAuthorisation: () => setEndedId(usedAuthorisation?.id) }
}

export type SigningCallbacks = {
  /** Reports that the check of a code begins or ends; nothing else can be done meanwhile. */
  onSigning: (isSigning: boolean) => void
  onChanged: (renewal: Renewal) => void
  onFailure: (failure: ApiError | undefined) => void
}

/** Signs the agreement by a code, and by what the signing service requires after it. */
export function useAgreementSigning({ uid, state, version, agreement }: Renewal, callbacks: SigningCallbacks) {
  const { onSigning, onChanged } = callbacks
  const move = useRenewalCall()
  const readiness = useSigningReadiness(uid)
  const shown = { expected: { state, version }, sha256: agreement!.sha256 }
  const request = { params: { uid }, body: shown }
  const [sent, setSent] = useState<CodeSent>()
  const { awaited, setAuthorisation, endAuthorisation } = useAuthorisation(readiness.data?.authorisation)

  const { run: start, isBusy } = useAction(async () => {
    callbacks.onFailure(undefined)
    const code = await move(() => call(startAgreementSigning, request)).catch(onFailure([], endWith))
    if (!code) return
    endAuthorisation()
    setSent(code)
  })

  /** Shows the current state after the service has signed, or where its answer was lost. */
  async function showCurrent() {
    const current = await readCurrentRenewal(uid)
    if (current) onChanged(current)
  }

  /** Discards the void authorisation, so that the agreement can be signed again. */
  async function startOver(error: ApiError) {
    setAuthorisation(undefined)
    endAuthorisation()
    setSent(undefined)
    await readiness.refetch()
    await endWith(error)
    await showCurrent()
  }

  async function sign(code: string) {
    onSigning(true)
    try {
      const { authorisation: more, ...next } = await move(() =>
        call(signAgreement, { params: { uid }, body: { ...shown, code } }),
      )
      if (more) setAuthorisation(more)
      else onChanged(next)
    } catch (error) {
      if (!hasFailedWith(error)) throw error
      const after = error.code === 'offline' ? await readCurrentRenewal(uid) : undefined
      if (after && after.state !== 'signing') onChanged(after)
      else await endIfVoid(error)
    } finally {
      onSigning(false)
    }
  }

  /** Shows a failure that voids the code above the button that sends another one. Rethrows others, which the field shows. */
  async function endIfVoid(error: ApiError) {
    if (!voidsCode.has(error.code)) throw error
    await endWith(error)
  }

  async function endWith(error: ApiError) {
    setSent(undefined)
    if (error.code === 'canceled') return
    callbacks.onFailure(error)
    // The screen shows an outdated state.
    if (['signing-changed', 'agreement-not-ready', 'renewal-refused'].includes(error.code)) {
      void readiness.refetch()
      await showCurrent()
    }
  }

  /** Sends the code again; an expired code cannot be sent again, so a new one is requested. */
  const resend = () =>
    call(resendAgreementCode, request).then(
      setSent,
      onFailure([], async (error) => {
        if (error.code !== 'code-expired') return endIfVoid(error)
        setSent(await call(startAgreementSigning, request))
      }),
    )

  return { readiness, sent, awaited, start, isBusy, sign, resend, startOver, showCurrent }
}
