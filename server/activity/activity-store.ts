import { sql } from 'kysely'
import type { ActivityEntry, ActivityFilters } from '../../contract/activity.ts'
import type { ActivityObject, ActivityObjectKind } from '../../contract/activity-object.ts'
import type { Device } from '../../contract/device.ts'
import { isoInstant } from '../platform/database/database.ts'
import { decryptPasskeyName } from '../platform/encrypted-data/encrypted-fields.ts'
import type { Portal } from '../platform/portal.ts'
import type { Keys } from '../platform/encryption/keys.ts'
import { historyActions, shownAction } from '../platform/audit/audit-list.ts'

type NamedObject = NonNullable<ActivityObject['shown']>

/** Properties of an object that were found; a passkey has only an encrypted name. */
type FoundObject = Pick<NamedObject, 'id'> & Partial<NamedObject> & { encryptedName?: string }

/** The audit trail writes only known browsers, systems and factors. */
type ActivityRow = Omit<ActivityEntry, 'device' | 'object'> & { [K in keyof Device]: Device[K] | null } & {
  kind: ActivityObjectKind | null
  found: FoundObject | null
}

/** Returns the start of a day: midnight in Poland, in any time zone of the caller. */
const dayBegins = (day: string, more = 0) =>
  sql`((${day}::date + ${more}::int)::timestamp at time zone 'Europe/Warsaw')`

/** Returns the id of an object in the details of an entry. */
const idOf = (name: string) =>
  sql`(case when e.details ->> ${name} ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then (e.details ->> ${name})::uuid end)`

/** Kind of the object of an entry: the first of these that it names. For the removal of a filed object only the kind is known. */
const kind = sql`(case
  when entry.act = 'passkey-removed' then null
  when entry.details ? 'documentCase' then 'document'
  when entry.details ? 'renewal' then 'renewal'
  when entry.details ? 'voucherCase' then 'voucher-case'
  when entry.details ? 'signature' then 'signature'
  when entry.details ? 'seal' then 'seal'
  when entry.details ?| array['timestampAccount', 'timestampPackage'] then 'timestamp-account'
  when entry.details ? 'passkey' then 'passkey'
  when entry.act = 'filed-object-removed' then case entry.details ->> 'object'
    when 'document-case' then 'document' when 'timestamp-package' then 'timestamp-account' else entry.details ->> 'object' end
end)`

const certificate = sql`'name', coalesce(s.organisation, s.name), 'product', s.product, 'validTo', s.valid_to::text`

/**
 * Reads the audit entries of an account, newest first, with the names of their objects: an entry itself has only ids (R86). Names are those
 * of the customer's own objects, of seals that they use or used, and of the users of a seal that they administer. Each is a lookup by key,
 * however large the tables are. Only the customer's own addresses are included, not those of the provider or an operator.
 */
export async function activityOf(
  { db, keys, settings }: Portal,
  accountId: string,
  { kind: wanted, from, to }: ActivityFilters,
  { before, size }: { before: string | undefined; size: number },
): Promise<ActivityEntry[]> {
  const { rows } = await sql<ActivityRow>`
    with entry as materialized (
      select id, at, ${shownAction} as act, actor, address, details from audit
      where account_id = ${accountId} and act = any(${historyActions(settings, wanted)}::text[])
        and ${before ? sql`id < ${before}::bigint` : sql`true`}
        and ${from ? sql`at >= ${dayBegins(from)}` : sql`true`} and ${to ? sql`at < ${dayBegins(to, 1)}` : sql`true`}
      order by audit.id desc limit ${size}
    )
    select e.id::text, e.at::text, e.act, case e.actor when 'staff' then 'provider' else e.actor end as actor, case when e.actor = 'customer' then e.address end as address,
      e.details ->> 'browser' as browser, e.details ->> 'system' as system,
      case when e.details ? 'alone' then 'passkey-alone' else e.details ->> 'factor' end as factor, e.kind, case e.kind
        when 'document' then (
          select jsonb_build_object('id', id, 'name', application) from document_cases
          where id = ${idOf('documentCase')} and account_id = ${accountId})
        when 'voucher-case' then (
          select jsonb_build_object('id', id, 'name', number) from voucher_cases
          where id = ${idOf('voucherCase')} and account_id = ${accountId})
        when 'timestamp-account' then (
          select jsonb_build_object('id', id, 'name', login) from timestamp_accounts
          where id = coalesce(${idOf('timestampAccount')}, (select timestamp_account_id from timestamp_packages where id = ${idOf('timestampPackage')}))
            and account_id = ${accountId})
        when 'passkey' then (
          select jsonb_build_object('id', id, 'encryptedName', encode(name, 'base64')) from passkeys
          where id = ${idOf('passkey')} and account_id = ${accountId})
        when 'signature' then (
          select jsonb_build_object('id', s.id, ${certificate}) from signatures s
          where s.id = ${idOf('signature')} and s.account_id = ${accountId})
        when 'renewal' then (
          select jsonb_build_object('id', r.id, ${certificate})
          from renewals r join signatures s on s.id = coalesce(${idOf('signature')}, r.signature_id) and s.account_id = r.account_id
          where r.id = ${idOf('renewal')} and r.account_id = ${accountId})
        when 'seal' then (
          select jsonb_build_object('id', s.id, 'name', s.name, 'product', s.product, 'person', nullif(trim(u.first_name || ' ' || u.surname), ''),
            'isListed', own.status = 'active' and u.status is distinct from 'deleted')
          from seal_users own join seals s on s.id = own.seal_id
            left join seal_users u on own.status = 'active' and own.role = 'admin' and u.id = ${idOf('user')} and u.seal_id = own.seal_id
              and u.account_id is distinct from ${accountId}
          where own.seal_id = ${idOf('seal')} and own.account_id = ${accountId} order by own.standing limit 1)
      end as found
    from (select entry.*, ${kind} as kind from entry) e
    order by e.id desc`.execute(db)
  return rows.map(({ browser, system, at, kind: about, found, ...row }) => ({
    ...row,
    at: isoInstant(at),
    object: about && { kind: about, shown: found && shownObject(keys, found) },
    device: browser || system ? { browser, system } : null,
  }))
}

function shownObject(keys: Keys, { id, name, encryptedName, validTo, ...found }: FoundObject): NamedObject {
  return {
    product: null,
    person: null,
    isListed: true,
    ...found,
    id,
    name: name ?? decryptPasskeyName(keys, id, Buffer.from(encryptedName ?? '', 'base64')),
    validTo: validTo ? isoInstant(validTo) : null,
  }
}
