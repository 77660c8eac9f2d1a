import { sql, type RawBuilder } from 'kysely'
import type { AuditAction } from '../../../contract/audit-actions.ts'
import type { EventType, ProviderEvent } from '../../../contract/provider/events.ts'
import { noticeAtCommit, type Db, type Tx, query } from '../database/database.ts'
import type { AuditEntry } from './audit-entry.ts'

// The events of the portal that the provider reads (OPS-4). An audit entry writes its event in the same transaction. A number
// drawn there would lose events: the first to draw may be the last to commit, and then a reader is past its number. So
// positions in the feed are assigned later, to committed events, by one transaction at a time.

/** The mark of transactions with new events. */
export const eventNotice = 'events'

/** The data that an event has of each kind of object, as it is in this transaction. */
const projections = {
  customer: (id) => sql`select ${owner} as data from accounts a where a.id = ${id}`,
  signature: (id) => sql`
    select ${owner} || jsonb_build_object('signature', s.provider_id) as data
    from signatures s join accounts a on a.id = s.account_id where s.id = ${id}`,
  'seal-user': (id) => sql`
    select jsonb_build_object('seal', s.provider_id, 'user', u.provider_id, 'role', u.role, 'status', u.status) as data
    from seal_users u join seals s on s.id = u.seal_id where u.id = ${id}`,
  'document-case': (id) => sql`
    select ${owner} || jsonb_build_object('case', c.provider_id, 'status', c.status, 'version', c.version) as data
    from document_cases c join accounts a on a.id = c.account_id where c.id = ${id}`,
  'voucher-case': (id) => sql`
    select ${owner} || jsonb_build_object('case', c.number, 'code', v.provider_id, 'process', v.process, 'status', c.status) as data
    from voucher_cases c join voucher_codes v on v.id = c.code_id join accounts a on a.id = c.account_id where c.id = ${id}`,
  renewal: (id) => sql`
    select ${owner} || jsonb_build_object('renewal', r.id, 'renews', s.provider_id, 'state', r.state, 'version', r.version,
      'identity', r.identity_state, 'issued', n.provider_id) as data
    from renewals r join accounts a on a.id = r.account_id join signatures s on s.id = r.signature_id
      left join signatures n on n.id = r.issued_signature where r.id = ${id}`,
  'status-request': (id) => sql`
    select ${owner} || jsonb_build_object('request', q.id, 'signature', s.provider_id, 'seal', e.provider_id, 'change', q.change, 'state', q.state,
      'deadline', to_char(q.deadline at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) as data
    from status_requests q join accounts a on a.id = q.account_id left join signatures s on s.id = q.signature_id
      left join seals e on e.id = q.seal_id where q.id = ${id}`,
  'file-signing': (id) => sql`
    select ${owner} || jsonb_build_object('signature', s.provider_id, 'seal', e.provider_id, 'files', cardinality(f.digests)) as data
    from file_signings f join accounts a on a.id = f.account_id left join signatures s on s.id = f.signature_id
      left join seals e on e.id = f.seal_id where f.id = ${id}`,
  // Its row is gone; the entry says all.
  removed: () => sql`select '{}'::jsonb as data`,
} satisfies { [kind: string]: (id: string) => RawBuilder<unknown> }

const owner = sql`jsonb_build_object('customer', a.provider_id, 'account', a.id)`

type EventDraft = { type: EventType; about: keyof typeof projections; id: unknown; extra?: object }

/** Audit actions that have an event, and the object of the event. */
const eventOfAction: { [A in AuditAction]?: (entry: AuditEntry) => EventDraft | undefined } = {
  'password-set': (entry) => {
    if (entry.details?.['by'] === 'set-up') return ofCustomer('customer.activated')(entry)
    return entry.details?.['unblocked'] ? ofCustomer('customer.unblocked')(entry) : undefined
  },
  'customer-updated': (entry) => (entry.details?.['adopted'] ? ofCustomer('customer.adopted')(entry) : undefined),
  'customer-contact-changed': ({ accountId: id, details: { email, phone } = {} }) => ({
    type: 'customer.contact-changed',
    about: 'customer',
    id,
    extra: { email, phone },
  }),
  'account-blocked': ofCustomer('customer.blocked'),
  'account-unblocked': ofCustomer('customer.unblocked'),
  'lost-phone-confirmed': ofCustomer('customer.phone-lost'),
  'phone-changed': ofCustomer('customer.phone-changed'),
  'consent-given': ofConsent(true),
  'consent-withdrawn': ofConsent(false),
  'pairing-requested': (entry) =>
    entry.details?.['by'] === 'provider' ? ofPairing('activation-requested')(entry) : undefined,
  'pairing-started': ofPairing('activation-shown'),
  'pairing-confirmed': ofPairing('paired'),
  'seal-user-stored': ofSealUser,
  'seal-user-invited': ofSealUser,
  'seal-user-removed': ofSealUser,
  'seal-access-activated': ofSealUser,
  'document-downloaded': (entry) => (entry.details?.['first'] ? ofDocumentCase(entry) : undefined),
  'document-upload-confirmed': ofDocumentCase,
  'document-signed-in-place': ofDocumentCase,
  'document-upload-refused': ofDocumentCase,
  'document-countersigned': ofDocumentCase,
  'document-finished': ofDocumentCase,
  'document-canceled': ofDocumentCase,
  'voucher-redeemed': ofVoucherCase('voucher-case.opened'),
  'voucher-case-moved': ofVoucherCase('voucher-case.moved'),
  'files-signed': ({ details }) => ({ type: 'files.signed', about: 'file-signing', id: details?.['fileSigning'] }),
  'filed-object-removed': ({ details: { object, filed, reason } = {} }) => ({
    type: 'object.removed',
    about: 'removed',
    id: `${String(object)} ${String(filed)}`,
    extra: { object, filed, reason },
  }),
  'desk-object-moved': ofMove,
  'suspension-requested': ofStatusRequest,
  'resumption-requested': ofStatusRequest,
  'revocation-requested': ofStatusRequest,
  'certificate-suspended': ofStatusRequest,
  'certificate-resumed': ofStatusRequest,
  'certificate-revoked': ofStatusRequest,
  'status-request-refused': ofStatusRequest,
  'status-request-replaced': ofStatusRequest,
  'suspension-kept': ofStatusRequest,
  'renewal-opened': ofRenewal,
  'renewal-parameters-fixed': ofRenewal,
  'renewal-document-entered': ofRenewal,
  'renewal-document-judged': ofRenewal,
  'renewal-data-confirmed': ofRenewal,
  'renewal-returned': ofRenewal,
  'renewal-authorised': ofRenewal,
  'renewal-declined': ofRenewal,
  'renewal-signed': ofRenewal,
  'renewal-signing-failed': ofRenewal,
  'renewal-issued': ofRenewal,
  'renewal-failed': ofRenewal,
  'renewal-finished': ofRenewal,
  'renewal-expired': ofRenewal,
}

