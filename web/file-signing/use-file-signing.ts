import { useEffect, useRef, useState, type RefObject } from 'react'
import type { Locale, Text } from '../../contract/enums.ts'
import {
  confirmFileSigning,
  listFileSigners,
  readFileSigning,
  resendFileSigningCode,
  signFiles,
  startFileSigning,
  type FileSignature,
  type FileSigning,
} from '../../contract/file-signing.ts'
import { limits } from '../../contract/limits.ts'
import type { CodeSent } from '../../contract/one-time-code.ts'
import type { ServiceAuthorisation } from '../../contract/service-authorisation.ts'
import { useLocale } from '../app/locale.tsx'
import { useSession } from '../app/session.tsx'
import { ApiError, call, hasFailedWith, onFailure } from '../calls/api.ts'
import { invalidate } from '../calls/reads.ts'
import { complete, openFiles } from './completed-files.ts'
import type { Prepared } from './file-signing-worker.ts'
import { isSameOrder, prepareAll, type Order } from './prepared-files.ts'
import { keepSigned } from './signed-files-store.ts'
import { FileRefused } from './signing-steps.ts'
import { signingFileProblems, oneRefused } from './signing-text.ts'

type FileSigningStep =
  /** `confirmed`: an order whose code was entered, so that signing can continue without a new code (SGN-15). */
  | { at: 'choosing'; failure?: ApiError; problem?: Text; confirmed?: Order | undefined }
  | { at: 'preparing'; done: number; of: number; name: string }
  | { at: 'code'; order: Order; reference: string; code: CodeSent }
  | { at: 'service'; authorisation: ServiceAuthorisation }
  | { at: 'page'; authorisation: ServiceAuthorisation }
  /** The code was entered, and the service did not sign: signing can continue without a new code (SGN-15). */
  | { at: 'retry'; failure: ApiError }
  | { at: 'signing' }
  /** Step after the signing, in which the files are put together here. */
  | { at: 'completing'; done: number; of: number; name: string }

/** A signing that has begun: its id, and the files with their open signatures, in the order of the digests, which state the time `at`. */
type BegunSigning = { id: string; order: Order; prepared: Prepared[]; at: Date }

/** Failures after which the entered code can be tried again. */
const keepsCode = ['code-wrong', 'code-expired', 'too-many-attempts', 'offline', 'unavailable'] as const
const retryableFailures = ['unavailable', 'busy', 'offline', 'signing-refused'] as const

type State = {
  begun?: BegunSigning | undefined
  preparing?: AbortController
  /** Ends with what the customer leaves; not with the page alone, which the end of the session removes (SGN-27). */
  wanted?: AbortController
}

type SigningRun = {
  login: string
  locale: Locale
  /** Reports a file that turned out not to be signable. */
  onRefused: (id: number, problem: Text) => void
  show: (step: FileSigningStep) => void
  state: RefObject<State>
}

/** Prepares the files here, has their digests signed, and completes the files here (SGN-21, SGN-25). */
export function useFileSigning(onRefused: SigningRun['onRefused']) {
  const { login } = useSession().customer
  const locale = useLocale()
  const [step, show] = useState<FileSigningStep>({ at: 'choosing' })
  const state = useRef<State>({})
  useEffect(() => () => state.current.preparing?.abort(), [])
  const signing: SigningRun = { login, locale, onRefused, show, state }
  return {
    step,
    start: (order: Order) => startSigning(signing, order),
    confirm: (code: string) => confirmSigning(signing, code),
    sign: () => requestSignatures(signing),
    isOver: () => continueIfOver(signing),
    giveUp: (why: ApiError) => endAttempt(signing, why),
    resend: () => resendCode(signing),
    choose: () => {
      state.current.preparing?.abort()
      const isConfirmed = step.at === 'service' || step.at === 'page' || step.at === 'retry'
      show({ at: 'choosing', confirmed: isConfirmed ? state.current.begun?.order : undefined })
    },
    /** Stops when the customer leaves the page. After a sign-out that fails they stay on it. */
    leave: () => {
      state.current.wanted?.abort()
      show({ at: 'choosing' })
    },
  }
}

