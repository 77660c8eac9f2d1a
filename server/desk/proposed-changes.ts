import type { ProposalKind } from '../../contract/desk/desk-customers.ts'
import { changeContact } from '../customers/account-contact.ts'
import { setHold } from '../customers/customer-store.ts'
import { eraseAccount } from '../customers/erasure.ts'
import type { AuditEntry } from '../platform/audit/audit-entry.ts'
import { addAuditEntry } from '../platform/audit/audit.ts'
import type { Tx } from '../platform/database/database.ts'
import type { Portal } from '../platform/portal.ts'
import { discardReleased } from '../renewal/renewal-state-store.ts'
import type { DeskRow } from './desk-customer-store.ts'

type Refused = { code: 'login-taken' | 'customer-in-use'; data?: { reason: string } }
type By = Pick<AuditEntry, 'actor' | 'address' | 'details'>

/** Makes an approved change, by what the provider API makes it with (DSK-25). Returns why it was not possible. */
export async function makeChange(
  tx: Tx,
  portal: Portal,
  row: DeskRow,
  { kind, value }: { kind: ProposalKind; value: string | null },
  by: By,
): Promise<Refused | undefined> {
  switch (kind) {
    case 'email':
      return (await changeContact(tx, portal, row, { email: value! }, by)) ? undefined : { code: 'login-taken' }
    case 'phone':
      await changeContact(tx, portal, row, { phone: value! }, by)
      return undefined
    case 'erasure':
      return erase(tx, portal, row, by)
    case 'hold':
    case 'hold-release': {
      const isHeld = kind === 'hold'
      const action = isHeld ? 'customer-held' : 'customer-hold-released'
      if (await setHold(tx, row.id, isHeld)) await addAuditEntry(tx, { ...by, action, accountId: row.id })
      if (!isHeld) await discardReleased(tx, row.id)
      return undefined
    }
  }
}

async function erase(tx: Tx, portal: Portal, { id }: DeskRow, by: By): Promise<Refused | undefined> {
  const erasure = await eraseAccount(tx, portal, id)
  if ('refused' in erasure) return { code: 'customer-in-use', data: { reason: erasure.refused } }
  const details = { ...by.details, held: erasure.evidenceUntil !== null }
  await addAuditEntry(tx, { ...by, action: 'customer-erased', accountId: id, details })
  return undefined
}
