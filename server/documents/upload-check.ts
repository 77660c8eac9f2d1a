import type { Readable } from 'node:stream'
import type { UploadReport } from '../../contract/document-report.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import { record } from '../audit.ts'
import { knownForms, openAccessCode, openSigner, storeReport, type CaseRow } from '../document-cases.ts'
import { dropFile, openFile, passFile, storeFile, type DocumentFile } from '../document-files.ts'
import { Failed } from '../failure.ts'
import type { Portal } from '../portal.ts'
import type { Verification } from '../ports/ports.ts'

type Refused = {
  refused: 'pdf-damaged' | 'pdf-encrypted' | 'pdf-too-costly' | 'malware-found' | 'busy' | 'unavailable'
}

const whyUnread = {
  damaged: 'pdf-damaged',
  encrypted: 'pdf-encrypted',
  'too-costly': 'pdf-too-costly',
} as const satisfies Record<Extract<Verification, { readable: false }>['why'], ErrorCode>

type Arrival = { row: CaseRow; content: Readable; receivedAt: Date; address: string }

/**
 * Keeps a signed PDF of a case and checks it, wherever it comes from (DOC-8). It is nobody's until the case names it. Throws
 * what it is refused for; a report that refuses it is no failure.
 */
export async function stageSigned(
  portal: Portal,
  { row, content, receivedAt, address }: Arrival,
): Promise<{ file: DocumentFile; report: UploadReport }> {
  const { db, keys } = portal
  const file = await storeFile(portal, { caseId: row.id, kind: 'upload' }, content)
  const judged = await judge(portal, row, file, receivedAt).catch(async (error: unknown) => {
    await dropFile(portal, file.id)
    throw error
  })
  if ('refused' in judged) {
    await dropFile(portal, file.id)
    throw new Failed(judged.refused, judged.refused === 'busy' ? { retryAfter: 5 } : {})
  }
  const { report } = judged
  await storeReport(db, keys, file.id, report)
  await db.transaction().execute((tx) =>
    record(tx, {
      act: 'document-upload-checked',
      accountId: row.owner,
      actor: 'customer',
      address,
      details: { documentCase: row.id, sha256: file.sha256, verdict: report.verdict },
    }),
  )
  return { file, report }
}

/** The scan for malware, where there is one, and then the check of the signature. */
async function judge(
  portal: Portal,
  row: CaseRow,
  file: DocumentFile,
  receivedAt: Date,
): Promise<Refused | Extract<Verification, { readable: true }>> {
  const { verification, malware } = portal.ports
  if (malware) {
    const opened = await openFile(portal, file)
    const found = opened ? await malware.scan(opened.content) : 'unreachable'
    if (found !== 'clean') return { refused: found === 'infected' ? 'malware-found' : 'unavailable' }
  }
  const judged = await verification.verify({
    file: async () => passFile(portal, file),
    forms: knownForms(row.documentFile!),
    issued: async () => passFile(portal, row.documentFile!),
    accessCode: openAccessCode(portal.keys, row)!,
    signer: openSigner(portal.keys, row),
    receivedAt,
  })
  if (judged === 'busy') return { refused: 'busy' }
  if (judged === 'unreachable') return { refused: 'unavailable' }
  return judged.readable ? judged : { refused: whyUnread[judged.why] }
}
