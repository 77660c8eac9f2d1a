import { sql, type RawBuilder } from 'kysely'
import type { Act } from '../contract/acts.ts'
import type { EventType, ProviderEvent } from '../contract/events.ts'
import type { Record } from './audit.ts'
import type { Db, Tx } from './db.ts'

/**
 * What the provider is told of the portal (OPS-4). An event is written by the record of the act it tells of, in the same
 * transaction. A number drawn then would lose events, for who draws first may commit last and so appear behind what a
 * reader has passed; so places in the feed are given afterwards, to what has been committed, by one at a time.
 */

/** The notice that something was told. */
export const eventNotice = 'events'

/** Each kind of object: by its id, what is said of it, as it is in this transaction. */
const faces = {
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
} satisfies { [kind: string]: (id: string) => RawBuilder<unknown> }

const owner = sql`jsonb_build_object('customer', a.provider_id, 'account', a.id)`

type Telling = { type: EventType; about: keyof typeof faces; id: unknown; also?: object }

/** Acts that are told when they are done, and of which object. */
const tellings: { [act in Act]?: (record: Record) => Telling | undefined } = {
  'password-set': (record) => {
    if (record.details?.['by'] === 'set-up') return ofCustomer('customer.activated')(record)
    return record.details?.['unblocked'] ? ofCustomer('customer.unblocked')(record) : undefined
  },
  'customer-updated': (record) => (record.details?.['adopted'] ? ofCustomer('customer.adopted')(record) : undefined),
  'customer-contact-changed': ({ accountId: id, details: { email, phone } = {} }) => ({
    type: 'customer.contact-changed',
    about: 'customer',
    id,
    also: { email, phone },
  }),
  'account-blocked': ofCustomer('customer.blocked'),
  'account-unblocked': ofCustomer('customer.unblocked'),
  'phone-changed': ofCustomer('customer.phone-changed'),
  'consent-given': ofConsent(true),
  'consent-withdrawn': ofConsent(false),
  'pairing-confirmed': ({ details: { signature, user } = {} }) =>
    signature
      ? { type: 'signature.paired', about: 'signature', id: signature }
      : { type: 'seal-user.paired', about: 'seal-user', id: user },
  'seal-user-stored': ofSealUser,
  'seal-user-invited': ofSealUser,
  'seal-user-removed': ofSealUser,
  'seal-access-activated': ofSealUser,
  'document-downloaded': (record) => (record.details?.['first'] ? ofDocumentCase(record) : undefined),
  'document-upload-confirmed': ofDocumentCase,
  'document-signed-in-place': ofDocumentCase,
  'document-upload-refused': ofDocumentCase,
  'document-countersigned': ofDocumentCase,
  'document-finished': ofDocumentCase,
  'document-canceled': ofDocumentCase,
  'voucher-redeemed': ofVoucherCase('voucher-case.opened'),
  'voucher-case-moved': ofVoucherCase('voucher-case.moved'),
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
  return ({ accountId: id }: Record): Telling => ({ type, about: 'customer', id })
}

function ofConsent(given: boolean) {
  return ({ accountId: id, details }: Record): Telling => {
    const { kind, version } = details!
    return { type: 'customer.consent-changed', about: 'customer', id, also: { kind, version, given } }
  }
}

function ofSealUser({ details }: Record): Telling {
  return { type: 'seal-user.changed', about: 'seal-user', id: details!['user'] }
}

function ofDocumentCase({ details }: Record): Telling {
  return { type: 'document-case.moved', about: 'document-case', id: details!['documentCase'] }
}

function ofVoucherCase(type: EventType) {
  return ({ details }: Record): Telling => ({ type, about: 'voucher-case', id: details!['voucherCase'] })
}

function ofRenewal({ details }: Record): Telling {
  return { type: 'renewal.moved', about: 'renewal', id: details!['renewal'] }
}

/** Writes the event of an act, if it has one, after the change it tells of: that holds the object's row. */
export async function tellProvider(tx: Tx, record: Record): Promise<void> {
  const telling = tellings[record.act]?.(record)
  if (!telling) return
  const { type, about, id, also = {} } = telling
  await sql`
    with added as (
      insert into events (type, subject, data)
      select ${type}, ${`${about} ${String(id)}`}, face.data || ${JSON.stringify(also)}::jsonb from (${faces[about](String(id))}) face
      returning 1
    )
    select pg_notify(${eventNotice}, '') from added`.execute(tx)
}

const batchSize = 1000

/** Gives places to events that have been committed since. Whoever waits for the row looks only afterwards, so none gets two. */
export async function placeEvents(db: Db): Promise<void> {
  const waiting = await sql`select from events where position is null limit 1`.execute(db)
  if (!waiting.rows.length) return
  const placed = await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ last: string }>`select last from event_feed for update`.execute(tx)
    const { numAffectedRows } = await sql`
      update events set position = ${rows[0]!.last}::bigint + next.place
      from (
        select id, row_number() over (order by ordinal) as place
        from (select id, ordinal from events where position is null order by ordinal limit ${batchSize}) waiting
      ) next
      where events.id = next.id`.execute(tx)
    await sql`update event_feed set last = last + ${numAffectedRows}::bigint`.execute(tx)
    return Number(numAffectedRows)
  })
  if (placed === batchSize) await placeEvents(db)
}

export type EventRow = { id: string; position: string; type: EventType; data: unknown; at: Date }

/** Give it `events e`. */
export const eventColumns = sql`e.id, e.position, e.type, e.data, e.at`

export const eventOf = ({ id, position, type, data, at }: EventRow): ProviderEvent =>
  ({ id, position: Number(position), type, timestamp: at.toISOString(), data }) as ProviderEvent
