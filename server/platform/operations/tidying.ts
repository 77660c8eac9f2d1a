import { sql } from 'kysely'
import { limits } from '../../../contract/limits.ts'
import { removalFrom, removeExpired } from '../database/remove-expired.ts'
import { removeDiscarded } from '../files/discarded-files.ts'
import { codeCaller } from '../http/idempotency.ts'
import type { Portal, PortalJob } from '../portal.ts'

/** Expired rows of the platform's own tables, found by an index each. */
const expired = [
  removalFrom('sessions', sql`ends_at < portal_now() - interval '1 day'`),
  removalFrom('rate_limits', sql`forget_at < portal_now() and (locked_until is null or locked_until < portal_now())`),
  removalFrom('codes', sql`expires_at < portal_now() - interval '1 day'`),
  removalFrom('devices', sql`expires_at < portal_now()`),
  removalFrom('idempotency', sql`created_at < portal_now() - interval '1 day'`),
  // Answers to codes have the tokens of sessions in them, so the next run after a minute removes them (R112).
  removalFrom('idempotency', sql`caller = ${codeCaller} and created_at < portal_now() - interval '1 minute'`),
  removalFrom('outbox', sql`outcome in ('sent', 'expired') and created_at < portal_now() - interval '7 days'`),
  // The operator was notified of them long ago (R93), and they contain personal data.
  removalFrom(
    'outbox',
    sql`outcome = 'dead' and webhook_id is null and created_at < portal_now() - make_interval(secs => ${limits.retention.failedMessages})`,
  ),
  removalFrom('links', sql`expires_at < portal_now() - interval '30 days'`),
]

/** Removes everything that has expired, in small steps: of the platform's tables, then of each feature. */
export async function tidyUp(portal: Portal): Promise<void> {
  const { db, ports, features } = portal
  await Promise.all([
    removeExpired(db, expired),
    ports.documents.removeUnfinished(),
    ...features.map(({ tidy }) => tidy?.(portal)),
  ])
  // Last, because the features have discarded files.
  await removeDiscarded(db, ports.documents)
}

/** Every node runs it; it costs next to nothing if there is nothing to remove. */
export const tidyingJob: PortalJob = { name: 'tidy', everySeconds: 600, run: tidyUp }
