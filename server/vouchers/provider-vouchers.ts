import { caseStatusOf } from '../../contract/case-status.ts'
import * as calls from '../../contract/provider/provider-vouchers.ts'
import { raiseAlarm } from '../platform/audit/alarms.ts'
import { handler } from '../platform/http/http.ts'
import {
  findVoucherCase,
  listNamedCodes,
  listVoucherCasesAfter,
  moveVoucherCase,
  addCodes,
  type ProviderVoucherCaseRow,
} from './provider-voucher-store.ts'
import { notifyOfCase } from './voucher-mails.ts'

// The provider's calls for codes to be sold and for the cases that they open (OPS-4).

export const putVoucherCodes = handler(calls.putVoucherCodes, ({ body, transaction }, { keys }) =>
  transaction(async (tx, audit) => {
    await addCodes(tx, keys, body.codes)
    const ids = body.codes.map(({ id }) => id)
    const codes = await listNamedCodes(tx, keys, ids)
    await audit('voucher-codes-stored', { codes: codes.length })
    const known = new Set(codes.map(({ id }) => id))
    return { codes, unknown: ids.filter((id) => !known.has(id)) }
  }),
)

export const getVoucherCode = handler(calls.getVoucherCode, async ({ params, orNotFound }, { db, keys }) => {
  const [code] = await listNamedCodes(db, keys, [params.code])
  return orNotFound(code)
})

export const listProviderCases = handler(
  calls.listProviderCases,
  async ({ query: { customer, status, known, cursor }, pageById }, { db }) => {
    const filters = { customer, status, known: known === undefined ? undefined : known === 'true' }
    const { rows, next } = await pageById(
      { list: `provider voucher cases ${customer ?? ''} ${status ?? 'all'} ${known ?? 'all'}`, cursor },
      (at) => listVoucherCasesAfter(db, { ...filters, ...at }),
    )
    return { items: rows.map(stateOf), next }
  },
)

export const getProviderCase = handler(calls.getProviderCase, async ({ params, orNotFound, isAbout }, { db }) => {
  const row = orNotFound(await findVoucherCase(db, params.case))
  isAbout(row.owner)
  return stateOf(row)
})

export const putCaseStatus = handler(
  calls.putCaseStatus,
  async ({ params, body, client, orNotFound, isAbout, transaction }, portal) => {
    const known = caseStatusOf(body.status)
    const status = known ?? 'in-progress'
    const { row, isMoved } = await transaction(async (tx, audit) => {
      const moved = await moveVoucherCase(tx, params.case, { status, known: known !== undefined, report: body })
      if (moved) {
        const { id, owner, previousStatus, ...voucherCase } = moved
        if (status !== previousStatus && status !== 'in-progress')
          await notifyOfCase(tx, portal, { ...voucherCase, event: status })
        await audit('voucher-case-moved', { voucherCase: id, status, known: known !== undefined }, owner)
      }
      return { row: orNotFound(await findVoucherCase(tx, params.case)), isMoved: moved !== undefined }
    })
    isAbout(row.owner)
    if (isMoved && known === undefined) raiseAlarm(portal, { name: 'case-status-unknown', about: client.name })
    return stateOf(row)
  },
)

const stateOf = ({ id: _, owner: __, ...row }: ProviderVoucherCaseRow) => row
