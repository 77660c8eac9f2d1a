import type { FastifyInstance } from 'fastify'
import { deleteSoftware, putSoftware } from '../../contract/provider/provider-api.ts'
import { serve } from '../platform/http/http.ts'
import type { Portal } from '../platform/portal.ts'
import { putRelease, removeRelease } from './software-store.ts'

export function serveProviderSoftware(app: FastifyInstance, portal: Portal): void {
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
