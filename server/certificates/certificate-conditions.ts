import { sql, type RawBuilder } from 'kysely'
import { limits } from '../../contract/limits.ts'
import type { CertificateState, Period } from '../../contract/signatures-and-seals.ts'
import { type Db, query } from '../platform/database/database.ts'
import type { Searched } from '../platform/database/text-search.ts'

// Conditions that signatures and seals have in common for their customers, on a row `s` at the instant `t.now`.

export const activeCondition = sql`(s.status = 'good' and s.valid_from <= t.now and s.valid_to > t.now)`
// Active first by nearest end, then inactive newest first (defaults.md, lists). Not extract(): its numeric costs several times as much.
export const byUrgency = {
  rank: sql`(case when ${activeCondition} then 0 else 1 end)`,
  sortKey: sql`(date_part('epoch', s.valid_to) * case when ${activeCondition} then 1 else -1 end)`,
}

export const days = (count: number) => sql`make_interval(hours => ${count * 24}::int)`
/** At most half of the validity, so that a one-day certificate is not “ending soon” from the start (SIG-7). */
const halfOfIt = sql`(s.valid_to - s.valid_from) / 2`
export const endsSoonCondition = sql`(${activeCondition} and s.valid_to <= t.now + ${days(limits.badge.amberDays)} and t.now >= s.valid_to - ${halfOfIt})`
export const suspendedCondition = sql`(s.status = 'suspended' and s.valid_to > t.now)`
export const recentlyExpiredCondition = sql`(s.status = 'good' and s.valid_to <= t.now and s.valid_to > t.now - least(${days(limits.home.overDays)}, ${halfOfIt}))`

/**
 * Returns the SQL condition that a suspension or revocation is requested. It has no `exists`: for a page of cases, PostgreSQL would read
 * all open requests once, instead of one for each row by its index.
 */
const requestedCondition = (reference: RawBuilder<unknown>, id: RawBuilder<unknown>) => sql`
  (select true from status_requests q where ${reference} = ${id} and q.state = 'requested' and q.change <> 'resume') is true`

/** Returns the SQL condition that the suspension or revocation of a signature is requested, and not decided yet (STP-8). */
export const stopRequestedConditionOf = (signature: RawBuilder<unknown>) =>
  requestedCondition(sql`q.signature_id`, signature)

/** A valid signature or seal `s` with a key at the signing service, now. */
export const inCloudCondition = sql`
  s.product = 'app' and s.status = 'good' and s.valid_from <= portal_now() and s.valid_to > portal_now()`

/** The suspension or revocation of the signature or seal `s` is requested, and not decided yet (STP-8). */
export const stopRequestedCondition = sql`(${stopRequestedConditionOf(sql`s.id`)} or ${requestedCondition(sql`q.seal_id`, sql`s.id`)})`

/** A signature or seal `s` that can sign: valid, and not about to be stopped. */
export const signsInCloudCondition = sql`${inCloudCondition} and not ${stopRequestedCondition}`

export type CertificateFilters<Product> = {
  size: number
  status?: CertificateState['status'] | undefined
  product?: Product | undefined
  period?: Period | undefined
  organisation?: string | undefined
} & Searched

export const filterCondition = ({
  status,
  product,
  period,
  organisation,
}: Omit<CertificateFilters<string>, 'size'>) => sql`
  ${status ? sql`${activeCondition} = ${status === 'active'}` : sql`true`}
  and ${product ? sql`s.product = ${product}` : sql`true`}
  and ${period ? sql`s.period = ${period}` : sql`true`}
  and ${organisation ? sql`s.organisation = ${organisation}` : sql`true`}`

type Counts = { active: number; inactive: number; begins: Date | null }

/** Counts active and inactive certificates, and returns when the next one begins. */
export const countCertificates = async (db: Db, source: RawBuilder<unknown>): Promise<Counts> =>
  (await query(db).first(sql<Counts>`
    select count(*) filter (where ${activeCondition})::int as active, count(*) filter (where not ${activeCondition})::int as inactive,
      min(s.valid_from) filter (where s.status = 'good' and s.valid_from > t.now) as begins ${source}`)) ?? {
    active: 0,
    inactive: 0,
    begins: null,
  }

type Validity<Instant> = { status: 'good' | 'suspended' | 'revoked'; validFrom: Instant; validTo: Instant }

/** Returns the reason why a certificate is inactive; null if it is active. */
export function inactiveReasonOf<Instant extends Date | string>(
  { status, validFrom, validTo }: Validity<Instant>,
  now: Instant,
): CertificateState['reason'] {
  if (status !== 'good') return status
  if (now >= validTo) return 'expired'
  return now < validFrom ? 'not-yet-valid' : null
}
