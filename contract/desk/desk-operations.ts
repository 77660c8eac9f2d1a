import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { featureNames } from '../features.ts'
import { Instant, Uuid, text, ProviderId } from '../fields.ts'
import { SoftwareRelease } from '../software.ts'
import { deskLimits } from './desk-limits.ts'

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
  /** The time of the last checks; null before the first. */
  checkedAt: z.nullable(Instant),
  isCheckWanted: z.boolean(),
  /** Findings as `sygnet check` prints them, in English. */
  findings: z.array(z.strictObject({ name: z.string(), status: z.enum(findingStatus), text: z.string() })),
})
export type NodeState = z.infer<typeof NodeState>

export const readHealth = endpoint('staff', 'GET /desk/api/operations/health', {
  summary: 'Returns how the nodes, the services and the outbox are',
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
  summary: 'Lists the features of the portal, and which are off',
  description: 'The operator switches them by `FEATURES_OFF`, which a node reads at its start.',
  reply: z.strictObject({
    items: z.array(z.strictObject({ name: z.enum(featureNames), isOn: z.boolean() })),
  }),
})

const channel = z.enum(['mail', 'sms'])

const Undelivered = z.strictObject({
  id: Uuid,
  channel,
  createdAt: Instant,
  tries: z.int(),
  cause: z.string(),
  /** Masked; null if the message cannot be read. */
  recipient: z.nullable(z.string()),
  /** The time of the next try; null if it failed permanently. */
  nextTryAt: z.nullable(Instant),
})
export type Undelivered = z.infer<typeof Undelivered>

export const listUndelivered = endpoint('staff', 'GET /desk/api/operations/messages', {
  summary: 'Lists e-mails and text messages that were not delivered, with masked recipients',
  description:
    'The newest that failed permanently, and the newest that are tried again; and how many failed of each cause.',
  query: z.strictObject({ channel: z.optional(channel) }),
  reply: z.strictObject({
    items: z.array(Undelivered),
    /** Whether there are older ones. */
    hasMore: z.boolean(),
    /** Causes of the messages that failed permanently. */
    causes: z.array(z.strictObject({ channel, cause: z.string(), messages: z.int() })),
  }),
})

export const resendUndelivered = endpoint('staff', 'POST /desk/api/operations/messages/resend', {
  summary: 'Sends messages that failed permanently again: one, or those of one cause',
  description: 'At most 500 in a call, the oldest first. An expired code is not sent.',
  body: z.strictObject({
    which: z.union([
      z.strictObject({ id: Uuid }),
      z.strictObject({ channel, cause: text(deskLimits.cause).check(z.minLength(1)) }),
    ]),
  }),
  reply: z.strictObject({ resent: z.int() }),
})

const params = { release: ProviderId }

const ListedRelease = z.extend(SoftwareRelease, { release: z.string() })
export type ListedRelease = z.infer<typeof ListedRelease>

export const listReleasesAtDesk = endpoint('staff', 'GET /desk/api/operations/software', {
  summary: 'Lists the programs that customers can download',
  description: 'By platform, the newest first.',
  reply: z.strictObject({ items: z.array(ListedRelease) }),
})

export const putReleaseAtDesk = endpoint('staff', 'PUT /desk/api/operations/software/:release', {
  summary: 'Publishes a program, or changes it',
  description: 'The file itself is where its address says. It needs a recent sign-in at the OpenID provider.',
  params,
  body: SoftwareRelease,
  errors: ['step-up-required'],
})

export const removeReleaseAtDesk = endpoint('staff', 'DELETE /desk/api/operations/software/:release', {
  summary: 'Withdraws a program',
  description: 'Customers do not see it from then on.',
  params,
})
