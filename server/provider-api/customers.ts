import type { FastifyInstance } from 'fastify'
import { blockCustomer, getCustomer, inviteCustomer, putCustomer } from '../../contract/provider-api.ts'
import { record } from '../audit.ts'
import { tellOfBlock } from '../block-notice.ts'
import { serve } from '../http.ts'
import { voidLinks } from '../links.ts'
import { sendPasswordLink } from '../password-link.ts'
import type { Portal } from '../portal.ts'
import { endAllSessions } from '../session.ts'
import { blockCustomerRow, findCustomer, putCustomerRow, type CustomerRow } from './customer-queries.ts'

export function serveProviderCustomers(app: FastifyInstance, portal: Portal): void {
  const { db } = portal

  serve(app, portal, putCustomer, ({ params, body, client, address, fail }) =>
    db.transaction().execute(async (tx) => {
      const put = await putCustomerRow(tx, params.customer, body)
      if (!put) throw fail('login-taken')
      const { row, was } = put
      const details = { client: client.id }
      if (!was) {
        await record(tx, { act: 'customer-created', accountId: row.id, actor: 'provider', address, details })
        await sendPasswordLink(tx, portal, row, 'set-up')
      } else if (!same(was, row)) {
        await record(tx, { act: 'customer-updated', accountId: row.id, actor: 'provider', address, details })
        // A link in a mailbox that is no longer the customer's must open nothing (R11).
        if (was.email !== row.email) await voidLinks(tx, row.id)
      }
      return replyOf(row)
    }),
  )

  serve(app, portal, getCustomer, async ({ params, fail }) => {
    const row = await findCustomer(db, params.customer)
    if (!row) throw fail('not-found')
    return replyOf(row)
  })

  serve(app, portal, inviteCustomer, ({ params, client, address, fail }) =>
    db.transaction().execute(async (tx) => {
      const row = await findCustomer(tx, params.customer)
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
      return replyOf(row)
    }),
  )

  serve(app, portal, blockCustomer, ({ params, client, address, fail }) =>
    db.transaction().execute(async (tx) => {
      const blocked = await blockCustomerRow(tx, params.customer)
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
      return replyOf(row)
    }),
  )
}

const same = (one: CustomerRow, other: CustomerRow) => JSON.stringify(one) === JSON.stringify(other)

const replyOf = ({ id: _, createdAt, ...row }: CustomerRow) => ({ ...row, createdAt: createdAt.toISOString() })
