import { sql, type RawBuilder } from 'kysely'
import type { Locale, Text } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import type { SealProduct } from '../../contract/seals.ts'
import { statusAfter, type CertificateStatus, type StatusChange } from '../../contract/signatures-and-seals.ts'
import type { SignatureProduct } from '../../contract/signatures.ts'
import { type StatusReason, type StatusRequestState, statusesBefore } from '../../contract/status-requests.ts'
import { type Db, type Tx, query } from '../platform/database/database.ts'
import { decryptCertificates, decryptPhone } from '../platform/encrypted-data/encrypted-fields.ts'
import type { Keys } from '../platform/encryption/keys.ts'
import type { CertificateStatusOrder } from '../platform/ports.ts'
import { administratorCondition } from '../seals/seal-membership-store.ts'
import { lookAgain } from '../signatures/reminder-store.ts'

/** A certificate whose status a customer may change: of their own signature, or of a seal that they administer. */
export type StatusTarget = { kind: 'signature' | 'seal'; id: string }

const tables = {
  signature: {
    table: sql`signatures`,
    reference: sql`signature_id`,
    isAllowed: (_id: string, accountId: string) => sql`s.account_id = ${accountId}`,
  },
  seal: { table: sql`seals`, reference: sql`seal_id`, isAllowed: administratorCondition },
} satisfies { [K in StatusTarget['kind']]: unknown }

export type StatusRequestRow = {
  id: string
  owner: string
  signatureId: string | null
  sealId: string | null
  change: StatusChange
  reason: StatusReason | null
  state: StatusRequestState
  note: Text | null
  requestedAt: Date
  deadline: Date
  decidedAt: Date | null
}

const columns = sql`id, account_id as owner, signature_id, seal_id, change, reason, state, requested_at, deadline, decided_at, note`

export const targetOf = ({ signatureId, sealId }: Pick<StatusRequestRow, 'signatureId' | 'sealId'>): StatusTarget =>
  signatureId ? { kind: 'signature', id: signatureId } : { kind: 'seal', id: sealId! }

/** Returns the query for the object of a step-up. Step-ups are for the same certificates as the calls. */
export const stepUpObject = (accountId: string, id: string): RawBuilder<unknown> => sql`
  select from signatures s where s.id = ${id} and ${tables.signature.isAllowed(id, accountId)}
  union all select from seals s where s.id = ${id} and ${tables.seal.isAllowed(id, accountId)}`

/** Finds a certificate whose status the account may change; undefined for any other (R174). */
export async function findStatusTarget(
  db: Db,
  accountId: string,
  id: string,
): Promise<(StatusTarget & { status: CertificateStatus }) | undefined> {
  for (const kind of ['signature', 'seal'] as const) {
    const { table, isAllowed } = tables[kind]
    const row = await query(db).first(sql<{ status: CertificateStatus }>`
      select s.status from ${table} s where s.id = ${id} and ${isAllowed(id, accountId)}`)
    if (row) return { kind, id, ...row }
  }
  return undefined
}

/**
 * Ends an open request for another change in favour of a revocation; its id. The report of a lost phone stays: a thief
 * gets the codes (R224).
 */
export async function replaceOpen(tx: Tx, { kind, id }: StatusTarget): Promise<string | undefined> {
  const row = await query(tx).first(sql<{ id: string }>`
    update status_requests set state = 'replaced', decided_at = portal_now()
    where ${tables[kind].reference} = ${id} and state = 'requested' and change <> 'revoke'
      and reason is distinct from 'phone-lost' returning id`)
  return row?.id
}

/**
 * Locks the customer's account before the requests: a request that is being made is stored before a report of a lost phone, or after it
 * (R224).
 */
export async function lockRequests(tx: Tx, accountId: string): Promise<void> {
  await query(tx).run(sql`select from accounts where id = ${accountId} for share`)
}

