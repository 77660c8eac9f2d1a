import { sql } from 'kysely'
import type { Given } from '../../contract/endpoint.ts'
import * as providerApiCalls from '../../contract/provider/provider-software.ts'
import * as softwareCalls from '../../contract/software.ts'
import type { SoftwareRelease } from '../../contract/software.ts'
import { type Db, type Tx, query } from '../platform/database/database.ts'
import { handler } from '../platform/http/http.ts'
import type { ServerFeature } from '../platform/portal.ts'

type Release = Given<typeof SoftwareRelease>

const listReleases = async (db: Db): Promise<Release[]> =>
  (await listNamedReleases(db)).map(({ release: _, ...release }) => release)

/** Lists the programs with the provider's own ids; at most 200, because it is no archive. */
export async function listNamedReleases(db: Db): Promise<(Release & { release: string })[]> {
  const rows = await query(db).all(sql<Omit<Release, 'bytes'> & { bytes: string | null; release: string }>`
    select provider_id as release, platform, name, purpose, requirements, version, released_at, bytes, sha256, url
    from software order by platform, released_at desc limit 200`)
  return rows.map((row) => ({
    ...row,
    bytes: row.bytes === null ? null : Number(row.bytes),
  }))
}

export async function putRelease(tx: Tx, providerId: string, release: SoftwareRelease): Promise<void> {
  const { platform, name, purpose, requirements, version, releasedAt, bytes, sha256, url } = release
  await query(tx).run(sql`
    insert into software (provider_id, platform, name, purpose, requirements, version, released_at, bytes, sha256, url)
    values (${providerId}, ${platform}, ${name}, ${JSON.stringify(purpose)}, ${JSON.stringify(requirements)}, ${version}, ${releasedAt}::timestamptz,
      ${bytes}, ${sha256}, ${url})
    on conflict (provider_id) do update set platform = excluded.platform, name = excluded.name, purpose = excluded.purpose,
      requirements = excluded.requirements, version = excluded.version, released_at = excluded.released_at, bytes = excluded.bytes,
      sha256 = excluded.sha256, url = excluded.url`)
}

/** Removes a program; false if it did not exist. */
export const removeRelease = (tx: Tx, providerId: string): Promise<boolean> =>
  query(tx).changesOne(sql`delete from software where provider_id = ${providerId}`)

export const listSoftware = handler(softwareCalls.listSoftware, async (_, portal) => ({
  items: await listReleases(portal.db),
}))

export const putSoftware = handler(providerApiCalls.putSoftware, async ({ params: { release }, body, transaction }) => {
  await transaction(async (tx, audit) => {
    await putRelease(tx, release, body)
    await audit('software-stored', { release })
  })
  return body
})

export const removeSoftware = handler(providerApiCalls.removeSoftware, ({ params: { release }, transaction }) =>
  transaction(async (tx, audit) => {
    if (await removeRelease(tx, release)) await audit('software-removed', { release })
  }),
)

export const softwareFeature: ServerFeature = { calls: [listSoftware, putSoftware, removeSoftware] }
