import { useEffect, useRef, useState } from 'react'
import type { CodeSent } from '../../contract/account.ts'
import type { Text } from '../../contract/enums.ts'
import {
  confirmFileSigning,
  readFileSigning,
  resendFileSigningCode,
  signFiles,
  startFileSigning,
  type FileSignature,
  type FileSigner,
  type FileSigning,
} from '../../contract/file-signing.ts'
import type { ServiceAuthorisation } from '../../contract/signing.ts'
import { zip } from '../../pki/zip.ts'
import { call, failedWith, onFailure, type ApiError } from '../api.ts'
import { fileProblems, type ReadyFile } from './chosen-files.ts'
import type { Prepared, ShownLines } from './file-signing-worker.ts'
import { fetchEvidence } from './revocation-evidence.ts'
import { FileRefused, runStep } from './signing-steps.ts'

/** What is signed, how it looks, and with which certificate. */
export type Order = {
  files: readonly ReadyFile[]
  signer: FileSigner
  reason: string
  shown: ShownLines | undefined
  /** The time that the signatures state, by the clock of this device; their timestamps prove it. */
  at: Date
}

export type SignedFile = { name: string; file: Blob }

type Step =
  | { at: 'choosing'; failure?: ApiError; problem?: Text }
  | { at: 'preparing'; done: number; of: number }
  | { at: 'code'; order: Order; reference: string; code: CodeSent }
  | { at: 'service'; authorisation: ServiceAuthorisation }
  | { at: 'page'; authorisation: ServiceAuthorisation }
  /** The code was entered, and the service did not sign: it can be tried again without another one (SGN-15). */
  | { at: 'retry'; failure: ApiError }
  | { at: 'signing' }
  /** They are signed, and put together here. */
  | { at: 'completing'; done: number; of: number }
  /** `isComplete`: all files have the evidence that their certificates were not revoked (B-LT). */
  | { at: 'done'; files: SignedFile[]; isComplete: boolean }

/** A signing that has begun: its id, and the files with their open signatures, in the order of the digests. */
type Begun = { id: string; order: Order; prepared: Prepared[] }

const retried = ['unavailable', 'busy', 'offline', 'signing-refused'] as const

