import { useEffect, useRef, useState } from 'react'
import { CallFailed } from '../api.ts'
import { download, type Progress } from '../download.ts'

type State = { busy: false; failure?: CallFailed } | { busy: true; progress: Progress | undefined }

/** One download at a time of one file; it ends with the place that asked for it. */
export function useDownload(endpoint: Parameters<typeof download>[0], id: string) {
  const [state, setState] = useState<State>({ busy: false })
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])

  /** Throws CallFailed, for whoever has a place for its words. */
  async function fetchFile(): Promise<Blob> {
    running.current?.abort()
    const { signal } = (running.current = new AbortController())
    setState({ busy: true, progress: undefined })
    try {
      const onProgress = (progress: Progress) => setState({ busy: true, progress })
      return await download(endpoint, { params: { id }, onProgress, signal })
    } finally {
      if (!signal.aborted) setState({ busy: false })
    }
  }

  /** Undefined when it failed; `failure` then says why. */
  async function start(): Promise<Blob | undefined> {
    try {
      return await fetchFile()
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      if (error.code !== 'cancelled') setState({ busy: false, failure: error })
      return undefined
    }
  }

  return { state, fetchFile, start }
}
