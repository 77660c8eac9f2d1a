import type { ImportedCustomer } from '../../contract/customer-import.ts'
import { holdNames, takeNames } from '../account-names.ts'
import { recordAll } from '../audit.ts'
import type { Tx } from '../db.ts'
import type { Keys } from '../keys.ts'
import { voidLinks } from '../links.ts'
import { putPersonalData } from '../personal-data.ts'
import { endAllSessions } from '../session.ts'
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
  keys: Keys,
  stated: readonly ImportedCustomer[],
  { client, address }: { client: string; address: string },
): Promise<(PutCustomer | undefined)[]> {
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
  // Until now codes went to a number that only the registration vouched for.
  for (const { id, was } of placed) if (was?.registered) await endAllSessions(tx, id)
  // A link in a mailbox that is no longer the customer's must open nothing (R11).
  const moved = placed.filter(({ one, was }) => was && was.row.email !== one.email).map(({ id }) => id)
  if (moved.length) await voidLinks(tx, ...moved)

  const puts = wishes.map((wish): (PutCustomer & { adopted: boolean }) | undefined => {
    if (!wish) return undefined
    const { id, was } = wish
    const row = rows.get(id)
    const outcome = !was ? 'created' : row || identified.has(id) ? 'updated' : 'unchanged'
    return { row: row ?? was!.row, outcome, adopted: was?.registered ?? false }
  })
  await recordAll(
    tx,
    puts.flatMap((put) =>
      !put || put.outcome === 'unchanged'
        ? []
        : {
            act: `customer-${put.outcome}` as const,
            accountId: put.row.id,
            actor: 'provider' as const,
            address,
            details: { client, ...(put.adopted ? { adopted: true } : {}) },
          },
    ),
  )
  return puts
}

const isAsStated = (row: CustomerRow, one: ImportedCustomer) =>
  (['login', 'email', 'phone', 'firstName', 'secondName', 'surname'] as const).every((name) => row[name] === one[name])
