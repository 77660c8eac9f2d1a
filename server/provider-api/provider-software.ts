import type { FastifyInstance } from 'fastify'
import { deleteSoftware, putSoftware } from '../../contract/provider-api.ts'
import { record } from '../audit.ts'
import { serve } from '../http.ts'
import type { Portal } from '../portal.ts'
import { putRelease, removeRelease } from './provider-software-queries.ts'

export function serveProviderSoftware(app: FastifyInstance, portal: Portal): void {
  const { db } = portal

  serve(app, portal, putSoftware, async ({ params, body, client, address }) => {
    await db.transaction().execute(async (tx) => {
      await putRelease(tx, params.release, body)
      const details = { client: client.id, release: params.release }
      await record(tx, { act: 'software-stored', accountId: null, actor: 'provider', address, details })
    })
    return body
  })

  serve(app, portal, deleteSoftware, ({ params, client, address }) =>
    db.transaction().execute(async (tx) => {
      if (!(await removeRelease(tx, params.release))) return
      const details = { client: client.id, release: params.release }
      await record(tx, { act: 'software-removed', accountId: null, actor: 'provider', address, details })
    }),
  )
}
