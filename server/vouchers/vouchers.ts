import * as calls from '../../contract/vouchers.ts'
import { drawAccessCode } from '../platform/authentication/access-codes.ts'
import { handler } from '../platform/http/http.ts'
import { acceptEntry, enterVoucherCode, refuseEntry, readSecondsUntilEntry } from './code-entry.ts'
import { notifyOfCase } from './voucher-mails.ts'
import {
  voucherCaseOf,
  addVoucherCase,
  findCaseOfCode,
  listOwnVoucherCases,
  type VoucherCasePosition,
  markCodeUsed,
} from './voucher-store.ts'

// Vouchers and the cases that they open (VCH-1 … VCH-4).

/** Draws the number of a case, at random, so that it does not show how many cases there are. */
const drawCaseNumber = (): string => `S-${drawAccessCode().slice(0, 9)}`

export const redeemVoucher = handler(
  calls.redeemVoucher,
  async ({ body, session: { accountId }, address, fail, orFail, transaction }, portal) => {
    const by = { accountId, address, transaction }
    const code = orFail(await enterVoucherCode(portal, by, body.code))
    const redeemed = await transaction(async (tx, audit) => {
      if (code.kind === 'renewal') {
        await acceptEntry(tx, portal, by)
        return { kind: code.kind }
      }
      if (await markCodeUsed(tx, code.id)) {
        const number = drawCaseNumber()
        const opened = await addVoucherCase(tx, { codeId: code.id, accountId: accountId, number })
        await notifyOfCase(tx, portal, { ...opened, number, event: 'opened', note: null })
        await audit('voucher-redeemed', { voucher: code.id, voucherCase: opened.id })
      }
      // If another customer's request was first, the case is theirs and is not shown here.
      const voucherCase = await findCaseOfCode(tx, portal.keys, accountId, code.id)
      if (voucherCase) await acceptEntry(tx, portal, by)
      return voucherCase && { kind: code.kind, case: voucherCase }
    })
    // The code is good, but leads to a feature that is off (ERR-5).
    if (redeemed?.kind === 'renewal' && portal.settings.featuresOff.includes('renewal'))
      throw fail('unavailable', { reason: 'switched-off' })
    return redeemed ?? orFail(await refuseEntry(portal, by))
  },
)

export const readVoucherLimit = handler(
  calls.readVoucherLimit,
  async ({ session: { accountId, now }, address }, portal) => {
    const seconds = await readSecondsUntilEntry(portal, { accountId, address })
    return { blockedUntil: seconds ? new Date(now.getTime() + seconds * 1000) : null }
  },
)

export const listVoucherCases = handler(
  calls.listVoucherCases,
  async ({ query, session: { accountId }, page }, { db, keys }) => {
    const { cursor, size: asked, ...filters } = query
    const { rows, next } = await page(
      { list: 'voucher cases by urgency', cursor, size: asked },
      (after: VoucherCasePosition | undefined, size) =>
        listOwnVoucherCases(db, keys, accountId, { ...filters, size, after }),
      ({ urgency, createdAt, id }) => ({ urgency, createdAt, id }),
    )
    return { items: rows.map(({ urgency: _, ...row }) => voucherCaseOf(keys, row)), next }
  },
)
