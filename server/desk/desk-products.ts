import type { DeskProducts } from '../../contract/desk/desk-products.ts'
import { deskLimits } from '../../contract/desk/desk-limits.ts'
import { renewalNumber } from '../../contract/rules/renewal-number.ts'
import { maskLogin } from '../platform/messages/masks.ts'
import type { Portal } from '../platform/portal.ts'
import { documentWait, renewalWait, voucherWait } from './case-waits.ts'
import {
  certificatesOf,
  documentsOf,
  invitationsOf,
  renewalsOf,
  sealsOf,
  statusRequestsOf,
  timestampsOf,
  vouchersOf,
} from './desk-products-store.ts'

/** What a customer has, masked (DSK-18). */
export async function productsOf({ db, keys }: Portal, owner: string): Promise<DeskProducts> {
  return {
    certificates: shown(await certificatesOf(db, keys, owner), ({ validFrom, validTo, serial, ...row }) => ({
      ...row,
      serial: maskSerial(serial),
      validFrom: validFrom.toISOString(),
      validTo: validTo.toISOString(),
    })),
    seals: shown(await sealsOf(db, owner), ({ validTo, serial, ...row }) => ({
      ...row,
      serial: maskSerial(serial),
      validTo: validTo.toISOString(),
    })),
    invitations: shown(await invitationsOf(db, owner), ({ invitedAt, expiresAt, ...row }) => ({
      ...row,
      invitedAt: invitedAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    })),
    renewals: shown(await renewalsOf(db, owner), (row) => ({
      id: row.id,
      number: renewalNumber(row.id),
      state: row.state,
      since: row.since.toISOString(),
      endsAt: row.endsAt.toISOString(),
      waits: renewalWait(row),
    })),
    documents: shown(await documentsOf(db, owner), ({ hasContent, since, ...row }) => ({
      ...row,
      since: since.toISOString(),
      waits: documentWait({ state: row.state, hasContent }),
    })),
    vouchers: shown(await vouchersOf(db, owner), ({ since, ...row }) => ({
      ...row,
      since: since.toISOString(),
      waits: voucherWait(row.state),
    })),
    statusRequests: shown(await statusRequestsOf(db, owner), ({ requestedAt, deadline, decidedAt, ...row }) => ({
      ...row,
      requestedAt: requestedAt.toISOString(),
      deadline: deadline.toISOString(),
      decidedAt: decidedAt?.toISOString() ?? null,
    })),
    timestamps: shown(await timestampsOf(db, owner), ({ login, ...row }) => ({ ...row, login: maskLogin(login) })),
  }
}

/** The end alone: a serial number is too long to be shown with a sign for each digit. */
const maskSerial = (serial: string) => `•••${serial.slice(-3)}`

const shown = <Row, Item>(rows: readonly Row[], itemOf: (row: Row) => Item) => ({
  items: rows.slice(0, deskLimits.shown).map(itemOf),
  more: rows.length > deskLimits.shown,
})
