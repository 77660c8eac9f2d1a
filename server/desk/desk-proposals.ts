import { isDeepStrictEqual } from 'node:util'
import type { ProposalKind } from '../../contract/desk/desk-customers.ts'
import * as calls from '../../contract/desk/desk-proposals.ts'
import type { ListedProposal, ProposalProblem, ProposedChange } from '../../contract/desk/desk-proposals.ts'
import type { Given } from '../../contract/endpoint.ts'
import { changeContact } from '../customers/contact-changes.ts'
import { setHold } from '../customers/customer-store.ts'
import { blockCustomerOf } from '../customers/customers.ts'
import { eraseAccount } from '../customers/erasure.ts'
import type { Refusal } from '../platform/api-error.ts'
import type { ChangedBy } from '../platform/audit/audit-entry.ts'
import { addAuditEntry } from '../platform/audit/audit.ts'
import { lockNames } from '../platform/authentication/account-names.ts'
import { staffDetails } from '../platform/authentication/authenticate.ts'
import { requireRecentSignIn, type StaffSession } from '../platform/authentication/staff-session.ts'
import type { Tx } from '../platform/database/database.ts'
import type { Keys } from '../platform/encryption/keys.ts'
import { handler } from '../platform/http/http.ts'
import { isChosenCountry } from '../platform/messages/sms-policy.ts'
import type { Portal } from '../platform/portal.ts'
import { discardReleased } from '../renewal/renewal-moves.ts'
import { findDeskRow, lockDeskRow, type DeskRow } from './desk-customer-store.ts'
import { changeCustomer, readCustomerNow } from './desk-customers.ts'
import {
  addProposal,
  countOpenProposals,
  decideProposal,
  findProposal,
  listOpenProposals,
  removeProposal,
  seenOf,
  type Proposal,
} from './desk-proposal-store.ts'
import { masked, maskedValue } from './masked-identity.ts'
import { chargeStaff, lookUpHandler, runRecordingRefusal } from './staff-limits.ts'

// Changes that two people make, and the block that one makes at once (DSK-24 to DSK-28).

export const proposeAtDesk = lookUpHandler(calls.proposeAtDesk, (call, portal) =>
  changeCustomer(portal, call, async (tx, audit, row) => {
    const { body, staff, fail } = call
    const problem = problemOf(row, body)
    if (problem) throw fail('state-passed', { reason: problem })
    const { kind, value = null, reason } = body
    if (kind === 'phone' && value && !isChosenCountry(portal.settings, value)) throw fail('sms-country-refused')
    const proposal = await addProposal(tx, portal.keys, row, { kind, value, reason }, staff)
    if (!proposal) throw fail('state-passed', { reason: 'open-already' satisfies ProposalProblem })
    await audit('desk-change-proposed', { proposal, kind, reason }, row.id)
  }),
)

export const withdrawProposal = lookUpHandler(
  calls.withdrawProposal,
  async ({ params, staff, fail, orNotFound, transaction }, portal) => {
    const owner = await transaction(async (tx, audit) => {
      const { id, kind, accountId, ...proposal } = orNotFound(await findProposal(tx, portal.keys, params.id))
      orNotFound(await lockDeskRow(tx, portal.keys, accountId))
      if (proposal.subject !== staff.subject)
        throw fail('state-passed', { reason: 'not-own' satisfies ProposalProblem })
      if (!(await removeProposal(tx, id, staff)))
        throw fail('state-passed', { reason: await findRefusal(tx, portal.keys, id) })
      await audit('desk-change-withdrawn', { proposal: id, kind }, accountId)
      return accountId
    })
    return orNotFound(await readCustomerNow(portal, owner))
  },
)

export const listProposals = handler(calls.listProposals, async ({ staff }, { db }) => ({
  items: (await listOpenProposals(db)).map((proposal) => listed(proposal, staff)),
}))

export const countProposals = handler(calls.countProposals, async ({ staff }, { db }) => ({
  open: await countOpenProposals(db, staff),
}))

export const readProposal = lookUpHandler(
  calls.readProposal,
  async ({ params, staff, fail, orNotFound, transaction }, { db, keys }) => {
    const { content, ...proposal } = orNotFound(await findProposal(db, keys, params.id))
    const row = orNotFound(await findDeskRow(db, keys, proposal.accountId))
    if (!content || proposal.isOver) throw fail('state-passed', { reason: passedBy(proposal) })
    const { id, kind, reason } = proposal
    const isOwn = proposal.subject === staff.subject
    const action = isOwn || content.value === null ? 'desk-change-read' : 'desk-change-unmasked'
    await transaction((_, audit) => audit(action, { proposal: id, kind, reason }, row.id))
    const shown = (value: string | null) => (isOwn ? maskedValue(kind, value) : value)
    const present = kind === 'email' || kind === 'phone' ? row[kind] : null
    return {
      ...listed(proposal, staff),
      reason,
      customer: masked(row),
      present: shown(present),
      proposed: shown(content.value),
    }
  },
)

type ChangeRefusal = Refusal<'login-taken' | 'customer-in-use'>

