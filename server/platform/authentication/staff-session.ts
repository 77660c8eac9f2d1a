import { sql } from 'kysely'
import { deskLimits } from '../../../contract/desk/desk-limits.ts'
import type { DeskRole } from '../../../contract/desk/desk-permissions.ts'
import type { Device } from '../../../contract/device.ts'
import { ApiError } from '../api-error.ts'
import { type Db, type Tx, query } from '../database/database.ts'
import type { StaffClaims } from '../ports.ts'
import { hashToken, newToken } from './session.ts'

// Sessions of the provider's staff (R230), apart from those of customers in every respect but their tokens: another table, another
// cookie and another origin, so that neither can ever be taken for the other.

/** The cookie with the token of a session at the desk. */
export const staffCookie = '__Host-sygnet-desk'
/** The cookie of a sign-in in progress at the OpenID provider. */
export const signInCookie = '__Host-sygnet-desk-sign-in'

export type StaffSession = {
  id: string
  subject: string
  name: string
  roles: DeskRole[]
  now: Date
  usedAt: Date
  endsAt: Date
  absoluteEndsAt: Date
  /** The time when this person last proved who they are at the OpenID provider; null if that does not say so. */
  authenticatedAt: Date | null
}

const { idle, absolute } = deskLimits.session
const columns = sql`id, subject, name, roles, portal_now() as now, used_at, ends_at, absolute_ends_at, authenticated_at`
const endOfIdle = sql`portal_now() + make_interval(secs => ${idle})`

/** Finds the live session of a token. Activity extends it, with at most one write per second. */
export async function findStaffSession(db: Db, token: string, isActivity: boolean): Promise<StaffSession | undefined> {
  const tokenHash = hashToken(token)
  const session = await query(db).first(sql<StaffSession>`
    select ${columns} from staff_sessions where token_hash = ${tokenHash} and ends_at > portal_now()`)
  if (!session || !isActivity || session.usedAt.getTime() >= session.now.getTime() - 1000) return session
  return query(db).first(sql<StaffSession>`
    update staff_sessions set ends_at = least(absolute_ends_at, ${endOfIdle}), used_at = portal_now()
    where token_hash = ${tokenHash} and ends_at > portal_now() returning ${columns}`)
}

export async function startStaffSession(
  tx: Tx,
  { subject, name, roles, providerSession, authenticatedAt }: Omit<StaffClaims, 'isInContext'>,
  { address, device }: { address: string; device: Device },
): Promise<{ token: string; session: StaffSession }> {
  const token = newToken()
  const session = await query(tx).one(sql<StaffSession>`
    insert into staff_sessions (token_hash, subject, provider_session, name, roles, address, browser, system, ends_at, absolute_ends_at, authenticated_at)
    values (${hashToken(token)}, ${subject}, ${providerSession}, ${name}, ${roles}::text[], ${address}, ${device.browser}, ${device.system},
      ${endOfIdle}, portal_now() + make_interval(secs => ${absolute}), ${authenticatedAt})
    returning ${columns}`)
  return { token, session }
}

/**
 * Returns the time until which somebody can make secrets without another sign-in at the OpenID provider (R252); null if that time is over.
 */
export function recentUntil({ authenticatedAt, now }: Pick<StaffSession, 'authenticatedAt' | 'now'>): Date | null {
  if (!authenticatedAt) return null
  const until = new Date(authenticatedAt.getTime() + deskLimits.recentSignIn * 1000)
  return until > now ? until : null
}

/**
 * Requires a recent sign-in, so that somebody in front of another person's open desk cannot make a secret that outlives the session (R252).
 */
export function requireRecentSignIn(staff: StaffSession): void {
  if (!recentUntil(staff)) throw new ApiError('step-up-required')
}