const paramsOf = ({ state }: SigningRun) => ({ id: state.current.begun?.id ?? '' })
const readSigning = (signing: SigningRun) => call(readFileSigning, { params: paramsOf(signing), background: true })

function returnToChoice({ show, state }: SigningRun, failure: ApiError, isConfirmed = false) {
  // The list says then why the certificate cannot be chosen.
  if (hasFailedWith(failure, 'signer-unknown', 'signing-changed')) void invalidate(listFileSigners)
  show({ at: 'choosing', failure, confirmed: isConfirmed ? state.current.begun?.order : undefined })
}

async function startSigning(signing: SigningRun, order: Order) {
  const { show } = signing
  const state = signing.state.current
  const { signal } = (state.preparing = new AbortController())
  state.wanted = new AbortController()
  const { files } = order
  const onFile = (done: number) => show({ at: 'preparing', done, of: files.length, name: files[done]!.file.name })
  onFile(0)
  try {
    if (state.begun && isSameOrder(state.begun.order, order) && (await continueSigning(signing, signal))) return
    await requestCode(signing, order, signal, onFile)
  } catch (error) {
    if (signal.aborted) return
    if (error instanceof FileRefused) return show({ at: 'choosing', problem: oneRefused })
    if (!hasFailedWith(error)) throw error
    returnToChoice(signing, error)
  }
}

/** Prepares the files, and has the code sent. The same digests again keep the code that was sent. */
async function requestCode(signing: SigningRun, order: Order, stopped: AbortSignal, onFile?: (index: number) => void) {
  const state = signing.state.current
  const before = state.begun
  const isFresh = before && Date.now() - before.at.getTime() < limits.code.life * 1000
  const { at, prepared } =
    isFresh && isSameOrder(before.order, order) ? before : await prepareFiles(signing, order, stopped, onFile)
  const digests = prepared.map(({ digest }) => digest)
  const started = await call(startFileSigning, { body: { signer: order.signer.id, digests } })
  // Another signing may have begun since.
  stopped.throwIfAborted()
  const { id, reference } = started.signing
  state.begun = { id, order, prepared, at }
  signing.show({ at: 'code', order, reference, code: started.code })
  return started.code
}

const resendCode = (signing: SigningRun) =>
  call(resendFileSigningCode, { params: paramsOf(signing) }).catch(
    onFailure(['code-expired'], () => requestAnotherCode(signing)),
  )

/** Requests another code, because an expired one cannot be sent again, for signatures that state the current time. */
async function requestAnotherCode(signing: SigningRun): Promise<CodeSent> {
  const state = signing.state.current
  const { signal } = (state.preparing = new AbortController())
  try {
    return await requestCode(signing, state.begun!.order, signal)
  } catch (error) {
    if (!signal.aborted && !(error instanceof FileRefused)) throw error
    if (!signal.aborted) signing.show({ at: 'choosing', problem: oneRefused })
    throw new ApiError('canceled')
  }
}

async function prepareFiles(signing: SigningRun, order: Order, stopped: AbortSignal, onFile?: (index: number) => void) {
  const at = new Date()
  let current = 0
  try {
    const prepared = await prepareAll(order, {
      locale: signing.locale,
      at,
      stopped,
      onFile(index) {
        current = index
        onFile?.(index)
      },
    })
    return { at, prepared }
  } catch (error) {
    if (error instanceof FileRefused && error.problem !== 'wrong-password')
      signing.onRefused(order.files[current]!.id, signingFileProblems[error.problem])
    throw error
  }
}

