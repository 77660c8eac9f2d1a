import type { Identification } from '../../contract/identification.ts'
import { limits } from '../../contract/limits.ts'
import * as calls from '../../contract/provider/provider-customers.ts'
import { maskNumber } from '../../contract/rules/masks.ts'
import { listReportedAcceptances, type ReportedAcceptance } from '../personal-data/consent-store.ts'
import { findPersonalData } from '../personal-data/personal-data-store.ts'
import { unblockAccount, notifyOfBlock } from '../platform/authentication/account-block.ts'
import { actorDetails } from '../platform/authentication/authenticate.ts'
import { endAllSessions } from '../platform/authentication/session.ts'
import { readDatabaseTime, type Db, type Tx } from '../platform/database/database.ts'
import { handler, type Call } from '../platform/http/http.ts'
import { maskPhone } from '../platform/messages/masks.ts'
import type { Portal } from '../platform/portal.ts'
import { sendPasswordLink } from '../registration/password-link.ts'
import {
  listCustomersBy,
  findCustomer,
  listByProviderId,
  type CustomerRow,
  blockCustomerRow,
} from './customer-store.ts'
import { eraseAccount } from './erasure.ts'
import { acceptedInFuture, putCustomers } from './put-customers.ts'

export const putCustomer = handler(calls.putCustomer, ({ params, body, client, address, fail, transaction }, portal) =>
  transaction(async (tx) => {
    const stated = { ...params, ...body }
    const fields = acceptedInFuture(stated, await readDatabaseTime(tx))
    if (fields.length) throw fail('invalid-input', { fields })
    const [put] = await putCustomers(tx, portal, [stated], { client, address })
    if (!put) throw fail('login-taken')
    if (put.outcome === 'created') await sendPasswordLink(tx, portal, put.row, 'set-up')
    return replyOf(put.row, body.identification, await listReportedAcceptances(tx, put.row.id))
  }),
)

const readState = async ({ keys }: Portal, db: Db, row: CustomerRow) =>
  replyOf(row, await findPersonalData(db, keys, row.id), await listReportedAcceptances(db, row.id))

export const getCustomer = handler(calls.getCustomer, async ({ params, orNotFound }, portal) =>
  readState(portal, portal.db, orNotFound(await findCustomer(portal.db, portal.keys, params.customer))),
)

export const getMaskedCustomer = handler(calls.getMaskedCustomer, async ({ params, orNotFound }, { db, keys }) => {
  const row = orNotFound(await findCustomer(db, keys, params.customer))
  return maskedReply(row, await findPersonalData(db, keys, row.id), await listReportedAcceptances(db, row.id))
})

const searchBy = async (
  { db, keys }: Portal,
  {
    body: { cursor, ...by },
    client,
    limit,
    pageById,
    transaction,
  }: Pick<Call<typeof calls.searchCustomers>, 'body' | 'client' | 'limit' | 'pageById' | 'transaction'>,
) => {
  await limit('too-many-requests', ['customer-searches', client.id])
  const size = limits.list.sizes[0]
  const { rows, next } = await pageById({ list: `customers by ${JSON.stringify(by)}`, cursor, size }, (at) =>
    listCustomersBy(db, keys, by, at),
  )
  await transaction(async (_, audit) => {
    const details = { by: Object.keys(by).join(), found: rows.length }
    for (const owner of rows.length ? rows.map(({ id }) => id) : [null])
      await audit('customers-searched', details, owner)
  })
  return { items: rows.map(({ id, ...row }) => ({ account: id, ...row })), next }
}

export const searchCustomers = handler(calls.searchCustomers, (call, portal) => searchBy(portal, call))

export const listCustomers = handler(calls.listCustomers, async ({ query: { cursor }, page }, { db }) => {
  const size = limits.list.largest
  const { rows, next } = await page(
    { list: 'provider customers', cursor, size },
    (after: { customer: string } | undefined) => listByProviderId(db, after?.customer, size),
    ({ customer }) => ({ customer }),
  )
  return { items: rows, next }
})

export const searchMaskedCustomers = handler(calls.searchMaskedCustomers, async (call, portal) => {
  const { items, next } = await searchBy(portal, call)
  return { items: items.map((item) => ({ ...item, phone: maskPhone(item.phone) })), next }
})

export const inviteCustomer = handler(calls.inviteCustomer, ({ params, fail, transaction, orNotFound }, portal) =>
  transaction(async (tx, audit) => {
    const row = orNotFound(await findCustomer(tx, portal.keys, params.customer))
    if (row.state !== 'invited') throw fail('already-active')
    await sendPasswordLink(tx, portal, row, 'set-up')
    await audit('customer-invited', {}, row.id)
    return readState(portal, tx, row)
  }),
)

export const unblockCustomer = handler(
  calls.unblockCustomer,
  ({ params, client, address, transaction, orNotFound }, portal) =>
    transaction(async (tx) => {
      const by = { actor: 'provider' as const, address, details: actorDetails(client) }
      await unblockAccount(tx, portal.keys, { providerId: params.customer }, by)
      return readState(portal, tx, orNotFound(await findCustomer(tx, portal.keys, params.customer)))
    }),
)

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

export const blockCustomer = handler(calls.blockCustomer, ({ params, transaction, orNotFound }, portal) =>
  transaction(async (tx, audit) => {
    const row = orNotFound(await blockCustomerOf(tx, portal, { providerId: params.customer }))
    await audit('account-blocked', {}, row.id)
    return readState(portal, tx, row)
  }),
)

export const eraseCustomer = handler(calls.eraseCustomer, ({ params, orFail, transaction, orNotFound }, portal) =>
  transaction(async (tx, audit) => {
    const row = orNotFound(await findCustomer(tx, portal.keys, params.customer))
    const { evidenceUntil } = orFail(await eraseAccount(tx, portal, row.id))
    await audit('customer-erased', { held: evidenceUntil !== null }, row.id)
    return { heldUntil: evidenceUntil }
  }),
)

const replyOf = (
  { id: _, ...row }: CustomerRow,
  identification: Identification | undefined,
  reported: readonly ReportedAcceptance[],
) => ({
  ...row,
  ...(identification && { identification }),
  ...(reported.length > 0 && {
    acceptances: Object.fromEntries(reported.map(({ kind, version, at }) => [kind, { version, at }])),
  }),
})

function maskedReply(
  row: CustomerRow,
  identification: Identification | undefined,
  reported: readonly ReportedAcceptance[],
) {
  const reply = { ...replyOf(row, undefined, reported), phone: maskPhone(row.phone) }
  if (!identification) return reply
  const { birthDate: _, birthPlace: __, identificationNumber, document, ...identity } = identification
  return {
    ...reply,
    identification: {
      ...identity,
      identificationNumber: maskNumber(identificationNumber),
      document: { ...document, number: maskNumber(document.number) },
    },
  }
}
