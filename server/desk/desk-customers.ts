import { sql } from 'kysely'
import * as calls from '../../contract/desk/desk-customers.ts'
import type { DeskCustomer } from '../../contract/desk/desk-customers.ts'
import { deskLimits } from '../../contract/desk/desk-limits.ts'
import type { Given } from '../../contract/endpoint.ts'
import { recognise, type DeskQuery } from '../../contract/rules/desk-search.ts'
import { maskNumber } from '../../contract/rules/masks.ts'
import { listCustomersBy } from '../customers/customer-store.ts'
import { findPersonalData } from '../personal-data/personal-data-store.ts'
import { unblockAccount } from '../platform/authentication/account-block.ts'
import { staffDetails } from '../platform/authentication/authenticate.ts'
import { endAllSessions } from '../platform/authentication/session.ts'
import { query, type Tx, type Db } from '../platform/database/database.ts'
import { serialIndex } from '../platform/encrypted-data/encrypted-fields.ts'
import type { Keys } from '../platform/encryption/keys.ts'
import type { BoundAudit, Call } from '../platform/http/http.ts'
import type { Portal } from '../platform/portal.ts'
import { sendPasswordLink } from '../registration/password-link.ts'
import { findDeskRow, lockDeskRow, readSignIns, type DeskRow, listDeskRows } from './desk-customer-store.ts'
import { listProducts } from './desk-products.ts'
import { listProposalsFor } from './desk-proposal-store.ts'
import { masked, maskedProposal } from './masked-identity.ts'
import { listObstacles } from './sign-in-obstacles.ts'
import { lookUpHandler } from './staff-limits.ts'

/** Lists the accounts that a part of the search text means, one more than `size` if there are more. */
async function listAtDesk(db: Db, keys: Keys, searched: DeskQuery, size: number): Promise<DeskRow[]> {
  const ids =
    searched.kind === 'number'
      ? await listOwners(db, keys, searched, size + 1)
      : (await listCustomersBy(db, keys, { [searched.kind]: searched.value }, { after: undefined, size })).map(
          ({ id }) => id,
        )
  return listDeskRows(db, keys, ids)
}

/**
 * Lists the owners of what a number names, each by an index: the provider's id of a customer, certificate or document, the
 * number of a case, document or renewal, or the serial number of a certificate.
 */
async function listOwners(
  db: Db,
  keys: Keys,
  { value, renewal, serials }: Extract<DeskQuery, { kind: 'number' }>,
  most: number,
): Promise<string[]> {
  const indexes = serials.map((serial) => serialIndex(keys, serial))
  const rows = await query(db).all(sql<{ id: string }>`
    select distinct id from (
      select id from accounts where provider_id = ${value}
      union all select account_id from voucher_cases where number = ${value}
      union all select account_id from document_cases where provider_id = ${value}
      union all select account_id from document_cases where upper(document) = upper(${value})
      union all select account_id from document_cases where upper(application) = upper(${value})
      union all select account_id from signatures where provider_id = ${value}
      union all select account_id from signatures where serial_index = any(${indexes}::bytea[])
      union all select account_id from seal_users where seal_id in (
        select id from seals where provider_id = ${value} union all select id from seals where serial_index = any(${indexes}::bytea[]))
      ${renewal ? sql`union all select account_id from renewals where id between ${renewal.from}::uuid and ${renewal.to}::uuid` : sql``}
    ) owner where id is not null order by id limit ${most}`)
  return rows.map(({ id }) => id)
}

// Customers at the desk. Each call is an audit entry with the name of the person (DSK-8 to DSK-11).

export const searchDesk = lookUpHandler(calls.searchDesk, async ({ body, transaction }, { db, keys }) => {
  const size = deskLimits.found
  const found = new Map<string, DeskRow>()
  const queries = recognise(body.text)
  for (const searched of queries) for (const row of await listAtDesk(db, keys, searched, size)) found.set(row.id, row)
  const shown = [...found.values()].slice(0, size)
  const details = { by: queries.map(({ kind }) => kind).join(), found: shown.length }
  await transaction(async (_, audit) => {
    for (const { id } of shown.length ? shown : [{ id: null }]) await audit('desk-searched', details, id)
  })
  return { items: shown.map(masked), hasMore: found.size > size }
})

