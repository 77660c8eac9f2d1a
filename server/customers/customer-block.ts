import { notifyOfBlock } from '../platform/authentication/block-notice.ts'
import { endAllSessions } from '../platform/authentication/session.ts'
import type { Tx } from '../platform/database/database.ts'
import type { Portal } from '../platform/portal.ts'
import { blockCustomerRow, type CustomerRow } from './customer-store.ts'

/** Blocks a customer for the provider or its staff, ends all sessions and notifies the owner; undefined if there is none. */
export async function blockCustomerOf(
  tx: Tx,
  portal: Portal,
  account: { providerId: string } | { accountId: string },
): Promise<CustomerRow | undefined> {
  const blocked = await blockCustomerRow(tx, portal.keys, account)
  if (!blocked) return undefined
  const { row, isNew } = blocked
  await endAllSessions(tx, row.id)
  if (isNew) await notifyOfBlock(tx, portal, row, 'provider')
  return row
}
