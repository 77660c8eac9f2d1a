import type * as z from 'zod/mini'
import type { ProblemData } from '../../contract/errors.ts'
import type { Judgement } from '../../contract/provider/provider-renewals.ts'
import type { Tx } from '../platform/database/database.ts'
import type { BoundAudit } from '../platform/http/http.ts'
import type { Portal } from '../platform/portal.ts'
import { notifyOfRenewal } from './renewal-mails.ts'
import { findAnyRenewal, type RenewalRow } from './renewal-row-store.ts'
import { moveRenewal } from './renewal-state-store.ts'
import { isOpenState } from './renewal-view.ts'

type Judging = { audit: BoundAudit; fail: (code: 'state-passed', data: ProblemData) => Error }

/** The same document: the customer may have entered another one since it was checked. */
export const isEntered = ({ identity }: RenewalRow, { document }: z.infer<typeof Judgement>): boolean =>
  JSON.stringify(identity?.document) === JSON.stringify(document)

/**
 * The provider's judgement of the identity document in a renewal (REN-6), by its own system or at the desk. A repeated one takes effect once and
 * a late one not at all (R55, R60). Returns whether anything has changed.
 */
export async function judgeDocument(
  tx: Tx,
  portal: Portal,
  row: RenewalRow,
  judgement: z.infer<typeof Judgement>,
  { audit, fail }: Judging,
): Promise<boolean> {
  const { verdict } = judgement
  const isSameDocument = isEntered(row, judgement)
  if (isSameDocument && row.identity?.state === verdict) return false
  if (!isSameDocument || row.identity?.state !== 'asked' || !isOpenState(row.state))
    throw fail('state-passed', { current: row.state })
  if (!(await moveRenewal(tx, row.id, row, row.state, { identityState: verdict })))
    throw fail('state-passed', { current: (await findAnyRenewal(tx, portal.keys, row.id))?.state ?? row.state })
  await audit('renewal-document-judged', { renewal: row.id, verdict }, row.owner)
  await notifyOfRenewal(tx, portal, row, verdict === 'confirmed' ? 'document-confirmed' : 'document-refused')
  return true
}
