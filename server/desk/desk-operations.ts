import * as calls from '../../contract/desk/desk-operations.ts'
import { featureNames } from '../../contract/features.ts'
import { handler } from '../platform/http/http.ts'
import { outboxBacklog } from '../platform/messages/outbox-backlog.ts'
import { listNodes, newestAlarms, wantChecks } from './desk-operations-store.ts'

// DSK-31, DSK-36: how the nodes and their services are, and which features are on.

export const readHealth = handler(calls.readHealth, async (_, { db }) => {
  const [nodes, outbox, alarms] = [await listNodes(db), await outboxBacklog(db), await newestAlarms(db)]
  return {
    nodes,
    outbox: outbox.map(({ oldest, dead: failed, ...row }) => ({ ...row, failed, oldestSeconds: Math.round(oldest) })),
    alarms,
  }
})

export const requestChecks = handler(calls.requestChecks, async ({ limit, transaction }) => {
  await limit('too-many-requests', ['desk-checks', 'all'])
  await transaction(async (tx, audit) => {
    await wantChecks(tx)
    await audit('desk-checks-requested')
  })
})

export const readSwitches = handler(calls.readSwitches, async (_, { settings }) => ({
  items: featureNames.map((name) => ({ name, isOn: !settings.featuresOff.includes(name) })),
}))
