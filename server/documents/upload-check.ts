import type { Readable } from 'node:stream'
import type { UploadReport } from '../../contract/document-report.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import type { Refusal } from '../platform/api-error.ts'
import { openStoredPdf, verifiedPdf } from '../platform/files/stored-pdfs.ts'
import type { Call } from '../platform/http/http.ts'
import type { Portal } from '../platform/portal.ts'
import type { Verification } from '../platform/ports.ts'
import { decryptSigner, issuedDocument, knownForms, setReport, type DocumentCaseRow } from './document-case-store.ts'
import { removeUnusedFile, storeFile, type DocumentFile, storedAs } from './document-files.ts'

type Unchecked = Refusal<'pdf-damaged' | 'pdf-encrypted' | 'pdf-too-costly' | 'malware-found' | 'busy' | 'unavailable'>

const whyUnread = {
  damaged: 'pdf-damaged',
  encrypted: 'pdf-encrypted',
  'too-costly': 'pdf-too-costly',
} as const satisfies Record<Extract<Verification, { readable: false }>['reason'], ErrorCode>

type Arrival = { row: DocumentCaseRow; content: Readable; receivedAt: Date; transaction: Call<Endpoint>['transaction'] }

/**
 * Stores a signed PDF of a case and checks it, whether it was uploaded or signed here (DOC-8). It takes effect only when
 * the case names it. A report with the verdict `refused` is a result of the check like any other.
 */
export async function stageSigned(
  portal: Portal,
  { row, content, receivedAt, transaction }: Arrival,
): Promise<{ file: DocumentFile; report: UploadReport } | Unchecked> {
  const { db, keys } = portal
  const file = await storeFile(portal, { caseId: row.id, kind: 'upload' }, content)
  const checked = await checkUpload(portal, row, file, receivedAt).catch(async (error: unknown) => {
    await removeUnusedFile(portal, file.id)
    throw error
  })
  if ('refused' in checked) {
    await removeUnusedFile(portal, file.id)
    return checked
  }
  const { report } = checked
  await setReport(db, keys, file.id, report)
  await transaction((_, audit) =>
    audit('document-upload-checked', { documentCase: row.id, sha256: file.sha256, verdict: report.verdict }),
  )
  return { file, report }
}

/** Scans for malware, if a scanner is configured, and then checks the signature. */
async function checkUpload(
  portal: Portal,
  row: DocumentCaseRow,
  file: DocumentFile,
  receivedAt: Date,
): Promise<Unchecked | Extract<Verification, { readable: true }>> {
  const { verification, malware } = portal.ports
  if (malware) {
    const opened = await openStoredPdf(portal, storedAs(file))
    const verdict = opened ? await malware.scan(opened.content) : 'unreachable'
    if (verdict !== 'clean') return { refused: verdict === 'infected' ? 'malware-found' : 'unavailable' }
  }
  const issued = issuedDocument(portal.keys, row)
  if (!issued) throw new Error('The case has no issued document.')
  const result = await verification.verify({
    file: async () => verifiedPdf(portal, storedAs(file)),
    forms: knownForms(issued.file),
    openIssued: async () => verifiedPdf(portal, storedAs(issued.file)),
    accessCode: issued.accessCode,
    signer: decryptSigner(portal.keys, row),
    receivedAt,
  })
  if (result === 'busy') return { refused: 'busy' }
  if (result === 'unreachable') return { refused: 'unavailable' }
  return result.readable ? result : { refused: whyUnread[result.reason] }
}
