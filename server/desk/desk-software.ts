import type { FastifyInstance } from 'fastify'
import { listReleasesAtDesk, putReleaseAtDesk, removeReleaseAtDesk } from '../../contract/desk/desk-software.ts'
import { requireRecentSignIn } from '../platform/authentication/staff-session.ts'
import { serve } from '../platform/http/http.ts'
import type { Portal } from '../platform/portal.ts'
import { listNamedReleases, putRelease, removeRelease } from '../software/software-store.ts'

/** DSK-35: the programs that customers can download. */
export function serveDeskSoftware(app: FastifyInstance, portal: Portal): void {
  serve(app, portal, listReleasesAtDesk, async () => ({ items: await listNamedReleases(portal.db) }))

  serve(app, portal, putReleaseAtDesk, async ({ params: { release }, body, staff, transaction }) => {
    requireRecentSignIn(staff)
    const { version, url, sha256 } = body
    await transaction(async (tx, audit) => {
      await putRelease(tx, release, body)
      await audit('software-stored', { release, version, url, ...(sha256 !== null && { sha256 }) })
    })
  })

  serve(app, portal, removeReleaseAtDesk, ({ params: { release }, transaction }) =>
    transaction(async (tx, audit) => {
      if (await removeRelease(tx, release)) await audit('software-removed', { release })
    }),
  )
}
