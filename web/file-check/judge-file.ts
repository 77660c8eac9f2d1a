import { listTrustedAuthorities, readRevocationData } from '../../contract/file-check.ts'
import { limits } from '../../contract/limits.ts'
import type { Reply } from '../../contract/endpoint.ts'
import { base64Of, fromBase64 } from '../../pki/bytes.ts'
import type { CertificateChain, ValidationPolicy } from '../../pki/pades/pades-report.ts'
import { call, failedWith, type ApiError } from '../api.ts'
import type { CheckAnswer, CheckRequest } from './file-check-worker.ts'
import type { FileReport } from './file-report.ts'

export type Judged =
  | {
      report: FileReport
      /** The time of the portal, at which the file was judged. */
      at: Date
      /** Why the authorities could not be asked whether the certificates were revoked. */
      unasked: ApiError | undefined
    }
  | Extract<CheckAnswer, { failed: unknown }>

type Options = {
  /** Many files are encrypted only against changes, and open with an empty one. */
  password: string
  signal: AbortSignal
  /** The file was read, and the authorities are asked next. */
  onAsking: () => void
}

/** How often the authorities are asked for one file, each time about other certificates. */
const mostRounds = 4

/**
 * Judges a signed file in this browser, as the portal judges uploads (CHK-1). Only certificates are sent, to ask whether they were
 * revoked (CHK-5). Once `signal` is aborted it rejects.
 */
export async function judgeFile(file: Blob, { password, signal, onAsking }: Options): Promise<Judged> {
  const trusted = await call(listTrustedAuthorities)
  const at = new Date(trusted.readAt)
  const policy: ValidationPolicy = {
    ...trustIn(trusted),
    receivedAt: at,
    revocation: 'required',
    signingCertificate: 'any',
    qualified: false,
    largest: limits.fileCheck.bytes,
    password,
    ocsps: [],
    crls: [],
  }
  const asked = new Set<string>()
  for (let round = 0; ; round += 1) {
    const answer = await judgeInWorker({ file, policy }, signal)
    if ('failed' in answer) return answer
    const { report } = answer
    const chains = round < mostRounds ? chainsIn(report.unproven, asked) : []
    if (!chains.length) return { report, at, unasked: undefined }
    onAsking()
    try {
      const { ocsps, crls } = await call(readRevocationData, { body: { chains } })
      policy.ocsps?.push(...ocsps.flatMap(bytesIn))
      policy.crls?.push(...crls.flatMap(bytesIn))
    } catch (error) {
      if (!failedWith(error)) throw error
      return { report, at, unasked: error }
    }
  }
}

const bytesIn = (base64: string) => fromBase64(base64) ?? []

const trustIn = ({ authorities, intermediates }: Reply<typeof listTrustedAuthorities>) => ({
  anchors: authorities.flatMap(({ certificate, purposes, from, to }) => {
    const der = fromBase64(certificate)
    if (!der) return []
    return [
      {
        certificate: der,
        ...(purposes && { purposes }),
        ...(from && { from: new Date(from) }),
        ...(to && { to: new Date(to) }),
      },
    ]
  }),
  intermediates: intermediates.flatMap(bytesIn),
})

/** The largest body, with room for what is around the certificates. */
const mostCharacters = limits.http.jsonBytes * 0.9

/**
 * The longest chains, which contain the others, of what was not asked about before, as many as one call takes; without the anchors,
 * which the portal has.
 */
function chainsIn(unproven: readonly CertificateChain[], asked: Set<string>) {
  const chains: { path: string[]; at: string }[] = []
  let characters = 0
  let certificates = 0
  for (const { path, at } of unproven.toSorted((a, b) => b.path.length - a.path.length)) {
    const below = path.slice(0, -1).map(base64Of)
    const length = below.join().length
    if (!below[0] || asked.has(below[0])) continue
    if (certificates + below.length > limits.revocation.certificates || characters + length > mostCharacters) continue
    certificates += below.length
    characters += length
    for (const each of below) asked.add(each)
    chains.push({ path: below, at: at.toISOString() })
  }
  return chains
}

async function judgeInWorker(request: CheckRequest, signal: AbortSignal): Promise<CheckAnswer> {
  signal.throwIfAborted()
  const worker = new Worker(new URL('file-check-worker.ts', import.meta.url), { type: 'module' })
  try {
    return await new Promise<CheckAnswer>((resolve, reject) => {
      worker.addEventListener('message', ({ data }: MessageEvent<CheckAnswer>) => resolve(data))
      worker.addEventListener('error', () => resolve({ failed: 'too-costly' }))
      signal.addEventListener('abort', () => reject(new DOMException('The check was cancelled', 'AbortError')))
      worker.postMessage(request)
    })
  } finally {
    worker.terminate()
  }
}
