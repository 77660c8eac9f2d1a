import type { ServerFeature } from '../platform/portal.ts'
import * as softwareCalls from '../../contract/software.ts'
import { handler } from '../platform/http/http.ts'
import { listReleases, putRelease, removeRelease } from './software-store.ts'
import * as providerApiCalls from '../../contract/provider/provider-api.ts'

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

export const deleteSoftware = handler(providerApiCalls.deleteSoftware, ({ params: { release }, transaction }) =>
  transaction(async (tx, audit) => {
    if (await removeRelease(tx, release)) await audit('software-removed', { release })
  }),
)

export const softwareFeature: ServerFeature = { calls: [listSoftware, putSoftware, deleteSoftware] }
