import { sql } from 'kysely'
import type { Db, Tx } from '../platform/database/database.ts'
import { query } from '../platform/database/query.ts'
import { discardFiles } from '../platform/files/discarded-files.ts'
import type { Settings } from '../platform/settings.ts'

export type DueArchive = {
  id: string
  owner: string
  /** The current version, and the file that an earlier try may have left behind. */
  file: string
  abandoned: string | null
  tries: number
  now: Date
}

/**
 * Claims a signed agreement whose archive timestamp is due, for one node; `draft` names its next file. The claim
 * expires by itself, and lasts longer after each try.
 */
export const claimDueArchive = (
  db: Db,
  { renewalDays, renewStampedBefore }: Settings['archives'],
  draft: string,
): Promise<DueArchive | undefined> =>
  query(db).first(sql<DueArchive>`
    update renewals r set archive_tries = r.archive_tries + 1, archive_draft = ${draft},
      archive_next_try = portal_now() + make_interval(secs => least(86400, 600 * power(2, least(r.archive_tries, 8))))
    from (
      select id, archive_draft from renewals
      where signed_key is not null and (archive_next_try is null or archive_next_try <= portal_now())
        and (coalesce(archive_renew_by, '-infinity') <= portal_now() + make_interval(days => ${renewalDays}::int)
          or archive_stamped_at < ${renewStampedBefore ?? null}::date)
      order by coalesce(archive_renew_by, '-infinity') limit 1 for no key update skip locked
    ) due
    where r.id = due.id
    returning r.id, r.account_id as owner, r.signed_key as file, due.archive_draft as abandoned, r.archive_tries as tries, portal_now() as now`)

type NewVersion = { key: string; bytes: number; sha256: string; renewBy: Date }

/** Makes the new version the current one and discards the previous one; false if another node was first. */
export async function replaceSigned(
  tx: Tx,
  { id, file, now }: DueArchive,
  { key, bytes, sha256, renewBy }: NewVersion,
): Promise<boolean> {
  const isReplaced = await query(tx).changesOne(sql`
    update renewals set signed_key = ${key}, signed_bytes = ${bytes}, signed_sha256 = ${sha256}, archive_renew_by = ${renewBy},
      archive_stamped_at = ${now}, archive_next_try = null, archive_tries = 0, archive_draft = null
    where id = ${id} and signed_key = ${file} and archive_draft = ${key}`)
  if (!isReplaced) return false
  await discardFiles(tx, sql`select ${file}::text as key`)
  return true
}
