import type { FastifyInstance } from 'fastify'
import { blockCustomer, eraseCustomer, getCustomer, inviteCustomer, putCustomer } from '../../contract/provider-api.ts'
import type { Identification } from '../../contract/personal-data.ts'
import { record } from '../audit.ts'
import type { Db } from '../db.ts'
import { tellOfBlock } from '../block-notice.ts'
import { eraseAccount } from '../erasure.ts'
import { serve } from '../http.ts'
import { voidLinks } from '../links.ts'
import { sendPasswordLink } from '../password-link.ts'
import { putPersonalData, readPersonalData } from '../personal-data.ts'
import type { Portal } from '../portal.ts'
import { endAllSessions } from '../session.ts'
import {
  adoptRegistered,
  blockCustomerRow,
  findCustomer,
  putCustomerRow,
  type CustomerRow,
} from './customer-queries.ts'

export function serveProviderCustomers(app: FastifyInstance, portal: Portal): void {
  const { db, keys } = portal

  serve(app, portal, putCustomer, ({ params, body, client, address, fail }) =>
    db.transaction().execute(async (tx) => {
      const adopted = await adoptRegistered(tx, params.customer, body)
      const put = await putCustomerRow(tx, keys, params.customer, body)
      if (!put) throw fail('login-taken')
      const { row, was } = put
      // Until now codes went to a number that only the registration vouched for.
      if (adopted) await endAllSessions(tx, row.id)
      const details = { client: client.id, ...(adopted ? { adopted } : {}) }
      const identified = await putPersonalData(tx, keys, row.id, body.identification)
      if (!was) {
        await record(tx, { act: 'customer-created', accountId: row.id, actor: 'provider', address, details })
        await sendPasswordLink(tx, portal, row, 'set-up')
      } else if (adopted || identified || !same(was, row)) {
        await record(tx, { act: 'customer-updated', accountId: row.id, actor: 'provider', address, details })
        // A link in a mailbox that is no longer the customer's must open nothing (R11).
        if (was.email !== row.email) await voidLinks(tx, row.id)
      }
      return replyOf(row, body.identification)
    }),
  )

  const stateOf = async (from: Db, row: CustomerRow) => replyOf(row, await readPersonalData(from, keys, row.id))

  serve(app, portal, getCustomer, async ({ params, fail }) => {
    const row = await findCustomer(db, keys, params.customer)
    if (!row) throw fail('not-found')
    return stateOf(db, row)
  })

  serve(app, portal, inviteCustomer, ({ params, client, address, fail }) =>
    db.transaction().execute(async (tx) => {
      const row = await findCustomer(tx, keys, params.customer)
      if (!row) throw fail('not-found')
      if (row.state !== 'invited') throw fail('already-active')
      await sendPasswordLink(tx, portal, row, 'set-up')
      await record(tx, {
        act: 'customer-invited',
        accountId: row.id,
        actor: 'provider',
        address,
        details: { client: client.id },
      })
      return stateOf(tx, row)
    }),
  )

  serve(app, portal, blockCustomer, ({ params, client, address, fail }) =>
    db.transaction().execute(async (tx) => {
      const blocked = await blockCustomerRow(tx, keys, params.customer)
      if (!blocked) throw fail('not-found')
      const { row, now } = blocked
      await endAllSessions(tx, row.id)
      await record(tx, {
        act: 'account-blocked',
        accountId: row.id,
        actor: 'provider',
        address,
        details: { client: client.id },
      })
      if (now) await tellOfBlock(tx, portal, row, 'provider')
      return stateOf(tx, row)
    }),
  )

  serve(app, portal, eraseCustomer, ({ params, client, address, fail }) =>
    db.transaction().execute(async (tx) => {
      const row = await findCustomer(tx, keys, params.customer)
      if (!row) throw fail('not-found')
      const erased = await eraseAccount(tx, portal, row.id)
      if (erased === 'in-use') throw fail('customer-in-use')
      await record(tx, {
        act: 'customer-erased',
        accountId: row.id,
        actor: 'provider',
        address,
        details: { client: client.id, held: erased.heldUntil !== null },
      })
      return { heldUntil: erased.heldUntil?.toISOString() ?? null }
    }),
  )
}

const same = (one: CustomerRow, other: CustomerRow) => JSON.stringify(one) === JSON.stringify(other)

const replyOf = ({ id: _, createdAt, ...row }: CustomerRow, identification: Identification | undefined) => ({
  ...row,
  ...(identification && { identification }),
  createdAt: createdAt.toISOString(),
})
