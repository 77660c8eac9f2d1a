import { limits } from '../../contract/limits.ts'
import type { Act } from '../../contract/acts.ts'
import { record } from '../audit.ts'
import { freeAgain, type Claim } from '../budgets.ts'
import { refusalOf, unsent } from '../code-answers.ts'
import { wrongInPhoneChange, type Entry, type ResendRefusal } from '../codes.ts'
import type { CodeSent } from '../../contract/account.ts'
import type { Tx } from '../db.ts'
import { Failed } from '../failure.ts'
import type { Portal } from '../portal.ts'
import type { LiveSession } from '../session.ts'
import { dropChangesOf, holdAccount } from './phone-change-queries.ts'

export type Caller = { session: LiveSession; address: string }

/** What the wrong entries of all steps are counted by: the person, whatever the session (R32). */
export const claimOf = ({ accountId }: LiveSession): Claim => [wrongInPhoneChange, accountId]

export const say = (tx: Tx, { session, address }: Caller, act: Act, details: { [name: string]: number } = {}) =>
  record(tx, { act, accountId: session.accountId, actor: 'customer', address, details })

export const blocked = (seconds: number) => new Failed('phone-change-blocked', { retryAfter: seconds })

/** DAT-4: while the pause lasts, nothing of it is open to the customer, wherever they come from. */
export async function demandFree({ db, keys }: Portal, session: LiveSession): Promise<void> {
  const pause = await freeAgain(db, keys, ...claimOf(session))
  if (pause) throw blocked(pause.seconds)
}

/** The customer is told from the third wrong entry on (defaults.md). */
export const entriesLeft = (left: number) =>
  left <= limits.phoneChange.wrong.limit - limits.code.entriesLeftShownFrom ? { entriesLeft: left } : {}

/** The last wrong entry ends every change that is under way, on the record. */
export async function endIfSpent(portal: Portal, caller: Caller, left: number | undefined): Promise<void> {
  if (left !== 0) return
  const { accountId } = caller.session
  await portal.db.transaction().execute(async (tx) => {
    await holdAccount(tx, accountId)
    await dropChangesOf(tx, accountId)
    await say(tx, caller, 'phone-change-blocked')
  })
  await demandFree(portal, caller.session)
}

/** The failure that a refused entry of a code is; `wrong` names it at this step (DAT-3). */
export async function refusalAt(
  portal: Portal,
  caller: Caller,
  entry: Entry & { ok: false },
  wrong: 'email-code-wrong' | 'code-wrong',
): Promise<Failed> {
  if (entry.refused === 'too-many-attempts') return blocked(entry.retryAfter)
  await endIfSpent(portal, caller, entry.personLeft)
  return entry.refused === 'code-wrong' ? new Failed(wrong, entriesLeft(entry.personLeft)) : refusalOf(entry)
}

/** A code that was sent, or the failure that it was not. */
export function sentOrFailed(sent: CodeSent | ResendRefusal): CodeSent {
  if (!('refused' in sent)) return sent
  if (sent.refused === 'too-many-attempts') throw blocked(sent.retryAfter ?? 1)
  throw unsent(sent)
}