/**
 * Adds a request, if the account may change the status now, no request is open, and the certificate's status allows it
 * (R174, R176). The status is read after the insertion: its unique index waits for a decision about an open request,
 * which the same statement does not see. It locks no certificate against its changes, because whoever decides a request
 * locks the request first, but against a move to another customer (R243). After the loss of a phone a suspended
 * certificate is suspended again, because the authority may have carried out a resumption.
 */
export async function addStatusRequest(
  tx: Tx,
  accountId: string,
  { kind, id }: StatusTarget,
  request: { id: string; change: StatusChange; reason: StatusReason | null },
): Promise<StatusRequestRow | undefined> {
  const { table, reference, isAllowed } = tables[kind]
  const { change, reason } = request
  const before = [...statusesBefore(change), ...(reason === 'phone-lost' ? ['suspended'] : [])]
  const inserted = await query(tx).first(sql<StatusRequestRow>`
    insert into status_requests (id, account_id, ${reference}, change, reason, deadline)
    select ${request.id}::uuid, ${accountId}::uuid, s.id, ${change}, ${reason}, portal_now() + make_interval(secs => ${limits.statusRequest.decideWithin})
    from ${table} s where s.id = ${id} and ${isAllowed(id, accountId)}
    for key share of s
    on conflict do nothing returning ${columns}`)
  const isImpossible = await query(tx).changesOne(sql`
    delete from status_requests q using ${table} s
    where q.id = ${request.id} and s.id = ${id} and not (s.status = any(${before}::text[]) and s.valid_to > portal_now()
      and (${change}::text <> 'resume' or s.own_suspension))`)
  return isImpossible ? undefined : inserted
}

/**
 * Decides an open request, and with `done` gives the certificate its status; undefined if the request is not open. A certificate that was
 * revoked meanwhile stays revoked. After the loss of a phone only the provider ends the suspension, because a thief gets the codes (R224).
 */
export async function decideRequest(
  tx: Tx,
  id: string,
  state: 'done' | 'refused',
  note: Text | null = null,
): Promise<StatusRequestRow | undefined> {
  const request = await query(tx).first(sql<StatusRequestRow>`
    update status_requests set state = ${state}, decided_at = portal_now(), note = ${note && JSON.stringify(note)}::jsonb
    where id = ${id} and state = 'requested' returning ${columns}`)
  if (!request || state === 'refused') return request
  const { change } = request
  const target = targetOf(request)
  await query(tx).run(sql`
    update ${tables[target.kind].table} set status = ${statusAfter[change]}, own_suspension = ${change === 'suspend' && request.reason !== 'phone-lost'}
    where id = ${target.id} and status = any(${statusesBefore(change)}::text[])
      and (${change}::text <> 'resume' or own_suspension)`)
  if (target.kind === 'signature') await lookAgain(tx, request.owner)
  return request
}

export async function findNewest(db: Db, { kind, id }: StatusTarget): Promise<StatusRequestRow | undefined> {
  const { reference } = tables[kind]
  return query(db).first(sql<StatusRequestRow>`
    select ${columns} from status_requests where ${reference} = ${id} order by ${reference}, id desc limit 1`)
}

/** A request with the provider's own ids. */
export type ProviderStatusRequestRow = Omit<StatusRequestRow, 'signatureId' | 'sealId'> & {
  customer: string | null
  signature: string | null
  seal: string | null
}

const providerColumns = sql`
  select q.id, q.account_id as owner, a.provider_id as customer, s.provider_id as signature, e.provider_id as seal, q.change, q.reason, q.state, q.note,
    q.requested_at, q.deadline, q.decided_at
  from status_requests q join accounts a on a.id = q.account_id left join signatures s on s.id = q.signature_id left join seals e on e.id = q.seal_id`

export const findForProvider = (db: Db, id: string): Promise<ProviderStatusRequestRow | undefined> =>
  query(db).first(sql<ProviderStatusRequestRow>`${providerColumns} where q.id = ${id}`)

