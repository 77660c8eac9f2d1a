import { listTrustedAuthorities, readRevocationData } from '../../contract/file-check.ts'
import { limits } from '../../contract/limits.ts'
import { base64Of } from '../../pki/bytes.ts'
import { openChains } from '../../pki/pades/pades-report.ts'
import { onFailure, type ApiError } from '../calls/api.ts'
import { fetchUnreadReply } from '../calls/unread-reply.ts'
import type { CheckAnswer, CheckRequest } from './file-check-worker.ts'
import type { FileReport } from './file-report.ts'

export type JudgedFile =
  | (Extract<CheckAnswer, { report: unknown }> & {
      /** Reason why the authorities could not be asked whether the certificates were revoked. */
      unasked: ApiError | undefined
    })
  | Extract<CheckAnswer, { failed: unknown }>

type Options = {
  /** Password of the file; many files are encrypted only against changes, and open with an empty one. */
  password: string
  signal: AbortSignal
  /** Reports that the file was read, and that the authorities are asked next. */
  onAsking: () => void
}

/** Maximum number of requests to the authorities for one file, each about other certificates. */
const maxRounds = 4

/**
 * Judges a signed file in this browser, as the portal judges uploads (CHK-1). Only certificates are sent, to ask whether they were
 * revoked (CHK-5). Once `signal` is aborted it rejects.
 */
export async function judgeFile(file: Blob, { password, signal, onAsking }: Options): Promise<JudgedFile> {
  const { content: authorities, at } = await fetchUnreadReply(listTrustedAuthorities)
  signal.throwIfAborted()
  const worker = new Worker(new URL('file-check-worker.ts', import.meta.url), { type: 'module' })
  const end = () => worker.terminate()
  signal.addEventListener('abort', end)
  try {
    const asked: RequestedTimes = new Map()
    let answer = await askWorker(worker, { file, password, authorities, at }, signal)
    for (let round = 0; ; round += 1) {
      if ('failed' in answer) return answer
      const chains = round < maxRounds ? chainsIn(answer.report, asked) : []
      if (!chains.length) return { ...answer, unasked: undefined }
      onAsking()
      const revocations = await fetchUnreadReply(readRevocationData, { chains }).catch(
        onFailure([], (failure) => failure),
      )
      if (!('content' in revocations)) return { ...answer, unasked: revocations }
      answer = await askWorker(worker, { revocations: revocations.content }, signal)
    }
  } finally {
    end()
  }
}

/** The largest body, with room for what is around the certificates. */
const maxCharacters = limits.http.jsonBytes * 0.9

/** Times for which the status of certificates was requested, by certificate. */
type RequestedTimes = Map<string, number>

/** Returns the chains that were not asked about before, as many as one call takes, without the anchors, which the portal has. */
export function chainsIn(report: Pick<FileReport, 'unproven' | 'outdated'>, asked: RequestedTimes) {
  const chains: { path: string[]; at: string }[] = []
  let characters = 0
  let certificates = 0
  for (const { path, at } of openChains(report)) {
    const below = path.slice(0, -1).map(base64Of)
    const length = below.join().length
    if (!below[0] || (asked.get(below[0]) ?? -Infinity) >= at.getTime()) continue
    if (certificates + below.length > limits.revocation.certificates || characters + length > maxCharacters) continue
    certificates += below.length
    characters += length
    for (const each of below) asked.set(each, Math.max(asked.get(each) ?? -Infinity, at.getTime()))
    chains.push({ path: below, at: at.toISOString() })
  }
  return chains
}

async function askWorker(worker: Worker, request: CheckRequest, signal: AbortSignal): Promise<CheckAnswer> {
  signal.throwIfAborted()
  const heard = new AbortController()
  try {
    return await new Promise<CheckAnswer>((resolve, reject) => {
      const listening = { signal: heard.signal }
      worker.addEventListener('message', ({ data }: MessageEvent<CheckAnswer>) => resolve(data), listening)
      worker.addEventListener('error', () => resolve({ failed: 'too-costly' }), listening)
      signal.addEventListener(
        'abort',
        () => reject(new DOMException('The check was cancelled', 'AbortError')),
        listening,
      )
      worker.postMessage(request)
    })
  } finally {
    heard.abort()
  }
}
