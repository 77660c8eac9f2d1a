import { sql } from 'kysely'
import { limits } from '../contract/limits.ts'
import { signHead, signNewRecords } from './audit-head.ts'
import type { Db } from './db.ts'
import { endDataExports } from './data-exports.ts'
import { removeDiscarded } from './discarded-files.ts'
import { removeOrphans } from './document-files.ts'
import { endHolds } from './erasure.ts'
import type { Keys } from './keys.ts'
import { jobs } from './observed.ts'
import type { Portal } from './portal.ts'
import { endOverdue } from './renewal-moves.ts'

/** How many rows of a table one step removes at most, so that it never holds a lock for long. */
const step = 1000

/** What has run out, by index. */
const outlived = [
  sql`delete from sessions where token_hash in (select token_hash from sessions where ends_at < portal_now() - interval '1 day' limit ${step})`,
  sql`delete from budgets where (name, key) in (select name, key from budgets where forget_at < portal_now() and (locked_until is null or locked_until < portal_now()) limit ${step})`,
  sql`delete from codes where id in (select id from codes where expires_at < portal_now() - interval '1 day' limit ${step})`,
  sql`delete from devices where token_hash in (select token_hash from devices where expires_at < portal_now() limit ${step})`,
  sql`delete from idempotency where (caller, key) in (select caller, key from idempotency where created_at < portal_now() - interval '1 day' limit ${step})`,
  // Answers to codes, with the tokens of sessions in them, outlive their use by no more than a minute (R112).
  sql`delete from idempotency where (caller, key) in (select caller, key from idempotency where caller = '00000000-0000-0000-0000-000000000000' and created_at < portal_now() - interval '1 minute' limit ${step})`,
  sql`delete from outbox where id in (select id from outbox where outcome in ('sent', 'expired') and created_at < portal_now() - interval '7 days' limit ${step})`,
  // Whoever looks after them was told of them long ago (R93), and they hold a person's words.
  sql`delete from outbox where id in (select id from outbox where outcome = 'dead' and webhook_id is null and created_at < portal_now() - make_interval(secs => ${limits.retention.failedMessages}) limit ${step})`,
  sql`delete from links where token_hash in (select token_hash from links where expires_at < portal_now() - interval '30 days' limit ${step})`,
  // From the beginning of the feed only, so that a reader who is asked to begin anew has missed something, and nobody else (OPS-4).
  sql`delete from events where position in (select position from events where position < coalesce((select position from events where at > portal_now() - make_interval(secs => ${limits.events.kept}) and position is not null order by position limit 1), (select last + 1 from event_feed)) order by position limit ${step})`,
  sql`delete from webhook_secrets where id in (select id from webhook_secrets where ends_at < portal_now() limit ${step})`,
  // Of a registration that nobody confirmed nothing stays, its consents included: they are nobody's.
  sql`delete from accounts where id in (select id from accounts where unconfirmed_key is not null and created_at < portal_now() - make_interval(secs => ${limits.registration.kept}) and not exists (select from links where account_id = accounts.id and voided_at is null and expires_at > portal_now()) limit ${step})`,
]

/** Removes all that has run out, in small steps. */
export async function tidyUp(db: Db): Promise<void> {
  for (const removal of outlived) while ((await removal.execute(db)).numAffectedRows === BigInt(step));
}

/** Tidies up every ten minutes; every node does, which costs nothing where there is nothing to remove. */
export function startTidying(portal: Portal, report: (error: unknown) => void): { stop: () => void } {
  const { db, ports } = portal
  const { documents } = ports
  const tidy = () =>
    jobs.do({ job: 'tidy' }, () =>
      Promise.all([
        tidyUp(db),
        removeOrphans(db, documents),
        documents.removeUnfinished(),
        endOverdue(db, documents),
        endDataExports(portal),
        endHolds(db).then(() => removeDiscarded(db, documents)),
      ]),
    )
  const timer = setInterval(() => void tidy().catch(report), 600_000)
  return { stop: () => clearInterval(timer) }
}

/** What was recorded up to a minute ago cannot be taken off the end of the trail without being missed (R125). */
const signEvery = 60_000

/** Signs the ends of the audit trail at the start, every minute in which it grew, and at the end (R84); what fails is reported and tried again. */
export async function startSigningHeads(
  db: Db,
  keys: Keys,
  directory: string,
  report: (error: unknown) => void,
): Promise<{ stop: () => Promise<void> }> {
  const doing = (sign: () => Promise<unknown>) => jobs.do({ job: 'sign-audit-heads' }, sign).then(() => {}, report)
  const signNow = () => doing(() => signHead(db, keys, directory))
  await signNow()
  const timer = setInterval(() => void doing(() => signNewRecords(db, keys, directory)), signEvery)
  return {
    stop: () => {
      clearInterval(timer)
      return signNow()
    },
  }
}