/** Lists requests by id, which is the order of their times. */
export async function listStatusRequestsAfter(
  db: Db,
  { state, after, size }: { state: StatusRequestState | undefined; after: string | undefined; size: number },
): Promise<ProviderStatusRequestRow[]> {
  return query(db).all(sql<ProviderStatusRequestRow>`
    ${providerColumns}
    where ${state ? sql`q.state = ${state}` : sql`true`} and ${after ? sql`q.id > ${after}::uuid` : sql`true`}
    order by q.id limit ${size + 1}`)
}

/**
 * Finds the order for the provider's authority; undefined once the request is decided, and `early` while the authority may still be
 * carrying out a resumption that the request has replaced.
 */
export async function findStatusOrder(
  db: Db,
  keys: Keys,
  request: string,
): Promise<CertificateStatusOrder | 'early' | undefined> {
  const row = await query(db).first(sql<
    Pick<StatusRequestRow, 'change' | 'reason' | 'requestedAt' | 'signatureId'> & {
      signature: string | null
      seal: string | null
      certificates: Buffer | null
      certificate: Buffer | null
      isEarly: boolean
    }
  >`
    select q.change, q.reason, q.requested_at, q.signature_id, s.provider_id as signature, e.provider_id as seal, s.certificates, e.certificate,
      q.change = 'suspend' and exists (
        select from status_requests r where r.signature_id = q.signature_id and r.change = 'resume' and r.state = 'replaced' and r.decided_at > portal_now() - make_interval(secs => ${limits.statusRequest.underWay})) as is_early
    from status_requests q left join signatures s on s.id = q.signature_id left join seals e on e.id = q.seal_id
    where q.id = ${request} and q.state = 'requested'`)
  if (!row) return undefined
  const { change, reason, requestedAt, signatureId, signature, seal, certificates, certificate, isEarly } = row
  if (isEarly) return 'early'
  return {
    request,
    change,
    reason,
    requestedAt: requestedAt.toISOString(),
    for: signature === null ? { seal: seal! } : { signature },
    certificate: certificates
      ? decryptCertificates(keys, signatureId!, certificates).certificate
      : certificate!.toString('base64'),
  }
}

/** Marks the open requests whose deadline is near, each once; whether there were any. */
export async function markOverdue(db: Db): Promise<boolean> {
  const marked = await query(db).changes(sql`
    update status_requests set alarmed_at = portal_now()
    where state = 'requested' and alarmed_at is null and deadline <= portal_now() + make_interval(secs => ${limits.statusRequest.alarmBefore})`)
  return marked > 0
}

export type NoticedCertificate = {
  product: SignatureProduct | SealProduct
  /** The organisation of a seal; null for a signature. */
  organisation: string | null
  validTo: Date
}

export type StatusRecipient = { id: string; email: string; locale: Locale; phone: string | null } & NoticedCertificate

/** Lists the owner of a signature, or the active Administrators of a seal. `phone` is null if nobody has confirmed it. */
export async function listRecipients(db: Db, keys: Keys, { kind, id }: StatusTarget): Promise<StatusRecipient[]> {
  const account = sql`a.id, a.email, a.locale, case when a.phone_confirmed then a.phone end as phone, s.product, s.valid_to`
  const rows = await query(db).all(
    sql<Omit<StatusRecipient, 'phone'> & { phone: Buffer | null }>`${
      kind === 'signature'
        ? sql`select ${account}, null as organisation from signatures s join accounts a on a.id = s.account_id where s.id = ${id}`
        : sql`select ${account}, s.organisation from seals s
          join seal_users u on u.seal_id = s.id and u.status = 'active' and u.role = 'admin' join accounts a on a.id = u.account_id
          where s.id = ${id} order by u.number`
    }`,
  )
  return rows.map((row) => ({ ...row, phone: row.phone && decryptPhone(keys, row.id, row.phone) }))
}
