import type { Obstacle } from '../../contract/desk/desk-customers.ts'
import { keysOf } from '../../contract/keys-of.ts'
import { signInLimitKeys } from '../platform/authentication/codes.ts'
import { undeliveredTo } from '../platform/messages/failed-messages.ts'
import type { Portal } from '../platform/portal.ts'
import { nextFreeTry } from '../platform/rate-limits/rate-limits.ts'
import { newestLink, pendingCodes, type DeskRow } from './desk-customer-store.ts'

/** Why a customer may be unable to sign in (DSK-10): what keeps them out for good first, and then what passes by itself. */
export async function obstaclesOf(portal: Portal, row: DeskRow): Promise<Obstacle[]> {
  return [
    ...(await lasting(portal, row)),
    ...(await limitsInForce(portal, row)),
    ...(await codesUnderWay(portal, row)),
    ...(await undelivered(portal, row)),
  ]
}

async function lasting({ db }: Portal, row: DeskRow): Promise<Obstacle[]> {
  const { blockedAt, blockedForStrangers, resetsFrom } = row
  const found: Obstacle[] = []
  if (!row.isConfirmed) found.push({ kind: 'unconfirmed-registration' })
  else if (!row.hasPassword) {
    const link = await newestLink(db, row.id)
    found.push({ kind: 'no-password', sentAt: isoOf(link?.createdAt), until: isoOf(link?.expiresAt) })
  }
  if (blockedAt)
    found.push({
      kind: 'blocked',
      by: blockedForStrangers ? 'wrong-passwords' : 'provider',
      since: blockedAt.toISOString(),
    })
  if (row.isConfirmed && !row.phoneConfirmed) found.push({ kind: 'phone-unconfirmed' })
  if (resetsFrom) found.push({ kind: 'resets-delayed', until: resetsFrom.toISOString() })
  return found
}

async function limitsInForce({ db, keys, settings }: Portal, { id, phone }: DeskRow): Promise<Obstacle[]> {
  const limitKeys = signInLimitKeys(settings, id, phone)
  const found: Obstacle[] = []
  for (const limit of keysOf(limitKeys)) {
    const free = await nextFreeTry(db, keys, ...limitKeys[limit])
    if (free) found.push({ kind: 'limit', limit, until: free.at.toISOString() })
  }
  return found
}

async function codesUnderWay({ db }: Portal, { id }: DeskRow): Promise<Obstacle[]> {
  const codes = await pendingCodes(db, id)
  return codes.map(({ sentAt, expiresAt, entries }) => ({
    kind: 'code-pending',
    sentAt: sentAt.toISOString(),
    until: expiresAt.toISOString(),
    wrong: entries,
  }))
}

async function undelivered({ db, keys }: Portal, { email, phone }: DeskRow): Promise<Obstacle[]> {
  const messages = await undeliveredTo(db, keys, [email, phone])
  return messages.map(({ createdAt, ...message }) => ({
    kind: 'undelivered',
    ...message,
    createdAt: createdAt.toISOString(),
  }))
}

const isoOf = (moment: Date | undefined) => moment?.toISOString() ?? null