export const readDeskCustomer = lookUpHandler(
  calls.readDeskCustomer,
  async ({ params, orNotFound, transaction }, portal) => {
    const reply = orNotFound(await readCustomerNow(portal, params.id))
    await transaction((_, audit) => audit('desk-customer-read', {}, reply.account))
    return reply
  },
)

export const unmaskDeskCustomer = lookUpHandler(
  calls.unmaskDeskCustomer,
  async ({ params, body, orNotFound, transaction }, { db, keys }) => {
    const row = orNotFound(await findDeskRow(db, keys, params.id))
    const identification = await findPersonalData(db, keys, row.id)
    await transaction((_, audit) => audit('desk-customer-unmasked', { reason: body.reason }, row.id))
    const { firstName, surname, login, email, phone } = row
    const identificationNumber = identification?.identificationNumber ?? null
    return { name: `${firstName} ${surname}`, login, email, phone, identificationNumber }
  },
)

export const unblockAtDesk = lookUpHandler(calls.unblockAtDesk, (call, portal) =>
  changeCustomer(portal, call, async (tx, audit, { id: accountId }) => {
    const by = { actor: 'staff', address: call.address, details: staffDetails(call.staff) } as const
    const isUnblocked = await unblockAccount(tx, portal.keys, { accountId }, by)
    await audit(isUnblocked ? 'desk-customer-read' : 'desk-wrong-codes-reset', {}, accountId)
  }),
)

export const endSessionsAtDesk = lookUpHandler(calls.endSessionsAtDesk, (call, portal) =>
  changeCustomer(portal, call, async (tx, audit, { id }) =>
    audit('desk-sessions-ended', { sessions: await endAllSessions(tx, id) }, id),
  ),
)

export const sendLinkAtDesk = lookUpHandler(calls.sendLinkAtDesk, (call, portal) =>
  changeCustomer(portal, call, async (tx, audit, row) => {
    // A registration has its own link, and a changed address waits (R116).
    if (!row.isConfirmed || row.resetsFrom) throw call.fail('resend-too-early')
    await call.limit('resend-too-early', ['desk-links', row.id], tx)
    await sendPasswordLink(tx, portal, row, row.hasPassword ? 'reset' : 'set-up', { keepsOlder: true })
    await audit('desk-password-link-sent', {}, row.id)
  }),
)

/** Changes a customer, whose account is locked meanwhile; returns what the desk shows of them afterwards. */
export async function changeCustomer(
  portal: Portal,
  { params, orNotFound, transaction }: Pick<Call<typeof calls.unblockAtDesk>, 'params' | 'orNotFound' | 'transaction'>,
  change: (tx: Tx, audit: BoundAudit, row: DeskRow) => Promise<void>,
): Promise<Given<typeof DeskCustomer>> {
  await transaction(async (tx, audit) => change(tx, audit, orNotFound(await lockDeskRow(tx, portal.keys, params.id))))
  return orNotFound(await readCustomerNow(portal, params.id))
}

/** Returns a customer as the desk shows them now; undefined for one who does not exist or was erased. */
export async function readCustomerNow(portal: Portal, id: string): Promise<Given<typeof DeskCustomer> | undefined> {
  const { db, keys } = portal
  const row = await findDeskRow(db, keys, id)
  if (!row) return undefined
  const identification = await findPersonalData(db, keys, row.id)
  const { sessions, lastSignIn } = await readSignIns(db, row.id)
  return {
    ...masked(row),
    customer: row.customer,
    locale: row.locale,
    identificationNumber: identification ? maskNumber(identification.identificationNumber) : null,
    createdAt: row.createdAt,
    lastSignIn,
    sessions,
    obstacles: await listObstacles(portal, row),
    products: await listProducts(portal, row.id),
    heldSince: row.heldAt,
    proposals: (await listProposalsFor(db, keys, row.id)).map(maskedProposal),
  }
}