/** Goes on with an order whose code was entered, also where the answer to that was lost. False if it was not, or too long ago. */
async function continueSigning(signing: SigningRun, stopped?: AbortSignal): Promise<boolean> {
  const found = await readSigning(signing).catch(onFailure([], () => undefined))
  if (!found || found.state === 'started' || stopped?.aborted) return false
  if (!found.signatures && !found.authorisation) return !(await signOnce(signing))
  followAnswer(signing, found)
  return true
}

function followAnswer(signing: SigningRun, { authorisation, signatures }: FileSigning) {
  if (signatures) void finishSigning(signing, signatures)
  else if (authorisation) signing.show({ at: authorisation.kind === 'codes' ? 'service' : 'page', authorisation })
  else void requestSignatures(signing)
}

/**
 * Confirms the signing with a code. A wrong code is shown at its field; a failure that ends this attempt leads to the first step, which
 * shows why.
 */
async function confirmSigning(signing: SigningRun, code: string) {
  try {
    followAnswer(signing, await call(confirmFileSigning, { params: paramsOf(signing), body: { code } }))
  } catch (error) {
    if (!hasFailedWith(error) || hasFailedWith(error, ...keepsCode)) throw error
    if (!(await continueSigning(signing))) returnToChoice(signing, error)
  }
}

async function requestSignatures(signing: SigningRun) {
  const over = await signOnce(signing)
  if (over) returnToChoice(signing, over)
}

/** Returns the failure that ends the signing; one that can be tried again is shown. */
async function signOnce(signing: SigningRun): Promise<ApiError | undefined> {
  const left = signing.state.current.wanted?.signal
  signing.show({ at: 'signing' })
  const answer = await call(signFiles, { params: paramsOf(signing) }).catch(onFailure([], (failure) => failure))
  // The service may have signed although the answer was lost.
  const known = answer instanceof ApiError ? await readSigning(signing).catch(onFailure([], () => undefined)) : answer
  if (left?.aborted) return undefined
  if (known?.signatures) await finishSigning(signing, known.signatures)
  else if (!(answer instanceof ApiError)) return undefined
  else if (!hasFailedWith(answer, ...retryableFailures)) return answer
  else signing.show({ at: 'retry', failure: answer })
  return undefined
}

/**
 * Continues if the service has signed by its own codes or page, or if its authorisation has ended. Returns false while neither is the case.
 */
async function continueIfOver(signing: SigningRun): Promise<boolean> {
  const found = await readSigning(signing)
  if (found.signatures) await finishSigning(signing, found.signatures)
  else if (found.authorisation) return false
  else await requestSignatures(signing)
  return true
}

/**
 * Ends an attempt. The portal is asked before the customer sees that nothing was signed; if only timestamps are missing, it adds them
 * (SGN-29).
 */
async function endAttempt(signing: SigningRun, why: ApiError) {
  const found = await readSigning(signing).catch(onFailure([], (failure) => failure))
  if (found instanceof ApiError)
    returnToChoice(signing, hasFailedWith(found, 'not-found', 'signing-over') ? why : found)
  else if (found.signatures) await finishSigning(signing, found.signatures)
  else if (found.authorisation || found.state === 'started') returnToChoice(signing, why, !!found.authorisation)
  else if (await signOnce(signing)) returnToChoice(signing, why)
}

async function finishSigning(
  { login, show, state: { current: state } }: SigningRun,
  signatures: readonly FileSignature[],
) {
  const left = state.wanted?.signal
  if (!state.begun || left?.aborted) return
  const { id, order, prepared } = state.begun
  // What is needed until the files are complete is in the outcome, and nothing completes them twice.
  state.begun = undefined
  const { signer } = order
  const unfinished = openFiles(order, prepared, signatures)
  const onDone = (done: number, name: string) =>
    !left?.aborted && show({ at: 'completing', done, of: prepared.length, name })
  onDone(0, order.files[0]!.file.name)
  const outcome = await complete({ id, signer, signed: [], unfinished }, onDone)
  if (left?.aborted) return
  keepSigned(login, outcome)
  show({ at: 'choosing' })
}
