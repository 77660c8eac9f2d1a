-- outside a transaction: each statement can be repeated, and nobody waits for it

-- The trail is read by its numbers, also from and to a time, or by action (OPS-20). An index of a divided table is built for each of its
-- months: months that are made meanwhile have it from the beginning. Only the locks of a moment wait, and give up soon.
begin; set local lock_timeout = '300ms';
create index if not exists audit_by_number on only audit (id, at);
create index if not exists audit_by_act on only audit (act, id, at);
commit;

-- each row is a statement: what an interrupted attempt has left
select format('drop index concurrently %I', c.relname)
from pg_inherits p join pg_index i on i.indrelid = p.inhrelid join pg_class c on c.oid = i.indexrelid
where p.inhparent = 'audit'::regclass and not i.indisvalid and (c.relname like '%\_by\_number' or c.relname like '%\_by\_act');

-- each row is a statement
select format('create index concurrently if not exists %I on %I (%s)', t.relname || n.suffix, t.relname, n.columns)
from pg_inherits p join pg_class t on t.oid = p.inhrelid
  cross join (values ('audit_by_number'::regclass, '_by_number', 'id, at'), ('audit_by_act', '_by_act', 'act, id, at')) as n (parent, suffix, columns)
where p.inhparent = 'audit'::regclass and not exists (
  select from pg_inherits own join pg_index i on i.indexrelid = own.inhrelid where own.inhparent = n.parent and i.indrelid = t.oid);

-- each row is a statement
select format('begin; set local lock_timeout = ''300ms''; alter index %s attach partition %I; commit', n.parent, t.relname || n.suffix)
from pg_inherits p join pg_class t on t.oid = p.inhrelid
  cross join (values ('audit_by_number'::regclass, '_by_number'), ('audit_by_act', '_by_act')) as n (parent, suffix)
where p.inhparent = 'audit'::regclass and not exists (
  select from pg_inherits own join pg_index i on i.indexrelid = own.inhrelid where own.inhparent = n.parent and i.indrelid = t.oid);
