import { useEffect, useRef, useState } from 'react'
import type { CodeSent } from '../../contract/account.ts'
import type { Text } from '../../contract/enums.ts'
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
import type { ServiceAuthorisation } from '../../contract/signing.ts'
import { ApiError, call, failedWith, onFailure } from '../api.ts'
import { useLocale } from '../locale.tsx'
import { invalidate } from '../reads.ts'
import { useSession } from '../session.tsx'
import { complete, openFiles } from './completed-files.ts'
import type { Prepared } from './file-signing-worker.ts'
import { isSameOrder, prepareAll, type Order } from './prepared-files.ts'
import { keepSigned } from './signed-files-store.ts'
import { FileRefused } from './signing-steps.ts'
import { fileProblems, oneRefused } from './signing-text.ts'

type Step =
  /** `confirmed`: its code was entered, and it can be gone on with without another one (SGN-15). */
  | { at: 'choosing'; failure?: ApiError; problem?: Text; confirmed?: Order | undefined }
  | { at: 'preparing'; done: number; of: number; name: string }
  | { at: 'code'; order: Order; reference: string; code: CodeSent }
  | { at: 'service'; authorisation: ServiceAuthorisation }
  | { at: 'page'; authorisation: ServiceAuthorisation }
  /** The code was entered, and the service did not sign: it can be tried again without another one (SGN-15). */
  | { at: 'retry'; failure: ApiError }
  | { at: 'signing' }
  /** They are signed, and put together here. */
  | { at: 'completing'; done: number; of: number; name: string }

/** A signing that has begun: its id, and the files with their open signatures, in the order of the digests, which state the time `at`. */
type Begun = { id: string; order: Order; prepared: Prepared[]; at: Date }

/** After these failures the entered code can be tried again. */
const keepsCode = ['code-wrong', 'code-expired', 'too-many-attempts', 'offline', 'unavailable'] as const
const retried = ['unavailable', 'busy', 'offline', 'signing-refused'] as const

/**
 * SGN-21, SGN-25: the files are prepared here, their digests are signed, and the files are completed here. `onRefused`: a file that
 * turned out not to be signable.
 */
