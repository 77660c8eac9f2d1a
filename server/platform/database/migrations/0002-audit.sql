-- The audit trail, by months, and the events that follow its entries.

create sequence audit_id_seq as bigint;

-- What was done, by whom, to what; written in the transaction of the act (OPS-5, R84). By months (OPS-7): a month that is over can be
-- detached and kept elsewhere, and a day is verified without the others.
create table audit (
  id bigint not null default nextval('audit_id_seq'),
  at timestamptz not null default portal_now(),
  act text not null,
  -- The account that acted or was acted for; null where there is none.
  account_id uuid,
  -- Who acted: customer, provider, operator, system.
  actor text not null,
  address text,
  details jsonb not null default '{}',
  -- The place in a chain, the MAC of the entry before it in the chain, and its own.
  chain uuid not null,
  seq bigint not null,
  previous bytea not null,
  mac bytea not null
) partition by range (at);
alter sequence audit_id_seq owned by audit.id;

-- What no month takes: an entry is never refused because of its time.
create table audit_default partition of audit default;
-- No two entries of a month have one place; a fork across months is found by the verification.
alter table audit_default add constraint audit_default_place primary key (chain, seq);

create index audit_by_account on audit (account_id, id desc);
-- Entries of a day are found by the pages that they are on: the table only grows, so a few bytes per page range suffice.
create index audit_by_time on audit using brin (at) with (pages_per_range = 32, autosummarize = on);
-- The trail is read by its numbers, also from and to a time, or by action (OPS-20).
create index audit_by_number on audit (id, at);
create index audit_by_act on audit (act, id, at);
-- The entries of one client key, operator or member of the staff (DSK-13). Those of customers have no name.
create index audit_by_name on audit (lower(details ->> 'actorName'), id, at) where details ->> 'actorName' is not null;

-- Where each chain goes on after the months that were detached. An entry of the trail has the digest of all rows.
create table detached_chains (
  chain uuid primary key,
  seq bigint not null,
  mac bytea not null
);

-- Makes the tables of the next months. The role of requests, which owns no table, calls it from a job; it can do nothing else by it.
create function make_audit_months() returns void language plpgsql security definer
  set search_path = public, pg_temp set timezone = 'UTC' set lock_timeout = '300ms' as $$
declare
  -- The end of the newest table: months follow each other without a gap. At first, the present month.
  month timestamptz := coalesce((
    select max(substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \(''([^'']+)''\)')::timestamptz)
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'audit'::regclass), date_trunc('month', portal_now()));
  until constant timestamptz := portal_now() + interval '3 months';
begin
  if month > until or not pg_try_advisory_xact_lock(hashtext('sygnet-audit-months')) then
    return;
  end if;
  while month <= until loop
    -- Entries that were written for want of a table stay where they are, and their month with them.
    if not exists (select from audit_default where at >= month and at < month + interval '1 month') then
      execute format('create table %I (like audit including defaults, primary key (chain, seq))', 'audit_' || to_char(month, 'YYYY_MM'));
      execute format('alter table audit attach partition %I for values from (%L) to (%L)',
        'audit_' || to_char(month, 'YYYY_MM'), month, month + interval '1 month');
    end if;
    month := month + interval '1 month';
  end loop;
end $$;
select make_audit_months();

-- The newest entry of each chain in each table of the trail (OPS-7), found with one step per chain. A step through the whole trail would
-- search in each of its tables, so it would take longer with each month. The role of requests has no right to a single table.
create function audit_ends() returns table (chain uuid, seq bigint, mac bytea)
  language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  part regclass;
begin
  for part in select inhrelid from pg_inherits where inhparent = 'audit'::regclass loop
    return query execute format(
      'with recursive ends as (
         (select chain, seq, mac from %1$s order by chain desc, seq desc limit 1)
         union all
         select next.* from ends, lateral (
           select chain, seq, mac from %1$s where chain < ends.chain order by chain desc, seq desc limit 1
         ) next
       )
       select * from ends', part);
  end loop;
end $$;

-- The events of the provider (OPS-4): written in the transaction of the act, published by the feed and by webhooks.
create table events (
  id uuid primary key default gen_random_uuid(),
  -- The order of writing; who writes later may be committed first.
  ordinal bigint generated always as identity,
  -- The place in the feed, given one after another to what has been committed: nothing ever appears before what was read.
  position bigint unique,
  type text not null,
  -- The object it is about. Its events are written while its row is held, so they are in the order in which it changed.
  subject text not null,
  -- Ids and states alone: no personal data (R86).
  data jsonb not null,
  at timestamptz not null default portal_now()
);
create index events_without_place on events (ordinal) where position is null;

-- The last place that was given. Its only row is locked while the next ones are given.
create table event_feed (
  alone boolean primary key default true check (alone),
  last bigint not null default 0
);
insert into event_feed default values;
