import type { Expected, Renewal, RenewalState } from '../../contract/renewal.ts'
import type { Act } from '../../contract/acts.ts'
import { record } from '../audit.ts'
import type { Tx } from '../db.ts'
import { Failed } from '../failure.ts'
import type { Portal } from '../portal.ts'
import { moveRenewal, type Changes } from '../renewal-moves.ts'
import { findRenewal, type RenewalRow } from '../renewals.ts'
import { renewalOf } from './renewal-view.ts'

type Move = {
  /** The states in which the call means anything. */
  from: readonly RenewalState[]
  /** What is written with the move. */
  changes?: (row: RenewalRow) => Changes
  /** What else belongs to it, on the row as it is then; a failure undoes the move. */
  after?: (tx: Tx, row: RenewalRow) => Promise<void>
}

export const passed = (state: RenewalState): Failed => new Failed('state-passed', { current: state })

export const recordOn = (
  tx: Tx,
  { id, owner }: RenewalRow,
  act: Act,
  address: string,
  details: { [name: string]: string } = {},
): Promise<void> =>
  record(tx, { act, accountId: owner, actor: 'customer', address, details: { renewal: id, ...details } })

/** How every call of a customer moves a renewal: by one conditional statement for what its page showed (R56, R58). */
export function renewalMoving({ db, keys }: Portal) {
  async function reread(owner: string, uid: string): Promise<Renewal> {
    const row = await findRenewal(db, keys, owner, uid)
    if (!row) throw new Failed('not-found')
    return renewalOf(row)
  }

  async function moving(
    owner: string,
    uid: string,
    expected: Expected,
    to: RenewalState,
    { from, changes, after }: Move,
  ): Promise<Renewal> {
    await db.transaction().execute(async (tx) => {
      const before = await findRenewal(tx, keys, owner, uid)
      if (!before) throw new Failed('not-found')
      const fits =
        from.includes(expected.state) && before.state === expected.state && before.version === expected.version
      if (!fits || !(await moveRenewal(tx, before.id, expected, to, changes?.(before) ?? {})))
        throw passed((await findRenewal(tx, keys, owner, uid))!.state)
      await after?.(tx, (await findRenewal(tx, keys, owner, uid))!)
    })
    return reread(owner, uid)
  }

  return { moving, reread }
}
