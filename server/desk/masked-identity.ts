import type { CustomerProposal, MaskedIdentity } from '../../contract/desk/desk-customers.ts'
import type { Given } from '../../contract/endpoint.ts'
import { maskEmail, maskLogin, maskPhone } from '../platform/messages/masks.ts'
import type { DeskRow } from './desk-customer-store.ts'
import type { Proposal } from './desk-proposal-store.ts'

/** Masks an account: full data leave the server only through the call with a reason (R235). */
export const masked = (row: DeskRow): MaskedIdentity => ({
  account: row.id,
  name: `${row.firstName} ${initial(row.surname)}•••`,
  login: maskLogin(row.login),
  email: maskEmail(row.email),
  phone: maskPhone(row.phone),
  state: stateOf(row),
})

export const initial = (name: string) => [...name][0] ?? ''

function stateOf({ blockedAt, hasPassword, isConfirmed }: DeskRow) {
  if (blockedAt) return 'blocked'
  if (!isConfirmed) return 'registered'
  return hasPassword ? 'active' : 'invited'
}

/** Masks the value of a proposal or of the account for staff who may not decide. */
export const maskedValue = (kind: Proposal['kind'], value: string | null): string | null =>
  value && (kind === 'email' ? maskEmail(value) : maskPhone(value))

export const maskedProposal = ({ content, accountId: _, ...proposal }: Proposal): Given<typeof CustomerProposal> => ({
  ...proposal,
  proposed: maskedValue(proposal.kind, content?.value ?? null),
})
