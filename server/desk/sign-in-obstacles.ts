import type { Obstacle as ShownObstacle } from '../../contract/desk/desk-customers.ts'
import { deskLimits } from '../../contract/desk/desk-limits.ts'
import type { Given } from '../../contract/endpoint.ts'
import { keysOf } from '../../contract/enums.ts'
import { passwordPauses } from '../account/sign-in-attempts.ts'
import { codeLimitKeys } from '../platform/authentication/code-limits.ts'
import { listUndeliveredTo } from '../platform/messages/failed-messages.ts'
import { policyRefusal } from '../platform/messages/sms-policy.ts'
import type { Portal } from '../platform/portal.ts'
import { findNextFreeTry } from '../platform/rate-limits/rate-limits.ts'
import {
  findNewestLink,
  findNewestPhoneLoss,
  listPendingCodes,
  findSourcesOfWrongPasswords,
  type DeskRow,
} from './desk-customer-store.ts'

type Obstacle = Given<typeof ShownObstacle>

/** Lists the reasons why a customer may be unable to sign in (DSK-10): lasting obstacles first, then those that pass by themselves. */
export async function listObstacles(portal: Portal, row: DeskRow): Promise<Obstacle[]> {
  return [
    ...(await listReportedLoss(portal, row)),
    ...(await listLasting(portal, row)),
    ...(await listLimitsInForce(portal, row)),
    ...(await listCodesUnderWay(portal, row)),
    ...(await listUndeliveredCodes(portal, row)),
  ]
}

async function listReportedLoss({ db }: Portal, { id }: DeskRow): Promise<Obstacle[]> {
  const report = await findNewestPhoneLoss(db, id)
  return report ? [{ ...report, kind: 'phone-lost' }] : []
}

async function listLasting({ db, settings }: Portal, row: DeskRow): Promise<Obstacle[]> {
  const { blockedAt, blockedForStrangers, resetsFrom, phone } = row
  const found: Obstacle[] = []
  if (!row.isConfirmed) found.push({ kind: 'unconfirmed-registration' })
  else if (!row.hasPassword) {
    const link = await findNewestLink(db, row.id)
    found.push({ kind: 'no-password', sentAt: link?.createdAt ?? null, until: link?.expiresAt ?? null })
  }
  if (blockedAt)
    found.push({ kind: 'blocked', by: blockedForStrangers ? 'wrong-passwords' : 'provider', since: blockedAt })
  if (row.isConfirmed && !row.phoneConfirmed) found.push({ kind: 'phone-unconfirmed' })
  const cause = policyRefusal(settings, phone)
  if (cause) found.push({ kind: 'sms-refused', cause })
  if (resetsFrom) found.push({ kind: 'resets-delayed', until: resetsFrom })
  return found
}

async function listLimitsInForce(portal: Portal, row: DeskRow): Promise<Obstacle[]> {
  const { db, keys, settings } = portal
  const limitKeys = codeLimitKeys(settings, row.id, row.phone)
  const found: Obstacle[] = []
  const paused = await findPasswordPause(portal, row)
  if (paused) found.push({ kind: 'limit', limit: 'passwords-wrong', until: paused })
  for (const limit of keysOf(limitKeys)) {
    const free = await findNextFreeTry(db, keys, limitKeys[limit])
    if (free) found.push({ kind: 'limit', limit, until: free.at })
  }
  return found
}

/** Returns when the last of the pauses ends that wrong passwords have caused, each at one network or known device. */
async function findPasswordPause({ db, keys }: Portal, { id, login, email }: DeskRow): Promise<Date | undefined> {
  const sources = await findSourcesOfWrongPasswords(db, id)
  return (await findNextFreeTry(db, keys, passwordPauses({ id, names: [login, email] }, sources)))?.at
}

async function listCodesUnderWay({ db }: Portal, { id }: DeskRow): Promise<Obstacle[]> {
  const codes = await listPendingCodes(db, id)
  return codes.map((code) => ({ kind: 'code-pending', ...code }))
}

async function listUndeliveredCodes({ db, keys }: Portal, { email, phone }: DeskRow): Promise<Obstacle[]> {
  const messages = await listUndeliveredTo(db, keys, [email, phone], deskLimits.undelivered)
  return messages.map(({ channel, createdAt, tries, cause, nextTryAt }) => ({
    kind: 'undelivered',
    channel,
    createdAt,
    tries,
    cause,
    isFinal: nextTryAt === null,
  }))
}
