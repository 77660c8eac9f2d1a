import { sql } from 'kysely'
import { limits } from '../../../contract/limits.ts'
import { removedAtOnce, removeExpired } from '../database/expired-rows.ts'
import { removeDiscarded } from '../files/discarded-files.ts'
import type { Portal, PortalJob } from '../portal.ts'

/** Expired rows of the platform's own tables, found by an index each. */
const expired = [
  sql`delete from sessions where token_hash in (select token_hash from sessions where ends_at < portal_now() - interval '1 day' limit ${removedAtOnce})`,
  sql`delete from budgets where (name, key) in (select name, key from budgets where forget_at < portal_now() and (locked_until is null or locked_until < portal_now()) limit ${removedAtOnce})`,
  sql`delete from codes where id in (select id from codes where expires_at < portal_now() - interval '1 day' limit ${removedAtOnce})`,
  sql`delete from devices where token_hash in (select token_hash from devices where expires_at < portal_now() limit ${removedAtOnce})`,
  sql`delete from idempotency where (caller, key) in (select caller, key from idempotency where created_at < portal_now() - interval '1 day' limit ${removedAtOnce})`,
  // Answers to codes, with the tokens of sessions in them, are kept for a minute at most (R112).
  sql`delete from idempotency where (caller, key) in (select caller, key from idempotency where caller = '00000000-0000-0000-0000-000000000000' and created_at < portal_now() - interval '1 minute' limit ${removedAtOnce})`,
  sql`delete from outbox where id in (select id from outbox where outcome in ('sent', 'expired') and created_at < portal_now() - interval '7 days' limit ${removedAtOnce})`,
  // The operator was notified of them long ago (R93), and they contain personal data.
  sql`delete from outbox where id in (select id from outbox where outcome = 'dead' and webhook_id is null and created_at < portal_now() - make_interval(secs => ${limits.retention.failedMessages}) limit ${removedAtOnce})`,
  sql`delete from links where token_hash in (select token_hash from links where expires_at < portal_now() - interval '30 days' limit ${removedAtOnce})`,
]

/** Removes everything that has expired, in small steps: of the platform's tables, then of each feature. */
export async function tidyUp(portal: Portal): Promise<void> {
  const { db, ports, features } = portal
  await Promise.all([
    removeExpired(db, expired),
    sql`select make_audit_months()`.execute(db),
    ports.documents.removeUnfinished(),
    ...features.map(({ tidy }) => tidy?.(portal)),
  ])
  // Last, because the features have discarded files.
  await removeDiscarded(db, ports.documents)
}

/** Every node runs it; it costs next to nothing if there is nothing to remove. */
export const tidyingJob: PortalJob = { name: 'tidy', everySeconds: 600, run: tidyUp }
