import type { CodeSent } from '../../contract/account.ts'
import { codeNotSent } from '../platform/authentication/code-answers.ts'
import type { createCodeOnce, Operation, resendCode } from '../platform/authentication/codes.ts'
import type { LiveSession } from '../platform/authentication/session.ts'
import { phoneOf } from '../platform/encrypted-data/encrypted-fields.ts'
import type { Portal } from '../platform/portal.ts'

export const usesPasskeys = ({ settings }: Portal): boolean => !settings.featuresOff.includes('passkeys')

/** Sends the code of an operation to the account's number; a refusal rolls back what it has charged. */
export const sendSms = (
  portal: Portal,
  { session, address }: { session: LiveSession; address: string },
  operation: Operation,
  send: typeof createCodeOnce | typeof resendCode,
): Promise<CodeSent> =>
  portal.db.transaction().execute(async (tx) => {
    const phone = await phoneOf(tx, portal.keys, operation.accountId)
    const sent = await send(tx, portal, operation, { phone, locale: session.locale, address })
    if ('refused' in sent) throw codeNotSent(sent)
    return sent
  })
