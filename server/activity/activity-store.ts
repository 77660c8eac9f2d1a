import { sql } from 'kysely'
import {
  activityObjectKinds,
  removableObjects,
  type ActivityObject,
  type ActivityObjectKind,
} from '../../contract/activity-object.ts'
import type { ActivityEntry, ActivityFilters } from '../../contract/activity.ts'
import type { Device } from '../../contract/device.ts'
import { keysOf } from '../../contract/enums.ts'
import { historyActions, shownAction } from '../platform/audit/audit-list.ts'
import { query, isoInstant } from '../platform/database/database.ts'
import type { HistoryObject, Portal, ServerFeature } from '../platform/portal.ts'

type NamedObject = NonNullable<ActivityObject['shown']>

/** An object as `find` of a `HistoryObject` returns it. */
type FoundObject = Pick<NamedObject, 'id'> & Partial<NamedObject> & { encryptedName?: string }

/** An entry of the history as it is read: the audit trail has known browsers, systems and factors only. */
type ActivityRow = Omit<ActivityEntry, 'device' | 'object'> & { [K in keyof Device]: Device[K] | null } & {
  kind: ActivityObjectKind | null
  found: FoundObject | null
}

/** Returns the start of a day: midnight in Poland, in any time zone of the caller. */
const dayBegins = (day: string, more = 0) =>
  sql`((${day}::date + ${more}::int)::timestamp at time zone 'Europe/Warsaw')`

/** Returns the id of an object in the details of an entry. */
const idIn = (detail: string) =>
  sql`(case when e.details ->> ${detail} ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then (e.details ->> ${detail})::uuid end)`

type HistoryObjects = readonly [ActivityObjectKind, HistoryObject][]

/** Returns how the features find their objects, in the order in which an entry's details decide what it is about. */
function historyObjectsOf(features: Portal['features']): HistoryObjects {
  const all: ServerFeature['historyObjects'] = Object.assign({}, ...features.map((each) => each.historyObjects))
  return keysOf(activityObjectKinds).map((kind) => [kind, all![kind]!])
}

/** Returns the kind of the object of an entry. For the removal of a passkey nothing, and for that of a filed object only the kind is known. */
function kindIn(objects: HistoryObjects) {
  const named = objects.map(([kind, { details }]) => sql`when entry.details ?| ${details}::text[] then ${kind}`)
  const removed = Object.entries(removableObjects).map(([object, kind]) => sql`when ${object} then ${kind}`)
  return sql`(case when entry.act = 'passkey-removed' then null ${sql.join(named, sql` `)}
    when entry.act = 'filed-object-removed' then case entry.details ->> 'object' ${sql.join(removed, sql` `)} end end)`
}

/**
 * Lists the audit entries of an account, newest first, with the names of their objects: an entry itself has only ids (R86). Names are those
 * of the customer's own objects, of seals that they use or used, and of the users of a seal that they administer. Each is a lookup by key,
 * however large the tables are. Only the customer's own addresses are included, not those of the provider or an operator.
 */
export async function listActivityBefore(
  { db, keys, settings, features }: Portal,
  accountId: string,
  { kind: wanted, from, to }: ActivityFilters,
  { before, size }: { before: string | undefined; size: number },
): Promise<ActivityEntry[]> {
  const objects = historyObjectsOf(features)
  const finds = objects.map(([kind, { find }]) => sql`when ${kind} then (${find(accountId, idIn)})`)
  const rows = await query(db).all(sql<ActivityRow>`
    with entry as materialized (
      select id, at, ${shownAction} as act, actor, address, details from audit
      where account_id = ${accountId} and act = any(${historyActions(settings, wanted)}::text[])
        and ${before ? sql`id < ${before}::bigint` : sql`true`}
        and ${from ? sql`at >= ${dayBegins(from)}` : sql`true`} and ${to ? sql`at < ${dayBegins(to, 1)}` : sql`true`}
      order by audit.id desc limit ${size}
    )
    select e.id::text, e.at::text, e.act, case e.actor when 'staff' then 'provider' else e.actor end as actor, case when e.actor = 'customer' then e.address end as address,
      e.details ->> 'browser' as browser, e.details ->> 'system' as system,
      case when e.details ? 'alone' then 'passkey-alone' else e.details ->> 'factor' end as factor, e.kind,
      case e.kind ${sql.join(finds, sql` `)} end as found
    from (select entry.*, ${kindIn(objects)} as kind from entry) e
    order by e.id desc`)
  const decrypt = new Map(objects.map(([kind, { decryptName }]) => [kind, decryptName]))
  const shown = (
    { id, name, encryptedName, validTo, ...more }: FoundObject,
    kind: ActivityObjectKind,
  ): NamedObject => ({
    product: null,
    person: null,
    isListed: true,
    ...more,
    id,
    name: name ?? decrypt.get(kind)!(keys, id, Buffer.from(encryptedName!, 'base64')),
    validTo: validTo ? isoInstant(validTo) : null,
  })
  return rows.map(({ browser, system, at, kind, found, ...row }) => ({
    ...row,
    at: isoInstant(at),
    object: kind && { kind, shown: found && shown(found, kind) },
    device: browser || system ? { browser, system } : null,
  }))
}
