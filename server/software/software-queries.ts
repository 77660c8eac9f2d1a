import { sql } from 'kysely'
import type { SoftwareRelease } from '../../contract/software.ts'
import type { Db } from '../db.ts'

/** At most 200: a provider's programs, not an archive. */
export async function listReleases(db: Db): Promise<SoftwareRelease[]> {
  const { rows } = await sql<
    Omit<SoftwareRelease, 'releasedAt' | 'bytes'> & { releasedAt: Date; bytes: string | null }
  >`
    select platform, name, purpose, requirements, version, released_at as "releasedAt", bytes, sha256, url
    from software order by platform, released_at desc limit 200`.execute(db)
  return rows.map((row) => ({
    ...row,
    releasedAt: row.releasedAt.toISOString(),
    bytes: row.bytes === null ? null : Number(row.bytes),
  }))
}
