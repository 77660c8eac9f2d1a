import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { limits } from '../../contract/limits.ts'
import { raiseAlarm } from '../platform/audit/alarms.ts'
import { addAuditEntry } from '../platform/audit/audit.ts'
import { type Db, type Tx, query } from '../platform/database/database.ts'
import { discardFiles } from '../platform/files/discarded-files.ts'
import { addArchiveTimestamp } from '../platform/pdf/long-term.ts'
import type { Portal } from '../platform/portal.ts'
import type { Settings } from '../platform/settings.ts'

/** Beyond the PDF itself: signatures, proofs and the archive timestamps of the years for which it is kept. */
const largest = limits.http.pdfBytes + 4 * limits.http.signatureBytes

/** Stores a signed agreement, encrypted like all documents. */
export const storeArchive = ({ ports }: Portal, key: string, file: Uint8Array) =>
  ports.documents.write(key, Readable.from([Buffer.from(file)]), largest)

type DueArchive = {
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
const claimDueArchive = (
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
async function replaceSigned(
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

/**
 * Gives signed agreements the archive timestamp that they need next, or the first one where it could not be obtained when
 * they were signed (R105, R106).
 */
export async function renewArchives(portal: Portal, report: (error: unknown) => void): Promise<void> {
  const { db, ports, settings } = portal
  // Archiving needs revocation data and a timestamp authority.
  if (!ports.revocation || !ports.timestamps) return
  for (;;) {
    const key = `agreements/${crypto.randomUUID()}`
    const due = await claimDueArchive(db, settings.archives, key)
    if (!due) return
    await replaceArchive(portal, due, key).catch(report)
  }
}

/**
 * Stores the next version under its own name before the row names it, and removes the previous one afterwards, so that none is ever lost.
 */
async function replaceArchive(portal: Portal, due: DueArchive, key: string): Promise<void> {
  const { db, ports } = portal
  if (due.abandoned) await ports.documents.remove(due.abandoned)
  const stored = await ports.documents.read(due.file)
  const before = stored && Buffer.concat(await stored.content.toArray())
  const next = before && (await addArchiveTimestamp(portal, new Uint8Array(before), due.now))
  if (!next || !next.file.subarray(0, before.length).every((byte, at) => byte === before[at])) {
    if (due.tries > 1) raiseAlarm(portal, { name: 'validation-data-missing', about: 'archive timestamps' })
    return
  }
  const { renewBy } = next
  const { bytes, sha256 } = await storeArchive(portal, key, next.file)
  const isReplaced = await db.transaction().execute(async (tx) => {
    if (!(await replaceSigned(tx, due, { key, bytes, sha256, renewBy }))) return false
    await addAuditEntry(tx, {
      action: 'renewal-agreement-archived',
      accountId: due.owner,
      actor: 'system',
      details: { renewal: due.id, signed: sha256, until: renewBy.toISOString() },
    })
    return true
  })
  if (!isReplaced) await ports.documents.remove(key)
}
