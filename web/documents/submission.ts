import { useEffect, useRef, useState } from 'react'
import {
  confirmUpload,
  DocumentStatus,
  readDocument,
  stageUpload,
  type DocumentCase,
} from '../../contract/documents.ts'
import type { Reply, Endpoint, Params } from '../../contract/endpoint.ts'
import type { Text } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { config } from '../app/config.ts'
import {
  call,
  hasFailedWith,
  newIdempotencyKey,
  addressOf,
  ApiError,
  sendFromPage,
  failureOf,
  pageHeaders,
} from '../calls/api.ts'
import { onlyPdf, tooLarge, unreadable } from '../text/file-problem-text.ts'

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

/** A PDF that the customer has chosen: what was looked at is what is sent, even if the file on the disk changes meanwhile. */
export type ChosenFile = {
  name: string
  content: Blob
  /** Whether it has any signature: its absence is only a warning. */
  hasSignature: boolean
  isEncrypted: boolean
}

/** Checks a file before anything is sent; returns the problem where it cannot be the signed document. */
export async function inspectSubmission(file: File): Promise<ChosenFile | { problem: Text }> {
  if (!/\.pdf$/i.test(file.name)) return { problem: onlyPdf }
  if (file.size > limits.http.pdfBytes) return { problem: tooLarge(file.size, limits.http.pdfBytes) }
  const bytes = await file.arrayBuffer().catch(() => undefined)
  if (!bytes) return { problem: unreadable }
  const text = new TextDecoder('latin1').decode(bytes)
  if (!text.startsWith('%PDF-')) return { problem: onlyPdf }
  return {
    name: file.name,
    content: new Blob([bytes], { type: 'application/pdf' }),
    // Neither can hide in a compressed part of a PDF (ISO 32000-2 §7.5.7, §12.8.1).
    hasSignature: text.includes('/ByteRange'),
    isEncrypted: text.includes('/Encrypt'),
  }
}

type Upload<E> = {
  params: Params<E>
  file: Blob
  /** Bytes that have left the browser; all of them while the server checks the file. */
  onProgress: (sent: number) => void
  signal: AbortSignal
}

/** Sends a file to an endpoint that takes one. Throws ApiError; `canceled` when the signal says so. */
const upload = <const E extends Endpoint & { upload: string }>(endpoint: E, { params, ...rest }: Upload<E>) => {
  const named = params as Record<string, string>
  return sendFromPage(endpoint, { params: named }, () =>
    post<Reply<E>>(endpoint, addressOf(config.baseURL, endpoint, named), rest),
  )
}

/** Sends a file and reports how much has been sent. `fetch` does not report that, so this is the only use of XMLHttpRequest. */
function post<T>(
  { method, upload: type }: Endpoint & { upload: string },
  address: string,
  { file, onProgress, signal }: Pick<Upload<never>, 'file' | 'onProgress' | 'signal'>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(new ApiError('canceled'))
    const request = new XMLHttpRequest()
    request.open(method, address)
    request.setRequestHeader('content-type', type)
    for (const [name, value] of Object.entries(pageHeaders)) request.setRequestHeader(name, value)
    request.responseType = 'json'
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(Math.min(loaded, file.size)))
    request.addEventListener('load', () => {
      if (request.status >= 200 && request.status < 300) resolve(request.response as T)
      else reject(failureOf(request.status, request.response))
    })
    request.addEventListener('error', () => reject(new ApiError('offline')))
    request.addEventListener('abort', () => reject(new ApiError('canceled')))
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })
}

/** Sends a file, shows the report, and confirms it (DOC-5, DOC-8); after a failure the file stays and can be sent again. */
export function useSubmission(document: DocumentCase, { onChanged, onUploaded }: Events) {
  const [step, setStep] = useState<Step>({ at: 'choosing' })
  const sending = useRef<AbortController>(undefined)
  useEffect(() => () => sending.current?.abort(), [])
  const params = { id: document.id }

  function showFailure(error: unknown, back: (failure: ApiError) => Step) {
    if (!hasFailedWith(error)) throw error
    if (error.code === 'canceled') return setStep({ at: 'choosing' })
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
      showFailure(error, (failure) => ({ at: 'choosing', failure }))
    }
  }

  async function confirm(staged: Staged) {
    const { sha256, version, key } = staged
    setStep({ at: 'confirming', staged })
    try {
      onUploaded(await call(confirmUpload, { params, body: { sha256, version }, idempotencyKey: key }))
    } catch (error) {
      const mine = hasFailedWith(error, 'state-passed') && (await findSubmittedCase(document, sha256))
      if (mine) onUploaded(mine)
      else {
        // Perhaps only the response was lost, so the list is read again as well.
        onChanged()
        showFailure(error, (failure) => ({ at: 'report', staged, failure }))
      }
    }
  }

  return { step, send, confirm, cancel: () => sending.current?.abort(), chooseAgain: () => setStep({ at: 'choosing' }) }
}

/** Returns the case if this same file was submitted: from another tab, or by a request whose response was lost. */
async function findSubmittedCase({ id }: DocumentCase, sha256: string): Promise<DocumentCase | undefined> {
  const { upload: confirmed, ...now } = await call(readDocument, { params: { id }, optional: true }).catch(() => ({
    upload: null,
  }))
  return confirmed?.sha256 === sha256 && 'status' in now ? now : undefined
}
