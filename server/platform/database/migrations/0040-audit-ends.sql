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
