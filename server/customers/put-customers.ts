import { randomUUIDv7 } from 'node:crypto'
import { requiredConsents } from '../../contract/consents.ts'
import { limits } from '../../contract/limits.ts'
import type { ImportedCustomer } from '../../contract/provider/customer-import.ts'
import { addReportedAcceptances, type ReportedAcceptance } from '../personal-data/consent-store.ts'
import { putPersonalData } from '../personal-data/personal-data-store.ts'
import type { AuditEntry, ChangedBy } from '../platform/audit/audit-entry.ts'
import { addAuditEntries } from '../platform/audit/audit.ts'
import { lockNames, takeNames } from '../platform/authentication/account-names.ts'
import { actorDetails, type ProviderClient } from '../platform/authentication/authenticate.ts'
import type { Tx } from '../platform/database/database.ts'
import type { Portal } from '../platform/portal.ts'
import { applyContactChanges } from './contact-changes.ts'
import { listAccountsOf, putCustomerRows, type ContactChange, type CustomerRow } from './customer-store.ts'

/** The result for one customer. */
export type PutCustomer = { row: CustomerRow; outcome: 'created' | 'updated' | 'unchanged' }

/**
 * Creates or updates customers, whose logins and e-mail addresses must all differ. The result is undefined for one
 * whose login or e-mail address is taken. An account that was registered and confirmed with the e-mail becomes the
 * provider's customer. The number of statements does not depend on the number of customers. New customers are not
 * invited here.
 */
export async function putCustomers(
  tx: Tx,
  portal: Portal,
  stated: readonly ImportedCustomer[],
  { client, address }: { client: ProviderClient; address: string },
): Promise<(PutCustomer | undefined)[]> {
  const { keys } = portal
  await lockNames(tx)
  const before = await listAccountsOf(tx, keys, stated)
  const namings = stated.map((customer) => {
    const { login, email } = customer
    const was = before.get(customer.customer)
    return { id: was?.row.id ?? randomUUIDv7(), login, email, customer, was }
  })
  const names = await takeNames(tx, namings)
  const changes = namings.map(({ id, customer, was }, i) => names[i] && { ...names[i], customer, id, was })
  const accepted = changes.filter((change) => change !== undefined)
  const written = accepted.filter(({ customer, was }) => !was || was.isRegistered || !isUnchanged(was.row, customer))
  const rows = await putCustomerRows(tx, keys, written)
  const identifications = new Map(accepted.map(({ id, customer }) => [id, customer.identification]))
  const identified = await putPersonalData(tx, keys, identifications)
  const acceptances = new Map(accepted.map(({ id, customer }) => [id, acceptancesOf(customer)]))
  const reported = Map.groupBy(await addReportedAcceptances(tx, acceptances), ({ accountId }) => accountId)
  const contactChanges = accepted.flatMap(contactChangeOf)
  await applyContactChanges(tx, portal, contactChanges)

  const puts = changes.map((change): (PutCustomer & { isAdopted: boolean }) | undefined => {
    if (!change) return undefined
    const { id, was } = change
    const writtenRow = rows.get(id)
    const row = writtenRow ?? was?.row
    const outcome = !was ? 'created' : writtenRow || identified.has(id) || reported.has(id) ? 'updated' : 'unchanged'
    return row && { row, outcome, isAdopted: was?.isRegistered ?? false }
  })
  const by = { actor: 'provider', address, details: actorDetails(client) } as const
  await addAuditEntries(tx, [
    ...contactChanges.map(({ accountId, changed }): AuditEntry => {
      const details = { ...by.details, ...changed }
      return { ...by, action: 'customer-contact-changed', accountId, details }
    }),
    ...puts.flatMap((put) => (put ? putEntry(put, reported.get(put.row.id), by) : [])),
  ])
  return puts
}

/** Returns the audit entry of a customer who was created or updated. */
function putEntry(
  { row, outcome, isAdopted }: PutCustomer & { isAdopted: boolean },
  acceptances: readonly ReportedAcceptance[] = [],
  by: ChangedBy,
): AuditEntry[] {
  if (outcome === 'unchanged') return []
  const accepted = acceptances.map(({ kind, version, at }) => [`${kind}-accepted`, `${version} at ${at.toISOString()}`])
  const details = { ...by.details, ...(isAdopted && { adopted: isAdopted }), ...Object.fromEntries(accepted) }
  return [{ ...by, action: `customer-${outcome}`, accountId: row.id, details }]
}

type CustomerChange = {
  id: string
  customer: ImportedCustomer
  was: { row: CustomerRow; phoneConfirmed: boolean } | undefined
}

/** Returns the change of a customer's e-mail address or phone number, if either has changed. */
function contactChangeOf({ id, customer: now, was }: CustomerChange): ContactChange[] {
  if (!was) return []
  const { email, phone, locale, state } = was.row
  const changed = { email: email !== now.email, phone: phone !== now.phone }
  if (!changed.email && !changed.phone) return []
  const before = { email, phone: was.phoneConfirmed ? phone : null }
  return [{ accountId: id, locale, before, now, changed, isInvited: state === 'invited' }]
}

const isUnchanged = (row: CustomerRow, customer: ImportedCustomer) =>
  (['login', 'email', 'phone', 'firstName', 'secondName', 'surname'] as const).every(
    (name) => row[name] === customer[name],
  )

const acceptancesOf = ({ acceptances = {} }: ImportedCustomer): ReportedAcceptance[] =>
  requiredConsents.flatMap((kind) => {
    const acceptance = acceptances[kind]
    return acceptance ? { kind, version: acceptance.version, at: new Date(acceptance.at) } : []
  })

/** Returns the invalid fields of a customer whose acceptance is dated in the future, allowing for clocks that differ by some minutes. */
export const acceptedInFuture = (customer: ImportedCustomer, now: Date) =>
  acceptancesOf(customer).flatMap(({ kind, at }) =>
    at.getTime() > now.getTime() + limits.acceptances.clockAhead * 1000
      ? { name: `acceptances.${kind}.at`, problem: 'date-range' as const }
      : [],
  )
