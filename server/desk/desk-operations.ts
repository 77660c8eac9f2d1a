import { sql } from 'kysely'
import { deskLimits } from '../../contract/desk/desk-limits.ts'
import * as calls from '../../contract/desk/desk-operations.ts'
import type { NodeState } from '../../contract/desk/desk-operations.ts'
import { featureNames } from '../../contract/features.ts'
import { requireRecentSignIn } from '../platform/authentication/staff-session.ts'
import { type Db, type Tx, query } from '../platform/database/database.ts'
import { removalFrom, removeExpired } from '../platform/database/remove-expired.ts'
import { handler } from '../platform/http/http.ts'
import { countFailureCauses, resetUndelivered, listUndeliveredMails } from '../platform/messages/failed-messages.ts'
import { maskEmail, maskPhone } from '../platform/messages/masks.ts'
import { listOutboxBacklog } from '../platform/messages/outbox.ts'
import { listNamedReleases, putRelease, removeRelease } from '../software/software.ts'

/** A node reports every half minute. */
const liveCondition = sql`seen_at > portal_now() - interval '2 minutes'`

type NodeRow = Omit<NodeState, 'startedAt' | 'seenAt' | 'checkedAt'> & {
  startedAt: Date
  seenAt: Date
  checkedAt: Date | null
}

/** Lists the nodes, the most recently seen first. */
async function listNodes(db: Db): Promise<NodeRow[]> {
  return query(db).all(sql<NodeRow>`
    select id, host, version, started_at, seen_at, ${liveCondition} as is_live, jobs, findings, checked_at, check_wanted as is_check_wanted
    from nodes order by seen_at desc limit 50`)
}

const wantChecks = (tx: Tx) => query(tx).run(sql`update nodes set check_wanted = true where ${liveCondition}`)

/** Removes nodes that have crashed; others remove themselves. */
export const removeLostNodes = (db: Db): Promise<void> =>
  removeExpired(db, [removalFrom('nodes', sql`seen_at < portal_now() - interval '1 day'`)])

type AlarmRow = { name: string; about: string | null; times: number; at: Date }

/** Lists the alarms of the last day among its newest 500 entries. An alarm that lasts is raised again each hour. */
async function listNewestAlarms(db: Db): Promise<AlarmRow[]> {
  return query(db).all(sql<AlarmRow>`
    select name, about, count(*)::int as times, max(at) as at from (
      select details->>'name' as name, details->>'about' as about, at from audit
      where act = any(array['alarm-raised']) and at > portal_now() - interval '1 day' order by id desc limit 500
    ) raised
    group by name, about order by max(at) desc limit 50`)
}

// How the nodes and their services are, and which features are on (DSK-31, DSK-36).

export const readHealth = handler(calls.readHealth, async (_, { db }) => {
  const [nodes, outbox, alarms] = [await listNodes(db), await listOutboxBacklog(db), await listNewestAlarms(db)]
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

// The programs that customers can download (DSK-35).

export const listReleasesAtDesk = handler(calls.listReleasesAtDesk, async (_, portal) => ({
  items: await listNamedReleases(portal.db),
}))

export const putReleaseAtDesk = handler(
  calls.putReleaseAtDesk,
  async ({ params: { release }, body, staff, transaction }) => {
    requireRecentSignIn(staff)
    const { version, url, sha256 } = body
    await transaction(async (tx, audit) => {
      await putRelease(tx, release, body)
      await audit('software-stored', { release, version, url, ...(sha256 !== null && { sha256 }) })
    })
  },
)

export const removeReleaseAtDesk = handler(calls.removeReleaseAtDesk, ({ params: { release }, transaction }) =>
  transaction(async (tx, audit) => {
    if (await removeRelease(tx, release)) await audit('software-removed', { release })
  }),
)

// E-mails and text messages that were not delivered. Their content stays in the outbox (DSK-32, R254).

export const listUndelivered = handler(
  calls.listUndelivered,
  async ({ query: { channel }, transaction }, { db, keys }) => {
    const most = deskLimits.messages
    const rows = await listUndeliveredMails(db, keys, { channel, most: most + 1 })
    const causes = await countFailureCauses(db, channel)
    const kinds = [rows.filter(({ nextTryAt }) => !nextTryAt), rows.filter(({ nextTryAt }) => nextTryAt)]
    const shown = kinds.flatMap((kind) => kind.slice(0, most))
    await transaction((_, audit) => audit('desk-messages-read', { found: shown.length }))
    return {
      items: shown.map(({ recipient, ...row }) => ({
        ...row,
        recipient: recipient === undefined ? null : row.channel === 'sms' ? maskPhone(recipient) : maskEmail(recipient),
      })),
      hasMore: kinds.some(({ length }) => length > most),
      causes,
    }
  },
)

export const resendUndelivered = handler(calls.resendUndelivered, ({ body, transaction }) =>
  transaction(async (tx, audit) => {
    const resent = await resetUndelivered(tx, body.which, deskLimits.resent)
    await audit('messages-resent', { messages: resent })
    return { resent }
  }),
)
