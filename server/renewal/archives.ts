import { Readable } from 'node:stream'
import { limits } from '../../contract/limits.ts'
import { raiseAlarm } from '../platform/audit/alarms.ts'
import { addAuditEntry } from '../platform/audit/audit.ts'
import { archived } from '../platform/pdf/long-term.ts'
import type { Portal } from '../platform/portal.ts'
import { claimDueArchive, replaceSigned, type DueArchive } from './archive-store.ts'

/** Beyond the PDF itself: signatures, proofs and the archive timestamps of the years for which it is kept. */
const largest = limits.http.pdfBytes + 4 * limits.http.signatureBytes

/** Stores a signed agreement, encrypted like all documents. */
export const storeSigned = ({ ports }: Portal, key: string, file: Uint8Array) =>
  ports.documents.write(key, Readable.from([Buffer.from(file)]), largest)

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
    await renew(portal, due, key).catch(report)
  }
}

/** The next version is stored under its own name before the row names it, and the previous one is removed afterwards, so none is ever lost. */
async function renew(portal: Portal, due: DueArchive, key: string): Promise<void> {
  const { db, ports } = portal
  if (due.abandoned) await ports.documents.remove(due.abandoned)
  const stored = await ports.documents.read(due.file)
  const before = stored && Buffer.concat(await stored.content.toArray())
  const next = before && (await archived(portal, new Uint8Array(before), due.now))
  if (!next || !next.file.subarray(0, before.length).every((byte, at) => byte === before[at])) {
    if (due.tries > 1) raiseAlarm(portal, { name: 'validation-data-missing', about: 'archive timestamps' })
    return
  }
  const { renewBy } = next
  const { bytes, sha256 } = await storeSigned(portal, key, next.file)
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
