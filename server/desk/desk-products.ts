import type { Given } from '../../contract/endpoint.ts'
import type { DeskProducts } from '../../contract/desk/desk-products.ts'
import { deskLimits } from '../../contract/desk/desk-limits.ts'
import { renewalNumber } from '../../contract/rules/renewal-number.ts'
import { maskLogin } from '../platform/messages/masks.ts'
import type { Portal } from '../platform/portal.ts'
import {
  certificatesOf,
  documentsOf,
  invitationsOf,
  renewalsOf,
  sealsOf,
  statusRequestsOf,
  timestampsOf,
  vouchersOf,
  documentWait,
  renewalWait,
  voucherWait,
} from './desk-products-store.ts'

/** What a customer has, masked (DSK-18). */
export async function productsOf({ db, keys }: Portal, owner: string): Promise<Given<typeof DeskProducts>> {
  return {
    certificates: shown(await certificatesOf(db, keys, owner), withMaskedSerial),
    seals: shown(await sealsOf(db, owner), withMaskedSerial),
    invitations: shown(await invitationsOf(db, owner), (row) => row),
    renewals: shown(await renewalsOf(db, owner), ({ hasAgreement, signingFailed, identityState, ...row }) => ({
      ...row,
      number: renewalNumber(row.id),
      waits: renewalWait({ state: row.state, hasAgreement, signingFailed, identityState }),
    })),
    documents: shown(await documentsOf(db, owner), ({ hasContent, ...row }) => ({
      ...row,
      waits: documentWait({ state: row.state, hasContent }),
    })),
    vouchers: shown(await vouchersOf(db, owner), (row) => ({ ...row, waits: voucherWait(row.state) })),
    statusRequests: shown(await statusRequestsOf(db, owner), (row) => row),
    timestamps: shown(await timestampsOf(db, owner), (row) => ({ ...row, login: maskLogin(row.login) })),
  }
}

/** The end alone: a serial number is too long to be shown with a sign for each digit. */
const withMaskedSerial = <Row extends { serial: string }>(row: Row) => ({
  ...row,
  serial: `•••${row.serial.slice(-3)}`,
})

const shown = <Row extends object, Item>(rows: readonly Row[], itemOf: (row: Row) => Item) => ({
  items: rows.slice(0, deskLimits.shown).map(itemOf),
  more: rows.length > deskLimits.shown,
})
