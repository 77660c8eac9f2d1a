import { deskLimits } from '../../contract/desk/desk-limits.ts'
import * as calls from '../../contract/desk/desk-vouchers.ts'
import type { NewCodes } from '../../contract/desk/desk-vouchers.ts'
import type { CodeOrder } from '../../contract/provider/provider-vouchers.ts'
import { maskNumber } from '../../contract/rules/masks.ts'
import { dayMs } from '../../contract/rules/warsaw-time.ts'
import { findAccountOfEither } from '../platform/authentication/account-names.ts'
import { requireRecentSignIn } from '../platform/authentication/staff-session.ts'
import { handler } from '../platform/http/http.ts'
import {
  listNamedCodes,
  listCodes,
  addCodes,
  withdrawCode,
  type CodePosition,
} from '../vouchers/provider-voucher-store.ts'
import { chargeStaff, lookUpHandler, refuseIfOff } from './staff-limits.ts'

// Voucher and renewal codes, which are worth money (DSK-37).

export const listCodesAtDesk = lookUpHandler(
  calls.listCodesAtDesk,
  async ({ query: { cursor, ...filters }, page, transaction }, { db, keys }) => {
    const { customer } = filters
    const size = deskLimits.codes.page
    const { rows, next } = await page(
      { list: `desk codes ${JSON.stringify(filters)}`, cursor, size },
      (after: CodePosition | undefined) => listCodes(db, keys, filters, { after, size }),
      ({ createdAt, id }) => ({ createdAt, id }),
    )
    const account = customer === undefined ? null : await findAccountOfEither(db, customer)
    await transaction((_, audit) => audit('desk-codes-read', { found: rows.length }, account))
    return { items: rows.map(({ createdAt, code, ...rest }) => ({ ...rest, code: maskNumber(code) })), next }
  },
)

export const createCodesAtDesk = handler(
  calls.createCodesAtDesk,
  async ({ body: { codes: wanted }, staff, orFail, orNotFound, transaction }, portal) => {
    requireRecentSignIn(staff)
    orFail(refuseIfOff(portal, wanted.kind === 'renewal' ? 'renewal' : 'vouchers'))
    await chargeStaff(portal, 'desk-codes', staff)
    const idPrefix = `desk-${crypto.randomUUID()}`
    const orders = ordersOf(idPrefix, wanted, staff.now)
    return transaction(async (tx, audit) => {
      await addCodes(tx, portal.keys, orders)
      const ids = orders.map(({ id }) => id)
      const codes = await listNamedCodes(tx, portal.keys, ids)
      orNotFound(codes[0])
      await audit('voucher-codes-stored', { codes: codes.length, idPrefix })
      return { idPrefix, codes: codes.map(({ code }) => code) }
    })
  },
)

export const withdrawCodeAtDesk = lookUpHandler(
  calls.withdrawCodeAtDesk,
  ({ params: { id }, orNotFound, fail, transaction }, { keys }) =>
    transaction(async (tx, audit) => {
      if (!(await withdrawCode(tx, id))) {
        const { status } = orNotFound((await listNamedCodes(tx, keys, [id]))[0])
        throw fail('state-passed', { current: status })
      }
      await audit('desk-code-withdrawn', { id })
    }),
)

/** Returns the orders of new codes. Their ids are new, so that no call shows or changes an existing code (R260). */
function ordersOf(idPrefix: string, wanted: NewCodes, now: Date): CodeOrder[] {
  const expiresAt = new Date(now.getTime() + wanted.days * dayMs).toISOString()
  if (wanted.kind === 'renewal') return [{ id: idPrefix, kind: 'renewal', signature: wanted.signature, expiresAt }]
  const { kind, process, customer } = wanted
  const order = { kind, process, customer, expiresAt }
  return Array.from({ length: wanted.count }, (_, i) => ({ id: `${idPrefix}-${i + 1}`, ...order }))
}
