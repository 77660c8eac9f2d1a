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
      nodes: nodes.map(({ startedAt, seenAt, checkedAt, ...node }) => ({
        ...node,
        startedAt: startedAt.toISOString(),
        seenAt: seenAt.toISOString(),
        checkedAt: checkedAt?.toISOString() ?? null,
      })),
      outbox: outbox.map(({ channel, waiting, oldest, dead }) => ({
        channel,
        waiting,
        oldestSeconds: Math.round(oldest),
        failed: dead,
      })),
      alarms: alarms.map(({ at, ...alarm }) => ({ ...alarm, at: at.toISOString() })),
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
