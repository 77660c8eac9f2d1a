import type { ImportedCustomer } from '../../contract/customer-import.ts'
import { holdNames, takeNames } from '../account-names.ts'
import { recordAll } from '../audit.ts'
import type { Tx } from '../db.ts'
import { followContactChanges, type ContactChange } from '../contact-changes.ts'
import { putPersonalData } from '../personal-data.ts'
import type { Portal } from '../portal.ts'
import { findStated, writeCustomers, type CustomerRow } from './customer-queries.ts'

/** What became of one customer that the provider has stated. */
export type PutCustomer = { row: CustomerRow; outcome: 'created' | 'updated' | 'unchanged' }

/**
 * States what customers are, one or many, no two with a name in common; undefined for each whose login or e-mail is somebody
 * else's. Whoever registered with the e-mail, and proved that the mailbox is theirs, becomes the provider's customer. How
 * many there are makes no difference to the number of statements. Whoever is new is still to be invited.
 */
export async function putCustomers(
  tx: Tx,
  portal: Portal,
  stated: readonly ImportedCustomer[],
  { client, address }: { client: string; address: string },
): Promise<(PutCustomer | undefined)[]> {
  const { keys } = portal
  await holdNames(tx)
  const before = await findStated(tx, keys, stated)
  const namings = stated.map(({ customer, login, email }) => ({
    id: before.get(customer)?.row.id ?? crypto.randomUUID(),
    login,
    email,
  }))
  const names = await takeNames(tx, namings)
  const wishes = stated.map(
    (one, i) => names[i] && { ...names[i], one, id: namings[i]!.id, was: before.get(one.customer) },
  )
  const placed = wishes.filter((wish) => wish !== undefined)
  const written = placed.filter(({ one, was }) => !was || was.registered || !isAsStated(was.row, one))
  const rows = await writeCustomers(tx, keys, written)
  const identified = await putPersonalData(tx, keys, new Map(placed.map(({ id, one }) => [id, one.identification])))
  const changes = placed.flatMap(contactChange)
  await followContactChanges(tx, portal, changes)

  const puts = wishes.map((wish): (PutCustomer & { adopted: boolean }) | undefined => {
    if (!wish) return undefined
    const { id, was } = wish
    const row = rows.get(id)
    const outcome = !was ? 'created' : row || identified.has(id) ? 'updated' : 'unchanged'
    return { row: row ?? was!.row, outcome, adopted: was?.registered ?? false }
  })
  const by = { actor: 'provider' as const, address }
  await recordAll(tx, [
    ...changes.map(({ accountId, changed }) => ({
      ...by,
      act: 'customer-contact-changed' as const,
      accountId,
      details: { client, ...changed },
    })),
    ...puts.flatMap((put) =>
      !put || put.outcome === 'unchanged'
        ? []
        : {
            ...by,
            act: `customer-${put.outcome}` as const,
            accountId: put.row.id,
            details: { client, ...(put.adopted ? { adopted: true } : {}) },
          },
    ),
  ])
  return puts
}

type Before = { row: CustomerRow; phoneConfirmed: boolean }

/** How a customer whom the provider has stated is reached from now on, if that is another way than before. */
function contactChange({
  id,
  one,
  was,
}: {
  id: string
  one: ImportedCustomer
  was: Before | undefined
}): ContactChange[] {
  if (!was) return []
  const { email, phone, locale, state } = was.row
  const changed = { email: email !== one.email, phone: phone !== one.phone }
  if (!changed.email && !changed.phone) return []
  const before = { email, phone: was.phoneConfirmed ? phone : null }
  return [{ accountId: id, locale, before, now: one, changed, invited: state === 'invited' }]
}

const isAsStated = (row: CustomerRow, one: ImportedCustomer) =>
  (['login', 'email', 'phone', 'firstName', 'secondName', 'surname'] as const).every((name) => row[name] === one[name])