export function useFileSigning(onRefused: (id: number, problem: Text) => void) {
  const { login } = useSession().customer
  const locale = useLocale()
  const [step, setStep] = useState<Step>({ at: 'choosing' })
  const begun = useRef<Begun>(undefined)
  const preparing = useRef<AbortController>(undefined)
  /** Ends with what the customer leaves; not with the page alone, which the end of the session removes (SGN-27). */
  const wanted = useRef<AbortController>(undefined)
  useEffect(() => () => preparing.current?.abort(), [])

  function backTo(failure: ApiError, isConfirmed = false) {
    // The list says then why the certificate cannot be chosen.
    if (failedWith(failure, 'signer-unknown', 'signing-changed')) void invalidate(listFileSigners)
    setStep({ at: 'choosing', failure, confirmed: isConfirmed ? begun.current?.order : undefined })
  }
  const params = () => ({ id: begun.current?.id ?? '' })
  const read = () => call(readFileSigning, { params: params(), background: true })

  async function start(order: Order) {
    const { signal } = (preparing.current = new AbortController())
    wanted.current = new AbortController()
    const { files } = order
    const show = (done: number) => setStep({ at: 'preparing', done, of: files.length, name: files[done]!.file.name })
    show(0)
    try {
      if (begun.current && isSameOrder(begun.current.order, order) && (await goOn(signal))) return
      await request(order, signal, show)
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof FileRefused) return setStep({ at: 'choosing', problem: oneRefused })
      if (!failedWith(error)) throw error
      backTo(error)
    }
  }

  /** Prepares the files, and has the code sent. The same digests again keep the code that was sent. */
  async function request(order: Order, stopped: AbortSignal, onFile: (index: number) => void = () => {}) {
    const before = begun.current
    const isFresh = before && Date.now() - before.at.getTime() < limits.code.life * 1000
    const { at, prepared } =
      isFresh && isSameOrder(before.order, order) ? before : await prepare(order, stopped, onFile)
    const digests = prepared.map(({ digest }) => digest)
    const { signing, code } = await call(startFileSigning, { body: { signer: order.signer.id, digests } })
    // Otherwise another one may have begun since.
    stopped.throwIfAborted()
    begun.current = { id: signing.id, order, prepared, at }
    setStep({ at: 'code', order, reference: signing.reference, code })
    return code
  }

  /** An expired code cannot be sent again, so another one is requested, for signatures that state the time of now. */
  async function requestAgain(): Promise<CodeSent> {
    const { signal } = (preparing.current = new AbortController())
    try {
      return await request(begun.current!.order, signal)
    } catch (error) {
      if (!signal.aborted && !(error instanceof FileRefused)) throw error
      if (!signal.aborted) setStep({ at: 'choosing', problem: oneRefused })
      throw new ApiError('cancelled')
    }
  }

  async function prepare(order: Order, stopped: AbortSignal, onFile: (index: number) => void) {
    const at = new Date()
    let current = 0
    try {
      const prepared = await prepareAll(order, {
        locale,
        at,
        stopped,
        onFile(index) {
          current = index
          onFile(index)
        },
      })
      return { at, prepared }
    } catch (error) {
      if (error instanceof FileRefused && error.problem !== 'wrong-password')
        onRefused(order.files[current]!.id, fileProblems[error.problem])
      throw error
    }
  }

  /** Goes on with an order whose code was entered, also where the answer to that was lost. False if it was not, or too long ago. */
  async function goOn(stopped?: AbortSignal): Promise<boolean> {
    const found = await read().catch(onFailure([], () => undefined))
    if (!found || found.state === 'started' || stopped?.aborted) return false
    if (found.signatures || found.authorisation) return follow(found)
    return !(await signOnce())
  }

  function follow({ authorisation, signatures }: FileSigning): true {
    if (signatures) void finish(signatures)
    else if (authorisation) setStep({ at: authorisation.kind === 'codes' ? 'service' : 'page', authorisation })
    else void sign()
    return true
  }

  /** A wrong code is shown at its field; a failure that ends this attempt leads to the first step, which shows why. */
  async function confirm(code: string) {
    try {
      follow(await call(confirmFileSigning, { params: params(), body: { code } }))
    } catch (error) {
      if (!failedWith(error) || failedWith(error, ...keepsCode)) throw error
      if (!(await goOn())) backTo(error)
    }
  }

  async function sign() {
    const over = await signOnce()
    if (over) backTo(over)
  }

  /** Returns the failure that ends the signing; one that can be tried again is shown. */
  async function signOnce(): Promise<ApiError | undefined> {
    const left = wanted.current?.signal
    setStep({ at: 'signing' })
    const answer = await call(signFiles, { params: params() }).catch(onFailure([], (failure) => failure))
    // It may have signed although the answer was lost.
    const known = answer instanceof ApiError ? await read().catch(onFailure([], () => undefined)) : answer
    if (left?.aborted) return undefined
    if (known?.signatures) await finish(known.signatures)
    else if (!(answer instanceof ApiError)) return undefined
    else if (!failedWith(answer, ...retried)) return answer
    else setStep({ at: 'retry', failure: answer })
    return undefined
  }

  /** The service has signed by its own codes or page, or its authorisation has ended. False while neither is so. */
  async function isOver(): Promise<boolean> {
    const found = await read()
    if (found.signatures) await finish(found.signatures)
    else if (found.authorisation) return false
    else await sign()
    return true
  }

  /** Nobody is told that nothing was signed before the portal was asked; where only timestamps are missing, it adds them (SGN-29). */
  async function giveUp(why: ApiError) {
    const found = await read().catch(onFailure([], (failure) => failure))
    if (found instanceof ApiError) backTo(failedWith(found, 'not-found', 'signing-over') ? why : found)
    else if (found.signatures) await finish(found.signatures)
    else if (found.authorisation || found.state === 'started') backTo(why, !!found.authorisation)
    else if (await signOnce()) backTo(why)
  }

  async function finish(signatures: readonly FileSignature[]) {
    const left = wanted.current?.signal
    if (!begun.current || left?.aborted) return
    const { id, order, prepared } = begun.current
    // What is needed until the files are complete is in the outcome, and nothing completes them twice.
    begun.current = undefined
    const { signer } = order
    const unfinished = openFiles(order, prepared, signatures)
    const onDone = (done: number, name: string) =>
      !left?.aborted && setStep({ at: 'completing', done, of: prepared.length, name })
    onDone(0, order.files[0]!.file.name)
    const outcome = await complete({ id, signer, signed: [], unfinished }, onDone)
    if (left?.aborted) return
    keepSigned(login, outcome)
    setStep({ at: 'choosing' })
  }

  return {
    step,
    start,
    confirm,
    sign,
    isOver,
    giveUp,
    resend: () => call(resendFileSigningCode, { params: params() }).catch(onFailure(['code-expired'], requestAgain)),
    choose: () => {
      preparing.current?.abort()
      const isConfirmed = step.at === 'service' || step.at === 'page' || step.at === 'retry'
      setStep({ at: 'choosing', confirmed: isConfirmed ? begun.current?.order : undefined })
    },
    /** The customer leaves the page. A sign-out that fails stays on it. */
    leave: () => {
      wanted.current?.abort()
      setStep({ at: 'choosing' })
    },
  }
}
