import { useEffect, useRef, useState } from 'react'
import { downloadDocument, type DocumentCase } from '../../contract/documents.ts'
import { hasFailedWith, type ApiError } from '../calls/api.ts'
import { download, type Progress } from '../calls/download.ts'
import { decryptDocument } from './document-decryption.ts'

export type DownloadProps = {
  document: DocumentCase
  onClose: () => void
  /** Reports that the list shows an outdated state and must be read again. */
  onChanged: () => void
}

export type DownloadState = { isBusy: false; failure?: ApiError } | { isBusy: true; progress: Progress | undefined }

/** Downloads a file, one download at a time, and aborts it when the component is removed. */
export function useDownload(
  endpoint: Parameters<typeof download>[0] & { path: `/api/${string}/:id/${string}` },
  id: string,
) {
  const [state, setState] = useState<DownloadState>({ isBusy: false })
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])

  /** Throws ApiError, for callers that show it themselves. */
  async function fetchFile(): Promise<Blob> {
    running.current?.abort()
    const { signal } = (running.current = new AbortController())
    setState({ isBusy: true, progress: undefined })
    try {
      const onProgress = (progress: Progress) => setState({ isBusy: true, progress })
      return await download(endpoint, { params: { id }, onProgress, signal })
    } finally {
      if (!signal.aborted) setState({ isBusy: false })
    }
  }

  /** Downloads the file; undefined if that failed, and `failure` then says why. */
  async function start(): Promise<Blob | undefined> {
    try {
      return await fetchFile()
    } catch (error) {
      if (!hasFailedWith(error)) throw error
      if (error.code !== 'canceled') setState({ isBusy: false, failure: error })
      return undefined
    }
  }

  return { state, fetchFile, start }
}

/** Downloads the document to be signed, at once or when its code is entered, and decrypts it with the code in the browser alone (DOC-9). */
export function useEncryptedDocument({ id, codeSentAt }: DocumentCase, onChanged: () => void) {
  const { state, fetchFile, start } = useDownload(downloadDocument, id)
  const [encrypted, setEncrypted] = useState<Blob>()

  /** Downloads the encrypted document; the first download sends the code by e-mail. */
  async function take() {
    const file = await start()
    onChanged()
    if (file) setEncrypted(file)
    return file
  }

  async function decrypt(code: string) {
    const file = encrypted ?? (await fetchFile())
    setEncrypted(file)
    return decryptDocument({ file, password: code })
  }

  return { state, hasCode: !!encrypted || codeSentAt !== null, take, decrypt }
}
