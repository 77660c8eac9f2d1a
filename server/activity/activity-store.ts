import { sql } from 'kysely'
import type { ActivityEntry, ActivityFilters } from '../../contract/activity.ts'
import type { ActivityObject, ActivityObjectKind } from '../../contract/activity-object.ts'
import { auditActionsOf } from '../../contract/audit-actions.ts'
import type { Device } from '../../contract/device.ts'
import { isoInstant, type Db } from '../platform/database/database.ts'
import { decryptPasskeyName } from '../platform/encrypted-data/encrypted-fields.ts'
import type { Keys } from '../platform/encryption/keys.ts'

type NamedObject = NonNullable<ActivityObject['shown']>

/** The audit trail writes only known browsers, systems and factors. */
type ActivityRow = Omit<ActivityEntry, 'device' | 'object'> & { [K in keyof Device]: Device[K] | null } & {
  kind: ActivityObjectKind | null
  objectId: string | null
  name: string | null
  passkeyName: Buffer | null
} & Pick<NamedObject, 'product' | 'validTo' | 'person' | 'isListed'>

/** Days begin at midnight in Poland, in any time zone of the caller. */
const dayBegins = (day: string, more = 0) =>
  sql`((${day}::date + ${more}::int)::timestamp at time zone 'Europe/Warsaw')`

/** The id of an object in the details of an entry. */
const idOf = (name: string) =>
  sql`(case when e.details ->> ${name} ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then (e.details ->> ${name})::uuid end)`

/** What an entry is about; of a removal of a filed object only its kind is known. What is about to be named last in an entry comes first here. */
const kind = sql`(case
  when e.act = 'passkey-removed' then null
  when e.details ? 'documentCase' then 'document'
  when e.details ? 'renewal' then 'renewal'
  when e.details ? 'voucherCase' then 'voucher-case'
  when e.details ? 'signature' then 'signature'
  when e.details ? 'seal' then 'seal'
  when e.details ?| array['timestampAccount', 'timestampPackage'] then 'timestamp-account'
  when e.details ? 'passkey' then 'passkey'
  when e.act = 'filed-object-removed' then case e.details ->> 'object'
    when 'document-case' then 'document' when 'timestamp-package' then 'timestamp-account' else e.details ->> 'object' end
end)`

/**
 * The audit entries of an account, newest first, with the names of their objects: an entry itself has only ids (R86). Names are
 * those of the customer's own objects, of seals that they use or used, and of the users of a seal that they administer. Only the
 * customer's own addresses are included, not those of the provider or an operator.
 */
export async function activityOf(
  db: Db,
  keys: Keys,
  accountId: string,
  { kind: wanted, from, to }: ActivityFilters,
  { before, size }: { before: string | undefined; size: number },
): Promise<ActivityEntry[]> {
  const { rows } = await sql<ActivityRow>`
    with entry as materialized (
      select id, at, act, actor, address, details from audit
      where account_id = ${accountId} and act = any(${auditActionsOf(wanted)}::text[])
        and ${before ? sql`id < ${before}::bigint` : sql`true`}
        and ${from ? sql`at >= ${dayBegins(from)}` : sql`true`} and ${to ? sql`at < ${dayBegins(to, 1)}` : sql`true`}
      order by audit.id desc limit ${size}
    ), about as (
      select e.*, ${kind} as kind, ${idOf('documentCase')} as document_case, ${idOf('renewal')} as renewal,
        ${idOf('voucherCase')} as voucher_case, ${idOf('signature')} as signature, ${idOf('seal')} as seal, ${idOf('user')} as seal_user,
        ${idOf('timestampAccount')} as timestamp_account, ${idOf('timestampPackage')} as timestamp_package, ${idOf('passkey')} as passkey
      from entry e
    )
    select e.id::text, e.at::text, e.act, e.actor, case when e.actor = 'customer' then e.address end as address,
      e.details ->> 'browser' as browser, e.details ->> 'system' as system,
      case when e.details ? 'alone' then 'passkey-alone' else e.details ->> 'factor' end as factor, e.kind,
      case e.kind when 'document' then d.id when 'renewal' then r.id when 'voucher-case' then v.id when 'signature' then s.id
        when 'seal' then m.id when 'timestamp-account' then t.id when 'passkey' then k.id end as object_id,
      case e.kind when 'document' then d.application when 'voucher-case' then v.number when 'seal' then m.name
        when 'timestamp-account' then t.login when 'passkey' then '' else coalesce(s.organisation, s.name) end as name,
      k.name as passkey_name, coalesce(s.product, m.product) as product, s.valid_to::text as valid_to,
      nullif(trim(u.first_name || ' ' || u.surname), '') as person,
      coalesce(m.status = 'active', true) and u.status is distinct from 'deleted' as is_listed
    from about e
      left join document_cases d on e.kind = 'document' and d.id = e.document_case and d.account_id = ${accountId}
      left join renewals r on e.kind = 'renewal' and r.id = e.renewal and r.account_id = ${accountId}
      left join voucher_cases v on e.kind = 'voucher-case' and v.id = e.voucher_case and v.account_id = ${accountId}
      left join signatures s on e.kind in ('signature', 'renewal') and s.id = coalesce(e.signature, r.signature_id) and s.account_id = ${accountId}
      left join lateral (
        select seals.id, seals.name, seals.product, own.status, own.role
        from seal_users own join seals on seals.id = own.seal_id
        where e.kind = 'seal' and own.seal_id = e.seal and own.account_id = ${accountId} order by own.standing limit 1
      ) m on true
      left join seal_users u on m.status = 'active' and m.role = 'administrator' and u.id = e.seal_user and u.seal_id = m.id
        and u.account_id is distinct from ${accountId}
      left join timestamp_packages p on p.id = e.timestamp_package
      left join timestamp_accounts t on e.kind = 'timestamp-account' and t.id = coalesce(e.timestamp_account, p.timestamp_account_id)
        and t.account_id = ${accountId}
      left join passkeys k on e.kind = 'passkey' and k.id = e.passkey and k.account_id = ${accountId}
    order by e.id desc`.execute(db)
  return rows.map(
    ({ browser, system, at, kind, objectId, name, passkeyName, product, validTo, person, isListed, ...row }) => ({
      ...row,
      at: isoInstant(at),
      object: kind && {
        kind,
        shown:
          objectId && name !== null
            ? {
                id: objectId,
                name: passkeyName ? decryptPasskeyName(keys, objectId, passkeyName) : name,
                product,
                validTo: validTo && isoInstant(validTo),
                person,
                isListed,
              }
            : null,
      },
      device: browser || system ? { browser, system } : null,
    }),
  )
}
