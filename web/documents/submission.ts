import { useEffect, useRef, useState } from 'react'
import {
  confirmUpload,
  DocumentStatus,
  readDocument,
  stageUpload,
  type DocumentCase,
} from '../../contract/documents.ts'
import type { Reply } from '../../contract/endpoint.ts'
import { call, failedWith, newIdempotencyKey, type ApiError } from '../calls/api.ts'
import { upload } from '../calls/upload.ts'
import type { ChosenFile } from './chosen-file.ts'

/** A file that the server has checked; its confirmation keeps one key, so that a repetition has no second effect (R52). */
export type Staged = Reply<typeof stageUpload> & { key: string }

/** The steps between choosing a file and having submitted it. */
export type Step =
  | { at: 'choosing'; failure?: ApiError }
  | { at: 'sending'; sent: number; total: number }
  | { at: 'report'; staged: Staged; failure?: ApiError }
  | { at: 'confirming'; staged: Staged }
  /** The case was changed elsewhere meanwhile. */
  | { at: 'overtaken'; current: DocumentStatus | undefined }

type Events = { onChanged: () => void; onUploaded: (document: DocumentCase) => void }

/** DOC-5, DOC-8: send, see the report, confirm; after a failure the file stays and can be sent again. */
export function useSubmission(document: DocumentCase, { onChanged, onUploaded }: Events) {
  const [step, setStep] = useState<Step>({ at: 'choosing' })
  const sending = useRef<AbortController>(undefined)
  useEffect(() => () => sending.current?.abort(), [])
  const params = { id: document.id }

  function failed(error: unknown, back: (failure: ApiError) => Step) {
    if (!failedWith(error)) throw error
    if (error.code === 'cancelled') return setStep({ at: 'choosing' })
    if (error.code === 'state-passed' || error.code === 'not-found') {
      onChanged()
      return setStep({ at: 'overtaken', current: DocumentStatus.safeParse(error.problem.current).data })
    }
    setStep(back(error))
  }

  async function send(file: ChosenFile) {
    const { signal } = (sending.current = new AbortController())
    const total = file.content.size
    setStep({ at: 'sending', sent: 0, total })
    try {
      const staged = await upload(stageUpload, {
        params,
        file: file.content,
        signal,
        onProgress: (sent) => setStep({ at: 'sending', sent, total }),
      })
      setStep({ at: 'report', staged: { ...staged, key: newIdempotencyKey() } })
    } catch (error) {
      failed(error, (failure) => ({ at: 'choosing', failure }))
    }
  }

  async function confirm(staged: Staged) {
    const { sha256, version, key } = staged
    setStep({ at: 'confirming', staged })
    try {
      onUploaded(await call(confirmUpload, { params, body: { sha256, version }, idempotencyKey: key }))
    } catch (error) {
      const mine = failedWith(error, 'state-passed') && (await submittedCase(document, sha256))
      if (mine) onUploaded(mine)
      else {
        // Perhaps only the response was lost, so the list is read again as well.
        onChanged()
        failed(error, (failure) => ({ at: 'report', staged, failure }))
      }
    }
  }

  return { step, send, confirm, cancel: () => sending.current?.abort(), chooseAgain: () => setStep({ at: 'choosing' }) }
}

/** The case, if this same file was submitted: from another tab, or by a request whose response was lost. */
async function submittedCase({ id }: DocumentCase, sha256: string): Promise<DocumentCase | undefined> {
  const { upload: confirmed, ...now } = await call(readDocument, { params: { id }, optional: true }).catch(() => ({
    upload: null,
  }))
  return confirmed?.sha256 === sha256 && 'status' in now ? now : undefined
}
