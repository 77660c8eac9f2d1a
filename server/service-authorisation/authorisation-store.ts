import { sql } from 'kysely'
import type { Locale } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import type { ServiceRequirement } from '../../contract/service-authorisation.ts'
import { hashToken } from '../platform/authentication/session.ts'
import { type Db, type Tx, query } from '../platform/database/database.ts'
import type { ObjectToSign, SigningSubject } from '../platform/portal.ts'

/** A signature that waits for what its signing service asks of the customer. */
export type Authorisation = SigningSubject &
  ServiceRequirement & {
    id: string
    /** The language of the page from which the customer went to the service; null before that. */
    locale: Locale | null
    /** SHA-256 of everything that the portal's code confirmed (R33). */
    binding: string
    /** The hashes that the service signs, in hexadecimal, separated by commas. */
    hash: string
    expiresAt: Date
    otpSends: number
    otpSentAt: Date | null
    /** The id of the request that uses the authorisation, while one waits for the service. */
    claim: string | null
    now: Date
  }

const { life, tries, sends, resendAfter, requestTimeout } = limits.signing

/** The column that has the id of an object of each kind. */
const columnOf = { documentCase: sql`case_id`, renewal: sql`renewal_id`, fileSigning: sql`file_signing_id` }
const objectCondition = ({ kind, id }: ObjectToSign) => sql`${columnOf[kind]} = ${id}`
const object = sql`
  json_build_object('id', coalesce(case_id, renewal_id, file_signing_id), 'kind', case
    when case_id is not null then 'documentCase' when renewal_id is not null then 'renewal' else 'fileSigning' end) as object`

const columns = sql`
  id, account_id as owner, ${object}, signature_id, kind, otp, pin, locale, binding, hash, claimed_at, expires_at,
  otp_sends, otp_sent_at, busy_until::text as claim, portal_now() as now`

/** Decides whether it belongs to this account and is still open for this session; also past its end while its last try is running. */
const openCondition = (accountId: string, sessionId: string) => sql`
  account_id = ${accountId} and session_id = ${sessionId} and ended_at is null
  and (expires_at > portal_now() or busy_until > portal_now())`

export type NewAuthorisation = SigningSubject &
  ServiceRequirement &
  Pick<Authorisation, 'binding' | 'hash'> & { sessionId: string }

/** Begins an authorisation and ends the earlier one of the same object, also if two begin at once. */
export async function beginAuthorisation(tx: Tx, authorisation: NewAuthorisation): Promise<string> {
  await query(tx).run(sql`
    select pg_advisory_xact_lock(hashtext(${`signing ${authorisation.object.id}`}))`)
  await endAuthorisationsOf(tx, authorisation.object)
  const { id } = await query(tx).one(sql<{ id: string }>`
    insert into service_authorisations
      (account_id, session_id, ${columnOf[authorisation.object.kind]}, signature_id, kind, otp, pin, binding, hash, claimed_at, expires_at)
    values (${authorisation.owner}, ${authorisation.sessionId}, ${authorisation.object.id}, ${authorisation.signatureId}, ${authorisation.kind}, ${authorisation.otp}, ${authorisation.pin},
      ${authorisation.binding}, ${authorisation.hash}, ${authorisation.claimedAt}, portal_now() + make_interval(secs => ${life}))
    returning id`)
  return id
}

/** Ends the open authorisations of an object: what the customer agreed to must not be signed any more. */
export async function endAuthorisationsOf(tx: Tx, ended: ObjectToSign): Promise<void> {
  await query(tx).run(sql`
    update service_authorisations set ended_at = portal_now() where ended_at is null and ${objectCondition(ended)}`)
}

/** Returns the reason why a call cannot use an authorisation: unknown or another customer's, in use by another request, or ended. */
export async function findClosedReason(
  db: Db,
  { accountId, id: sessionId }: { accountId: string; id: string },
  id: string,
): Promise<'not-found' | 'busy' | 'signing-over'> {
  const row = await query(db).first(sql<{ isBusy: boolean }>`
    select (${openCondition(accountId, sessionId)} and coalesce(busy_until > portal_now(), false)) as is_busy
    from service_authorisations where id = ${id} and account_id = ${accountId}`)
  return !row ? 'not-found' : row.isBusy ? 'busy' : 'signing-over'
}

