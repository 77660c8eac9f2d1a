import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { featureNames } from '../features.ts'
import { Instant, Uuid } from '../fields.ts'

const findingStatus = ['ok', 'warning', 'failed', 'not tested'] as const

const NodeState = z.strictObject({
  id: Uuid,
  host: z.string(),
  version: z.string(),
  startedAt: Instant,
  seenAt: Instant,
  /** Whether it was seen in the last two minutes. */
  isLive: z.boolean(),
  jobs: z.array(z.strictObject({ name: z.string(), at: Instant, isOk: z.boolean() })),
  /** Null before the first checks. */
  checkedAt: z.nullable(Instant),
  isCheckWanted: z.boolean(),
  /** As `sygnet check` prints them, in English. */
  findings: z.array(z.strictObject({ name: z.string(), status: z.enum(findingStatus), text: z.string() })),
})
export type NodeState = z.infer<typeof NodeState>

export const readHealth = endpoint('staff', 'GET /desk/api/operations/health', {
  summary: 'How the nodes, the services and the outbox are',
  description: 'What each node has last said of itself, messages that wait, and the alarms of the last day.',
  reply: z.strictObject({
    nodes: z.array(NodeState),
    outbox: z.array(z.strictObject({ channel: z.string(), waiting: z.int(), oldestSeconds: z.int(), failed: z.int() })),
    alarms: z.array(z.strictObject({ name: z.string(), about: z.nullable(z.string()), times: z.int(), at: Instant })),
  }),
})

export const requestChecks = endpoint('staff', 'POST /desk/api/operations/checks', {
  summary: 'Has each node test its services again',
  description: 'As `sygnet check`, without messages; within half a minute. A check uses a timestamp of each node.',
  errors: ['too-many-requests'],
})

export const readSwitches = endpoint('staff', 'GET /desk/api/operations/features', {
  summary: 'The features of the portal, and which are off',
  description: 'The operator switches them by `FEATURES_OFF`, which a node reads at its start.',
  reply: z.strictObject({
    items: z.array(z.strictObject({ name: z.enum(featureNames), isOn: z.boolean() })),
  }),
})