/** Makes an approved change, by what the provider API makes it with (DSK-25). Returns why it was not possible. */
async function makeChange(
  tx: Tx,
  portal: Portal,
  row: DeskRow,
  { kind, value }: { kind: ProposalKind; value: string | null },
  by: ChangedBy,
): Promise<ChangeRefusal | undefined> {
  switch (kind) {
    case 'email':
      return (await changeContact(tx, portal, row, { email: value! }, by)) ? undefined : { refused: 'login-taken' }
    case 'phone':
      await changeContact(tx, portal, row, { phone: value! }, by)
      return undefined
    case 'erasure':
      return erase(tx, portal, row, by)
    case 'hold':
    case 'hold-release': {
      const isHeld = kind === 'hold'
      const action = isHeld ? 'customer-held' : 'customer-hold-released'
      if (await setHold(tx, row.id, isHeld)) await addAuditEntry(tx, { ...by, action, accountId: row.id })
      if (!isHeld) await discardReleased(tx, row.id)
      return undefined
    }
  }
}

async function erase(tx: Tx, portal: Portal, { id }: DeskRow, by: ChangedBy): Promise<ChangeRefusal | undefined> {
  const erasure = await eraseAccount(tx, portal, id)
  if ('refused' in erasure) return erasure
  const details = { ...by.details, held: erasure.evidenceUntil !== null }
  await addAuditEntry(tx, { ...by, action: 'customer-erased', accountId: id, details })
  return undefined
}

export const approveProposal = handler(
  calls.approveProposal,
  async ({ params, staff, address, fail, orFail, orNotFound, transaction }, portal) => {
    requireRecentSignIn(staff)
    await chargeStaff(portal, 'desk-look-ups', staff)
    const tried = orNotFound(await findTried(portal, 'approval', params.id))
    const isVoid = await runRecordingRefusal(transaction, tried, () =>
      transaction(async (tx, audit) => {
        const { content, ...proposal } = orNotFound(await findProposal(tx, portal.keys, params.id))
        const { id, kind, accountId } = proposal
        if (kind === 'email') await lockNames(tx)
        const row = orNotFound(
          await lockDeskRow(tx, portal.keys, accountId, kind === 'erasure' ? 'to-delete' : 'to-change'),
        )
        // While the account is locked, its data are those that the change starts from (R250).
        const isCurrent = content !== null && isDeepStrictEqual(content.seen, seenOf(row))
        if (!content || !(await decideProposal(tx, id, isCurrent ? 'approved' : 'void', staff)))
          throw fail('state-passed', { reason: await findRefusal(tx, portal.keys, id, staff) })
        const about = { proposal: id, kind, reason: proposal.reason, ...proposerOf(proposal) }
        await audit(isCurrent ? 'desk-change-approved' : 'desk-change-void', about, accountId)
        if (!isCurrent) return true
        const by = { actor: 'staff', address, details: { ...staffDetails(staff), proposal: id } } as const
        orFail(await makeChange(tx, portal, row, { kind, value: content.value }, by))
        return false
      }),
    )
    if (isVoid) throw fail('state-passed', { reason: 'void' satisfies ProposalProblem })
  },
)

export const refuseProposal = lookUpHandler(
  calls.refuseProposal,
  async ({ params, body, staff, fail, orNotFound, transaction }, portal) => {
    const tried = orNotFound(await findTried(portal, 'refusal', params.id))
    await runRecordingRefusal(transaction, tried, () =>
      transaction(async (tx, audit) => {
        const proposal = orNotFound(await findProposal(tx, portal.keys, params.id))
        const { id, kind, accountId } = proposal
        orNotFound(await lockDeskRow(tx, portal.keys, accountId))
        if (!(await decideProposal(tx, id, 'refused', staff, body.reason)))
          throw fail('state-passed', { reason: await findRefusal(tx, portal.keys, id, staff) })
        await audit(
          'desk-change-refused',
          { proposal: id, kind, reason: body.reason, ...proposerOf(proposal) },
          accountId,
        )
      }),
    )
  },
)

async function findTried({ db, keys }: Portal, action: 'approval' | 'refusal', id: string) {
  const proposal = await findProposal(db, keys, id)
  return proposal && { action, proposal: id, about: proposal.accountId }
}

export const blockAtDesk = lookUpHandler(calls.blockAtDesk, (call, portal) =>
  changeCustomer(portal, call, async (tx, audit, { id }) => {
    await blockCustomerOf(tx, portal, { accountId: id })
    await audit('account-blocked', {}, id)
    await audit('desk-customer-read', {}, id)
  }),
)

/** Returns why nobody, or not this person, can decide a proposal. */
async function findRefusal(tx: Tx, keys: Keys, id: string, staff?: StaffSession): Promise<ProposalProblem> {
  const proposal = await findProposal(tx, keys, id)
  const isOwn = proposal !== undefined && proposal.subject === staff?.subject && !proposal.outcome
  return isOwn && !proposal.isOver ? 'own' : passedBy(proposal)
}

const passedBy = (proposal: Pick<Proposal, 'outcome'> | undefined): ProposalProblem =>
  proposal && !proposal.outcome ? 'expired' : 'decided'

const proposerOf = ({ subject, by }: Pick<Proposal, 'subject' | 'by'>) => ({ proposedBy: subject, proposerName: by })

/** Returns why a change cannot be proposed. An unconfirmed registration is only somebody's claim, and expires by itself. */
function problemOf(row: DeskRow, { kind, value }: ProposedChange): ProposalProblem | undefined {
  if (!row.isConfirmed) return 'unconfirmed'
  if (kind === 'email' || kind === 'phone') return value === row[kind] ? 'unchanged' : undefined
  if (kind === 'hold-release') return row.heldAt ? undefined : 'not-held'
  return row.heldAt ? 'held-already' : undefined
}

const listed = (
  { id, kind, by, subject, proposedAt, until }: Omit<Proposal, 'content'>,
  staff: StaffSession,
): Given<typeof ListedProposal> => ({ id, kind, by, proposedAt, until, isOwn: subject === staff.subject })
