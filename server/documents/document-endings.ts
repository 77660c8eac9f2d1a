import type { ProblemData } from '../../contract/errors.ts'
import type { Tx } from '../platform/database/database.ts'
import type { BoundAudit } from '../platform/http/http.ts'
import type { Portal } from '../platform/portal.ts'
import { moveCase, refusedIn, type CaseRow } from './document-case-store.ts'
import { notifyOfDocument } from './document-mails.ts'
import { nameRefusal } from './provider-document-store.ts'

type Ending = { audit: BoundAudit; fail: (code: 'state-passed', data: ProblemData) => Error }

/**
 * How the provider ends a case whose row is locked, by its own system or at the desk. Repeated, each takes effect once (R55), and returns false
 * then.
 */

export async function refuseUploadOf(
  tx: Tx,
  portal: Portal,
  row: CaseRow,
  refusal: NonNullable<CaseRow['refusal']>,
  { audit, fail }: Ending,
): Promise<boolean> {
  if (await moveCase(tx, row.id, 'canceled', { from: 'subscriber-uploaded' })) {
    await nameRefusal(tx, row.id, refusal)
    await notifyOfDocument(tx, portal, row, { news: 'refused', refusal })
    await audit('document-upload-refused', { documentCase: row.id }, row.owner)
    return true
  }
  if (!row.refusal) throw fail('state-passed', refusedIn(row.status))
  return false
}

export async function cancelCase(tx: Tx, portal: Portal, row: CaseRow, { audit, fail }: Ending): Promise<boolean> {
  if (await moveCase(tx, row.id, 'canceled')) {
    await notifyOfDocument(tx, portal, row, { news: 'canceled' })
    await audit('document-canceled', { documentCase: row.id }, row.owner)
    return true
  }
  if (row.status !== 'canceled') throw fail('state-passed', refusedIn(row.status))
  return false
}
