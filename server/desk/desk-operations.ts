import type { FastifyInstance } from 'fastify'
import { readHealth, readSwitches, requestChecks } from '../../contract/desk/desk-operations.ts'
import { featureNames } from '../../contract/features.ts'
import { serve } from '../platform/http/http.ts'
import { outboxBacklog } from '../platform/messages/outbox-backlog.ts'
import type { Portal } from '../platform/portal.ts'
import { listNodes, newestAlarms, wantChecks } from './desk-operations-store.ts'

/** DSK-31, DSK-36: how the nodes and their services are, and which features are on. */
export function serveDeskOperations(app: FastifyInstance, portal: Portal): void {
  const { db, settings } = portal

  serve(app, portal, readHealth, async () => {
    const [nodes, outbox, alarms] = [await listNodes(db), await outboxBacklog(db), await newestAlarms(db)]
    return {
      nodes,
      outbox: outbox.map(({ oldest, dead: failed, ...row }) => ({ ...row, failed, oldestSeconds: Math.round(oldest) })),
      alarms,
    }
  })

  serve(app, portal, requestChecks, async ({ limit, transaction }) => {
    await limit('too-many-requests', ['desk-checks', 'all'])
    await transaction(async (tx, audit) => {
      await wantChecks(tx)
      await audit('desk-checks-requested')
    })
  })

  serve(app, portal, readSwitches, async () => ({
    items: featureNames.map((name) => ({ name, isOn: !settings.featuresOff.includes(name) })),
  }))
}
