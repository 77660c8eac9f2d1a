import type { ServerFeature, Portal } from '../platform/portal.ts'
import type { FastifyInstance } from 'fastify'
import { listSoftware } from '../../contract/software.ts'
import { serve } from '../platform/http/http.ts'
import { listReleases, putRelease, removeRelease } from './software-store.ts'
import { deleteSoftware, putSoftware } from '../../contract/provider/provider-api.ts'

function serveSoftware(app: FastifyInstance, portal: Portal): void {
  serve(app, portal, listSoftware, async () => ({ items: await listReleases(portal.db) }))
}

function serveProviderSoftware(app: FastifyInstance, portal: Portal): void {
  serve(app, portal, putSoftware, async ({ params: { release }, body, transaction }) => {
    await transaction(async (tx, audit) => {
      await putRelease(tx, release, body)
      await audit('software-stored', { release })
    })
    return body
  })

  serve(app, portal, deleteSoftware, ({ params: { release }, transaction }) =>
    transaction(async (tx, audit) => {
      if (await removeRelease(tx, release)) await audit('software-removed', { release })
    }),
  )
}

export const softwareFeature: ServerFeature = { serve: [serveSoftware, serveProviderSoftware] }
