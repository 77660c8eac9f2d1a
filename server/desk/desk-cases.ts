import { sql } from 'kysely'
import * as calls from '../../contract/desk/desk-cases.ts'
import {
  featureOfCase,
  type CaseAction,
  type CaseKind,
  type DeskCase,
  type UploadCheck,
} from '../../contract/desk/desk-cases.ts'
import { deskLimits } from '../../contract/desk/desk-limits.ts'
import type { StaffAction } from '../../contract/desk/staff-actions.ts'
import type { UploadReport } from '../../contract/document-report.ts'
import type { Given } from '../../contract/endpoint.ts'
import type { Text } from '../../contract/enums.ts'
import type { AuditActor } from '../../contract/provider/audit-trail.ts'
import { renewalNumber } from '../../contract/rules/access-code.ts'
import type { CaseStatus, VoucherProcess } from '../../contract/vouchers.ts'
import { uploadOf, type DocumentCaseRow, findOwnDocumentCase } from '../documents/document-case-store.ts'
import { notifyOfDocument, type DocumentNews } from '../documents/document-mails.ts'
import { type Db, type Tx, query } from '../platform/database/database.ts'
import { sendNow } from '../platform/messages/failed-messages.ts'
import type { Portal } from '../platform/portal.ts'
import { requestSignatureAgain } from '../renewal/agreement-delivery.ts'
import { notifyOfRenewal, type RenewalNews } from '../renewal/renewal-mails.ts'
import { findRenewal, type RenewalRow } from '../renewal/renewal-store.ts'
import { isOpenState } from '../renewal/renewal-view.ts'
import { notifyOfCase, type CaseNotice } from '../vouchers/voucher-mails.ts'
import { findDeskRow, lockDeskRow, type DeskRow } from './desk-customer-store.ts'
import { documentWait, renewalWait, voucherWait } from './desk-products.ts'
import { initial } from './masked-identity.ts'
import { lookUpHandler, refuseIfOff } from './staff-limits.ts'

/** A case as it is now. */
type FoundCase = {
  shown: Omit<Given<typeof DeskCase>, 'kind' | 'id' | 'steps' | 'actions'>
  openedAt: Date
  /** The functions that carry out what can be done for the case; each returns false if nothing could be changed any more. */
  can: { [A in CaseAction]?: (tx: Tx) => Promise<boolean | void> }
}

type CaseOf = { kind: CaseKind; case: string }

type Finder = (portal: Portal, db: Db, owner: DeskRow, id: string) => Promise<FoundCase | undefined>

/**
 * Returns the check with masked signers, as far as staff can still recognise them (R235). The issuer of a self-issued certificate is its
 * signer, so only trusted issuers are shown.
 */
const maskedUploadCheck = ({ signatures, ...report }: UploadReport): UploadCheck => ({
  ...report,
  signatures: signatures.map(({ level: _, ...signature }) => ({
    ...signature,
    signer: signature.signer && maskName(signature.signer),
    issuer: signature.trusted ? signature.issuer : null,
  })),
})

/** Masks each word of a name, because the order of first name and surname in a certificate is not known. */
const maskName = (name: string) =>
  name
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => `${initial(word)}•••`)
    .join(' ')

/** Returns the newest message that a customer got about a renewal, by its state; undefined if there was none. */
function renewalNews({ state, signingFailed, identity }: RenewalRow): RenewalNews | undefined {
  if (state === 'signing' && signingFailed) return 'unsigned'
  if (state === 'signed' || state === 'issued' || state === 'failed') return state
  const judged = isOpenState(state) && identity && identity.state !== 'asked' ? identity.state : undefined
  return judged && (judged === 'confirmed' ? 'document-confirmed' : 'document-refused')
}

function documentNews({ status, documentFile, refusal }: DocumentCaseRow): DocumentNews | undefined {
  switch (status) {
    case 'passed-to-subscriber':
    case 'subscriber-downloaded':
      return documentFile ? { news: 'waiting' } : undefined
    case 'subscriber-uploaded':
      return { news: 'received' }
    case 'canceled':
      return refusal ? { news: 'refused', refusal } : { news: 'canceled' }
    default:
      return { news: 'countersigned' }
  }
}

