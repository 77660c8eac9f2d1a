import { sql } from 'kysely'
import type { SealInvitation } from '../../contract/seals.ts'
import { limits } from '../../contract/limits.ts'
import type { Db } from '../db.ts'
import type { Keys } from '../keys.ts'
import { maskPhone } from '../masks.ts'
import { hasSeat, sealHasEnded } from '../seal-users.ts'
import { openInvitedPhone } from '../sealed-fields.ts'

type WaitingRow = Omit<SealInvitation, 'expiresAt' | 'phone'> & { phone: Buffer; expiresAt: Date }

/** The access that waits for the e-mail of an account, nearest end first (R41). */
export async function listInvitations(db: Db, keys: Keys, accountId: string): Promise<SealInvitation[]> {
  const { rows } = await sql<WaitingRow>`
    select u.id, s.organisation, u.role, u.phone, u.expires_at as "expiresAt"
    from accounts a join seal_users u on u.email_key = a.email_key and u.status = 'pending' and u.expires_at > portal_now()
      join seals s on s.id = u.seal_id and not ${sealHasEnded}
    where a.id = ${accountId} and not ${hasSeat(sql`u.seal_id`, sql`a.id`)} order by u.expires_at, u.id limit ${limits.seal.invitationsShown}`.execute(
    db,
  )
  return rows.map(({ phone, expiresAt, ...row }) => ({
    ...row,
    phone: maskPhone(openInvitedPhone(keys, row.id, phone)),
    expiresAt: expiresAt.toISOString(),
  }))
}

/** An invitation to the e-mail of an account, and whether it can be activated; anybody else's is as absent as none. */
export async function findInvitation(db: Db, keys: Keys, accountId: string, id: string) {
  const { rows } = await sql<{ sealId: string; phone: Buffer; expired: boolean; ended: boolean }>`
    select u.seal_id as "sealId", u.phone, u.expires_at <= portal_now() as expired, ${sealHasEnded} as ended
    from accounts a join seal_users u on u.email_key = a.email_key join seals s on s.id = u.seal_id
    where a.id = ${accountId} and u.id = ${id} and u.status = 'pending'
      and not ${hasSeat(sql`u.seal_id`, sql`a.id`)}`.execute(db)
  return rows[0] && { ...rows[0], phone: openInvitedPhone(keys, id, rows[0].phone) }
}