/** SGN-21, SGN-25: the files are prepared here, their digests are signed, and the files are completed here. */
export function useFileSigning() {
  const [step, setStep] = useState<Step>({ at: 'choosing' })
  const begun = useRef<Begun>(undefined)
  const preparing = useRef<AbortController>(undefined)
  useEffect(() => () => preparing.current?.abort(), [])

  const backTo = (error: unknown) => {
    if (error instanceof FileRefused && error.problem !== 'wrong-password')
      return setStep({ at: 'choosing', problem: fileProblems[error.problem] })
    if (!failedWith(error)) throw error
    setStep({ at: 'choosing', failure: error })
  }

  async function start(order: Order) {
    const { signal } = (preparing.current = new AbortController())
    try {
      const prepared = await prepareAll(order, begun.current, signal, (done) =>
        setStep({ at: 'preparing', done, of: order.files.length }),
      )
      const digests = prepared.map(({ digest }) => digest)
      const { signing, code } = await call(startFileSigning, { body: { signer: order.signer.id, digests } })
      // Otherwise another one may have begun since.
      if (signal.aborted) return
      begun.current = { id: signing.id, order, prepared }
      setStep({ at: 'code', order, reference: signing.reference, code })
    } catch (error) {
      if (!signal.aborted) backTo(error)
    }
  }

  const params = () => ({ id: begun.current?.id ?? '' })

  /** A wrong code is shown at its field; any other failure ends this attempt, and the first step shows why. */
  async function confirm(code: string) {
    try {
      follow(await call(confirmFileSigning, { params: params(), body: { code } }))
    } catch (error) {
      if (!failedWith(error) || failedWith(error, 'code-wrong', 'code-expired')) throw error
      backTo(error)
    }
  }

  function follow({ authorisation, signatures }: FileSigning) {
    if (signatures) return void complete(signatures)
    if (authorisation) return setStep({ at: authorisation.kind === 'codes' ? 'service' : 'page', authorisation })
    void sign()
  }

  async function sign() {
    setStep({ at: 'signing' })
    try {
      const { signatures } = await call(signFiles, { params: params() })
      if (signatures) await complete(signatures)
    } catch (error) {
      if (failedWith(error, ...retried)) setStep({ at: 'retry', failure: error })
      else backTo(error)
    }
  }

  /** The service has signed by its own codes or page. False while it has not. */
  async function readSigned(): Promise<boolean> {
    const { signatures } = await call(readFileSigning, { params: params(), background: true })
    if (signatures) await complete(signatures)
    return !!signatures
  }

  async function complete(signatures: readonly FileSignature[]) {
    const { order, prepared } = begun.current!
    const onDone = (done: number) => setStep({ at: 'completing', done, of: prepared.length })
    try {
      setStep({ at: 'done', ...(await completeAll(order, prepared, signatures, onDone)) })
    } catch (error) {
      backTo(error)
    }
  }

  return {
    step,
    start,
    confirm,
    sign,
    readSigned,
    backTo,
    /** An expired code cannot be sent again, so another one is requested. */
    resend: (): Promise<CodeSent> =>
      call(resendFileSigningCode, { params: params() }).catch(
        onFailure(['code-expired'], async () => {
          const { order, prepared } = begun.current!
          const digests = prepared.map(({ digest }) => digest)
          const { signing, code } = await call(startFileSigning, { body: { signer: order.signer.id, digests } })
          begun.current = { id: signing.id, order, prepared }
          return code
        }),
      ),
    choose: () => {
      preparing.current?.abort()
      setStep({ at: 'choosing' })
    },
  }
}

const keyOf = ({ files, signer, reason, shown }: Order) =>
  JSON.stringify([files.map(({ id }) => id), signer.id, reason, shown && [shown.page, shown.place]])

/** The same order again gives the same digests, so that the code that was sent stays valid. */
async function prepareAll(
  order: Order,
  before: Begun | undefined,
  stopped: AbortSignal,
  onDone: (done: number) => void,
) {
  if (before && keyOf(before.order) === keyOf(order)) return before.prepared
  const { signer, reason, shown, at } = order
  const prepared: Prepared[] = []
  for (const { file, password } of order.files) {
    onDone(prepared.length)
    const field = { signer: signer.name, reason, at }
    const needs = { file, password, field, shown, signer }
    prepared.push(await runStep('prepare', needs, stopped))
  }
  return prepared
}

async function completeAll(
  { files, signer }: Order,
  prepared: readonly Prepared[],
  signatures: readonly FileSignature[],
  onDone: (done: number) => void,
) {
  const signed = []
  onDone(0)
  for (const [{ file, password }, [open, signature]] of zip(files, zip(prepared, signatures)))
    signed.push({
      name: file.name,
      password,
      ...(await runStep('embed', { prepared: open, password, signer, signed: signature })),
    })
  // Without the evidence the files are signed all the same (B-T).
  const evidence = await fetchEvidence(signed.map(({ chains }) => chains)).catch((error: unknown) => {
    if (failedWith(error)) return undefined
    throw error
  })
  const completed: SignedFile[] = []
  let isComplete = !!evidence
  for (const { name, file, password, chains } of signed) {
    onDone(completed.length)
    const lasting = evidence && (await runStep('complete', { file, password, chains, ...evidence }).catch(ifRefused))
    completed.push({ name, file: lasting?.file ?? file })
    isComplete &&= !!lasting?.isComplete
  }
  return { files: completed, isComplete }
}

/** What is signed is not lost because it cannot be completed. */
function ifRefused(error: unknown) {
  if (error instanceof FileRefused) return undefined
  throw error
}