const voucherNews = (status: CaseStatus): CaseNotice['event'] => (status === 'in-progress' ? 'opened' : status)

type AuditedStep = { at: Date; action: string; actor: AuditActor }

/** Names of a case's id in the details of audit entries. */
const nameInTrail = {
  renewal: 'renewal',
  document: 'documentCase',
  voucher: 'voucherCase',
} as const satisfies Record<CaseKind, string>

/**
 * Lists the newest entries about a case of this account, the oldest first. The index of an account's entries has a part for each month; no
 * part from before the case is read.
 */
async function listSteps(db: Db, accountId: string, kind: CaseKind, id: string, since: Date): Promise<AuditedStep[]> {
  const rows = await query(db).all(sql<AuditedStep>`
    select at, act as action, actor from audit
    where account_id = ${accountId} and at >= ${since}::timestamptz - interval '1 minute' and details ->> ${nameInTrail[kind]}::text = ${id}
      and act <> all(array['desk-case-read', 'data-read'])
    order by audit.id desc limit ${deskLimits.steps}`)
  return rows.toReversed()
}

type VoucherRow = {
  id: string
  number: string
  process: VoucherProcess
  status: CaseStatus
  note: Text | null
  createdAt: Date
  updatedAt: Date
}

async function findVoucherCase(db: Db, accountId: string, id: string): Promise<VoucherRow | undefined> {
  return query(db).first(sql<VoucherRow>`
    select c.id, c.number, v.process, c.status, c.note, c.created_at, c.updated_at
    from voucher_cases c join voucher_codes v on v.id = c.code_id
    where c.id = ${id} and c.account_id = ${accountId}`)
}

type SigningOrder = { id: string; cause: string | null; tries: number; nextTryAt: Date }

/** Finds the message that orders the signature of a renewal, while its delivery is being tried. */
async function findSigningOrder(db: Db, renewalId: string): Promise<SigningOrder | undefined> {
  return query(db).first(sql<SigningOrder>`
    select o.id, o.failure as cause, o.tries, o.next_try_at from renewals r join outbox o on o.id = r.signing_order and o.outcome is null
    where r.id = ${renewalId} and r.state = 'authorised'`)
}

/** Finds the seal of a pending invitation to the customer's present address. */
export async function findSealOfInvitation(db: Db, accountId: string, id: string) {
  return query(db).first(sql<{ sealId: string; hasEnded: boolean }>`
    select u.seal_id, s.status = 'revoked' or s.valid_to <= portal_now() as has_ended
    from accounts a join seal_users u on u.email_key = a.email_key join seals s on s.id = u.seal_id
    where a.id = ${accountId} and u.id = ${id} and u.status = 'pending'`)
}

/** The owner's case of each kind; another customer's case is not found (R244). */
const finders: Record<CaseKind, Finder> = {
  async renewal(portal, db, owner, id) {
    const row = await findRenewal(db, portal.keys, owner.id, id)
    if (!row) return undefined
    const news = renewalNews(row)
    const order = await findSigningOrder(db, id)
    return {
      openedAt: row.openedAt,
      shown: {
        ...nothing,
        number: renewalNumber(id),
        state: row.state,
        // The job that tidies up comes later.
        since: row.state === 'expired' ? row.endsAt : row.updatedAt,
        endsAt: row.endsAt,
        waits: renewalWait({
          ...row,
          hasAgreement: row.agreement !== null,
          identityState: row.identity?.state ?? null,
        }),
        note: row.note,
        failure: order?.cause ? { cause: order.cause, tries: order.tries, nextTryAt: order.nextTryAt } : null,
      },
      can: {
        ...(news && { 'send-notice': (tx) => notifyOfRenewal(tx, portal, row, news) }),
        ...(order?.cause && { 'retry-signing': async (tx) => (await sendNow(tx, [order.id])) > 0 }),
        // Not while the first try may be making the signature.
        ...(row.state === 'authorised' &&
          (!order || order.cause) && { 'sign-again': (tx) => requestSignatureAgain(tx, portal, row) }),
      },
    }
  },

  async document(portal, db, owner, id) {
    const row = await findOwnDocumentCase(db, owner.id, id)
    if (!row) return undefined
    const news = documentNews(row)
    const { status: state, refusal } = row
    const upload = uploadOf(portal.keys, row)
    return {
      openedAt: row.createdAt,
      shown: {
        ...nothing,
        number: row.document,
        state,
        since: row.updatedAt,
        waits: documentWait({ state, hasContent: row.documentFile !== null }),
        refusal,
        uploadCheck: upload && maskedUploadCheck(upload.report),
      },
      can: news ? { 'send-notice': (tx) => notifyOfDocument(tx, portal, row, news) } : {},
    }
  },

  async voucher(portal, db, owner, id) {
    const row = await findVoucherCase(db, owner.id, id)
    if (!row) return undefined
    const { number, status, note, process } = row
    const notice = { event: voucherNews(status), number, process, email: owner.email, locale: owner.locale, note }
    return {
      openedAt: row.createdAt,
      shown: {
        ...nothing,
        number,
        state: status,
        since: row.updatedAt,
        waits: voucherWait(status),
        note,
      },
      can: { 'send-notice': (tx) => notifyOfCase(tx, portal, notice) },
    }
  },
}

