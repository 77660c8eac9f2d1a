import { issuedFile } from '../../../pki/pades/pades-issued.ts'
import type { IssuedFile } from '../../../pki/pades/pades-report.ts'
import { prepareSignature } from '../../../pki/pades/pades-sign.ts'
import { validatePdf } from '../../../pki/pades/pades-validate.ts'
import { openPdf } from '../../../pki/pdf/pdf-read.ts'
import { decryptPdf, encryptPdf } from '../../../pki/pdf/pdf-rewrite.ts'
import { findSignatures } from '../../../pki/pdf/pdf-signature-fields.ts'
import { unopenableReasonOf } from './pdf-open.ts'
import type { LockTask, PdfTaskResult, TaskFiles, Unlockable } from './pdf-work.ts'

export async function lockFile(task: LockTask, [bytes]: TaskFiles): Promise<PdfTaskResult> {
  const result = await lock(task, bytes)
  if (typeof result === 'string') return { message: { locked: false, reason: result } }
  const { length, sha256 } = result.clear
  return { message: { locked: true, clear: { length, sha256 } }, file: result.file }
}

/** Encrypts a file, or returns why it cannot be locked. Encryption would break the signatures of a signed file. */
async function lock(
  { password, owner }: LockTask,
  bytes: Uint8Array,
): Promise<{ file: Uint8Array; clear: IssuedFile } | Unlockable> {
  try {
    if (findSignatures(openPdf(bytes)).length) return 'signed'
    const file = encryptPdf(bytes, { password, owner })
    const clear = issuedFile(decryptPdf(file, { password }))
    return (await canBeSigned(clear)) ? { file, clear } : 'not-signable'
  } catch (error) {
    return unopenableReasonOf(error)
  }
}

/** Checks whether the file can be signed and then passes the check; otherwise the customer's signature would fail later (DOC-9). */
async function canBeSigned(clear: Required<IssuedFile>): Promise<boolean> {
  const { bytes } = prepareSignature(clear.content, {
    field: 'Sygnet 00000000',
    signer: '',
    reason: '',
    at: new Date(0),
  })
  const { issued, problems } = await validatePdf(bytes, {
    issued: [clear],
    anchors: [],
    receivedAt: new Date(0),
    revocation: 'not-required',
    signingCertificate: 'any',
    qualified: false,
  })
  return issued === 'same-bytes' && problems.length === 0
}
