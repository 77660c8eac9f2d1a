import type { Reply } from '../../contract/endpoint.ts'
import type { listTrustedAuthorities, readRevocationData } from '../../contract/file-check.ts'
import { limits } from '../../contract/limits.ts'
import { fromBase64 } from '../../pki/bytes.ts'
import type { ValidationPolicy } from '../../pki/pades/pades-report.ts'
import { validatePdf } from '../../pki/pades/pades-validate.ts'
import type { FileReport } from './file-report.ts'
import { withCertificates } from './signature-certificates.ts'

/** A file, and then what the authorities answered about its certificates. The replies of the portal are as they came, `at` its time. */
export type CheckRequest = { file: Blob; password: string; authorities: Blob; at: Date } | { revocations: Blob }
export type CheckAnswer =
  | {
      report: FileReport
      /** The time of the portal, at which the file was judged. */
      at: Date
    }
  | { failed: 'unreadable' | 'too-costly' }

/** File and its validation policy, kept while the authorities are asked. */
let judged: { file: Blob; policy: ValidationPolicy } | undefined

/** Judges a file away from the page, so that a long check never blocks it and can be ended (CHK-6). */
addEventListener('message', ({ data }: MessageEvent<CheckRequest>) => {
  answerTo(data).then(
    (answer) => postMessage(answer),
    () => postMessage({ failed: 'too-costly' } satisfies CheckAnswer),
  )
})

async function answerTo(request: CheckRequest): Promise<CheckAnswer> {
  if ('file' in request) {
    judged = { file: request.file, policy: await createPolicy(request) }
    return judge(judged)
  }
  const { ocsps, crls } = (await readJson(request.revocations)) as Reply<typeof readRevocationData>
  judged!.policy.ocsps?.push(...ocsps.flatMap(derIn))
  judged!.policy.crls?.push(...crls.flatMap(derIn))
  return judge(judged!)
}

async function createPolicy({ authorities: reply, password, at }: Extract<CheckRequest, { file: Blob }>) {
  const { authorities, intermediates } = (await readJson(reply)) as Reply<typeof listTrustedAuthorities>
  return {
    anchors: authorities.flatMap(({ certificate, purposes, from, to, doubts }) =>
      derIn(certificate).map((der) => ({
        certificate: der,
        ...(purposes && { purposes }),
        ...(from && { from: new Date(from) }),
        ...(to && { to: new Date(to) }),
        ...(doubts && { doubts }),
      })),
    ),
    intermediates: intermediates.flatMap(derIn),
    receivedAt: at,
    revocation: 'required',
    signingCertificate: 'any',
    qualified: false,
    largest: limits.fileCheck.bytes,
    password,
    ocsps: [],
    crls: [],
  } satisfies ValidationPolicy
}

const readJson = async (reply: Blob): Promise<unknown> => JSON.parse(await reply.text())

function derIn(base64: string): Uint8Array[] {
  const der = fromBase64(base64)
  return der ? [der] : []
}

async function judge({ file, policy }: { file: Blob; policy: ValidationPolicy }): Promise<CheckAnswer> {
  // The file may have been moved or deleted since it was chosen.
  const bytes = await file.arrayBuffer().catch(() => undefined)
  if (!bytes) return { failed: 'unreadable' }
  const report = await validatePdf(new Uint8Array(bytes), policy)
  return { report: { ...report, signatures: report.signatures.map(withCertificates) }, at: policy.receivedAt }
}
