import type { FastifyInstance } from 'fastify'
import type { Identification } from '../../contract/personal-data.ts'
import {
  blockCustomer,
  eraseCustomer,
  getCustomer,
  inviteCustomer,
  putCustomer,
  unblockCustomer,
} from '../../contract/provider-api.ts'
import { unblockAccount } from '../account-block.ts'
import { record } from '../audit.ts'
import { tellOfBlock } from '../block-notice.ts'
import type { Db } from '../db.ts'
import { eraseAccount } from '../erasure.ts'
import { serve } from '../http.ts'
import { sendPasswordLink } from '../password-link.ts'
import { readPersonalData } from '../personal-data.ts'
import type { Portal } from '../portal.ts'
import { endAllSessions } from '../session.ts'
import { blockCustomerRow, findCustomer, type CustomerRow } from './customer-queries.ts'
import { putCustomers } from './put-customers.ts'

export function serveProviderCustomers(app: FastifyInstance, portal: Portal): void {
  const { db, keys } = portal

  serve(app, portal, putCustomer, ({ params, body, client, address, fail }) =>
    db.transaction().execute(async (tx) => {
      const [put] = await putCustomers(tx, portal, [{ ...params, ...body }], { client: client.id, address })
      if (!put) throw fail('login-taken')
      if (put.outcome === 'created') await sendPasswordLink(tx, portal, put.row, 'set-up')
      return replyOf(put.row, body.identification)
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

  serve(app, portal, unblockCustomer, ({ params, client, address, fail }) =>
    db.transaction().execute(async (tx) => {
      const by = { actor: 'provider' as const, address, details: { client: client.id } }
      await unblockAccount(tx, keys, { providerId: params.customer }, by)
      const row = await findCustomer(tx, keys, params.customer)
      if (!row) throw fail('not-found')
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

const replyOf = ({ id: _, createdAt, ...row }: CustomerRow, identification: Identification | undefined) => ({
  ...row,
  ...(identification && { identification }),
  createdAt: createdAt.toISOString(),
})
