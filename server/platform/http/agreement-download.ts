import { record } from './audit.ts'
import { Failed } from './failure.ts'
import type { FileReply } from './http.ts'
import type { Portal } from './portal.ts'

type Agreement = { key: string | null; language: 'pl' | 'en' }

/**
 * The agreement of a signature or a seal, on the record as downloaded. `agreement` is what the caller owns under the id:
 * undefined is answered by `not-found`, one without a file by `agreement-not-ready`.
 */
export async function downloadedAgreement(
  { db, ports }: Portal,
  agreement: Agreement | undefined,
  by: { accountId: string; address: string; details: { signature: string } | { seal: string } },
): Promise<FileReply> {
  if (!agreement) throw new Failed('not-found')
  if (!agreement.key) throw new Failed('agreement-not-ready', { retryAfter: 60 })
  const file = await ports.documents.read(agreement.key)
  if (!file) throw new Error(`The agreement of ${JSON.stringify(by.details)} is not in the store.`)
  await db.transaction().execute((tx) => record(tx, { act: 'agreement-downloaded', actor: 'customer', ...by }))
  return { name: agreement.language === 'pl' ? 'umowa.pdf' : 'agreement.pdf', type: 'application/pdf', ...file }
}