function ofCustomer(type: EventType) {
  return ({ accountId: id }: AuditEntry): EventDraft => ({ type, about: 'customer', id })
}

function ofConsent(isGiven: boolean) {
  return ({ accountId: id, details = {} }: AuditEntry): EventDraft => {
    const { kind, version } = details
    return { type: 'customer.consent-changed', about: 'customer', id, extra: { kind, version, given: isGiven } }
  }
}

function ofPairing(what: 'activation-requested' | 'activation-shown' | 'paired') {
  return ({ details: { signature, user } = {} }: AuditEntry): EventDraft =>
    signature
      ? { type: `signature.${what}`, about: 'signature', id: signature }
      : { type: `seal-user.${what}`, about: 'seal-user', id: user }
}

function ofSealUser({ details }: AuditEntry): EventDraft {
  return { type: 'seal-user.changed', about: 'seal-user', id: details?.['user'] }
}

function ofDocumentCase({ details }: AuditEntry): EventDraft {
  return { type: 'document-case.moved', about: 'document-case', id: details?.['documentCase'] }
}

function ofVoucherCase(type: EventType) {
  return ({ details }: AuditEntry): EventDraft => ({ type, about: 'voucher-case', id: details?.['voucherCase'] })
}

/**
 * Returns the event of a status request. The entries of the other Administrators of a seal, and of a suspension that was made before, name
 * no request.
 */
function ofStatusRequest({ details: { request } = {} }: AuditEntry): EventDraft | undefined {
  return request ? { type: 'status-request.moved', about: 'status-request', id: request } : undefined
}

const movedObjects: Record<string, string> = {
  certificate: 'signature',
  document: 'document-case',
}

/** Returns the event of a move, from the entry of the customer who has the object now; that of the former one has no event. */
function ofMove({
  accountId,
  details: { kind, object, filed, from, previous } = {},
}: AuditEntry): EventDraft | undefined {
  if (!from) return undefined
  if (kind === 'seal') return { type: 'seal-user.changed', about: 'seal-user', id: object }
  const extra = { object: movedObjects[String(kind)], filed, previous: previous ?? null }
  return { type: 'object.moved', about: 'customer', id: accountId, extra }
}

function ofRenewal({ details }: AuditEntry): EventDraft {
  return { type: 'renewal.moved', about: 'renewal', id: details?.['renewal'] }
}

/** Writes the event of an action, if it has one. It follows the change that it reports, which has locked the object's row. */
export async function addEvent(tx: Tx, entry: AuditEntry): Promise<void> {
  const draft = eventOfAction[entry.action]?.(entry)
  if (!draft) return
  const { type, about, id, extra = {} } = draft
  await query(tx).run(sql`
    insert into events (type, subject, data)
    select ${type}, ${`${about} ${String(id)}`}, projection.data || ${JSON.stringify(extra)}::jsonb from (${projections[about](String(id))}) projection`)
  noticeAtCommit(tx, eventNotice)
}

const batchSize = 1000

/** Assigns positions to events that have been committed since. The row's lock is taken before the events are read, so none gets two. */
export async function assignPositions(db: Db): Promise<void> {
  if (!(await query(db).finds(sql`select from events where position is null limit 1`))) return
  const assigned = await db.transaction().execute(async (tx) => {
    const { last } = await query(tx).one(sql<{ last: string }>`select last from event_feed for update`)
    const numbered = await query(tx).changes(sql`
      update events set position = ${last}::bigint + next.number
      from (
        select id, row_number() over (order by ordinal) as number
        from (select id, ordinal from events where position is null order by ordinal limit ${batchSize}) waiting
      ) next
      where events.id = next.id`)
    await query(tx).run(sql`update event_feed set last = last + ${numbered}::bigint`)
    return numbered
  })
  if (assigned === batchSize) await assignPositions(db)
}

export type EventRow = { id: string; position: string; type: EventType; data: unknown; at: Date }

export const eventColumns = sql`e.id, e.position, e.type, e.data, e.at`

export const eventOf = ({ id, position, type, data, at }: EventRow): ProviderEvent =>
  ({ id, position: Number(position), type, timestamp: at.toISOString(), data }) as ProviderEvent
