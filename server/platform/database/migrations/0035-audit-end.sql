-- The audit trail is divided by months (0037). What is written until this end stays in one table: the constraint proves that to
-- PostgreSQL, so that no row has to be read while the tables change places. At least two months are left until then.
do $$ begin
  execute format('alter table audit add constraint audit_end check (at < %L) not valid',
    date_trunc('month', now() at time zone 'UTC' + interval '3 months') at time zone 'UTC');
end $$;

-- 0037 drops the identity of the column, and the sequence with it. A statement of the previous version that waits for a table then has
-- the sequence already, so it gets a plain one now. Those that have the old one still take numbers from it, which the new one skips.
alter sequence audit_id_seq rename to audit_identity;
do $$ begin
  execute format('create sequence audit_id_seq as bigint start with %s', nextval('audit_identity') + 1000000);
  if exists (select from pg_roles where rolname = 'sygnet_app') then
    grant usage on audit_id_seq to sygnet_app;
  end if;
end $$;
