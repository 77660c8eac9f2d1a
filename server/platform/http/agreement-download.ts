import { addAuditEntry } from '../audit/audit.ts'
import { ApiError } from '../api-error.ts'
import type { FileReply } from './http.ts'
import type { Portal } from '../portal.ts'

type Agreement = { key: string | null; language: 'pl' | 'en' }

/**
 * The agreement of a signature or a seal, with an audit entry of the download. `agreement`: the caller's own one by its id;
 * undefined is answered by `not-found`, one without a file by `agreement-not-ready`.
 */
export async function downloadedAgreement(
  { db, ports }: Portal,
  agreement: Agreement | undefined,
  by: { accountId: string; address: string; details: { signature: string } | { seal: string } },
): Promise<FileReply> {
  if (!agreement) throw new ApiError('not-found')
  if (!agreement.key) throw new ApiError('agreement-not-ready', { retryAfter: 60 })
  const file = await ports.documents.read(agreement.key)
  if (!file) throw new Error(`The agreement of ${JSON.stringify(by.details)} is not in the document store.`)
  await db
    .transaction()
    .execute((tx) => addAuditEntry(tx, { action: 'agreement-downloaded', actor: 'customer', ...by }))
  return { name: agreement.language === 'pl' ? 'umowa.pdf' : 'agreement.pdf', type: 'application/pdf', ...file }
}
