import { listTrustedAuthorities, readRevocationData } from '../../contract/file-check.ts'
import { limits } from '../../contract/limits.ts'
import type { Reply } from '../../contract/endpoint.ts'
import { base64Of, fromBase64 } from '../../pki/bytes.ts'
import type { CertificateChain, DocumentReport, ValidationPolicy } from '../../pki/pades/pades-report.ts'
import { call } from '../api.ts'
import type { CheckAnswer, CheckRequest } from './file-check-worker.ts'

type Judged = {
  report: DocumentReport
  /** Whether the authorities could be asked about the certificates. */ isComplete: boolean
}

/**
 * Judges a signed file in this browser, as the portal judges uploads (CHK-1). Only certificates are sent, to ask for their revocation
 * (CHK-2). `signal` ends it; then it rejects with the signal's reason.
 */
export async function judgeFile(
  file: Blob,
  { password, signal }: { password?: string; signal: AbortSignal },
): Promise<Judged> {
  const trusted = await call(listTrustedAuthorities, { signal })
  const policy: ValidationPolicy = {
    ...trustOf(trusted),
    receivedAt: new Date(trusted.readAt),
    revocation: 'required',
    signingCertificate: 'any',
    qualified: false,
    largest: limits.fileCheck.bytes,
    ...(password !== undefined && { password }),
  }
  const first = await judgeInWorker({ file, policy }, signal)
  if (!first.unproven.length || first.verdict === 'refused') return { report: first, isComplete: true }
  const evidence = await call(readRevocationData, { body: { chains: chainsOf(first.unproven) }, signal }).catch(
    () => undefined,
  )
  signal.throwIfAborted()
  if (!evidence) return { report: first, isComplete: false }
  const more = { ocsps: evidence.ocsps.flatMap(bytesIn), crls: evidence.crls.flatMap(bytesIn) }
  return { report: await judgeInWorker({ file, policy: { ...policy, ...more } }, signal), isComplete: true }
}

const bytesIn = (base64: string) => fromBase64(base64) ?? []

function trustOf({ authorities, intermediates }: Reply<typeof listTrustedAuthorities>) {
  return {
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
  }
}

/** Each certificate once, up to the number that the portal accepts. */
function chainsOf(unproven: readonly CertificateChain[]) {
  const chains = new Map(
    unproven.map(({ path, at }) => {
      const base64 = path.slice(0, limits.revocation.pathLength).map(base64Of)
      return [base64[0], { path: base64, at: at.toISOString() }]
    }),
  )
  return [...chains.values()].slice(0, limits.revocation.certificates)
}

async function judgeInWorker(request: CheckRequest, signal: AbortSignal): Promise<DocumentReport> {
  signal.throwIfAborted()
  const worker = new Worker(new URL('file-check-worker.ts', import.meta.url), { type: 'module' })
  try {
    const answer = await new Promise<CheckAnswer>((resolve, reject) => {
      worker.addEventListener('message', ({ data }: MessageEvent<CheckAnswer>) => resolve(data))
      worker.addEventListener('error', ({ message }) => resolve({ failed: message }))
      signal.addEventListener('abort', () => reject(signal.reason as Error))
      worker.postMessage(request)
    })
    if ('report' in answer) return answer.report
    throw new Error(answer.failed)
  } finally {
    worker.terminate()
  }
}
