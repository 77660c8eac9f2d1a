import type { ProblemData } from '../../contract/errors.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { Expected, Renewal, RenewalState } from '../../contract/renewal.ts'
import type { Tx } from '../platform/database/database.ts'
import type { BoundAudit, Call } from '../platform/http/http.ts'
import type { Portal } from '../platform/portal.ts'
import { moveRenewal, type Changes } from './renewal-state-store.ts'
import { findRenewal, type RenewalRow } from './renewal-row-store.ts'
import { renewalOf } from './renewal-view.ts'

/** What a call of a customer on a renewal has; its endpoint declares at least these failures. */
export type RenewalCall = {
  params: { uid: string }
  session: { accountId: string }
  transaction: Call<Endpoint>['transaction']
  fail: (code: 'state-passed', data: ProblemData) => Error
  found: <Row>(row: Row | undefined | null) => Row
}

type Move = {
  /** The states from which the call can move a renewal. */
  from: readonly RenewalState[]
  /** What is written with the move. */
  changes?: (row: RenewalRow) => Changes
  /** What else belongs to the move, with the row after it; a failure undoes the move. */
  after?: (tx: Tx, row: RenewalRow, audit: BoundAudit) => Promise<void>
}

/** The renewal of a call as it is now. */
export async function reread(
  { db, keys }: Portal,
  { params, session, found }: Pick<RenewalCall, 'params' | 'session' | 'found'>,
): Promise<Renewal> {
  return renewalOf(found(await findRenewal(db, keys, session.accountId, params.uid)))
}

/** Moves a renewal for a call of its customer: by one conditional statement, from what its page showed (R56, R58). */
export async function move(
  portal: Portal,
  call: RenewalCall & { body: { expected: Expected } },
  to: RenewalState,
  { from, changes, after }: Move,
): Promise<Renewal> {
  const { params, session, body, transaction, fail, found } = call
  const { expected } = body
  await transaction(async (tx, audit) => {
    const find = async () => found(await findRenewal(tx, portal.keys, session.accountId, params.uid))
    const before = await find()
    const fits = from.includes(expected.state) && before.state === expected.state && before.version === expected.version
    if (!fits || !(await moveRenewal(tx, before.id, expected, to, changes?.(before))))
      throw fail('state-passed', { current: (await find()).state })
    await after?.(tx, await find(), audit)
  })
  return reread(portal, call)
}
