-- outside a transaction: each statement can be repeated, and nobody waits for it

-- The entries of one client key, operator or member of the staff (DSK-13), as 0044 does it. Those of customers have no name.
begin; set local lock_timeout = '300ms';
create index if not exists audit_by_name on only audit (lower(details ->> 'actorName'), id, at) where details ->> 'actorName' is not null;
commit;

-- each row is a statement: what an interrupted attempt has left
select format('drop index concurrently %I', c.relname)
from pg_inherits p join pg_index i on i.indrelid = p.inhrelid join pg_class c on c.oid = i.indexrelid
where p.inhparent = 'audit'::regclass and not i.indisvalid and c.relname like '%\_by\_name';

-- each row is a statement
select format('create index concurrently if not exists %I on %I (lower(details ->> ''actorName''), id, at) where details ->> ''actorName'' is not null',
  t.relname || '_by_name', t.relname)
from pg_inherits p join pg_class t on t.oid = p.inhrelid
where p.inhparent = 'audit'::regclass and not exists (
  select from pg_inherits own join pg_index i on i.indexrelid = own.inhrelid where own.inhparent = 'audit_by_name'::regclass and i.indrelid = t.oid);

-- each row is a statement
select format('begin; set local lock_timeout = ''300ms''; alter index audit_by_name attach partition %I; commit', t.relname || '_by_name')
from pg_inherits p join pg_class t on t.oid = p.inhrelid
where p.inhparent = 'audit'::regclass and not exists (
  select from pg_inherits own join pg_index i on i.indexrelid = own.inhrelid where own.inhparent = 'audit_by_name'::regclass and i.indrelid = t.oid);