/** Finds an authorisation that can still be used, or whose last try is running; that of an object only if it is bound to `binding` (R33). */
export async function findAuthorisation(
  db: Db,
  { accountId, id: sessionId }: { accountId: string; id: string },
  where: { id: string } | { object: ObjectToSign; binding: string },
): Promise<Authorisation | undefined> {
  const which =
    'id' in where ? sql`id = ${where.id}` : sql`${objectCondition(where.object)} and binding = ${where.binding}`
  return query(db).first(sql<Authorisation>`
    select ${columns} from service_authorisations
    where ${which} and ${openCondition(accountId, sessionId)} and (tries < ${tries} or busy_until > portal_now())`)
}

/** Counts a sending of the service's code; undefined if it is too early, or no sending is left. */
export const countSending = (db: Db, id: string): Promise<Authorisation | undefined> =>
  query(db).first(sql<Authorisation>`
    update service_authorisations set otp_sends = otp_sends + 1, otp_sent_at = portal_now()
    where id = ${id} and otp = 'sent' and ended_at is null and otp_sends < ${sends}
      and (otp_sent_at is null or otp_sent_at <= portal_now() - make_interval(secs => ${resendAfter}))
    returning ${columns}`)

/** Takes back the count of a code that the service did not send; the next one may be sent at once. */
export async function releaseSending(db: Db, id: string): Promise<void> {
  await query(db).run(sql`
    update service_authorisations set otp_sends = otp_sends - 1, otp_sent_at = null where id = ${id}`)
}

/** Stores the hash of a new `state` for the service's page, which voids the previous one. False if the authorisation has ended. */
export const setState = (
  db: Db,
  { accountId, id: sessionId }: { accountId: string; id: string },
  id: string,
  { state, locale }: { state: string; locale: Locale },
): Promise<boolean> =>
  query(db).changesOne(sql`
    update service_authorisations set state_hash = ${hashToken(state)}, state_used = false, locale = ${locale}
    where id = ${id} and kind = 'redirect' and ${openCondition(accountId, sessionId)}`)

/** Finds the object to which a return belongs, for any caller; changes nothing. */
export const findReturn = (
  db: Db,
  state: string,
): Promise<Pick<Authorisation, 'id' | 'object' | 'locale'> | undefined> =>
  query(db).first(sql<Authorisation>`
    select id, ${object}, locale from service_authorisations where state_hash = ${hashToken(state)}`)

/**
 * Takes an open authorisation for one request to the service (R135): undefined for another session, another account, one that
 * has ended or was tried too often, while another request waits for the service, and for a `state` that is not the newest or was used.
 */
export const takeAuthorisation = (
  db: Db,
  { accountId, id: sessionId }: { accountId: string; id: string },
  id: string,
  state?: string,
): Promise<Authorisation | undefined> =>
  query(db).first(sql<Authorisation>`
    update service_authorisations set busy_until = portal_now() + make_interval(secs => ${requestTimeout}), tries = tries + 1,
      state_used = state_used or ${state !== undefined}
    where id = ${id} and ${openCondition(accountId, sessionId)} and tries < ${tries}
      and (busy_until is null or busy_until <= portal_now())
      and ${state === undefined ? sql`kind = 'codes'` : sql`kind = 'redirect' and state_hash = ${hashToken(state)} and not state_used`}
    returning ${columns}`)

/**
 * Releases the authorisation for the next request, unless another one has taken it since. A try that failed by the service or the
 * portal does not count; the last one that counts ends the authorisation.
 */
export async function releaseAuthorisation(
  db: Db,
  { id, claim }: Pick<Authorisation, 'id' | 'claim'>,
  isCounted: boolean,
): Promise<void> {
  await query(db).run(sql`
    update service_authorisations set busy_until = null, tries = tries - ${isCounted ? 0 : 1},
      ended_at = case when ${isCounted} and tries >= ${tries} then coalesce(ended_at, portal_now()) else ended_at end
    where id = ${id} and busy_until = ${claim}::timestamptz`)
}

/** Ends an authorisation; false if another request was first. */
export const endAuthorisation = (db: Db | Tx, id: string): Promise<boolean> =>
  query(db).changesOne(sql`
    update service_authorisations set ended_at = portal_now() where id = ${id} and ended_at is null`)

/** Removes authorisations after a day, so that a late return still leads to its object. */
export async function removeOldAuthorisations(db: Db): Promise<void> {
  await query(db).run(sql`delete from service_authorisations where expires_at < portal_now() - interval '1 day'`)
}
