import { limits } from '../../contract/limits.ts'
import { ApiError, orThrow, type Refusal } from '../platform/api-error.ts'
import { lockAccount } from '../platform/authentication/account-names.ts'
import type { RefusedEntry, ResendRefusal, SentCode } from '../platform/authentication/codes.ts'
import type { LiveSession } from '../platform/authentication/session.ts'
import type { Call } from '../platform/http/http.ts'
import type { Portal } from '../platform/portal.ts'
import { findNextFreeTry, type LimitKey } from '../platform/rate-limits/rate-limits.ts'
import { removeChangesOf } from './phone-change-store.ts'

/** Returns the limit key of wrong entries, which are counted by account over all steps and sessions (R32). */
export const limitKeyOf = ({ accountId }: LiveSession): LimitKey => ['phone-change', accountId]

/** Refuses while the pause lasts: the customer can change nothing, in any session (DAT-4). */
export async function refuseInPause({ db, keys }: Portal, session: LiveSession): Promise<Paused | undefined> {
  const pause = await findNextFreeTry(db, keys, limitKeyOf(session))
  return pause && { refused: 'phone-change-blocked', data: { retryAfter: pause.seconds } }
}

type Paused = Refusal<'phone-change-blocked'>

/** Returns the number of entries left, which the customer is shown from the third wrong entry on (defaults.md). */
export const entriesLeft = (left: number) =>
  left <= limits.phoneChange.wrong.limit - limits.code.entriesLeftShownFrom ? { entriesLeft: left } : {}

/** A call of the phone change that pauses after too many wrong entries. */
export type PhoneChangeCall = Pick<Call<object>, 'transaction'> & { session: LiveSession }

/** Ends every change in progress after the last wrong entry, audits it, and refuses. */
export async function endIfSpent(
  portal: Portal,
  { session, transaction }: PhoneChangeCall,
  left: number | undefined,
): Promise<Paused | undefined> {
  if (left !== 0) return undefined
  const { accountId } = session
  await transaction(async (tx, audit) => {
    await lockAccount(tx, accountId)
    await removeChangesOf(tx, accountId)
    await audit('phone-change-blocked')
  })
  return refuseInPause(portal, session)
}

/** Returns why the entry of a code is refused; `wrong` is the error code of this step (DAT-3). */
export async function findRefusalOfEntry<Wrong extends 'email-code-wrong' | 'code-wrong'>(
  portal: Portal,
  call: PhoneChangeCall,
  entry: RefusedEntry,
  wrong: Wrong,
): Promise<Paused | Refusal<Wrong | 'code-expired' | 'code-void'>> {
  if (entry.refused === 'too-many-attempts') return { refused: 'phone-change-blocked', data: entry.data }
  const paused = await endIfSpent(portal, call, entry.personLeft)
  if (paused) return paused
  const { refused, personLeft } = entry
  return refused === 'code-wrong' ? { refused: wrong, data: entriesLeft(personLeft) } : { refused }
}

/** Returns the code that was sent, or throws, so that a refusal rolls back what it has charged. */
export function requireSent(sent: SentCode | ResendRefusal): SentCode {
  if ('refused' in sent && sent.refused === 'too-many-attempts')
    throw new ApiError('phone-change-blocked', { retryAfter: sent.data?.retryAfter ?? 1 })
  return orThrow(sent)
}
