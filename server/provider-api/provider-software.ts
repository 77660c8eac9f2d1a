import type { FastifyInstance } from 'fastify'
import { deleteSoftware, putSoftware } from '../../contract/provider-api.ts'
import { record } from '../audit.ts'
import { serve } from '../http.ts'
import type { Portal } from '../portal.ts'

export function serveProviderSoftware(app: FastifyInstance, portal: Portal): void {
  serve(app, portal, putSoftware, async ({ params, body, client, address }) => {
    const row = {
      platform: body.platform,
      name: body.name,
      purpose: JSON.stringify(body.purpose),
      requirements: JSON.stringify(body.requirements),
      version: body.version,
      released_at: new Date(body.releasedAt),
      bytes: body.bytes === null ? null : String(body.bytes),
      sha256: body.sha256,
      url: body.url,
    }
    await portal.db.transaction().execute(async (tx) => {
      await tx
        .insertInto('software')
        .values({ provider_id: params.release, ...row })
        .onConflict((conflict) => conflict.column('provider_id').doUpdateSet(row))
        .execute()
      await record(tx, { act: 'software-stored', accountId: null, actor: 'provider', address, details: { client: client.id, release: params.release } })
    })
    return body
  })

  serve(app, portal, deleteSoftware, ({ params, client, address }) =>
    portal.db.transaction().execute(async (tx) => {
      const { numDeletedRows } = await tx.deleteFrom('software').where('provider_id', '=', params.release).executeTakeFirst()
      if (numDeletedRows) await record(tx, { act: 'software-removed', accountId: null, actor: 'provider', address, details: { client: client.id, release: params.release } })
    }),
  )
}
