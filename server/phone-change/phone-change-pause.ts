import type { CodeSent } from '../../contract/account.ts'
import { limits } from '../../contract/limits.ts'
import { ApiError } from '../platform/api-error.ts'
import { codeNotSent } from '../platform/authentication/code-answers.ts'
import type { Entry, ResendRefusal } from '../platform/authentication/codes.ts'
import type { LiveSession } from '../platform/authentication/session.ts'
import type { Call } from '../platform/http/http.ts'
import type { Portal } from '../platform/portal.ts'
import { nextFreeTry, type LimitKey } from '../platform/rate-limits/rate-limits.ts'
import { dropChangesOf, holdAccount } from './phone-change-store.ts'

/** Wrong entries of all steps are counted by account, in any session (R32). */
export const limitKeyOf = ({ accountId }: LiveSession): LimitKey => ['phone-change', accountId]

type Refusal<Code extends string> = { refused: Code; data: { retryAfter?: number; entriesLeft?: number } }

export const blocked = (retryAfter: number): Refusal<'phone-change-blocked'> => ({
  refused: 'phone-change-blocked',
  data: { retryAfter },
})

/** DAT-4: while the pause lasts, the customer can change nothing, in any session. */
export async function refusalByPause({ db, keys }: Portal, session: LiveSession) {
  const pause = await nextFreeTry(db, keys, limitKeyOf(session))
  return pause && blocked(pause.seconds)
}

/** The customer is shown the number from the third wrong entry on (defaults.md). */
export const entriesLeft = (left: number) =>
  left <= limits.phoneChange.wrong.limit - limits.code.entriesLeftShownFrom ? { entriesLeft: left } : {}

type Caller = { session: LiveSession; transaction: Call<object>['transaction'] }

/** The last wrong entry ends every change that is under way, and is audited. */
export async function endIfSpent(portal: Portal, { session, transaction }: Caller, left: number | undefined) {
  if (left !== 0) return undefined
  const { accountId } = session
  await transaction(async (tx, audit) => {
    await holdAccount(tx, accountId)
    await dropChangesOf(tx, accountId)
    await audit('phone-change-blocked')
  })
  return refusalByPause(portal, session)
}

/** Why an entry of a code is refused; `wrong` is the code of this step (DAT-3). */
export async function refusalOfEntry<Wrong extends 'email-code-wrong' | 'code-wrong'>(
  portal: Portal,
  caller: Caller,
  entry: Entry & { ok: false },
  wrong: Wrong,
): Promise<Refusal<Wrong | 'phone-change-blocked' | 'code-expired' | 'code-void'>> {
  if (entry.refused === 'too-many-attempts') return blocked(entry.retryAfter)
  const pause = await endIfSpent(portal, caller, entry.personLeft)
  if (pause) return pause
  if (entry.refused === 'code-wrong') return { refused: wrong, data: entriesLeft(entry.personLeft) }
  return { refused: entry.refused, data: {} }
}

/** The code that was sent; a refusal rolls back what it has charged. */
export function requireSent(sent: CodeSent | ResendRefusal): CodeSent {
  if (!('refused' in sent)) return sent
  if (sent.refused !== 'too-many-attempts') throw codeNotSent(sent)
  const { refused, data } = blocked(sent.retryAfter ?? 1)
  throw new ApiError(refused, data)
}
