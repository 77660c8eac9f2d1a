import * as calls from '../../contract/account.ts'
import { parseDevice } from '../../contract/device.ts'
import { ApiError } from '../platform/api-error.ts'
import { raiseAlarm } from '../platform/audit/alarms.ts'
import { addAuditEntry } from '../platform/audit/audit.ts'
import { notifyOfBlock } from '../platform/authentication/account-block.ts'
import {
  refundOnFailure,
  createCode,
  createCodeOnce,
  enterCode,
  resendCode,
  spendCode,
} from '../platform/authentication/codes.ts'
import { findDevice, removeDevice } from '../platform/authentication/devices.ts'
import { operationIn, endSession, startPendingSession, type LiveSession } from '../platform/authentication/session.ts'
import type { Tx } from '../platform/database/database.ts'
import { decryptPhone } from '../platform/encrypted-data/encrypted-fields.ts'
import { checkBot } from '../platform/http/bot-check.ts'
import type { SentCookies } from '../platform/http/cookies.ts'
import { handler, type Call } from '../platform/http/http.ts'
import { subnetOf } from '../platform/observability/network.ts'
import type { Portal } from '../platform/portal.ts'
import { blockForStrangers, findAccount, rehashPassword, type Account } from './account-store.ts'
import { chargeAttemptToSignIn, countFailure, resetStreakOfSignIn, type SignInAttempt } from './sign-in-attempts.ts'
import { finishSignIn, type SpendFactor } from './sign-in-finish.ts'
import { sendAccountCode, usesPasskeys } from './step-up-calls.ts'

// Login and password, then the code by SMS (AUT-1 to AUT-4).

export const signIn = handler(
  calls.signIn,
  async ({ body, address, userAgent, cookies, fail, orFail, setCookies, transaction }, portal) => {
    portal.hasher.requireCapacity()
    const account = await findAccount(portal.db, body.login)
    const knownDevice = await findDevice(portal.db, cookies.device, account?.id ?? null)
    const attempt: SignInAttempt = { login: body.login, account, address, device: knownDevice }
    const charged = await chargeAttemptToSignIn(portal.db, portal.keys, attempt)
    if (!charged.ok) throw fail('too-many-attempts', { retryAfter: charged.retryAfter })
    const hash = (charged.mayFit && account?.passwordHash) || null
    const isRight = await verifyPassword(portal, { body, address, fail }, charged, hash)
    if (!isRight || !account || !hash) {
      await refuse(portal, attempt, charged, transaction)
      throw fail('login-refused')
    }
    if (account.blockedFor === 'everyone' || (account.blockedFor && !knownDevice)) {
      await resetStreakOfSignIn(portal.db, portal.keys, attempt)
      throw fail('account-blocked')
    }
    const strongerHash = portal.hasher.isOutdated(hash) ? await portal.hasher.hash(body.password) : undefined

    return transaction(async (tx) => {
      const from = { address, device: parseDevice(userAgent), isKnown: knownDevice !== undefined }
      const pending = await startPendingSession(tx, account, from)
      if (!pending) throw fail('login-refused')
      if (cookies.token) await endSession(tx, cookies.token)
      if (strongerHash) await rehashPassword(tx, account, strongerHash)
      const answer = orFail(await askNext(tx, portal, { account, address, device: knownDevice }, pending))
      // Last, because all sign-ins from a network wait for each other at the rows of its rate limits.
      await resetStreakOfSignIn(tx, portal.keys, attempt)
      setCookies({ token: pending.token })
      return answer
    }).catch(async (error: unknown) => {
      // The password was right, even if no code can be sent.
      if (error instanceof ApiError && error.code !== 'login-refused')
        await resetStreakOfSignIn(portal.db, portal.keys, attempt)
      throw error
    })
  },
)

/** Checks the password, after the bot check if one is needed; refunds the attempt if that cannot be judged. */
async function verifyPassword(
  portal: Portal,
  { body, address, fail }: Pick<Call<typeof calls.signIn>, 'body' | 'address' | 'fail'>,
  { needsProof, refund }: { needsProof: boolean | undefined; refund: () => Promise<void> },
  hash: string | null,
): Promise<boolean> {
  try {
    if (needsProof) {
      if (body.botProof === undefined) throw fail('bot-check-required')
      await checkBot(portal, body.botProof, 'sign-in', address)
    }
    return await portal.hasher.verify(hash, body.password)
  } catch (error) {
    await refund()
    throw error
  }
}

/** Returns what the customer does next; sends the code if that is what they enter. */
async function askNext(
  tx: Tx,
  portal: Portal,
  { account, address, device }: Pick<SignInAttempt, 'address' | 'device'> & { account: Account },
  { id, hasPasskeys }: { id: string; hasPasskeys: boolean },
) {
  if (hasPasskeys && usesPasskeys(portal)) return { channel: 'passkey' as const }
  if (!account.phoneConfirmed) return { channel: 'confirm-phone' as const }
  const phone = decryptPhone(portal.keys, account.id, account.phone)
  const operation = { ...operationOf({ id, accountId: account.id }), device }
  return createCode(tx, portal, operation, { phone, locale: account.locale, address })
}

/** Does the same work whether or not there is such an account (R15). */
async function refuse(
  portal: Portal,
  attempt: SignInAttempt,
  { isLast, isSpraying }: { isLast: boolean; isSpraying: boolean },
  transaction: Call<typeof calls.signIn>['transaction'],
) {
  const { account, address, device } = attempt
  if (isSpraying) raiseAlarm(portal, { name: 'sign-in-spraying', about: subnetOf(address) })
  const accountId = account?.id ?? null
  const isBlock = await countFailure(portal.db, portal.keys, attempt)
  await transaction(async (tx, audit) => {
    await audit('sign-in-refused', {}, accountId)
    if (isLast) await audit('sign-in-limit-reached', {}, accountId)
    if (!isBlock || !account) return
    // After so many failures a known device is treated as unknown.
    if (device) await removeDevice(tx, device)
    if (!(await blockForStrangers(tx, account.id))) return
    await addAuditEntry(tx, { action: 'account-blocked', accountId, actor: 'system', address })
    await notifyOfBlock(tx, portal, account, 'wrong-passwords')
  })
}

export const enterSignInCode = handler(calls.enterSignInCode, async ({ body, transaction, ...call }, portal) => {
  const entry = call.orFail(await enterCode(portal.db, portal, await withDevice(portal, call), body.code))
  return transaction(async (tx, audit) => {
    const spend: SpendFactor = (clear) => spendCode(tx, portal, entry, clear)
    const session = await finishSignIn(tx, portal.settings, { ...call, audit, factor: 'sms' }, spend)
    if (!session) throw call.fail('code-void')
    return session
  }).catch(refundOnFailure(portal, entry))
})

const operationOf = (session: Pick<LiveSession, 'id' | 'accountId'>) => operationIn(session, 'sign-in', session.id)

const withDevice = async ({ db }: Portal, { session, cookies }: { session: LiveSession; cookies: SentCookies }) => ({
  ...operationOf(session),
  device: await findDevice(db, cookies.device, session.accountId),
})

export const sendSignInCode = handler(calls.sendSignInCode, async (call, portal) =>
  sendAccountCode(portal, call, await withDevice(portal, call), createCodeOnce),
)

export const resendSignInCode = handler(calls.resendSignInCode, async (call, portal) =>
  sendAccountCode(portal, call, await withDevice(portal, call), resendCode),
)