const nothing = { endsAt: null, refusal: null, note: null, uploadCheck: null, failure: null }

const entries: Record<CaseAction, StaffAction> = {
  'send-notice': 'desk-notice-resent',
  'retry-signing': 'desk-signing-retried',
  'sign-again': 'desk-signing-reopened',
}

// A case step by step, and what an agent can do for it (DSK-19, DSK-20).

export const readDeskCase = lookUpHandler(calls.readDeskCase, async ({ params, orNotFound, transaction }, portal) => {
  const owner = orNotFound(await findDeskRow(portal.db, portal.keys, params.id))
  const row = orNotFound(await finders[params.kind](portal, portal.db, owner, params.case))
  const reply = await completeReply(portal, params.id, params, row)
  await transaction((_, audit) => audit('desk-case-read', detailsOf(params), params.id))
  return reply
})

export const actOnDeskCase = lookUpHandler(
  calls.actOnDeskCase,
  async ({ params, body, fail, orFail, limit, orNotFound, transaction }, portal) => {
    orFail(refuseIfOff(portal, featureOfCase[params.kind]))
    const find = async (db: Db, owner: DeskRow | undefined) =>
      orNotFound(await finders[params.kind](portal, db, orNotFound(owner), params.case))
    await transaction(async (tx, audit) => {
      const row = await find(tx, await lockDeskRow(tx, portal.keys, params.id))
      const act = row.can[body.action]
      if (!act) throw fail('state-passed', { current: row.shown.state })
      if (body.action === 'send-notice') await limit('resend-too-early', ['desk-notices', params.case], tx)
      // The case may have moved on since it was read.
      if ((await act(tx)) === false) throw fail('state-passed')
      await audit(entries[body.action], detailsOf(params), params.id)
    })
    return completeReply(
      portal,
      params.id,
      params,
      await find(portal.db, await findDeskRow(portal.db, portal.keys, params.id)),
    )
  },
)

async function completeReply(
  { db, settings }: Portal,
  accountId: string,
  { kind, case: id }: CaseOf,
  row: FoundCase,
): Promise<Given<typeof DeskCase>> {
  const steps = await listSteps(db, accountId, kind, id, row.openedAt)
  const isOff = settings.featuresOff.includes(featureOfCase[kind])
  return {
    kind,
    id,
    ...row.shown,
    steps,
    actions: isOff ? [] : (Object.keys(row.can) as CaseAction[]),
  }
}

/** Returns a case as the desk shows it now; undefined if the customer has no case with this id. */
export async function findDeskCase(
  portal: Portal,
  accountId: string,
  product: CaseOf,
): Promise<Given<typeof DeskCase> | undefined> {
  const { db, keys } = portal
  const owner = await findDeskRow(db, keys, accountId)
  const row = owner && (await finders[product.kind](portal, db, owner, product.case))
  return row && completeReply(portal, accountId, product, row)
}

const detailsOf = ({ kind, case: id }: CaseOf) => ({ [nameInTrail[kind]]: id })
