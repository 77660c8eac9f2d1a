-- The audit trail is divided by months (0037). What is written until this end stays in one table: the constraint proves that to
-- PostgreSQL, so that no row has to be read while the tables change places. At least two months are left until then.
do $$ begin
  execute format('alter table audit add constraint audit_end check (at < %L) not valid',
    date_trunc('month', now() at time zone 'UTC' + interval '3 months') at time zone 'UTC');
end $$;
