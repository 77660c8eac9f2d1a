-- The audit trail by months (OPS-7): a month that is over can be detached and kept elsewhere, and a day is verified without the others.
-- The entries so far become its first part, until the end of 0035.
alter table audit rename to audit_before;
alter index audit_by_account rename to audit_before_by_account;
alter index audit_by_time rename to audit_before_by_time;

-- PostgreSQL 17 refuses a part with an identity of its own.
alter table audit_before alter column id drop identity;

-- No two entries of a month have one place; a fork across months is found by the verification.
create table audit (
  id bigint not null default nextval('audit_id_seq'),
  at timestamptz not null default portal_now(),
  act text not null,
  account_id uuid,
  actor text not null,
  address text,
  details jsonb not null default '{}',
  chain uuid not null,
  seq bigint not null,
  previous bytea not null,
  mac bytea not null
) partition by range (at);
alter sequence audit_id_seq owned by audit.id;

do $$ begin
  execute format('alter table audit attach partition audit_before for values from (minvalue) to (%L)',
    (select substring(pg_get_constraintdef(oid) from '''([^'']+)''') from pg_constraint where conname = 'audit_end'));
end $$;

-- Nodes of the previous version go on adding entries.
do $$ begin
  if exists (select from pg_roles where rolname = 'sygnet_app') then
    grant select, insert on audit to sygnet_app;
  end if;
end $$;

-- What no month takes: an entry is never refused because of its time.
create table audit_default partition of audit default;
alter table audit_default add constraint audit_default_place primary key (chain, seq);

create index audit_by_account on audit (account_id, id desc);
create index audit_by_time on audit using brin (at) with (pages_per_range = 32, autosummarize = on);

-- Where each chain goes on after the months that were detached. An entry of the trail has the digest of all rows.
create table detached_chains (chain uuid primary key, seq bigint not null, mac bytea not null);

-- Makes the tables of the next months. The role of requests, which owns no table, calls it from a job; it can do nothing else by it.
create function make_audit_months() returns void language plpgsql security definer
  set search_path = public, pg_temp set timezone = 'UTC' set lock_timeout = '300ms' as $$
declare
  -- Of the newest table: months follow each other without a gap.
  month timestamptz := (
    select max(substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \(''([^'']+)''\)')::timestamptz)
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'audit'::regclass);
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
