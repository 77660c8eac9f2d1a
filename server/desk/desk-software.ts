import * as calls from '../../contract/desk/desk-software.ts'
import { requireRecentSignIn } from '../platform/authentication/staff-session.ts'
import { handler } from '../platform/http/http.ts'
import { listNamedReleases, putRelease, removeRelease } from '../software/software-store.ts'

// DSK-35: the programs that customers can download.

export const listReleasesAtDesk = handler(calls.listReleasesAtDesk, async (_, portal) => ({
  items: await listNamedReleases(portal.db),
}))

export const putReleaseAtDesk = handler(
  calls.putReleaseAtDesk,
  async ({ params: { release }, body, staff, transaction }) => {
    requireRecentSignIn(staff)
    const { version, url, sha256 } = body
    await transaction(async (tx, audit) => {
      await putRelease(tx, release, body)
      await audit('software-stored', { release, version, url, ...(sha256 !== null && { sha256 }) })
    })
  },
)

export const removeReleaseAtDesk = handler(calls.removeReleaseAtDesk, ({ params: { release }, transaction }) =>
  transaction(async (tx, audit) => {
    if (await removeRelease(tx, release)) await audit('software-removed', { release })
  }),
)
