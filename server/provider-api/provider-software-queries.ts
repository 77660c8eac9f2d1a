import type { SoftwareRelease } from '../../contract/software.ts'
import type { Tx } from '../db.ts'

export async function putRelease(tx: Tx, providerId: string, release: SoftwareRelease): Promise<void> {
  const row = {
    platform: release.platform,
    name: release.name,
    purpose: JSON.stringify(release.purpose),
    requirements: JSON.stringify(release.requirements),
    version: release.version,
    released_at: new Date(release.releasedAt),
    bytes: release.bytes === null ? null : String(release.bytes),
    sha256: release.sha256,
    url: release.url,
  }
  await tx
    .insertInto('software')
    .values({ provider_id: providerId, ...row })
    .onConflict((conflict) => conflict.column('provider_id').doUpdateSet(row))
    .execute()
}

/** False when there was none. */
export async function removeRelease(tx: Tx, providerId: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('software').where('provider_id', '=', providerId).executeTakeFirst()
  return numDeletedRows > 0n
}
