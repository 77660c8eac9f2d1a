import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { limits } from '../contract/limits.ts'
import { raiseAlarm } from './alarms.ts'
import { record } from './audit.ts'
import { discardFiles } from './discarded-files.ts'
import { archived } from './long-term.ts'
import { jobs } from './observed.ts'
import type { Portal } from './portal.ts'

/** Beyond the PDF itself: signatures, proofs and the archive timestamps of the years that it is held. */
const largest = limits.http.pdfBytes + 4 * limits.http.signatureBytes

/** Stores a signed agreement, encrypted like all documents. */
export const storeSigned = ({ ports }: Portal, key: string, file: Uint8Array) =>
  ports.documents.write(key, Readable.from([Buffer.from(file)]), largest)

type Due = {
  id: string
  owner: string
  /** The version in force, and what a try before this one may have left half done. */
  file: string
  abandoned: string | null
  tries: number
  now: Date
}

/**
 * Gives signed agreements the archive timestamp that they need next, or the first one, where it could not be had when they were
 * signed (R105, R106). Each is claimed by one statement, for one node; the claim ends by itself, and grows into the pause
 * between tries.
 */
export async function renewArchives(portal: Portal, report: (error: unknown) => void): Promise<void> {
  // Where nobody may be asked, or no authority stamps, nothing can be archived.
  if (!portal.ports.revocation || !portal.ports.timestamps) return
  for (;;) {
    const key = `agreements/${crypto.randomUUID()}`
    const due = await claim(portal, key)
    if (!due) return
    await renew(portal, due, key).catch(report)
  }
}

async function claim({ db, settings: { archives } }: Portal, key: string): Promise<Due | undefined> {
  const { rows } = await sql<Due>`
    update renewals r set archive_tries = r.archive_tries + 1, archive_draft = ${key},
      archive_next_try = portal_now() + make_interval(secs => least(86400, 600 * power(2, least(r.archive_tries, 8))))
    from (
      select id, archive_draft from renewals
      where signed_key is not null and (archive_next_try is null or archive_next_try <= portal_now())
        and (coalesce(archive_renew_by, '-infinity') <= portal_now() + make_interval(days => ${archives.renewalDays}::int)
          or archive_stamped_at < ${archives.renewStampedBefore ?? null}::date)
      order by coalesce(archive_renew_by, '-infinity') limit 1 for no key update skip locked
    ) due
    where r.id = due.id
    returning r.id, r.account_id as owner, r.signed_key as file, due.archive_draft as abandoned, r.archive_tries as tries, portal_now() as now`.execute(
    db,
  )
  return rows[0]
}

/** The next version is stored under its own name before the row leads there, and the last one is removed after: none is ever lost. */
async function renew(portal: Portal, { id, owner, file, abandoned, tries, now }: Due, key: string): Promise<void> {
  const { db, ports } = portal
  if (abandoned) await ports.documents.remove(abandoned)
  const stored = await ports.documents.read(file)
  const before = stored && Buffer.concat(await stored.content.toArray())
  const next = before && (await archived(portal, new Uint8Array(before), now))
  if (!next || !next.file.subarray(0, before.length).every((byte, at) => byte === before[at])) {
    if (tries > 1) raiseAlarm(portal, { name: 'validation-data-missing', about: 'archive timestamps' })
    return
  }
  const { bytes, sha256 } = await storeSigned(portal, key, next.file)
  const isTaken = await db.transaction().execute(async (tx) => {
    const { numAffectedRows } = await sql`
      update renewals set signed_key = ${key}, signed_bytes = ${bytes}, signed_sha256 = ${sha256}, archive_renew_by = ${next.renewBy},
        archive_stamped_at = ${now}, archive_next_try = null, archive_tries = 0, archive_draft = null
      where id = ${id} and signed_key = ${file} and archive_draft = ${key}`.execute(tx)
    if (numAffectedRows !== 1n) return false
    await discardFiles(tx, sql`select ${file}::text as key`)
    await record(tx, {
      act: 'renewal-agreement-archived',
      accountId: owner,
      actor: 'system',
      details: { renewal: id, signed: sha256, until: next.renewBy.toISOString() },
    })
    return true
  })
  if (!isTaken) await ports.documents.remove(key)
}

/** Looks every ten minutes; every node does, and each agreement has one that renews it. */
export function startRenewingArchives(portal: Portal, report: (error: unknown) => void): { stop: () => void } {
  const look = () => void jobs.do({ job: 'renew-archives' }, () => renewArchives(portal, report)).catch(report)
  const timer = setInterval(look, 600_000)
  return { stop: () => clearInterval(timer) }
}
